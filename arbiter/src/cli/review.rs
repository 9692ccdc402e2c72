//! `arbiter review` and `arbiter puzzles` on the command line.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::arguments::number;
use clap::Args;
use review::{DecisionBudget, MOST_WORLDS, ReviewScope};

use super::game::{LoggedGameName, must_have_number, of_log, opened_of_log};
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use crate::commands::log_target::or_last;
use crate::commands::puzzles::{self, PuzzlesRequest};
use crate::commands::review::{ReviewFormat, ReviewRequest, run};
use crate::commands::valuing_program::ValuingProgramOptions;
use bot::spelt_as_names;
use sandbox::duration;
use series::Conditions;
use text::failure::Failure;
use text::shell::word;

const HELP: &str = "The built-in experts rate every legal move from the information available to \
the seat. Shows the average loss, the recurring mistakes and the costliest decisions of each bot. \
Only statistically significant losses count as mistakes. Results are cached in LOG.review, which \
you can delete.

With --by, your own bot rates the moves, in any game. COMMAND is a BOT as in `arbiter match`; it \
prints one line `value MOVE NUMBER` per move on standard error, NUMBER being the win probability \
from 0 to 1. Limits and isolation apply to it. Exits with 5 if it rates no decision.

Examples:
  arbiter review
  arbiter review cup --bot my-bot
  arbiter review match.jsonl --game 3
  arbiter review match.jsonl --game 3 --move 17
  arbiter review match.jsonl --worlds 2000 --csv > moves.csv
  arbiter review match.jsonl --by \"python3 my_bot.py\" --time-limit 30s";

/// `arbiter review`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ReviewArgs {
    /// Log, or tournament or league folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Only decisions of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Only this game (from 0), with its three costliest decisions per seat; or the custom game of
    /// a stand-alone log (folder, .wasm module or command)
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Only this move (from 0), with all its alternatives
    #[arg(long = "move", value_name = "M", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// Sampled worlds per move [default: 400; 2000 in Durak]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of worlds", 2..=u64::from(MOST_WORLDS)))]
    worlds: Option<u32>,
    /// Time per decision instead of a number of worlds; not reproducible
    #[arg(long, value_name = "DURATION", conflicts_with = "worlds", value_parser = duration)]
    time: Option<Duration>,
    /// Bot to rate the moves, with lines `value MOVE NUMBER` on standard error
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["worlds", "time"])]
    by: Option<String>,
    /// Number of threads; does not affect the result [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    jobs: Option<u16>,
    /// Print JSON lines: one per game, one per bot
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV: one row per alternative of each decision
    #[arg(long)]
    csv: bool,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl ReviewArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ReviewArgs { log, bot, game, number, worlds, time, jobs, json, csv, .. } = self;
        let (game, mut repeated) = opened_of_log(game, self.rules)?;
        must_have_number(game, &[("--move", number.is_some())])?;
        repeated.extend(worlds.map(|worlds| format!("--worlds {worlds}")));
        let is_bare = self.isolation.is_empty();
        let (limits, isolation) = (self.limits.asked(), self.isolation.asked()?);
        let by = match self.by {
            None if !is_bare || !limits.is_empty() => {
                let problem = "limits and isolation need --by COMMAND";
                return Err(Failure::Usage(problem.to_owned()));
            }
            None => None,
            Some(command) => {
                // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
                let bot = command.parse()?;
                repeated.push(format!("--by {}", word(Path::new(&command))));
                repeated.extend(limits.options().into_iter().chain(isolation.options()));
                let conditions = Conditions { limits, isolation, ..Conditions::default() };
                Some(ValuingProgramOptions { bot, conditions })
            }
        };
        let budget = match (worlds, time) {
            (Some(worlds), _) => DecisionBudget::Worlds(worlds),
            (None, Some(time)) => DecisionBudget::Time(time),
            (None, None) => DecisionBudget::Usual,
        };
        let format = match (json, csv) {
            (true, _) => ReviewFormat::Json,
            (false, true) => ReviewFormat::Csv,
            (false, false) => ReviewFormat::Text,
        };
        let of = ReviewScope { bot: bot.as_deref().map(spelt_as_names), game, number };
        let workers = jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let log = or_last(log)?;
        run(&ReviewRequest { log, of, budget, by, workers, format, repeated }, out)
    }
}

const PUZZLES_HELP: &str = "A puzzle is a position whose best move leads all others by at least \
10% win probability. Puzzles come from the earliest suitable games, at most two per game. Each has \
two files: NAME.request, the original request, and NAME.json, the values of all moves.

Examples:
  arbiter puzzles cup -o lessons
  arbiter check ./my-bot --puzzles lessons
  ./my-bot/bot.py < lessons/game-3-move-17-5e884898.request";

/// `arbiter puzzles`.
#[derive(Debug, Args)]
#[command(after_help = PUZZLES_HELP)]
pub(super) struct PuzzlesArgs {
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
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    jobs: Option<u16>,
}

impl PuzzlesArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let PuzzlesArgs { log, output, bot, limit: most, worlds, jobs } = self;
        let of = ReviewScope { bot: bot.as_deref().map(spelt_as_names), ..ReviewScope::default() };
        let budget = worlds.map_or(DecisionBudget::Usual, DecisionBudget::Worlds);
        let workers = jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let log = or_last(log)?;
        puzzles::run(&PuzzlesRequest { log, of, folder: output, most, budget, workers }, out)
    }
}
