//! The texts of Coup: its moves and the rules that they break, events, draws of nature, and views.

use std::fmt;
use std::str::FromStr;

use crate::coup::hand::{Character, Hand, SeenHand};
use crate::coup::obligation::Obligation;
use crate::game::Secret;
use crate::seat::{PerSeat, Seat};
use crate::subject::{ViewLines, or_none, write_line};
use crate::text::NotText;

/// A decision of a seat. The canonical order is by variant.
///
/// ```
/// use rules::coup::{Action, Character, Move};
///
/// assert_eq!("Foreign-Aid".parse(), Ok(Move::Act(Action::ForeignAid)));
/// assert_eq!(Move::Block(Character::Duke).to_string(), "block duke");
/// assert!("block".parse::<Move>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// Begins its turn: `tax`, `steal 1`.
    Act(Action),
    /// Lets an action or a block pass: `pass`.
    Pass,
    /// Does not believe the last claim: `challenge`.
    Challenge,
    /// Blocks the action with a character that it claims: `block duke`.
    Block(Character),
    /// Shows the challenged card: `show duke`.
    Show(Character),
    /// Gives up a card: `lose captain`.
    Lose(Character),
    /// Ends an exchange with these cards, in this order: `keep duke contessa`.
    Keep(Hand),
    /// Ends its turn, since nothing can follow: `end`.
    End,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Act(action) => write!(f, "{action}"),
            Move::Pass => f.write_str("pass"),
            Move::Challenge => f.write_str("challenge"),
            Move::Block(character) => write!(f, "block {character}"),
            Move::Show(character) => write!(f, "show {character}"),
            Move::Lose(character) => write!(f, "lose {character}"),
            Move::Keep(cards) => write!(f, "keep {cards}"),
            Move::End => f.write_str("end"),
        }
    }
}

impl FromStr for Move {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let trimmed = text.trim_ascii();
        let (verb, rest) =
            trimmed.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((trimmed, ""));
        let rest = rest.trim_ascii();
        let verb = verb.to_ascii_lowercase();
        match (verb.as_str(), rest) {
            ("pass", "") => Ok(Move::Pass),
            ("challenge", "") => Ok(Move::Challenge),
            ("end", "") => Ok(Move::End),
            ("block", character) => character.parse().map(Move::Block),
            ("show", character) => character.parse().map(Move::Show),
            ("lose", character) => character.parse().map(Move::Lose),
            ("keep", "") => Err(NotText::new("`keep CARDS`", text)),
            ("keep", cards) => cards.parse().map(Move::Keep),
            ("coup" | "assassinate" | "steal", _) => trimmed.parse().map(Move::Act),
            _ => trimmed
                .parse()
                .map(Move::Act)
                .map_err(|_: NotText| NotText::new("a move of coup", text)),
        }
    }
}

/// From this number of coins on at the start of a turn, coup is the only action.
pub(super) const RICH: u32 = 10;

/// The most coins that a theft takes.
const MOST_STOLEN: u32 = 2;

/// An action of a turn, with the seat that it is aimed at.
///
/// Written `income`, `foreign-aid`, `coup 1`, `tax`, `assassinate 1`, `steal 1`, `exchange`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// One coin.
    Income,
    /// Two coins, unless a Duke blocks it.
    ForeignAid,
    /// For seven coins, another seat loses a card.
    Coup(Seat),
    /// Three coins, for the Duke.
    Tax,
    /// For three coins, another seat loses a card, for the Assassin.
    Assassinate(Seat),
    /// Two coins of another seat, for the Captain.
    Steal(Seat),
    /// A choice of two more cards, for the Ambassador.
    Exchange,
}

impl Action {
    /// Every action there is against this seat, in canonical order.
    pub fn all(target: Seat) -> [Action; 7] {
        [
            Action::Income,
            Action::ForeignAid,
            Action::Coup(target),
            Action::Tax,
            Action::Assassinate(target),
            Action::Steal(target),
            Action::Exchange,
        ]
    }

