//! What one seat may know of a game of Durak.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::durak::bout::{Bout, Pairs, Phase};
use crate::seat::{PerSeat, Seat};
use crate::text::NotText;

/// What one seat may know now; everything but its hand is known to all.
///
/// Written one line a field, the key first: `hand 6C 7D`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Its own hand.
    pub hand: CardSet,
    /// The card that gives trumps, wherever it is by now; nothing before it is turned up.
    pub trump: Option<Card>,
    /// How many cards the talon has; the last of them is the trump card.
    pub talon: u32,
    /// How many cards each seat holds.
    pub hands: PerSeat<u32>,
    /// The cards of each hand that everyone has seen: taken up from the table, shown as the lowest
    /// trump, or the trump card.
    pub known: PerSeat<CardSet>,
    /// The seats that have left the game without cards.
    pub gone: Vec<Seat>,
    /// The cards that were beaten and have left the game.
    pub discards: CardSet,
    /// What is going on.
    pub now: Now,
    /// How many decisions were made so far, of all seats.
    pub decisions: u32,
}

/// What is going on.
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
        line(f, "hand", [self.hand])?;
        line(f, "trump", [or_none(self.trump)])?;
        line(f, "talon", [self.talon])?;
        line(f, "hands", self.hands.values())?;
        for (seat, known) in self.known.iter() {
            line(f, &format!("known {seat}"), [known])?;
        }
        line(f, "gone", &self.gone)?;
        line(f, "discards", [self.discards])?;
        let bout = self.bout();
        line(f, "first", [or_none(bout.map(Bout::first))])?;
        line(f, "attacker", [or_none(bout.map(Bout::attacker))])?;
        line(f, "defender", [or_none(bout.map(Bout::defender))])?;
        line(f, "table", bout.map(Bout::table))?;
        line(f, "left", [bout.map_or(0, Bout::left)])?;
        line(f, "taking", [if bout.is_some_and(Bout::is_taken) { "yes" } else { "no" }])?;
        match &self.now {
            Now::Bout(bout) => writeln!(f, "turn {} {}", bout.turn(), asked(bout.phase))?,
            Now::Nature => writeln!(f, "turn nature")?,
            Now::Over => writeln!(f, "turn none")?,
        }
        write!(f, "decisions {}", self.decisions)
    }
}

/// What a seat is asked for.
fn asked(phase: Phase) -> &'static str {
    match phase {
        Phase::Lead => "lead",
        Phase::Defend => "defend",
        Phase::Throw(_) | Phase::Load(_) => "throw",
    }
}

fn or_none(value: Option<impl fmt::Display>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}

/// A line of values behind a key; only the key if they have no text.
fn line<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    values: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut text = String::with_capacity(80);
    text.push_str(key);
    for value in values {
        let before = text.len();
        write!(text, " {value}")?;
        // One without text, as the set of no cards, takes no room.
        if text.len() == before + 1 {
            text.truncate(before);
        }
    }
    writeln!(f, "{text}")
}

/// The lines of a view, by their keys.
struct Lines<'a>(&'a str);

impl<'a> Lines<'a> {
    fn values(&self, key: &'static str) -> impl Iterator<Item = &'a str> {
        self.0
            .lines()
            .map(|line| line.split_once(' ').unwrap_or((line, "")))
            .filter_map(move |(found, value)| (found == key).then_some(value))
    }

    fn value(&self, key: &'static str) -> Result<&'a str, NotText> {
        let missing = || NotText::new(format!("a line `{key}` in the view"), "");
        self.values(key).next().ok_or_else(missing)
    }

    fn read<T: FromStr<Err = NotText>>(&self, key: &'static str) -> Result<T, NotText> {
        self.value(key)?.parse()
    }

    fn number(&self, key: &'static str) -> Result<u32, NotText> {
        number(self.value(key)?)
    }

    fn known(&self) -> Result<PerSeat<CardSet>, NotText> {
        let mut known = Vec::new();
        for value in self.values("known") {
            let (seat, cards) = value.split_once(' ').unwrap_or((value, ""));
            if seat.parse::<Seat>()?.index() != known.len() {
                let expected = format!("the known cards of seat {}", known.len());
                return Err(NotText::new(expected, value));
            }
            known.push(cards.parse()?);
        }
        Ok(known.into())
    }

    fn now(&self) -> Result<Now, NotText> {
        let turn = self.value("turn")?;
        let (seat, phase) = match turn {
            "nature" => return Ok(Now::Nature),
            "none" => return Ok(Now::Over),
            _ => turn.split_once(' ').unwrap_or((turn, "")),
        };
        let seat: Seat = seat.parse()?;
        let table: Pairs = self.read("table")?;
        let left = self.number("left")? as usize;
        let phase = match (phase, self.value("taking")?) {
            ("lead", "no") => Phase::Lead,
            ("defend", "no") => Phase::Defend,
            ("throw", "no") => Phase::Throw(seat),
            ("throw", "yes") => Phase::Load(seat),
            _ => return Err(NotText::new("`SEAT lead`, `SEAT defend` or `SEAT throw`", turn)),
        };
        let (first, attacker) = (self.read("first")?, self.read("attacker")?);
        let (defender, limit) = (self.read("defender")?, left + table.attacks.len());
        let bout = Bout { first, attacker, defender, table, limit, phase };
        if bout.turn() != seat {
            let expected = format!("the turn of seat {}", bout.turn());
            return Err(NotText::new(expected, turn));
        }
        Ok(Now::Bout(bout))
    }
}

fn number(text: &str) -> Result<u32, NotText> {
    text.parse().map_err(|_| NotText::new("a number", text))
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lines = Lines(text);
        let words = |key| Ok(lines.value(key)?.split_ascii_whitespace());
        Ok(View {
            hand: lines.read("hand")?,
            trump: match lines.value("trump")? {
                "none" => None,
                card => Some(card.parse()?),
            },
            talon: lines.number("talon")?,
            hands: words("hands")?.map(number).collect::<Result<Vec<u32>, NotText>>()?.into(),
            known: lines.known()?,
            gone: words("gone")?.map(str::parse).collect::<Result<_, NotText>>()?,
            discards: lines.read("discards")?,
            now: lines.now()?,
            decisions: lines.number("decisions")?,
        })
    }
}
