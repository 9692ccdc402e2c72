//! A check as JSON: a line for each step, and one for the summary.

use std::io::{self, Write};

use serde::Serialize;

use crate::check::told::{CheckSummary, ProgressLines};
use crate::check::{Listener, Step};

/// Writes a line for each step as it is made.
pub struct CheckJson<'a> {
    out: &'a mut dyn Write,
    progress: Option<ProgressLines>,
}

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Step(&'a Step),
    Summary(&'a CheckSummary),
}

impl<'a> CheckJson<'a> {
    /// Creates a report to `out`. Progress goes to standard error from time to time, unless it is a terminal.
    pub fn new(out: &'a mut dyn Write) -> Self {
        CheckJson { out, progress: ProgressLines::unless_terminal() }
    }

    fn line(&mut self, line: &JsonLine<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

impl Listener for CheckJson<'_> {
    fn begins(&mut self, name: &str) {
        if let Some(progress) = &mut self.progress {
            progress.begins(name);
        }
    }

    fn found(&mut self, step: Step) -> io::Result<()> {
        self.line(&JsonLine::Step(&step))
    }
}

/// Writes the last line, the summary.
///
/// # Errors
///
/// Fails where `out` does.
pub fn summary(out: &mut dyn Write, summary: &CheckSummary) -> io::Result<()> {
    CheckJson::new(out).line(&JsonLine::Summary(summary))
}
