//! A check as text for people, with a line for each step, and more if it fails; as lines of JSON; and its record, through
//! which the steps go to the report.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::{fs, io};

use indicatif::{ProgressBar, ProgressStyle};
use rules::EscapedBytes;
use sandbox::CancellationCheck;
use serde::{Serialize, Serializer};

use crate::step::{CallList, Evidence, StartupTimes, Status, Step};
use contest::tournament::plan::GamePace;
use text::columns::labelled;
use text::excerpt::{excerpt, shortened};
use text::failure::Failure;
use text::terminal::{Colours, ProgressLines};
use text::{counted, excerpt, printable, system_error};

/// Number of different failures that are shown in full.
const SHOWN: usize = 3;

/// Number of lines shown of a failed build.
const PARAGRAPH: usize = 40;

/// Number of lines shown of a bot's standard error.
const STDERR_LINES: usize = 20;

/// Width of the labels of evidence.
const LABEL: usize = 8;

/// The most calls that are shown of a game.
const CALLS: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Seconds, also for what is slow.
    Quick,
    /// Ten times as much, which finds most faults that show in one game of ten.
    Thorough,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    Text(Colours),
    /// Text for a file, without colours and progress.
    Report,
    /// Lines of JSON for programs.
    Json,
}

pub(crate) trait Listener<N> {
    fn begins(&mut self, name: &str);

    /// Takes a finished step. If it cannot be passed on, this fails, and the check stops.
    fn on_step(&mut self, step: Step<N>) -> Result<(), Failure>;
}

pub(crate) struct Report<'a> {
    steps: StepWriter<'a>,
    progress: CheckProgress,
}

struct StepWriter<'a> {
    out: &'a mut dyn Write,
    format: Format,
    /// Width of the names of steps.
    names: usize,
    /// Notes of the failures that were shown with their evidence.
    shown: BTreeSet<String>,
}

/// Numbers of steps by their results.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct StepCounts {
    pub passed: bool,
    pub steps: usize,
    pub failed: usize,
    pub skipped: usize,
    pub warnings: usize,
}

impl<'a> Report<'a> {
    /// Creates a report to `out`, with names of steps of this width. On a terminal, standard error shows the current
    /// step of a text; elsewhere it shows progress from time to time.
    pub(crate) fn new(
        out: &'a mut dyn Write,
        format: Format,
        names: usize,
    ) -> io::Result<Report<'a>> {
        let progress = match format {
            Format::Text(_) => CheckProgress::new()?,
            Format::Report => CheckProgress::hidden(),
            Format::Json => CheckProgress::unless_terminal(),
        };
        Ok(Report { steps: StepWriter { out, format, names, shown: BTreeSet::new() }, progress })
    }
}

impl StepWriter<'_> {
    fn write<N: Display + Serialize>(&mut self, step: &Step<N>) -> io::Result<()> {
        let colours = match self.format {
            Format::Json => return json(self.out, "step", step),
            Format::Text(colours) => colours,
            Format::Report => Colours::Plain,
        };
        let (word, name, note) = (step.status.word(colours), &step.name, printable(&step.note));
        let line = format!("{word}  {name:width$}  {note}", width = self.names);
        writeln!(self.out, "{}", line.trim_end())?;
        let mut lines: Vec<String> = step.start.iter().flat_map(StartupTimes::lines).collect();
        if step.status == Status::Failed
            && let Some(evidence) = &step.evidence
            // A repeated fault shows nothing new.
            && self.shown.len() < SHOWN
            && self.shown.insert(step.note.clone())
        {
            lines.extend(evidence_lines(evidence));
        }
        lines.extend(step.calls.iter().flat_map(call_lines));
        lines.iter().try_for_each(|line| writeln!(self.out, "         {line}"))?;
        self.out.flush()
    }
}

impl<N: Display + Serialize> Listener<N> for Report<'_> {
    fn begins(&mut self, name: &str) {
        self.progress.begins(name);
    }

    fn on_step(&mut self, step: Step<N>) -> Result<(), Failure> {
        let steps = &mut self.steps;
        self.progress.suspend(|| steps.write(&step)).map_err(unwritten)
    }
}

/// An unfinished report must not look like a passed check.
pub(crate) fn unwritten(error: io::Error) -> Failure {
    let kind = error.kind();
    let said = system_error(error);
    let problem = format!("cannot write to standard output: {said}; stopping the check");
    Failure::Unwritten { problem, kind }
}

