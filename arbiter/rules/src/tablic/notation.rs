//! The texts of Tablić: its moves and the rules that they break, events, draws of nature, and views.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, CardSet, DealtCards, Rank};
use crate::game::Secret;
use crate::seat::{PerSeat, Seat};
use crate::subject::{ViewLines, or_none, write_line};
use crate::tablic::capture::values;
use crate::text::NotText;

/// One card of the hand and the cards of the table that it captures, possibly none.
///
/// Written as the cards, the played one first. The canonical order is by the played card, then by
/// the captured set.
///
/// ```
/// use rules::tablic::Move;
///
/// let mv: Move = "7s 4d 3h".parse()?;
/// assert_eq!(mv.to_string(), "7S 3H 4D");
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The card that is played.
    pub card: Card,
    /// The cards of the table that it takes.
    pub captured: CardSet,
}

impl Move {
    /// The move that lays a card down.
    pub fn lay_down(card: Card) -> Move {
        Move { card, captured: CardSet::EMPTY }
    }

    /// All cards that the move brings to the pile: none if it lays one down.
    pub fn gained(self) -> CardSet {
        if self.captured.is_empty() {
            CardSet::EMPTY
        } else {
            self.captured | CardSet::single(self.card)
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.card.fmt(f)?;
        self.captured.iter().try_for_each(|card| f.write_str(card.after_blank()))
    }
}

impl FromStr for Move {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let trimmed = text.trim_ascii();
        let (card, captured) =
            trimmed.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((trimmed, ""));
        Ok(Move { card: card.parse()?, captured: captured.parse()? })
    }
}

/// The rule that a move breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// The played card is not in the hand.
    #[error("{0} is not in the hand")]
    NotInHand(Card),
    /// Some captured cards are not on the table.
    #[error("not on the table: {0}")]
    NotOnTable(CardSet),
    /// The captured cards cannot be split into groups that sum to a value of the played card.
    #[error("{card} cannot capture {captured}: no split into groups that each sum to {}", sums(*card))]
    NoSplit {
        /// The played card.
        card: Card,
        /// The set that it should capture.
        captured: CardSet,
    },
}

fn sums(card: Card) -> String {
    match card.rank() {
        Rank::Ace => "1 or 11".to_owned(),
        rank => values(rank)[0].to_string(),
    }
}

/// Something that happened, one line of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of the variants tell the fields")]
pub enum Event {
    /// Cards were dealt: `deal table 4H …`, `deal 0 7S …`; another seat's as `deal 1 ?? …`.
    Deal { to: DealDestination, cards: DealtCards },
    /// A seat moved: `1 JC`, `0 7S 3H 4D`.
    Move { seat: Seat, mv: Move },
    /// The move before emptied the table: `tabla 0`.
    Tabla(Seat),
    /// The rest of the table goes to the seat that captured last: `rest 0 3C 4S`,
    /// `rest none 3C 4S`.
    Rest {
        /// The seat; no one, if no one ever captured.
        to: Option<Seat>,
        cards: CardSet,
    },
    /// The tally of a seat in the end: `score 0 15 cards 28 tablas 0 most`.
    Score { seat: Seat, tally: Tally },
}

/// Tally of a seat in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// All its points: cards, tablas, and those for the most cards.
    pub points: u32,
    /// Number of cards.
    pub cards: u32,
    /// Number of tablas that it made.
    pub tablas: u32,
    /// True if it has strictly the most cards.
    pub most: bool,
}

impl Secret for Event {
    fn owner(&self) -> Option<Seat> {
        match self {
            Event::Deal { to: DealDestination::Hand(seat), .. } => Some(*seat),
            _ => None,
        }
    }

    fn public(&self) -> Option<Event> {
        match *self {
            Event::Deal { to: to @ DealDestination::Hand(_), cards } => {
                Some(Event::Deal { to, cards: cards.face_down() })
            }
            other => Some(other),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Deal { to, cards } => write!(f, "deal {to} {cards}"),
            Event::Move { seat, mv } => write!(f, "{seat} {mv}"),
            Event::Tabla(seat) => write!(f, "tabla {seat}"),
            Event::Rest { to: Some(seat), cards } => write!(f, "rest {seat} {cards}"),
            Event::Rest { to: None, cards } => write!(f, "rest none {cards}"),
            Event::Score { seat, tally: Tally { points, cards, tablas, most } } => {
                let most = if *most { " most" } else { "" };
                write!(f, "score {seat} {points} cards {cards} tablas {tablas}{most}")
            }
        }
    }
}

