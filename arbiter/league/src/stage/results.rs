//! Results of the tables of a stage.

use std::path::Path;

use rules::{GameRecord, Outcome as Ended};

use crate::line::RoundLine;
use crate::stage::line::{ForfeitRule, TableResult};
use contest::tournament::read::{self, PartLog, Unreadable};
use series::Series;

/// Reads the log of a round in this folder, and returns the result of each table of two bots, in their order, as a stage
/// with this rule writes it. None of the log is there if the round was not begun.
///
/// # Errors
///
/// [`Unreadable`] if the log cannot be read.
pub fn results(
    line: &RoundLine,
    rule: ForfeitRule,
    path: &Path,
) -> Result<(Option<PartLog>, Vec<TableResult>), Unreadable> {
    let mut results = vec![TableResult::default().by(rule); line.tables.len()];
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
    let (Ended::Played { scores, out } | Ended::Walkover { scores, out }) = &game.result else {
        return;
    };
    let seated: Vec<usize> = series.seating(game.game).players.values().to_vec();
    let scores = scores.values();
    let ([one, other], [of_one, of_other]) = (seated.as_slice(), scores) else { return };
    let is_it = |bots: &[usize]| bots == [*one, *other] || bots == [*other, *one];
    let Some(at) = line.tables.iter().position(|table| is_it(&table.bots)) else { return };
    let (Some(table), Some(result)) = (line.tables.get(at), results.get_mut(at)) else { return };
    let mut scores = [*of_one, *of_other];
    let mut is_out = [0, 1].map(|seat| out.values().get(seat).is_some_and(Option::is_some));
    if table.bots.first() != Some(one) {
        scores.reverse();
        is_out.reverse();
    }
    if let Some(forfeited) = &mut result.forfeited {
        *forfeited = [0, 1].map(|bot| forfeited[bot] + u64::from(is_out[bot]));
    }
    match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Greater => result.won[0] += 1,
        std::cmp::Ordering::Less => result.won[1] += 1,
        std::cmp::Ordering::Equal => result.drawn += 1,
    }
    result.points = [result.points[0] + scores[0], result.points[1] + scores[1]];
}
