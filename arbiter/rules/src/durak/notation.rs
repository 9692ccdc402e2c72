//! The texts of Durak: its moves and the rules that they break, events, draws of nature, and views.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, CardSet, DealtCards};
use crate::durak::bout::{Bout, Pairs, Phase};
use crate::game::Secret;
use crate::seat::{PerSeat, Seat};
use crate::subject::{ViewLines, or_none, write_line};
use crate::text::NotText;

/// A decision of a seat. The canonical order is by variant, then by the order of
/// the pack.
///
/// ```
/// use rules::durak::Move;
///
/// let mv: Move = "Beat 7h".parse()?;
/// assert_eq!(mv.to_string(), "beat 7H");
/// assert!("beat".parse::<Move>().is_err());
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// The attacker opens a bout: `lead 6C`.
    Lead(Card),
    /// The defender beats the first attack card that is not beaten yet: `beat 7C`.
    Beat(Card),
    /// The defender passes the attack on to the next seat: `transfer 6S`.
    Transfer(Card),
    /// The defender will take up all cards: `take`.
    Take,
    /// A card is thrown in: `throw 6D`.
    Throw(Card),
    /// The seat throws in nothing: `done`.
    Done,
}

impl Move {
    /// The card that leaves the hand.
    pub fn card(self) -> Option<Card> {
        match self {
            Move::Lead(card) | Move::Beat(card) | Move::Transfer(card) | Move::Throw(card) => {
                Some(card)
            }
            Move::Take | Move::Done => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Lead(card) => write!(f, "lead {card}"),
            Move::Beat(card) => write!(f, "beat {card}"),
            Move::Transfer(card) => write!(f, "transfer {card}"),
            Move::Take => f.write_str("take"),
            Move::Throw(card) => write!(f, "throw {card}"),
            Move::Done => f.write_str("done"),
        }
    }
}

impl FromStr for Move {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let verb = words.first().map(|verb| verb.to_ascii_lowercase()).unwrap_or_default();
        match (verb.as_str(), words.get(1..).unwrap_or_default()) {
            ("lead", [card]) => card.parse().map(Move::Lead),
            ("beat", [card]) => card.parse().map(Move::Beat),
            ("transfer", [card]) => card.parse().map(Move::Transfer),
            ("take", []) => Ok(Move::Take),
            ("throw", [card]) => card.parse().map(Move::Throw),
            ("done", []) => Ok(Move::Done),
            ("lead" | "beat" | "transfer" | "throw", _) => {
                Err(NotText::new(format!("`{verb} CARD`"), text))
            }
            _ => Err(NotText::new("a move of durak", text)),
        }
    }
}

/// The rule that a move breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages tell the fields")]
pub enum IllegalMove {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// It answers another question.
    #[error("`{found}` is no answer here: expected {expected}")]
    Elsewhere { found: Move, expected: &'static str },
    /// The card is not in the hand.
    #[error("{0} is not in the hand")]
    NotInHand(Card),
    /// The card does not beat the one that is to be beaten.
    #[error("{card} does not beat {attack}: expected a higher card of its suit or a trump")]
    DoesNotBeat { card: Card, attack: Card },
    /// The card beats no trump, since it is not a higher one.
    #[error("{card} does not beat the trump {attack}: expected a higher trump")]
    DoesNotBeatTrump { card: Card, attack: Card },
    /// No card of the same rank lies on the table.
    #[error("{0} cannot be thrown: expected a rank that lies on the table")]
    NotOnTable(Card),
    /// The game is played without transfers.
    #[error("`transfer` is off in this game: expected `beat CARD` or `take`")]
    TransferOff,
    /// A card has been beaten, so the attack stays where it is.
    #[error("an attack card has been beaten: expected `beat CARD` or `take`")]
    TooLateToTransfer,
    /// The attack cards have another rank.
    #[error("{card} cannot pass on {attack}: expected a card of its rank")]
    OtherRank { card: Card, attack: Card },
    /// The next seat could not be attacked with this number of cards.
    #[error("seat {next} can be attacked with {limit} cards at most, not with {attacks}")]
    TooManyToTransfer { next: Seat, limit: usize, attacks: usize },
}

/// Something that happened, one line of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of the variants tell the fields")]
pub enum Event {
    /// A seat was dealt its hand: `deal 0 6C …`; another seat's as `deal 1 ?? …`.
    Deal { to: Seat, cards: DealtCards },
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
    Draw { to: Seat, cards: DealtCards },
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
    pub now: ViewStage,
    /// Number of decisions made so far, of all seats.
    pub decisions: u32,
}

/// The current stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewStage {
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
            ViewStage::Bout(bout) => Some(bout),
            ViewStage::Nature | ViewStage::Over => None,
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
        write_line(f, "left", [bout.map_or(0, Bout::attacks_left)])?;
        write_line(f, "taking", [if bout.is_some_and(Bout::is_taken) { "yes" } else { "no" }])?;
        match &self.now {
            ViewStage::Bout(bout) => {
                writeln!(f, "turn {} {}", bout.turn(), decision_name(bout.phase))?
            }
            ViewStage::Nature => writeln!(f, "turn nature")?,
            ViewStage::Over => writeln!(f, "turn none")?,
        }
        write!(f, "decisions {}", self.decisions)
    }
}

/// Name of the decision in a phase.
fn decision_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Lead => "lead",
        Phase::Defend => "defend",
        Phase::Throw(_) | Phase::Load(_) => "throw",
    }
}

fn read_stage(lines: &ViewLines<'_>) -> Result<ViewStage, NotText> {
    let turn = lines.value("turn")?;
    let (seat, phase) = match turn {
        "nature" => return Ok(ViewStage::Nature),
        "none" => return Ok(ViewStage::Over),
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
    Ok(ViewStage::Bout(bout))
}

impl FromStr for View {
    type Err = NotText;

    /// Reads the lines in any order and skips those with other keys.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let lines = ViewLines(text);
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
            now: read_stage(&lines)?,
            decisions: lines.number("decisions")?,
        })
    }
}
