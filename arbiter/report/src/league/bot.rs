//! The page of one bot of a league, with all of its versions.

use std::cmp::Ordering;

use league::index::{ForfeitedGame, HeadToHeadGame, IndexError, LeagueIndex, RoundGame};
use league::state::{LeagueMember, Membership};
use maud::{Markup, html};
use review::BotReview;
use standings::{Entrant, HeadToHead, Row};
use text::shell::{without_folders, word};
use text::{counted, printable};

use crate::chart::{self, Curve};
use crate::html::layout::{Page, PageLocation, bot_file, figure, scrolled, section};
use crate::html::standings::BotLinks;
use crate::league::frame::{LeagueBotLinks, NavigationPage, bar, footer, membership};
use crate::league::mistakes;
use crate::league::ranking::{interval_text, signed};
use crate::league::reading::{self, LeagueReport};

/// The most faults of a bot that are listed, over all of its versions.
pub(super) const FAULTS: usize = 50;
/// The most lost games against one other bot that are listed as JSON.
pub(super) const LOST: usize = 30;
/// The games against one other bot that are shown.
const GAMES: usize = 12;
/// The rounds with a link to the page of the bot.
const ROUNDS: usize = 6;

pub(super) fn page(
    reading: &LeagueReport,
    name: &str,
    index: &LeagueIndex,
    at: PageLocation,
) -> Result<Markup, IndexError> {
    let versions: Vec<(Entrant, &LeagueMember)> = reading
        .league
        .members()
        .iter()
        .enumerate()
        .filter(|(_, member)| member.entry.bot.bot == name)
        .map(|(place, member)| (Entrant(place), member))
        .rev()
        .collect();
    let bots = LeagueBotLinks { reading, root: at.root() };
    let curves = curves(&versions, index)?;
    let chart = chart::curves(&curves);
    let body = html! {
        (bar(reading, at, NavigationPage::Other))
        section.top id="top" aria-label="Title" { div.wrap { div.hero {
            div {
                h1 { (name) }
                @if let Some(current) = reading.league.current(name) {
                    p.status { (current.entry.bot) " " (membership(current)) }
                }
            }
            (figures(reading, name))
        } } }
        main.wrap id="main" {
            (reading.announced.lines())
            div.two {
                div.stack {
                    @if let Some(chart) = chart {
                        (section("rating", "Rating history", figure(chart, "Rating after each round played.")))
                    }
                    (section("opponents", "Head-to-head", opponents(reading, &bots, &versions, index)?))
                    @if let Some(review) = reviewed(reading, &versions) {
                        (section("mistakes", "Mistakes", mistakes::table(&reading.league, &review)))
                    }
                    (section("faults", "Faults", faults(reading, &versions, index)?))
                }
                aside.stack {
                    (section("versions", "Versions", table(reading, &versions)))
                    @if let Some(rounds) = last_rounds(reading, name) { (section("rounds", "Last rounds", rounds)) }
                }
            }
        }
        (footer(reading, at))
    };
    let title = format!("{name} in {}", reading.title);
    let (styles, scripts) = (&["report.css"], &[reading::SCRIPT]);
    Ok(Page { title: &title, location: at, styles, scripts, data: &[], body }.render())
}

/// The review of the last version that was reviewed.
fn reviewed(reading: &LeagueReport, versions: &[(Entrant, &LeagueMember)]) -> Option<BotReview> {
    versions.iter().find_map(|(_, it)| reading.mistakes.review_of(&it.entry.bot.to_string()))
}

/// The ratings of each version over the games of the league.
fn curves(
    versions: &[(Entrant, &LeagueMember)],
    index: &LeagueIndex,
) -> Result<Vec<Curve>, IndexError> {
    let mut curves = Vec::new();
    for (entrant, member) in versions {
        let points = index.ratings(*entrant)?.into_iter().map(|it| (it.games, it.rating)).collect();
        curves.push(Curve { name: member.entry.bot.to_string(), points });
    }
    Ok(curves)
}

