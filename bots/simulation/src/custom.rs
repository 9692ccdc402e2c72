//! Simulations of a custom game: its rules and the players know it as text.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bots::options::no_options;
use bots::{Answers, programs};
use rules::custom::Renewal;
use rules::{Answer, Outcome, PerSeat, Referee, Seat, Step, Terms};

use crate::game::{Failed, Stuck};
use crate::plan::{BuiltIn, GameText, Played, Simulation, TIME};

/// A simulation of a custom game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CustomSimulation<'a>(&'a Simulation);

/// A game that was played to its end, with the moves of those who were asked and all events.
struct FinishedGame {
    moves: Vec<String>,
    events: Vec<String>,
}

impl GameText for FinishedGame {
    fn moves(&self) -> Vec<String> {
        self.moves.clone()
    }

    fn events(&self) -> Vec<String> {
        self.events.clone()
    }
}

impl<'a> CustomSimulation<'a> {
    /// Checks all that can be wrong before the first game.
    pub(crate) fn new(simulation: &'a Simulation) -> Result<Self, Failed> {
        let Simulation { kind, options, players, .. } = simulation;
        let seats = kind.seats(options)?;
        if seats != players.len() {
            return Err(Failed::Players { seats, players: players.len() });
        }
        let custom = CustomSimulation(simulation);
        players.iter().try_for_each(|player| custom.player(player).map(drop))?;
        Ok(custom)
    }

    pub(crate) fn run<T: Send>(
        self,
        workers: NonZeroUsize,
        make: &(dyn Fn(Played, &dyn GameText) -> T + Sync),
        take: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), Failed> {
        let start = || {
            move |game| {
                let (played, finished) = self.played(game)?;
                Ok(make(played, &finished))
            }
        };
        workers::in_order(self.0.games(), workers, start, take)
    }

    pub(crate) fn events(self, game: u64) -> Result<Vec<String>, Failed> {
        self.played(game).map(|(_, finished)| finished.events)
    }

    fn player(self, player: &BuiltIn) -> Result<Box<dyn Answers>, Failed> {
        let BuiltIn { name, program, options } = player;
        let found = programs::player(&self.0.kind, program, options);
        found
            .and_then(|found| no_options(options).map(|()| found))
            .map_err(|problem| Failed::Player { name: name.clone(), problem })
    }

    fn played(self, game: u64) -> Result<(Played, FinishedGame), Failed> {
        let Simulation { kind, options, players, seed, .. } = self.0;
        let (deal, seating) = self.0.seating(game);
        let terms = Terms::even(seed.name(game), seating.count(), TIME, seed.bots(deal));
        // Rules that the machine ends lose nothing: their game follows from the seed.
        let mut referee = Referee::with(kind, options, terms, Renewal::InGame)?;
        let mut answering = Vec::new();
        for place in seating.values() {
            answering.push(self.player(&players[*place])?);
        }
        let mut nature = seed.nature(deal);
        let mut moves = Vec::new();
        let stuck = |problem| Failed::Stuck { game, problem };
        let outcome = loop {
            match referee.step() {
                Step::Moved => {}
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Ask(question) => {
                    let (seat, number) = (question.seat(), question.number());
                    let wrong = |problem: String| stuck(Stuck::player(seat, number, &problem));
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
            Outcome::Void { reason } => return Err(Failed::Rules { game, reason }),
        };
        let counts = PerSeat::new(seating.count(), |_: Seat| Vec::new());
        let cuts = PerSeat::new(seating.count(), |_: Seat| 0);
        let events = referee.history(0);
        Ok((Played { game, deal, seating, scores, counts, cuts }, FinishedGame { moves, events }))
    }
}
