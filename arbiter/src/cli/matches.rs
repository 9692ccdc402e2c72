//! `arbiter match` on the command line.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;

use super::arguments::{asked_seed, existing_log, number};
use super::game::GameSetupArgs;
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use crate::commands::log_target::LogTarget;
use crate::commands::matches::{self, MatchOutput, MatchRequest};
use bot::BotSpec;
use series::committed_seed::GivenSeed;
use series::{Conditions, Treatment};
use text::failure::Failure;

const HELP: &str = "BOT is [NAME=]COMMAND, quoted as one argument: a built-in bot, a program with \
its arguments, or a folder with a bot.toml. NAME defaults to the script or program: mybot for \
`python3 -u bots/mybot.py`. Each bot runs in its own scratch folder; file arguments are resolved \
for it.

Prefix a command with `resident:` to start it once per game instead of once per move. Prefix a \
Coup bot in the classic dialect with `dialect=classic` (or `dialect=classic lenient=on`), unless \
its bot.toml does.

Examples:
  arbiter match --game tablic random greedy
  arbiter match --game tablic --games 20 --log match.jsonl \"py=python3 my_bot.py\" greedy
  arbiter match --game tablic --seats 3 a=random b=random c=./my-bot
  arbiter match --game tablic --games 20 ./my-bot-folder greedy
  arbiter match --game durak --options \"deck=24 transfer=on\" random greedy
  arbiter match --game coup \"dialect=classic py=python3 my_bot.py\" greedy
  arbiter match --game tablic --games 100 \"py=resident:python3 my_bot.py\" resident:greedy
  arbiter match --game tablic --time-limit 1s --time-limit java=3s java=./my-bot greedy";

/// `arbiter match`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct MatchArgs {
    #[command(flatten)]
    game: GameSetupArgs,
    /// Number of games; seats rotate after each game
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: u64,
    /// Seed: 64 hex digits, or a number for practice only (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Read the seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix a participant's entropy into the seed, after publishing its commitment; repeatable
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    treatment: Treatment,
    /// Write a log to a new file; `show`, `explain` and others can read the last match without it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Overwrite an existing log
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print every move [default: for a single game, on a terminal]
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    watch: bool,
    /// Suppress output
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print JSON lines: one per game, one for the match
    #[arg(long)]
    json: bool,
    /// Bots, in turn order of the first game
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl MatchArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        matches::run(self.request()?, out)
    }

    fn request(self) -> Result<MatchRequest, Failure> {
        let shown = if self.json {
            MatchOutput::Json
        } else if self.quiet {
            MatchOutput::Nothing
        } else if self.watch || (self.games == 1 && io::stdout().is_terminal()) {
            MatchOutput::Everything
        } else {
            MatchOutput::Totals
        };
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        Ok(MatchRequest {
            game: self.game.asked()?,
            games: self.games,
            seed: asked_seed(self.seed, self.seed_file),
            conditions: Conditions {
                entropy: self.entropy,
                treatment: self.treatment,
                isolation: self.isolation.asked()?,
                limits: self.limits.asked(),
                ..Conditions::default()
            },
            log: LogTarget::at(self.log, existing_log(self.overwrite)),
            shown,
            bots: bots.map_err(|error| Failure::Usage(error.to_string()))?,
        })
    }
}
