//! The page of one bot.

use maud::{Markup, html};
use review::{BotReview, MeanBreakdown, MeanByDeal, MistakeGrade, MistakePosition};
use rules::custom::RulesId;
use rules::{Dialect, GameKind};
use series::{FileRetention, IsolationLine, PlayerKind, PlayerLine};
use standings::output::Column;
use standings::pairing::tie_break;
use text::columns::with_interval;
use text::shell::{without_folders, word};
use text::{counted, printable};

use crate::chart;
use crate::figures::{BotFault, BotFigures, QUANTILES, cell, with_minus};
use crate::game_line::{BotNotes, short_number};
use crate::html::games;
use crate::html::layout::{
    Page, PageLocation, bar, bot_link, count, figure, footer, scrolled, section, title,
};
use crate::reading::{SourceReport, SourceState};
use crate::source::SourceReview;

pub(crate) fn page(reading: &SourceReport, place: usize, location: PageLocation) -> Markup {
    let player = &reading.series.header().players[place];
    let figures = &reading.figures.bots[place];
    let title = format!("{} in {}", player.name, title(reading));
    let body = html! {
        (bar(reading, location, ""))
        section.top id="top" aria-label="Title" { div.wrap {
            h1 { (player.name) }
            @if let Some(game) = reading.progress.out_after(place) {
                p.status {
                    span.badge.bad { "disqualified" } " after "
                    a href={ "../game.html#game=" (game) } { "game " (game) }
                    " for too many faults; its remaining games were skipped"
                }
            }
            (summary(reading, &player.name))
        } }
        main.wrap id="main" {
            (section("opponents", "Head-to-head", opponents(reading, &player.name)))
            (section("times", "Times", times(figures)))
            (section("seats", "Points per seat", seats(figures)))
            (section("faults", "Faults", faults(figures)))
            @if !figures.noted.is_empty() { (section("notes", "Bot notes", notes(&figures.noted))) }
            @if let Some(review) = &reading.review {
                (section("review", "Mistakes", mistakes_in(review, &player.name)))
            }
            (section("games", "Games", games::list(reading, Some(place))))
            (section("setup", "Setup", player_setup(player)))
        }
        (footer(reading))
    };
    Page {
        title: &title,
        location,
        styles: &["report.css"],
        scripts: &games::SCRIPTS,
        data: &["../data/index.js"],
        body,
    }
    .render()
}

/// Its row of the standings, as numbers.
fn summary(reading: &SourceReport, name: &str) -> Markup {
    let view = &reading.standings.get().all;
    html! {
        @if let Some(row) = view.rows.iter().find(|row| row.name == name) {
            dl.numbers { @for column in Column::for_view(view) {
                @let cell = cell(column.cell(row, view));
                @if column != Column::Bot && cell != "–" {
                    div { dt { (column.heading()) } dd { (games_with(OpponentFilter::Any, column, &cell)) } }
                }
            } }
        }
    }
}

/// The opponents in the games that are counted.
#[derive(Debug, Clone, Copy)]
enum OpponentFilter {
    Any,
    /// The bot at this place in the log.
    Bot(usize),
    /// A bot that plays only in an earlier part of the tournament.
    Earlier,
}

/// A number of the standings; a number of games is a link to these games in the list below.
fn games_with(against: OpponentFilter, column: Column, number: &str) -> Markup {
    let result = match column {
        _ if number == "0" => None,
        Column::Games => Some(String::new()),
        Column::Won | Column::Drawn | Column::Lost => Some(format!("&result={}", column.heading())),
        _ => None,
    };
    let against = match against {
        OpponentFilter::Any => Some(String::new()),
        OpponentFilter::Bot(place) => Some(format!("&against={place}")),
        OpponentFilter::Earlier => None,
    };
    html! { @match against.zip(result) {
        Some((against, result)) => a href={ "#games" (against) (result) } { (number) },
        None => (number),
    } }
}

