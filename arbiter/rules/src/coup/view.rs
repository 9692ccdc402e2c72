//! What one seat may know of a game of Coup.

use std::fmt;
use std::str::FromStr;

use crate::coup::debt::Debt;
use crate::coup::hand::{Character, Hand};
use crate::coup::moves::Action;
use crate::seat::{PerSeat, Seat};
use crate::text::NotText;

/// What one seat may know now; everything but its hand is known to all.
///
/// Written one line a field, the key first: `coins 3 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Its own hand, with the cards drawn for an exchange in front.
    pub hand: Hand,
    /// How many cards each seat holds.
    pub hands: PerSeat<u32>,
    /// The coins of each seat.
    pub coins: PerSeat<u32>,
    /// The cards that each seat has lost, in the order in which it lost them.
    pub lost: PerSeat<Hand>,
    /// The current action.
    pub action: Option<Action>,
    /// What is still owed in this turn, the last first: the end of the list is due now.
    pub owed: Vec<Debt>,
    /// How many decisions were made so far, of both seats.
    pub decisions: u32,
}

impl View {
    /// The seat whose turn it is; no one's when the game is over.
    pub fn turn(&self) -> Option<Seat> {
        self.owed.first().map(|debt| debt.seat())
    }

    /// The seat that claims to hold a character, and which, as long as this can be or is
    /// challenged.
    pub fn claim(&self) -> Option<(Seat, Character)> {
        match *self.owed.last()? {
            Debt::Answer(_) => self.turn().zip(self.action?.claim()),
            Debt::Accept(_, block) => {
                let blocker = self.coins.seats().find(|seat| Some(*seat) != self.turn());
                blocker.map(|seat| (seat, block))
            }
            Debt::Prove(seat, card) => Some((seat, card)),
            _ => None,
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(f, "hand", &[self.hand])?;
        line(f, "hands", self.hands.values())?;
        line(f, "coins", self.coins.values())?;
        for (seat, lost) in self.lost.iter() {
            line(f, &format!("lost {seat}"), &[*lost])?;
        }
        match self.turn() {
            Some(seat) => writeln!(f, "turn {seat}")?,
            None => writeln!(f, "turn none")?,
        }
        match self.action {
            Some(action) => writeln!(f, "action {action}")?,
            None => writeln!(f, "action none")?,
        }
        match self.claim() {
            Some((seat, card)) => writeln!(f, "claim {seat} {card}")?,
            None => writeln!(f, "claim none")?,
        }
        let owed: Vec<String> = self.owed.iter().rev().map(Debt::to_string).collect();
        match owed.is_empty() {
            true => writeln!(f, "owed none")?,
            false => writeln!(f, "owed {}", owed.join(", "))?,
        }
        write!(f, "decisions {}", self.decisions)
    }
}

/// A line of values behind a key; only the key if they have no text.
fn line(f: &mut fmt::Formatter<'_>, key: &str, values: &[impl fmt::Display]) -> fmt::Result {
    f.write_str(key)?;
    for value in values {
        let value = value.to_string();
        if !value.is_empty() {
            write!(f, " {value}")?;
        }
    }
    writeln!(f)
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys, `turn` and `claim` among
    /// them, which follow from the others.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let values = |key: &'static str| {
            text.lines()
                .map(|line| line.split_once(' ').unwrap_or((line, "")))
                .filter_map(move |(found, value)| (found == key).then_some(value))
        };
        let value = |key: &'static str| {
            let missing = || NotText::new(format!("a line `{key}` in the view"), "");
            values(key).next().ok_or_else(missing)
        };
        let number = |text: &str| text.parse().map_err(|_| NotText::new("a number", text));
        let numbers = |key| {
            let words = value(key)?.split_ascii_whitespace();
            words.map(number).collect::<Result<Vec<u32>, NotText>>().map(PerSeat::from)
        };
        let mut lost = Vec::new();
        for value in values("lost") {
            let (seat, cards) = value.split_once(' ').unwrap_or((value, ""));
            if seat.parse::<Seat>()?.index() != lost.len() {
                return Err(NotText::new(format!("the cards lost by seat {}", lost.len()), value));
            }
            lost.push(cards.parse()?);
        }
        Ok(View {
            hand: value("hand")?.parse()?,
            hands: numbers("hands")?,
            coins: numbers("coins")?,
            lost: lost.into(),
            action: match value("action")? {
                "none" => None,
                action => Some(action.parse()?),
            },
            owed: match value("owed")? {
                "none" => Vec::new(),
                owed => owed.rsplit(',').map(str::parse).collect::<Result<_, _>>()?,
            },
            decisions: number(value("decisions")?)?,
        })
    }
}
