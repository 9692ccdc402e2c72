//! The first page of a folder with several leagues and tournaments, or with none yet: games to play, what is played here,
//! and how to write a bot.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::response::Html;
use jiff::Timestamp;
use maud::{Markup, html};

use crate::page::encoded;
use crate::people::{TableOffer, table_offer};
use league::folder::LeagueFolder;
use league::log::LogStamp;
use report::html::layout::{BarLink, Page, PageLocation, site_bar};
use report::league::reading::{Announcements, SCRIPT};
use text::counted;

/// Most contests that are described: of others, only the name is said.
const DESCRIBED: usize = 20;
/// Most leagues of which the words are kept; the names in the folder may change.
const KEPT: usize = 100;
/// Reading a league again takes at most one part in this number of the time.
const SHARE: u32 = 20;

/// What the page tells of leagues, each as it was last read.
#[derive(Debug, Default)]
pub(super) struct LeagueSummaries(Mutex<BTreeMap<String, LeagueSummary>>);

/// What the page tells of a league, for as long as neither its log nor a freeze changes.
#[derive(Debug, Clone)]
struct LeagueSummary {
    log: Option<LogStamp>,
    frozen: Option<Timestamp>,
    /// The game, the seats, the bots and the rounds, in words; none if the league cannot be read.
    words: Option<String>,
    /// The time from which it may be read again: a long log is not read for each visitor.
    due: Instant,
}

impl LeagueSummaries {
    /// The words for a league with this name, read again where its log or a freeze has changed.
    fn words(
        &self,
        name: &str,
        league: &LeagueFolder,
        announced: &Announcements,
    ) -> Option<String> {
        let (log, frozen) = (league.log_stamp(), announced.frozen);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let begun = Instant::now();
        // Once a freeze begins, earlier words may tell too much.
        let is_same = |it: &LeagueSummary| it.frozen == frozen && (it.log == log || begun < it.due);
        if let Some(known) = known.filter(is_same) {
            return known.words;
        }
        // Others need not wait for it.
        let words = league.read_as_of(frozen).ok().map(|state| {
            format!(
                "{}, {} · {} · {}",
                state.kind().about().title,
                counted(state.seats(), "seat", "seats"),
                counted(state.active().count(), "bot", "bots"),
                counted(state.rounds().len(), "round", "rounds")
            )
        });
        // What cannot be read now is looked for again.
        words.as_ref()?;
        let due = Instant::now() + begun.elapsed() * SHARE;
        let summary = LeagueSummary { log, frozen, words: words.clone(), due };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT && !kept.contains_key(name) {
            kept.clear();
        }
        kept.insert(name.to_owned(), summary);
        words
    }
}

/// The page of a folder with sources of these names.
pub(super) fn page(
    folder: &Path,
    names: &[String],
    offer: Option<&TableOffer>,
    summaries: &LeagueSummaries,
) -> Html<String> {
    let links: &[BarLink<'_>] = match offer {
        Some(_) => &[("Play", "play/".to_owned())],
        None => &[],
    };
    let body = html! {
        (site_bar("./", links, "", html! {}))
        section.top id="top" aria-label="Title" { div.wrap {
            @match offer {
                Some(_) => h1 { "Play a card game against a bot. Or write one." },
                None => h1 { "Card games played by programs" },
            }
            p.status {
                "A referee that deals the cards, checks every move, and can prove it. You see what a bot in your seat "
                "would see."
            }
        } }
        main.wrap id="main" {
            @if let Some(offer) = offer { (table_offer::games(offer, "play/")) }
            section id="sources" aria-labelledby="sources-title" {
                h2 id="sources-title" { "Leagues and tournaments" }
                @if names.is_empty() {
                    p { "No contest here yet: " code { "arbiter league new" } " in the served folder begins one." }
                }
                ul.lists { @for name in names.iter().take(DESCRIBED) { (described(folder, name, summaries)) } }
                @if names.len() > DESCRIBED {
                    details {
                        summary { (names.len() - DESCRIBED) " more" }
                        ul.bots { @for name in names.iter().skip(DESCRIBED) {
                            li { a href={ "./" (encoded(name)) "/" } { (name) } }
                        } }
                    }
                }
            }
            section id="write" aria-labelledby="write-title" {
                h2 id="write-title" { "Write a bot in three commands" }
                div.three {
                    div { h3 { "1. Begin" } pre { code { "arbiter new my-bot" } } p.quiet { "Python, or one of ten other languages." } }
                    div { h3 { "2. Play" } pre { code { "arbiter match --game tablic ./my-bot greedy" } } p.quiet { "Each game is logged, move by move." } }
                    div { h3 { "3. See why it lost" } pre { code { "arbiter review" } } p.quiet { "The moves that cost most, and what was better." } }
                }
            }
        }
        footer { div.wrap { p { "Made by " b { "arbiter " (env!("CARGO_PKG_VERSION")) } } } }
    };
    let title = "card games";
    let (styles, scripts) = (&[table_offer::STYLE], &[SCRIPT]);
    let location = PageLocation::SERVED.self_updating();
    let page = Page { title, location, styles, scripts, data: &[], body };
    Html(page.render().into_string())
}

/// A contest with its phase.
fn described(folder: &Path, name: &str, summaries: &LeagueSummaries) -> Markup {
    let link = html! { a.name href={ "./" (encoded(name)) "/" } { (name) } };
    let league = LeagueFolder::at(&folder.join(name));
    let Some(league) = league else {
        return html! { li { span { (link) div.quiet { "tournament" } } } };
    };
    // A freeze may hold that cannot be read.
    let Ok(announced) = Announcements::read(&league) else {
        return html! { li { span { (link) div.quiet { "league" } } span.badge.bad { "unreadable settings" } } };
    };
    let Some(words) = summaries.words(name, &league, &announced) else {
        return html! { li { span { (link) div.quiet { "league" } } span.badge.bad { "unreadable" } } };
    };
    html! { li {
        span { (link) div.quiet { (words) } }
        @match (announced.frozen.is_some(), league.is_running()) {
            (true, _) => span.badge.warn { "standings frozen" },
            (false, true) => span.badge.good.now-live { "running" },
            (false, false) => span.badge { "not running" },
        }
        @if let Some(countdown) = announced.countdown() { (countdown) }
    } }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tempfile::TempDir;

    use super::*;
    use crate::people::{PlayFolder, PlayService, TableTimeouts};

    /// Browsers did not send the form of a game: the page had the policy of a report on disk.
    #[test]
    fn the_games_of_the_first_page_can_be_begun() {
        let folder = TempDir::new().expect("a folder");
        let people = Arc::new(PlayService::new(1, TableTimeouts::default()));
        let offer = PlayFolder::new(folder.path(), people).offer().expect("games");
        let Html(page) = page(folder.path(), &[], Some(&offer), &LeagueSummaries::default());
        assert!(page.contains("action=\"play/\""), "{page}");
        assert!(
            page.contains("form-action 'self'") && !page.contains("form-action 'none'"),
            "{page}"
        );
    }
}
