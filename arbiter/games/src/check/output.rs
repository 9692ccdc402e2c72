//! A check of rules as text for people, with a line for each step, and as lines of JSON.

use std::io::{self, Write};
use std::iter;

use rules::{RulesId, Seed};
use serde::Serialize;
use text::columns::aligned;
use text::counted;
use text::excerpt::{self, shortened};
use text::printable;

use super::plan::{Depth, Format, RulesRequest, THOROUGH};
use super::progress::CheckProgress;
use super::{Bucket, Depths, Follow, History, Step, StepName};

/// Width of the names of steps.
const NAMES: usize = 20;

/// The most calls that are shown of a game.
const CALLS: usize = 40;

/// The most events that are shown of a history.
const EVENTS: usize = 40;

/// The most seats whose history is shown.
const SEATS: usize = 4;

/// The most characters of an event in all columns together.
const EVENT: usize = 104;

/// Writes every step as it is made.
pub(super) struct Report<'a> {
    steps: StepWriter<'a>,
    progress: CheckProgress,
}

/// Writes steps in a format.
struct StepWriter<'a> {
    out: &'a mut dyn Write,
    format: Format,
}

/// The end of a check.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CheckSummary {
    pub game: String,
    pub rules: RulesId,
    pub options: String,
    pub seed: Seed,
    pub passed: bool,
    pub steps: usize,
    pub failed: usize,
    pub skipped: usize,
    pub warnings: usize,
    pub history: History,
    pub twins: Depths,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<StepName>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untested_seats: Vec<usize>,
}

/// A line of JSON, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Step(&'a Step),
    Summary(&'a CheckSummary),
}

impl<'a> Report<'a> {
    /// Creates a report to `out`. On a terminal, standard error shows the current step.
    pub(super) fn new(out: &'a mut dyn Write, format: Format) -> io::Result<Report<'a>> {
        let progress = match format {
            Format::Text(_) => CheckProgress::new()?,
            Format::Json => CheckProgress::unless_terminal(),
        };
        Ok(Report { steps: StepWriter { out, format }, progress })
    }
}

impl StepWriter<'_> {
    fn write(&mut self, step: &Step) -> io::Result<()> {
        let colours = match self.format {
            Format::Json => return json(self.out, &JsonLine::Step(step)),
            Format::Text(colours) => colours,
        };
        let (word, name, note) = (step.status.word(colours), &step.name, printable(&step.note));
        let line = format!("{word}  {name:NAMES$}  {note}");
        writeln!(self.out, "{}", line.trim_end())?;
        for calls in &step.calls {
            writeln!(self.out, "         {}", calls.title)?;
            let lines: Vec<&str> = calls.lines.iter().map(String::as_str).collect();
            for line in shortened(&lines, CALLS) {
                writeln!(self.out, "           {}", excerpt::line(line))?;
            }
            if lines.len() > CALLS {
                writeln!(self.out, "         {} in all; --keep FOLDER saves them", lines.len())?;
            }
        }
        self.out.flush()
    }
}

impl Follow for Report<'_> {
    fn begins(&mut self, name: &str) {
        self.progress.begins(name);
    }

    fn found(&mut self, step: Step) -> io::Result<()> {
        let steps = &mut self.steps;
        self.progress.suspend(|| steps.write(&step))
    }
}

