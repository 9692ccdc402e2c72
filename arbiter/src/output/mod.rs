//! The output of commands for people and programs: running text, summaries, JSON.

pub(crate) mod matches;
pub mod progress_bar;
pub(crate) mod rerun;
pub(crate) mod review;
pub(crate) mod series_lines;
pub mod simulation;
pub(crate) mod tournament;

use std::io::{self, Write};

use serde::{Serialize, Serializer};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Text for people.
    Text,
    /// Lines of JSON for programs.
    Json,
}

/// Writes a value as a line of JSON, at once.
pub(crate) fn json_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)?;
    out.flush()
}

/// Writes an object as a line, at once; its only key names the kind of the line, with this value.
pub(crate) fn named_json_line(
    out: &mut dyn Write,
    kind: &str,
    value: &impl Serialize,
) -> io::Result<()> {
    serde_json::Serializer::new(&mut *out).collect_map([(kind, value)])?;
    writeln!(out)?;
    out.flush()
}
