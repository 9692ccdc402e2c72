//! Faults of rules: what was called, what came back and what was expected; and the words of which answers are made.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use text::printable;

use crate::cause::VoidCause;
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::Nature;
use crate::text::NotText;

/// The most characters of a call or of an answer that a fault quotes.
const QUOTED: usize = 120;

/// A fault of rules, which ends the game and charges no bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RulesFault(NoAnswer);

/// Reason why an instance of rules does not answer, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// It lies in the rules: another instance would not answer either.
    #[error("{0}")]
    Rules(String),
    /// The instance was ended, or could not be started, for a reason that may lie in the machine: another one may
    /// answer.
    #[error("{0}")]
    Machine(String),
}

/// A rule of the protocol that a line breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ProtocolError {
    /// The line, where it is one line alone.
    pub(super) line: Option<String>,
    /// What was expected, and what was found instead.
    pub(super) problem: String,
}

impl ProtocolError {
    /// A rule that one line of an answer breaks.
    pub fn of_line(line: &str, problem: impl fmt::Display) -> ProtocolError {
        ProtocolError { line: Some(line.to_owned()), problem: problem.to_string() }
    }

    /// A rule that the whole answer breaks.
    pub fn of_answer(problem: impl fmt::Display) -> ProtocolError {
        ProtocolError { line: None, problem: problem.to_string() }
    }
}

impl RulesFault {
    /// Rules that do not start.
    pub fn not_started(why: NoAnswer) -> RulesFault {
        let text = format!("the rules cannot be started: {}", printable(&why.to_string()));
        RulesFault(why.with(text))
    }

    /// A call that was not answered.
    pub fn no_answer(call: &str, why: NoAnswer) -> RulesFault {
        let text = format!("`{}` was not answered: {}", quoted(call), printable(&why.to_string()));
        RulesFault(why.with(text))
    }

    /// An answer that breaks a rule.
    pub fn broken(call: &str, answer: &str, broken: ProtocolError) -> RulesFault {
        let ProtocolError { line, problem } = broken;
        let found = line.as_deref().unwrap_or(answer);
        RulesFault::of_rules(format!(
            "`{}` was answered by `{}`: {problem}",
            quoted(call),
            quoted(found)
        ))
    }

    /// Another answer to a call than that of an instance before.
    pub(super) fn other_answer(call: &str) -> RulesFault {
        let call = quoted(call);
        RulesFault::of_rules(format!(
            "`{call}` was answered by other text when the rules were started again"
        ))
    }

    fn of_rules(text: String) -> RulesFault {
        RulesFault(NoAnswer::Rules(text))
    }

    /// More of something than a game may have.
    pub fn limit_exceeded(limit: impl fmt::Display) -> RulesFault {
        RulesFault::of_rules(format!("the game has {limit}"))
    }

    /// Returns true if it may lie in the machine: played again, the game may not have it.
    pub fn is_of_machine(&self) -> bool {
        matches!(self.0, NoAnswer::Machine(_))
    }

    /// The reason of a game that is void for it.
    pub(crate) fn void(&self) -> VoidCause {
        match &self.0 {
            NoAnswer::Rules(text) => VoidCause::Rules(text.clone()),
            NoAnswer::Machine(text) => VoidCause::RulesEnded(text.clone()),
        }
    }
}

impl NoAnswer {
    /// The same culprit with another text.
    fn with(&self, text: String) -> NoAnswer {
        match self {
            NoAnswer::Rules(_) => NoAnswer::Rules(text),
            NoAnswer::Machine(_) => NoAnswer::Machine(text),
        }
    }
}

/// The beginning of a text, in one line.
fn quoted(text: &str) -> String {
    let text = printable(text.trim_end_matches('\n'));
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The longest text of a move, in characters.
pub(super) const LONGEST_MOVE: usize = 200;

/// Returns true for printable ASCII without blanks at the ends or two blanks in a row.
pub(super) fn is_text(text: &str) -> bool {
    !text.is_empty() && text.split(' ').all(is_word)
}

/// Returns true for printable ASCII without blanks.
pub(super) fn is_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns true for letters, digits, `-` and `_`, a letter first.
pub(super) fn is_key(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
}

/// The words of a line: its first one, and what comes after a blank.
pub(super) fn split(line: &str) -> (&str, &str) {
    line.split_once(' ').unwrap_or((line, ""))
}

pub(super) fn seat(line: &str, word: &str, seats: usize) -> Result<Seat, ProtocolError> {
    let seat = word.parse::<Seat>().ok().filter(|seat| seat.index() < seats);
    seat.ok_or_else(|| {
        ProtocolError::of_line(
            line,
            format_args!("expected a seat from 0 to {}", seats.saturating_sub(1)),
        )
    })
}

pub(super) fn text<'a>(line: &str, text: &'a str) -> Result<&'a str, ProtocolError> {
    match is_text(text) {
        true => Ok(text),
        false => Err(ProtocolError::of_line(
            line,
            "expected printable ASCII, without blanks at the ends and without two in a row",
        )),
    }
}

