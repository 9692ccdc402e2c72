//! What all rounds of a league add up to.

use thiserror::Error;

use crate::league::folder::LeagueFolder;
use crate::league::state::{League, Round};
use crate::standings::{BootstrapSeed, Replicates, Setup, Standings, Tally};
use crate::tournament::count;
use crate::tournament::folder::shown;
use crate::tournament::read::{self, Unreadable};

/// What all rounds of a league add up to; every version of every bot is a bot of its own.
#[derive(Debug, Clone)]
pub struct LeagueTally {
    tally: Tally,
    /// How many rounds are in it.
    rounds: usize,
}

/// A round that cannot be read; one line.
#[derive(Debug, Error)]
#[error("`{folder}`: {problem}")]
pub struct BadRound {
    /// Its folder.
    pub folder: String,
    /// What is wrong with it.
    pub problem: Unreadable,
}

impl LeagueTally {
    /// What the rounds of a league that are over add up to.
    ///
    /// # Errors
    ///
    /// [`BadRound`]
    pub fn of(league: &League, folder: &LeagueFolder) -> Result<LeagueTally, BadRound> {
        let mut tally = LeagueTally { tally: Tally::new(setup(league)), rounds: 0 };
        tally.add_new(league, folder)?;
        Ok(tally)
    }

    /// The same tally with what has been played since; everything is counted again where other bots have
    /// entered.
    ///
    /// # Errors
    ///
    /// [`BadRound`]
    pub fn brought_up_to(
        mut self,
        league: &League,
        folder: &LeagueFolder,
    ) -> Result<LeagueTally, BadRound> {
        if self.tally.setup().names.len() != league.members().len() {
            return LeagueTally::of(league, folder);
        }
        self.add_new(league, folder)?;
        Ok(self)
    }

    fn add_new(&mut self, league: &League, folder: &LeagueFolder) -> Result<(), BadRound> {
        let over = league.rounds().iter().filter(|round| round.over.is_some());
        for round in over.skip(self.rounds) {
            self.add(round, folder)?;
            self.rounds += 1;
        }
        Ok(())
    }

    fn add(&mut self, round: &Round, folder: &LeagueFolder) -> Result<(), BadRound> {
        let path = folder.round(round.line.round);
        let read =
            read::read_log(&path, &mut |series, game| count::add(&mut self.tally, series, game));
        read.map(drop).map_err(|problem| BadRound { folder: shown(&path), problem })
    }

    /// The standings of all versions of all bots.
    pub fn standings(&self) -> Standings {
        self.tally.standings()
    }
}

/// What standings need to know of a league.
///
/// The bootstrap has as many replicates for every number of bots, so that a bot that enters changes
/// no interval of others.
fn setup(league: &League) -> Setup {
    let names = league.members().iter().map(|member| member.entry.bot.to_string()).collect();
    let [a, b, c, d, e, f, g, h, ..] = league.origin().bytes();
    let seed = BootstrapSeed(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    Setup { seed, replicates: Replicates::LEAST, ..Setup::new(names, league.seats()) }
}
