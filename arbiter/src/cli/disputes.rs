//! The commands that settle disputes about logs, on the command line.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use rules::Digest;

use super::arguments::{number, report_format};
use super::game::{LoggedGameName, RulesArgs, must_have_number, of_log, opened_of_log};
use super::isolation::IsolationArgs;
use crate::commands::explain::{self, ExplainRequest, ExplanationLength, WhichAnswers};
use crate::commands::log_target::{all_or_last, or_last};
use crate::commands::request::{self, RequestOptions};
use crate::commands::rerun::{self, RerunRequest, WhichGames};
use crate::commands::show::{self, EndOfLog, SeatView, ShowRequest};
use crate::commands::verify::{self, VerifyRequest};
use crate::disputes::logged_game::GameOfLog;
use bot::{BotSpec, spelt_as_names};
use text::failure::Failure;

const VERIFY_HELP: &str =
    "Recomputes requests, moves, cards and results. Only the head reveals a log that was replaced \
as a whole: publish it.

Examples:
  arbiter verify match.jsonl
  arbiter verify cup
  arbiter verify --head $(cat published) match.jsonl
  arbiter verify match.jsonl --game ./my-game";

/// `arbiter verify`.
#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub(super) struct VerifyArgs {
    /// Require this published head
    #[arg(long, value_name = "HASH")]
    head: Option<Digest>,
    /// Games to recompute in parallel [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    jobs: Option<u16>,
    /// Print JSON, one line per log
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
    /// Logs or tournament folders [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    logs: Vec<PathBuf>,
}

impl VerifyArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.rules.open()?;
        let jobs = self.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let format = report_format(self.json);
        let paths = all_or_last(self.logs)?;
        let request = VerifyRequest { paths, head: self.head, jobs, format };
        verify::run(&request, out).map_err(Failure::or_undone)
    }
}

/// `arbiter show`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  arbiter show --game 0
  arbiter show match.jsonl --game 0
  arbiter show match.jsonl --game 0 --seat 1
  arbiter show match.jsonl --bot greedy --seat own
  arbiter show match.jsonl --json
  arbiter show match.jsonl --follow")]
pub(super) struct ShowArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Only this game, from 0; or the custom game of a stand-alone log (a folder, a .wasm module or a
    /// command)
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Only games of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Show the view of one seat, from 0, or `own` for the seat of --bot
    #[arg(long, value_name = "S", value_parser = view)]
    seat: Option<SeatView>,
    /// Print JSON, one line per event
    #[arg(long)]
    json: bool,
    /// Follow a running match; Ctrl-C stops
    #[arg(long, short)]
    follow: bool,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
}

impl ShowArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ShowArgs { log, game, bot, seat: view, json, follow, rules } = self;
        let (game, _) = opened_of_log(game, rules)?;
        if view == Some(SeatView::Own) && bot.is_none() {
            let problem = "--seat own needs a bot: add --bot NAME";
            return Err(Failure::Usage(problem.to_owned()));
        }
        let end = if follow { EndOfLog::Wait } else { EndOfLog::Stop };
        let bot = bot.as_deref().map(spelt_as_names);
        let log = or_last(log)?;
        show::run(&ShowRequest { log, game, bot, view, format: report_format(json), end }, out)
    }
}

fn view(text: &str) -> Result<SeatView, String> {
    match text {
        "own" => Ok(SeatView::Own),
        _ => number("the number of a seat, or `own`", 0..)(text).map(SeatView::Seat),
    }
}

/// One game of a log.
#[derive(Debug, Args)]
struct GameArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Game number, from 0, or the custom game of a stand-alone log (a folder, a .wasm module or a
    /// command) [default: the first game with a fault]
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Attempt of a replayed game, from 0 [default: the last]
    #[arg(long, value_name = "A", requires = "game", value_parser = number::<u32>("the number of an attempt", 0..))]
    attempt: Option<u32>,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
}

impl GameArgs {
    /// The log, and the game of it that was asked for.
    fn found(self) -> Result<(PathBuf, Option<GameOfLog>), Failure> {
        let (game, _) = opened_of_log(self.game, self.rules)?;
        must_have_number(game, &[("--attempt", self.attempt.is_some())])?;
        let (path, attempt) = (or_last(self.log)?, self.attempt);
        let game = game.map(|game| GameOfLog { log: path.clone(), game, attempt });
        Ok((path, game))
    }
}

/// `arbiter request`.
#[derive(Debug, Args)]
#[command(
    after_help = "In the classic dialect, the first line is the arguments after FILE, the rest is \
the content of FILE.

