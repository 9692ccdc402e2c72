//! The commands of `arbiter league` that correct a contest.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::arguments::report_format;
use crate::commands::league::{
    ReinstateRequest, RetireRequest, VoidRequest, VoidScope, corrections, reinstate, retire, void,
};
use league::BotVersion;
use league::state::Leaving;
use text::failure::Failure;

#[derive(Debug, Subcommand)]
pub(super) enum CorrectionCommand {
    /// Retire bots; their games stay rated for the others
    #[command(after_help = "Example: arbiter league retire class ben --reason \"left the course\"")]
    Retire {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Names of bots, without versions
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
        /// Reason, shown in the log and on the pages
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Disqualify bots: they leave, and no later version may enter
    #[command(
        after_help = "Submissions with the token of a disqualified participant are refused. The \
games so far stay rated; make them void with `arbiter league void DIR --bot NAME@VERSION`.

Example: arbiter league disqualify class ben --reason \"copied from anna\""
    )]
    Disqualify {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Names of bots, without versions
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
        /// Reason, shown in the log and on the pages
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Make games void: they no longer count
    #[command(after_help = "Nothing is deleted: the games stay in the log of their round and are \
verified, and `arbiter league standings --as-played` counts them. A round of a stage is void as a \
whole, with the later rounds of the stage; `arbiter league run` plays them again.

Examples:
  arbiter league void class 3 --reason \"the machine ran out of memory\"
  arbiter league void class 3/17,18 --reason \"cards were visible\"
  arbiter league void class --bot ben@1 --reason \"copied from anna\"")]
    Void(VoidArgs),
    /// Make games void and play them again, with new cards
    #[command(
        after_help = "The next round replays the tables of the void games, as far as their bots \
still play. Without a stage: a round of a stage is replayed by `arbiter league void` alone.

Example: arbiter league replay class 3 --reason \"the machine ran out of memory\""
    )]
    Replay(VoidArgs),
    /// Count void games again
    #[command(
        after_help = "CORRECTION is a number from `arbiter league corrections DIR`. Games that \
were replayed stay void.

Example: arbiter league reinstate class 0 --reason \"the logs are complete\""
    )]
    Reinstate {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Number of the correction
        #[arg(value_name = "CORRECTION")]
        correction: usize,
        /// Reason, shown in the log and on the pages
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List all corrections, with their reasons
    #[command(after_help = "Example: arbiter league corrections class")]
    Corrections {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Print JSON, one line per correction
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(super) struct VoidArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Rounds, or games of a round, such as 3, 3/17 or 3/17,18
    #[arg(value_name = "ROUND[/GAME]", required_unless_present = "bot")]
    rounds: Vec<VoidScope>,
    /// Only games of this version of a bot; without ROUND, in all rounds so far
    #[arg(long, value_name = "NAME@VERSION")]
    bot: Option<BotVersion>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl VoidArgs {
    fn request(self) -> VoidRequest {
        let VoidArgs { dir: folder, rounds, bot, reason } = self;
        VoidRequest { folder, rounds, bot, reason, replay: false }
    }
}

impl CorrectionCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            CorrectionCommand::Retire { dir: folder, names, reason } => {
                let why = reason.map(|reason| Leaving { reason, disqualified: false });
                retire(RetireRequest { folder, names, why }, out)
            }
            CorrectionCommand::Disqualify { dir: folder, names, reason } => {
                let why = Some(Leaving { reason, disqualified: true });
                retire(RetireRequest { folder, names, why }, out)
            }
            CorrectionCommand::Void(args) => void(args.request(), out),
            CorrectionCommand::Replay(args) => {
                void(VoidRequest { replay: true, ..args.request() }, out)
            }
            CorrectionCommand::Reinstate { dir: folder, correction, reason } => {
                reinstate(ReinstateRequest { folder, correction, reason }, out)
            }
            CorrectionCommand::Corrections { dir, json } => {
                corrections(&dir, report_format(json), out)
            }
        }
    }
}
