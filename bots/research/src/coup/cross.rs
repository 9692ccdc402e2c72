//! All pairs of players of Coup for two seats: what each wins against each other, and the processor
//! time of its moves.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bots::coup::Coup;
use bots::options::BadOption;
use bots::{AnyPlayer, NoMove, Player};
use rules::coup::Move;
use rules::{Request, Seed};
use rustix::time::{ClockId, clock_gettime};
use simulation::StuckGame;

use crate::coup::chances::{Chances, NoChances};
use crate::coup::contest::{Contest, Ending, SharedPlayer, Tally, meet};

/// A player of fixed chances, found by `coup-climb --bot 'minimax --depth 1' --games 1000 --steps 400
/// --seed 60c1 --for 1h`. It wins 52.9% ± 1.5 of 4,000 other games against that player.
const CLIMBED: &str =
    "climbed=100,100,76,41,91,54,74,57,0,100,100,86,0,0,1,95,100,0,0,0,96,21,0,100,100,0";

/// The players of the table in the documents: all built-in ones, and one of fixed chances.
pub const USUAL: [&str; 11] = [
    "expert --time none",
    "expert --safe",
    "expert --trust 30",
    "expert --trust 85",
    "minimax --depth 2 --time none",
    "minimax --depth 1 --time none",
    "calculator",
    "greedy",
    "challenger",
    "random",
    CLIMBED,
];

/// A player of the table.
#[derive(Debug, Clone)]
pub enum Entrant {
    BuiltIn(Contest),
    /// One of fixed chances, with what the table calls it.
    Climbed(String, Chances),
}

/// A text names no player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoEntrant {
    #[error(transparent)]
    BuiltIn(#[from] BadOption),
    #[error(transparent)]
    Climbed(#[from] NoChances),
}

impl FromStr for Entrant {
    type Err = NoEntrant;

    /// Reads `expert --safe`, or a name for 26 chances as in `climbed=90,25,…`.
    fn from_str(text: &str) -> Result<Entrant, NoEntrant> {
        Ok(match text.split_once('=') {
            Some((name, chances)) => Entrant::Climbed(name.trim().to_owned(), chances.parse()?),
            None => Entrant::BuiltIn(Contest::new(text)?),
        })
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entrant::BuiltIn(contest) => write!(f, "{contest}"),
            Entrant::Climbed(name, _) => f.write_str(name),
        }
    }
}

impl Entrant {
    fn player(&self) -> AnyPlayer<Coup> {
        match self {
            Entrant::BuiltIn(contest) => contest.player(),
            Entrant::Climbed(_, chances) => Box::new(*chances),
        }
    }
}

/// The results of all pairs, in the order of the players.
#[derive(Debug)]
pub struct Cross {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    name: String,
    /// Against each, with nothing against itself.
    tallies: Vec<Option<Tally>>,
    spent: Spent,
}

impl Cross {
    /// Plays all pairs, each on the deals of the seed from 0, and tells of each pair when it is over.
    ///
    /// The pairs of the first player come first, and have `first_deals`; all others have `deals`.
    ///
    /// # Errors
    ///
    /// Fails if a player finds no move.
    pub fn play(
        entrants: &[Entrant],
        seed: &Seed,
        [first_deals, deals]: [u64; 2],
        over: &mut dyn FnMut(&Entrant, &Entrant, &Tally),
    ) -> Result<Cross, StuckGame> {
        let mut timed = Vec::new();
        for entrant in entrants {
            let spent = Arc::new(Mutex::new(Spent::default()));
            let player = Timed { player: entrant.player(), spent: Arc::clone(&spent) };
            timed.push((SharedPlayer::new(Box::new(player)), spent));
        }
        let mut tallies = vec![vec![None; entrants.len()]; entrants.len()];
        for one in 0..entrants.len() {
            let deals = if one == 0 { first_deals } else { deals };
            for other in one + 1..entrants.len() {
                let tally = pair(seed, deals, &timed[one].0, &timed[other].0)?;
                over(&entrants[one], &entrants[other], &tally);
                tallies[one][other] = Some(tally);
                tallies[other][one] = Some(tally.mirrored());
            }
        }
        let rows = entrants.iter().zip(tallies).zip(&timed).map(|((entrant, tallies), timed)| {
            let spent = *timed.1.lock().unwrap_or_else(PoisonError::into_inner);
            Row { name: entrant.to_string(), tallies, spent }
        });
        Ok(Cross { rows: rows.collect() })
    }

    /// A table for documents: a row and a column a player, with shares in per cent and half of their 95%
    /// intervals, and the mean processor time of a move in milliseconds.
    pub fn markdown(&self) -> String {
        let places = 1..=self.rows.len();
        let heading = places.clone().map(|place| format!(" {place} |")).collect::<String>();
        let rule = " ---: |".repeat(self.rows.len());
        let mut text = format!("| | player | ms |{heading}\n| ---: | --- | ---: |{rule}\n");
        for (place, row) in places.zip(&self.rows) {
            let time = row.spent.mean().as_secs_f64() * 1000.0;
            text.push_str(&format!("| {place} | `{}` | {time:.2} |", row.name));
            for tally in &row.tallies {
                let share =
                    tally.map(|tally| format!("{:.1} ± {:.1}", tally.per_cent(), tally.interval()));
                text.push_str(&format!(" {} |", share.as_deref().unwrap_or("-")));
            }
            text.push('\n');
        }
        text
    }
}

/// Both games of each deal.
fn pair(
    seed: &Seed,
    deals: u64,
    one: &SharedPlayer,
    other: &SharedPlayer,
) -> Result<Tally, StuckGame> {
    let mut tally = Tally::default();
    for deal in 0..deals {
        let points = |seat| {
            meet(seed, deal, seat, Box::new(one.clone()), Box::new(other.clone()))
                .map(Ending::points)
        };
        tally.add(points(0)? + points(1)?);
    }
    Ok(tally)
}

/// What the moves of a player cost.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    moves: u32,
    time: Duration,
}

impl Spent {
    fn mean(self) -> Duration {
        self.time / self.moves.max(1)
    }
}

/// A player whose moves are timed.
struct Timed {
    player: AnyPlayer<Coup>,
    spent: Arc<Mutex<Spent>>,
}

impl Player<Coup> for Timed {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let begin = processor_time();
        let mv = self.player.choose(request);
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.moves += 1;
        spent.time += processor_time().saturating_sub(begin);
        mv
    }
}

/// The processor time of this thread so far.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
