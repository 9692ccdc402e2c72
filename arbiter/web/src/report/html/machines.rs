//! The times of bots by machine, where several have played.

use maud::{Markup, html};
use text::printable;

use crate::report::html::layout::scrolled;
use crate::report::machines::Slower;
use crate::report::reading::Reading;

/// How many bots a table has columns for.
const MOST_BOTS: usize = 12;

/// The times of bots by machine; none where no machine is named.
pub(super) fn machines(reading: &Reading) -> Option<Markup> {
    let machines = &reading.machines;
    if machines.is_empty() {
        return None;
    }
    let names: Vec<&str> = reading.names().collect();
    let shown = &names[..names.len().min(MOST_BOTS)];
    let name = |bot: usize| names.get(bot).copied().unwrap_or_default();
    let table = html! {
        table {
            caption { "mean time of an answer in milliseconds, by machine" }
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
                    td { @match on.mean(bot) { Some(ms) => (format!("{ms:.1}")), None => "-" } }
                }
            } } }
        }
    };
    Some(html! {
        @for Slower { bot, on, than_on } in machines.slower(names.len()) {
            p { span.badge.warn { "slow" } " "
                (format!(
                    "{} took {:.1} ms an answer on {} but {:.1} ms on {}, so its time limit was \
                     not equally strict",
                    name(bot), on.1, printable(&on.0), than_on.1, printable(&than_on.0)
                ))
            }
        }
        (scrolled("Times by machine", table))
        @if names.len() > MOST_BOTS { p { "The first " (MOST_BOTS) " bots are shown." } }
    })
}
