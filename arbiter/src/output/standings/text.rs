//! Standings for a terminal.

use crate::standings::{Standings, View};
use crate::text::columns::aligned;

use super::cells::{Section, WORDS, rows, sections};

/// A table of all games and one without those that were forfeited, if any were; then every two
/// bots, unless there are more than 20.
pub fn text(standings: &Standings) -> String {
    sections(standings).iter().map(written).collect::<Vec<_>>().join("\n")
}

/// The table of the games so far, for looking at while they are played.
pub fn table(view: &View) -> String {
    written(&rows("standings", view))
}

fn written(section: &Section) -> String {
    let notes: String = section.notes.iter().map(|note| format!("{note}\n")).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("{}\n\n{}{gap}{notes}", section.title, aligned(&section.table, WORDS))
}
