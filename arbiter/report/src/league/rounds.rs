//! The rounds of a league, their pairings, and the reasons for them.

use std::collections::BTreeMap;

use league::index::{IndexError, LeagueIndex};
use league::line::TableLine;
use league::output::reason;
use league::state::Round;
use maud::{Markup, html};
use standings::Entrant;
use text::counted;

use crate::html::layout::{Page, PageLocation, scrolled, section};
use crate::html::standings::BotLinks;
use crate::league::frame::{LeagueBotLinks, NavigationPage, bar, footer, shorten};
use crate::league::reading::LeagueReport;

/// The most rounds on a page.
const ROUNDS: usize = 100;
/// The most bots of a round of which the winners are named.
const MOST_BOTS: usize = 100;
/// The most winners that are named.
const MOST_WINNERS: usize = 3;

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
pub(super) fn page(
    reading: &LeagueReport,
    index: &LeagueIndex,
    page: usize,
    at: PageLocation,
) -> Result<Option<Markup>, IndexError> {
    let all = reading.league.rounds();
    if page >= pages(all.len()) {
        return Ok(None);
    }
    let shown = || all.iter().rev().skip(page * ROUNDS).take(ROUNDS);
    let winners =
        shown().map(|round| winners(reading, index, round)).collect::<Result<Vec<_>, _>>()?;
    let name = |page: usize| file(page).trim_start_matches("rounds/").to_owned();
    let body = html! {
        (bar(reading, at, NavigationPage::Rounds))
        section.top id="top" aria-label="Title" { div.wrap {
            p.kicker { (reading.title) }
            h1 { "Rounds" }
            p.quiet { (counted(all.len(), "round", "rounds")) ", page " (page + 1) " of " (pages(all.len())) }
        } }
        main.wrap id="main" { (reading.announced.lines())
            (section("rounds", "All rounds", table(reading, shown().zip(winners))))
            (section("pairings", "Pairings with reasons", html! {
                p.quiet { "Pairings and reasons are logged before each round is played." }
                @if !all.is_empty() { (pairings(reading, shown())) }
            }))
            nav.pager aria-label="Round list pages" {
                @if page > 0 { a href=(name(page - 1)) { "← Newer" } }
                @if page + 1 < pages(all.len()) { a href=(name(page + 1)) { "Older →" } }
            }
        }
        (footer(reading, at))
    };
    let title = format!("rounds of {}", reading.title);
    let (styles, scripts) = (&["report.css"], &[]);
    Ok(Some(Page { title: &title, location: at, styles, scripts, data: &[], body }.render()))
}

/// The bots that won most games of a round; none of one that is not over or has many bots, of which many won all games.
fn winners(
    reading: &LeagueReport,
    index: &LeagueIndex,
    round: &Round,
) -> Result<Option<(Vec<String>, usize)>, IndexError> {
    let line = &round.line;
    let is_over = round.over.as_ref().is_some_and(|over| over.head.is_some());
    if !is_over || line.bots.len() > MOST_BOTS {
        return Ok(None);
    }
    let entrants: Vec<Option<Entrant>> =
        line.bots.iter().map(|bot| reading.entrant(&bot.to_string())).collect();
    let known: Vec<Entrant> = entrants.iter().copied().flatten().collect();
    let mut won: BTreeMap<Entrant, usize> = BTreeMap::new();
    for seat in index.round_seats(&known, line.round)? {
        if seat.place == 1 && !seat.is_void {
            *won.entry(seat.bot).or_default() += 1;
        }
    }
    let Some(most) = won.values().copied().max() else { return Ok(None) };
    let first = line.bots.iter().zip(&entrants);
    let first = first.filter(|(_, entrant)| entrant.and_then(|it| won.get(&it)) == Some(&most));
    let names = first.map(|(bot, _)| bot.to_string()).collect();
    Ok(Some((names, most)))
}

