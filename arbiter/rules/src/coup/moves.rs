//! A move of Coup.

use std::fmt;
use std::str::FromStr;

use crate::coup::action::Action;
use crate::coup::character::Character;
use crate::coup::hand::Hand;
use crate::text::NotText;

/// What a seat decides when it is asked. The canonical order is that of the variants.
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
