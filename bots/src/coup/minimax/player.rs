//! The player that looks ahead.

use rules::Request;
use rules::coup::{Coup, Move};
use search::Clock;

use crate::coup::greedy::Greedy;
use crate::coup::minimax::start::Start;
use crate::player::{Cut, NoMove, Player};
use crate::settings::SearchSettings;

/// Plays the move of the greatest expected value; where the request contradicts itself, what
/// greedy plays.
#[derive(Debug)]
pub struct Minimax {
    settings: SearchSettings,
    cut: Option<Cut>,
}

impl Minimax {
    /// The settings where nothing else is said: two turns, its own and the next.
    pub const SETTINGS: SearchSettings = SearchSettings::of_depth(2);

    /// Meaning of `--depth`, for a help text.
    pub const HELP: &str = "
  --depth N        Coup: lookahead in turns of either side [default: 2]; at a court 100 N sampled
                   worlds";

    /// A player with these options.
    pub fn new(settings: SearchSettings) -> Minimax {
        Minimax { settings, cut: None }
    }

    /// The move to play when asked this, searching until the clock says stop; `None` if the
    /// request cannot be searched.
    pub fn decide(&mut self, request: &Request<Coup>, clock: &mut dyn Clock) -> Option<Move> {
        self.cut = None;
        let start = Start::read(request)?;
        let mut found = None;
        for turns in 1..=self.settings.depth {
            let (best, cut) = start.best(turns, clock);
            if cut {
                self.cut = Some(Cut { what: "depth", number: u64::from(turns - 1) });
                break;
            }
            found = best;
        }
        found
    }
}

impl Player<Coup> for Minimax {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        self.cut = None;
        let mut clock = self.settings.time.clock(request.heading.share());
        let decided = match request.legal[..] {
            [only] => Some(only),
            _ => self.decide(request, &mut clock),
        };
        decided.map_or_else(|| Greedy.choose(request), Ok)
    }

    fn cut(&self) -> Option<Cut> {
        self.cut
    }
}
