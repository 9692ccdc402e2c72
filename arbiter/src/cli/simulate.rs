//! `arbiter simulate` on the command line.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use simulation::Order;

use super::arguments::{existing_log, number, parse_checked, report_format};
use super::game::GameSetupArgs;
use crate::commands::log_target::LogTarget;
use crate::commands::simulate::{self, SimulationRequest};
use bot::BotSpec;
use series::committed_seed::GivenSeed;
use text::failure::Failure;

const HELP: &str = "BOT is [NAME=]BUILT-IN [OPTIONS…], quoted as one argument (see `arbiter \
bots`). Bots play the same moves as in a match, and a seed reproduces the games exactly, unless a \
search hits a time limit. In Tablić with four or more seats, minimax uses its whole time per move, \
2.5s by default.

Examples:
  arbiter simulate --game tablic greedy random
  arbiter simulate --game tablic --deals 10000 --order random a=greedy b=greedy c=random
  arbiter simulate --game tablic --deals 10 \"minimax --time 50ms\" greedy greedy random
  arbiter simulate --game durak --deals 1000 --log games.jsonl greedy \"minimax --depth 1\"";

/// `arbiter simulate`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    game: GameSetupArgs,
    /// Number of deals
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: u64,
    /// Seating: as listed, reversed, all rotations, or drawn from the seed
    #[arg(long, default_value = "rotate", value_parser = PossibleValuesParser::new(Order::ALL.map(Order::name)))]
    order: String,
    /// Seed of deals and bots: 64 hex digits, or a number for practice only (guessable) [default:
    /// random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Number of threads; changes results only if a search hits a time limit, which is reported
    /// [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    workers: Option<u16>,
    /// Write a log to a new file; it has no times
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Overwrite an existing log
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Built-in bots
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
}

impl SimulateArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        simulate::run(self.request()?, out)
    }

    fn request(self) -> Result<SimulationRequest, Failure> {
        // As in a match: clap's errors repeat the word as it is.
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        Ok(SimulationRequest {
            game: self.game.asked()?,
            deals: self.deals,
            order: parse_checked(&self.order)?,
            seed: self.seed,
            workers: self.workers.and_then(|workers| NonZeroUsize::new(workers.into())),
            log: LogTarget::at(self.log, existing_log(self.overwrite)),
            format: report_format(self.json),
            bots: bots.map_err(|error| Failure::Usage(error.to_string()))?,
        })
    }
}
