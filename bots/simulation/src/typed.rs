//! Simulations of a built-in game, typed from end to end, and of a custom game, whose rules and players know it as text.

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

/// A simulation in which all that can be wrong before the first game was checked.
pub(crate) trait PlayableSimulation: Sync {
    fn played(&self, game: u64) -> Result<(SimulatedGame, Box<dyn GameText>), SimulationError>;
}

/// Makes a simulation playable with the types of its game.
pub(crate) struct TypingVisitor<'a>(pub(crate) &'a Simulation);

impl<'a> PlayersVisitor for TypingVisitor<'a> {
    type Output = Result<Box<dyn PlayableSimulation + 'a>, SimulationError>;

    fn visit<G: Players>(self) -> Self::Output {
        Ok(Box::new(TypedSimulation::<G>::new(self.0)?))
    }
}

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
}

impl<G: Players> PlayableSimulation for TypedSimulation<'_, G> {
    fn played(&self, game: u64) -> Result<(SimulatedGame, Box<dyn GameText>), SimulationError> {
        let (deal, seating) = self.simulation.seating(game);
        let seed = &self.simulation.seed;
        let terms = GameTerms::even(seed.name(game), seating.count(), TIME, seed.bots(deal));
        let players: Result<Vec<AnyPlayer<G>>, SimulationError> =
            seating.values().iter().map(|place| self.player(*place)).collect();
        let finished = play(&self.options, &terms, &mut seed.nature(deal), players?)
            .map_err(|problem| SimulationError::Stuck { game, problem })?;
        let counts = PerSeat::new(seating.count(), |seat: Seat| finished.game.counts(seat));
        let (scores, cuts) = (finished.scores.clone(), finished.cuts.clone());
        let played = SimulatedGame { game, deal, seating, scores, counts, cuts };
        Ok((played, Box::new(finished)))
    }
}

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

    fn player(&self, player: &BuiltInPlayer) -> Result<Box<dyn AnyGamePlayer>, SimulationError> {
        let BuiltInPlayer { name, program, options } = player;
        let found = programs::player(&self.0.kind, program, options);
        found
            .and_then(|found| no_options(options).map(|()| found))
            .map_err(|problem| SimulationError::Player { name: name.clone(), problem })
    }
}

impl PlayableSimulation for CustomSimulation<'_> {
    fn played(&self, game: u64) -> Result<(SimulatedGame, Box<dyn GameText>), SimulationError> {
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
            Box::new(FinishedGameText { moves, events }),
        ))
    }
}
