//! Events of Coup, and the chance among them.

use std::fmt;
use std::str::FromStr;

use crate::coup::hand::{Character, Faces, Hand};
use crate::coup::moves::Move;
use crate::history::Secret;
use crate::seat::Seat;
use crate::text::NotText;

/// Something that happened, one line of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of the variants tell the fields")]
pub enum Event {
    /// A seat was dealt its cards: `deal 0 duke captain`; to others `deal 0 ?? ??`.
    Deal { to: Seat, cards: Faces },
    /// A seat drew cards: `draw 0 duke`; to others `draw 0 ??`. A single card is for the one that
    /// the seat has just shown, which then goes back to the deck.
    Draw { to: Seat, cards: Faces },
    /// A seat decided: `0 steal 1`, `1 block captain`. What it keeps is its secret.
    Move { seat: Seat, mv: Move },
    /// A seat ended its exchange, as others see it: `0 keep ?? ??`.
    KeepUnseen { seat: Seat, count: u8 },
    /// A seat that owed two cards gave up one, and the other goes with it: `lost 1 duke`.
    Lost { seat: Seat, card: Character },
    /// The game is over: `winner 0`, `winner none`.
    Winner(Option<Seat>),
}

impl Secret for Event {
    fn owner(&self) -> Option<Seat> {
        match self {
            Event::Deal { to, .. } | Event::Draw { to, .. } => Some(*to),
            Event::Move { seat, mv: Move::Keep(_) } => Some(*seat),
            _ => None,
        }
    }

    fn public(&self) -> Option<Event> {
        match *self {
            Event::Deal { to, cards } => Some(Event::Deal { to, cards: cards.face_down() }),
            Event::Draw { to, cards } => Some(Event::Draw { to, cards: cards.face_down() }),
            Event::Move { seat, mv: Move::Keep(cards) } => {
                Some(Event::KeepUnseen { seat, count: cards.len() as u8 })
            }
            other => Some(other),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Deal { to, cards } => write!(f, "deal {to} {cards}"),
            Event::Draw { to, cards } => write!(f, "draw {to} {cards}"),
            Event::Move { seat, mv } => write!(f, "{seat} {mv}"),
            Event::KeepUnseen { seat, count } => write!(f, "{seat} keep {}", Faces::Unseen(*count)),
            Event::Lost { seat, card } => write!(f, "lost {seat} {card}"),
            Event::Winner(Some(seat)) => write!(f, "winner {seat}"),
            Event::Winner(None) => f.write_str("winner none"),
        }
    }
}

impl FromStr for Event {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_event = || NotText::new("an event of coup", text);
        let (key, rest) = text.split_once(' ').ok_or_else(not_event)?;
        match key {
            "deal" | "draw" => {
                let (to, cards) = rest.split_once(' ').ok_or_else(not_event)?;
                let (to, cards) = (to.parse()?, cards.parse()?);
                Ok(if key == "deal" {
                    Event::Deal { to, cards }
                } else {
                    Event::Draw { to, cards }
                })
            }
            "lost" => {
                let (seat, card) = rest.split_once(' ').ok_or_else(not_event)?;
                Ok(Event::Lost { seat: seat.parse()?, card: card.parse()? })
            }
            "winner" if rest == "none" => Ok(Event::Winner(None)),
            "winner" => rest.parse().map(|seat| Event::Winner(Some(seat))),
            seat => {
                let seat = seat.parse()?;
                match rest.strip_prefix("keep ").map(str::parse) {
                    Some(Ok(Faces::Unseen(count))) => Ok(Event::KeepUnseen { seat, count }),
                    _ => Ok(Event::Move { seat, mv: rest.parse()? }),
                }
            }
        }
    }
}

/// Cards that come to a seat, in the order in which they are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of the variants tell the fields")]
pub enum Chance {
    /// The two cards of the beginning: `deal 0 duke captain`.
    Deal { to: Seat, cards: Hand },
    /// One card for a shown one, or two for an exchange: `draw 1 contessa`.
    Draw { to: Seat, cards: Hand },
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
