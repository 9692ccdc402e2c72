//! The end of the check of a game: what twins and a history show, and the numbers of its steps.

use std::io::{self, Write};
use std::iter;

use rules::{HistoryLine, RulesId, Seat, Seed};
use serde::Serialize;
use text::columns::aligned;
use text::counted;

use super::run::{PlayedGame, RulesStepName};
use crate::report::{StepCounts, conclusion};

/// The most events that are shown of a history.
const EVENTS: usize = 40;

/// The most seats whose history is shown.
const SEATS: usize = 4;

/// The most characters of an event in all columns together.
const EVENT: usize = 104;

/// The end of a check.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Summary {
    pub game: String,
    pub rules: RulesId,
    pub options: String,
    pub seed: Seed,
    #[serde(flatten)]
    pub counts: StepCounts,
    #[serde(flatten)]
    pub details: CheckDetails,
}

/// Results of a check beside its steps.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct CheckDetails {
    pub history: SeatHistories,
    /// How many states had a twin.
    pub twins: DepthHistogram,
    /// The steps that were cut short.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<RulesStepName>,
    /// The numbers of seats that the game can have, and that were not tested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untested_seats: Vec<usize>,
}

impl Summary {
    /// Writes the end of a check as text; a brief one tells of the thorough one with this number of games.
    pub(super) fn write(
        &self,
        out: &mut dyn Write,
        thorough: u64,
        is_brief: bool,
    ) -> io::Result<()> {
        write_twins(out, &self.details.twins)?;
        write_history(out, &self.details.history)?;
        writeln!(out, "\n{}, seed {}", conclusion(&self.game, self.counts), self.seed)?;
        if !self.details.untested_seats.is_empty() {
            let seats = ranges(&self.details.untested_seats);
            writeln!(out, "not tested: games with {seats} seats; --seats N tests them")?;
        }
        if !self.details.cut.is_empty() {
            let cut: Vec<String> = self.details.cut.iter().map(RulesStepName::to_string).collect();
            writeln!(out, "cut short, since the rules are slow: {}", cut.join(", "))?;
        }
        match self.counts.passed && is_brief {
            true => writeln!(
                out,
                "quick check of at most 20 seconds; --thorough plays {thorough} games without a time limit"
            ),
            false => Ok(()),
        }
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

fn write_twins(out: &mut dyn Write, twins: &DepthHistogram) -> io::Result<()> {
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

fn write_history(out: &mut dyn Write, history: &SeatHistories) -> io::Result<()> {
    let SeatHistories(rows) = history;
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

/// The most buckets.
const BUCKETS: usize = 8;

/// Numbers of states, in buckets of depth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct DepthHistogram(Vec<Bucket>);

/// The states of some depths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Bucket {
    /// The least number of inputs before a state.
    pub from: usize,
    /// The greatest one.
    pub to: usize,
    /// Number of states, each once for each seat.
    pub states: usize,
    /// Number of those that had a twin.
    pub twins: usize,
}

impl DepthHistogram {
    /// Buckets for games of this length.
    pub(super) fn new(longest: usize) -> DepthHistogram {
        let width = longest.div_ceil(BUCKETS).max(1);
        let bucket = |from: usize| Bucket { from, to: from + width - 1, states: 0, twins: 0 };
        DepthHistogram((1..=longest).step_by(width).map(bucket).collect())
    }

    pub(super) fn add_states(&mut self, depth: usize, seats: usize) {
        self.bucket(depth).into_iter().for_each(|bucket| bucket.states += seats);
    }

    pub(super) fn add_twin(&mut self, depth: usize) {
        self.bucket(depth).into_iter().for_each(|bucket| bucket.twins += 1);
    }

    fn bucket(&mut self, depth: usize) -> Option<&mut Bucket> {
        self.0.iter_mut().find(|bucket| (bucket.from..=bucket.to).contains(&depth))
    }

    /// The buckets that hold a state, from the beginning of games to their end.
    fn buckets(&self) -> impl Iterator<Item = &Bucket> {
        self.0.iter().filter(|bucket| bucket.states > 0)
    }

    /// The number of states that had a twin.
    pub(super) fn twins(&self) -> usize {
        self.0.iter().map(|bucket| bucket.twins).sum()
    }

    pub(super) fn states(&self) -> usize {
        self.0.iter().map(|bucket| bucket.states).sum()
    }
}

/// The most events that are kept.
const KEPT: usize = 1_000;

/// A row for each event of a game, with a cell for each seat: the line that it saw, if it saw any. An author sees here what
/// no comparison finds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct SeatHistories(Vec<Vec<Option<String>>>);

impl SeatHistories {
    pub(super) fn new(run: &PlayedGame, seats: usize) -> SeatHistories {
        let events = run.moments.iter().flat_map(|moment| &moment.events);
        let seen = |event: &HistoryLine, seat: Seat| event.seen_by(seat).map(str::to_owned);
        let row = |event| Seat::first(seats).map(|seat| seen(event, seat)).collect();
        SeatHistories(events.take(KEPT).map(row).collect())
    }
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
