//! A check as text for a person: a line for each step, and more if it fails.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rules::{Escaped, Seed};
use serde::Serialize;
use text::printable;

use crate::check::abridged::{abridged, cut};
use crate::check::{Evidence, Listener, Status, Step};
use text::columns::labelled;
use text::counted;
use text::excerpt::{self, excerpt};
use text::terminal::Colours;
use text::terminal::say;

/// How many different failures are shown with all that there is to see.
const SHOWN: usize = 3;

/// How many lines of a build that failed are shown.
const PARAGRAPH: usize = 40;

/// How many lines of a bot's standard error are shown.
const STDERR_LINES: usize = 20;

/// How much time is between two lines that say how far a check is.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// How wide the labels of a failure's parts are.
const LABEL: usize = 8;

/// How wide the names of steps are.
const NAMES: usize = 24;

/// Tells every step, with colours on a terminal.
pub struct CheckText<'a> {
    out: &'a mut dyn Write,
    colours: Colours,
    bar: ProgressBar,
    /// What says now and then how far it is, where there is no terminal.
    progress: Option<ProgressLines>,
    /// What was wrong in the failures that were shown.
    shown: BTreeSet<String>,
}

/// Lines on standard error that say now and then what a check looks at, where that is no terminal.
pub struct ProgressLines {
    began: Instant,
    last: Instant,
}

/// What a whole check came to.
#[derive(Debug, Clone, Serialize)]
pub struct CheckSummary {
    /// The name of the bot.
    pub bot: String,
    /// Its command, as it was typed.
    pub command: String,
    /// The names of the games.
    pub games: Vec<String>,
    /// How each of them was set up.
    pub options: Vec<String>,
    /// What the deals follow from.
    pub seed: Seed,
    /// Whether no step failed.
    pub passed: bool,
    /// How many steps there were.
    pub steps: usize,
    /// How many of them failed.
    pub failed: usize,
    /// How many of them were not made.
    pub skipped: usize,
    /// How many of them ended with a warning.
    pub warnings: usize,
}

impl<'a> CheckText<'a> {
    /// A report to `out`; on a terminal, standard error shows what is looked at now.
    ///
    /// # Errors
    ///
    /// Never, as long as the library understands the template of the line.
    pub fn new(out: &'a mut dyn Write, colours: Colours) -> io::Result<Self> {
        // The library draws nothing if standard error is not a terminal.
        let style = ProgressStyle::with_template("… {msg}, {elapsed}").map_err(io::Error::other)?;
        let bar = ProgressBar::new_spinner().with_style(style);
        let progress = ProgressLines::unless_terminal();
        Ok(CheckText { out, colours, bar, progress, shown: BTreeSet::new() })
    }

    /// A report to `out`, without colours and progress.
    pub fn to_file(out: &'a mut dyn Write) -> Self {
        let (colours, bar) = (Colours::Plain, ProgressBar::hidden());
        CheckText { out, colours, bar, progress: None, shown: BTreeSet::new() }
    }

    fn word(&self, status: Status) -> String {
        let (word, colour) = match status {
            Status::Passed => ("ok", "32"),
            Status::Warning => ("warning", "33"),
            Status::Failed => ("FAILED", "31"),
            Status::Skipped => ("skipped", "2"),
        };
        match self.colours {
            Colours::Ansi => format!("\x1b[{colour}m{word:7}\x1b[0m"),
            Colours::Plain => format!("{word:7}"),
        }
    }

    fn write(&mut self, step: &Step) -> io::Result<()> {
        let word = self.word(step.status);
        let (name, note) = (&step.name, printable(&step.note));
        let line = format!("{word}  {name:NAMES$}  {note}");
        writeln!(self.out, "{}", line.trim_end())?;
        if step.status != Status::Failed {
            return Ok(());
        }
        let Some(evidence) = &step.evidence else { return Ok(()) };
        // The same fault again shows nothing new.
        if self.shown.len() < SHOWN && self.shown.insert(step.note.clone()) {
            let told = told(evidence);
            told.iter().try_for_each(|line| writeln!(self.out, "         {line}"))?;
        }
        Ok(())
    }
}

impl Listener for CheckText<'_> {
    fn begins(&mut self, name: &str) {
        if let Some(progress) = &mut self.progress {
            progress.begins(name);
        }
        self.bar.set_message(name.to_owned());
        self.bar.tick();
    }

    fn found(&mut self, step: Step) -> io::Result<()> {
        let bar = self.bar.clone();
        bar.suspend(|| self.write(&step).and_then(|()| self.out.flush()))
    }
}

impl Drop for CheckText<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl ProgressLines {
    /// Lines, unless standard error is a terminal, which shows a line that changes.
    pub fn unless_terminal() -> Option<ProgressLines> {
        let began = Instant::now();
        let is_terminal = io::stderr().is_terminal();
        (!is_terminal).then_some(ProgressLines { began, last: began })
    }

    /// Says what is looked at now, if the last line is old enough.
    pub fn begins(&mut self, name: &str) {
        if self.last.elapsed() >= BETWEEN_LINES {
            self.last = Instant::now();
            say(format!("checking: {name}, {} s so far", self.began.elapsed().as_secs()));
        }
    }
}

/// What a quick check that is passed leaves to a thorough one.
///
/// # Errors
///
/// Fails where `out` does.
pub fn quick(out: &mut dyn Write, games: u64) -> io::Result<()> {
    writeln!(out, "this was a quick check: --thorough plays each game {games} times")
}

/// The last lines of a check.
///
/// # Errors
///
/// Fails where `out` does.
pub fn summary(out: &mut dyn Write, summary: &CheckSummary) -> io::Result<()> {
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

/// What a failure looked like, a line each.
fn told(evidence: &Evidence) -> Vec<String> {
    let Evidence { expected, request, file, stdout, stderr, hint } = evidence;
    let mut lines = vec![format!("expected  {}", printable(expected))];
    match request {
        Some(request) => {
            lines.push(format!("printed   {}", stream(stdout)));
            lines.extend(file.iter().map(|file| format!("file      {}", stream(file))));
            lines.extend(paragraph("stderr", excerpt(&stderr.0, STDERR_LINES)));
            lines.extend(hint.iter().map(|hint| format!("hint      {hint}")));
            let how = "as follows, without long lists; --keep FOLDER saves all of it";
            lines.push(format!("request   {how}"));
            let request = abridged(request);
            lines.extend(request.iter().map(|line| format!("          {}", printable(line))));
        }
        // What a compiler says is told as it is: in lines.
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

/// The first lines of what a build printed: a compiler's first error is the one to mend.
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
