//! The step that a check makes now, on standard error.

use std::io;

use indicatif::{ProgressBar, ProgressStyle};
use text::terminal::ProgressLines;

/// Shows the current step: in place on a terminal, and elsewhere by a line from time to time.
///
/// The line on the terminal disappears when this is dropped.
#[derive(Debug)]
pub(crate) struct CheckProgress {
    bar: ProgressBar,
    lines: Option<ProgressLines>,
}

impl CheckProgress {
    /// Shows the step in place, or by lines.
    pub(crate) fn new() -> io::Result<CheckProgress> {
        // The library draws nothing if standard error is not a terminal.
        let style = ProgressStyle::with_template("… {msg}, {elapsed}").map_err(io::Error::other)?;
        let bar = ProgressBar::new_spinner().with_style(style);
        Ok(CheckProgress { bar, lines: ProgressLines::unless_terminal() })
    }

    /// Shows nothing on a terminal, whose output is for a program, and lines elsewhere.
    pub(crate) fn unless_terminal() -> CheckProgress {
        CheckProgress { bar: ProgressBar::hidden(), lines: ProgressLines::unless_terminal() }
    }

    /// Shows nothing.
    pub(crate) fn hidden() -> CheckProgress {
        CheckProgress { bar: ProgressBar::hidden(), lines: None }
    }

    /// Goes on to a step.
    pub(crate) fn begins(&mut self, name: &str) {
        if let Some(lines) = &mut self.lines {
            lines.begins(name);
        }
        self.bar.set_message(name.to_owned());
        self.bar.tick();
    }

    /// Does something that writes to the terminal, and shows the step again after it.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for CheckProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
