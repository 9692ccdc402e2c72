//! The strongest player.

use rules::Request;
use rules::durak::{Durak, Move};
use search::Clock;

use crate::durak::expert::habits::Habits;
use crate::durak::expert::race::Race;
use crate::durak::lowest::Lowest;
use crate::durak::search::decision::{Decider, Hidden, Tried};
use crate::durak::search::playout::Trial;
use crate::options::{BadOption, given};
use crate::player::{NoMove, Player};
use crate::settings::TimeLimit;

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Most sampled worlds in which it tries moves, at least 1.
    pub worlds: u32,
    /// Number of positions that it visits at most where hands are known, at least 1.
    pub positions: u64,
    /// Time to think about one move.
    pub time: TimeLimit,
}

/// Number of worlds in which moves are tried if neither they nor the time are limited.
const WORLDS: u32 = 5000;

/// Number of positions visited where neither they nor the time are limited.
const POSITIONS: u64 = 16_000_000;

impl Default for Settings {
    fn default() -> Self {
        Settings { worlds: u32::MAX, positions: u64::MAX, time: TimeLimit::TenthOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text, without `--worlds`, which Tablić has too.
    pub const HELP: &str = "
  --positions N    Durak: maximum positions to search once all hands are known, or `none`
                   [default: as time allows; 16 million with --time none]";

    /// Reads the words of a command line: `--worlds 3000` or `--worlds=3000`.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let (mut worlds, mut positions) = (None, None);
        let mut time = TimeLimit::TenthOfRequest;
        for given in given(words) {
            match given.name {
                "--worlds" => worlds = Some(given.number(u32::MAX)?),
                "--positions" => positions = Some(given.number_or_none(u64::MAX)?),
                "--time" => time = TimeLimit::given(given)?,
                _ => return Err(given.unknown()),
            }
        }
        let most = match time {
            TimeLimit::None => (WORLDS, POSITIONS),
            _ => (u32::MAX, u64::MAX),
        };
        Ok(Settings {
            worlds: worlds.unwrap_or(most.0),
            positions: positions.map_or(most.1, |most| most.unwrap_or(u64::MAX)),
            time,
        })
    }
}

/// Plays the move that is worth most in many sampled worlds, or by perfect play where all hands are
/// known; where the request contradicts itself, the lowest card.
#[derive(Debug, Default)]
pub struct Expert {
    settings: Settings,
    decider: Decider,
}

impl Expert {
    /// A player with these options.
    pub fn new(settings: Settings) -> Expert {
        Expert { settings, decider: Decider::new() }
    }

    /// The move to play when asked this, searching until the clock says stop; `None` if the
    /// request cannot be searched, or time was up before anything was known.
    pub fn decide(&mut self, request: &Request<Durak>, clock: &mut dyn Clock) -> Option<Move> {
        let Settings { worlds, positions, .. } = self.settings;
        self.decider.decide(request, positions, clock, |hidden, clock| race(hidden, worlds, clock))
    }
}

/// A race between the moves in worlds that fit.
fn race(hidden: Hidden<'_>, worlds: u32, clock: &mut dyn Clock) -> Tried {
    let Hidden { request, start, plays, beyond, ends } = hidden;
    let habits = Habits::learned(&request.options);
    let mut trial = Trial { start, policy: &habits, beyond, endgame: ends };
    let mut nature = request.heading.seed.nature();
    let finish = Race::new(plays.len()).run(plays, &mut trial, worlds, &mut nature, clock);
    Tried { best: finish.best, was_cut: finish.was_cut }
}

impl Player<Durak> for Expert {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let mut clock = self.settings.time.clock(request.heading.share());
        self.decide(request, &mut clock).map_or_else(|| Lowest.choose(request), Ok)
    }

    fn was_cut(&self) -> bool {
        self.decider.was_cut()
    }
}
