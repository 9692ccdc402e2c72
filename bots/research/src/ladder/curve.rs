//! Strength of a player over a setting, as its time.

use std::num::NonZeroUsize;

use bots::options::BadOption;
use rules::Seed;
use serde::Serialize;
use simulation::SimulationError;

use crate::ladder::players::Contender;
use crate::ladder::{Course, Outcome, cut_moves, per_cent};

/// Place of a step in the text of a player.
pub const GAP: &str = "{}";

/// A player with a gap in its options, what is put there in turn, and its opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    /// The text of the player, with [`GAP`].
    pub player: String,
    pub steps: Vec<String>,
    pub against: Contender,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    course: Course,
    curve: Curve,
    points: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq)]
struct Point {
    player: Contender,
    /// Its outcome, and the outcome of the opponent.
    outcomes: [Outcome; 2],
}

impl Curve {
    /// The player at each step.
    pub fn players(&self) -> Result<Vec<Contender>, BadOption> {
        if !self.player.contains(GAP) {
            let found = self.player.escape_debug();
            let problem = format!("expected `{GAP}` where the steps go, found `{found}`");
            return Err(BadOption::Wrong(problem));
        }
        self.steps.iter().map(|step| self.player.replace(GAP, step).parse()).collect()
    }

    /// Plays all steps on the same deals, and tells of the end of each game.
    pub fn play(
        &self,
        course: &Course,
        workers: NonZeroUsize,
        game_over: &mut dyn FnMut(),
    ) -> Result<Points, SimulationError> {
        let name = || self.player.clone();
        let players =
            self.players().map_err(|problem| SimulationError::Player { name: name(), problem })?;
        let mut points = Vec::new();
        for player in players {
            let outcomes = course.play([&player, &self.against], workers, game_over)?;
            points.push(Point { player, outcomes });
        }
        Ok(Points { course: course.clone(), curve: self.clone(), points })
    }
}

impl Points {
    /// A table for documents: a row a step, with shares in per cent and half of their 95% intervals;
    /// below it what was played.
    pub fn markdown(&self) -> String {
        let Curve { player, steps, against } = &self.curve;
        let mut text = format!("| `{player}` | against `{against}` |\n| ---: | ---: |\n");
        for (step, point) in steps.iter().zip(&self.points) {
            text.push_str(&format!("| {step} | {} |\n", per_cent(&point.outcomes[0].share)));
        }
        text.push_str(&self.course.footer("step"));
        for point in &self.points {
            text.extend(cut_moves(&point.player, point.outcomes[0].cuts).map(|line| line + "\n"));
        }
        let theirs = self.points.iter().map(|point| point.outcomes[1].cuts).sum();
        text.extend(cut_moves(against, theirs).map(|line| line + "\n"));
        text
    }

    /// Writes one line of JSON, with shares from 0 to 1.
    pub fn json(&self) -> serde_json::Result<String> {
        let Curve { player, steps, against } = &self.curve;
        let steps = steps.iter().zip(&self.points).map(|(step, point)| {
            let [its, theirs] = point.outcomes;
            JsonStep {
                step,
                share: its.share.mean(),
                plus_minus: its.share.plus_minus(),
                cuts: its.cuts,
                cuts_against: theirs.cuts,
            }
        });
        let Course { kind, options, deals, seed } = &self.course;
        serde_json::to_string(&JsonPoints {
            game: kind.name(),
            options,
            deals: *deals,
            seed,
            player,
            against: against.to_string(),
            steps: steps.collect(),
        })
    }
}

#[derive(Serialize)]
struct JsonPoints<'a> {
    game: &'a str,
    options: &'a str,
    deals: u64,
    seed: &'a Seed,
    player: &'a str,
    against: String,
    steps: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    step: &'a str,
    share: f64,
    plus_minus: Option<f64>,
    /// Number of moves that a time limit cut short, of the player and its opponent.
    cuts: u64,
    cuts_against: u64,
}
