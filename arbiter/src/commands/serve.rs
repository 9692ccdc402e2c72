//! `arbiter serve`: leagues and tournaments as live web pages; and `arbiter report`: logs and tournaments as web
//! pages.

use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::commands::cores;
use crate::options::game::RulesArgs;
use crate::options::logs::{StderrArgs, all_or_last};
use crate::options::{at_once, number};
use contest::tournament::folder::shown;
use report::{ReportError, ReportExtras, WrittenReport};
use review::{DecisionBudget, ReviewScope, ReviewSettings};
use text::counted;
use text::failure::Failure;
use web::people::MOST_TABLES;
use web::{Embedder, HandVisibility, ServerConfig};

const HELP: &str =
    "Serves the pages of `arbiter report`, live: finished games appear at once, and running games \
can be watched. Hands stay hidden until the deal is finished at every table. By default only this \
machine can connect (see --listen). Ctrl-C stops the server.

`play/` lets people play against built-in bots; games are stored in DIR/people.

`api/v1/` serves the same data as JSON to programs and other sites; see `api/v1/openapi.json`.

Examples:
  arbiter serve
  arbiter serve cup
  arbiter serve class --listen 0.0.0.0:8080
  arbiter serve class --review
  arbiter serve class --submit --host league.example.org
  arbiter serve class --submit --workers 2";

/// `arbiter serve`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ServeArgs {
    /// League or tournament folder, or a folder of several (may be empty)
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Address and port to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = listen_address)]
    listen: SocketAddr,
    /// Accept this host name (from a reverse proxy); repeatable
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Show all hands, even during a deal
    #[arg(long)]
    open_hands: bool,
    /// Concurrent games between people and bots on `play/`; 0 disables the page
    #[arg(long, value_name = "N", default_value_t = MOST_TABLES, value_parser = number::<usize>("a number of tables", 0..=1000))]
    tables: usize,
    #[command(flatten)]
    stderr: StderrArgs,
    /// Accept submissions from participants with a token (see `arbiter league invite`)
    #[arg(long, conflicts_with = "with_stderr")]
    submit: bool,
    /// Submissions to build and check in parallel, across all leagues [default: one per core]
    #[arg(long, value_name = "N", requires = "submit", value_parser = at_once("a number of bots"))]
    workers: Option<NonZeroUsize>,
    /// Allow visitors to review games, one at a time; this competes with running games for the CPU
    #[arg(long)]
    review: bool,
    /// Allow this origin (https://cup.example.org, or `*`) to embed games from `embed/GAME` in a
    /// frame; repeatable
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

impl ServeArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ServeArgs {
            folder,
            listen,
            host,
            open_hands,
            stderr,
            tables,
            submit,
            workers,
            review,
            embed,
        } = self;
        let hands = if open_hands { HandVisibility::Open } else { HandVisibility::Public };
        let request = ServerConfig {
            folder,
            listen,
            hosts: host,
            hands,
            errors: stderr.visibility(),
            tables,
            submissions: submit.then(|| workers.unwrap_or_else(cores)),
            reviews: review,
            embedders: embed,
        };
        web::run(request, out)
    }
}

const REPORT_HELP: &str =
    "Open index.html in a browser; no server or network is needed. Every log is verified first: an \
invalid one gets no report, an unfinished one gets a report of the games so far.

Examples:
  arbiter report cup -o cup-report
  arbiter report match.jsonl -o report
  arbiter report -o report
  arbiter report cup another-cup match.jsonl -o report
  arbiter report match.jsonl -o report --review
  arbiter report class -o class-report";

/// `arbiter report`.
#[derive(Debug, Args)]
#[command(after_help = REPORT_HELP)]
pub(crate) struct ReportArgs {
    /// Logs, tournament folders, or one league folder [default: the last match]
    #[arg(value_name = "DIR|LOG")]
    sources: Vec<PathBuf>,
    /// Output folder: new, empty, or an earlier report to replace
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Add a move review (see `arbiter review`): win probabilities in the viewer, mistakes on bot
    /// pages
    #[arg(long)]
    review: bool,
    #[command(flatten)]
    stderr: StderrArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

impl ReportArgs {
    /// Writes the report of some logs and tournaments into a folder, and prints the path of its first page. If
    /// that fails, the folder is as it was, as far as the machine allows.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.rules.open()?;
        let sources = all_or_last(self.sources)?;
        let review = self.review.then(|| ReviewSettings {
            budget: DecisionBudget::Usual,
            of: ReviewScope::default(),
            workers: cores(),
        });
        let errors = self.stderr.visibility();
        let content = ReportExtras { review: review.as_ref(), errors };
        let written =
            report::write(&sources, &self.output, content).map_err(|error| match error {
                ReportError::Usage(problem) => Failure::Usage(problem),
                ReportError::Wrong(problem) => Failure::Verification(problem),
                ReportError::Machine(_) => Failure::Ours(error.to_string()),
            })?;
        let WrittenReport { games, unfinished } = written;
        let games = counted(games, "game", "games");
        let note = match (unfinished, sources.len()) {
            (0, _) => String::new(),
            (_, 1) => ", unfinished".to_owned(),
            (1, all) => format!(", 1 of {all} logs is unfinished"),
            (some, all) => format!(", {some} of {all} logs are unfinished"),
        };
        Ok(writeln!(out, "{}: {games}{note}", shown(&self.output.join(report::FIRST)))?)
    }
}
