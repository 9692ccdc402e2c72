//! What bots noted on standard error about their own thinking: with each answer, and over all of them.
//!
//! Notes are standard error, so they come and go with it: [`MeasuredLine`] holds both.

use rules::{Measured, Note, NoteKey};
use serde::{Serialize, Serializer};

/// The measurements of an answer, with the notes in its standard error.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MeasuredLine {
    #[serde(flatten)]
    measured: Measured,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteLine>,
}

#[derive(Debug, Clone)]
struct NoteLine(Note);

impl MeasuredLine {
    pub(super) fn new(measured: Measured) -> MeasuredLine {
        let notes = measured.notes().iter().cloned().map(NoteLine).collect();
        MeasuredLine { measured, notes }
    }

    pub(super) fn ms(&self) -> f64 {
        self.measured.ms
    }

    fn numbers(&self) -> impl Iterator<Item = (&NoteKey, f64)> {
        self.notes.iter().filter_map(|NoteLine(note)| Some((&note.key, note.value.number()?)))
    }
}

impl Serialize for NoteLine {
    /// `[key, text]`, or `[key, text, number]`: an object would not keep the order, and some keys have a meaning
    /// of their own in scripts.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Note { key, value } = &self.0;
        match value.number() {
            Some(number) => (key.as_str(), value.as_str(), number).serialize(serializer),
            None => (key.as_str(), value.as_str()).serialize(serializer),
        }
    }
}

/// The numbers that a bot noted, by key, in the order in which it first wrote the keys.
#[derive(Debug, Clone, Default)]
pub(super) struct BotNotes(Vec<(NoteKey, NoteStatistics)>);

/// The numbers of one key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NoteStatistics {
    /// The number of answers that have one.
    pub(super) answers: u64,
    pub(super) mean: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl BotNotes {
    /// The most keys of a bot: the first ones. It may write others with each answer.
    pub(super) const MOST: usize = 64;

    pub(super) fn add(&mut self, answer: &MeasuredLine) {
        for (key, number) in answer.numbers() {
            if let Some((_, numbers)) = self.0.iter_mut().find(|(known, _)| known == key) {
                numbers.add(number);
            } else if self.0.len() < BotNotes::MOST {
                self.0.push((key.clone(), NoteStatistics::new(number)));
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if further keys are left out.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() == BotNotes::MOST
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &(NoteKey, NoteStatistics)> {
        self.0.iter()
    }
}

impl NoteStatistics {
    fn new(number: f64) -> NoteStatistics {
        NoteStatistics { answers: 1, mean: number, least: number, most: number }
    }

    fn add(&mut self, number: f64) {
        self.answers += 1;
        // The difference of two large numbers need not be finite, so each is divided.
        let all = self.answers as f64;
        self.mean += number / all - self.mean / all;
        self.least = self.least.min(number);
        self.most = self.most.max(number);
    }
}

/// A number in at most ten characters or so.
pub(super) fn short_number(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e9).contains(&size) {
        return format!("{number:.2e}");
    }
    let decimals = match size {
        100_000.0.. => 0,
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    let text = format!("{number:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn answer(stderr: &str) -> MeasuredLine {
        let stderr = stderr.as_bytes().to_vec().into();
        MeasuredLine::new(Measured { ms: 1.0, stderr, ..Measured::default() })
    }

    fn json(line: &MeasuredLine) -> String {
        serde_json::to_string(line).expect("JSON")
    }

    #[test]
    fn notes_are_shown_beside_standard_error() {
        let line = answer("note eval 0.50\nnote __proto__ x\n");
        let notes = r#""notes":[["eval","0.50",0.5],["__proto__","x"]]"#;
        assert!(json(&line).ends_with(&format!("{notes}}}")), "{}", json(&line));
    }

    #[test]
    fn numbers_have_their_mean_and_bounds() {
        let mut noted = BotNotes::default();
        for stderr in ["note a 1\nnote b x\n", "note b 5\n", "note a 4\n", "note a -2\nnote a 1\n"]
        {
            noted.add(&answer(stderr));
        }
        let found: Vec<_> = noted.keys().map(|(key, numbers)| (key.as_str(), *numbers)).collect();
        let a = NoteStatistics { answers: 3, mean: 2.0, least: 1.0, most: 4.0 };
        assert_eq!(found, [("a", a), ("b", NoteStatistics::new(5.0))]);
    }

    #[test]
    fn the_largest_numbers_have_a_mean() {
        let mut noted = BotNotes::default();
        for number in [f64::MAX, f64::MIN, f64::MAX, f64::MAX] {
            noted.add(&answer(&format!("note a {number:e}")));
        }
        let (_, numbers) = noted.keys().next().expect("a key");
        assert!((numbers.mean / f64::MAX - 0.5).abs() < 1e-9, "{numbers:?}");
    }

    #[test]
    fn a_bot_has_no_more_than_so_many_keys() {
        let mut noted = BotNotes::default();
        for key in 0..1000 {
            noted.add(&answer(&format!("note k{key} 1\nnote k0 1\n")));
        }
        assert_eq!((noted.keys().count(), noted.is_full()), (BotNotes::MOST, true));
        assert_eq!(noted.keys().next().map(|(_, numbers)| numbers.answers), Some(1000));
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (100.0, "100"),
            (0.61234, "0.612"),
            (-12.345, "-12.35"),
            (1234.56, "1234.6"),
            (123_456.7, "123457"),
            (1e8, "100000000"),
            (1.5e9, "1.50e9"),
            (-0.000_012, "-1.20e-5"),
            (f64::MAX, "1.80e308"),
        ] {
            assert_eq!(short_number(number), text);
        }
    }
}
