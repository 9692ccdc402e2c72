//! A game that is being played, as the viewer gets it: as far as it has come, with all hands or as all
//! seats see it.
//!
//! What all seats see is the public form of each event and the lines of the view that are no seat's own.
//! Answers are left out with all that was printed, and that a seat was not asked since it had no choice: the
//! others are not told that.

use rules::replay::{Onlooker, Setup, replay_before, replay_begun};
use rules::{Begun, GameRecord, Referee, Told};
use serde::Serialize;

use crate::report::steps::{StepLine, Steps, changed};
use conditions::series::Series;

/// Whose hands are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hands {
    /// Those of no seat.
    Public,
    /// Those of all seats, with what bots have printed.
    Open,
}

/// A game that is being played.
#[derive(Debug)]
pub struct GameNow {
    heading: HeadingNow,
    steps: Vec<StepLine>,
}

/// The same as it stands in a list.
#[derive(Debug, Clone, Serialize)]
pub struct HeadingNow {
    /// Its number, from 0.
    pub number: u64,
    /// How often it was played before, from 0.
    pub attempt: u32,
    /// The number of its deal, from 0.
    pub deal: u64,
    /// Its public name.
    pub id: String,
    /// By seat the places of the players in the list of names.
    pub seats: Vec<usize>,
    ending: &'static str,
    /// The points by seat so far, as text.
    pub scores: Vec<String>,
    /// How many moves were made so far.
    pub moves: u32,
    /// Whose hands are in its steps.
    pub hands: Hands,
}

impl GameNow {
    /// Derives a game of a series as far as it has come.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in one line.
    pub fn new(series: &Series, begun: &Begun, hands: Hands) -> Result<GameNow, String> {
        if begun.game >= series.schedule().games() {
            return Err(format!("there is no game {}", begun.game));
        }
        let seating = series.seating(begun.game);
        let names = series.players(begun.game);
        let is_seated = names.values().iter().map(|player| &player.name).eq(&begun.seats);
        if !is_seated || seating.deal != begun.deal {
            return Err(format!("game {} is not the one of the schedule", begun.game));
        }
        let setup = || series.setup(&begun.record(), None);
        let (referee, steps) = match hands {
            Hands::Public => {
                let mut steps = PublicSteps::default();
                (replay_begun(setup(), begun, &mut steps), steps.steps)
            }
            Hands::Open => {
                let record = begun.record();
                let mut steps = Steps::new(&record);
                (replay_begun(setup(), begun, &mut steps), steps.finish())
            }
        };
        let referee = referee.map_err(|discrepancy| discrepancy.to_string())?;
        let scores = referee.points_so_far();
        let heading = HeadingNow {
            number: begun.game,
            attempt: begun.attempt,
            deal: begun.deal,
            id: begun.id.to_string(),
            seats: seating.players.values().to_vec(),
            ending: "playing",
            scores: scores.values().iter().map(ToString::to_string).collect(),
            moves: referee.moves(),
            hands,
        };
        Ok(GameNow { heading, steps })
    }

    /// The game without its steps.
    pub fn heading(&self) -> &HeadingNow {
        &self.heading
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The game with the steps from one on, as JSON.
    ///
    /// # Errors
    ///
    /// Never: all of it has a form in JSON.
    pub fn json_from(&self, step: usize) -> serde_json::Result<String> {
        #[derive(Serialize)]
        struct Part<'a> {
            #[serde(flatten)]
            heading: &'a HeadingNow,
            /// The number of the first of the steps.
            from: usize,
            steps: &'a [StepLine],
        }
        let from = step.min(self.steps.len());
        serde_json::to_string(&Part { heading: &self.heading, from, steps: &self.steps[from..] })
    }
}

/// The steps of a finished game as all seats see them.
pub(super) fn public_steps(setup: Setup<'_>, game: &GameRecord) -> Result<Vec<StepLine>, String> {
    let mut steps = PublicSteps::default();
    replay_before(setup, game, &mut steps).map_err(|discrepancy| discrepancy.to_string())?;
    Ok(steps.steps)
}

/// Makes the steps that all seats see.
#[derive(Debug, Default)]
struct PublicSteps {
    told: usize,
    view: String,
    steps: Vec<StepLine>,
}

impl Onlooker for PublicSteps {
    /// Adds what the step before brought. One of which no one is told, as where a seat is asked once more,
    /// is none.
    fn stepped(&mut self, referee: &Referee) {
        let lines = referee.told_from(self.told).into_iter().filter_map(public).collect();
        let view = referee.public_view();
        let all = changed(&self.view, &view);
        self.told = referee.told();
        self.view = view;
        self.steps.extend(StepLine::public(lines, all));
    }
}

/// A line of the history as all may know it.
fn public(Told { full, secret }: Told) -> Option<String> {
    match secret {
        None => Some(full),
        Some(secret) => secret.public,
    }
}
