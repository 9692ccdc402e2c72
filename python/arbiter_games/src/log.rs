//! Finished games as a log that `arbiter verify` accepts.

use std::path::PathBuf;

use pyo3::exceptions::{PyFileExistsError, PyOSError};
use pyo3::prelude::*;
use record::{Line, LogWriter};
use series::header::CommittedSeed;
use series::schedule::{Orders, ScheduleLine};
use series::{Header, PlayerLine, Series, SeriesState};
use simulation::TIME;

use crate::given::wrong;
use crate::played::Played;
use crate::state::State;

/// Writes finished games to a new log: those of consecutive deals of one seed.
#[pyfunction]
pub(crate) fn save_log(
    py: Python<'_>,
    path: PathBuf,
    states: Vec<PyRef<'_, State>>,
    players: Vec<String>,
) -> PyResult<()> {
    let states: Vec<&Played> = states.iter().map(|state| &*state.0).collect();
    let Some(first) = states.first() else {
        return Err(wrong("no games, expected at least one"));
    };
    for (state, deal) in states.iter().zip(first.deal..) {
        let differs = match state {
            state if state.kind != first.kind || state.options() != first.options() => "game",
            state if state.seed != first.seed => "seed",
            state if state.deal != deal => "deal",
            _ => continue,
        };
        return Err(wrong(format!(
            "{} {}, deal {}: another {differs} than expected, which is deal {deal} of {} {} and the seed of \
             the first game",
            state.kind,
            state.options(),
            state.deal,
            first.kind,
            first.options()
        )));
    }
    let seed = CommittedSeed(first.seed.clone());
    let line = |name: &String| PlayerLine::in_process(name, name, TIME);
    let count = states.len() as u64;
    let schedule =
        ScheduleLine { first_deal: first.deal, ..ScheduleLine::round_robin(Orders::Listed, count) };
    let options = first.options().to_owned();
    let lines = players.iter().map(line).collect();
    let commitment = seed.commitment();
    let header = Header::in_process(&first.kind, options, lines, commitment, schedule, count);
    let series = Series::new(header.clone()).map_err(wrong)?;
    // All records are made before the file is, so that a game without one leaves no file behind.
    let games = states
        .iter()
        .zip(0..)
        .map(|(state, game)| state.with(py, |episode| episode.record(game, &players)));
    let games = games.collect::<Result<Vec<_>, String>>().map_err(wrong)?;
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => PyFileExistsError::new_err(format!(
            "{}: it exists, expected a new file",
            path.display()
        )),
        _ => PyOSError::new_err(format!("{}: {error}", path.display())),
    };
    let mut log = LogWriter::create(&path).map_err(failed)?;
    log.append(&Line::Header(Box::new(header))).map_err(failed)?;
    let mut state = SeriesState::new(series);
    for game in games {
        state.add(&game);
        log.append(&Line::Game(Box::new(game))).map_err(failed)?;
    }
    log.append(&Line::End(state.end(&seed))).map_err(failed)
}
