//! A move of Coup, and reasons why one is not legal.

use std::fmt;
use std::str::FromStr;

use crate::coup::debt::Debt;
use crate::coup::hand::{Character, Hand};
use crate::seat::Seat;
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
pub enum Illegal {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// It answers another question.
    #[error("`{found}` is no answer here: expected {}", expected(*.asked))]
    Elsewhere { found: Move, asked: Debt },
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
fn expected(debt: Debt) -> &'static str {
    match debt {
        Debt::Act(_) => "an action",
        Debt::Answer(_) => "an answer to the action",
        Debt::Block(_) => "a block, or an answer that lets the action happen",
        Debt::Accept(..) => "`pass` or `challenge`",
        Debt::Prove(..) => "the challenged card or the loss of another",
        Debt::Keep(_) => "`keep CARDS`",
        Debt::Lose(_) => "`lose CARD`",
        Debt::End(_) => "`end`",
        Debt::Deal(_) | Debt::Replace(..) | Debt::Draw(_) | Debt::Pay(_) => "nothing",
        Debt::Stand(..) | Debt::Doubt(_) | Debt::Effect(_) => "nothing",
    }
}
