//! The progress of checks: each result as it ends, and on a terminal the bots that are being checked.

use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use text::printable;

use crate::commands::tournament::run::TournamentOutput;
use crate::output::tournament::tell_checked;
use league::entry::checks::CheckResult;
use league::entry::parallel_checks::CheckProgress;
use text::failure::Failure;
use text::terminal::say;

/// The time between updates of the line on a terminal while no check ends.
const TICK: Duration = Duration::from_millis(500);

/// Shows the progress of the checks of these bots.
pub(super) struct ChecksDisplay<'a> {
    names: Vec<String>,
    out: Option<&'a mut dyn Write>,
    is_told: bool,
    bar: ProgressBar,
    begun: usize,
    ended: usize,
    failed: usize,
    /// The places of the bots that are being checked.
    busy: Vec<usize>,
}

impl<'a> ChecksDisplay<'a> {
    /// Shows it for people, as lines of JSON to `out`, or not at all.
    pub(super) fn new(
        names: Vec<String>,
        shows: TournamentOutput,
        out: &'a mut dyn Write,
    ) -> Result<ChecksDisplay<'a>, Failure> {
        // The library draws nothing if standard error is not a terminal.
        let bar = match shows {
            TournamentOutput::Progress => ProgressBar::new_spinner(),
            TournamentOutput::Json | TournamentOutput::Nothing => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template("{wide_msg}  {elapsed}")
            .map_err(|error| Failure::Ours(format!("cannot draw a line: {error}")))?;
        let bar = bar.with_style(style);
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        let out = (shows == TournamentOutput::Json).then_some(out);
        let is_told = shows == TournamentOutput::Progress;
        let (begun, ended, failed, busy) = (0, 0, 0, Vec::new());
        Ok(ChecksDisplay { names, out, is_told, bar, begun, ended, failed, busy })
    }

    /// Takes news of a check.
    ///
    /// # Errors
    ///
    /// Fails if a line of JSON cannot be written.
    pub(super) fn on(&mut self, news: &CheckProgress<&CheckResult>) -> Result<(), Failure> {
        let told = match news {
            CheckProgress::Begins(place) => {
                self.begun += 1;
                self.busy.push(*place);
                Ok(())
            }
            CheckProgress::Ends(place, checked) => {
                self.ended += 1;
                self.failed += usize::from(checked.problem.is_some());
                self.busy.retain(|busy| busy != place);
                self.tell(&self.names[*place].clone(), checked)
            }
        };
        let names: Vec<&str> = self.busy.iter().map(|place| self.names[*place].as_str()).collect();
        let failed = match self.failed {
            0 => String::new(),
            count => format!(" ({count} failed)"),
        };
        let (begun, bots, names) = (self.begun, self.names.len(), names.join(", "));
        self.bar.set_message(format!("checking {begun} of {bots}{failed}: {names}"));
        told
    }

    fn tell(&mut self, name: &str, checked: &CheckResult) -> Result<(), Failure> {
        if let Some(out) = &mut self.out {
            return Ok(tell_checked(out, name, checked)?);
        }
        if self.is_told {
            let (ended, bots) = (self.ended, self.names.len());
            let result = match checked.problem {
                None => "passes",
                Some(_) => "does not pass",
            };
            let time = match checked.time {
                Some(time) => format!("{:.1} s", time.as_secs_f64()),
                None => "checked before".to_owned(),
            };
            let name = printable(name);
            self.bar.suspend(|| say(format!("check {ended} of {bots}: {name} {result}, {time}")));
        }
        Ok(())
    }
}

impl Drop for ChecksDisplay<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
