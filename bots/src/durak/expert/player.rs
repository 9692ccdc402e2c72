//! The strongest player.

use rules::Request;
use rules::durak::{Durak, Move};

use crate::durak::expert::habits::Habits;
use crate::durak::expert::race::Race;
use crate::durak::expert::settings::Settings;
use crate::durak::lowest::Lowest;
use crate::durak::search::decision::{Decider, Hidden, Tried};
use crate::durak::search::trial::Trial;
use crate::player::{NoMove, Player};
use crate::search::Clock;

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

    /// The move to play when asked this, searching until the clock says stop; nothing where the
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
        let mut clock = self.settings.time.clock(request.heading.time);
        self.decide(request, &mut clock).map_or_else(|| Lowest.choose(request), Ok)
    }

    fn was_cut(&self) -> bool {
        self.decider.was_cut()
    }
}
