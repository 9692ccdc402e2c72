//! What all pages of one source have in common: the title, the footer, and links to the pages of bots.

use maud::{Markup, html};

use crate::reading::SourceReport;
use contest::tournament::folder::shown;

/// The title of a source: the last part of its path, or the number of the round.
pub(crate) fn title(reading: &SourceReport) -> String {
    let line = reading.series.header().tournament.as_ref();
    if let Some(league) = line.and_then(|line| line.league.as_ref()) {
        return format!("Round {}", league.round);
    }
    let name = reading.path.file_name().map(|name| shown(name.as_ref()));
    name.unwrap_or_else(|| shown(&reading.path))
}

/// The footer of every page.
pub(super) fn footer(reading: &SourceReport) -> Markup {
    html! {
        footer { div.wrap {
            p { "Made by " b { "arbiter " (env!("CARGO_PKG_VERSION")) } " from a log of version "
                (reading.series.header().version) "."
                @if let Some(head) = reading.head { " Head " code { (head) } } }
        } }
    }
}

/// The file of the bot at this place in the log: not every name can be the name of a file.
pub(crate) fn bot_file(place: usize) -> String {
    format!("{}.html", place + 1)
}

/// A bot's name, which leads to its page.
pub(super) fn bot_link(reading: &SourceReport, name: &str, folder: &str) -> Markup {
    match reading.names().position(|other| other == name) {
        Some(place) => html! { a href={ (folder) (bot_file(place)) } { (name) } },
        None => html! { (name) },
    }
}
