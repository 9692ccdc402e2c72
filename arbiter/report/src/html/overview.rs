//! The first page of a source, with the figures of all bots side by side, and the page above several sources.

use maud::{Markup, html};

use super::standings::bar_with_point;
use crate::chart::milliseconds;
use crate::figures::{BotFigures, MachineSlowdown, QUANTILES};
use crate::html::layout::{Page, PageLocation, bar, bot_link, footer, scrolled, section, title};
use crate::html::{bot, games, standings};
use crate::reading::{SourceReport, SourceState};
use contest::tournament::folder::shown;
use league::replay_request::MarkedGames;
use text::{counted, printable};

/// Most marks that the first page lists.
const MARKS: usize = 100;

pub(crate) fn page(reading: &SourceReport, location: PageLocation) -> Markup {
    let header = reading.series.header();
    let (out_title, out) = standings::excluded_section(reading).unzip();
    let sections = [
        ("corrections", "Corrections", corrections(reading)),
        ("standings", "Standings", Some(standings::section(reading, reading.standings.get()))),
        ("crosstable", "Crosstable", standings::crosstable(reading, &reading.standings.get().all)),
        ("seats", "Points per seat", Some(seats(reading))),
        ("out", out_title.unwrap_or_default(), out),
        ("faults", "Faults", Some(faults(reading))),
        ("times", "Times", Some(times(reading))),
        ("machines", "Machines", machines(reading)),
        ("games", "Games", Some(games::list(reading, None))),
        ("setup", "Setup", Some(bot::setup(reading))),
        ("verify", "Verify", Some(bot::verify(reading))),
    ];
    let sections: Vec<_> =
        sections.into_iter().filter_map(|(id, title, body)| Some((id, title, body?))).collect();
    let body = html! {
        (bar(reading, location, &title(reading)))
        section.top id="top" aria-label="Title" {
            div.wrap {
                p.kicker { (header.game) " · " (header.options) }
                h1 { (title(reading)) }
                (status(reading))
                (numbers(reading))
                nav aria-label="Sections" {
                    @for (id, title, _) in &sections { a href={ "#" (id) } { (title) } }
                }
            }
        }
        main.wrap id="main" {
            @for (id, title, body) in sections { (section(id, title, body)) }
        }
        (footer(reading))
    };
    let title = title(reading);
    Page {
        title: &title,
        location,
        styles: &["report.css"],
        scripts: &games::SCRIPTS,
        data: &["data/index.js"],
        body,
    }
    .render()
}

/// What corrections of the league say of this round.
fn corrections(reading: &SourceReport) -> Option<Markup> {
    let marks = &reading.marks;
    (!marks.is_empty()).then(|| {
        html! {
            p { "The tables and figures on this page show the round as played. The standings of the league exclude void "
                "games." }
            @if !marks.corrections.is_empty() {
                ul { @for correction in &marks.corrections { li { (correction) } } }
            }
            ul { @for MarkedGames(first, last, mark) in marks.games.iter().take(MARKS) {
                li { @if first == last { "game " (first) } @else { "games " (first) " to " (last) } ": " (mark) }
            } }
            @if marks.games.len() > MARKS { p.quiet { "The list of games marks the others." } }
        }
    })
}

pub(super) fn state(reading: &SourceReport) -> Markup {
    let (played, games) = (reading.progress.played(), reading.series.header().games);
    let so_far = format!("{played} of {} so far", counted(games, "game", "games"));
    html! {
        @match &reading.state {
            SourceState::Over { .. } => span.badge.good { "finished" },
            SourceState::Continued => { span.badge.good { "extended" } " " (so_far) },
            SourceState::Reading => { span.badge.warn { "loading" } " " (so_far) },
            SourceState::Running => { span.badge.warn { "running" } " " (so_far) },
            SourceState::Left { who } => {
                span.badge.warn { "left" } " " (who) " quit the last game, which was not replayed; "
                (so_far)
            },
            SourceState::Unfinished if reading.progress.is_void() => {
                span.badge.bad { "stopped" } " " (so_far) "; the next game was abandoned after repeated void attempts"
            },
            SourceState::Unfinished => { span.badge.warn { "unfinished" } " " (so_far) },
        }
    }
}

/// The state of the source, and the claims that follow from it.
fn status(reading: &SourceReport) -> Markup {
    html! {
        p.status {
            (state(reading))
            @if matches!(reading.state, SourceState::Over { .. }) {
                " verified: every move and result follows from the inputs"
                @if matches!(reading.state, SourceState::Over { seed: Some(_) }) { ", and every card from the seed" }
            }
        }
    }
}

