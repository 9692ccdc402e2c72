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

/// Writes values as JSON, a line each, as they come.
#[derive(Debug)]
pub(crate) struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    pub(crate) fn new(out: W) -> Self {
        JsonLines { out }
    }

    pub(crate) fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }

    /// Writes an object whose only key names the kind of the line, with this value.
    pub(crate) fn named(&mut self, kind: &str, value: &impl Serialize) -> io::Result<()> {
        serde_json::Serializer::new(&mut self.out).collect_map([(kind, value)])?;
        writeln!(self.out)?;
        self.out.flush()
    }
}
