//! A check as text for people, with a line for each step, and more if it fails; and as lines of JSON.

use std::collections::BTreeSet;
use std::io::{self, Write};

use rules::{Escaped, Seed};
use serde::Serialize;
use text::printable;

use crate::check::abridged::{abridged, cut};
use crate::check::{Evidence, Listener, StartTimes, Status, Step};
use games::check::progress::CheckProgress;
use text::columns::labelled;
use text::counted;
use text::excerpt::{self, excerpt};
use text::terminal::Colours;

/// Number of different failures that are shown in full.
const SHOWN: usize = 3;

/// Number of lines shown of a failed build.
const PARAGRAPH: usize = 40;

/// Number of lines shown of a bot's standard error.
const STDERR_LINES: usize = 20;

/// Width of the labels of evidence.
const LABEL: usize = 8;

/// Width of the names of steps.
const NAMES: usize = 24;

/// Writes every step as text, with colours on a terminal.
pub(crate) struct CheckText<'a> {
    steps: StepWriter<'a>,
    progress: CheckProgress,
}

struct StepWriter<'a> {
    out: &'a mut dyn Write,
    colours: Colours,
    /// Notes of the failures that were shown.
    shown: BTreeSet<String>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct CheckSummary {
    pub bot: String,
    pub command: String,
    pub games: Vec<String>,
    pub options: Vec<String>,
    pub seed: Seed,
    pub passed: bool,
    pub steps: usize,
    pub failed: usize,
    pub skipped: usize,
    pub warnings: usize,
}

impl<'a> CheckText<'a> {
    /// Creates a report to `out`. On a terminal, standard error shows the current step.
    pub(crate) fn new(out: &'a mut dyn Write, colours: Colours) -> io::Result<Self> {
        Ok(CheckText { steps: StepWriter::new(out, colours), progress: CheckProgress::new()? })
    }

    /// Creates a report to `out`, without colours and progress.
    pub(crate) fn to_file(out: &'a mut dyn Write) -> Self {
        let steps = StepWriter::new(out, Colours::Plain);
        CheckText { steps, progress: CheckProgress::hidden() }
    }
}

impl<'a> StepWriter<'a> {
    fn new(out: &'a mut dyn Write, colours: Colours) -> StepWriter<'a> {
        StepWriter { out, colours, shown: BTreeSet::new() }
    }

    fn write(&mut self, step: &Step) -> io::Result<()> {
        let word = step.status.word(self.colours);
        let (name, note) = (&step.name, printable(&step.note));
        let line = format!("{word}  {name:NAMES$}  {note}");
        writeln!(self.out, "{}", line.trim_end())?;
        let lines = step.start.iter().flat_map(StartTimes::lines);
        lines.into_iter().try_for_each(|line| writeln!(self.out, "         {line}"))?;
        if step.status != Status::Failed {
            return Ok(());
        }
        let Some(evidence) = &step.evidence else { return Ok(()) };
        // A repeated fault shows nothing new.
        if self.shown.len() < SHOWN && self.shown.insert(step.note.clone()) {
            let told = told(evidence);
            told.iter().try_for_each(|line| writeln!(self.out, "         {line}"))?;
        }
        Ok(())
    }
}

impl Listener for CheckText<'_> {
    fn begins(&mut self, name: &str) {
        self.progress.begins(name);
    }

    fn found(&mut self, step: Step) -> io::Result<()> {
        let steps = &mut self.steps;
        self.progress.suspend(|| steps.write(&step).and_then(|()| steps.out.flush()))
    }
}

/// Writes a line for each step as it is made.
pub(crate) struct CheckJson<'a> {
    out: &'a mut dyn Write,
    progress: CheckProgress,
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
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        CheckJson { out, progress: CheckProgress::unless_terminal() }
    }

    fn line(&mut self, line: &JsonLine<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

impl Listener for CheckJson<'_> {
    fn begins(&mut self, name: &str) {
        self.progress.begins(name);
    }

    fn found(&mut self, step: Step) -> io::Result<()> {
        self.line(&JsonLine::Step(&step))
    }
}

/// Writes the last line of JSON, the summary.
pub(crate) fn json_summary(out: &mut dyn Write, summary: &CheckSummary) -> io::Result<()> {
    CheckJson::new(out).line(&JsonLine::Summary(summary))
}

/// Writes a pointer to the thorough check, after a passed quick one.
pub(crate) fn quick(out: &mut dyn Write, games: u64) -> io::Result<()> {
    writeln!(out, "quick check; --thorough plays each game {games} times")
}

/// Writes the last lines of a check.
pub(crate) fn summary(out: &mut dyn Write, summary: &CheckSummary) -> io::Result<()> {
    let CheckSummary { bot, passed, steps, failed, skipped, warnings, .. } = summary;
    let warnings = match warnings {
        0 => "no warnings".to_owned(),
        count => counted(*count, "warning", "warnings"),
    };
    match passed {
        true => {
            let steps = counted(*steps, "step", "steps");
            writeln!(out, "\n{bot} passes: {steps}, {warnings}")
        }
        false => {
            let skipped = match skipped {
                0 => String::new(),
                count => format!(", {count} skipped"),
            };
            let steps = counted(*steps, "step", "steps");
            let failed = format!("{failed} of {steps} failed{skipped}");
            writeln!(out, "\n{bot} does not pass: {failed}, {warnings}")
        }
    }
}

/// Returns the evidence of a failure as lines.
fn told(evidence: &Evidence) -> Vec<String> {
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

fn stream(stream: &Escaped) -> String {
    if stream.0.is_empty() { "nothing".to_owned() } else { cut(&stream.to_string()) }
}

/// Returns the first lines of a build's output: a compiler's first error is the one to mend.
fn beginning(stream: &Escaped) -> Vec<String> {
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