/// Writes the last line of JSON, the summary.
pub(crate) fn json_summary(out: &mut dyn Write, summary: &impl Serialize) -> io::Result<()> {
    json(out, "summary", summary)
}

/// Says whether the bot or the game of this name passes, with the numbers of its steps.
pub(crate) fn conclusion(name: &str, counts: StepCounts) -> String {
    let StepCounts { passed, steps, failed, skipped, warnings } = counts;
    let steps = counted(steps, "step", "steps");
    let warnings = match warnings {
        0 => "no warnings".to_owned(),
        count => counted(count, "warning", "warnings"),
    };
    if passed {
        return format!("{name} passes: {steps}, {warnings}");
    }
    let skipped = match skipped {
        0 => String::new(),
        count => format!(", {count} skipped"),
    };
    format!("{name} does not pass: {failed} of {steps} failed{skipped}, {warnings}")
}

/// Writes a line of JSON: an object whose only key names the kind of the line, with this value.
fn json(out: &mut dyn Write, kind: &str, value: &impl Serialize) -> io::Result<()> {
    serde_json::Serializer::new(&mut *out).collect_map([(kind, value)])?;
    writeln!(out)?;
    out.flush()
}

/// Returns the calls of a game as lines, of many of them the first and the last ones.
fn call_lines(calls: &CallList) -> Vec<String> {
    let lines: Vec<&str> = calls.lines.iter().map(String::as_str).collect();
    let mut listed = vec![calls.title.clone()];
    let shown = shortened(&lines, CALLS);
    listed.extend(shown.into_iter().map(|line| format!("  {}", excerpt::line(line))));
    if lines.len() > CALLS {
        listed.push(format!("{} in all; --keep FOLDER saves them", lines.len()));
    }
    listed
}

fn evidence_lines(evidence: &Evidence) -> Vec<String> {
    let Evidence { expected, request, file, stdout, stderr, hint } = evidence;
    let mut lines = vec![format!("expected  {}", printable(expected))];
    match request {
        Some(request) => {
            lines.push(format!("printed   {}", stream(stdout)));
            lines.extend(file.iter().map(|file| format!("file      {}", stream(file))));
            lines.extend(paragraph("stderr", excerpt(&stderr.0, STDERR_LINES)));
            lines.extend(hint.iter().map(|hint| format!("hint      {hint}")));
            lines.push("request   (abridged; --keep FOLDER saves it in full)".to_owned());
            let request = abridged(request);
            lines.extend(request.iter().map(|line| format!("          {}", printable(line))));
        }
        // Output of a compiler keeps its lines.
        None => {
            lines.extend(paragraph("printed", beginning(stdout)));
            lines.extend(paragraph("stderr", beginning(stderr)));
            lines.extend(hint.iter().map(|hint| format!("hint      {hint}")));
        }
    }
    lines
}

fn stream(stream: &EscapedBytes) -> String {
    if stream.0.is_empty() { "nothing".to_owned() } else { cut(&stream.to_string()) }
}

/// Returns the first lines of a build's output: a compiler's first error is the one to mend.
fn beginning(stream: &EscapedBytes) -> Vec<String> {
    let text = String::from_utf8_lossy(&stream.0);
    let mut lines: Vec<String> = text.lines().take(PARAGRAPH).map(excerpt::line).collect();
    if text.lines().count() > PARAGRAPH {
        lines.push("…".to_owned());
    }
    lines
}

fn paragraph(label: &str, mut lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        lines.push("nothing".to_owned());
    }
    labelled(label, LABEL, &lines)
}

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
    fn unless_terminal() -> CheckProgress {
        CheckProgress { bar: ProgressBar::hidden(), lines: ProgressLines::unless_terminal() }
    }

    /// Shows nothing.
    pub(crate) fn hidden() -> CheckProgress {
        CheckProgress { bar: ProgressBar::hidden(), lines: None }
    }

    pub(crate) fn begins(&mut self, name: &str) {
        if let Some(lines) = &mut self.lines {
            lines.begins(name);
        }
        self.bar.set_message(name.to_owned());
        self.bar.tick();
    }

    /// Does something that writes to the terminal, and shows the step again after it.
    fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for CheckProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Number of history lines shown, the last ones.