    /// Every action there is against one of these seats, in canonical order.
    ///
    /// ```
    /// use rules::Seat;
    /// use rules::coup::Action;
    ///
    /// let seats: Vec<Seat> = Seat::first(2).collect();
    /// let actions: Vec<String> = Action::all_at(&seats).map(|action| action.to_string()).collect();
    /// assert_eq!(actions[2..5], ["coup 0", "coup 1", "tax"]);
    /// ```
    pub fn all_at(targets: &[Seat]) -> impl Iterator<Item = Action> {
        let each = |make: fn(Seat) -> Action| targets.iter().copied().map(make);
        [Action::Income, Action::ForeignAid]
            .into_iter()
            .chain(each(Action::Coup))
            .chain([Action::Tax])
            .chain(each(Action::Assassinate))
            .chain(each(Action::Steal))
            .chain([Action::Exchange])
    }

    /// The seat that it is aimed at.
    pub fn target(self) -> Option<Seat> {
        match self {
            Action::Coup(seat) | Action::Assassinate(seat) | Action::Steal(seat) => Some(seat),
            Action::Income | Action::ForeignAid | Action::Tax | Action::Exchange => None,
        }
    }

    /// Number of coins that it costs.
    pub fn cost(self) -> u32 {
        match self {
            Action::Coup(_) => 7,
            Action::Assassinate(_) => 3,
            _ => 0,
        }
    }

    /// Number of coins that it brings the seat, given the coins in the purse of the other; a theft
    /// takes them from there.
    pub fn brings(self, purse: u32) -> u32 {
        match self {
            Action::Income => 1,
            Action::ForeignAid => 2,
            Action::Tax => 3,
            Action::Steal(_) => purse.min(MOST_STOLEN),
            Action::Coup(_) | Action::Assassinate(_) | Action::Exchange => 0,
        }
    }

    /// The character that the seat claims to hold.
    pub fn claim(self) -> Option<Character> {
        match self {
            Action::Income | Action::ForeignAid | Action::Coup(_) => None,
            Action::Tax => Some(Character::Duke),
            Action::Assassinate(_) => Some(Character::Assassin),
            Action::Steal(_) => Some(Character::Captain),
            Action::Exchange => Some(Character::Ambassador),
        }
    }

    /// The characters that block it.
    pub fn blockers(self) -> &'static [Character] {
        match self {
            Action::ForeignAid => &[Character::Duke],
            Action::Assassinate(_) => &[Character::Contessa],
            Action::Steal(_) => &[Character::Ambassador, Character::Captain],
            Action::Income | Action::Coup(_) | Action::Tax | Action::Exchange => &[],
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Income => f.write_str("income"),
            Action::ForeignAid => f.write_str("foreign-aid"),
            Action::Coup(seat) => write!(f, "coup {seat}"),
            Action::Tax => f.write_str("tax"),
            Action::Assassinate(seat) => write!(f, "assassinate {seat}"),
            Action::Steal(seat) => write!(f, "steal {seat}"),
            Action::Exchange => f.write_str("exchange"),
        }
    }
}

