//! Faults by kind, points by seat, and times, also by machine, for all bots side by side.

use maud::{Markup, html};
use text::printable;

use crate::chart::milliseconds;
use crate::figures::{BotFigures, MachineSlowdown, QUANTILES};
use crate::html::layout::{bot_link, scrolled};
use crate::html::standings::bar_with_point;
use crate::reading::SourceReport;

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
        html! { @for at in &seats[..shown] { td.bar style=(bar(at.mean(), most)) {
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

fn bar(mean: Option<f64>, most: f64) -> String {
    let share = mean.filter(|_| most > 0.0).map_or(0.0, |mean| (mean / most).clamp(0.0, 1.0));
    format!("--bar:{share:.3}")
}

/// The times of each bot's answers.
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
                th.word scope="col" { (reading.called()) } th scope="col" { "answers" }
                @for (name, _) in QUANTILES { th scope="col" { (name) } }
                th.plot scope="col" { span.hidden { "chart: median to 99%" } }
            } }
            tbody { @for (name, bot) in &bots { tr {
                th.word scope="row" { (bot_link(reading, name, "bots/")) }
                td { (bot.answers()) }
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
            "Bars: median to 99th percentile, logarithmic scale; quantiles are accurate to 1%. \
             Bot pages show the full distribution."
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
