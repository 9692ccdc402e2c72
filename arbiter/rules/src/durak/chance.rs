//! What nature decides in Durak: which cards come to a hand, and which card gives trumps.

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::seat::Seat;
use crate::text::NotText;

/// Cards that come from the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// The six cards of the beginning: `deal 0 6C 7D …`.
    Deal {
        /// Who is dealt them.
        to: Seat,
        /// The cards.
        cards: CardSet,
    },
    /// The card that gives trumps, the last of the talon: `trump 9S`.
    Trump(Card),
    /// Cards of the talon that fill a hand up: `draw 1 8H QS`. The trump card, the last one that
    /// is drawn, is not among them, since nature has no choice there.
    Draw {
        /// Who draws them.
        to: Seat,
        /// The cards.
        cards: CardSet,
    },
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chance::Deal { to, cards } => write!(f, "deal {to} {cards}"),
            Chance::Trump(card) => write!(f, "trump {card}"),
            Chance::Draw { to, cards } => write!(f, "draw {to} {cards}"),
        }
    }
}

impl FromStr for Chance {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let expected = "`deal SEAT CARDS`, `trump CARD` or `draw SEAT CARDS`";
        let not_chance = || NotText::new(expected, text);
        let (verb, rest) = text.split_once(' ').ok_or_else(not_chance)?;
        if verb == "trump" {
            return rest.parse().map(Chance::Trump);
        }
        let (to, cards) = rest.split_once(' ').ok_or_else(not_chance)?;
        let (to, cards) = (to.parse()?, cards.parse()?);
        match verb {
            "deal" => Ok(Chance::Deal { to, cards }),
            "draw" => Ok(Chance::Draw { to, cards }),
            _ => Err(not_chance()),
        }
    }
}
