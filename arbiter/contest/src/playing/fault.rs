//! A bot's first fault as text, and the command that shows more.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rules::Verdict;
use serde::Serialize;

use bot::advice::Seen;
use bot::sandboxed::{SandboxedBot, SandboxedBots, hint};
use series::totals::{Fault, Total};
use text::columns::labelled;
use text::excerpt::{excerpt, shortened};
use text::shell::word;

/// Width of a label.
const LABEL: usize = 7;

/// Number of printed lines shown.
const PRINTED_LINES: usize = 5;

/// Number of lines of standard error shown.
const STDERR_LINES: usize = 20;

/// Number of lines of standard error shown for each bot of a tournament.
const LINES_IN_TOURNAMENT: usize = 6;

/// Place of the log of a match, which has more about a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptLog {
    /// A file that the user named.
    Named(PathBuf),
    /// The log of the last match, which commands read if no file is named.
    Last,
    /// No log is kept.
    Nowhere,
}

/// Facts that help users to understand faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    pub log: KeptLog,
    /// The files hidden from each bot.
    pub sandboxed: SandboxedBots,
}

/// A fault for display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownFault<'a> {
    pub game: u64,
    pub verdict: Verdict,
    /// The details, one line.
    pub detail: &'a str,
    /// The first and the last printed lines.
    printed: Vec<String>,
    /// The first and the last lines of standard error with this answer.
    stderr: Vec<String>,
    /// Advice for the author, if the fault looks like a common one.
    hint: Option<Cow<'static, str>>,
}

impl<'a> ShownFault<'a> {
    /// Returns the first fault of a player, with a hint for the users who run these bots.
    pub fn first(total: &'a Total, sandboxed: &SandboxedBots) -> Option<ShownFault<'a>> {
        let sandboxed = sandboxed.get(&total.name);
        total.first_fault.as_ref().map(|fault| ShownFault::new(fault, sandboxed))
    }

    fn new(fault: &'a Fault, sandboxed: Option<&SandboxedBot>) -> ShownFault<'a> {
        let Fault { game, answer, measured } = fault;
        let mut stderr = excerpt(measured.stderr.bytes(), STDERR_LINES);
        if measured.stderr_dropped > 0 {
            stderr.push(format!("… {} more bytes discarded", measured.stderr_dropped));
        }
        let cause = answer.cause();
        let seen = Seen::of(answer, cause.as_ref(), measured);
        ShownFault {
            game: *game,
            verdict: answer.verdict,
            detail: &answer.detail,
            printed: excerpt(seen.printed, PRINTED_LINES),
            stderr,
            hint: hint(sandboxed, seen),
        }
    }

    /// Returns the lines below the one that names the fault: output, standard error, hint, and the next command.
    pub(crate) fn details(&self, log: &KeptLog) -> String {
        let game = self.game;
        let next = match log {
            KeptLog::Named(log) => vec![command(log, game)],
            KeptLog::Last => vec![format!("arbiter explain --game {game}")],
            KeptLog::Nowhere => vec![
                "replay with --log FILE and the seed below, then".to_owned(),
                format!("arbiter explain FILE --game {game}"),
            ],
        };
        self.text(&self.stderr, &next)
    }

    /// Returns fewer such lines, as there may be many bots. The log is in the folder of a tournament.
    pub fn details_in_tournament(&self, folder: &Path) -> String {
        let stderr: Vec<&str> = self.stderr.iter().map(String::as_str).collect();
        let stderr = shortened(&stderr, LINES_IN_TOURNAMENT);
        self.text(&stderr, &[command(folder, self.game)])
    }

    fn text(&self, stderr: &[impl AsRef<str>], next: &[String]) -> String {
        let parts = [
            labelled("printed", LABEL, &self.printed),
            labelled("stderr", LABEL, stderr),
            labelled("hint", LABEL, self.hint.as_slice()),
            labelled("next", LABEL, next),
        ];
        parts.concat().iter().map(|line| format!("  {line}\n")).collect()
    }
}

fn command(log: &Path, game: u64) -> String {
    format!("arbiter explain {} --game {game}", word(log))
}
