//! The view of one seat of a game of Durak.

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::durak::bout::{Bout, Pairs, Phase};
use crate::seat::{PerSeat, Seat};
use crate::text::NotText;
use crate::view_lines::{Lines, or_none, write_line};

/// Knowledge of one seat; everything but its hand is known to all.
///
/// Written one line a field, the key first: `hand 6C 7D`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Its own hand.
    pub hand: CardSet,
    /// The card that gives trumps, wherever it is by now; nothing before it is turned up.
    pub trump: Option<Card>,
    /// Number of cards that the talon has; the last of them is the trump card.
    pub talon: u32,
    /// Number of cards that each seat holds.
    pub hands: PerSeat<u32>,
    /// The cards of each hand that everyone has seen: taken up from the table, shown as the lowest
    /// trump, or the trump card.
    pub known: PerSeat<CardSet>,
    /// The seats that have left the game without cards.
    pub gone: Vec<Seat>,
    /// The cards that were beaten and have left the game.
    pub discards: CardSet,
    /// The current stage.
    pub now: Now,
    /// Number of decisions made so far, of all seats.
    pub decisions: u32,
}

/// The current stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Now {
    /// A bout.
    Bout(Bout),
    /// Cards are dealt or drawn.
    Nature,
    /// Nothing: the game is over.
    Over,
}

impl View {
    /// The bout that is going on.
    pub fn bout(&self) -> Option<&Bout> {
        match &self.now {
            Now::Bout(bout) => Some(bout),
            Now::Nature | Now::Over => None,
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, "hand", [self.hand])?;
        write_line(f, "trump", [or_none(self.trump)])?;
        write_line(f, "talon", [self.talon])?;
        write_line(f, "hands", self.hands.values())?;
        for (seat, known) in self.known.iter() {
            write_line(f, &format!("known {seat}"), [known])?;
        }
        write_line(f, "gone", &self.gone)?;
        write_line(f, "discards", [self.discards])?;
        let bout = self.bout();
        write_line(f, "first", [or_none(bout.map(Bout::first))])?;
        write_line(f, "attacker", [or_none(bout.map(Bout::attacker))])?;
        write_line(f, "defender", [or_none(bout.map(Bout::defender))])?;
        write_line(f, "table", bout.map(Bout::table))?;
        write_line(f, "left", [bout.map_or(0, Bout::left)])?;
        write_line(f, "taking", [if bout.is_some_and(Bout::is_taken) { "yes" } else { "no" }])?;
        match &self.now {
            Now::Bout(bout) => writeln!(f, "turn {} {}", bout.turn(), asked(bout.phase))?,
            Now::Nature => writeln!(f, "turn nature")?,
            Now::Over => writeln!(f, "turn none")?,
        }
        write!(f, "decisions {}", self.decisions)
    }
}

/// Name of the decision in a phase.
fn asked(phase: Phase) -> &'static str {
    match phase {
        Phase::Lead => "lead",
        Phase::Defend => "defend",
        Phase::Throw(_) | Phase::Load(_) => "throw",
    }
}

fn now(lines: &Lines<'_>) -> Result<Now, NotText> {
    let turn = lines.value("turn")?;
    let (seat, phase) = match turn {
        "nature" => return Ok(Now::Nature),
        "none" => return Ok(Now::Over),
        _ => turn.split_once(' ').unwrap_or((turn, "")),
    };
    let seat: Seat = seat.parse()?;
    let table: Pairs = lines.read("table")?;
    let left = lines.number("left")? as usize;
    let phase = match (phase, lines.value("taking")?) {
        ("lead", "no") => Phase::Lead,
        ("defend", "no") => Phase::Defend,
        ("throw", "no") => Phase::Throw(seat),
        ("throw", "yes") => Phase::Load(seat),
        _ => return Err(NotText::new("`SEAT lead`, `SEAT defend` or `SEAT throw`", turn)),
    };
    let (first, attacker) = (lines.read("first")?, lines.read("attacker")?);
    let (defender, limit) = (lines.read("defender")?, left + table.attacks.len());
    let bout = Bout { first, attacker, defender, table, limit, phase };
    if bout.turn() != seat {
        let expected = format!("the turn of seat {}", bout.turn());
        return Err(NotText::new(expected, turn));
    }
    Ok(Now::Bout(bout))
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lines = Lines(text);
        Ok(View {
            hand: lines.read("hand")?,
            trump: lines.read_or_none("trump")?,
            talon: lines.number("talon")?,
            hands: lines.numbers("hands")?,
            known: lines.per_seat("known", "the known cards of")?,
            gone: lines
                .value("gone")?
                .split_ascii_whitespace()
                .map(str::parse)
                .collect::<Result<_, _>>()?,
            discards: lines.read("discards")?,
            now: now(&lines)?,
            decisions: lines.number("decisions")?,
        })
    }
}