fn opponents(reading: &SourceReport, name: &str) -> Markup {
    let view = &reading.standings.get().all;
    let row = view.rows.iter().position(|row| row.name == name).unwrap_or(0);
    let pairings: Vec<_> =
        (0..view.rows.len()).filter_map(|other| view.pairing(row, other)).collect();
    if pairings.is_empty() {
        return html! { p { "No games against other bots yet." } };
    }
    let table = html! {
        table {
            caption { "results of " (name) }
            thead { tr {
                th.word scope="col" { "opponent" }
                th.spare scope="col" { "games" } th scope="col" { "won" } th.spare scope="col" { "drawn" }
                th scope="col" { "lost" } th scope="col" { "score" }
                th.spare scope="col" { "points" } th.spare scope="col" { "points against" }
            } }
            tbody { @for pairing in &pairings { tr {
                th.word scope="row" { (bot_link(reading, &pairing.opponent, "")) }
                @let place = reading.names().position(|name| name == pairing.opponent);
                @let against = place.map_or(OpponentFilter::Earlier, OpponentFilter::Bot);
                td.spare { (games_with(against, Column::Games, &pairing.games.to_string())) }
                td { (games_with(against, Column::Won, &pairing.won.to_string())) }
                td.spare { (games_with(against, Column::Drawn, &pairing.drawn.to_string())) }
                td { (games_with(against, Column::Lost, &pairing.lost.to_string())) }
                td { @match pairing.score {
                    Some(score) => (format!("{:.1}%", 100.0 * score.value)),
                    None => "–",
                } }
                td.spare { (format!("{:.1}", pairing.points_for)) }
                td.spare { (format!("{:.1}", pairing.points_against)) }
            } } }
        }
    };
    scrolled("Head-to-head", table)
}

fn times(figures: &BotFigures) -> Markup {
    let Some(chart) = chart::times(figures) else {
        return html! { p { "No answers yet." } };
    };
    html! {
        dl.numbers.inside { @for (name, share) in QUANTILES {
            @let time = figures.quantile(share).map_or("–".to_owned(), chart::milliseconds);
            div { dt { (name) } dd { (time) } }
        } }
        (figure(chart, "Distribution of response times (logarithmic scale)."))
    }
}

fn seats(figures: &BotFigures) -> Markup {
    let played = figures.seats.iter().enumerate().filter(|(_, at)| at.games > 0);
    let table = html! {
        table.short {
            caption { "points per seat" }
            thead { tr {
                @for title in ["seat", "games", "points", "points per game"] { th scope="col" { (title) } }
            } }
            tbody { @for (seat, at) in played { tr {
                th scope="row" { (seat) } td { (at.games) } td { (at.points) }
                td { (at.mean().map_or("–".to_owned(), |mean| format!("{mean:.2}"))) }
            } } }
        }
    };
    scrolled("Points per seat", table)
}

fn faults(figures: &BotFigures) -> Markup {
    let all: u64 = figures.answers() - figures.count(rules::Verdict::Ok);
    if all == 0 {
        return html! { p { "No faults in " (count(figures.answers(), "answer")) "." } };
    }
    let table = html! {
        table {
            caption { (count(all, "fault")) " in " (count(figures.answers(), "answer"))
                @if all > figures.faults.len() as u64 { ", the first " (figures.faults.len()) } }
            thead { tr {
                th scope="col" { "game" } th scope="col" { "move" }
                th.word scope="col" { "verdict" }
                th.word scope="col" { "detail" }
            } }
            tbody { @for fault in &figures.faults { tr {
                td { a href=(place_of(fault)) { (fault.game) } } td { (fault.number) }
                td.word { (fault.verdict) } td.word.wide { (printable(&fault.detail)) }
            } } }
        }
    };
    scrolled("Faults", table)
}

/// The address that shows a fault.
fn place_of(fault: &BotFault) -> String {
    let BotFault { game, attempt, step, .. } = fault;
    let step = step.map_or_else(String::new, |step| format!("&step={step}"));
    format!("../game.html#game={game}&attempt={attempt}{step}")
}

/// Lists luck, skill and rest in the results of a bot.
fn luck(accounts: &MeanBreakdown) -> Vec<(&'static str, String)> {
    let signed = |part: f64| with_minus(format!("{:+.1}%", 100.0 * part));
    let mean = |mean: &MeanByDeal| {
        with_interval(100.0 * mean.mean(), "%", 1, mean.interval().map(|half| 100.0 * half))
    };
    let mut parts =
        vec![("result", mean(&accounts.result)), ("luck", signed(accounts.luck.mean()))];
    if let (Some(skill), Some(rest)) = (accounts.mean_skill(), accounts.rest()) {
        parts.extend([("skill", signed(skill)), ("rest", signed(rest))]);
    }
    parts.push(("luck-adjusted result", mean(&accounts.adjusted)));
    parts
}

fn notes(noted: &BotNotes) -> Markup {
    let table = html! {
        table.short {
            caption { "numeric bot notes"
                @if noted.is_full() { ", the first " (BotNotes::MOST) " keys" } }
            thead { tr {
                th.word scope="col" { "note" }
                @for title in ["answers", "mean", "min", "max"] { th scope="col" { (title) } }
            } }
            tbody { @for (key, numbers) in noted.keys() { tr {
                th.word scope="row" { (key) } td { (numbers.answers) }
                @for number in [numbers.mean, numbers.least, numbers.most] { td { (with_minus(short_number(number))) } }
            } } }
        }
    };
    html! {
        (scrolled("Bot notes", table))
        p.notes { "Rated games only. The game viewer plots each note over the course of a game." }
    }
}

