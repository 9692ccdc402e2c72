//! `arbiter report`: logs and tournaments as web pages.

use std::io::Write;
use std::path::PathBuf;

use crate::options::game::RulesArgs;
use crate::options::logs::{StderrArgs, all_or_last};
use clap::Args;
use contest::tournament::folder::shown;
use report::{ReportContent, ReportError, WrittenReport};
use review::{DecisionBudget, LogReview, ReviewScope};
use text::counted;
use text::failure::Failure;

const HELP: &str =
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
#[command(after_help = HELP)]
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
        let review = self.review.then(|| LogReview {
            budget: DecisionBudget::Usual,
            of: ReviewScope::default(),
            workers: super::cores(),
        });
        let errors = self.stderr.visibility();
        let content = ReportContent { review: review.as_ref(), errors };
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
