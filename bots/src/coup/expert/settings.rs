//! The options of the player.

use rules::coup::Coup;

use crate::coup::expert::learned;
use crate::coup::expert::player::Expert;
use crate::coup::expert::search::Search;
use crate::options::{BadOption, given};
use crate::player::AnyPlayer;
use crate::settings::TimeLimit;

/// How the player chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settings {
    /// By moves that are tried in worlds.
    Search {
        /// Number of sampled worlds in which every move is tried, at least 1.
        worlds: u32,
        /// Time to think about one move.
        time: TimeLimit,
    },
    /// By the responses to the style that it suspects.
    Respond {
        /// Chance, before the other seat has done anything, that it plays in a known style, in per
        /// cent, from 1 to 100. Above about 78 it departs from the table with its first move, until
        /// the other seat's moves speak against that.
        trust: u8,
        /// Time to think about one move at a court, where it searches all the same.
        time: TimeLimit,
    },
    /// By the table alone.
    Safe {
        /// Time to think about one move at a court, where it searches all the same.
        time: TimeLimit,
    },
}

/// Number of worlds where nothing is said.
const WORLDS: u32 = 200;

/// The chance that the search gives to known styles before anything has happened, in per cent.
const TRUST: u8 = 85;

impl Default for Settings {
    fn default() -> Self {
        Settings::Search { worlds: WORLDS, time: TimeLimit::HalfOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text, without `--worlds` and `--time`, which other games have too.
    pub const HELP: &str = "
  --trust N        Coup: no search: respond to the style that the opponent seems to play in; prior
                   belief in percent that it plays a known one; higher exploits weak play sooner, but
                   is itself more exploitable
  --safe           Coup: no search, same as --trust 0: play by the table learned in self-play only";

    /// Reads the words of a command line.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        // It is the only option that has no value.
        let (safe, others): (Vec<_>, Vec<_>) =
            words.iter().cloned().partition(|word| word == "--safe");
        let (mut trust, mut worlds, mut time) = (None, None, TimeLimit::HalfOfRequest);
        for given in given(&others) {
            match given.name {
                "--trust" => {
                    let chance = given.value.parse().ok().filter(|trust: &u8| *trust <= 100);
                    trust = Some(chance.ok_or_else(|| given.wrong("a number from 0 to 100"))?);
                }
                "--worlds" => worlds = Some(given.number(u32::MAX)?),
                "--time" => time = TimeLimit::given(given)?,
                _ => return Err(given.unknown()),
            }
        }
        let looks_up = trust.is_some() || !safe.is_empty();
        if worlds.is_some() && looks_up {
            let problem = "`--worlds` is for the search, which `--trust` and `--safe` turn off";
            return Err(BadOption::Wrong(problem.to_owned()));
        }
        Ok(match trust.filter(|trust| *trust > 0 && safe.is_empty()) {
            Some(trust) => Settings::Respond { trust, time },
            None if looks_up => Settings::Safe { time },
            None => Settings::Search { worlds: worlds.unwrap_or(WORLDS), time },
        })
    }

    /// The number of worlds and the time in which it tries its moves at a court.
    pub fn effort(self) -> (u32, TimeLimit) {
        match self {
            Settings::Search { worlds, time } => (worlds, time),
            Settings::Respond { time, .. } | Settings::Safe { time } => (WORLDS, time),
        }
    }

    /// The player of these settings in the contest; `None` if what belongs to it is damaged.
    pub fn player(self) -> Option<AnyPlayer<Coup>> {
        let table = learned::table()?;
        let trusted = |trust| Some(learned::punishment()?.trusted(f64::from(trust) / 100.0));
        Some(match self {
            Settings::Search { worlds, time } => {
                Box::new(Search::new(table, &trusted(TRUST)?, worlds, time))
            }
            Settings::Respond { trust, .. } => Box::new(Expert::punishing(table, trusted(trust)?)),
            Settings::Safe { .. } => Box::new(Expert::safe(table)),
        })
    }
}