fn numbers(reading: &SourceReport) -> Markup {
    let view = &reading.standings.get().all;
    let totals = &reading.totals;
    let suspect = totals.suspect().len() as u64;
    let people = reading.series.header().players.iter().filter(|it| it.is_person()).count() as u64;
    let bots = (view.rows.len() as u64).saturating_sub(people);
    let (disqualified, refused) =
        (standings::disqualified(reading).len() as u64, reading.refused.len() as u64);
    let answers: u64 = reading.figures.bots.iter().map(|bot| bot.answers()).sum();
    let numbers = [
        (Some(people).filter(|it| *it > 0), "human player"),
        (Some(bots), "bot"),
        (Some(reading.progress.played()), "game"),
        (Some(view.deals), "deal"),
        (Some(answers), "answer"),
        (Some(view.forfeited).filter(|it| *it > 0), "forfeited game"),
        (Some(reading.progress.skipped()).filter(|it| *it > 0), "skipped game"),
        (Some(totals.given_up()).filter(|it| *it > 0), "abandoned game"),
        (Some(totals.played_again()).filter(|it| *it > 0), "void or replayed game"),
        (Some(suspect).filter(|it| *it > 0), "suspect game"),
        (Some(disqualified).filter(|it| *it > 0), "disqualified bot"),
        (Some(refused).filter(|it| *it > 0), "rejected submission"),
    ];
    html! {
        dl.numbers {
            @for (number, what) in numbers {
                @if let Some(number) = number {
                    div { dt { (what) @if number != 1 { "s" } } dd { (number) } }
                }
            }
        }
    }
}

/// The page that leads to the reports of several sources; the report of the first source lies in `logs/1`.
pub(crate) fn several(readings: &[SourceReport]) -> Markup {
    let body = html! {
        section.top id="top" aria-label="Title" { div.wrap { h1 { "Report on " (readings.len()) " sources" } } }
        main.wrap id="main" {
            ol.sources {
                @for (place, reading) in readings.iter().enumerate() { li { (source(place + 1, reading)) } }
            }
        }
    };
    let title = format!("{} sources", readings.len());
    Page {
        title: &title,
        location: PageLocation::TOP,
        styles: &["report.css"],
        scripts: &[],
        data: &[],
        body,
    }
    .render()
}

/// One source. No table: names and paths are as long as they like, and fit into no column.
fn source(number: usize, reading: &SourceReport) -> Markup {
    let view = &reading.standings.get().all;
    let id = format!("source-{number}");
    html! {
        section aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { a href={ "logs/" (number) "/index.html" } { (title(reading)) } }
            p.quiet { code { (shown(&reading.path)) } }
            p.status { (state(reading)) }
            p { (reading.series.header().game) " · " (reading.series.header().options) }
            dl.numbers.inside {
                @let played = reading.progress.played();
                div { dt { "game" @if played != 1 { "s" } } dd { (played) } }
                div { dt { (reading.called()) "s" } dd { (view.rows.len()) } }
                @if let Some(row) = view.rows.first().filter(|_| view.games > 0) {
                    div { dt { "highest rating" } dd { (row.name) } }
                    @if let Some(score) = row.score {
                        div { dt { "its score" } dd { (format!("{:.1}%", 100.0 * score.value)) } }
                    }
                }
            }
        }
    }
}

/// The most seats that a table has columns for.
const MOST_SEATS: usize = 12;
/// The most bots that a table has columns for.
const MOST_BOTS: usize = 12;

/// The bots in the order of the standings, each with its place in the log.
fn ranked(reading: &SourceReport) -> Vec<(&str, &BotFigures)> {
    let rows = reading.standings.get().all.rows.iter();
    rows.filter_map(|row| {
        let place = reading.names().position(|name| name == row.name)?;
        Some((row.name.as_str(), reading.figures.bots.get(place)?))
    })
    .collect()
}

/// The number of faults of each bot, by kind.
pub(super) fn faults(reading: &SourceReport) -> Markup {
    let kinds = reading.figures.kinds();
    if kinds.is_empty() {
        return html! { p { "No " (reading.called()) " had faults." } };
    }
    let table = html! {
        table {
            caption { "faults per bot, retries included" }
            thead { tr {
                th.word scope="col" { (reading.called()) } th scope="col" { "answers" }
                @for kind in &kinds { th scope="col" { (kind) } }
                th scope="col" { "share" }
            } }
            tbody { @for (name, bot) in ranked(reading) {
                @let faults: u64 = kinds.iter().map(|kind| bot.count(*kind)).sum();
                tr {
                    th.word scope="row" { (bot_link(reading, name, "bots/")) }
                    td { (bot.answers()) }
                    @for kind in &kinds {
                        @let count = bot.count(*kind);
                        td.fault[count > 0].none[count == 0] { (count) }
                    }
                    @let share = faults as f64 / bot.answers().max(1) as f64;
                    td { (format!("{:.2}%", 100.0 * share)) }
                }
            } }
        }
    };
    scrolled("Faults by kind", table)
}

