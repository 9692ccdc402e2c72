//! The strongest player: it plays worlds out by habits that were learned.
//!
//! # The algorithm
//!
//! It knows, samples and searches ends as `minimax` does ([`search`](crate::durak::search)): worlds
//! that fit what the seat knows, every move tried in the same worlds, and perfect play once two
//! seats know each other's hands. It differs in three ways:
//!
//! - **A race.** All moves are tried in a first batch of worlds. Then those are dropped, time and
//!   again, that are behind the leader by more than chance explains, so that the worlds go to the few
//!   moves that compete (`race`). Their differences within a world are what is compared, since the
//!   luck of the cards is the same for all of them. When one move is left it is played at once.
//! - **Learned habits.** In trials all seats play by a policy that is linear in some features of a
//!   move ([`weights`]) with weights by the kind of the move and the stage of the game ([`habits`]).
//!   They were learned in games of the policy against itself (`bots/research/src/bin/durak-train.rs`), one
//!   table for two seats and one for more, with transfers and without. A feature
//!   tells only what the seat can know: its hand, the table, the sizes of hands, and which cards it
//!   has not seen. So the cards that are gone are counted, and with two seats and an empty talon the
//!   hand of the other seat is known, as it is for a player that remembers.
//! - **Fewer worlds.** One move is often left after some hundred worlds, so that the same number of worlds
//!   takes less time.
//!
//! With three seats and more only who loses counts. A trial counts
//! therefore who loses in the end, and ends when the asked seat is out.
//!
//! Dropping all but the best by paired differences follows O. Maron and A. Moore, "Hoeffding Races",
//! NIPS 1993, with the variance that is found in place of a bound on it. That policies for playing
//! out are better learned by what games come to than made to copy good moves is shown by D. Silver and
//! G. Tesauro, "Monte-Carlo Simulation Balancing", ICML 2009.
//!
//! Nothing that is found for a request is kept for the next one but room in memory. So the answer with
//! a budget of worlds is the same whether the program is started anew or asked again, and the same on
//! every machine: all numbers of habits are whole.

pub mod habits;
pub mod weights;

use rules::Nature;
use search::{Clock, WorldSampler};

use crate::durak::expert::habits::HabitPolicy;
use crate::durak::search::decision::{SampledDecision, SamplingPlayer, Settings, TrialResult};
use crate::durak::search::endgame::PlayoutRunner;
use crate::durak::search::policy::PlayoutPolicy;
use crate::durak::search::position::Play;
use crate::options::{BadOption, TimeLimit, options_in};
use crate::player::CutOff;

const WORLDS: u32 = 1600;

const POSITIONS: u64 = 1_000_000;

/// The options as lines of a help text, without `--worlds`, which Tablić has too.
pub const HELP: &str = "
  --positions N    Durak: maximum positions to search once all hands are known, or `none`
                   [default: 1 million, or as many as fit into the DURATION of --time]";

/// Reads the words of a command line: `--worlds 3000` or `--worlds=3000`.
pub fn read(words: &[String]) -> Result<Settings, BadOption> {
    let (mut worlds, mut positions) = (None, None);
    let mut time = TimeLimit::HalfOfRequest;
    for given in options_in(words) {
        match given.name {
            "--worlds" => worlds = Some(given.number(u32::MAX)?),
            "--positions" => positions = Some(given.number_or_none(u64::MAX)?),
            "--time" => time = TimeLimit::from_option(given)?,
            _ => return Err(given.unknown()),
        }
    }
    let most = match time {
        TimeLimit::Fixed(_) => (u32::MAX, u64::MAX),
        TimeLimit::HalfOfRequest | TimeLimit::None => (WORLDS, POSITIONS),
    };
    Ok(Settings {
        worlds: worlds.unwrap_or(most.0),
        positions: positions.map_or(most.1, |most| most.unwrap_or(u64::MAX)),
        time,
    })
}

/// A player that tries moves in sampled worlds as long as they compete, or plays perfectly where all hands are known.
pub fn player(settings: Settings) -> SamplingPlayer {
    SamplingPlayer::new(settings, race)
}