impl FromStr for Event {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let not_event = || NotText::new("an event of tablic", text);
        let (key, rest) = text.split_once(' ').ok_or_else(not_event)?;
        match key {
            "deal" => {
                let (to, cards) = rest.split_once(' ').ok_or_else(not_event)?;
                Ok(Event::Deal { to: to.parse()?, cards: cards.parse()? })
            }
            "tabla" => rest.parse().map(Event::Tabla),
            "rest" => {
                let (to, cards) = rest.split_once(' ').ok_or_else(not_event)?;
                let to = if to == "none" { None } else { Some(to.parse()?) };
                Ok(Event::Rest { to, cards: cards.parse()? })
            }
            "score" => {
                let (seat, tally) = rest.split_once(' ').ok_or_else(not_event)?;
                Ok(Event::Score { seat: seat.parse()?, tally: tally.parse()? })
            }
            seat => Ok(Event::Move { seat: seat.parse()?, mv: rest.parse()? }),
        }
    }
}

impl FromStr for Tally {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |word: &str| {
            word.parse().map_err(|_| NotText::new("a number of points, cards or tablas", word))
        };
        match words[..] {
            [points, "cards", cards, "tablas", tablas, ref most @ ..]
                if matches!(most, [] | ["most"]) =>
            {
                Ok(Tally {
                    points: number(points)?,
                    cards: number(cards)?,
                    tablas: number(tablas)?,
                    most: !most.is_empty(),
                })
            }
            _ => Err(NotText::new("`POINTS cards N tablas N` and perhaps `most`", text)),
        }
    }
}

/// Cards dealt to one place, written `deal table 4H 6H 10C AD` or `deal 0 7S 10D …`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// Destination of the cards.
    pub to: DealDestination,
    /// The cards.
    pub cards: CardSet,
}

/// Destination of dealt cards: written `table`, or the number of the seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DealDestination {
    /// Face up to the table.
    Table,
    /// Into the hand of a seat.
    Hand(Seat),
}

impl fmt::Display for DealDestination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DealDestination::Table => f.write_str("table"),
            DealDestination::Hand(seat) => write!(f, "{seat}"),
        }
    }
}

impl FromStr for DealDestination {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text {
            "table" => Ok(DealDestination::Table),
            seat => seat.parse().map(DealDestination::Hand),
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

/// Knowledge of one seat; everything but its hand is known to all.
///
/// Written one line a field, the key first: `hand 7S 10D KS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Its own hand.
    pub hand: CardSet,
    /// The cards on the table.
    pub table: CardSet,
    /// All cards captured so far, by any seat.
    pub taken: CardSet,
    /// Number of cards still to be dealt.
    pub talon: u32,
    /// Number of cards that each seat holds.
    pub hands: PerSeat<u32>,
    /// Number of cards that each seat has captured.
    pub cards: PerSeat<u32>,
    /// The points of each seat so far, tablas included.
    pub points: PerSeat<u32>,
    /// Number of tablas that each seat has made.
    pub tablas: PerSeat<u32>,
    /// The seat that captured last; written `last none` or `last 0`.
    pub last: Option<Seat>,
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, "hand", [self.hand])?;
        write_line(f, "table", [self.table])?;
        write_line(f, "taken", [self.taken])?;
        write_line(f, "talon", [self.talon])?;
        write_line(f, "hands", self.hands.values())?;
        write_line(f, "cards", self.cards.values())?;
        write_line(f, "points", self.points.values())?;
        write_line(f, "tablas", self.tablas.values())?;
        write!(f, "last {}", or_none(self.last))
    }
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lines = ViewLines(text);
        Ok(View {
            hand: lines.read("hand")?,
            table: lines.read("table")?,
            taken: lines.read("taken")?,
            talon: lines.number("talon")?,
            hands: lines.numbers("hands")?,
            cards: lines.numbers("cards")?,
            points: lines.numbers("points")?,
            tablas: lines.numbers("tablas")?,
            last: lines.read_or_none("last")?,
        })
    }
}
