//! `arbiter puzzles`: decisions of logs with one clearly best move, as files.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bot::spelt_as_names;
use clap::Args;
use review::{DecisionBudget, LogReview, MOST_WORLDS, ReviewScope};
use text::shell::word;
use text::{counted, printable, system_error};

use crate::commands::review::{failed, games, opened};
use crate::options::logs::{or_last, whole};
use crate::options::{at_once, number};
use crate::output::progress_bar::GameProgressBar;
use sandbox::unfinished::{self, NewFolder};
use text::failure::Failure;

const HELP: &str = "A puzzle is a position whose best move leads all others by at least \
10% win probability. Puzzles come from the earliest suitable games, at most two per game. Each has \
two files: NAME.request, the original request, and NAME.json, the values of all moves.

Examples:
  arbiter puzzles cup -o lessons
  arbiter check ./my-bot --puzzles lessons
  ./my-bot/bot.py < lessons/game-3-move-17-5e884898.request";

/// `arbiter puzzles`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct PuzzlesArgs {
    /// Log, or tournament or league folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Output folder, new or empty
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Only positions of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Maximum number of puzzles
    #[arg(long, alias = "most", value_name = "N", default_value_t = 50, value_parser = number::<usize>("a number of puzzles", 1..=10_000))]
    limit: usize,
    /// Sampled worlds per move; five times as many confirm a puzzle [default: 400; 2000 in Durak]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of worlds", 2..=u64::from(MOST_WORLDS)))]
    worlds: Option<u32>,
    /// Number of threads; does not affect the result [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_once("a number of threads"))]
    jobs: Option<NonZeroUsize>,
}

impl PuzzlesArgs {
    /// Writes the puzzles of a log into a folder.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let PuzzlesArgs { log, output: folder, bot, limit: most, worlds, jobs } = self;
        let (log, folder) = (or_last(log)?, &folder);
        let paths = whole(&log);
        let mut logs = paths.iter().map(|path| opened(path)).collect::<Result<Vec<_>, _>>()?;
        let review = LogReview {
            budget: worlds.map_or(DecisionBudget::Usual, DecisionBudget::Worlds),
            of: ReviewScope { bot: bot.as_deref().map(spelt_as_names), ..ReviewScope::default() },
            workers: jobs.unwrap_or_else(super::cores),
        };
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
            for puzzle in puzzles.into_iter().take(most - count) {
                written = puzzle.write(&new.path());
                if written.is_err() {
                    return ControlFlow::Break(());
                }
                count += 1;
            }
            if count == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.clear();
        written.map_err(unwritten)?;
        found.map_err(|error| failed(error, &paths))?;
        if count == 0 {
            let log = printable(&log.display().to_string());
            return Err(Failure::Usage(format!("{log}: no decision with one clearly best move")));
        }
        new.put("").map_err(unwritten)?;
        let (puzzles, folder) = (counted(count, "puzzle", "puzzles"), word(folder));
        writeln!(out, "{puzzles} in {folder}")?;
        writeln!(out, "next: arbiter check BOT --puzzles {folder}")?;
        Ok(())
    }
}

/// Begins a folder, which may exist if it is empty.
fn new_folder(folder: &Path) -> io::Result<NewFolder> {
    match unfinished::is_free(folder)? {
        true => NewFolder::for_all_at(folder),
        false => Err(io::Error::other("it is not empty")),
    }
}
