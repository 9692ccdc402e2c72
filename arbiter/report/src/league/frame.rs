//! What all pages of a league have in common: links to bots, the footer, and words.

use maud::{Markup, html};
use text::printable;

use crate::html::standings::BotLinks;
use crate::league::reading::LeagueReport;
use league::BotVersion;
use league::state::Membership;

/// The bots of a league on one of its pages.
pub(super) struct LeagueBotLinks<'a> {
    pub(super) reading: &'a LeagueReport,
    /// The way from the page to the first one.
    pub(super) root: String,
}

impl BotLinks for LeagueBotLinks<'_> {
    fn called(&self) -> &'static str {
        "bot"
    }

    fn name(&self, name: &str) -> Markup {
        match self.address_of(name) {
            Some(address) => html! { a href=(address) { (name) } },
            None => html! { (name) },
        }
    }

    fn games(&self, name: &str, other: &str) -> Option<String> {
        let against = self.reading.league.entrant(&other.parse().ok()?)?;
        Some(format!("{}#against-{}", self.address_of(name)?, against.0 + 1))
    }
}

impl LeagueBotLinks<'_> {
    /// The page of the bot with this version.
    fn address_of(&self, version: &str) -> Option<String> {
        let version: BotVersion = version.parse().ok()?;
        Some(format!("{}{}", self.root, self.reading.address(&version.bot)?))
    }
}

/// The footer of every page.
pub(super) fn footer(reading: &LeagueReport) -> Markup {
    html! {
        footer { div.wrap { p {
            "Made by " b { "arbiter " (env!("CARGO_PKG_VERSION")) } ". Head " code { (reading.league.head()) }
        } } }
    }
}

/// A line of text, cut to the width of a table.
pub(super) fn shorten(text: &str) -> String {
    const WIDE: usize = 120;
    let text = printable(text);
    match text.chars().count() > WIDE {
        true => text.chars().take(WIDE).chain(['…']).collect(),
        false => text,
    }
}

/// A version's state in words.
pub(super) fn membership(membership: Membership) -> &'static str {
    match membership {
        Membership::Active => "plays",
        Membership::Retired => "has left",
        Membership::Replaced => "replaced",
    }
}
