//! Verification of a league: its log, and the games of every round.

use std::path::Path;

use thiserror::Error;

use crate::league::folder::{BadLeague, LeagueFolder};
use crate::league::state::{self, League, Round};
use crate::log::NotVerified;
use crate::log::checked_log::Extent;
use crate::log::verify::{Verified, Work, verify_each};
use crate::series::{Header, LeagueRound};
use crate::tournament::folder::{games, shown};
use crate::tournament::read::{self, Unreadable};

/// A league in which everything is in order.
#[derive(Debug)]
pub struct VerifiedLeague {
    /// Where it stands.
    pub league: League,
    /// What was verified of each round that is over, in their order.
    pub rounds: Vec<Verified>,
}

/// Why a league is not verified; one line.
#[derive(Debug, Error)]
pub enum NotInOrder {
    /// Its log is not as it must be.
    #[error(transparent)]
    League(#[from] BadLeague),
    /// The log of a round cannot be opened.
    #[error("`{0}`: {1}")]
    Unreadable(String, Unreadable),
    /// A round is not in order.
    #[error("`{0}`: {1}")]
    Round(String, NotVerified),
    /// A round is not the one that was announced.
    #[error("`{0}`: its log is not that of round {1} as the league announced it: {2}")]
    Other(String, u64, &'static str),
}

/// Derives every game of every round that is over again, and checks that each round is the one that the
/// log of the league announced, with the bots that have entered.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify(path: &Path, work: Work<'_>) -> Result<VerifiedLeague, NotInOrder> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let mut rounds = Vec::new();
    for round in league.rounds() {
        let path = folder.round(round.line.round);
        match &round.over {
            Some(over) => {
                let verified = verified(&path, work)?;
                let other = |what| NotInOrder::Other(shown(&path), round.line.round, what);
                check(&league, round, verified.series.header()).map_err(other)?;
                if verified.head != over.head {
                    return Err(other("its head is another one"));
                }
                if verified.games != over.games {
                    return Err(other("it has another number of games"));
                }
                rounds.push(verified);
            }
            None if games(&path).exists() => {
                let series = read::series(&path)
                    .map_err(|problem| NotInOrder::Unreadable(shown(&path), problem))?;
                check(&league, round, series.header())
                    .map_err(|what| NotInOrder::Other(shown(&path), round.line.round, what))?;
            }
            None => {}
        }
    }
    Ok(VerifiedLeague { league, rounds })
}

fn verified(path: &Path, work: Work<'_>) -> Result<Verified, NotInOrder> {
    let source = crate::log::open(&games(path))
        .map_err(|error| NotInOrder::Unreadable(shown(path), Unreadable::Closed(error)))?;
    verify_each(source, Extent::Whole, work, &mut |_, _, _| Ok(()))
        .map_err(|problem| NotInOrder::Round(shown(path), problem))
}

/// Whether a log with this header is that of a round.
fn check(league: &League, round: &Round, header: &Header) -> Result<(), &'static str> {
    let Some(line) = &header.tournament else { return Err("it is that of a match") };
    if header.game != league.kind().name() {
        return Err("its game is another one");
    }
    if line.league != Some(LeagueRound { round: round.line.round, after: round.after }) {
        return Err("it does not name the round and the head before it");
    }
    if line.schedule != state::schedule(&round.line) {
        return Err("its tables or deals are others");
    }
    if header.commitment != round.line.commitment {
        return Err("its seed is another one");
    }
    let names = header.players.iter().map(|player| player.name.clone());
    if !names.eq(round.line.bots.iter().map(ToString::to_string)) {
        return Err("its bots are others");
    }
    for (player, bot) in header.players.iter().zip(&round.line.bots) {
        let entered = league.members().iter().find(|member| member.entry.bot == *bot);
        let is_same = entered.is_some_and(|member| {
            let entry = &member.entry;
            entry.command == player.command
                && entry.files == player.files
                && entry.dialect == player.dialect
                && entry.mode == player.mode
        });
        if !is_same {
            return Err("a bot is not the one that has entered under its name");
        }
    }
    Ok(())
}
