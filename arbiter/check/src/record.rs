//! The record of a check: its steps on their way to the report.

use std::fmt::Display;
use std::path::Path;
use std::{fs, io};

use contest::tournament::plan::GamePace;
use sandbox::Wanted;
use text::failure::Failure;
use text::{printable, system_error};

use crate::report::{Counts, Listener, unwritten};
use crate::step::{Status, Step};

/// The result of a check.
#[derive(Debug)]
pub struct Record<N> {
    steps: usize,
    warnings: usize,
    skipped: usize,
    /// The failed steps.
    pub failures: Vec<Step<N>>,
    /// Pace of a bot's games, if it played them; of the last game of several.
    pub pace: Option<GamePace>,
}

/// Records the steps on their way to the report.
pub(crate) struct Recorder<'a, N> {
    report: Box<dyn Listener<N> + 'a>,
    record: Record<N>,
    wanted: Wanted<'a>,
    /// The folder of the bot, if the report is for its author.
    author_of: Option<&'a Path>,
}

impl<'a, N> Recorder<'a, N> {
    /// A record of steps that this report is told, too, as long as they are wanted. If the report is for the author
    /// of the bot in a folder, no step tells of this machine.
    pub(crate) fn new(
        report: Box<dyn Listener<N> + 'a>,
        wanted: Wanted<'a>,
        author_of: Option<&'a Path>,
    ) -> Recorder<'a, N> {
        let (failures, pace) = (Vec::new(), None);
        let record = Record { steps: 0, warnings: 0, skipped: 0, failures, pace };
        Recorder { report, record, wanted, author_of }
    }

    /// The record, once the check is over.
    pub(crate) fn finish(self) -> Record<N> {
        self.record
    }
}

impl<N: Clone> Listener<N> for Recorder<'_, N> {
    fn begins(&mut self, name: &str) {
        self.report.begins(name);
    }

    fn found(&mut self, step: Step<N>) -> Result<(), Failure> {
        if !self.wanted.is_wanted() {
            return Err(unwritten(io::Error::other("cancelled")));
        }
        let step = match self.author_of {
            Some(folder) => step.for_author(folder),
            None => step,
        };
        let record = &mut self.record;
        record.pace = step.pace.or(record.pace);
        record.steps += 1;
        match step.status {
            Status::Failed => record.failures.push(step.clone()),
            Status::Warning => record.warnings += 1,
            Status::Skipped => record.skipped += 1,
            Status::Passed => {}
        }
        self.report.found(step)
    }
}

impl<N: Display> Record<N> {
    /// Numbers of its steps.
    pub(crate) fn counts(&self) -> Counts {
        let Record { steps, warnings, skipped, .. } = *self;
        let failed = self.failures.len();
        Counts { passed: failed == 0, steps, failed, skipped, warnings }
    }

    /// Fails with the first failed step, if there is one. The bot or the game is described by `what`.
    pub(crate) fn result(&self, what: &str) -> Result<(), Failure> {
        match self.failures.first() {
            None => Ok(()),
            Some(Step { name, note, .. }) => {
                let note = printable(note);
                Err(Failure::Check(format!("{what} failed the check at `{name}`: {note}")))
            }
        }
    }

    /// Writes the evidence of all failed steps into the folder that its user has named, if any.
    pub(crate) fn keep(&self, folder: Option<&Path>) -> Result<(), Failure> {
        let Some(folder) = folder else { return Ok(()) };
        let kept = self.failures.iter().try_for_each(|step| keep(folder, step));
        kept.map_err(|error| unkept(folder, &error))
    }
}

/// Makes the folder for the evidence of failed steps, if its user has named one.
pub(crate) fn make_folder(folder: Option<&Path>) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|error| unkept(folder, &error))
}

/// Writes the evidence of a step, each part and each game to its own file.
fn keep(folder: &Path, step: &Step<impl Display>) -> io::Result<()> {
    let stem = step.name.to_string().replace(' ', "-");
    let file = |ending: &str| folder.join(format!("{stem}.{ending}"));
    if let Some(evidence) = &step.evidence {
        if let Some(request) = &evidence.request {
            fs::write(file("request"), request)?;
        }
        fs::write(file("stdout"), &evidence.stdout.0)?;
        fs::write(file("stderr"), &evidence.stderr.0)?;
    }
    step.calls.iter().try_for_each(|calls| {
        let lines = calls.lines.iter().flat_map(|line| [line.as_str(), "\n"]);
        fs::write(file(&calls.title.replace(' ', "-")), lines.collect::<String>())
    })
}

fn unkept(folder: &Path, error: &io::Error) -> Failure {
    let shown = printable(&folder.display().to_string());
    Failure::Usage(format!("cannot keep failures in `{shown}`: {}", system_error(error)))
}
