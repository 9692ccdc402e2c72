//! The terms of a league while it is served: those of its `league.toml`, or the last ones that were right while there is
//! a mistake in it. Participants need not wait until it is mended.

use std::sync::{Arc, Mutex, PoisonError};

use crate::folder::LeagueFolder;
use crate::settings::LeagueSettings;
use conditions::failure::Failure;
use contest::calendar::Calendar;
use contest::quotas::Quotas;
use contest::tournament::folder::shown;

/// The contents of a `league.toml` without mistakes.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The settings of the games.
    pub settings: LeagueSettings,
    /// Bounds for what participants hand in.
    pub quotas: Quotas,
}

impl Terms {
    /// Reads the terms of a league.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`], with the first mistake.
    pub fn read(folder: &LeagueFolder) -> Result<Terms, Failure> {
        let league = folder.read()?;
        let settings = LeagueSettings::read_for(&league, &folder.settings()?).map_err(|error| {
            Failure::Usage(format!("`{}/league.toml`: {error}", shown(folder.path())))
        })?;
        Ok(Terms { settings, quotas: folder.quotas()? })
    }

    /// When the league takes bots and plays.
    pub fn calendar(&self) -> &Calendar {
        &self.settings.calendar
    }
}

/// The last terms of a league that were right.
#[derive(Debug)]
pub struct LastSettings {
    folder: LeagueFolder,
    last: Mutex<Option<Last>>,
}

#[derive(Debug)]
struct Last {
    /// The text that holds them.
    text: String,
    terms: Arc<Terms>,
}

impl LastSettings {
    /// Nothing is read yet.
    pub fn new(folder: LeagueFolder) -> LastSettings {
        LastSettings { folder, last: Mutex::default() }
    }

    /// Returns the present terms, or the last ones that were right, and the mistake in the file if there is one.
    ///
    /// # Errors
    ///
    /// Fails with the mistake if no terms were right since the program began.
    pub fn terms(&self) -> Result<(Arc<Terms>, Option<Failure>), Failure> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let text = self.folder.settings().ok();
        if let Some(last) = last.as_ref().filter(|last| text.as_ref() == Some(&last.text)) {
            return Ok((Arc::clone(&last.terms), None));
        }
        let mistake = match Terms::read(&self.folder) {
            Ok(terms) => {
                let terms = Arc::new(terms);
                *last = text.map(|text| Last { text, terms: Arc::clone(&terms) });
                return Ok((terms, None));
            }
            Err(mistake) => mistake,
        };
        match last.as_ref() {
            Some(last) => Ok((Arc::clone(&last.terms), Some(mistake))),
            None => Err(mistake),
        }
    }
}
