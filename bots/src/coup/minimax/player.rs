//! The player that looks ahead.

use rules::Request;
use rules::coup::{Coup, Move};

use crate::coup::greedy::Greedy;
use crate::coup::minimax::start::Start;
use crate::player::{NoMove, Player};
use crate::search::Clock;
use crate::search::clock::{Deadline, Unlimited};
use crate::tablic::minimax::{Settings, TimeLimit};

/// Plays the move of the greatest expected value; where the request contradicts itself, what
/// greedy plays.
#[derive(Debug)]
pub struct Minimax {
    settings: Settings,
    was_cut: bool,
}

impl Minimax {
    /// The options that it has where nothing else is said: two turns, its own and the next.
    pub const SETTINGS: Settings = Settings { depth: 2, time: TimeLimit::HalfOfRequest };

    /// Its options, as far as they differ from those in other games.
    pub const HELP: &str = "
  --depth N        in coup: how many turns to look ahead, its own and the opponent's (2)";

    /// A player with these options.
    pub fn new(settings: Settings) -> Minimax {
        Minimax { settings, was_cut: false }
    }

    /// The move to play when asked this, searching until the clock says stop; nothing where the
    /// request cannot be searched.
    pub fn decide(&mut self, request: &Request<Coup>, clock: &mut dyn Clock) -> Option<Move> {
        let start = Start::of(request)?;
        let mut found = None;
        for turns in 1..=self.settings.depth {
            let (best, cut) = start.best(turns, clock);
            self.was_cut = cut;
            if cut {
                break;
            }
            found = best;
        }
        found
    }
}

impl Player<Coup> for Minimax {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        self.was_cut = false;
        let deadline = self.settings.time.deadline(request.heading.time);
        let decided = match (&request.legal[..], deadline) {
            ([only], _) => Some(*only),
            (_, Some(deadline)) => self.decide(request, &mut Deadline(deadline)),
            (_, None) => self.decide(request, &mut Unlimited),
        };
        decided.map_or_else(|| Greedy.choose(request), Ok)
    }

    fn was_cut(&self) -> bool {
        self.was_cut
    }
}
