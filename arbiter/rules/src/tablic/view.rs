//! What one seat may know of a game of Tablić.

use std::fmt;
use std::str::FromStr;

use crate::card_set::CardSet;
use crate::seat::{PerSeat, Seat};
use crate::text::NotText;

/// What one seat may know now; everything but its hand is known to all.
///
/// Written one line a field, the key first: `hand 7S 10D KS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Its own hand.
    pub hand: CardSet,
    /// The cards on the table.
    pub table: CardSet,
    /// All cards captured so far, by any seat.
    pub taken: CardSet,
    /// How many cards are still to be dealt.
    pub talon: u32,
    /// How many cards each seat holds.
    pub hands: PerSeat<u32>,
    /// How many cards each seat has captured.
    pub cards: PerSeat<u32>,
    /// The points of each seat so far, tablas included.
    pub points: PerSeat<u32>,
    /// How many tablas each seat has made.
    pub tablas: PerSeat<u32>,
    /// The seat that captured last; written `last none` or `last 0`.
    pub last: Option<Seat>,
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards = |f: &mut fmt::Formatter<'_>, key, cards: CardSet| {
            if cards.is_empty() { writeln!(f, "{key}") } else { writeln!(f, "{key} {cards}") }
        };
        cards(f, "hand", self.hand)?;
        cards(f, "table", self.table)?;
        cards(f, "taken", self.taken)?;
        writeln!(f, "talon {}", self.talon)?;
        let numbers = [
            ("hands", &self.hands),
            ("cards", &self.cards),
            ("points", &self.points),
            ("tablas", &self.tablas),
        ];
        for (key, numbers) in numbers {
            write!(f, "{key}")?;
            numbers.values().iter().try_for_each(|number| write!(f, " {number}"))?;
            writeln!(f)?;
        }
        match self.last {
            Some(seat) => write!(f, "last {seat}"),
            None => write!(f, "last none"),
        }
    }
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let value = |key: &'static str| {
            text.lines()
                .map(|line| line.split_once(' ').unwrap_or((line, "")))
                .find_map(|(found, value)| (found == key).then_some(value))
                .ok_or_else(|| NotText::new(format!("a line `{key}` in the view"), ""))
        };
        let number = |text: &str| text.parse().map_err(|_| NotText::new("a number", text));
        let numbers = |key| {
            let words = value(key)?.split_ascii_whitespace();
            words.map(number).collect::<Result<Vec<u32>, NotText>>().map(PerSeat::from)
        };
        Ok(View {
            hand: value("hand")?.parse()?,
            table: value("table")?.parse()?,
            taken: value("taken")?.parse()?,
            talon: number(value("talon")?)?,
            hands: numbers("hands")?,
            cards: numbers("cards")?,
            points: numbers("points")?,
            tablas: numbers("tablas")?,
            last: match value("last")? {
                "none" => None,
                seat => Some(seat.parse()?),
            },
        })
    }
}