fn row<'a>(reading: &'a LeagueReport, member: &LeagueMember) -> Option<&'a Row> {
    reading.row(&member.entry.bot.to_string())
}

/// The rank of the bot among those that play, its rating, score and faults.
fn figures(reading: &LeagueReport, name: &str) -> Markup {
    let view = &reading.active().all;
    let current = reading.league.current(name).map(|member| member.entry.bot.to_string());
    let Some(row) = current.and_then(|name| view.rows.iter().find(|row| row.name == name)) else {
        return html! {};
    };
    let ranks = row.rank_interval.filter(|it| it.best < it.worst);
    let ranks = ranks.map(|it| format!(", may be {} to {}", it.best, it.worst));
    let forfeited: u64 = row.forfeits.values().sum();
    html! { dl.numbers {
        div { dt { "rank of " (view.rows.len()) (ranks.unwrap_or_default()) } dd { (row.rank) } }
        @if let Some(rating) = row.rating {
            @let interval = interval_text(row);
            div { dt { "rating" @if interval != "–" { " " (interval) } } dd { (signed(rating.value)) } }
        }
        div { dt { "score" } dd { (share(row)) } }
        div { dt { "forfeited of " (counted(row.games, "game", "games")) } dd.fault[forfeited > 0] { (forfeited) } }
    } }
}

fn share(row: &Row) -> String {
    row.score.map_or("–".to_owned(), |it| format!("{:.1}%", 100.0 * it.value))
}

fn table(reading: &LeagueReport, versions: &[(Entrant, &LeagueMember)]) -> Markup {
    html! {
        ul.feed { @for (_, member) in versions { li {
            b { (member.entry.bot) } span.quiet { (membership(member)) }
            @if let Some(row) = row(reading, member) {
                span.quiet.end {
                    (counted(row.games, "game", "games")) ", " (share(row))
                    @if let Some(rating) = row.rating { ", rating " (signed(rating.value)) }
                }
            }
            code { (printable(&without_folders(&member.entry.command))) }
        } } }
    }
}

/// The last rounds that the bot played in, each with its page there: times, points per seat and games.
fn last_rounds(reading: &LeagueReport, name: &str) -> Option<Markup> {
    let mut played = Vec::new();
    for round in reading.league.rounds().iter().rev() {
        let place = round.line.bots.iter().position(|bot| bot.bot == name);
        let has_games = round.over.as_ref().is_none_or(|over| over.head.is_some());
        if let Some(place) = place.filter(|_| has_games) {
            played.push((round.line.round, place));
        }
        if played.len() == ROUNDS {
            break;
        }
    }
    (!played.is_empty()).then(|| {
        html! {
            @if let Some((round, place)) = played.first() {
                div data-take={ "../rounds/" (round) "/bots/" (bot_file(*place)) } {}
            }
            p.quiet { "Response times, points per seat and games:" }
            ul.feed { @for (round, place) in &played { li {
                a href={ "../rounds/" (round) "/bots/" (bot_file(*place)) } { "Round " (round) }
            } } }
        }
    })
}

