//! Players of Tablić.

pub mod capture;
pub mod classes;
pub mod expert;
pub mod greedy;
pub mod minimax;
mod review;

pub use expert::Expert;
pub use greedy::{Greedy, MoveWorth, best_move};
pub use minimax::Minimax;
pub use review::TablicReviewer;
pub use rules::tablic::Tablic;

use rules::tablic::Move;
use rules::{CardSet, Request};

use crate::options::BadOption;
use crate::player::{AnyPlayer, NoMove, Player, Players, RequestPart, without_options};

impl Players for Tablic {
    fn random(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        without_options(Random, options)
    }

    fn greedy(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        without_options(Greedy, options)
    }

    fn minimax(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        let settings = Minimax::SETTINGS.read(options)?;
        Ok(Box::new(Minimax::new(settings)))
    }

    fn expert(options: &[String]) -> Result<AnyPlayer<Tablic>, BadOption> {
        let settings = expert::Settings::read(options)?;
        Ok(Box::new(Expert::new(settings)))
    }
}

/// Chooses a card of the hand, each equally likely, and then one of the listed moves with it, each
/// equally likely.
///
/// The card comes first so that cards with many captures are not played sooner than others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Player<Tablic> for Random {
    fn choose(&mut self, request: &Request<Tablic>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        // Cards that no listed move plays cannot be chosen, though a whole request has none.
        let playable: CardSet = request.legal.iter().map(|mv| mv.card).collect();
        let mut hand = request.view.hand & playable;
        let card = nature.draw(&mut hand).ok_or(NoMove)?;
        let moves: Vec<Move> = request.legal.iter().copied().filter(|mv| mv.card == card).collect();
        nature.choose(&moves).copied().ok_or(NoMove)
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::LegalMoves]
    }
}