/// A race between the moves in worlds that fit.
fn race(hidden: SampledDecision<'_>, worlds: u32, clock: &mut dyn Clock) -> TrialResult {
    let SampledDecision { request, start, plays, beyond, ends } = hidden;
    let habits = HabitPolicy::learned(&request.options);
    let mut trial = PlayoutRunner { start, policy: &habits, beyond, endgame: ends };
    let mut nature = request.heading.seed.nature();
    let finish = MoveRace::new(plays.len()).run(plays, &mut trial, worlds, &mut nature, clock);
    let cut = finish.was_cut.then_some(CutOff { what: "worlds", number: u64::from(finish.worlds) });
    TrialResult { best: finish.best, cut }
}

/// Number of worlds between two looks for moves that cannot catch up.
const WORLDS_PER_LOOK: u32 = 64;

/// Standard errors that a move may be behind the leader and still catch up.
const ERRORS: f64 = 3.0;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaceResult {
    /// The place of the move that lost least; none if time was up before a world was played.
    pub best: Option<usize>,
    pub worlds: u32,
    /// Number of games played out, of all moves.
    pub trials: u64,
    /// True if it stopped since time was up.
    pub was_cut: bool,
}

pub struct MoveRace {
    /// The places of the moves that are tried still.
    running: Vec<usize>,
    /// Points of each move in all worlds together.
    points: Vec<i64>,
    /// For each pair of moves the sum of the squares of their differences in a world.
    squares: Vec<i64>,
    worlds: u32,
    trials: u64,
}

impl MoveRace {
    pub fn new(moves: usize) -> MoveRace {
        MoveRace {
            running: (0..moves).collect(),
            points: vec![0; moves],
            squares: vec![0; moves * moves],
            worlds: 0,
            trials: 0,
        }
    }

    /// Tries moves in worlds until one is left, there are as many worlds as these, or time is up.
    pub fn run(
        mut self,
        plays: &[Play],
        trial: &mut PlayoutRunner<'_, impl PlayoutPolicy>,
        worlds: u32,
        nature: &mut Nature,
        clock: &mut dyn Clock,
    ) -> RaceResult {
        let mut in_world = vec![0; plays.len()];
        let mut was_cut = false;
        while self.running.len() > 1 && self.worlds < worlds {
            if clock.is_up() {
                was_cut = true;
                break;
            }
            let Some((position, world)) = trial.start.draw(nature) else { break };
            for place in &self.running {
                let mut next = position;
                next.play(plays[*place], &world);
                in_world[*place] = trial.play_out(next, &world) as i64;
            }
            self.count(&in_world);
            if self.worlds.is_multiple_of(WORLDS_PER_LOOK) {
                self.drop_beaten();
            }
        }
        let best = (self.worlds > 0).then(|| self.leader()).flatten();
        RaceResult { best, worlds: self.worlds, trials: self.trials, was_cut }
    }

    /// Counts what the running moves had in a world.
    fn count(&mut self, in_world: &[i64]) {
        let moves = self.points.len();
        self.worlds += 1;
        self.trials += self.running.len() as u64;
        for place in &self.running {
            let points = in_world[*place];
            self.points[*place] += points;
            for other in &self.running {
                let difference = points - in_world[*other];
                self.squares[place * moves + other] += difference * difference;
            }
        }
    }

    /// The move that has most, the first of equals.
    fn leader(&self) -> Option<usize> {
        self.running.iter().rev().copied().max_by_key(|place| self.points[*place])
    }

    /// Drops the moves that cannot catch up with the leader.
    fn drop_beaten(&mut self) {
        let Some(leader) = self.leader() else { return };
        let MoveRace { running, points, squares, worlds, .. } = self;
        let (moves, worlds) = (points.len(), f64::from(*worlds));
        running.retain(|place| {
            let behind = (points[leader] - points[*place]) as f64;
            let square = squares[leader * moves + place] as f64;
            let variance = square - behind * behind / worlds;
            behind * behind <= ERRORS * ERRORS * variance || behind <= 0.0
        });
    }
}
