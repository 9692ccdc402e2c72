//! The turn of a queue: while it has one, no other program enters bots into the league.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::SubmissionQueue;
use crate::entry::scratch::Scratch;
use crate::folder::BadLeague;
use contest::tournament::folder::Lock;
use text::failure::Failure;

/// A turn, which all checks at one time share. It is over when the last one of them has ended.
#[derive(Debug)]
pub(super) struct Turn {
    /// The place for unpacked bots, which is gone before the turn is over.
    pub(super) scratch: Scratch,
    _entering: Lock,
}

impl SubmissionQueue {
    /// Joins the last turn if it still goes on, or begins one. Returns none while another program has its turn, or
    /// waits for one: a queue that is never empty keeps no other program out.
    ///
    /// # Errors
    ///
    /// Fails if the folder of the league cannot be written.
    pub(super) fn turn(
        &self,
        last: &mut Weak<Turn>,
        patience: Duration,
    ) -> Result<Option<Arc<Turn>>, Failure> {
        if let Some(turn) = last.upgrade() {
            if !self.folder.is_entry_awaited() {
                return Ok(Some(turn));
            }
            drop(turn);
            self.wait(patience, |state| state.has_news);
            return Ok(None);
        }
        let begun = Instant::now();
        let entering = match self.folder.hold_entries(&mut || begun.elapsed() < patience) {
            Ok(held) => held,
            Err(BadLeague::Entering(_)) => return Ok(None),
            Err(problem) => return Err(problem.into()),
        };
        let scratch = Scratch::new(&self.folder).map_err(|error| self.unusable(&error))?;
        let turn = Arc::new(Turn { scratch, _entering: entering });
        *last = Arc::downgrade(&turn);
        Ok(Some(turn))
    }
}
