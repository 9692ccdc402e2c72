//! Determinisation: worlds that fit what a seat knows, with every hidden card in its place.
//!
//! In such a world a search can go on as if all cards lay open. One world says little; a search
//! that samples draws many, from the seed of its request, and compares its moves in all of them.
//!
//! The rules can do this for every game ([`InformationState`]), which is what tests compare with. A
//! game may have a source of its own, as Durak has: a faster one, or one that weighs hands by how the
//! other seats have played.

use rules::{Game, Nature, Request, Resample};

/// Knowledge of a seat from which fitting worlds can be drawn.
pub trait Determinise {
    /// A state of the game in which nothing is hidden.
    type World;

    /// A world that fits, drawn from `nature`; `None` if there is none.
    fn draw(&self, nature: &mut Nature) -> Option<Self::World>;

    /// This number of worlds that fit, each drawn when it is asked for; none after one that fails.
    fn worlds(&self, count: u32, nature: &mut Nature) -> impl Iterator<Item = Self::World> {
        (0..count).map_while(|_| self.draw(nature))
    }
}

/// Knowledge from a request of any game; its worlds are states of the rules.
///
/// It needs the history of the request. A world does not show which seats are out.
#[derive(Debug, Clone)]
pub struct InformationState<'a, G: Game> {
    request: &'a Request<G>,
    events: Vec<G::Event>,
}

impl<'a, G: Game> InformationState<'a, G> {
    /// Reads a request.
    pub fn read(request: &'a Request<G>) -> InformationState<'a, G> {
        InformationState { request, events: request.events() }
    }
}

impl<G: Resample> Determinise for InformationState<'_, G> {
    type World = G;

    fn draw(&self, nature: &mut Nature) -> Option<G> {
        let Request { options, heading, view, .. } = self.request;
        G::resample(options, heading.seat, view, &self.events, nature)
    }
}