pub(super) fn scores(
    line: &str,
    text: &str,
    seats: usize,
) -> Result<PerSeat<Score>, ProtocolError> {
    let read: Option<Vec<Score>> = text.split(' ').map(score).collect();
    match read.filter(|scores| scores.len() == seats) {
        Some(scores) => Ok(scores.into()),
        None => {
            let expected = format_args!("expected {seats} scores of at least 0, one for each seat");
            Err(ProtocolError::of_line(line, expected))
        }
    }
}

pub(super) fn score(word: &str) -> Option<Score> {
    word.parse().ok().filter(|score: &Score| *score >= Score::ZERO)
}

/// The most outcomes or items.
const MOST_ITEMS: usize = 10_000;

/// The most that all weights add up to.
const MOST_WEIGHT: u32 = 1_000_000_000;

/// The most items that are drawn at once.
const MOST_DRAWN: usize = 1_000;

/// What nature can decide, in the spelling of the rules: `chance 2*J 2*Q K` or `draw 2 2*J 2*Q K`.
///
/// ```
/// use rules::{Seed, custom::ChancePool};
///
/// let pool: ChancePool = "draw 2 2*J 2*Q K".parse()?;
/// let drawn = pool.draw(&mut Seed([7; 32]).nature(0));
/// assert!(pool.holds(&drawn) && !pool.holds("K K") && !pool.holds("J"));
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChancePool {
    text: String,
    /// Number of items that are drawn; none where one outcome is chosen.
    drawn: Option<usize>,
    /// The words, each with its number, in the order of the rules.
    items: Vec<(String, u32)>,
}

impl ChancePool {
    /// Draws by this stream of chance, in the spelling that rules are told.
    pub fn draw(&self, nature: &mut Nature) -> String {
        let mut left: Vec<(&str, u32)> =
            self.items.iter().map(|(word, count)| (word.as_str(), *count)).collect();
        let mut total: u32 = left.iter().map(|(_, count)| count).sum();
        let mut words = Vec::new();
        for _ in 0..self.drawn() {
            let Some(bound) = NonZeroU32::new(total) else { break };
            let mut place = nature.below(bound);
            let found = left.iter_mut().find(|(_, count)| match place.checked_sub(*count) {
                Some(rest) => {
                    place = rest;
                    false
                }
                None => true,
            });
            let Some((word, count)) = found else { break };
            words.push(*word);
            *count -= 1;
            total -= 1;
        }
        words.join(" ")
    }

    /// Returns true if nature can decide this.
    pub fn holds(&self, outcome: &str) -> bool {
        let mut left: BTreeMap<&str, u32> =
            self.items.iter().map(|(word, count)| (word.as_str(), *count)).collect();
        let mut drawn = 0;
        let are_there = outcome.split(' ').all(|word| {
            drawn += 1;
            match left.get_mut(word) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                Some(_) | None => false,
            }
        });
        are_there && drawn == self.drawn()
    }

    /// Number of items that an outcome names.
    pub fn drawn(&self) -> usize {
        self.drawn.unwrap_or(1)
    }

    /// The words that can be drawn, with their numbers.
    pub fn items(&self) -> impl Iterator<Item = (&str, u32)> {
        self.items.iter().map(|(word, count)| (word.as_str(), *count))
    }
}

impl fmt::Display for ChancePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for ChancePool {
    type Err = NotText;

    fn from_str(text: &str) -> Result<ChancePool, NotText> {
        let (drawn, words) = match text.split_once(' ') {
            Some(("chance", words)) => (None, words),
            Some(("draw", rest)) => {
                let (count, words) = rest.split_once(' ').unwrap_or((rest, ""));
                let drawn = number(count).map(|count| count as usize);
                let drawn = drawn.filter(|count| (1..=MOST_DRAWN).contains(count));
                let expected = || format!("a number of items from 1 to {MOST_DRAWN} after `draw`");
                (Some(drawn.ok_or_else(|| NotText::new(expected(), count))?), words)
            }
            _ => return Err(NotText::new("`chance` or `draw`", text)),
        };
        let mut items = Vec::new();
        let mut seen = BTreeMap::new();
        let mut total: u32 = 0;
        for word in words.split(' ') {
            let (count, item) = match word.split_once('*') {
                Some((count, item)) => (number(count), item),
                None => (Some(1), word),
            };
            let count = count.filter(|count| (1..=MOST_WEIGHT - total).contains(count));
            let count = count.ok_or_else(|| {
                NotText::new(format!("numbers from 1 that add up to {MOST_WEIGHT} at most"), word)
            })?;
            if !is_word(item) || item.contains('*') {
                return Err(NotText::new("a word of printable ASCII without `*`", word));
            }
            if seen.insert(item, ()).is_some() {
                return Err(NotText::new("every outcome or item once", word));
            }
            total += count;
            items.push((item.to_owned(), count));
            if items.len() > MOST_ITEMS {
                return Err(NotText::new(format!("at most {MOST_ITEMS} outcomes or items"), word));
            }
        }
        if let Some(drawn) = drawn.filter(|drawn| *drawn as u64 > u64::from(total)) {
            let expected = format!("at least {drawn} items to draw {drawn} from");
            return Err(NotText::new(expected, &total.to_string()));
        }
        Ok(ChancePool { text: text.to_owned(), drawn, items })
    }
}

/// A number without sign and leading zeros.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}
