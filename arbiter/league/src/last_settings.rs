//! The terms of a league while it is served: those of its `league.toml`, or the last ones that were right while there is
//! a mistake in it. Participants need not wait until it is mended.

use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::calendar::Calendar;
use crate::folder::LeagueFolder;
use crate::quotas::Quotas;
use crate::settings::LeagueSettings;
use crate::state::League;
use contest::tournament::folder::shown;
use text::failure::Failure;

/// The time for which a mistake is not looked for again in the same text. It may be mended elsewhere, as in the files of
/// the game.
const SAME_MISTAKE: Duration = Duration::from_secs(1);

/// The contents of a `league.toml` without mistakes.
#[derive(Debug, Clone)]
pub struct LeagueTerms {
    /// The settings of the games.
    pub settings: LeagueSettings,
    /// Bounds for what participants hand in.
    pub quotas: Quotas,
}

impl LeagueTerms {
    /// Reads the terms of a league.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`], with the first mistake.
    pub fn read(folder: &LeagueFolder) -> Result<LeagueTerms, Failure> {
        let league = folder.read()?;
        LeagueTerms::read_for(folder, &league)
    }

    fn read_for(folder: &LeagueFolder, league: &League) -> Result<LeagueTerms, Failure> {
        let settings = LeagueSettings::read_for(league, &folder.settings()?).map_err(|error| {
            Failure::Usage(format!("`{}/league.toml`: {error}", shown(folder.path())))
        })?;
        Ok(LeagueTerms { settings, quotas: folder.quotas()? })
    }

    /// The same terms by the present rules of the league; none if these have no such options.
    fn by_rules_of(&self, league: &League, text: &str) -> Option<LeagueTerms> {
        let settings = LeagueSettings::read_for(league, text).ok()?;
        Some(LeagueTerms { settings, quotas: self.quotas })
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
    last: Mutex<LastRead>,
}

#[derive(Debug, Default)]
struct LastRead {
    /// What was there when the terms were read.
    source: Option<TermsSource>,
    /// The last terms that were right, with the text that holds them.
    right: Option<(String, Arc<LeagueTerms>)>,
    /// The mistake in the present text, and the time when it was found.
    mistake: Option<(String, Instant)>,
}

/// What the terms follow from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TermsSource {
    text: Option<String>,
    /// The length of the log, to which lines are only ever added: one of them may have other rules.
    log: Option<u64>,
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
    pub fn terms(&self) -> Result<(Arc<LeagueTerms>, Option<Failure>), Failure> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let log = fs::metadata(self.folder.log()).map(|found| found.len()).ok();
        let source = TermsSource { text: self.folder.settings().ok(), log };
        let is_past = |(_, found): &(String, Instant)| found.elapsed() > SAME_MISTAKE;
        if last.source.as_ref() == Some(&source) && !last.mistake.as_ref().is_some_and(is_past) {
            let mistake = last.mistake.as_ref().map(|(text, _)| Failure::Usage(text.clone()));
            return last.answer(mistake);
        }
        let mistake = self.read(&mut last, source.text.as_ref());
        last.mistake = match &mistake {
            Some(Failure::Usage(problem)) => Some((problem.clone(), Instant::now())),
            _ => None,
        };
        // Any other failure is none of the text.
        let is_known = last.mistake.is_some() || mistake.is_none();
        last.source = Some(source).filter(|_| is_known);
        last.answer(mistake)
    }

    /// Reads the terms anew, and returns the mistake.
    fn read(&self, last: &mut LastRead, text: Option<&String>) -> Option<Failure> {
        let league = match self.folder.read() {
            Ok(league) => league,
            Err(problem) => return Some(problem.into()),
        };
        match LeagueTerms::read_for(&self.folder, &league) {
            Ok(terms) => {
                last.right = Some((text.cloned().unwrap_or_default(), Arc::new(terms)));
                None
            }
            Err(mistake) => {
                // New rules hold in spite of the mistake.
                if let Some((text, terms)) = last.right.take() {
                    let terms = match terms.settings.kind == *league.kind() {
                        true => Some(terms),
                        false => terms.by_rules_of(&league, &text).map(Arc::new),
                    };
                    last.right = terms.map(|terms| (text, terms));
                }
                Some(mistake)
            }
        }
    }
}

impl LastRead {
    fn answer(
        &self,
        mistake: Option<Failure>,
    ) -> Result<(Arc<LeagueTerms>, Option<Failure>), Failure> {
        match (&self.right, mistake) {
            (Some((_, terms)), mistake) => Ok((Arc::clone(terms), mistake)),
            (None, Some(mistake)) => Err(mistake),
            (None, None) => {
                Err(Failure::Ours(String::from("the settings of the league are not known")))
            }
        }
    }
}