fn table<'a>(
    reading: &LeagueReport,
    rounds: impl Iterator<Item = (&'a Round, Option<(Vec<String>, usize)>)>,
) -> Markup {
    let bots = LeagueBotLinks { reading, root: "../".to_owned() };
    let table = html! {
        table {
            caption { "rounds, latest first" }
            thead { tr {
                th scope="col" { "round" } th.word scope="col" { "most games won" }
                @for title in ["bots", "tables", "deals"] { th.spare scope="col" { (title) } }
                th.spare scope="col" { "games" } th.word scope="col" { "status" }
            } }
            tbody { @for (round, winners) in rounds { tr {
                td { a href={ (round.line.round) "/index.html" } { (round.line.round) } }
                td.word { @match winners {
                    None => span.none { "–" },
                    Some((names, won)) => {
                        @if names.len() > MOST_WINNERS { (counted(names.len(), "bot", "bots")) } @else {
                            @for (place, name) in names.iter().enumerate() {
                                @if place > 0 { ", " }
                                (bots.name(name))
                            }
                        }
                        span.quiet { ": " (counted(won, "game", "games")) @if names.len() > 1 { " each" } }
                    },
                } }
                td.spare { (round.line.bots.len()) } td.spare { (round.line.tables.len()) } td.spare { (round.line.deals) }
                td.spare { @match &round.over {
                    Some(over) => (over.games),
                    None => { (reading.open.unwrap_or_default()) " of " (round.line.games(reading.league.seats())) },
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

fn pairings<'a>(reading: &LeagueReport, rounds: impl Iterator<Item = &'a Round>) -> Markup {
    let bots = LeagueBotLinks { reading, root: "../".to_owned() };
    html! {
        details {
            summary { "Pairings of these rounds" }
            (scrolled("Tables", html! { table {
                thead { tr {
                    th scope="col" { "round" } th.word scope="col" { "table" } th.word scope="col" { "reason" }
                } }
                tbody { @for line in rounds.map(|round| &round.line) { @for table in &line.tables { tr {
                    td { (line.round) }
                    td.word { @for (place, bot) in table.bots.iter().filter_map(|bot| line.bots.get(*bot)).enumerate() {
                        @if place > 0 { ", " }
                        (bots.name(&bot.to_string()))
                    } }
                    td.word.wide { (reason(line, &table.why)) }
                } } } }
            } }))
        }
    }
}

/// Most tables of a round that are listed.
const FEW: usize = 6;
/// Most bots of a table that are named.
const SEATS: usize = 6;

/// The round that is open, and who meets whom in it; none if none is.
pub(super) fn open_round(reading: &LeagueReport, bots: &LeagueBotLinks<'_>) -> Option<Markup> {
    let (round, played) = reading.league.open_round().zip(reading.open)?;
    let line = &round.line;
    let whole = line.games(reading.league.seats());
    Some(html! {
        p {
            a href={ "rounds/" (line.round) "/index.html" } { "Round " (line.round) } ": "
            (played) " of " (counted(whole, "game", "games")) " played"
        }
        progress max=(whole.max(1)) value=(played) aria-label="games played" {}
        ul.feed { @for table in line.tables.iter().take(FEW) { li {
            (names(round, table, bots))
            span.quiet.end { (counted(line.deals, "deal", "deals")) }
        } } }
        (more_tables(line.tables.len()))
    })
}

/// The results of the last round that was played to its end; none without one.
pub(super) fn latest(
    reading: &LeagueReport,
    index: &LeagueIndex,
    bots: &LeagueBotLinks<'_>,
) -> Result<Option<Markup>, IndexError> {
    let league = &reading.league;
    let finished = |round: &&Round| round.over.as_ref().is_some_and(|over| over.head.is_some());
    let Some(round) = league.rounds().iter().rev().find(finished) else { return Ok(None) };
    let line = &round.line;
    let mut tables = Vec::new();
    for (number, table) in line.tables.iter().enumerate().take(FEW) {
        let entrants: Vec<Entrant> = table
            .bots
            .iter()
            .filter_map(|bot| reading.entrant(&line.bots.get(*bot)?.to_string()))
            .collect();
        let is_here = |game: u64| {
            let tables = line.tables.len().max(1) as u64;
            (game / league.seats().max(1) as u64) % tables == number as u64
        };
        let seats = index.round_seats(&entrants, line.round)?;
        let seats: Vec<_> = seats.iter().filter(|seat| is_here(seat.game.game)).collect();
        let won = entrants.iter().map(|bot| {
            seats.iter().filter(|it| it.bot == *bot && it.place == 1 && !it.is_void).count()
        });
        let won: Vec<String> = won.map(|it| it.to_string()).collect();
        let faults = seats.iter().filter_map(|seat| seat.fault).next();
        let is_void = seats.iter().any(|seat| seat.is_void);
        tables.push((table, won.join(" – "), faults, is_void));
    }
    Ok(Some(html! {
        p.quiet { a href={ "rounds/" (line.round) "/index.html" } { "Round " (line.round) } ", games won" }
        ul.feed { @for (table, won, fault, is_void) in &tables { li {
            (names(round, table, bots))
            @if let Some(fault) = fault { span.badge.bad { (fault) } }
            @if *is_void { span.badge.warn { "void" } }
            span.strong.end { (won) }
        } } }
        (more_tables(line.tables.len()))
    }))
}

fn names(round: &Round, table: &TableLine, bots: &LeagueBotLinks<'_>) -> Markup {
    let named = table.bots.iter().filter_map(|bot| round.line.bots.get(*bot)).take(SEATS);
    html! { span {
        @for (place, bot) in named.enumerate() {
            @if place > 0 { " – " }
            (bots.name(&bot.to_string()))
        }
        @if table.bots.len() > SEATS { " and " (table.bots.len() - SEATS) " more" }
    } }
}

fn more_tables(tables: usize) -> Markup {
    html! { @if tables > FEW { p.quiet { "and " (counted(tables - FEW, "more table", "more tables")) } } }
}
