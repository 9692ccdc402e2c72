//! `arbiter puzzles`: decisions of logs with one clearly best move, as files.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use review::{DecisionBudget, LogReview, ReviewScope};
use text::shell::word;
use text::{counted, printable, system_error};

use crate::commands::log_target::whole;
use crate::commands::review::{failed, games, opened};
use crate::output::progress_bar::GameProgressBar;
use sandbox::unfinished::{self, NewFolder};
use text::failure::Failure;

/// The options of `arbiter puzzles`.
#[derive(Debug)]
pub(crate) struct PuzzlesRequest {
    /// The log, or the folder of a tournament or a league.
    pub log: PathBuf,
    pub of: ReviewScope,
    /// The folder, new or empty.
    pub folder: PathBuf,
    /// The most puzzles.
    pub most: usize,
    pub budget: DecisionBudget,
    /// The number of threads; by default the number of cores.
    pub workers: Option<NonZeroUsize>,
}

/// Writes the puzzles of a log into a folder.
pub(crate) fn run(request: &PuzzlesRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let PuzzlesRequest { folder, most, .. } = request;
    let paths = whole(&request.log);
    let mut logs = paths.iter().map(|path| opened(path)).collect::<Result<Vec<_>, _>>()?;
    let workers = request.workers.unwrap_or_else(super::cores);
    let review = LogReview { budget: request.budget, of: request.of.clone(), workers };
    review.check(&logs).map_err(|error| failed(error, &paths))?;
    let unwritten = |error: io::Error| {
        let shown = printable(&folder.display().to_string());
        Failure::Usage(format!("cannot write puzzles to `{shown}`: {}", system_error(error)))
    };
    let new = new_folder(folder).map_err(unwritten)?;
    let bar = GameProgressBar::start(games(&logs))?;
    let (mut count, mut written) = (0, Ok(()));
    let found = review.puzzles(&mut logs, &mut |puzzles| {
        bar.game_over();
        for puzzle in puzzles.into_iter().take(*most - count) {
            written = puzzle.write(&new.path());
            if written.is_err() {
                return ControlFlow::Break(());
            }
            count += 1;
        }
        if count == *most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.clear();
    written.map_err(unwritten)?;
    found.map_err(|error| failed(error, &paths))?;
    if count == 0 {
        let log = printable(&request.log.display().to_string());
        return Err(Failure::Usage(format!("{log}: no decision with one clearly best move")));
    }
    new.put("").map_err(unwritten)?;
    let (puzzles, folder) = (counted(count, "puzzle", "puzzles"), word(folder));
    writeln!(out, "{puzzles} in {folder}")?;
    writeln!(out, "next: arbiter check BOT --puzzles {folder}")?;
    Ok(())
}

/// Begins a folder, which may exist if it is empty.
fn new_folder(folder: &Path) -> io::Result<NewFolder> {
    match unfinished::is_free(folder)? {
        true => NewFolder::for_all_at(folder),
        false => Err(io::Error::other("it is not empty")),
    }
}
