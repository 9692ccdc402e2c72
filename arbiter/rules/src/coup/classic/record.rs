//! FILE: the game so far, one turn on each line.

use crate::coup::classic::letters::{By, appended, is_block, is_lost};
use crate::coup::event::Event;
use crate::coup::moves::Move;

/// Whether FILE ends with a block whose challenge has cost the other seat a card.
pub(super) fn is_won_from_block(file: &str) -> bool {
    let line = file.rsplit('\n').next().unwrap_or_default();
    matches!(line.as_bytes(), [_, block, b'q', card] if is_block(*block) && is_lost(*card))
}

/// What FILE holds after these events, as seen by any seat: it holds no secret.
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
