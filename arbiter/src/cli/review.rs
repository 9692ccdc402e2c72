//! `arbiter review` and `arbiter puzzles` on the command line.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use review::{Budget, MOST_WORLDS, Of};

use super::game::{OfLog, must_have_number, of_log, opened_of_log};
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use super::number::number;
use crate::commands::asked_log::or_last;
use crate::commands::puzzles::{self, PuzzlesRequest};
use crate::commands::review::{Format, ReviewRequest, run};
use crate::commands::review_by::By;
use conditions::Conditions;
use conditions::bot::limits::duration;
use conditions::bot::{BadBot, spelt_as_names};
use conditions::failure::Failure;
use text::shell::word;

const HELP: &str = "Values every different legal move of each decision from what the seat could know, by the \
experts of the game, and shows what each bot gives away, its typical mistakes and its dearest decisions. \
A move is called a mistake only beyond chance. The results are kept in a file LOG.review beside the log, \
which you can delete.

With --by, a program of yours values the moves, of any game. It is named and asked as a bot in `arbiter match`, \
and prints a line `value MOVE NUMBER` on standard error for each move, with the chance to win from 0 to 1. The \
limits and the isolation are those of this program. If it values no decision, the exit code is 5.

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
    /// The log, or the folder of a tournament or a league [default: the log of the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Only the decisions of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Only this game, with its three dearest decisions of each seat; games are numbered from 0. Or the custom
    /// game that the log names: a folder, a .wasm module or a command
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<OfLog>,
    /// Only this move of the game, with all different legal moves; moves are numbered from 0
    #[arg(long = "move", value_name = "M", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// In how many sampled worlds to try each move [default: 400; 2000 in Durak]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of worlds", 2..=u64::from(MOST_WORLDS)))]
    worlds: Option<u32>,
    /// Use this time for each decision in place of a number of worlds; two such reviews differ
    #[arg(long, value_name = "DURATION", conflicts_with = "worlds", value_parser = duration)]
    time: Option<Duration>,
    /// Let this program value the moves by lines `value MOVE NUMBER` on its standard error; it is named
    /// as a bot in `arbiter match`
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["worlds", "time"])]
    by: Option<String>,
    /// The number of threads; it does not affect the result [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    jobs: Option<u16>,
    /// Print a line of JSON for each game and each bot
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a row for each move of each decision, for spreadsheets
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
                let bot =
                    command.parse().map_err(|error: BadBot| Failure::Usage(error.to_string()))?;
                repeated.push(format!("--by {}", word(Path::new(&command))));
                repeated.extend(limits.options().into_iter().chain(isolation.options()));
                let conditions = Conditions { limits, isolation, ..Conditions::default() };
                Some(By { bot, conditions })
            }
        };
        let budget = match (worlds, time) {
            (Some(worlds), _) => Budget::Worlds(worlds),
            (None, Some(time)) => Budget::Time(time),
            (None, None) => Budget::Usual,
        };
        let format = match (json, csv) {
            (true, _) => Format::Json,
            (false, true) => Format::Csv,
            (false, false) => Format::Text,
        };
        let of = Of { bot: bot.as_deref().map(spelt_as_names), game, number };
        let workers = jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let log = or_last(log)?;
        run(&ReviewRequest { log, of, budget, by, workers, format, repeated }, out)
    }
}

const PUZZLES_HELP: &str = "A puzzle is a decision with one clearly best move: it leads every other one by 10% of a win. \
They come from the first games of the log that have any, at most two from each. Each has two files: NAME.request, as it was sent to a bot, and NAME.json with the values of all moves.

Examples:
  arbiter puzzles cup -o lessons
  arbiter check ./my-bot --puzzles lessons
  ./my-bot/bot.py < lessons/game-3-move-17-5e884898.request";

/// `arbiter puzzles`.
#[derive(Debug, Args)]
#[command(after_help = PUZZLES_HELP)]
pub(super) struct PuzzlesArgs {
    /// The log, or the folder of a tournament or a league [default: the log of the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// The folder, new or empty
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Only decisions of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// The most puzzles
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number::<usize>("a number of puzzles", 1..=10_000))]
    most: usize,
    /// In how many sampled worlds to try each move; five times as many confirm a puzzle [default: 400;
    /// 2000 in Durak]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of worlds", 2..=u64::from(MOST_WORLDS)))]
    worlds: Option<u32>,
    /// The number of threads; it does not affect the result [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    jobs: Option<u16>,
}

impl PuzzlesArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let PuzzlesArgs { log, output, bot, most, worlds, jobs } = self;
        let of = Of { bot: bot.as_deref().map(spelt_as_names), ..Of::default() };
        let budget = worlds.map_or(Budget::Usual, Budget::Worlds);
        let workers = jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let log = or_last(log)?;
        puzzles::run(&PuzzlesRequest { log, of, folder: output, most, budget, workers }, out)
    }
}