/// The mean points of each bot at each seat.
pub(super) fn seats(reading: &SourceReport) -> Markup {
    let all = reading.figures.by_seat();
    let most = reading.figures.bots.iter().flat_map(|bot| &bot.seats);
    let most = most.filter_map(|at| at.mean()).fold(0.0_f64, f64::max);
    let shown = all.len().min(MOST_SEATS);
    let cells = |seats: &[crate::figures::SeatTotals]| {
        html! { @for at in &seats[..shown] { td.bar style=(share(at.mean(), most)) {
            @match at.mean() { Some(mean) => (format!("{mean:.2}")), None => "–" }
        } } }
    };
    let table = html! {
        table.at-seats {
            caption { "points per game and seat" }
            thead { tr {
                th.word scope="col" { (reading.called()) }
                @for seat in 0..shown { th scope="col" { "seat " (seat) } }
            } }
            tbody {
                @for (name, bot) in ranked(reading) {
                    tr { th.word scope="row" { (bot_link(reading, name, "bots/")) } (cells(&bot.seats)) }
                }
                tr.sum { th.word scope="row" { "all " (reading.called()) "s" } (cells(&all)) }
            }
        }
    };
    html! {
        (scrolled("Points per seat", table))
        @if shown < all.len() { p.notes { "Showing the first " (shown) " of " (all.len()) " seats." } }
    }
}

fn share(mean: Option<f64>, most: f64) -> String {
    let share = mean.filter(|_| most > 0.0).map_or(0.0, |mean| (mean / most).clamp(0.0, 1.0));
    format!("--bar:{share:.3}")
}

pub(super) fn times(reading: &SourceReport) -> Markup {
    let bots = ranked(reading);
    let quantile = |share| bots.iter().filter_map(move |(_, bot)| bot.quantile(share));
    let low = quantile(0.5).fold(f64::MAX, f64::min).max(0.001).ln() - 0.3;
    let high = quantile(0.99).fold(0.001, f64::max).ln();
    let place = |time: f64| ((time.max(0.001).ln() - low) / (high - low)).clamp(0.0, 1.0);
    let table = html! {
        table.times {
            caption { "response time, including program start" }
            thead { tr {
                th.word scope="col" { (reading.called()) } th.spare scope="col" { "answers" }
                @for (name, _) in QUANTILES { th scope="col" { (name) } }
                th.plot scope="col" { span.hidden { "chart: median to 99%" } }
            } }
            tbody { @for (name, bot) in &bots { tr {
                th.word scope="row" { (bot_link(reading, name, "bots/")) }
                td.spare { (bot.answers()) }
                @for (_, share) in QUANTILES {
                    td { (bot.quantile(share).map_or("–".to_owned(), milliseconds)) }
                }
                td.plot aria-hidden="true" {
                    @if let Some((median, late)) = bot.quantile(0.5).zip(bot.quantile(0.99)) {
                        (bar_with_point("interval plain", place(median), place(median), place(late)))
                    }
                }
            } } }
        }
    };
    html! {
        (scrolled("Times", table))
        p.notes {
            span.spare { "Bars: median to 99th percentile, logarithmic scale. " }
            "Quantiles are accurate to 1%. Bot pages show the full distribution."
        }
    }
}

/// The times of bots by machine; none where no machine is named.
pub(super) fn machines(reading: &SourceReport) -> Option<Markup> {
    let machines = &reading.machines;
    if machines.is_empty() {
        return None;
    }
    let names: Vec<&str> = reading.names().collect();
    let shown = &names[..names.len().min(MOST_BOTS)];
    let name = |bot: usize| names.get(bot).copied().unwrap_or_default();
    let table = html! {
        table {
            caption { "mean response time in ms, per machine" }
            thead { tr {
                th.word scope="col" { "machine" } th.word scope="col" { "processor" }
                th scope="col" { "games" }
                @for name in shown { th scope="col" { (name) } }
            } }
            tbody { @for (machine, on) in machines.all() { tr {
                th.word scope="row" { (printable(&machine.name)) }
                td.word { (printable(machine.processor.as_deref().unwrap_or("unknown"))) }
                td { (on.games) }
                @for bot in 0..shown.len() {
                    td { @match on.mean(bot) { Some(ms) => (format!("{ms:.1}")), None => "–" } }
                }
            } } }
        }
    };
    Some(html! {
        @for MachineSlowdown { bot, on, than_on } in machines.slower(names.len()) {
            p { span.badge.warn { "slow" } " "
                (format!(
                    "{} averaged {:.1} ms on {} but {:.1} ms on {}: its time limit was tighter on the slower machine",
                    name(bot), on.1, printable(&on.0), than_on.1, printable(&than_on.0)
                ))
            }
        }
        (scrolled("Times per machine", table))
        @if names.len() > MOST_BOTS { p { "Showing the first " (MOST_BOTS) " bots." } }
    })
}
