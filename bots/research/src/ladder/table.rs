//! All pairs of players, as a table in Markdown and as JSON.

use std::num::NonZeroUsize;

use rules::Seed;
use serde::Serialize;
use simulation::SimulationError;

use crate::ladder::players::Contender;
use crate::ladder::{Course, Outcome, cut_moves, per_cent};

/// Results of all pairs, the strongest player first.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    course: Course,
    rows: Vec<Row>,
}

/// Results of one player.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    player: Contender,
    /// Against each other one, in the order of the rows, with nothing against itself.
    outcomes: Vec<Option<Outcome>>,
}

impl Table {
    /// Number of games between this number of players.
    pub fn games(course: &Course, players: usize) -> u64 {
        let players = players as u64;
        (players * players.saturating_sub(1) / 2).saturating_mul(course.games())
    }

    /// Plays all pairs, and tells of the end of each game.
    pub fn play(
        course: &Course,
        players: &[Contender],
        workers: NonZeroUsize,
        game_over: &mut dyn FnMut(),
    ) -> Result<Table, SimulationError> {
        let mut outcomes = vec![vec![None; players.len()]; players.len()];
        for (first, one) in players.iter().enumerate() {
            for (second, other) in players.iter().enumerate().skip(first + 1) {
                let [its, theirs] = course.play([one, other], workers, game_over)?;
                outcomes[first][second] = Some(its);
                outcomes[second][first] = Some(theirs);
            }
        }
        let mut order: Vec<usize> = (0..players.len()).collect();
        // The sort is stable: of equals the one that was named first comes first.
        order.sort_by(|one, other| mean(&outcomes[*other]).total_cmp(&mean(&outcomes[*one])));
        let row = |place: &usize| Row {
            player: players[*place].clone(),
            outcomes: order.iter().map(|other| outcomes[*place][*other]).collect(),
        };
        Ok(Table { course: course.clone(), rows: order.iter().map(row).collect() })
    }

    /// A table for documents: a row and a column a player, the strongest first, with shares in per
    /// cent and half of their 95% intervals; below it what was played.
    pub fn markdown(&self) -> String {
        let places = 1..=self.rows.len();
        let heading = places.clone().map(|place| format!(" {place} |")).collect::<String>();
        let rule = " ---: |".repeat(self.rows.len());
        let mut text = format!("| | player | mean |{heading}\n| ---: | --- | ---: |{rule}\n");
        for (place, row) in places.zip(&self.rows) {
            let mean = 100.0 * mean(&row.outcomes);
            text.push_str(&format!("| {place} | `{}` | {mean:.1} |", row.player));
            for outcome in &row.outcomes {
                let share = outcome.map_or("-".to_owned(), |outcome| per_cent(&outcome.share));
                text.push_str(&format!(" {share} |"));
            }
            text.push('\n');
        }
        text.push_str(&self.course.footer("pair"));
        for row in &self.rows {
            text.extend(cut_moves(&row.player, row.cuts()).map(|line| line + "\n"));
        }
        text
    }

    /// Writes one line of JSON, with shares from 0 to 1.
    pub fn json(&self) -> serde_json::Result<String> {
        let against = |row: &Row| -> Vec<JsonOutcome> {
            let others = self.rows.iter().zip(&row.outcomes);
            let outcome = |(other, outcome): (&Row, &Option<Outcome>)| {
                let share = (*outcome)?.share;
                let player = other.player.to_string();
                Some(JsonOutcome { player, share: share.mean(), plus_minus: share.plus_minus() })
            };
            others.filter_map(outcome).collect()
        };
        let row = |row: &Row| JsonRow {
            player: row.player.to_string(),
            mean: mean(&row.outcomes),
            cuts: row.cuts(),
            against: against(row),
        };
        let Course { kind, options, deals, seed } = &self.course;
        serde_json::to_string(&JsonTable {
            game: kind.name(),
            options,
            deals: *deals,
            seed,
            players: self.rows.iter().map(row).collect(),
        })
    }
}

impl Row {
    /// Number of its moves that a time limit cut short.
    fn cuts(&self) -> u64 {
        self.outcomes.iter().flatten().map(|outcome| outcome.cuts).sum()
    }
}

/// The mean share against all others; 0 where there are none.
fn mean(outcomes: &[Option<Outcome>]) -> f64 {
    let shares: Vec<f64> = outcomes.iter().flatten().map(|outcome| outcome.share.mean()).collect();
    shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

#[derive(Serialize)]
struct JsonTable<'a> {
    game: &'a str,
    options: &'a str,
    deals: u64,
    seed: &'a Seed,
    players: Vec<JsonRow>,
}

#[derive(Serialize)]
struct JsonRow {
    player: String,
    mean: f64,
    /// Number of its moves that a time limit cut short; only if it is 0, every run is the same.
    cuts: u64,
    against: Vec<JsonOutcome>,
}

#[derive(Serialize)]
struct JsonOutcome {
    player: String,
    share: f64,
    plus_minus: Option<f64>,
}
