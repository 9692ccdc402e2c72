//! The desks of all leagues that are served, each with a thread that deals with what is handed in.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::commands::league::{Desk, NotOpened};
use crate::league::folder::LeagueFolder;
use crate::serve::farewell;

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
        farewell::have_ended(desks.iter().map(|(_, thread)| thread))
    }
}
