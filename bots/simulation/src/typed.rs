//! Simulations of a built-in game, typed from end to end, and of a custom game, whose rules and players know it as text.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bots::options::no_options;
use bots::programs::{PlayersVisitor, typed_player};
use bots::{AnyGamePlayer, AnyPlayer, Players, programs};
use rules::custom::RestartPolicy;
use rules::{Answer, GameTerms, Outcome, PerSeat, Referee, Seat, Step};

use crate::game::{CompletedGame, SimulationError, StuckGame, play};
use crate::plan::{BuiltInPlayer, GameText, SimulatedGame, Simulation, TIME};

impl<G: Players> GameText for CompletedGame<G> {
    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    fn events(&self) -> Vec<String> {
        self.events.iter().map(ToString::to_string).collect()
    }
}

/// Checks what can be wrong before the first game.
pub(crate) struct CheckVisitor<'a> {
    pub(crate) simulation: &'a Simulation,
}

impl PlayersVisitor for CheckVisitor<'_> {
    type Output = Result<(), SimulationError>;

    fn visit<G: Players>(self) -> Self::Output {
        TypedSimulation::<G>::new(self.simulation).map(drop)
    }
}

/// Plays all games.
pub(crate) struct RunVisitor<'a, T> {
    pub(crate) simulation: &'a Simulation,
    pub(crate) workers: NonZeroUsize,
    pub(crate) make: &'a (dyn Fn(SimulatedGame, &dyn GameText) -> T + Sync),
    pub(crate) take: &'a mut dyn FnMut(T) -> ControlFlow<()>,
}

impl<T: Send> PlayersVisitor for RunVisitor<'_, T> {
    type Output = Result<(), SimulationError>;

    fn visit<G: Players>(self) -> Self::Output {
        let RunVisitor { simulation, workers, make, take } = self;
        let typed = TypedSimulation::<G>::new(simulation)?;
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
pub(crate) struct EventsVisitor<'a> {
    pub(crate) simulation: &'a Simulation,
    pub(crate) game: u64,
}

impl PlayersVisitor for EventsVisitor<'_> {
    type Output = Result<Vec<String>, SimulationError>;

    fn visit<G: Players>(self) -> Self::Output {
        let typed = TypedSimulation::<G>::new(self.simulation)?;
        let (deal, seating) = self.simulation.seating(self.game);
        let finished = typed.play(self.game, deal, &seating)?;
        Ok(finished.events())
    }
}

/// A simulation with the types of its game.
#[derive(Clone)]
struct TypedSimulation<'a, G: Players> {
    simulation: &'a Simulation,
    options: G::Options,
}

impl<'a, G: Players> TypedSimulation<'a, G> {
    /// Checks all that can be wrong before the first game.
    fn new(simulation: &'a Simulation) -> Result<Self, SimulationError> {
        let options: G::Options = simulation.options.parse()?;
        let (seats, players) = (G::new(&options).seats(), simulation.players.len());
        if seats != players {
            return Err(SimulationError::Players { seats, players });
        }
        for BuiltInPlayer { name, program, .. } in &simulation.players {
            if let Some(refusal) = G::refusal(program, &options) {
                return Err(SimulationError::Refused { name: name.clone(), refusal });
            }
        }
        let typed = TypedSimulation { simulation, options };
        for player in 0..players {
            typed.player(player)?;
        }
        Ok(typed)
    }

    fn player(&self, place: usize) -> Result<AnyPlayer<G>, SimulationError> {
        let BuiltInPlayer { name, program, options } = &self.simulation.players[place];
        typed_player(program, options)
            .map_err(|problem| SimulationError::Player { name: name.clone(), problem })
    }

    fn play(
        &self,
        game: u64,
        deal: u64,
        seating: &PerSeat<usize>,
    ) -> Result<CompletedGame<G>, SimulationError> {
        let seed = &self.simulation.seed;
        let terms = GameTerms::even(seed.name(game), seating.count(), TIME, seed.bots(deal));
        let players: Result<Vec<AnyPlayer<G>>, SimulationError> =
            seating.values().iter().map(|place| self.player(*place)).collect();
        play(&self.options, &terms, &mut seed.nature(deal), players?)
            .map_err(|problem| SimulationError::Stuck { game, problem })
    }

