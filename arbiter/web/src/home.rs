//! The first page of a folder with several leagues and tournaments, or with none yet: games to play, what is played here,
//! and how to write a bot.

use std::path::Path;

use axum::response::Html;
use maud::{Markup, html};

use crate::page::encoded;
use crate::people::TableOffer;
use crate::people::offers;
use league::folder::LeagueFolder;
use report::html::layout::{BarLink, Page, PageLocation, site_bar};
use report::league::announcements::{Announcements, SCRIPT};
use text::counted;

/// Most contests that are described: of others, only the name is said.
const DESCRIBED: usize = 20;

/// The page of a folder with sources of these names.
pub(super) fn page(folder: &Path, names: &[String], offer: Option<&TableOffer>) -> Html<String> {
    let links: &[BarLink<'_>] = match offer {
        Some(_) => &[("Play", "play/".to_owned())],
        None => &[],
    };
    let body = html! {
        (site_bar("./", links, "", html! {}))
        header.top { div.wrap {
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
            @if let Some(offer) = offer { (offers::games(offer, "play/")) }
            section id="sources" aria-labelledby="sources-title" {
                h2 id="sources-title" { "Leagues and tournaments" }
                @if names.is_empty() {
                    p { "No contest here yet: " code { "arbiter league new" } " in the served folder begins one." }
                }
                ul.lists { @for name in names.iter().take(DESCRIBED) { (described(folder, name)) } }
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
    let (styles, scripts) = (&[offers::STYLE], &[SCRIPT]);
    let page = Page { title, location: PageLocation::TOP, styles, scripts, data: &[], body };
    Html(page.render().into_string())
}

/// A contest with its phase.
fn described(folder: &Path, name: &str) -> Markup {
    let link = html! { a.name href={ "./" (encoded(name)) "/" } { (name) } };
    let league = LeagueFolder::at(&folder.join(name));
    let Some(league) = league else {
        return html! { li { span { (link) div.quiet { "tournament" } } } };
    };
    // A freeze may hold that cannot be read.
    let Ok(announced) = Announcements::read(&league) else {
        return html! { li { span { (link) div.quiet { "league" } } span.badge.bad { "unreadable settings" } } };
    };
    let Ok(state) = league.read_public(&announced.calendar) else {
        return html! { li { span { (link) div.quiet { "league" } } span.badge.bad { "unreadable" } } };
    };
    let rounds = state.rounds().len();
    html! { li {
        span {
            (link)
            div.quiet {
                (state.kind().about().title) ", " (counted(state.seats(), "seat", "seats")) " · "
                (counted(state.active().count(), "bot", "bots")) " · " (counted(rounds, "round", "rounds"))
            }
        }
        @match (announced.frozen.is_some(), league.is_running()) {
            (true, _) => span.badge.warn { "standings frozen" },
            (false, true) => span.badge.good.now-live { "running" },
            (false, false) => span.badge { "not running" },
        }
        @if let Some(countdown) = announced.countdown() { (countdown) }
    } }
}
