//! The options of `arbiter report` and `arbiter serve`: pages as files, and served.

use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::arguments::number;
use super::game::RulesArgs;
use crate::commands::cores;
use crate::commands::log_target::all_or_last;
use crate::commands::report::{self, MoveReviews};
use text::failure::Failure;
use web::people::MOST_TABLES;
use web::{Embedder, GameReviewPolicy, HandVisibility, ServeRequest, SubmissionPolicy};

/// `arbiter report`.
#[derive(Debug, Args)]
#[command(after_help = REPORT_HELP)]
pub(super) struct ReportArgs {
    /// Logs, folders of tournaments, or the folder of a league [default: the log of the last match]
    #[arg(value_name = "DIR|LOG")]
    sources: Vec<PathBuf>,
    /// The folder for the report; it must be new or empty, or hold an earlier report, which is replaced
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Review the moves, as `arbiter review` does: bars beside them in the viewer, and the mistakes of each
    /// bot on its page
    #[arg(long)]
    review: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

const REPORT_HELP: &str =
    "Open index.html of the report in a browser; it needs no server and no network. \
Every game is recomputed, as in `arbiter verify`; a log that does not verify gets no report. An \
unfinished log gets a report of the games so far.

Examples:
  arbiter report cup -o cup-report
  arbiter report match.jsonl -o report
  arbiter report -o report
  arbiter report cup another-cup match.jsonl -o report
  arbiter report match.jsonl -o report --review
  arbiter report class -o class-report";

impl ReportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.rules.open()?;
        let moves = if self.review { MoveReviews::Reviewed } else { MoveReviews::AsTheyAre };
        report::run(&all_or_last(self.sources)?, &self.output, moves, out)
    }
}

/// `arbiter serve`.
#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub(super) struct ServeArgs {
    /// The folder of a league or tournament, or a folder that holds them; it may be empty
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// The address and port to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = listen_address)]
    listen: SocketAddr,
    /// A host name that a reverse proxy forwards; repeat for each
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Show all hands at once, even while a deal is being played
    #[arg(long)]
    open_hands: bool,
    /// How many people can play against bots at the same time, on the page `play/`; 0 for none
    #[arg(long, value_name = "N", default_value_t = MOST_TABLES, value_parser = number::<usize>("a number of tables", 0..=1000))]
    tables: usize,
    /// Accept bots from participants who hold a token (`arbiter league invite`)
    #[arg(long)]
    submit: bool,
    /// The number of handed-in bots that are built and checked at once, for all leagues together; games of a league may
    /// be played meanwhile [default: the number of cores]
    #[arg(long, value_name = "N", requires = "submit", value_parser = number::<u16>("a number of bots", 1..=1024))]
    workers: Option<u16>,
    /// Let visitors review games, as `arbiter review` does, one game at a time; it takes processor time from bots
    /// that play on this machine
    #[arg(long)]
    review: bool,
    /// Let pages of an origin, such as https://cup.example.org, show a game in a frame, from the page `embed/GAME`;
    /// `*` for all pages; repeat for each
    #[arg(long, value_name = "ORIGIN")]
    embed: Vec<Embedder>,
}

/// Parses `ADDRESS:PORT`, where the address may be `localhost`.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let address = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    address.as_deref().unwrap_or(text).parse().map_err(|_| {
        "expected an address and a port, such as 127.0.0.1:8080, 0.0.0.0:8080 or [::]:8080"
            .to_owned()
    })
}

const SERVE_HELP: &str =
    "Serves the pages of `arbiter report`. A game appears as soon as it is in the log, and \
games in progress can be watched; all hands are shown once every game of the deal is over. Only this \
machine can open the pages, unless --listen says otherwise. Ctrl-C ends the server.

On the page `play/`, people can play against the built-in bots. Their games are kept in the folder \
`people` inside DIR.

Below `api/v1/`, programs and pages of other sites can read the same as JSON; `api/v1/openapi.json` describes it.

Examples:
  arbiter serve
  arbiter serve cup
  arbiter serve class --listen 0.0.0.0:8080
  arbiter serve class --review
  arbiter serve class --submit --host league.example.org
  arbiter serve class --submit --workers 2";

impl ServeArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ServeArgs { folder, listen, host, open_hands, tables, submit, workers, review, embed } =
            self;
        let hands = if open_hands { HandVisibility::Open } else { HandVisibility::Public };
        let workers = workers.and_then(|workers| NonZeroUsize::new(workers.into()));
        let submissions = match submit {
            true => SubmissionPolicy::Taken { at_once: workers.unwrap_or_else(cores) },
            false => SubmissionPolicy::NotTaken,
        };
        let reviews = if review { GameReviewPolicy::Made } else { GameReviewPolicy::NotMade };
        let request = ServeRequest {
            folder,
            listen,
            hosts: host,
            hands,
            tables,
            submissions,
            reviews,
            embedders: embed,
        };
        web::run(request, out)
    }
}
