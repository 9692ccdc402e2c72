//! What is played now, and the latest results, for the first page of a league.

use maud::{Markup, html};

use crate::html::standings::BotLinks;
use crate::league::frame::LeagueBotLinks;
use crate::league::reading::LeagueReport;
use league::index::{IndexError, LeagueIndex};
use league::line::TableLine;
use league::output::games;
use league::state::Round;
use standings::Entrant;
use text::counted;

/// Most tables of a round that are listed.
const FEW: usize = 6;
/// Most bots of a table that are named.
const SEATS: usize = 6;

/// The round that is open, and who meets whom in it; none if none is.
pub(super) fn open_round(reading: &LeagueReport, bots: &LeagueBotLinks<'_>) -> Option<Markup> {
    let (round, played) = reading.league.open_round().zip(reading.open)?;
    let line = &round.line;
    let whole = games(line, reading.league.seats());
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
        (others(line.tables.len()))
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
        (others(line.tables.len()))
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

fn others(tables: usize) -> Markup {
    html! { @if tables > FEW { p.quiet { "and " (counted(tables - FEW, "more table", "more tables")) } } }
}