/// The results against each opponent of the version that plays, or played last, with the games that it lost.
fn opponents(
    reading: &LeagueReport,
    bots: &LeagueBotLinks<'_>,
    versions: &[(Entrant, &LeagueMember)],
    index: &LeagueIndex,
) -> Result<Markup, IndexError> {
    let mut played = versions.iter().filter(|(_, it)| it.membership != Membership::Replaced);
    let Some((entrant, current)) = played.next() else { return Ok(html! {}) };
    let view = &reading.all.all;
    let name = current.entry.bot.to_string();
    let Some(place) = reading.place(&name) else {
        return Ok(html! { p { "No games against other bots yet." } });
    };
    let met: Vec<HeadToHead> =
        (0..view.rows.len()).filter_map(|other| view.pairing(place, other)).collect();
    let mut rows = Vec::new();
    for pairing in &met {
        let other = reading.entrant(&pairing.opponent);
        let games = match other {
            Some(other) => index.meetings(*entrant, other, GAMES)?,
            None => Vec::new(),
        };
        rows.push((pairing, other, games));
    }
    let table = html! {
        table {
            caption { (name) " against each bot, the last " (GAMES) " games, the latest on the right" }
            thead { tr {
                th.word scope="col" { "bot" } th.word scope="col" { "games" }
                th.spare scope="col" { "won–drawn–lost" } th scope="col" { "score" }
            } }
            tbody { @for (pairing, other, games) in &rows { tr id=[other.map(|other| format!("against-{}", other.0 + 1))] {
                th.word scope="row" { (bots.name(&pairing.opponent)) }
                td.word { (strip(games)) }
                td.spare { (pairing.won) "–" (pairing.drawn) "–" (pairing.lost) }
                td { @match pairing.score {
                    Some(score) => (format!("{:.1}%", 100.0 * score.value)),
                    None => "–",
                } }
            } } }
        }
    };
    Ok(html! {
        @if rows.is_empty() { p { (name) ": no games against other bots yet." } }
        @else {
            p.quiet.key aria-hidden="true" {
                span { i.w {} "won" } span { i {} "drawn" } span { i.l {} "lost" } span { i.f {} "forfeited" }
            }
            (scrolled("Head-to-head", table))
        }
    })
}

/// The games of two bots as marks, each of which leads to its game; the latest stands last.
fn strip(games: &[HeadToHeadGame]) -> Markup {
    html! { span.strip { @for it in games.iter().rev() {
        @let [own, other] = it.places;
        @let (class, word) = match own.cmp(&other) {
            _ if it.is_forfeited => ("f", "forfeited"),
            Ordering::Less => ("w", "won"),
            Ordering::Equal => ("d", "drawn"),
            Ordering::Greater => ("l", "lost"),
        };
        a class=(class) href=(address(&it.game, "")) {
            span.hidden { (it.game.round) "/" (it.game.game) " " (word) }
        }
    } } }
}

fn address(game: &RoundGame, step: &str) -> String {
    format!("../rounds/{}/game.html#game={}{step}", game.round, game.game)
}

fn faults(
    reading: &LeagueReport,
    versions: &[(Entrant, &LeagueMember)],
    index: &LeagueIndex,
) -> Result<Markup, IndexError> {
    let mut all: Vec<(&LeagueMember, ForfeitedGame)> = Vec::new();
    for (entrant, member) in versions {
        let most = FAULTS.saturating_sub(all.len());
        all.extend(index.faults(*entrant, None, most)?.into_iter().map(|fault| (*member, fault)));
    }
    let path = word(reading.title.as_ref());
    let table = html! {
        table {
            caption { "forfeited games, latest first, at most " (FAULTS) "; each links to the answer" }
            thead { tr {
                th.word scope="col" { "version" } th.word scope="col" { "round and game" }
                th scope="col" { "seat" } th.word scope="col" { "verdict" }
                th.word scope="col" { "reproduce with" }
            } }
            tbody { @for (member, fault) in &all { tr {
                th.word scope="row" { (member.entry.bot) }
                td.word { a href=(address(&fault.game, "&step=fault")) { (fault.game.round) "/" (fault.game.game) } }
                td { (fault.seat) } td.word { (fault.fault) @if fault.is_suspect { ", suspect" } }
                td.word.wide { code { "arbiter rerun " (path) "/rounds/" (fault.game.round) " --game " (fault.game.game) " --seat " (fault.seat) } }
            } } }
        }
    };
    Ok(match all.is_empty() {
        true => html! { p { "No faults in finished rounds." } },
        false => scrolled("Faults", table),
    })
}