    fn played(&self, game: u64) -> Result<(SimulatedGame, CompletedGame<G>), SimulationError> {
        let (deal, seating) = self.simulation.seating(game);
        let finished = self.play(game, deal, &seating)?;
        let counts = PerSeat::new(seating.count(), |seat: Seat| finished.game.counts(seat));
        let (scores, cuts) = (finished.scores.clone(), finished.cuts.clone());
        Ok((SimulatedGame { game, deal, seating, scores, counts, cuts }, finished))
    }
}

/// A simulation of a custom game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CustomSimulation<'a>(&'a Simulation);

/// A game that was played to its end, with the moves of those who were asked and all events.
struct FinishedGameText {
    moves: Vec<String>,
    events: Vec<String>,
}

impl GameText for FinishedGameText {
    fn moves(&self) -> Vec<String> {
        self.moves.clone()
    }

    fn events(&self) -> Vec<String> {
        self.events.clone()
    }
}

impl<'a> CustomSimulation<'a> {
    /// Checks all that can be wrong before the first game.
    pub(crate) fn new(simulation: &'a Simulation) -> Result<Self, SimulationError> {
        let Simulation { kind, options, players, .. } = simulation;
        let seats = kind.seats(options)?;
        if seats != players.len() {
            return Err(SimulationError::Players { seats, players: players.len() });
        }
        let custom = CustomSimulation(simulation);
        players.iter().try_for_each(|player| custom.player(player).map(drop))?;
        Ok(custom)
    }

    pub(crate) fn run<T: Send>(
        self,
        workers: NonZeroUsize,
        make: &(dyn Fn(SimulatedGame, &dyn GameText) -> T + Sync),
        take: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), SimulationError> {
        let start = || {
            move |game| {
                let (played, finished) = self.played(game)?;
                Ok(make(played, &finished))
            }
        };
        workers::in_order(self.0.games(), workers, start, take)
    }

    pub(crate) fn events(self, game: u64) -> Result<Vec<String>, SimulationError> {
        self.played(game).map(|(_, finished)| finished.events)
    }

    fn player(self, player: &BuiltInPlayer) -> Result<Box<dyn AnyGamePlayer>, SimulationError> {
        let BuiltInPlayer { name, program, options } = player;
        let found = programs::player(&self.0.kind, program, options);
        found
            .and_then(|found| no_options(options).map(|()| found))
            .map_err(|problem| SimulationError::Player { name: name.clone(), problem })
    }

    fn played(self, game: u64) -> Result<(SimulatedGame, FinishedGameText), SimulationError> {
        let Simulation { kind, options, players, seed, .. } = self.0;
        let (deal, seating) = self.0.seating(game);
        let terms = GameTerms::even(seed.name(game), seating.count(), TIME, seed.bots(deal));
        // Rules that the machine ends lose nothing: their game follows from the seed.
        let mut referee = Referee::with(kind, options, terms, RestartPolicy::InGame)?;
        let mut answering = Vec::new();
        for place in seating.values() {
            answering.push(self.player(&players[*place])?);
        }
        let mut nature = seed.nature(deal);
        let mut moves = Vec::new();
        let stuck = |problem| SimulationError::Stuck { game, problem };
        let outcome = loop {
            match referee.step() {
                Step::Moved => {}
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Ask(question) => {
                    let (seat, number) = (question.seat(), question.number());
                    let wrong = |problem: String| stuck(StuckGame::player(seat, number, &problem));
                    let request = question.request();
                    let player = answering.get_mut(seat.index());
                    let player = player.ok_or_else(|| wrong("has no player".to_owned()))?;
                    let mv = player.answer(&request).map_err(|none| wrong(none.to_string()))?;
                    let answer = Answer::Output(mv.clone().into_bytes());
                    let ruling = question.answer(answer);
                    if ruling.verdict.is_fault() {
                        return Err(wrong(format!("played `{mv}`: {}", ruling.detail)));
                    }
                    moves.push(mv);
                }
                Step::Over(outcome) => break outcome.clone(),
            }
        };
        let scores = match outcome {
            Outcome::Played { scores, .. } => scores,
            Outcome::Walkover { scores, .. } => scores,
            Outcome::Void { reason } => return Err(SimulationError::Rules { game, reason }),
        };
        let counts = PerSeat::new(seating.count(), |_: Seat| Vec::new());
        let cuts = PerSeat::new(seating.count(), |_: Seat| 0);
        let events = referee.history(0);
        Ok((
            SimulatedGame { game, deal, seating, scores, counts, cuts },
            FinishedGameText { moves, events },
        ))
    }
}
