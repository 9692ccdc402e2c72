//! The view of one seat of a game of Coup.

use std::fmt;
use std::str::FromStr;

use crate::coup::debt::Debt;
use crate::coup::hand::{Character, Hand};
use crate::coup::moves::Action;
use crate::seat::{PerSeat, Seat};
use crate::text::NotText;
use crate::view_lines::{Lines, or_none, write_line};

/// Knowledge of one seat; everything but its hand is known to all.
///
/// Written one line a field, the key first: `coins 3 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Its own hand, with the cards drawn for an exchange in front.
    pub hand: Hand,
    /// Number of cards that each seat holds.
    pub hands: PerSeat<u32>,
    /// The coins of each seat.
    pub coins: PerSeat<u32>,
    /// The cards that each seat has lost, in the order in which it lost them.
    pub lost: PerSeat<Hand>,
    /// The current action.
    pub action: Option<Action>,
    /// Debts of this turn, the last first: the end of the list is due now.
    pub owed: Vec<Debt>,
    /// Number of decisions made so far, of all seats.
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
                let stands = |debt: &Debt| match *debt {
                    Debt::Stand(seat, card) => Some((seat, card)),
                    _ => None,
                };
                if let Some(claim) = self.owed.iter().find_map(stands) {
                    return Some(claim);
                }
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
        write_line(f, "hand", [self.hand])?;
        write_line(f, "hands", self.hands.values())?;
        write_line(f, "coins", self.coins.values())?;
        for (seat, lost) in self.lost.iter() {
            write_line(f, &format!("lost {seat}"), [lost])?;
        }
        write_line(f, "turn", [or_none(self.turn())])?;
        write_line(f, "action", [or_none(self.action)])?;
        let claim = self.claim().map(|(seat, card)| format!("{seat} {card}"));
        write_line(f, "claim", [or_none(claim)])?;
        let owed: Vec<String> = self.owed.iter().rev().map(Debt::to_string).collect();
        match owed.is_empty() {
            true => writeln!(f, "owed none")?,
            false => writeln!(f, "owed {}", owed.join(", "))?,
        }
        write!(f, "decisions {}", self.decisions)
    }
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys, `turn` and `claim` among
    /// them, which follow from the others.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lines = Lines(text);
        let lost = lines.per_seat("lost", "the cards lost by")?;
        Ok(View {
            hand: lines.read("hand")?,
            hands: lines.numbers("hands")?,
            coins: lines.numbers("coins")?,
            lost,
            action: lines.read_or_none("action")?,
            owed: match lines.value("owed")? {
                "none" => Vec::new(),
                owed => owed.rsplit(',').map(str::parse).collect::<Result<_, _>>()?,
            },
            decisions: lines.number("decisions")?,
        })
    }
}
