//! The first page of a league: its phase, who leads, and what happens now.

use league::index::{IndexError, LeagueIndex};
use maud::{Markup, html};
use text::counted;

use crate::html::layout::{Page, PageLocation, section};
use crate::league::frame::{LeagueBotLinks, NavigationPage, bar, footer};
use crate::league::reading::{self, LeagueReport, STATISTICS};
use crate::league::{ranking, rounds, stages};

/// The address of the page where bots are handed in, from the root of the league.
const HAND_IN: &str = "hand-in/";

pub(super) fn page(
    reading: &LeagueReport,
    index: &LeagueIndex,
    at: PageLocation,
) -> Result<Markup, IndexError> {
    let bots = LeagueBotLinks { reading, root: at.root() };
    let takes_bots = at.links().iter().any(|link| link.href == HAND_IN);
    let beside = [
        ("round", "Now playing", rounds::open_round(reading, &bots)),
        ("stage", "Stage", stages::latest(reading, &bots)),
        ("latest", "Latest results", rounds::latest(reading, index, &bots)?),
    ];
    let body = html! {
        (bar(reading, at, NavigationPage::Standings))
        section.top id="top" aria-label="Title" { div.wrap { div.hero {
            div {
                h1 { (reading.title) }
                (status(reading))
            }
            div.together {
                @if let Some(countdown) = reading.announced.countdown() { (countdown) }
                @if takes_bots { a.btn.main href=(HAND_IN) { "Submit a bot" } }
            }
        } } }
        main.wrap id="main" {
            (reading.announced.lines())
            @if let Some(phases) = reading.announced.phases() { (phases) }
            div.two {
                div.stack {
                    (ranking::section(reading, index, &bots)?)
                    @if let Some(all) = corrections(reading) { (section("corrections", "Corrections", all)) }
                    @if let Some(all) = exceptions(reading) { (section("exceptions", "Exceptions", all)) }
                }
                aside.stack {
                    @if takes_bots { section.box id="own" aria-label="My bot" data-own=(HAND_IN) hidden {} }
                    @for (id, title, body) in beside { @if let Some(body) = body { (section(id, title, body)) } }
                    p.small data-live="more" {
                        a href=(STATISTICS) { "All statistics" } ": crosstable, ratings, forfeits, rules, verification."
                    }
                }
            }
        }
        (footer(reading, at))
    };
    let scripts = &[reading::SCRIPT];
    Ok(Page { title: &reading.title, location: at, styles: &[], scripts, data: &[], body }.render())
}

fn status(reading: &LeagueReport) -> Markup {
    let league = &reading.league;
    let played = league.games() + reading.open.unwrap_or_default();
    html! {
        p.status {
            (league.kind().about().title) ", " (counted(league.seats(), "seat", "seats")) " · "
            (counted(league.active().count(), "bot", "bots")) " · "
            (counted(played, "game", "games")) " · "
            @match league.open_round().zip(reading.open) {
                Some((round, played)) => {
                    a href={ "rounds/" (round.line.round) "/index.html" } { "round " (round.line.round) }
                    ": " (played) " of " (counted(round.line.games(league.seats()), "game", "games")) " "
                }
                None => { (counted(league.rounds().len(), "round", "rounds")) " " }
            }
            @match reading.is_running {
                true => span.badge.good.now-live { "running" },
                false => span.badge { "not running" },
            }
        }
    }
}

/// Participants who were treated differently, and why; none if there are none.
fn exceptions(reading: &LeagueReport) -> Option<Markup> {
    let all = reading.league.exceptions().all();
    let body = html! {
        p { "The organiser made exceptions for these participants." }
        ul { @for it in all { li { (it.in_words(&reading.announced.calendar)) } } }
    };
    (!all.is_empty()).then_some(body)
}

/// Games that no longer count, and why; none where all of them count.
fn corrections(reading: &LeagueReport) -> Option<Markup> {
    let all = reading.league.corrections().all();
    let body = html! {
        p { "The standings exclude void games. All games stay in the log, and "
            code { "arbiter league standings --as-played" } " counts them." }
        ul { @for correction in all { li { (correction.in_words()) } } }
    };
    (!all.is_empty()).then_some(body)
}
