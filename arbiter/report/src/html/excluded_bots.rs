//! Bots that are not in the standings, or not for all games: refused submissions, and disqualified bots.

use maud::{Markup, html};
use text::printable;

use crate::html::frame::bot_link;
use crate::html::layout::scrolled;
use crate::reading::SourceReport;
use standings::Row;
use standings::output::forfeits;

/// The title of the section, and its tables; nothing if all bots played all of their games.
pub(super) fn section(reading: &SourceReport) -> Option<(&'static str, Markup)> {
    let disqualified = disqualified(reading);
    let title = match (disqualified.is_empty(), reading.refused.is_empty()) {
        (true, true) => return None,
        (true, false) => "Rejected submissions",
        (false, true) => "Disqualified bots",
        (false, false) => "Disqualified and rejected",
    };
    let body = html! {
        @if !disqualified.is_empty() { (scrolled("Disqualified bots", bots(reading, &disqualified))) }
        @if !reading.refused.is_empty() { (scrolled("Rejected submissions", submissions(reading))) }
    };
    Some((title, body))
}

/// The disqualified bots, the best first, each with the number of the game after which it was out.
pub(super) fn disqualified(reading: &SourceReport) -> Vec<(&Row, u64)> {
    let rows = reading.standings.all.rows.iter();
    rows.filter_map(|row| Some((row, disqualified_after(reading, &row.name)?))).collect()
}

/// The number of the game after which a bot was out of the tournament.
pub(super) fn disqualified_after(reading: &SourceReport, name: &str) -> Option<u64> {
    let place = reading.names().position(|other| other == name)?;
    reading.progress.out_after(place)
}

/// The mark next to the name of a bot that was put out.
pub(super) fn badge(reading: &SourceReport, name: &str) -> Markup {
    html! { @if disqualified_after(reading, name).is_some() { " " span.badge.bad { "disqualified" } } }
}

fn bots(reading: &SourceReport, disqualified: &[(&Row, u64)]) -> Markup {
    let line = reading.series.header().tournament.as_ref();
    let share = line.and_then(|line| line.disqualify_after);
    html! {
        table.out {
            caption {
                "disqualified bots"
                @if let Some(share) = share { ": faults in more than " (share) " of their games" }
                "; their remaining games were skipped"
            }
            thead { tr {
                th.word scope="col" { "bot" } th scope="col" { "disqualified after game" }
                th scope="col" { "games" } th scope="col" { "games with faults" }
                th.word scope="col" { "faults" }
            } }
            tbody { @for (row, game) in disqualified { tr {
                th.word scope="row" { (bot_link(reading, &row.name, "bots/")) }
                td { a href={ "game.html#game=" (game) } { (game) } }
                td { (row.games) }
                td.fault { (row.forfeits.values().sum::<u64>()) }
                td.word.wide { (forfeits(row)) }
            } } }
        }
    }
}

fn submissions(reading: &SourceReport) -> Markup {
    html! {
        table.out {
            caption { "rejected submissions" }
            thead { tr {
                th.word scope="col" { "submission" } th.word scope="col" { "reason" }
            } }
            tbody { @for refused in &reading.refused { tr {
                th.word scope="row" { (printable(&refused.folder)) }
                td.word.wide {
                    (printable(&refused.why))
                    @if let Some(report) = &refused.report {
                        div.quiet { "full report: " code { (printable(report)) } }
                    }
                }
            } } }
        }
    }
}
