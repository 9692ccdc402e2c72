//! Events of Durak, and the chance among them.

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::card_set::{CardSet, Dealt};
use crate::durak::moves::Move;
use crate::history::Secret;
use crate::seat::Seat;
use crate::text::NotText;

/// Something that happened, one line of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of the variants tell the fields")]
pub enum Event {
    /// A seat was dealt its hand: `deal 0 6C …`; another seat's as `deal 1 ?? …`.
    Deal { to: Seat, cards: Dealt },
    /// The card that gives trumps was turned up: `trump 9S`.
    Trump(Card),
    /// First attacker: the seat that shows the lowest trump, `first 1 10S`; where no one holds a
    /// trump, `first 0 none`.
    First { seat: Seat, card: Option<Card> },
    /// A seat decided: `0 lead 6C`, `1 take`, `0 done`.
    Move { seat: Seat, mv: Move },
    /// All was beaten, and the cards of the bout leave the game: `discard 6C 7C`.
    Discard(CardSet),
    /// The defender took up the cards of the bout: `pick-up 1 6C 6D`.
    PickUp { seat: Seat, cards: CardSet },
    /// A hand was filled up: `draw 0 8H`; another seat's as `draw 1 ??`.
    Draw { to: Seat, cards: Dealt },
    /// The trump card, the last of the talon, was drawn before the eyes of all: `last 1 9S`.
    Last { to: Seat, card: Card },
    /// A seat without cards has left the game: `gone 2`.
    Gone(Seat),
    /// The game is over: `durak 1`; in a draw `durak none`.
    Durak(Option<Seat>),
}

impl Event {
    /// The seat that it is about, if it is about one.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Event::Deal { to, .. } | Event::Draw { to, .. } | Event::Last { to, .. } => Some(*to),
            Event::First { seat, .. } | Event::Move { seat, .. } | Event::PickUp { seat, .. } => {
                Some(*seat)
            }
            Event::Gone(seat) | Event::Durak(Some(seat)) => Some(*seat),
            Event::Trump(_) | Event::Discard(_) | Event::Durak(None) => None,
        }
    }
}

impl Secret for Event {
    fn owner(&self) -> Option<Seat> {
        match self {
            Event::Deal { to, .. } | Event::Draw { to, .. } => Some(*to),
            _ => None,
        }
    }

    fn public(&self) -> Option<Event> {
        match *self {
            Event::Deal { to, cards } => Some(Event::Deal { to, cards: cards.face_down() }),
            Event::Draw { to, cards } => Some(Event::Draw { to, cards: cards.face_down() }),
            other => Some(other),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Deal { to, cards } => write!(f, "deal {to} {cards}"),
            Event::Trump(card) => write!(f, "trump {card}"),
            Event::First { seat, card: Some(card) } => write!(f, "first {seat} {card}"),
            Event::First { seat, card: None } => write!(f, "first {seat} none"),
            Event::Move { seat, mv } => write!(f, "{seat} {mv}"),
            Event::Discard(cards) => write!(f, "discard {cards}"),
            Event::PickUp { seat, cards } => write!(f, "pick-up {seat} {cards}"),
            Event::Draw { to, cards } => write!(f, "draw {to} {cards}"),
            Event::Last { to, card } => write!(f, "last {to} {card}"),
            Event::Gone(seat) => write!(f, "gone {seat}"),
            Event::Durak(Some(seat)) => write!(f, "durak {seat}"),
            Event::Durak(None) => f.write_str("durak none"),
        }
    }
}

impl FromStr for Event {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_event = || NotText::new("an event of durak", text);
        let (key, rest) = text.split_once(' ').ok_or_else(not_event)?;
        match key {
            "trump" => return rest.parse().map(Event::Trump),
            "discard" => return rest.parse().map(Event::Discard),
            "gone" => return rest.parse().map(Event::Gone),
            "durak" if rest == "none" => return Ok(Event::Durak(None)),
            "durak" => return rest.parse().map(|seat| Event::Durak(Some(seat))),
            "deal" | "draw" | "first" | "pick-up" | "last" => {}
            seat => return Ok(Event::Move { seat: seat.parse()?, mv: rest.parse()? }),
        }
        let (seat, rest) = rest.split_once(' ').ok_or_else(not_event)?;
        let seat: Seat = seat.parse()?;
        match key {
            "deal" => Ok(Event::Deal { to: seat, cards: rest.parse()? }),
            "draw" => Ok(Event::Draw { to: seat, cards: rest.parse()? }),
            "pick-up" => Ok(Event::PickUp { seat, cards: rest.parse()? }),
            "last" => Ok(Event::Last { to: seat, card: rest.parse()? }),
            _ if rest == "none" => Ok(Event::First { seat, card: None }),
            _ => Ok(Event::First { seat, card: Some(rest.parse()?) }),
        }
    }
}

/// Cards that come from the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of the variants tell the fields")]
pub enum Chance {
    /// The six cards of the beginning: `deal 0 6C 7D …`.
    Deal { to: Seat, cards: CardSet },
    /// The card that gives trumps, the last of the talon: `trump 9S`.
    Trump(Card),
    /// Cards of the talon that fill a hand up: `draw 1 8H QS`. The trump card, the last one that
    /// is drawn, is not among them, since nature has no choice there.
    Draw { to: Seat, cards: CardSet },
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
