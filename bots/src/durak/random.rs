//! The player that plays at random.

use rules::Request;
use rules::durak::{Durak, Move};

use crate::player::{NoMove, Part, Player};

/// Chooses one of the legal moves, each equally likely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Player<Durak> for Random {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        nature.choose(&request.legal).copied().ok_or(NoMove)
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::LegalMoves]
    }
}