/// Writes the end of a check.
pub(super) fn summary(
    out: &mut dyn Write,
    summary: &CheckSummary,
    request: &RulesRequest,
) -> io::Result<()> {
    let CheckSummary {
        game,
        seed,
        passed,
        steps,
        failed,
        skipped,
        warnings,
        history,
        twins,
        cut,
        untested_seats,
        ..
    } = summary;
    if let Format::Json = request.format {
        return json(out, &JsonLine::Summary(summary));
    }
    write_twins(out, twins)?;
    write_history(out, history)?;
    let warnings = match warnings {
        0 => "no warnings".to_owned(),
        count => counted(*count, "warning", "warnings"),
    };
    let steps = counted(*steps, "step", "steps");
    match passed {
        true => writeln!(out, "\n{game} passes: {steps}, {warnings}, seed {seed}")?,
        false => {
            let skipped = match skipped {
                0 => String::new(),
                count => format!(", {count} skipped"),
            };
            let failed = format!("{failed} of {steps} failed{skipped}");
            writeln!(out, "\n{game} does not pass: {failed}, {warnings}, seed {seed}")?;
        }
    }
    if !untested_seats.is_empty() {
        let seats = ranges(untested_seats);
        writeln!(out, "not tested: games with {seats} seats; --seats N tests them")?;
    }
    if !cut.is_empty() {
        let cut: Vec<String> = cut.iter().map(StepName::to_string).collect();
        writeln!(out, "cut short, since the rules are slow: {}", cut.join(", "))?;
    }
    match (passed, request.depth, request.games) {
        (true, Depth::Quick, None) => writeln!(
            out,
            "quick check of at most 20 seconds; --thorough plays {THOROUGH} games without a time \
             limit"
        ),
        _ => Ok(()),
    }
}

/// Numbers in order, with those that follow each other as a range: `2, 4 to 6`.
fn ranges(numbers: &[usize]) -> String {
    let mut shown: Vec<String> = Vec::new();
    for part in numbers.chunk_by(|one, next| one + 1 == *next) {
        shown.push(match part {
            [one] => one.to_string(),
            [one, .., last] => format!("{one} to {last}"),
            [] => continue,
        });
    }
    shown.join(", ")
}

fn write_twins(out: &mut dyn Write, twins: &Depths) -> io::Result<()> {
    if twins.states() == 0 {
        return Ok(());
    }
    let title =
        "indistinguishable states (same events for the seat in another game), by number of inputs:";
    writeln!(out, "\n{title}")?;
    let row = |Bucket { from, to, states, twins }: &Bucket| {
        let inputs = if from == to { from.to_string() } else { format!("{from} to {to}") };
        vec![format!("  {inputs}"), format!("{twins} of {states}")]
    };
    write!(out, "{}", aligned(&twins.buckets().map(row).collect::<Vec<_>>(), 1))?;
    writeln!(
        out,
        "such pairs are rare late in long games: passing does not prove that nothing leaks"
    )
}

fn write_history(out: &mut dyn Write, history: &History) -> io::Result<()> {
    let rows = history.rows();
    let Some(seats) = rows.first().map(Vec::len) else { return Ok(()) };
    let title = match seats > SEATS {
        true => format!("one game as the first {SEATS} of {seats} seats saw it:"),
        false => "one game as each seat saw it:".to_owned(),
    };
    writeln!(out, "\n{title}")?;
    let shown = seats.min(SEATS);
    let head = (0..shown).map(|seat| format!("  seat {seat}")).collect();
    let cell = |line: &Option<String>| match line {
        Some(line) => format!("  {}", cut(line, EVENT / shown.max(1))),
        None => "  -".to_owned(),
    };
    let row = |row: &Vec<Option<String>>| row.iter().take(shown).map(cell).collect::<Vec<_>>();
    let table: Vec<Vec<String>> =
        iter::once(head).chain(rows.iter().take(EVENTS).map(row)).collect();
    for line in aligned(&table, shown).lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    match rows.len().checked_sub(EVENTS) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(out, "  … {}", counted(more, "more event", "more events")),
    }
}

/// The beginning of an event, as much as a column holds.
fn cut(line: &str, width: usize) -> String {
    match line.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn json(out: &mut dyn Write, line: &JsonLine<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_that_follow_each_other_are_a_range() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[2, 4, 5, 6]), "2, 4 to 6");
        assert_eq!(ranges(&[2, 3, 5]), "2 to 3, 5");
    }
}