/// The kinds of mistakes that are listed.
const KINDS: usize = 20;

fn mistakes_in(review: &SourceReview, name: &str) -> Markup {
    let link = |position: &MistakePosition| {
        html! {
            a href=(review.place(position)) { (position.game) }
        }
    };
    match review.bot(name) {
        Some(bot) => mistakes(bot, review.blames_exploiting(), &link),
        None => html! { p { "No reviewed games." } },
    }
}

/// What a bot gives away, with a link to each position. A reviewer may blame bots for exploiting a weak opponent.
pub(crate) fn mistakes(
    bot: &BotReview,
    blames_exploiting: bool,
    link: &dyn Fn(&MistakePosition) -> Markup,
) -> Markup {
    let percent = |part: f64| format!("{:.1}%", 100.0 * part);
    let interval = bot.interval().map(|half| 100.0 * half);
    let a_game = with_interval(100.0 * bot.a_game(), "%", 1, interval);
    let best = percent(bot.best as f64 / bot.decisions.max(1) as f64);
    let numbers = [
        ("decisions", bot.decisions.to_string()),
        ("best move played", best),
        ("loss per move", percent(bot.a_decision())),
        ("loss per game", a_game),
    ];
    let luck = if bot.accounts.is_empty() { Vec::new() } else { luck(&bot.accounts) };
    let called = ["inaccuracies", "mistakes", "blunders"];
    let marks =
        MistakeGrade::ALL.map(|mark| (called[mark.place()], bot.marks[mark.place()].to_string()));
    let kinds = bot.kinds();
    let table = html! {
        table {
            caption { "recurring mistakes, loss in % of a win" }
            thead { tr {
                th.word scope="col" { "mistake" }
                @for title in ["count", "mean loss"] { th scope="col" { (title) } }
                th.spare scope="col" { "total loss" }
                th.word scope="col" { "games" }
            } }
            tbody { @for kind in kinds.iter().take(KINDS) { tr {
                td.word.wide { (kind.difference) }
                td { (kind.times) }
                td { (percent(kind.given_away / kind.times.max(1) as f64)) }
                td.spare { (percent(kind.given_away)) }
                td.word { @for (place, position) in kind.positions.iter().enumerate() {
                    @if place > 0 { ", " }
                    (link(position))
                } }
            } } }
        }
    };
    html! {
        @if bot.faults > 0 { p {
            "It lost " (bot.faults) " of " (count(bot.games, "reviewed game"))
            " because of " a href="#faults" { "a fault" } ", not its moves."
        } }
        dl.numbers.inside {
            @for (name, number) in numbers.iter().map(|(name, number)| (*name, number)) {
                div { dt { (name) } dd { (number) } }
            }
            @for (name, number) in &marks { div { dt { (name) } dd { (number) } } }
            @for (name, number) in &luck { div { dt { (name) } dd { (number) } } }
        }
        @if kinds.is_empty() {
            p { "No significant mistakes." }
        } @else {
            (scrolled("Mistakes", table))
        }
        p.quiet {
            "Loss: win probability of the best move minus that of the played move, given the information available "
            "to the seat. "
            @if blames_exploiting {
                "Rated against an unknown opponent: exploiting a weak one counts as a loss."
            }
        }
    }
}

/// The plan and the players.
pub(super) fn setup(reading: &SourceReport) -> Markup {
    let header = reading.series.header();
    html! {
        dl.facts {
            dt { "game" } dd { (header.game) " " code { (header.options) } }
            (rules_line(reading.series.kind()))
            dt { "games" } dd { (header.games) }
            dt { "retries" } dd { (header.retries) }
            @if let Some(missing) = header.isolation.as_ref().and_then(IsolationLine::missing) {
                dt { "isolation" } dd { (missing) }
            }
            @if header.answering == PlayerKind::InProcess {
                dt { "answered" } dd { "by built-in bots in one process, without limits or timings" }
            }
            @if let Some(line) = &header.tournament {
                dt { "schedule" } dd {
                    (line.schedule.format.name()) ", " (counted(line.schedule.deals, "deal", "deals"))
                    @if let Some(tables) = line.schedule.tables { ", " (tables) " tables each" }
                    @if !line.schedule.listed.is_empty() { ", " (counted(line.schedule.listed.len(), "table", "tables")) " each" }
                    @if let Some(shard) = &line.schedule.shard { ", shard " (shard) }
                }
                dt { "disqualification threshold" } dd {
                    @match line.disqualify_after { Some(share) => { "faults in more than " (share) " of games" }, None => "none" }
                }
                @if let Some(sprt) = &line.sprt { dt { "test" } dd { code { (sprt) } } }
                @if !line.tie_breaks.is_empty() {
                    dt { "ranks" } dd { (tie_break::in_words(&line.tie_breaks)) }
                }
                @if line.keep_files == FileRetention::OfRun {
                    dt { "files" } dd { "classic-dialect bots kept their files between games" }
                }
            }
        }
        h3 { @if header.players.iter().any(PlayerLine::is_person) { "Players" } @else { "Bots" } }
        ul.bots { @for player in &header.players { li {
            (bot_link(reading, &player.name, "bots/")) " "
            @if player.is_person() { "person" } @else { code { (printable(&without_folders(&player.command))) } }
        } } }
        @if let Some(plan) = &reading.plan {
            details { summary { "Plan (without the seed)" } pre { (without_folders(plan)) } }
        }
    }
}