Examples:
  arbiter request match.jsonl | ./my-bot
  arbiter request match.jsonl --game 3 --move 12 | ./my-bot"
)]
pub(super) struct RequestArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Move number, from 0 [default: the first with a fault]
    #[arg(long = "move", value_name = "K", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// 0 for the first answer, 1 for the first retry [default: 0]
    #[arg(long, value_name = "R", requires = "number", value_parser = number::<u32>("the number of a chance", 0..))]
    retry: Option<u32>,
}

impl RequestArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let RequestArgs { game, number, retry } = self;
        let place = number.map(|number| (number, retry.unwrap_or(0)));
        let (log, game) = game.found()?;
        must_have_number(game.as_ref().map(|of| of.game), &[("--move", place.is_some())])?;
        request::run(&RequestOptions { game, log, place }, out)
    }
}

/// `arbiter explain`.
#[derive(Debug, Args)]
#[command(after_help = "Without --game, explains the first fault and counts the rest.

Examples:
  arbiter explain
  arbiter explain match.jsonl
  arbiter explain match.jsonl --game 3
  arbiter explain match.jsonl --game 3 --move 12 --full")]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Move number, from 0 [default: all with a fault]
    #[arg(long = "move", value_name = "K", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// 0 for the first answer, 1 for the first retry [default: all]
    #[arg(long, value_name = "R", requires = "number", value_parser = number::<u32>("the number of a chance", 0..))]
    retry: Option<u32>,
    /// Do not abridge the request, output and standard error
    #[arg(long)]
    full: bool,
    /// Print JSON lines: one per answer, one for the result
    #[arg(long, conflicts_with = "full")]
    json: bool,
}

impl ExplainArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ExplainArgs { game, number, retry, full, json } = self;
        let wanted =
            number.map_or(WhichAnswers::Faults, |number| WhichAnswers::Move { number, retry });
        let length = if full { ExplanationLength::Full } else { ExplanationLength::Brief };
        let ((log, game), format) = (game.found()?, report_format(json));
        must_have_number(game.as_ref().map(|of| of.game), &[("--move", number.is_some())])?;
        explain::run(&ExplainRequest { log, game, wanted, length, format }, out)
    }
}

const RERUN_HELP: &str = "Sends each bot its requests byte for byte, in a fresh scratch folder, \
under the limits of the log. Resident bots start at the first request. Without --game, reruns all \
games and lists only differing answers. Exits with 6 if any differ.

Security: the commands come from the log. Read the first line of a log that you do not trust \
before rerunning it. Relative paths start at the current folder.

Examples:
  arbiter rerun match.jsonl --game 3 --seat 1
  arbiter rerun match.jsonl --bot \"mine=./fixed\"
  arbiter rerun match.jsonl --game 3 --times 10";

/// `arbiter rerun`.
#[derive(Debug, Args)]
#[command(after_help = RERUN_HELP)]
pub(super) struct RerunArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Game number, from 0, or the custom game of a stand-alone log (a folder, a .wasm module or a
    /// command) [default: all games]
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Attempt of a replayed game, from 0 [default: the last]
    #[arg(long, value_name = "A", requires = "game", value_parser = number::<u32>("the number of an attempt", 0..))]
    attempt: Option<u32>,
    /// Only this seat, from 0
    #[arg(long, value_name = "S", value_parser = number::<usize>("the number of a seat", 0..))]
    seat: Option<usize>,
    /// Replace a bot's command; only replaced bots are rerun
    #[arg(long = "bot", value_name = "NAME=COMMAND")]
    bots: Vec<String>,
    /// Repetitions per game
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = number::<u32>("a number of times", 1..))]
    times: u32,
    /// Print JSON lines: one per answer, one for the result
    #[arg(long)]
    json: bool,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl RerunArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (game, _) = opened_of_log(self.game, self.rules)?;
        must_have_number(game, &[("--attempt", self.attempt.is_some())])?;
        let bots: Result<Vec<BotSpec>, Failure> = self.bots.iter().map(|bot| bot.parse()).collect();
        let request = RerunRequest {
            log: or_last(self.log)?,
            games: match game {
                None => WhichGames::All,
                Some(game) => WhichGames::One { game, attempt: self.attempt },
            },
            seat: self.seat,
            bots: bots?,
            times: self.times,
            isolation: self.isolation.asked()?,
            format: report_format(self.json),
        };
        rerun::run(&request, out).map_err(Failure::or_undone)
    }
}
