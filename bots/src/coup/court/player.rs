//! A player that plays by its contest's rules for two seats, and tries its moves in worlds at a court.

use rules::Request;
use rules::coup::{Coup, Move, Rules};

use crate::coup::court::search::{Opponents, Search};
use crate::coup::greedy::Greedy;
use crate::player::{AnyPlayer, Cut, NoMove, Player};
use crate::settings::TimeLimit;

/// One player for the contest, and another for courts; where a request contradicts itself, what greedy
/// plays.
pub(in crate::coup) struct Everywhere {
    contest: AnyPlayer<Coup>,
    court: Search,
    time: TimeLimit,
    cut: Option<Cut>,
}

impl Everywhere {
    /// The player that takes this into account at a court, in this number of worlds.
    pub(in crate::coup) fn new(
        contest: AnyPlayer<Coup>,
        opponents: Opponents,
        worlds: u32,
        time: TimeLimit,
    ) -> Everywhere {
        Everywhere { contest, court: Search::new(opponents, worlds), time, cut: None }
    }
}

impl Player<Coup> for Everywhere {
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
