//! Why the program fails, and with which exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

use thiserror::Error;

use crate::system_error;

/// Every exit code of the program with its meaning, except those of a command that it runs for `arbiter sandbox`.
pub const EXIT_CODES: [(u8, &str); 13] = [
    (0, "success"),
    (1, "internal or system error"),
    (2, "usage error"),
    (3, "verification failed"),
    (4, "a bot does not build or start"),
    (5, "check failed (`check`, `sandbox`, `review --by`)"),
    (6, "results differ (`diff`, `rerun`)"),
    (7, "error in the rules of a custom game"),
    (8, "log valid so far, but unfinished (`verify`)"),
    (75, "temporary failure, try again (shards)"),
    (129, "stopped by SIGHUP"),
    (130, "stopped by SIGINT"),
    (143, "stopped by SIGTERM"),
];

/// Why the program gives up; the text is one line for a person.
#[derive(Debug, Error)]
pub enum Failure {
    /// Something that is neither the user's nor a bot's fault: exit code 1.
    #[error("{0}")]
    Ours(String),
    /// The command line, or a file that it names, is not as it must be: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// A log does not hold what it must: exit code 3.
    #[error("{0}")]
    Verification(String),
    /// A bot cannot be built or started: exit code 4.
    #[error("{0}")]
    Start(String),
    /// A bot does not pass its check: exit code 5.
    #[error("{0}")]
    Check(String),
    /// Two runs that should be the same are not: exit code 6.
    #[error("{0}")]
    Different(String),
    /// The rules of a custom game fail: exit code 7.
    #[error("{0}")]
    Rules(String),
    /// A log is right as far as it goes, and has no end yet: exit code 8.
    #[error("{0}")]
    NotOver(String),
    /// It cannot be done yet, and another try may do: exit code 75, as mail programs have it.
    #[error("{0}")]
    Later(String),
    /// A signal has stopped it: exit code 128 and its number, as of a program that it ends.
    #[error("{problem}")]
    Interrupted {
        /// The part that was not done.
        problem: String,
        /// The exit code.
        code: u8,
    },
    /// A command that it has run has ended with this exit code, which is its own; it has said all there
    /// is to say.
    #[error("exit {0}")]
    OfCommand(u8),
    /// Standard output cannot be written, and what was asked for is not done: exit code 1. Nothing
    /// is said if no one reads it.
    #[error("{problem}")]
    Unwritten {
        /// The part that was not done.
        problem: String,
        /// The kind of the system's error.
        kind: io::ErrorKind,
    },
    /// Standard output cannot be written: exit code 1, or 0 if no one reads it.
    #[error("cannot write to standard output: {}", system_error(.0))]
    Output(#[from] io::Error),
}

impl Failure {
    /// Makes closed output a failure, for a command that others judge by its exit code, or that was
    /// to do something.
    pub fn or_undone(self) -> Failure {
        match self {
            Failure::Output(ref error) => {
                Failure::Unwritten { problem: self.to_string(), kind: error.kind() }
            }
            other => other,
        }
    }

    /// Returns true if there is nothing to say: the reader of the output has gone, or a command has failed that
    /// speaks for itself.
    pub fn is_silent(&self) -> bool {
        self.is_closed_pipe() || matches!(self, Failure::OfCommand(_))
    }

    /// Returns true if the reader of the output has gone, which is no reason to complain.
    pub fn is_closed_pipe(&self) -> bool {
        let kind = match self {
            Failure::Output(error) => error.kind(),
            Failure::Unwritten { kind, .. } => *kind,
            _ => return false,
        };
        kind == io::ErrorKind::BrokenPipe
    }

    /// Wrong usage, with the text of an error.
    pub fn usage(error: impl fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// The exit code that stands for it.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Output(_) if self.is_closed_pipe() => 0,
            Failure::Ours(_) | Failure::Output(_) | Failure::Unwritten { .. } => 1,
            Failure::Usage(_) => 2,
            Failure::Verification(_) => 3,
            Failure::Start(_) => 4,
            Failure::Check(_) => 5,
            Failure::Different(_) => 6,
            Failure::Rules(_) => 7,
            Failure::NotOver(_) => 8,
            Failure::Later(_) => 75,
            Failure::Interrupted { code, .. } | Failure::OfCommand(code) => *code,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The failure that follows this one here: a new one belongs into the chain, or this does not compile.
    fn next(failure: &Failure) -> Option<Failure> {
        let text = String::new;
        let stopped = |code| Failure::Interrupted { problem: text(), code };
        Some(match failure {
            Failure::Ours(_) => Failure::Usage(text()),
            Failure::Usage(_) => Failure::Verification(text()),
            Failure::Verification(_) => Failure::Start(text()),
            Failure::Start(_) => Failure::Check(text()),
            Failure::Check(_) => Failure::Different(text()),
            Failure::Different(_) => Failure::Rules(text()),
            Failure::Rules(_) => Failure::NotOver(text()),
            Failure::NotOver(_) => Failure::Later(text()),
            Failure::Later(_) => {
                Failure::Unwritten { problem: text(), kind: io::ErrorKind::StorageFull }
            }
            Failure::Unwritten { .. } => Failure::Output(io::ErrorKind::BrokenPipe.into()),
            Failure::Output(_) => stopped(128 + 1),
            Failure::Interrupted { code: 129, .. } => stopped(128 + 2),
            Failure::Interrupted { code: 130, .. } => stopped(128 + 15),
            // The code of a command is its own.
            Failure::Interrupted { .. } | Failure::OfCommand(_) => return None,
        })
    }

    #[test]
    fn every_exit_code_has_a_meaning_and_every_meaning_a_failure() {
        let all = std::iter::successors(Some(Failure::Ours(String::new())), next);
        let returned: BTreeSet<u8> = all.map(|failure| failure.code()).collect();
        assert_eq!(returned, EXIT_CODES.iter().map(|(code, _)| *code).collect());
    }
}
