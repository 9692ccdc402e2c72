//! What nature can decide: one of some outcomes, or items drawn one after the other.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::seed::Nature;
use crate::text::NotText;

use super::fault::is_word;

/// The most outcomes or items.
const MOST_ITEMS: usize = 10_000;

/// The most that all weights add up to.
const MOST_WEIGHT: u32 = 1_000_000_000;

/// The most items that are drawn at once.
const MOST_DRAWN: usize = 1_000;

/// What nature can decide, in the spelling of the rules: `chance 2*J 2*Q K` or `draw 2 2*J 2*Q K`.
///
/// ```
/// use rules::{Seed, custom::Pool};
///
/// let pool: Pool = "draw 2 2*J 2*Q K".parse()?;
/// let drawn = pool.draw(&mut Seed([7; 32]).nature(0));
/// assert!(pool.holds(&drawn) && !pool.holds("K K") && !pool.holds("J"));
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pool {
    text: String,
    /// Number of items that are drawn; none where one outcome is chosen.
    drawn: Option<usize>,
    /// The words, each with its number, in the order of the rules.
    items: Vec<(String, u32)>,
}

impl Pool {
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

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Pool {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Pool, NotText> {
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
        Ok(Pool { text: text.to_owned(), drawn, items })
    }
}

/// A number without sign and leading zeros.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}
