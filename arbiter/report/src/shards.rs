//! Reads a tournament whose shards are not merged yet: the games of all shards, as far as they are there.

use crate::NotWritten;
use crate::data::Data;
use crate::reading::{Counts, Reading, State, followed, plan_without_seed, unreadable, wrong};
use crate::source::Source;
use series::SeriesState;
use contest::tournament::folder::{self, shown};
use contest::tournament::plan::Plan;
use contest::tournament::read;
use contest::tournament::sharded::Sharding;
use contest::tournament::sharded::survey::{
    Stage, all_pieces, begun, planned_players, survey, takes,
};
use record::checked_log::{CheckedLog, LogError, LogRange};
use record::{self, LogProblem, LogReader};

/// Reads the games of all shards in their order, and hands on those that merging would take, as far as that
/// is known.
pub(super) fn read(
    source: &Source,
    plan: &Plan,
    sharding: Sharding,
    data: &mut Data,
) -> Result<Reading, NotWritten> {
    let whole = source.path();
    let usage = |error: read::Unreadable| NotWritten::Usage(format!("`{}`: {error}", shown(whole)));
    let mut state = begun(whole, plan).map_err(usage)?.games;
    let series = state.series.clone();
    let mut counts = Counts::new(source, &series)
        .map_err(|problem| wrong(&shown(whole), LogProblem::line(1, problem)))?;
    let players = planned_players(whole, plan).map_err(usage)?;
    let dealing = plan.settings().seed.known().map(|seed| series.dealing(seed));
    let mut is_running = false;
    for piece in survey(whole, plan, &players, all_pieces(plan, sharding)) {
        let path = shown(&piece.path);
        match piece.stage {
            Stage::Missing => continue,
            Stage::Wrong(problem) => return Err(NotWritten::Wrong(format!("`{path}` {problem}"))),
            Stage::Begun { is_running: runs, .. } => is_running |= runs,
            Stage::Over { .. } => {}
        }
        let log = record::open(&folder::games(&piece.path)).map_err(|it| unreadable(&path, it))?;
        let broken = |broken: LogError| wrong(&path, broken.into());
        let log = CheckedLog::begin(LogReader::new(log), LogRange::SoFar, None);
        let mut log = log.map_err(broken)?;
        while let Some(next) = log
            .next_game(|fold, game, ()| followed(fold.series(), game, dealing.as_ref()))
            .map_err(broken)?
        {
            if !takes(&state, &next.game) {
                continue;
            }
            state.add(&next.game);
            let (line, number) = (next.line, next.game.game);
            let game = counts.add(&series, next).map_err(|problem| {
                wrong(&path, LogProblem { line, game: Some(number), problem })
            })?;
            data.add(&game)?;
        }
    }
    let refused = read::entrants(whole).map_err(usage)?.refused;
    let Counts { tally, figures, machines, .. } = counts;
    let SeriesState { series, progress, totals } = state;
    Ok(Reading {
        path: whole.to_owned(),
        plan: Some(plan_without_seed(plan)?),
        refused,
        series,
        progress,
        totals,
        standings: tally.standings(),
        figures,
        machines,
        head: None,
        state: if is_running { State::Running } else { State::Unfinished },
        review: None,
    })
}