const HISTORY: usize = 3;

/// Number of legal moves shown, the first ones.
const LEGAL: usize = 5;

/// The longest line that is shown, in characters.
pub(crate) const WIDTH: usize = 100;

/// Cuts the long lists and lines of a request, so that it fits on a screen, with a line of dots for each gap.
pub fn abridged(request: &str) -> Vec<String> {
    let lines: Vec<&str> = request.lines().collect();
    let mut shown = Vec::new();
    let mut place = 0;
    while let Some(&line) = lines.get(place) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        shown.push(cut(line));
        place += 1;
        let inside = lines_inside(key, value).min(lines.len() - place);
        let block = &lines[place..place + inside];
        match key {
            "history" => {
                let hidden = inside.saturating_sub(HISTORY);
                shown.extend(left_out(hidden));
                shown.extend(block[hidden..].iter().map(|line| cut(line)));
            }
            "legal" => {
                shown.extend(block.iter().take(LEGAL).map(|line| cut(line)));
                shown.extend(left_out(inside.saturating_sub(LEGAL)));
            }
            _ => shown.extend(block.iter().map(|line| cut(line))),
        }
        place += inside;
        // Further lines with the same key are additions of the check.
        let alike = |line: &&&str| line.split(' ').next() == Some(key);
        let same = lines[place..].iter().take_while(alike).count();
        shown.extend(left_out(same));
        place += same;
    }
    shown
}

/// Returns the number of lines after a key that belong to it.
pub(crate) fn lines_inside(key: &str, value: &str) -> usize {
    let count = value.split(' ').next().and_then(|count| count.parse().ok());
    count.filter(|_| matches!(key, "view" | "history" | "legal")).unwrap_or(0)
}

fn left_out(lines: usize) -> Option<String> {
    match lines {
        0 => None,
        count => Some(format!("… {}", counted(count, "line", "lines"))),
    }
}

/// Cuts a line to the longest that is shown.
pub fn cut(line: &str) -> String {
    let mut text: String = line.chars().take(WIDTH).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}

#[derive(Debug)]
pub struct CheckResult<N> {
    steps: usize,
    warnings: usize,
    skipped: usize,
    pub failures: Vec<Step<N>>,
    /// Pace of a bot's games, if it played them; of the last game of several.
    pub pace: Option<GamePace>,
}

/// Records the steps on their way to the report.
pub(crate) struct StepRecorder<'a, N> {
    report: Box<dyn Listener<N> + 'a>,
    record: CheckResult<N>,
    wanted: CancellationCheck<'a>,
    /// The folder of the bot, if the report is for its author.
    author_of: Option<&'a Path>,
}

impl<'a, N> StepRecorder<'a, N> {
    /// Records steps and passes them on to this report until the check is cancelled. In a report for the author of the
    /// bot in a folder, no step mentions this machine.
    pub(crate) fn new(
        report: Box<dyn Listener<N> + 'a>,
        wanted: CancellationCheck<'a>,
        author_of: Option<&'a Path>,
    ) -> StepRecorder<'a, N> {
        let (failures, pace) = (Vec::new(), None);
        let record = CheckResult { steps: 0, warnings: 0, skipped: 0, failures, pace };
        StepRecorder { report, record, wanted, author_of }
    }

    /// The record, once the check is over.
    pub(crate) fn finish(self) -> CheckResult<N> {
        self.record
    }
}

impl<N: Clone> Listener<N> for StepRecorder<'_, N> {
    fn begins(&mut self, name: &str) {
        self.report.begins(name);
    }

    fn on_step(&mut self, step: Step<N>) -> Result<(), Failure> {
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
        self.report.on_step(step)
    }
}

impl<N: Display> CheckResult<N> {
    pub(crate) fn counts(&self) -> StepCounts {
        let CheckResult { steps, warnings, skipped, .. } = *self;
        let failed = self.failures.len();
        StepCounts { passed: failed == 0, steps, failed, skipped, warnings }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_request_is_shown_all_the_same() {
        assert_eq!(abridged(""), Vec::<String>::new());
        assert_eq!(abridged("legal 9\n7S\n"), ["legal 9", "7S"]);
        assert_eq!(abridged("history 99999999999999999999\n"), ["history 99999999999999999999"]);
    }
}
