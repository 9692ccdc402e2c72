//! The view of one seat of a game of Tablić.

use std::fmt;
use std::str::FromStr;

use crate::card_set::CardSet;
use crate::seat::{PerSeat, Seat};
use crate::text::NotText;
use crate::view_lines::{Lines, or_none, write_line};

/// Knowledge of one seat; everything but its hand is known to all.
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
    /// Number of cards still to be dealt.
    pub talon: u32,
    /// Number of cards that each seat holds.
    pub hands: PerSeat<u32>,
    /// Number of cards that each seat has captured.
    pub cards: PerSeat<u32>,
    /// The points of each seat so far, tablas included.
    pub points: PerSeat<u32>,
    /// Number of tablas that each seat has made.
    pub tablas: PerSeat<u32>,
    /// The seat that captured last; written `last none` or `last 0`.
    pub last: Option<Seat>,
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, "hand", [self.hand])?;
        write_line(f, "table", [self.table])?;
        write_line(f, "taken", [self.taken])?;
        write_line(f, "talon", [self.talon])?;
        write_line(f, "hands", self.hands.values())?;
        write_line(f, "cards", self.cards.values())?;
        write_line(f, "points", self.points.values())?;
        write_line(f, "tablas", self.tablas.values())?;
        write!(f, "last {}", or_none(self.last))
    }
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lines = Lines(text);
        Ok(View {
            hand: lines.read("hand")?,
            table: lines.read("table")?,
            taken: lines.read("taken")?,
            talon: lines.number("talon")?,
            hands: lines.numbers("hands")?,
            cards: lines.numbers("cards")?,
            points: lines.numbers("points")?,
            tablas: lines.numbers("tablas")?,
            last: lines.read_or_none("last")?,
        })
    }
}
