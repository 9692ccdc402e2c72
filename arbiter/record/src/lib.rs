//! Match logs: the only code that opens them. The normative description is in
//! `docs/reference/log.md`.
//!
//! A log is lines of JSON: a header, a line for each game, and an end. Every line closes with the
//! digest of the line before and its own, which shows that a line was changed, removed, doubled or
//! moved, without knowledge of any game:
//!
//! ```text
//! {"game":{…},"previous":"<sha256 of the line before>","sha256":"<…>"}
//! ```
//!
//! `sha256` is the digest of everything in its line before `,"sha256"`; `previous` repeats that
//! of the line before, 64 zeros in the first. A line is written whole. A last line without its
//! line feed is what a crash leaves, and counts for nothing.

#![expect(missing_docs, reason = "the names and types of a crate of one program say the most")]

pub mod checked_log;
pub mod compress;
mod growing_log;
mod gzip;
mod last_log;
mod line;
mod reader;
mod source;
pub mod stderr_texts;
pub mod verify;
mod writer;

pub use checked_log::{GameReader, remove_private_texts};
pub use growing_log::WholeLines;
pub use last_log::{LastLog, LastLogWriter};
pub use line::{Line, LineContent, LineError, LogFileError, LogProblem, RawLine};
pub use reader::{LogLine, LogPosition, LogReader, last_line_of, revealed_seed};
pub use source::{LastLineSource, LogFile, length, open};
pub use writer::{LogWriter, is_compressed};
