//! What came back when a seat was asked, as a value: the referee never sees a process.

use crate::cause::{Stop, Void};

/// What came back when a seat was asked for a move.
///
/// The one who asked (a supervisor, a script in a test, a log) hands one of these to the referee,
/// which judges it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The program ended cleanly; these are all the bytes of its standard output, possibly none.
    Output(Vec<u8>),
    /// A program of the classic dialect ended cleanly.
    Classic {
        /// What its file holds then, possibly cut.
        file: Vec<u8>,
        /// All bytes of its standard output.
        output: Vec<u8>,
    },
    /// The program was stopped or failed, and is charged with it.
    Stopped {
        /// What stopped it.
        by: Stop,
        /// What it had printed until then, cut at the answer limit.
        output: Vec<u8>,
    },
    /// The referee or the machine failed, or a person left; no one is charged.
    Void(Void),
}
