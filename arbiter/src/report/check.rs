//! A check as text for a person: a line for each step as it is made, and more where one fails.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use rules::text::printable;
use rules::{Escaped, Seed};
use serde::Serialize;

use crate::check::{Evidence, Listener, Status, Step};
use crate::report::abridged::{abridged, cut};

/// How many different failures are shown with all that there is to see.
const SHOWN: usize = 3;

/// How many lines of a build that failed are shown.
const PARAGRAPH: usize = 40;

/// How wide the names of steps are.
const NAMES: usize = 24;

/// Tells every step, with colours on a terminal.
pub struct CheckText<'a> {
    out: &'a mut dyn Write,
    colours: Colours,
    bar: ProgressBar,
    /// What was wrong in the failures that were shown.
    shown: BTreeSet<String>,
}

/// What a whole check came to.
#[derive(Debug, Clone, Serialize)]
pub struct CheckSummary {
    /// The name of the bot.
    pub bot: String,
    /// Its command, as it was typed.
    pub command: String,
    /// The names of the games.
    pub games: Vec<&'static str>,
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
    /// How many of them ended with a warning.
    pub warnings: usize,
}

/// Whether the first word of a line has a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// Escape sequences of terminals.
    Ansi,
    /// None.
    Plain,
}

impl Colours {
    /// Those of standard output: none in a pipe, and none where `NO_COLOR` says so.
    pub fn of_stdout() -> Colours {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if io::stdout().is_terminal() && !set("NO_COLOR") && !dumb {
            Colours::Ansi
        } else {
            Colours::Plain
        }
    }
}

impl<'a> CheckText<'a> {
    /// A report to `out`; on a terminal, standard error shows what is looked at now.
    ///
    /// # Errors
    ///
    /// Never, as long as the library understands the template of the line.
    pub fn new(out: &'a mut dyn Write, colours: Colours) -> io::Result<Self> {
        // The library draws nothing where standard error is not a terminal.
        let style = ProgressStyle::with_template("… {msg}, {elapsed}").map_err(io::Error::other)?;
        let bar = ProgressBar::new_spinner().with_style(style);
        Ok(CheckText { out, colours, bar, shown: BTreeSet::new() })
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

/// The last lines of a check.
///
/// # Errors
///
/// Fails where `out` does.
pub fn summary(out: &mut dyn Write, summary: &CheckSummary) -> io::Result<()> {
    let CheckSummary { bot, passed, steps, failed, warnings, .. } = summary;
    let warnings = match warnings {
        0 => "no warnings".to_owned(),
        1 => "1 warning".to_owned(),
        count => format!("{count} warnings"),
    };
    match passed {
        true => writeln!(out, "\n{bot} passes: {steps} steps, {warnings}"),
        false => {
            writeln!(out, "\n{bot} does not pass: {failed} of {steps} steps failed, {warnings}")
        }
    }
}

/// What a failure looked like, a line each.
fn told(evidence: &Evidence) -> Vec<String> {
    let Evidence { expected, request, file, stdout, stderr } = evidence;
    let mut lines = vec![format!("expected  {}", printable(expected))];
    match request {
        Some(request) => {
            lines.push(format!("printed   {}", stream(stdout)));
            lines.extend(file.iter().map(|file| format!("file      {}", stream(file))));
            lines.push(format!("stderr    {}", stream(stderr)));
            let how = "as follows, without long lists; --keep FOLDER writes all of it";
            lines.push(format!("request   {how}"));
            let request = abridged(request);
            lines.extend(request.iter().map(|line| format!("          {}", printable(line))));
        }
        // What a compiler says is told as it is: in lines.
        None => {
            lines.extend(paragraph("printed", stdout));
            lines.extend(paragraph("stderr", stderr));
        }
    }
    lines
}

fn stream(stream: &Escaped) -> String {
    if stream.0.is_empty() { "nothing".to_owned() } else { cut(&stream.to_string()) }
}

fn paragraph(label: &str, stream: &Escaped) -> Vec<String> {
    let text = String::from_utf8_lossy(&stream.0);
    let mut lines: Vec<String> =
        text.lines().take(PARAGRAPH).map(|line| printable(&cut(line))).collect();
    if lines.is_empty() {
        lines.push("nothing".to_owned());
    } else if text.lines().count() > PARAGRAPH {
        lines.push("…".to_owned());
    }
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    lines.iter().zip(labels).map(|(line, label)| format!("{label:8}  {line}")).collect()
}
