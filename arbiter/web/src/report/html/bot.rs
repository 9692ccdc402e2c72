//! The page of one bot.

use maud::{Markup, html};
use text::printable;

use crate::report::chart;
use crate::report::figures::{BotFigures, FaultAt};
use crate::report::html::figures::QUANTILES;
use crate::report::html::games::{self, Of};
use crate::report::html::layout::{Location, Page, count, figure, scrolled, section};
use crate::report::html::overview::{footer, title};
use crate::report::html::proof;
use crate::report::reading::Reading;
use standings::told::Column;

/// The file of the bot at this place in the log: not every name can be the name of a file.
pub(in crate::report) fn file(place: usize) -> String {
    format!("{}.html", place + 1)
}

/// A bot's name, which leads to its page.
pub(super) fn link(reading: &Reading, name: &str, folder: &str) -> Markup {
    match reading.names().position(|other| other == name) {
        Some(place) => html! { a href={ (folder) (file(place)) } { (name) } },
        None => html! { (name) },
    }
}

pub(in crate::report) fn page(reading: &Reading, place: usize, location: Location) -> Markup {
    let player = &reading.series.header().players[place];
    let figures = &reading.figures.bots[place];
    let title = format!("{} in {}", player.name, title(reading));
    let body = html! {
        header.top.slim { div.wrap {
            p.crumbs { a href="../index.html" { "← Report" } }
            h1 { (player.name) }
            @if let Some(game) = reading.progress.out_after(place) {
                p.status {
                    span.badge.bad { "disqualified" } " after "
                    a href={ "../game.html#game=" (game) } { "game " (game) }
                    " for too many faults; the rest of its games were skipped"
                }
            }
            (summary(reading, &player.name))
        } }
        main.wrap id="main" {
            (section("opponents", &format!("Against each other {}", reading.called()), opponents(reading, &player.name)))
            (section("times", "Times", times(figures)))
            (section("seats", "Points by seat", seats(figures)))
            (section("faults", "Faults", faults(figures)))
            (section("games", "Games", games::list(reading, Of::Bot(place))))
            (section("setup", "Setup", proof::player(player)))
        }
        (footer(reading))
    };
    Page {
        title: &title,
        location,
        styles: &[],
        scripts: &games::SCRIPTS,
        data: &["../data/index.js"],
        body,
    }
    .render()
}

/// Its row of the standings, as numbers.
fn summary(reading: &Reading, name: &str) -> Markup {
    let view = &reading.standings.all;
    html! {
        @if let Some(row) = view.rows.iter().find(|row| row.name == name) {
            dl.numbers { @for column in Column::ALL {
                @let cell = column.cell(row, view);
                @if column != Column::Bot && cell != "-" {
                    div { dt { (column.heading()) } dd { (games_with(Against::Any, column, &cell)) } }
                }
            } }
        }
    }
}

/// The opponents in the games that are counted.
#[derive(Debug, Clone, Copy)]
enum Against {
    /// All other bots.
    Any,
    /// The bot at this place in the log.
    Bot(usize),
    /// A bot that plays only in an earlier part of the tournament.
    Earlier,
}

/// A number of the standings; a number of games is a link to these games in the list below.
fn games_with(against: Against, column: Column, number: &str) -> Markup {
    let result = match column {
        _ if number == "0" => None,
        Column::Games => Some(String::new()),
        Column::Won | Column::Drawn | Column::Lost => Some(format!("&result={}", column.heading())),
        _ => None,
    };
    let against = match against {
        Against::Any => Some(String::new()),
        Against::Bot(place) => Some(format!("&against={place}")),
        Against::Earlier => None,
    };
    html! { @match against.zip(result) {
        Some((against, result)) => a href={ "#games" (against) (result) } { (number) },
        None => (number),
    } }
}

fn opponents(reading: &Reading, name: &str) -> Markup {
    let view = &reading.standings.all;
    let row = view.rows.iter().position(|row| row.name == name).unwrap_or(0);
    let pairings: Vec<_> =
        (0..view.rows.len()).filter_map(|other| view.pairing(row, other)).collect();
    if pairings.is_empty() {
        return html! { p { "It has not played against another bot yet." } };
    }
    let table = html! {
        table {
            caption { "from the view of " (name) }
            thead { tr {
                th.word scope="col" { "opponent" }
                @for title in ["games", "better", "equal", "worse", "score", "points", "of the other"] {
                    th scope="col" { (title) }
                }
            } }
            tbody { @for pairing in &pairings { tr {
                th.word scope="row" { (link(reading, &pairing.opponent, "")) }
                @let place = reading.names().position(|name| name == pairing.opponent);
                @let against = place.map_or(Against::Earlier, Against::Bot);
                td { (games_with(against, Column::Games, &pairing.games.to_string())) }
                td { (games_with(against, Column::Won, &pairing.won.to_string())) }
                td { (games_with(against, Column::Drawn, &pairing.drawn.to_string())) }
                td { (games_with(against, Column::Lost, &pairing.lost.to_string())) }
                td { @match pairing.score {
                    Some(score) => (format!("{:.1}%", 100.0 * score.value)),
                    None => "-",
                } }
                td { (format!("{:.1}", pairing.points_for)) }
                td { (format!("{:.1}", pairing.points_against)) }
            } } }
        }
    };
    scrolled("Against each other bot", table)
}

fn times(figures: &BotFigures) -> Markup {
    let Some(chart) = chart::times(figures) else {
        return html! { p { "It has answered no requests." } };
    };
    html! {
        dl.numbers.inside { @for (name, share) in QUANTILES {
            @let time = figures.quantile(share).map_or("-".to_owned(), chart::milliseconds);
            div { dt { (name) } dd { (time) } }
        } }
        (figure(chart, "How many answers took how long, on a logarithmic scale."))
    }
}

fn seats(figures: &BotFigures) -> Markup {
    let played = figures.seats.iter().enumerate().filter(|(_, at)| at.games > 0);
    let table = html! {
        table.short {
            caption { "points by seat" }
            thead { tr {
                @for title in ["seat", "games", "points", "points a game"] { th scope="col" { (title) } }
            } }
            tbody { @for (seat, at) in played { tr {
                th scope="row" { (seat) } td { (at.games) } td { (at.points) }
                td { (at.mean().map_or("-".to_owned(), |mean| format!("{mean:.2}"))) }
            } } }
        }
    };
    scrolled("Points by seat", table)
}

fn faults(figures: &BotFigures) -> Markup {
    let all: u64 = figures.answers() - figures.count(rules::Verdict::Ok);
    if all == 0 {
        return html! { p { "None in " (count(figures.answers(), "answer")) "." } };
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
fn place_of(fault: &FaultAt) -> String {
    let FaultAt { game, attempt, step, .. } = fault;
    let step = step.map_or_else(String::new, |step| format!("&step={step}"));
    format!("../game.html#game={game}&attempt={attempt}{step}")
}
