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
use crate::player::{Cut, NoMove, Player};
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

/// Number of worlds in which moves are tried if nothing is said.
const WORLDS: u32 = 1600;

/// Number of positions visited if nothing is said.
const POSITIONS: u64 = 1_000_000;

impl Default for Settings {
    fn default() -> Self {
        Settings { worlds: WORLDS, positions: POSITIONS, time: TimeLimit::HalfOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text, without `--worlds`, which Tablić has too.
    pub const HELP: &str = "
  --positions N    Durak: maximum positions to search once all hands are known, or `none`
                   [default: 1 million, or as many as fit into the DURATION of --time]";

    /// Reads the words of a command line: `--worlds 3000` or `--worlds=3000`.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let (mut worlds, mut positions) = (None, None);
        let mut time = TimeLimit::HalfOfRequest;
        for given in given(words) {
            match given.name {
                "--worlds" => worlds = Some(given.number(u32::MAX)?),
                "--positions" => positions = Some(given.number_or_none(u64::MAX)?),
                "--time" => time = TimeLimit::given(given)?,
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
    let cut = finish.was_cut.then_some(Cut { what: "worlds", number: u64::from(finish.worlds) });
    Tried { best: finish.best, cut }
}

impl Player<Durak> for Expert {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let mut clock = self.settings.time.clock(request.heading.share());
        self.decide(request, &mut clock).map_or_else(|| Lowest.choose(request), Ok)
    }

    fn cut(&self) -> Option<Cut> {
        self.decider.cut()
    }
}
