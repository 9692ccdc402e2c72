//! The history of a custom game: its lines, and the form of each that a seat sees.

use super::answer::{Event, Line};
use super::fault::Fault;
use crate::game::{HistoryLine, Redacted};
use crate::narrator::Narrator;
use crate::seat::{PerSeat, Seat};
use crate::verdict::Verdict;

/// The most bytes of all events of a game.
pub const LONGEST_HISTORY: usize = 4 << 20;

/// The lines that a game has had so far.
#[derive(Default)]
pub(super) struct History {
    entries: Vec<Entry>,
    /// Number of bytes of its events.
    bytes: usize,
}

/// A line of the history.
enum Entry {
    Event(Event),
    Out(Seat, Verdict),
}

impl History {
    /// Adds events, unless there are too many for one game.
    pub(super) fn add_events(&mut self, events: Vec<Event>) -> Result<(), Fault> {
        let public = |event: &Event| event.secret.as_ref().and_then(|it| it.public.clone());
        let length = |line: &Line| line.text.len() + line.tell.as_ref().map_or(0, String::len) + 1;
        let both = |event: &Event| length(&event.full) + public(event).as_ref().map_or(0, length);
        self.bytes += events.iter().map(both).sum::<usize>();
        if self.bytes > LONGEST_HISTORY {
            return Err(Fault::beyond(format_args!("more than {LONGEST_HISTORY} bytes of events")));
        }
        self.entries.extend(events.into_iter().map(Entry::Event));
        Ok(())
    }

    /// Adds that a seat is out.
    pub(super) fn add_out(&mut self, seat: Seat, verdict: Verdict) {
        self.entries.push(Entry::Out(seat, verdict));
    }

    /// Number of lines.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The lines from one on as the referee sees them.
    pub(super) fn full_from(&self, from: usize) -> impl Iterator<Item = SeenLine<'_>> {
        self.from(from).map(Entry::full)
    }

    /// The lines from one on that a seat sees, as it sees them.
    pub(super) fn seen_from(&self, seat: Seat, from: usize) -> impl Iterator<Item = SeenLine<'_>> {
        self.from(from).filter_map(move |entry| entry.seen_by(seat))
    }

    /// The lines from one on, each in all its forms.
    pub(super) fn lines(&self, from: usize) -> Vec<HistoryLine> {
        self.from(from).map(Entry::line).collect()
    }

    /// True if one of the lines from one on says that a seat is out.
    pub(super) fn has_out_line(&self, from: usize) -> bool {
        self.from(from).any(|entry| matches!(entry, Entry::Out(..)))
    }

    fn from(&self, from: usize) -> impl Iterator<Item = &Entry> {
        self.entries.iter().skip(from)
    }
}

impl Entry {
    /// The form that a seat sees, if it sees any.
    fn seen_by(&self, seat: Seat) -> Option<SeenLine<'_>> {
        match self {
            Entry::Out(out, verdict) => Some(SeenLine::Out(*out, *verdict)),
            Entry::Event(Event { full, secret }) => match secret {
                Some(covered) if covered.owner != seat => {
                    covered.public.as_ref().map(SeenLine::Line)
                }
                Some(_) | None => Some(SeenLine::Line(full)),
            },
        }
    }

    fn full(&self) -> SeenLine<'_> {
        match self {
            Entry::Event(event) => SeenLine::Line(&event.full),
            Entry::Out(seat, verdict) => SeenLine::Out(*seat, *verdict),
        }
    }

    fn line(&self) -> HistoryLine {
        match self {
            Entry::Event(Event { full, secret }) => HistoryLine {
                full: full.text.clone(),
                tell: full.tell.clone(),
                secret: secret.as_ref().map(|covered| Redacted {
                    owner: covered.owner,
                    public: covered.public.as_ref().map(|line| line.text.clone()),
                    tell: covered.public.as_ref().and_then(|line| line.tell.clone()),
                }),
            },
            Entry::Out(..) => HistoryLine { full: self.full().text(), tell: None, secret: None },
        }
    }
}

/// A line as someone sees it.
pub(super) enum SeenLine<'a> {
    Line(&'a Line),
    Out(Seat, Verdict),
}

impl SeenLine<'_> {
    /// The line in the protocol.
    pub(super) fn text(&self) -> String {
        match self {
            SeenLine::Line(line) => line.text.clone(),
            SeenLine::Out(seat, verdict) => format!("out {seat} {verdict}"),
        }
    }

    /// The line as people read it.
    pub(super) fn narrated(&self, names: &PerSeat<String>) -> String {
        match self {
            SeenLine::Line(Line { text, tell: None }) => format!("{text}\n"),
            SeenLine::Line(Line { tell: Some(tell), .. }) if tell.is_empty() => String::new(),
            SeenLine::Line(Line { tell: Some(tell), .. }) => {
                format!("{}\n", with_names(tell, names))
            }
            SeenLine::Out(seat, verdict) => crate::table::narrated_out(*seat, *verdict, names),
        }
    }
}

/// A text with the names of seats in place of `{0}` and so on.
fn with_names(tell: &str, names: &PerSeat<String>) -> String {
    let mut text = String::new();
    let mut rest = tell;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let named = after.split_once('}').and_then(|(number, behind)| {
            let seat: Seat = number.parse().ok()?;
            names.has(seat).then(|| (&names[seat], behind))
        });
        match named {
            Some((name, behind)) if text.is_empty() => {
                // The words up to the next name, of which the first is the verb.
                let (own, others) = behind.split_at(behind.find('{').unwrap_or(behind.len()));
                text.push_str(&Narrator::new(name).sentence(own));
                rest = others;
            }
            Some((name, behind)) => {
                text.push_str(name);
                rest = behind;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}
