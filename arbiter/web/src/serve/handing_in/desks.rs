//! The desks of all leagues that are served, each with a thread that deals with what is handed in.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::serve::farewell;
use contest::entry::hand_in::{Desk, NotOpened};
use contest::league::folder::LeagueFolder;

/// Desks that are open.
#[derive(Debug, Default)]
pub(in crate::serve) struct Desks(Mutex<Vec<(Arc<Desk>, JoinHandle<()>)>>);

impl Desks {
    /// Opens the desk of a league.
    ///
    /// # Errors
    ///
    /// [`NotOpened`]
    pub(super) fn open(&self, folder: LeagueFolder) -> Result<Arc<Desk>, NotOpened> {
        let desk = Arc::new(Desk::open(folder)?);
        let worker = Arc::clone(&desk);
        let thread = thread::spawn(move || worker.work());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((Arc::clone(&desk), thread));
        Ok(desk)
    }

    /// Closes all desks, and says whether every one is done with what it had in hand. What waits is dealt with
    /// by the next server.
    pub(in crate::serve) fn close(&self) -> bool {
        let desks = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        desks.iter().for_each(|(desk, _)| desk.close());
        let have_ended = farewell::have_ended(desks.iter().map(|(_, thread)| thread));
        if !have_ended {
            desks.iter().for_each(|(desk, _)| desk.leave());
        }
        have_ended
    }
}
