//! Results of the tables of a stage.

use std::path::Path;

use rules::{GameRecord, Outcome as Ended, Score};
use serde::{Deserialize, Serialize};
use standings::pairing::Outcome;

use crate::line::RoundLine;
use contest::tournament::read::{self, PartLog, Unreadable};
use series::Series;

/// The result of a table of two bots over all of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableResult {
    /// Number of games that each has won.
    pub won: [u64; 2],
    /// Number of drawn games.
    pub drawn: u64,
    /// The sum of the points of each.
    pub points: [Score; 2],
}

impl TableResult {
    /// The bot with more games won; a tie is a draw.
    pub fn outcome(self) -> Outcome {
        match self.won[0].cmp(&self.won[1]) {
            std::cmp::Ordering::Greater => Outcome::One,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Other,
        }
    }

    /// The winner of a match that must have one: more games won, then more points, then the better seed.
    pub fn winner(self, first_has_better_seed: bool) -> Outcome {
        let by_points = self.points[0].cmp(&self.points[1]);
        match self.won[0].cmp(&self.won[1]).then(by_points) {
            std::cmp::Ordering::Greater => Outcome::One,
            std::cmp::Ordering::Less => Outcome::Other,
            std::cmp::Ordering::Equal if first_has_better_seed => Outcome::One,
            std::cmp::Ordering::Equal => Outcome::Other,
        }
    }
}

/// Reads the log of a round in this folder, and returns the result of each table of two bots, in their order. None of
/// it is there if the round was not begun.
///
/// # Errors
///
/// [`Unreadable`] if the log cannot be read.
pub fn results(
    line: &RoundLine,
    path: &Path,
) -> Result<(Option<PartLog>, Vec<TableResult>), Unreadable> {
    let mut results = vec![TableResult::default(); line.tables.len()];
    let log = read::read_log(path, &mut |series, game| {
        add(line, series, game, &mut results);
        Ok(())
    });
    match log {
        Ok(log) => Ok((Some(log), results)),
        Err(Unreadable::NotBegun | Unreadable::NotMerged(_)) => Ok((None, results)),
        Err(error) => Err(error),
    }
}

/// Adds a game that counts.
pub(crate) fn add(
    line: &RoundLine,
    series: &Series,
    game: &GameRecord,
    results: &mut [TableResult],
) {
    let (Ended::Played { scores, .. } | Ended::Walkover { scores, .. }) = &game.result else {
        return;
    };
    let seated: Vec<usize> = series.seating(game.game).players.values().to_vec();
    let scores = scores.values();
    let ([one, other], [of_one, of_other]) = (seated.as_slice(), scores) else { return };
    let is_it = |bots: &[usize]| bots == [*one, *other] || bots == [*other, *one];
    let Some(at) = line.tables.iter().position(|table| is_it(&table.bots)) else { return };
    let (Some(table), Some(result)) = (line.tables.get(at), results.get_mut(at)) else { return };
    let scores = match table.bots.first() == Some(one) {
        true => [*of_one, *of_other],
        false => [*of_other, *of_one],
    };
    match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Greater => result.won[0] += 1,
        std::cmp::Ordering::Less => result.won[1] += 1,
        std::cmp::Ordering::Equal => result.drawn += 1,
    }
    result.points = [result.points[0] + scores[0], result.points[1] + scores[1]];
}
