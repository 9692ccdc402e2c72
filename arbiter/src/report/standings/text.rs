//! Standings for a terminal.

use crate::report::columns::aligned;
use crate::standings::Standings;

use super::cells::{WORDS, sections};

/// A table of all games and one without those that were forfeited, if any were; then every two
/// bots, unless there are more than 20.
pub fn text(standings: &Standings) -> String {
    let sections = sections(standings).into_iter().map(|section| {
        let notes: String = section.notes.iter().map(|note| format!("{note}\n")).collect();
        let gap = if notes.is_empty() { "" } else { "\n" };
        format!("{}\n\n{}{gap}{notes}", section.title, aligned(&section.table, WORDS))
    });
    sections.collect::<Vec<_>>().join("\n")
}