/// A row of facts, for a game whose rules are not compiled in; it says if they are missing.
pub(crate) fn rules_line(kind: &GameKind) -> Markup {
    html! {
        @if let Some(id) = kind.rules_id() {
            dt { "rules" }
            dd {
                (rules_in_words(id))
                @if kind.is_absent() { "; missing: no folder " code { "game" } " beside the log" }
            }
        }
    }
}

/// The carrier of rules, and their digest.
pub fn rules_in_words(id: RulesId) -> Markup {
    html! { "a " (id.carrier) ", digest " code.hash { (id.digest) } }
}

/// The commitment, the seed, the head, and the commands.
pub(super) fn verify(reading: &SourceReport) -> Markup {
    html! {
        p { "The seed commitment was published before the first deal. "
            "The head identifies the complete log: compare it with the published value." }
        dl.facts {
            dt { "commitment" } dd { code.hash { (reading.series.header().commitment) } }
            dt { "seed" } dd { @match &reading.state {
                SourceState::Over { seed: Some(seed) } => code.hash { (seed) },
                SourceState::Over { seed: None } => "shard: not revealed",
                SourceState::Continued => "revealed at the end of the last part",
                SourceState::Left { .. } => "not revealed (unfinished)",
                SourceState::Running | SourceState::Reading | SourceState::Unfinished => "revealed at the end",
            } }
            @for text in &reading.series.header().entropy {
                dt { "entropy" } dd { code { (printable(text)) } }
            }
            dt { "head" } dd { @match reading.head {
                Some(head) => code.hash { (head) },
                None => "per shard until merged",
            } }
        }
        p {
            "These commands recompute everything"
            @if reading.is_over() { " and, with the head, prove that the log is unmodified:" }
            @else { " (the first reports the log as unfinished):" }
        }
        pre.commands { @for command in commands(reading) { span { (command) "\n" } } }
    }
}

fn commands(reading: &SourceReport) -> Vec<String> {
    let path = word(&reading.path);
    let mut commands = vec![match reading.head {
        Some(_) => format!("arbiter verify {path}"),
        None => format!("arbiter tournament merge {path} --verify"),
    }];
    if let Some(head) = reading.head.filter(|_| reading.is_over()) {
        commands.push(format!("arbiter verify --head {head} {path}"));
    }
    commands.push(match reading.plan {
        Some(_) => format!("arbiter tournament standings {path}"),
        None => format!("arbiter show {path} --game 0"),
    });
    commands
}

/// The program of one bot: its command, its files, its limits.
pub(super) fn player_setup(player: &PlayerLine) -> Markup {
    let PlayerLine { command, files, dialect, mode, limits, granted, .. } = player;
    html! {
        dl.facts {
            @if player.is_person() { dt { "player" } dd { "person" } }
            @else { dt { "command" } dd { code { (printable(&without_folders(command))) } } }
            @if *dialect != Dialect::Native { dt { "dialect" } dd { (dialect.name()) } }
            @if !mode.is_usual() { dt { "mode" } dd { (mode.name()) } }
            @for file in files {
                dt { "file" }
                dd { code { (printable(&without_folders(&file.word))) } br; code.hash { (file.sha256) } }
            }
            dt { "limits" } dd { (limits.in_words()) }
            @for path in &granted.read { dt { "granted" } dd { "read access to " code { (printable(&without_folders(path))) } } }
            @for path in &granted.device { dt { "granted" } dd { "device " code { (printable(path)) } } }
            @if granted.network { dt { "granted" } dd { "network" } }
        }
    }
}
