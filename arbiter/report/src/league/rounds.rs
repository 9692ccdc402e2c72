//! The rounds of a league, their pairings, and the reasons for them.

use maud::{Markup, html};

use crate::html::layout::{Page, PageLocation, scrolled, section};
use crate::league::frame::{BarPage, LeagueBotLinks, bar, footer, shorten};
use crate::league::reading::LeagueReport;
use league::output::{games, reason};
use league::state::Round;
use text::counted;

/// The most rounds on a page.
const ROUNDS: usize = 100;

/// The number of pages for this number of rounds, at least one.
pub(super) fn pages(rounds: usize) -> usize {
    rounds.div_ceil(ROUNDS).max(1)
}

/// The file of a page, from the root of the report.
pub(super) fn file(page: usize) -> String {
    match page {
        0 => "rounds/index.html".to_owned(),
        page => format!("rounds/index-{}.html", page + 1),
    }
}

/// A page of rounds, the last ones on page 0; none where there are fewer pages.
pub(super) fn page(reading: &LeagueReport, page: usize, at: PageLocation) -> Option<Markup> {
    let all = reading.league.rounds();
    if page >= pages(all.len()) {
        return None;
    }
    let shown = || all.iter().rev().skip(page * ROUNDS).take(ROUNDS);
    let name = |page: usize| file(page).trim_start_matches("rounds/").to_owned();
    let body = html! {
        (bar(reading, at, BarPage::Rounds))
        section.top id="top" aria-label="Title" { div.wrap {
            h1 { "Rounds" }
            p.quiet { (counted(all.len(), "round", "rounds")) ", page " (page + 1) " of " (pages(all.len())) }
        } }
        main.wrap id="main" { (reading.announced.lines())
            (section("rounds", "All rounds", table(reading, shown(), "")))
            (section("pairings", "Pairings with reasons", html! {
                p.quiet { "Pairings and reasons are logged before each round is played." }
                @for round in shown() { (pairings(reading, round)) }
            }))
            nav.pager aria-label="Round list pages" {
                @if page > 0 { a href=(name(page - 1)) { "← Newer" } }
                @if page + 1 < pages(all.len()) { a href=(name(page + 1)) { "Older →" } }
            }
        }
        (footer(reading, at))
    };
    let title = format!("rounds of {}", reading.title);
    Some(
        Page {
            title: &title,
            location: at,
            styles: &["report.css"],
            scripts: &[],
            data: &[],
            body,
        }
        .render(),
    )
}

/// Rounds as a table; `folder` is the way to their reports.
pub(super) fn table<'a>(
    reading: &LeagueReport,
    rounds: impl Iterator<Item = &'a Round>,
    folder: &str,
) -> Markup {
    let table = html! {
        table {
            caption { "rounds, latest first" }
            thead { tr {
                @for title in ["round", "bots", "tables", "deals", "games"] { th scope="col" { (title) } }
                th.word scope="col" { "status" }
            } }
            tbody { @for round in rounds { tr {
                td { a href={ (folder) (round.line.round) "/index.html" } { (round.line.round) } }
                td { (round.line.bots.len()) } td { (round.line.tables.len()) } td { (round.line.deals) }
                td { @match &round.over {
                    Some(over) => (over.games),
                    None => { (reading.open.unwrap_or_default()) " of " (games(&round.line, reading.league.seats())) },
                } }
                td.word { @match &round.over {
                    None => span.badge.warn { "in progress" },
                    Some(over) => @match &over.broken {
                        None => "finished",
                        Some(broken) => { "aborted: " (shorten(&broken.why)) },
                    },
                }
                @for correction in reading.league.corrections().of_round(&round.line) {
                    "; " (shorten(&correction.in_words()))
                } }
            } } }
        }
    };
    scrolled("Rounds", table)
}

fn pairings(reading: &LeagueReport, round: &Round) -> Markup {
    let line = &round.line;
    let bots = LeagueBotLinks { reading, root: "../".to_owned() };
    html! {
        details id={ "round-" (line.round) } {
            summary { "Round " (line.round) ", " (counted(line.tables.len(), "table", "tables")) }
            (scrolled("Tables", html! { table {
                thead { tr { th.word scope="col" { "table" } th.word scope="col" { "reason" } } }
                tbody { @for table in &line.tables { tr {
                    td.word { @for (place, bot) in table.bots.iter().filter_map(|bot| line.bots.get(*bot)).enumerate() {
                        @if place > 0 { ", " }
                        (crate::html::standings::BotLinks::name(&bots, &bot.to_string()))
                    } }
                    td.word.wide { (reason(line, &table.why)) }
                } } }
            } }))
        }
    }
}
