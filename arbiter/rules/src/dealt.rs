//! Cards that were dealt, as one seat saw it.

use std::fmt;
use std::str::FromStr;

use crate::card_set::CardSet;
use crate::text::NotText;

/// Cards that were dealt: seen, or only counted.
///
/// Written as the cards, or as `??` for each card that was not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealt {
    /// These cards.
    Seen(CardSet),
    /// This number of cards, face down; never 0, since no card hides nothing.
    Unseen(u8),
}

impl Dealt {
    /// How many cards were dealt.
    pub fn len(self) -> usize {
        match self {
            Dealt::Seen(cards) => cards.len(),
            Dealt::Unseen(count) => usize::from(count),
        }
    }

    /// Whether no card was dealt.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The cards that can be seen here: none where they lie face down.
    pub fn seen(self) -> CardSet {
        match self {
            Dealt::Seen(cards) => cards,
            Dealt::Unseen(_) => CardSet::EMPTY,
        }
    }

    /// The same cards, face down.
    pub fn face_down(self) -> Dealt {
        match self.len() {
            0 => Dealt::Seen(CardSet::EMPTY),
            count => Dealt::Unseen(count as u8),
        }
    }
}

impl fmt::Display for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dealt::Seen(cards) => write!(f, "{cards}"),
            Dealt::Unseen(count) => {
                f.write_str("??")?;
                (1..*count).try_for_each(|_| f.write_str(" ??"))
            }
        }
    }
}

impl FromStr for Dealt {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words = || text.split_ascii_whitespace();
        if words().next() != Some("??") {
            return text.parse().map(Dealt::Seen);
        }
        if words().count() > 52 || words().any(|word| word != "??") {
            return Err(NotText::new("cards or `??` for each", text));
        }
        Ok(Dealt::Unseen(words().count() as u8))
    }
}
