//! What is shown of a bot's first fault, and the command that shows more.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rules::dialect::Reading;
use rules::{Dialect, Verdict};
use serde::Serialize;

use conditions::bot::advice::Seen;
use conditions::bot::insider::{Insider, Insiders, hint};
use conditions::series::totals::{Fault, Total};
use text::columns::labelled;
use text::excerpt::{excerpt, shortened};
use text::shell::word;

/// How wide a label is.
const LABEL: usize = 7;

/// How many lines of what a bot printed are shown.
const PRINTED_LINES: usize = 5;

/// How many lines of what a bot wrote to standard error are shown.
const STDERR_LINES: usize = 20;

/// How many lines of standard error are shown for each bot of a tournament.
const LINES_IN_TOURNAMENT: usize = 6;

/// Where the log of a match is kept that tells more of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptLog {
    /// In a file that was asked for.
    Named(PathBuf),
    /// As the log of the last match, which commands read that are given none.
    Last,
    /// Nowhere.
    Nowhere,
}

/// What a user is told of faults beyond the faults themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// Where the log is kept that tells more.
    pub log: KeptLog,
    /// What the bots are kept from.
    pub insiders: Insiders,
}

/// A fault as it is shown to a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownFault<'a> {
    /// The number of the game, from 0.
    pub game: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// The details, one line.
    pub detail: &'a str,
    /// The first and the last lines that the bot printed.
    printed: Vec<String>,
    /// The first and the last lines that the bot wrote to standard error with this answer.
    stderr: Vec<String>,
    /// What may help its author, where the fault looks like a common one.
    hint: Option<Cow<'static, str>>,
}

impl<'a> ShownFault<'a> {
    /// The first fault of a player, if it made one, with a hint for those who run these bots.
    pub fn first(total: &'a Total, insiders: &Insiders) -> Option<ShownFault<'a>> {
        let insider = insiders.get(&total.name);
        total.first_fault.as_ref().map(|fault| ShownFault::new(fault, insider))
    }

    fn new(fault: &'a Fault, insider: Option<&Insider>) -> ShownFault<'a> {
        let Fault { game, answer, measured } = fault;
        let mut stderr = excerpt(&measured.stderr.0, STDERR_LINES);
        if measured.stderr_dropped > 0 {
            stderr.push(format!("… {} more bytes, not kept", measured.stderr_dropped));
        }
        let (printed, dialect) = match &answer.classic {
            None => (&answer.reply.0, Dialect::Native),
            Some(classic) => (&classic.printed.0, Dialect::Classic(Reading::Strict)),
        };
        let (verdict, cause) = (answer.verdict, answer.cause());
        let seen =
            Seen { verdict, dialect, printed, stderr: &measured.stderr.0, cause: cause.as_ref() };
        ShownFault {
            game: *game,
            verdict,
            detail: &answer.detail,
            printed: excerpt(printed, PRINTED_LINES),
            stderr,
            hint: hint(insider, seen),
        }
    }

    /// Lines below the one that names the fault: what the bot printed and wrote to standard error,
    /// what may help, and what to type next.
    pub fn details(&self, log: &KeptLog) -> String {
        let game = self.game;
        let next = match log {
            KeptLog::Named(log) => vec![command(log, game)],
            KeptLog::Last => vec![format!("arbiter explain --game {game}")],
            KeptLog::Nowhere => vec![
                "play again with --log FILE and the seed below, then".to_owned(),
                format!("arbiter explain FILE --game {game}"),
            ],
        };
        self.text(&self.stderr, &next)
    }

    /// The same in fewer lines, since there may be many bots; the log is in the folder of a
    /// tournament.
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
