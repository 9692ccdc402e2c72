//! The bytes of the classic dialect.

use crate::coup::event::Event;
use crate::coup::hand::{Character, Hand};
use crate::coup::moves::{Action, Move};

/// A card as it is written in FILE when its owner gives it up.
fn lost(character: Character) -> char {
    match character {
        Character::Ambassador => '_',
        Character::Assassin => '\'',
        Character::Captain => '<',
        Character::Contessa => '=',
        Character::Duke => '0',
    }
}

/// A card as it is written where its owner shows or sees it.
fn letter(character: Character) -> char {
    match character {
        Character::Ambassador => '~',
        Character::Assassin => '^',
        Character::Captain => '*',
        Character::Contessa => '!',
        Character::Duke => '$',
    }
}

/// A block as it is written in FILE. Nothing is blocked with an assassin, which has no letter.
fn block(character: Character) -> Option<char> {
    match character {
        Character::Ambassador => Some('a'),
        Character::Assassin => None,
        Character::Captain => Some('c'),
        Character::Contessa => Some('s'),
        Character::Duke => Some('d'),
    }
}

fn action(action: Action) -> char {
    match action {
        Action::Income => 'I',
        Action::ForeignAid => 'F',
        Action::Coup(_) => 'C',
        Action::Exchange => 'E',
        Action::Tax => 'T',
        Action::Assassinate(_) => 'A',
        Action::Steal(_) => 'S',
    }
}

/// Returns true if a byte of FILE is a block.
pub(super) fn is_block(byte: u8) -> bool {
    Character::ALL.into_iter().filter_map(block).any(|letter| letter == char::from(byte))
}

/// Returns true if a byte of FILE is a card that was given up.
pub(super) fn is_lost(byte: u8) -> bool {
    Character::ALL.into_iter().map(lost).any(|letter| letter == char::from(byte))
}

/// Cards as an argument or on standard output.
pub(super) fn cards(hand: Hand) -> String {
    hand.into_iter().map(letter).collect()
}

/// Cards from standard output, for any hand; `None` if it is not a text of cards, or of more than a
/// hand can hold.
pub(super) fn read_cards(text: &[u8]) -> Option<Hand> {
    let card = |byte: &u8| {
        Character::ALL.into_iter().find(|character| letter(*character) == char::from(*byte))
    };
    Hand::new(&text.iter().map(card).collect::<Option<Vec<Character>>>()?)
}

/// The seat that made the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The seat whose turn it is: its last decision ends the line.
    Actor,
    /// The other seat.
    Other,
}

/// Text appended to FILE for a move; nothing for a move that no rules let happen.
pub(super) fn appended(mv: Move, by: By) -> String {
    match (mv, by) {
        (Move::Act(Action::Income), _) => "I\n".to_owned(),
        (Move::Act(act), _) => action(act).to_string(),
        (Move::Pass, By::Other) => "p".to_owned(),
        (Move::Challenge, _) => "q".to_owned(),
        (Move::Block(character), _) => block(character).map(String::from).unwrap_or_default(),
        (Move::Show(character), _) => letter(character).to_string(),
        (Move::Lose(character), By::Other) => lost(character).to_string(),
        (Move::Lose(character), By::Actor) => format!("{}\n", lost(character)),
        (Move::Pass, By::Actor) | (Move::Keep(_) | Move::End, _) => "\n".to_owned(),
    }
}

/// Returns true if FILE ends with a block whose challenge has cost the other seat a card.
pub(super) fn is_won_from_block(file: &str) -> bool {
    let line = file.rsplit('\n').next().unwrap_or_default();
    matches!(line.as_bytes(), [_, block, b'q', card] if is_block(*block) && is_lost(*card))
}

/// Content of FILE after these events, as seen by any seat: it holds no secret.
///
/// ```
/// use rules::coup::{Event, classic};
///
/// let history = ["deal 0 ?? ??", "0 foreign-aid", "1 block duke", "0 challenge", "1 show duke"];
/// let history: Vec<Event> = history.iter().map(|line| line.parse()).collect::<Result<_, _>>()?;
/// assert_eq!(classic::file(&history), "Fdq$");
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn file<'a>(history: impl IntoIterator<Item = &'a Event>) -> String {
    let mut file = String::new();
    let mut actor = None;
    for event in history {
        match *event {
            Event::Move { seat, mv } => {
                if let Move::Act(_) = mv {
                    actor = Some(seat);
                }
                let by = if actor == Some(seat) { By::Actor } else { By::Other };
                file.push_str(&appended(mv, by));
            }
            Event::KeepUnseen { .. } => file.push('\n'),
            Event::Deal { .. } | Event::Draw { .. } | Event::Lost { .. } | Event::Winner(_) => {}
        }
    }
    file
}
