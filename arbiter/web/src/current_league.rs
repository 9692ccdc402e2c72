//! A league as it is now, also while public pages stand still: read once, and again once its log has changed.

use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use league::League;
use league::folder::{LeagueError, LeagueFolder};
use sandbox::file;

/// A log is the same if these values are. Lines are only ever added to it, but a backup may be put in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogStamp(Option<(u64, Option<SystemTime>)>);

impl LogStamp {
    pub(super) fn of(log: &Path) -> LogStamp {
        let found = file::open(log).and_then(|file| file.metadata());
        LogStamp(found.ok().map(|found: Metadata| (found.len(), found.modified().ok())))
    }
}

/// The league as it was last read.
#[derive(Debug, Default)]
pub(super) struct CurrentLeague(Mutex<Option<(LogStamp, Arc<League>)>>);

impl CurrentLeague {
    pub(super) fn read(&self, folder: &LeagueFolder) -> Result<Arc<League>, LeagueError> {
        let stamp = LogStamp::of(&folder.log());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((known, league)) if *known == stamp && stamp.0.is_some() => Ok(Arc::clone(league)),
            _ => {
                let league = Arc::new(folder.read()?);
                *known = Some((stamp, Arc::clone(&league)));
                Ok(league)
            }
        }
    }
}
