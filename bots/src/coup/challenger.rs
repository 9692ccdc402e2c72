//! A yardstick: the player that believes nothing.

use rules::Request;
use rules::coup::{Coup, Move};

use crate::player::{NoMove, Part, Player};

/// Challenges whenever it may, and otherwise chooses one of the legal moves, each equally likely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Challenger;

impl Player<Coup> for Challenger {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        if request.legal.contains(&Move::Challenge) {
            return Ok(Move::Challenge);
        }
        let mut nature = request.heading.seed.nature();
        nature.choose(&request.legal).copied().ok_or(NoMove)
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::LegalMoves]
    }
}
