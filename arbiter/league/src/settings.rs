//! The settings of a league: the contents of its `league.toml`.

use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bot::build;
use games::{COPY, LATER};
use rules::GameKind;
use serde::Deserialize;

use crate::calendar::{Calendar, CalendarSection};
use crate::folder::LeagueFolder;
use crate::notify::NotifySettings;
use crate::quotas::{PageSettings, Quotas};
use crate::remote::{RemoteSection, RemoteTerms};
use crate::rounds::RoundSize;
use crate::state::League;
use contest::tournament::folder::shown;
use contest::tournament::plan::Settings;
use contest::tournament::plan_file;
use contest::tournament::plan_file::LeaguePlan;
use text::failure::Failure;

/// Settings of a league from the next round on.
#[derive(Debug, Clone)]
pub struct LeagueSettings {
    pub kind: GameKind,
    /// Settings of the games; without the schedule and the seed of a round.
    pub settings: Settings,
    pub size: RoundSize,
    pub build_time: Duration,
    /// When the league takes bots and plays.
    pub calendar: Calendar,
    /// The terms for remote bots; none if the league takes none.
    pub remote: Option<RemoteTerms>,
}

/// Returns the folder with the copy of the present rules, in the folder of the league.
pub fn copy_of_rules(league: &League) -> String {
    let later = league.kind().rules_id().filter(|id| league.first_rules() != Some(*id));
    later.map_or_else(|| COPY.to_owned(), |id| format!("{LATER}/{}", id.digest))
}

/// The tables for the organiser at the end of a new `league.toml`, as comments. A league has none of them at first.
pub const TABLES: &str = "
# To set a key, remove the # before it and before its table.

# [calendar]
# time-zone = 'Europe/Zagreb'      # default: UTC; AoE is anywhere on Earth
# opens = 2026-12-01T08:00:00      # submissions open
# deadline = 2026-12-20T23:59:59   # later ones need `arbiter league accept`
# freeze = 2026-12-19T12:00:00     # pages stop updating
# unfreeze = 2026-12-21T18:00:00   # pages show everything again
# ends = 2026-12-21T06:00:00       # no later round begins
# quiet = ['Mon-Fri 08:00-18:00']  # no game begins

# [quotas]
# bots = 2                         # per participant at once; default: 1
# submissions-a-day = 10           # per participant, accepted ones
# attempts-a-day = 30              # per participant, accepted or not
# test-games-a-day = 5             # per participant; 0 for none
# bot-size = '50MiB'               # of a built bot
# least-free = '10GiB'             # disk space to keep free

# [remote]                         # bots on their authors' machines
# allowed = true
# time = '5s'                      # per move; default: as for other bots
# grace = '60s'                    # per game, for lost connections
# games = 4                        # concurrent games per bot
# stages = true                    # allowed to play in stages

# [notify]                         # for `arbiter league notify`
# command = 'curl -sf --json @- https://chat.example.org/hook'
# secret = 'a secret for the hook' # signs each message
# events = ['round', 'left']       # default: all events

# [pages]
# log-download = true              # anybody can download the published log
";

/// The tables of a `league.toml` that no plan has.
#[derive(Deserialize)]
struct LeagueSections {
    #[serde(default)]
    calendar: CalendarSection,
    #[serde(default)]
    quotas: Quotas,
    #[serde(default)]
    notify: NotifySettings,
    #[serde(default)]
    pages: PageSettings,
    #[serde(default)]
    remote: RemoteSection,
}

impl LeagueSettings {
    /// Reads a `league.toml`, for this game if it is known.
    ///
    /// # Errors
    ///
    /// Says the wrong line or key.
    pub fn read(text: &str, game: Option<&GameKind>) -> Result<LeagueSettings, Failure> {
        let LeaguePlan { kind, settings, rounds, build_time } = plan_file::of_league(text, game)?;
        let LeagueSections { calendar, quotas, notify, pages: PageSettings { .. }, remote } =
            toml::from_str(text).map_err(|error| plan_file::bad_toml(text, &error))?;
        let calendar = calendar.calendar().map_err(Failure::usage)?;
        quotas.checked().map_err(Failure::Usage)?;
        notify.checked().map_err(Failure::Usage)?;
        let remote = remote.terms().map_err(Failure::Usage)?;
        let usual = RoundSize::DEFAULT;
        let size = RoundSize {
            deals: rounds.deals.unwrap_or(usual.deals),
            tables: rounds.tables.or(usual.tables),
        };
        let build_time = build_time.unwrap_or(build::TIME);
        Ok(LeagueSettings { kind, settings, size, build_time, calendar, remote })
    }

