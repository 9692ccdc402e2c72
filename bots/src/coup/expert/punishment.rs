//! Responses to others that do not play like the table.
//!
//! ```text
//! couppun1        8 bytes
//! styles          u32, little-endian as all numbers
//! per style       u32 how likely it is before anything is known, in thousandths
//! per style       u32 length, and a table of what it does in rough situations
//! per suspect     u32 length, and a table of what to do in rough situations; none for who is suspected
//!                 to play like the table
//! ```

use crate::coup::expert::packed::Packed;
use crate::coup::expert::suspicion::{Manner, Suspect};

/// First bytes of the data.
pub const MAGIC: [u8; 8] = *b"couppun1";

/// Number of thousandths that a certainty has: the unit of the chances of styles.
pub const WHOLE: u32 = 1000;

/// The styles that others may play in, and what to do against them.
#[derive(Debug, Clone)]
pub struct Punishment<'a> {
    /// Behaviour of each style, and its chance before anything is known.
    styles: Vec<(Packed<'a>, f64)>,
    /// By style, and then by certainty.
    responses: Vec<Packed<'a>>,
}

impl<'a> Punishment<'a> {
    /// Reads bytes; `None` if they are something else.
    pub fn new(bytes: &'a [u8]) -> Option<Punishment<'a>> {
        let (magic, mut rest) = bytes.split_first_chunk::<8>()?;
        let count = (*magic == MAGIC).then(|| number(&mut rest))??;
        let chances: Vec<f64> = (0..count)
            .map(|_| Some(f64::from(number(&mut rest)?) / f64::from(WHOLE)))
            .collect::<Option<_>>()?;
        let styles = chances.into_iter().map(|chance| Some((table(&mut rest)?, chance)));
        let styles: Vec<(Packed<'a>, f64)> = styles.collect::<Option<_>>()?;
        let suspects = styles.len() * Suspect::CERTAINTIES;
        let responses = (0..suspects).map(|_| table(&mut rest)).collect::<Option<_>>()?;
        Some(Punishment { styles, responses })
    }

    /// Sets the chance, from 0 to 1, that the other seat plays in one of the styles.
    #[must_use]
    pub fn trusted(mut self, chance: f64) -> Punishment<'a> {
        let all: f64 = self.styles.iter().map(|(_, chance)| chance).sum();
        if all > 0.0 {
            for (_, own) in &mut self.styles {
                *own *= chance / all;
            }
        }
        self
    }

    /// The manners that the other seat may have, as [`manners`] lists them.
    pub fn manners(&self, safe: Packed<'a>) -> Vec<(Manner<'a>, f64)> {
        manners(safe, &self.styles)
    }

    /// All responses, in the order of the suspects whom they are for, of [`Suspect::index`].
    pub fn responses(&self) -> impl Iterator<Item = Packed<'a>> {
        self.responses.iter().copied()
    }

    /// Response to a suspect; `None` if it plays like the table.
    pub fn response(&self, suspect: Suspect) -> Option<Packed<'a>> {
        let place = suspect.index().checked_sub(Suspect::CERTAINTIES)?;
        self.responses.get(place).copied()
    }
}

/// The manners that a seat may have, and how likely each is: first that of the table, which has what
/// the styles leave of 1, then the styles.
pub fn manners<'a>(safe: Packed<'a>, styles: &[(Packed<'a>, f64)]) -> Vec<(Manner<'a>, f64)> {
    let known: f64 = styles.iter().map(|(_, chance)| chance).sum();
    let table = (Manner::Table(safe), (1.0 - known).max(0.0));
    let styles = styles.iter().map(|(habits, chance)| (Manner::Habits(*habits), *chance));
    [table].into_iter().chain(styles).collect()
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (number, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_le_bytes(*number))
}

fn table<'a>(rest: &mut &'a [u8]) -> Option<Packed<'a>> {
    let length = number(rest)? as usize;
    let (table, after) = rest.split_at_checked(length)?;
    *rest = after;
    Packed::new(table)
}
