//! A game that is being played, for the viewer: the steps so far, with all hands or with their public part
//! alone.
//!
//! The public part is the public form of each event, and the lines of the view that belong to no seat. It has
//! no answers with their output, and does not tell that a seat was not asked since it had no choice: the
//! other seats do not know that.

use rules::replay::{Onlooker, Setup, replay_before, replay_begun};
use rules::{GameInProgress, GameRecord, HistoryLine, Referee};
use serde::Serialize;

use crate::game_line::{HandVisibility, StepLine};
use crate::steps::{StepsBuilder, view_changes};
use series::Series;

/// A game that is being played.
#[derive(Debug)]
pub struct LiveGame {
    heading: LiveGameHeading,
    steps: Vec<StepLine>,
}

/// The heading of a game that is being played, as it stands in a list.
#[derive(Debug, Clone, Serialize)]
pub struct LiveGameHeading {
    /// Its number, from 0.
    pub number: u64,
    /// The number of earlier attempts.
    pub attempt: u32,
    /// The number of its deal, from 0.
    pub deal: u64,
    /// Its public name.
    pub id: String,
    /// The places of the players in the list of names, by seat.
    pub seats: Vec<usize>,
    ending: &'static str,
    /// The points by seat so far, as text.
    pub scores: Vec<String>,
    /// The number of moves so far.
    pub moves: u32,
    /// The hands in its steps.
    pub hands: HandVisibility,
}

impl LiveGame {
    /// Derives the steps so far of a game of a series.
    ///
    /// # Errors
    ///
    /// Names the fault in one line.
    pub fn new(
        series: &Series,
        begun: &GameInProgress,
        hands: HandVisibility,
    ) -> Result<LiveGame, String> {
        if begun.game >= series.schedule().games() {
            return Err(format!("no game {}", begun.game));
        }
        let seating = series.seating(begun.game);
        let names = series.players(begun.game);
        let is_seated = names.values().iter().map(|player| &player.name).eq(&begun.seats);
        if !is_seated || seating.deal != begun.deal {
            return Err(format!("game {} is not the one of the schedule", begun.game));
        }
        let setup = || series.setup(&begun.record(), None);
        let (referee, steps) = match hands {
            HandVisibility::Public => {
                let mut steps = PublicStepsBuilder::default();
                (replay_begun(setup(), begun, &mut steps), steps.steps)
            }
            HandVisibility::Open => {
                let record = begun.record();
                let mut steps = StepsBuilder::new(&record);
                (replay_begun(setup(), begun, &mut steps), steps.finish())
            }
        };
        let referee = referee.map_err(|discrepancy| discrepancy.to_string())?;
        let scores = referee.points_so_far();
        let heading = LiveGameHeading {
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
        Ok(LiveGame { heading, steps })
    }

    /// The game without its steps.
    pub fn heading(&self) -> &LiveGameHeading {
        &self.heading
    }

    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The game with the steps from this one on, as JSON.
    pub fn json_from(&self, step: usize) -> serde_json::Result<String> {
        #[derive(Serialize)]
        struct Part<'a> {
            #[serde(flatten)]
            heading: &'a LiveGameHeading,
            /// The number of the first of the steps.
            from: usize,
            steps: &'a [StepLine],
        }
        let from = step.min(self.steps.len());
        serde_json::to_string(&Part { heading: &self.heading, from, steps: &self.steps[from..] })
    }
}

/// The public part of the steps of a finished game.
pub(super) fn public_steps(setup: Setup<'_>, game: &GameRecord) -> Result<Vec<StepLine>, String> {
    let mut steps = PublicStepsBuilder::default();
    replay_before(setup, game, &mut steps).map_err(|discrepancy| discrepancy.to_string())?;
    Ok(steps.steps)
}

/// Makes the public part of steps.
#[derive(Debug, Default)]
struct PublicStepsBuilder {
    told: usize,
    view: String,
    steps: Vec<StepLine>,
}

impl Onlooker for PublicStepsBuilder {
    /// Adds the news of the step before. A step without public news, as when a seat is asked once more, is
    /// left out.
    fn stepped(&mut self, referee: &Referee) {
        let lines = referee.history_lines(self.told).into_iter().filter_map(public_line).collect();
        let view = referee.public_view();
        let all = view_changes(&self.view, &view);
        self.told = referee.history_len();
        self.view = view;
        self.steps.extend(StepLine::public(lines, all));
    }
}

/// The public form of a line of the history.
fn public_line(HistoryLine { full, tell, secret }: HistoryLine) -> Option<HistoryLine> {
    match secret {
        None => Some(HistoryLine { full, tell, secret: None }),
        Some(secret) => {
            secret.public.map(|full| HistoryLine { full, tell: secret.tell, secret: None })
        }
    }
}
