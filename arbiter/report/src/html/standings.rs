//! Standings and the crosstable, and the bots that are not in them, or not for all games: rejected submissions, and
//! disqualified bots.

use crate::figures::{cell, with_minus};
use maud::{Markup, html};
use standings::output::{Column, forfeits, notes, probability, title};
use standings::{Estimate, Row, Standings, StandingsView};
use text::{counted, printable};

use crate::chart;
use crate::html::games;
use crate::html::layout::{bot_link, figure, scrolled};
use crate::reading::SourceReport;

/// The most bots for which every pair is shown.
pub(crate) const MOST_IN_CROSSTABLE: usize = 60;

/// Bots in standings, with links to their pages and games.
pub(crate) trait BotLinks {
    fn called(&self) -> &'static str;

    /// A name with a link to the page of the bot, and with its marks.
    fn name(&self, name: &str) -> Markup;

    /// The address of the games of two of them, from the page with their standings.
    fn games(&self, name: &str, other: &str) -> Option<String>;
}

impl BotLinks for SourceReport {
    fn called(&self) -> &'static str {
        SourceReport::called(self)
    }

    fn name(&self, name: &str) -> Markup {
        html! { (bot_link(self, name, "bots/")) (badge(self, name)) }
    }

    /// None where one of them plays only in an earlier part of the tournament.
    fn games(&self, name: &str, other: &str) -> Option<String> {
        let place = |name: &str| self.names().position(|it| it == name);
        Some(games::address_of_games(place(name)?, place(other)?))
    }
}

/// The standings, with and without forfeits.
pub(crate) fn section(bots: &dyn BotLinks, standings: &Standings) -> Markup {
    let chart = chart::ratings(&standings.all).filter(|_| standings.all.rows.len() <= 100);
    html! {
        (table(bots, "standings", &standings.all))
        @if let Some(chart) = chart {
            (figure(chart, "Ratings with 95% confidence intervals."))
        }
        @if standings.all.forfeited > 0 {
            details {
                summary { "Excluding " (counted(standings.all.forfeited, "forfeited game", "forfeited games")) }
                (table(bots, "standings excluding forfeited games", &standings.without_forfeits))
            }
        }
    }
}

fn table(bots: &dyn BotLinks, name: &str, view: &StandingsView) -> Markup {
    let title = title(name, view);
    let table = html! {
        table.standings {
            caption { (title) }
            thead { tr { @for column in Column::for_view(view) {
                th scope="col" class=(class(column)) {
                    (if column == Column::Bot { bots.called() } else { column.heading() })
                }
                @if column == Column::Score { th.plot scope="col" { span.hidden { "score (chart)" } } }
            } } }
            tbody { @for row in &view.rows { tr {
                @for column in Column::for_view(view) { @match column {
                    Column::Bot => th.word scope="row" {
                        (bots.name(&row.name))
                        @if let Some(help) = row.help { (help.mark()) }
                    },
                    Column::Score => {
                        td { (cell(column.cell(row, view))) }
                        td.plot aria-hidden="true" { (interval(row.score)) }
                    },
                    // Where there is little room, the chart alone has the intervals.
                    Column::Rating => {
                        @let rating = column.cell(row, view);
                        @let (value, interval) = rating.split_at(rating.find(" (").unwrap_or(rating.len()));
                        td { (cell(value)) span.spare { (cell(interval)) } }
                    },
                    _ => td class=(class(column)) { (cell(column.cell(row, view))) },
                } }
            } } }
        }
    };
    html! {
        (scrolled(&title, table))
        ul.notes {
            @for note in notes(view) { li { (with_minus(note)) } }
        }
    }
}

/// The class of a column's cells: the style leaves some out where there is little room.
fn class(column: Column) -> &'static str {
    match column {
        Column::Bot => "word",
        Column::Forfeits => "word spare",
        Column::Rank | Column::Score | Column::Rating => "",
        Column::Games
        | Column::Won
        | Column::Drawn
        | Column::Lost
        | Column::Places
        | Column::MeanPlace
        | Column::Ranks
        | Column::TieBreak
        | Column::PointsAGame
        | Column::Margin => "spare",
    }
}

/// A score and its interval on a line from 0 to 1.
///
/// It is drawn by hand: two boxes in a cell that grow with the table, which no chart does.
fn interval(score: Option<Estimate>) -> Markup {
    let Some(Estimate { value, interval }) = score else { return html! {} };
    let (low, high) = interval.map_or((Some(value), Some(value)), |it| (it.low, it.high));
    let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(1.0));
    bar_with_point("interval", low, value, high)
}

