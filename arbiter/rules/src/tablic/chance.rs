//! What nature decides in Tablić: which cards are dealt where.

use std::fmt;
use std::str::FromStr;

use crate::card_set::CardSet;
use crate::seat::Seat;
use crate::text::NotText;

/// Cards dealt to one place, written `deal table 4H 6H 10C AD` or `deal 0 7S 10D …`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// Where they go.
    pub to: Place,
    /// The cards.
    pub cards: CardSet,
}

/// Where cards are dealt to: written `table`, or the number of the seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Face up to the table.
    Table,
    /// Into the hand of a seat.
    Hand(Seat),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Table => f.write_str("table"),
            Place::Hand(seat) => write!(f, "{seat}"),
        }
    }
}

impl FromStr for Place {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text {
            "table" => Ok(Place::Table),
            seat => seat.parse().map(Place::Hand),
        }
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "deal {} {}", self.to, self.cards)
    }
}

impl FromStr for Deal {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let (to, cards) = text
            .strip_prefix("deal ")
            .and_then(|rest| rest.split_once(' '))
            .ok_or_else(|| NotText::new("`deal PLACE CARDS`", text))?;
        Ok(Deal { to: to.parse()?, cards: cards.parse()? })
    }
}