    /// Reads a `league.toml` for an existing league.
    ///
    /// # Errors
    ///
    /// Fails if it is for another game, or for another number of seats.
    pub fn read_for(league: &League, text: &str) -> Result<LeagueSettings, Failure> {
        let settings = LeagueSettings::read(text, Some(league.kind()))?;
        let wrong = |key, problem: String| Err(plan_file::wrong_value(key, problem));
        if settings.kind != *league.kind() {
            let (found, expected) = (&settings.kind, league.kind());
            let problem = match found.name() == expected.name() {
                true => format!(
                    "the rules of {found} have changed: restore the folder `{}`, or change the \
                     rules with `arbiter league rules`",
                    copy_of_rules(league)
                ),
                false => format!("{found}, but the league plays {expected}"),
            };
            return wrong("game", problem);
        }
        let seats = settings.seats();
        if seats != league.seats() {
            let expected = league.seats();
            let problem = format!("{seats} seats, but the league has {expected}");
            return wrong("options", problem);
        }
        Ok(settings)
    }

    pub fn seats(&self) -> usize {
        // The options were checked when they were read.
        self.kind.seats(&self.settings.options).unwrap_or_default()
    }
}

/// Returns the present settings of a league.
///
/// # Errors
///
/// [`Failure::Usage`], with the wrong line of `league.toml`.
pub fn load(folder: &LeagueFolder, league: &League) -> Result<LeagueSettings, Failure> {
    let text = folder.settings()?;
    LeagueSettings::read_for(league, &text)
        .map_err(|error| Failure::Usage(format!("`{}/league.toml`: {error}", shown(folder.path()))))
}

/// Returns the options of the games of a league. They are the usual ones where its settings cannot be read,
/// which the check of a bot reports.
pub fn options(folder: &LeagueFolder, league: &League) -> String {
    load(folder, league).map(|settings| settings.settings.options).unwrap_or_default()
}

/// The time for which a mistake is not looked for again in the same text. It may be mended elsewhere, as in the files of
/// the game.
const SAME_MISTAKE: Duration = Duration::from_secs(1);

/// The contents of a `league.toml` without mistakes.
#[derive(Debug, Clone)]
pub struct LeagueConfig {
    pub settings: LeagueSettings,
    /// Bounds for what participants hand in.
    pub quotas: Quotas,
}

impl LeagueConfig {
    /// Reads the terms of a league.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`], with the first mistake.
    pub fn read(folder: &LeagueFolder) -> Result<LeagueConfig, Failure> {
        let league = folder.read()?;
        LeagueConfig::read_for(folder, &league)
    }

    fn read_for(folder: &LeagueFolder, league: &League) -> Result<LeagueConfig, Failure> {
        let settings = LeagueSettings::read_for(league, &folder.settings()?).map_err(|error| {
            Failure::Usage(format!("`{}/league.toml`: {error}", shown(folder.path())))
        })?;
        Ok(LeagueConfig { settings, quotas: folder.quotas()? })
    }

    /// These terms under the current rules of the league; none if the rules lack one of the options.
    fn by_rules_of(&self, league: &League, text: &str) -> Option<LeagueConfig> {
        let settings = LeagueSettings::read_for(league, text).ok()?;
        Some(LeagueConfig { settings, quotas: self.quotas })
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
    /// The text of the settings and the length of the log, from which the terms follow: a new line of the log may change
    /// the rules.
    source: Option<(Option<String>, Option<u64>)>,
    /// The last terms that were right, with the text that holds them.
    right: Option<(String, Arc<LeagueConfig>)>,
    /// The mistake in the present text, and the time when it was found.
    mistake: Option<(String, Instant)>,
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
    pub fn terms(&self) -> Result<(Arc<LeagueConfig>, Option<Failure>), Failure> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let log = fs::metadata(self.folder.log()).map(|found| found.len()).ok();
        let source = (self.folder.settings().ok(), log);
        let is_past = |(_, found): &(String, Instant)| found.elapsed() > SAME_MISTAKE;
        if last.source.as_ref() == Some(&source) && !last.mistake.as_ref().is_some_and(is_past) {
            let mistake = last.mistake.as_ref().map(|(text, _)| Failure::Usage(text.clone()));
            return last.answer(mistake);
        }
        let mistake = self.read(&mut last, source.0.as_ref());
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
        match LeagueConfig::read_for(&self.folder, &league) {
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
    ) -> Result<(Arc<LeagueConfig>, Option<Failure>), Failure> {
        match (&self.right, mistake) {
            (Some((_, terms)), mistake) => Ok((Arc::clone(terms), mistake)),
            (None, Some(mistake)) => Err(mistake),
            (None, None) => {
                Err(Failure::Ours(String::from("the settings of the league are not known")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_in_comments_are_right() {
        let plain = "game = 'tablic'\n";
        let read = |text: &str| LeagueSettings::read(text, None).expect("settings");
        assert_eq!(read(&format!("{plain}{TABLES}")).calendar, read(plain).calendar);
        let wanted: Vec<&str> = TABLES
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|line| line.starts_with('[') || line.contains(" = "))
            .collect();
        let calendar = read(&format!("{plain}{}", wanted.join("\n"))).calendar;
        assert_eq!(calendar.times().len(), 5);
        let long = TABLES.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None);
    }
}
