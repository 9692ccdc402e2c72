//! Players of Durak.

pub mod expert;
pub mod greedy;
pub mod minimax;
mod review;
pub mod search;

pub use expert::Expert;
pub use greedy::Greedy;
pub use minimax::Minimax;
pub use review::Review;
pub use rules::durak::Durak;

use rules::durak::Move;
use rules::{Card, Request};

use crate::options::BadOption;
use crate::player::{AnyPlayer, NoMove, Part, Player, Players, Random, without_options};

impl Players for Durak {
    fn random(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        without_options(Random, options)
    }

    fn greedy(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        let scale = greedy::read_scale(options)?;
        Ok(Box::new(Greedy { scale }))
    }

    fn minimax(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        let settings = minimax::Settings::read(options)?;
        Ok(Box::new(Minimax::new(settings)))
    }

    fn expert(options: &[String]) -> Result<AnyPlayer<Durak>, BadOption> {
        let settings = expert::Settings::read(options)?;
        Ok(Box::new(Expert::new(settings)))
    }

    fn yardstick(name: &str, options: &[String]) -> Option<Result<AnyPlayer<Durak>, BadOption>> {
        (name == "lowest").then(|| without_options(Lowest, options))
    }
}

/// Plays the legal move with the lowest card, trumps after all others; one without a card only
/// where no card is legal.
///
/// So it always beats when it can and always throws when it can. Simple as it is, it is hard to
/// beat for players that do not look ahead.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lowest;

impl Player<Durak> for Lowest {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let trumps = request.view.trump.map(Card::suit);
        let height = |mv: &Move| {
            // `None` would come before every card.
            let card = mv.card();
            (card.is_none(), card.map(|card| (Some(card.suit()) == trumps, card)))
        };
        request.legal.iter().copied().min_by_key(height).ok_or(NoMove)
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::LegalMoves]
    }
}
