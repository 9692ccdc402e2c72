//! Players of Coup at a court: with several seats, by the printed rules.
//!
//! # Theory of operation
//!
//! No table of chances is small enough for six seats. So every legal move is tried in many worlds, and the
//! game is played out to its end in each of them, all moves with the same luck. A world is a hand and a
//! manner of playing for each other seat.
//!
//! - The rules say how likely the hands are by the cards that were dealt, shown and lost
//!   ([`rules::coup::draw_hands`]). [`Evidence`](evidence::Evidence) weighs them by what the seats have
//!   claimed, and by what they would have claimed with other cards.
//! - A [`Manner`](manner::Manner) is that of `greedy`, which claims what it holds and believes what can be,
//!   or that of a seat that bluffs and doubts. A seat that was caught, or that doubted what could be, is of
//!   the second kind in all worlds.
//! - What is left of the turn is played by the rules ([`rest`]). The turns after it are played as a whole
//!   by a [`Table`](table::Table) of a few bytes ([`playout`]), which takes some microseconds a game.
//!
//! `minimax` takes everyone for the first kind, until a claim cannot be true. It is no minimax, but
//! has the name of the players that look ahead in all games.

mod evidence;
mod manner;
mod playout;
mod purses;
mod rest;
mod search;
mod table;

use rules::Request;
use rules::coup::{Coup, Move, Rules};

use crate::coup::court::search::Search;
use crate::coup::greedy::Greedy;
use crate::player::{AnyPlayer, Cut, NoMove, Player};
use crate::settings::TimeLimit;

pub(super) use search::Opponents;

/// One player for the contest, and another for courts; where a request contradicts itself, what greedy
/// plays.
pub(in crate::coup) struct ContestOrCourt {
    contest: AnyPlayer<Coup>,
    court: Search,
    time: TimeLimit,
    cut: Option<Cut>,
}

impl ContestOrCourt {
    /// The player that takes this into account at a court, in this number of worlds.
    pub(in crate::coup) fn new(
        contest: AnyPlayer<Coup>,
        opponents: Opponents,
        worlds: u32,
        time: TimeLimit,
    ) -> ContestOrCourt {
        ContestOrCourt { contest, court: Search::new(opponents, worlds), time, cut: None }
    }
}

impl Player<Coup> for ContestOrCourt {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        if request.options.rules == Rules::Contest {
            let chosen = self.contest.choose(request);
            self.cut = self.contest.cut();
            return chosen;
        }
        let mut clock = self.time.clock(request.heading.share());
        let found = self.court.decide(request, &mut clock);
        self.cut = self.court.cut();
        found.map_or_else(|| Greedy.choose(request), Ok)
    }

    fn cut(&self) -> Option<Cut> {
        self.cut
    }
}
