//! What nature decides in Coup: which cards come to a seat.

use std::fmt;
use std::str::FromStr;

use crate::coup::hand::Hand;
use crate::seat::Seat;
use crate::text::NotText;

/// Cards that come to a seat, in the order in which they are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// The two cards of the beginning: `deal 0 duke captain`.
    Deal {
        /// Who is dealt them.
        to: Seat,
        /// The cards.
        cards: Hand,
    },
    /// One card for a shown one, or two for an exchange: `draw 1 contessa`.
    Draw {
        /// Who draws them.
        to: Seat,
        /// The cards.
        cards: Hand,
    },
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chance::Deal { to, cards } => write!(f, "deal {to} {cards}"),
            Chance::Draw { to, cards } => write!(f, "draw {to} {cards}"),
        }
    }
}

impl FromStr for Chance {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_chance = || NotText::new("`deal SEAT CARDS` or `draw SEAT CARDS`", text);
        let (verb, rest) = text.split_once(' ').ok_or_else(not_chance)?;
        let (to, cards) = rest.split_once(' ').ok_or_else(not_chance)?;
        let (to, cards) = (to.parse()?, cards.parse()?);
        match verb {
            "deal" => Ok(Chance::Deal { to, cards }),
            "draw" => Ok(Chance::Draw { to, cards }),
            _ => Err(not_chance()),
        }
    }
}
