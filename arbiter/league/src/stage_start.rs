//! The start of a stage: the bots that take part, and the round of the league before it.
//!
//! A stage is seeded by finished rounds alone. While a program holds the lock of [`hold`], `league run` announces no
//! further round of the league; while it also holds that of [`break_off`], `league run` ends the round that it plays.

use std::path::PathBuf;
use std::time::Duration;

use bot::spelt_as_names;
use contest::tournament::folder::{Lock, NotLocked, shown};
use text::failure::Failure;
use text::{printable, system_error};

use crate::folder::LeagueFolder;
use crate::participants::Participants;
use crate::state::League;
use crate::version::BotVersion;

/// The lock of the program that begins a stage.
const STARTING: &str = "starting-stage";
/// Its lock while it wants the open round ended.
const BREAKING_OFF: &str = "breaking-off";
/// Time to wait for another program that begins a stage.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reason in the log for a round that was ended for a stage.
pub const BROKEN_OFF: &str = "ended for a stage";

/// Bots that the organiser has added, in a league with participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HouseBots {
    /// They take no part.
    LeftOut,
    /// They take part.
    Included,
}

/// The bots that may take part in a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageField {
    /// Those that take part, in the order of their entries.
    pub bots: Vec<BotVersion>,
    /// House bots that take no part.
    pub house: Vec<BotVersion>,
}

/// Returns the bots that take part in the next stage, without those of these names.
///
/// House bots are those without a participant, in a league in which a participant has a bot.
///
/// # Errors
///
/// [`Failure::Usage`] if one of the names is no bot that plays.
pub fn field(
    league: &League,
    participants: &Participants,
    house: HouseBots,
    without: &[String],
) -> Result<StageField, Failure> {
    let active: Vec<&BotVersion> = league.active().map(|(_, it)| &it.entry.bot).collect();
    let without: Vec<String> = without.iter().map(|name| spelt_as_names(name)).collect();
    if let Some(name) = without.iter().find(|name| active.iter().all(|bot| bot.bot != **name)) {
        let names: Vec<&str> = active.iter().map(|bot| bot.bot.as_str()).collect();
        return Err(Failure::Usage(format!(
            "`--without {}`: no such bot: use one of {}",
            printable(name),
            names.join(", ")
        )));
    }
    let is_of_participant = |bot: &BotVersion| participants.has(&bot.bot);
    let leaves_out = house == HouseBots::LeftOut && active.iter().any(|bot| is_of_participant(bot));
    let stays = active.into_iter().filter(|bot| !without.contains(&bot.bot)).cloned();
    let (bots, house) = stays.partition(|bot| !leaves_out || is_of_participant(bot));
    Ok(StageField { bots, house })
}

/// Keeps `league run` from announcing rounds, for as long as the lock is held.
///
/// # Errors
///
/// [`Failure::Later`] if another program begins a stage.
pub fn hold(folder: &LeagueFolder) -> Result<Lock, Failure> {
    take(folder, STARTING)
}

/// Makes `league run` end the round that it plays, for as long as the lock is held.
///
/// # Errors
///
/// [`Failure::Later`] if another program begins a stage.
pub fn break_off(folder: &LeagueFolder) -> Result<Lock, Failure> {
    take(folder, BREAKING_OFF)
}

/// Returns true while a stage is about to begin.
pub fn is_awaited(folder: &LeagueFolder) -> bool {
    Lock::is_held(&place(folder, STARTING))
}

/// Returns true while the round that is played is to end at once.
pub fn breaks_off(folder: &LeagueFolder) -> bool {
    Lock::is_held(&place(folder, BREAKING_OFF))
}

fn take(folder: &LeagueFolder, name: &str) -> Result<Lock, Failure> {
    let league = || shown(folder.path());
    let failed = |error| {
        Failure::Usage(format!("cannot use `{}/{name}`: {}", league(), system_error(&error)))
    };
    Lock::take(&place(folder, name), PATIENCE).map_err(|problem| match problem {
        NotLocked::Held => {
            Failure::Later(format!("`{}`: another `league stage` is starting a stage", league()))
        }
        NotLocked::Unopened(error) | NotLocked::Refused(error) => failed(error),
    })
}

fn place(folder: &LeagueFolder, name: &str) -> PathBuf {
    folder.path().join(name)
}
