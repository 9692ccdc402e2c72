//! The texts of the toy: how its options, moves, events and views are written and read.

use std::fmt;
use std::str::FromStr;

use rules::{Card, NotText};

use super::{Deal, Event, Fault, Move, Options, View};

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seats={} fault={}", self.seats, self.fault as u8)
    }
}

impl FromStr for Options {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_options = || NotText::new("options of the toy", text);
        let rest = text.strip_prefix("seats=").ok_or_else(not_options)?;
        let (seats, fault) = rest.split_once(" fault=").ok_or_else(not_options)?;
        let seats = seats.parse().map_err(|_| not_options())?;
        let fault: usize = fault.parse().map_err(|_| not_options())?;
        let fault = *Fault::ALL.get(fault).ok_or_else(not_options)?;
        Ok(Options { seats, fault })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Move::Keep => "keep",
            Move::Show => "show",
            Move::Swap => "swap",
        })
    }
}

impl FromStr for Move {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text {
            "keep" => Ok(Move::Keep),
            "show" => Ok(Move::Show),
            "swap" => Ok(Move::Swap),
            _ => Err(NotText::new("a move of the toy", text)),
        }
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "deal {} {}", self.to, self.card)
    }
}

impl FromStr for Deal {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text.parse()? {
            Event::Deal(to, Some(card)) => Ok(Deal { to, card, mark: false }),
            _ => Err(NotText::new("a deal of the toy", text)),
        }
    }
}

/// A card, or what stands for none.
fn or_none(card: Option<Card>, none: &str) -> String {
    card.map_or(none.to_owned(), |card| card.to_string())
}

fn read_or_none(text: &str, none: &str) -> Result<Option<Card>, NotText> {
    if text == none { Ok(None) } else { text.parse().map(Some) }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Event::Deal(seat, card) => write!(f, "deal {seat} {}", or_none(card, "??")),
            Event::Open(seat, card) => write!(f, "open {seat} {card}"),
            Event::Mark(seat, card, mark) => {
                write!(f, "mark {seat} {} {mark}", or_none(card, "??"))
            }
            Event::Keep(seat) => write!(f, "keep {seat}"),
            Event::Out(seat) => write!(f, "out {seat} crash"),
            Event::Show(seat, card) => write!(f, "show {seat} {card}"),
            Event::Swap(seat) => write!(f, "swap {seat}"),
        }
    }
}

impl FromStr for Event {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text.split(' ').collect::<Vec<&str>>()[..] {
            ["deal", seat, card] => Ok(Event::Deal(seat.parse()?, read_or_none(card, "??")?)),
            ["open", seat, card] => Ok(Event::Open(seat.parse()?, card.parse()?)),
            ["mark", seat, card, mark] => {
                Ok(Event::Mark(seat.parse()?, read_or_none(card, "??")?, mark.parse()?))
            }
            ["keep", seat] => Ok(Event::Keep(seat.parse()?)),
            ["out", seat, "crash"] => Ok(Event::Out(seat.parse()?)),
            ["show", seat, card] => Ok(Event::Show(seat.parse()?, card.parse()?)),
            ["swap", seat] => Ok(Event::Swap(seat.parse()?)),
            _ => Err(NotText::new("an event of the toy", text)),
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.shown.iter().map(|card| or_none(*card, "none")).collect();
        let turn = self.turn.map_or("none".to_owned(), |seat| seat.to_string());
        writeln!(f, "card {}", or_none(self.card, "none"))?;
        writeln!(f, "shown {}", shown.join(" "))?;
        writeln!(f, "turn {turn}\nswaps {}", self.swaps)?;
        write!(f, "next {}", or_none(self.next, "none"))
    }
}

impl FromStr for View {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_view = || NotText::new("a view of the toy", text);
        let mut lines = text.lines().map(|line| line.split_once(' ').map(|(_, value)| value));
        let mut value = || lines.next().flatten().ok_or_else(not_view);
        let card = |text: &str| read_or_none(text, "none");
        Ok(View {
            card: card(value()?)?,
            shown: value()?.split(' ').map(card).collect::<Result<_, _>>()?,
            turn: match value()? {
                "none" => None,
                seat => Some(seat.parse()?),
            },
            swaps: value()?.parse().map_err(|_| not_view())?,
            next: card(value()?)?,
        })
    }
}
