//! The player that looks ahead.

use rules::Request;
use rules::durak::{Durak, Move};

use crate::durak::lowest::Lowest;
use crate::durak::minimax::settings::Settings;
use crate::durak::minimax::trials::tally;
use crate::durak::search::decision::{Decider, Hidden, Tried};
use crate::durak::search::trial::Trial;
use crate::player::{NoMove, Player};
use crate::search::Clock;

/// Plays the move that is worth most in many sampled worlds, which is no minimax, or by perfect play
/// where all hands are known, which is one; where the request contradicts itself, the lowest card.
#[derive(Debug, Default)]
pub struct Minimax {
    settings: Settings,
    decider: Decider,
}

impl Minimax {
    /// A player with these options.
    pub fn new(settings: Settings) -> Minimax {
        Minimax { settings, decider: Decider::new() }
    }

    /// The move to play when asked this, searching until the clock says stop; nothing where the
    /// request cannot be searched, or time was up before anything was known.
    pub fn decide(&mut self, request: &Request<Durak>, clock: &mut dyn Clock) -> Option<Move> {
        let Settings { worlds, positions, .. } = self.settings;
        self.decider
            .decide(request, positions, clock, |hidden, clock| try_all(hidden, worlds, clock))
    }
}

/// Every move in the same worlds that fit.
fn try_all(hidden: Hidden<'_>, worlds: u32, clock: &mut dyn Clock) -> Tried {
    let Hidden { request, start, plays, beyond, ends } = hidden;
    let mut trial = Trial { start, policy: beyond, beyond, endgame: ends };
    let mut nature = request.heading.seed.nature();
    let tally = tally(&mut trial, plays, worlds, &mut nature, clock);
    let best = (0..plays.len()).rev().max_by_key(|place| tally.points[*place]);
    Tried { best: best.filter(|_| tally.worlds > 0), was_cut: tally.was_cut }
}

impl Player<Durak> for Minimax {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let mut clock = self.settings.time.clock(request.heading.time);
        self.decide(request, &mut clock).map_or_else(|| Lowest.choose(request), Ok)
    }

    fn was_cut(&self) -> bool {
        self.decider.was_cut()
    }
}
