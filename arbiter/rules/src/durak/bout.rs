//! One bout: the cards on the table, the attacker, the defender, and who decides next.
//!
//! A bout is entirely public, so the state and every view hold the same value.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, CardSet, Rank, Suit};
use crate::seat::Seat;
use crate::text::NotText;

/// A bout that is going on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bout {
    pub(super) first: Seat,
    pub(super) attacker: Seat,
    pub(super) defender: Seat,
    pub(super) table: Pairs,
    /// The most attack cards that it can have.
    pub(super) limit: usize,
    pub(super) phase: Phase,
}

/// A phase of a bout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The attacker plays the first card.
    Lead,
    /// The defender answers the first attack card that is not beaten.
    Defend,
    /// All is beaten, and this seat may throw a card in.
    Throw(Seat),
    /// The defender takes, and this seat may give it one more card.
    Load(Seat),
}

impl Bout {
    /// A bout before its first card.
    pub(super) fn begin(attacker: Seat, defender: Seat, limit: usize) -> Bout {
        let (table, phase) = (Pairs::default(), Phase::Lead);
        Bout { first: attacker, attacker, defender, table, limit, phase }
    }

    /// The seat that led the first card; it draws first afterwards.
    pub fn first(&self) -> Seat {
        self.first
    }

    /// The seat that attacks, to which throws are offered first.
    pub fn attacker(&self) -> Seat {
        self.attacker
    }

    /// The seat that is attacked.
    pub fn defender(&self) -> Seat {
        self.defender
    }

    /// The cards on the table.
    pub fn table(&self) -> &Pairs {
        &self.table
    }

    /// The current phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat to decide next.
    pub fn turn(&self) -> Seat {
        match self.phase {
            Phase::Lead => self.attacker,
            Phase::Defend => self.defender,
            Phase::Throw(seat) | Phase::Load(seat) => seat,
        }
    }

    /// Returns true if the defender takes up the cards.
    pub fn is_taken(&self) -> bool {
        matches!(self.phase, Phase::Load(_))
    }

    /// Number of attack cards that can still be added.
    pub fn attacks_left(&self) -> usize {
        self.limit.saturating_sub(self.table.attacks.len())
    }
}

/// The attack cards of a bout in the order in which they came, the first of them beaten.
///
/// Written in pairs, an attack card before the card that beats it: `6C 7C, 6D`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pairs {
    pub(super) attacks: Vec<Card>,
    /// Never more than there are attack cards.
    pub(super) beats: Vec<Card>,
}

impl Pairs {
    /// The attack cards, in the order in which they came.
    pub fn attacks(&self) -> &[Card] {
        &self.attacks
    }

    /// The cards that beat the first of them, in the same order.
    pub fn beats(&self) -> &[Card] {
        &self.beats
    }

    /// The first attack card that is not beaten.
    pub fn unbeaten(&self) -> Option<Card> {
        self.attacks.get(self.beats.len()).copied()
    }

    /// All cards.
    pub fn cards(&self) -> CardSet {
        self.attacks.iter().chain(&self.beats).copied().collect()
    }

    /// Returns true if a card of this rank is among them.
    #[inline]
    pub fn has_rank(&self, rank: Rank) -> bool {
        self.attacks.iter().chain(&self.beats).any(|card| card.rank() == rank)
    }

    /// Returns true if there is no card.
    pub fn is_empty(&self) -> bool {
        self.attacks.is_empty()
    }
}

/// Returns true if a card beats another where this suit is trumps.
///
/// ```
/// use rules::Suit;
/// use rules::durak::beats;
///
/// let [low, high, trump] = ["6C".parse()?, "7C".parse()?, "6S".parse()?];
/// assert!(beats(high, low, Suit::Spades) && beats(trump, high, Suit::Spades));
/// assert!(!beats(low, high, Suit::Spades) && !beats(high, trump, Suit::Spades));
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn beats(card: Card, attack: Card, trumps: Suit) -> bool {
    if card.suit() == attack.suit() { card.rank() > attack.rank() } else { card.suit() == trumps }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, attack) in self.attacks.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{attack}")?;
            if let Some(beat) = self.beats.get(place) {
                write!(f, " {beat}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Pairs {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let mut pairs = Pairs::default();
        if text.trim_ascii().is_empty() {
            return Ok(pairs);
        }
        for pair in text.split(',') {
            let words: Vec<&str> = pair.split_ascii_whitespace().collect();
            match words[..] {
                [attack] => pairs.attacks.push(attack.parse()?),
                [attack, beat] if pairs.attacks.len() == pairs.beats.len() => {
                    pairs.attacks.push(attack.parse()?);
                    pairs.beats.push(beat.parse()?);
                }
                _ => {
                    let expected = "an attack card, or one with the card that beats it after \
                                    others that are beaten";
                    return Err(NotText::new(expected, pair.trim_ascii()));
                }
            }
        }
        if pairs.cards().len() != pairs.attacks.len() + pairs.beats.len() {
            return Err(NotText::new("each card once", text));
        }
        Ok(pairs)
    }
}
