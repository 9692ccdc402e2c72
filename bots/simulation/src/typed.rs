//! Simulations of a built-in game: typed from end to end.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bots::programs::{PlayersVisitor, typed_player};
use bots::{AnyPlayer, Players};
use rules::{PerSeat, Seat, Terms};

use crate::game::{Failed, Finished, play};
use crate::plan::{BuiltIn, GameText, Played, Simulation, TIME};

impl<G: Players> GameText for Finished<G> {
    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    fn events(&self) -> Vec<String> {
        self.events.iter().map(ToString::to_string).collect()
    }
}

/// Checks what can be wrong before the first game.
pub(crate) struct Check<'a> {
    pub(crate) simulation: &'a Simulation,
}

impl PlayersVisitor for Check<'_> {
    type Output = Result<(), Failed>;

    fn visit<G: Players>(self) -> Self::Output {
        Typed::<G>::new(self.simulation).map(drop)
    }
}

/// Plays all games.
pub(crate) struct Run<'a, T> {
    pub(crate) simulation: &'a Simulation,
    pub(crate) workers: NonZeroUsize,
    pub(crate) make: &'a (dyn Fn(Played, &dyn GameText) -> T + Sync),
    pub(crate) take: &'a mut dyn FnMut(T) -> ControlFlow<()>,
}

impl<T: Send> PlayersVisitor for Run<'_, T> {
    type Output = Result<(), Failed>;

    fn visit<G: Players>(self) -> Self::Output {
        let Run { simulation, workers, make, take } = self;
        let typed = Typed::<G>::new(simulation)?;
        let start = || {
            let typed = typed.clone();
            move |game| {
                let (played, finished) = typed.played(game)?;
                Ok(make(played, &finished))
            }
        };
        workers::in_order(simulation.games(), workers, start, take)
    }
}

/// Plays one game for its events.
pub(crate) struct PlayForEvents<'a> {
    pub(crate) simulation: &'a Simulation,
    pub(crate) game: u64,
}

impl PlayersVisitor for PlayForEvents<'_> {
    type Output = Result<Vec<String>, Failed>;

    fn visit<G: Players>(self) -> Self::Output {
        let typed = Typed::<G>::new(self.simulation)?;
        let (deal, seating) = self.simulation.seating(self.game);
        let finished = typed.play(self.game, deal, &seating)?;
        Ok(finished.events())
    }
}

/// A simulation with the types of its game.
#[derive(Clone)]
struct Typed<'a, G: Players> {
    simulation: &'a Simulation,
    options: G::Options,
}

impl<'a, G: Players> Typed<'a, G> {
    /// Checks all that can be wrong before the first game.
    fn new(simulation: &'a Simulation) -> Result<Self, Failed> {
        let options: G::Options = simulation.options.parse()?;
        let (seats, players) = (G::new(&options).seats(), simulation.players.len());
        if seats != players {
            return Err(Failed::Players { seats, players });
        }
        for BuiltIn { name, program, .. } in &simulation.players {
            if let Some(refusal) = G::refusal(program, &options) {
                return Err(Failed::Refused { name: name.clone(), refusal });
            }
        }
        let typed = Typed { simulation, options };
        for player in 0..players {
            typed.player(player)?;
        }
        Ok(typed)
    }

    fn player(&self, place: usize) -> Result<AnyPlayer<G>, Failed> {
        let BuiltIn { name, program, options } = &self.simulation.players[place];
        typed_player(program, options)
            .map_err(|problem| Failed::Player { name: name.clone(), problem })
    }

    fn play(&self, game: u64, deal: u64, seating: &PerSeat<usize>) -> Result<Finished<G>, Failed> {
        let seed = &self.simulation.seed;
        let terms = Terms::even(seed.name(game), seating.count(), TIME, seed.bots(deal));
        let players: Result<Vec<AnyPlayer<G>>, Failed> =
            seating.values().iter().map(|place| self.player(*place)).collect();
        play(&self.options, &terms, &mut seed.nature(deal), players?)
            .map_err(|problem| Failed::Stuck { game, problem })
    }

    fn played(&self, game: u64) -> Result<(Played, Finished<G>), Failed> {
        let (deal, seating) = self.simulation.seating(game);
        let finished = self.play(game, deal, &seating)?;
        let counts = PerSeat::new(seating.count(), |seat: Seat| finished.game.counts(seat));
        let (scores, cuts) = (finished.scores.clone(), finished.cuts.clone());
        Ok((Played { game, deal, seating, scores, counts, cuts }, finished))
    }
}