/// A point on a bar, all of it between 0 and 1.
pub(super) fn bar_with_point(class: &str, low: f64, at: f64, high: f64) -> Markup {
    let style = format!("--low:{low:.4};--high:{high:.4};--at:{at:.4}");
    html! { span class=(class) style=(style) { span.span {} span.point {} } }
}

/// Every bot against every other; nothing if there are too many, or none have met.
pub(crate) fn crosstable(bots: &dyn BotLinks, view: &StandingsView) -> Option<Markup> {
    if view.games == 0 || view.rows.len() > MOST_IN_CROSSTABLE || view.rows.len() < 2 {
        return None;
    }
    let score = |row, column| {
        let score = view.pairing(row, column)?.score?.value;
        Some((score, format!("{:.1}", 100.0 * score).trim_end_matches(".0").to_owned()))
    };
    let better = |row, column| {
        let better = view.better(row, column)?;
        Some((better, probability(better)))
    };
    Some(html! {
        (square("head-to-head scores in %, row against column", bots, view, score))
        p.notes { "Cells link to the games of the pair." }
        details {
            summary { "Probability of being stronger" }
            (square("probability in % that row is stronger than column", bots, view, better))
        }
    })
}

/// A table with a row and a column for each bot, coloured by shares; a cell leads to the games of
/// the two.
fn square(
    title: &str,
    bots: &dyn BotLinks,
    view: &StandingsView,
    cell: impl Fn(usize, usize) -> Option<(f64, String)>,
) -> Markup {
    let table = html! {
        table.cross {
            caption { (title) }
            thead { tr {
                th scope="col" { span aria-hidden="true" { "#" } span.hidden { "rank" } }
                th.word scope="col" { (bots.called()) }
                @for row in &view.rows {
                    th scope="col" title=(row.name) { (row.rank) span.hidden { " " (row.name) } }
                }
            } }
            tbody { @for (place, row) in view.rows.iter().enumerate() { tr {
                td { (row.rank) } th.word scope="row" { (row.name) }
                @for column in 0..view.rows.len() {
                    @match cell(place, column) {
                        Some((share, text)) => {
                            td class={ "cell " (side(share)) } style=(strength(share)) {
                                @match bots.games(&row.name, &view.rows[column].name) {
                                    Some(address) => a href=(address)
                                        title={ (row.name) " against " (view.rows[column].name) } { (text) },
                                    None => (text),
                                }
                            }
                        },
                        None => td.none { span aria-hidden="true" { "·" } span.hidden { "none" } },
                    }
                }
            } } }
        }
    };
    scrolled(title, table)
}

fn side(share: f64) -> &'static str {
    if share >= 0.5 { "win" } else { "lose" }
}

/// The distance of a share from even.
fn strength(share: f64) -> String {
    format!("--s:{:.3}", (share - 0.5).abs() * 2.0)
}

/// The title of the section, and its tables; nothing if all bots played all of their games.
pub(super) fn excluded_section(reading: &SourceReport) -> Option<(&'static str, Markup)> {
    let disqualified = disqualified(reading);
    let title = match (disqualified.is_empty(), reading.refused.is_empty()) {
        (true, true) => return None,
        (true, false) => "Rejected submissions",
        (false, true) => "Disqualified bots",
        (false, false) => "Disqualified and rejected",
    };
    let body = html! {
        @if !disqualified.is_empty() { (scrolled("Disqualified bots", disqualified_table(reading, &disqualified))) }
        @if !reading.refused.is_empty() { (scrolled("Rejected submissions", rejected_table(reading))) }
    };
    Some((title, body))
}

/// The disqualified bots, the best first, each with the number of the game after which it was out.
pub(super) fn disqualified(reading: &SourceReport) -> Vec<(&Row, u64)> {
    let rows = reading.standings.get().all.rows.iter();
    rows.filter_map(|row| Some((row, disqualified_after(reading, &row.name)?))).collect()
}

/// The number of the game after which a bot was out of the tournament.
fn disqualified_after(reading: &SourceReport, name: &str) -> Option<u64> {
    let place = reading.names().position(|other| other == name)?;
    reading.progress.out_after(place)
}

/// The mark next to the name of a bot that was put out.
fn badge(reading: &SourceReport, name: &str) -> Markup {
    html! { @if disqualified_after(reading, name).is_some() { " " span.badge.bad { "disqualified" } } }
}

fn disqualified_table(reading: &SourceReport, disqualified: &[(&Row, u64)]) -> Markup {
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

fn rejected_table(reading: &SourceReport) -> Markup {
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