impl FromStr for Action {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let lower = text.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_ascii_whitespace().collect();
        match words[..] {
            ["income"] => Ok(Action::Income),
            ["foreign-aid"] => Ok(Action::ForeignAid),
            ["coup", seat] => seat.parse().map(Action::Coup),
            ["tax"] => Ok(Action::Tax),
            ["assassinate", seat] => seat.parse().map(Action::Assassinate),
            ["steal", seat] => seat.parse().map(Action::Steal),
            ["exchange"] => Ok(Action::Exchange),
            ["coup" | "assassinate" | "steal"] => {
                Err(NotText::new(format!("`{lower} SEAT`", lower = words[0]), text))
            }
            _ => Err(NotText::new("an action of coup", text)),
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
    #[error("`{found}` is no answer here: expected {}", expected(*.asked))]
    Elsewhere { found: Move, asked: Obligation },
    /// A seat that is rich must coup.
    #[error("with {0} coins the only action is coup")]
    MustCoup(u32),
    /// The action costs more than there is.
    #[error("`{action}` costs {}, but there are {coins} coins", action.cost())]
    TooDear { action: Action, coins: u32 },
    /// The action is not aimed at the other seat.
    #[error("`{action}` is aimed at a wrong seat: expected {expected}")]
    WrongTarget { action: Action, expected: Seat },
    /// The action is not aimed at another seat that is still in.
    #[error("`{0}` is aimed at a wrong seat: expected another seat that holds a card")]
    NoTarget(Action),
    /// Another seat is the target, and only a target blocks this action.
    #[error("`{0}` is aimed at another seat, which alone can block it")]
    NotItsTarget(Action),
    /// There is nothing to steal.
    #[error("seat {0} has no coin to steal")]
    EmptyPurse(Seat),
    /// The action rests on no claim.
    #[error("`{0}` claims no card that could be challenged")]
    NoClaim(Action),
    /// The character does not block the action.
    #[error("{character} does not block `{action}`")]
    NoBlock { character: Character, action: Action },
    /// The card is not in the hand.
    #[error("{0} is not in the hand")]
    NotHeld(Character),
    /// Another card was challenged.
    #[error("{found} was not challenged: expected {challenged}")]
    NotChallenged { found: Character, challenged: Character },
    /// The challenged card is there and must be shown.
    #[error("the challenged {0} is in the hand: expected `show {0}`")]
    MustShow(Character),
    /// The number of cards is wrong.
    #[error("expected {expected} cards to keep, found {}", found.len())]
    WrongNumber { expected: usize, found: Hand },
    /// Not all of these cards are there.
    #[error("not all in the hand: {0}")]
    NotAllHeld(Hand),
}

/// Name of the move that settles a debt.
fn expected(debt: Obligation) -> &'static str {
    match debt {
        Obligation::Act(_) => "an action",
        Obligation::Answer(_) => "an answer to the action",
        Obligation::Block(_) => "a block, or an answer that lets the action happen",
        Obligation::Accept(..) => "`pass` or `challenge`",
        Obligation::Prove(..) => "the challenged card or the loss of another",
        Obligation::Keep(_) => "`keep CARDS`",
        Obligation::Lose(_) => "`lose CARD`",
        Obligation::End(_) => "`end`",
        Obligation::Deal(_)
        | Obligation::Replace(..)
        | Obligation::Draw(_)
        | Obligation::Pay(_) => "nothing",
        Obligation::Stand(..) | Obligation::Doubt(_) | Obligation::Effect(_) => "nothing",
    }
}

/// Something that happened, one line of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts of the variants tell the fields")]
pub enum Event {
    /// A seat was dealt its cards: `deal 0 duke captain`; to others `deal 0 ?? ??`.
    Deal { to: Seat, cards: SeenHand },
    /// A seat drew cards: `draw 0 duke`; to others `draw 0 ??`. A single card is for the one that
    /// the seat has just shown, which then goes back to the deck.
    Draw { to: Seat, cards: SeenHand },
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
            Event::KeepUnseen { seat, count } => {
                write!(f, "{seat} keep {}", SeenHand::Unseen(*count))
            }
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
                    Some(Ok(SeenHand::Unseen(count))) => Ok(Event::KeepUnseen { seat, count }),
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
    pub owed: Vec<Obligation>,
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
            Obligation::Answer(_) => self.turn().zip(self.action?.claim()),
            Obligation::Accept(_, block) => {
                let stands = |debt: &Obligation| match *debt {
                    Obligation::Stand(seat, card) => Some((seat, card)),
                    _ => None,
                };
                if let Some(claim) = self.owed.iter().find_map(stands) {
                    return Some(claim);
                }
                let blocker = self.coins.seats().find(|seat| Some(*seat) != self.turn());
                blocker.map(|seat| (seat, block))
            }
            Obligation::Prove(seat, card) => Some((seat, card)),
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
        let owed: Vec<String> = self.owed.iter().rev().map(Obligation::to_string).collect();
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
        let lines = ViewLines(text);
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
