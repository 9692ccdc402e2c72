//! A tournament as far as its log goes, for readers, who change nothing and need no lock.

use std::path::Path;

use thiserror::Error;

use crate::fate::Fate;
use crate::log::{self, BadLine, Line, LogReader};
use crate::series::Series;
use crate::tournament::count;
use crate::tournament::folder::{self, BadFolder};
use crate::tournament::plan::Plan;
use crate::tournament::plan_file::{self, BadPlanFile, Reader};
use crate::tournament::run::Progress;
use crate::verify::check_place;

/// Why a tournament cannot be read; one line.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// There is none.
    #[error(transparent)]
    Folder(#[from] BadFolder),
    /// Its plan is not as it must be.
    #[error("its plan: {0}")]
    Plan(#[from] BadPlanFile),
    /// A line of its log is not as it must be.
    #[error("its log: line {line} {problem}")]
    Log {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Its log cannot be opened.
    #[error("its log cannot be opened: {0}")]
    Closed(#[from] std::io::Error),
    /// Nothing was played yet.
    #[error("nothing was played yet")]
    NotBegun,
}

/// The plan of the tournament in a folder.
///
/// # Errors
///
/// [`Unreadable`]
pub fn plan(path: &Path, reader: Reader<'_>) -> Result<Plan, Unreadable> {
    let text = folder::read_plan(path)?;
    Ok(plan_file::read(&text, reader)?)
}

/// Where the tournament in a folder stands. The log is read, not verified; a last line that is
/// being written counts for nothing.
///
/// # Errors
///
/// [`Unreadable`]
pub fn progress(path: &Path) -> Result<Progress, Unreadable> {
    let plan = plan(path, Reader::Looks)?;
    let mut reader = match log::open(&folder::games(path)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Unreadable::NotBegun);
        }
        other => LogReader::new(other?),
    };
    let mut progress = None;
    loop {
        let line = reader.number() + 1;
        let wrong = |problem: String| Unreadable::Log { line, problem };
        match (reader.next_line(), &mut progress) {
            (Ok(None) | Err(BadLine::Torn), _) => return progress.ok_or(Unreadable::NotBegun),
            (Err(bad), _) => return Err(wrong(bad.to_string())),
            (Ok(Some(read)), None) => match read.line {
                Line::Header(header) => {
                    let series = Series::new(*header).map_err(wrong)?;
                    progress = Some(Progress::new(series, &plan));
                }
                Line::Game(_) | Line::End(_) => return Err(wrong("is not the header".to_owned())),
            },
            (Ok(Some(read)), Some(Progress { series, course, tally, totals })) => match read.line {
                Line::Game(game) => {
                    check_place(&game, course, series).map_err(wrong)?;
                    totals.add(&game, series);
                    if course.add(series, &game) == Fate::Counts {
                        count::add(tally, series, &game).map_err(wrong)?;
                    }
                }
                Line::Header(_) => return Err(wrong("is a header again".to_owned())),
                Line::End(_) => {}
            },
        }
    }
}
