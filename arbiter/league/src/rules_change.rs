//! Other rules for the game of a league, from the next round on.
//!
//! The copy of the first rules stays in `game`; each later one lies in `rules` under its digest, and is there before the
//! line of the log that names it. A round is played and verified by the rules that were the last ones when it began.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use ::games::{COPY, GameFiles, LATER};
use contest::tournament::folder::shown;
use rules::{Digest, GameKind, RulesId, RulesLine};
use sandbox::new_file;
use text::failure::Failure;
use text::system_error;

use crate::correction::reason_in_line;
use crate::folder::{LeagueFolder, SETTINGS};
use crate::line::{LeagueLine, RoundEndLine, RulesChange};
use crate::settings::{LeagueSettings, copy_of_rules};
use crate::state::League;

/// Checks that a league can be played by the rules of this game, and returns its next line.
///
/// # Errors
///
/// [`Failure::Usage`] if it is another game, has other seats or options, or the league plays by these rules already.
pub fn checked(
    folder: &LeagueFolder,
    league: &League,
    game: &GameKind,
    reason: &str,
) -> Result<RulesChange, Failure> {
    let usage = |problem: String| Err(Failure::Usage(problem));
    let path = shown(folder.path());
    if league.first_rules().is_none() {
        let played = league.kind();
        return usage(format!(
            "`{path}` plays {played}: the rules of built-in games cannot be changed"
        ));
    }
    let Some(id) = game.rules_id().filter(|_| game.name() == league.kind().name()) else {
        let (found, expected) = (game.name(), league.kind().name());
        return usage(format!("these are the rules of {found}, but `{path}` plays {expected}"));
    };
    if league.kind().rules_id() == Some(id) {
        return usage(match has_copy(folder, league) {
            true => format!("`{path}` already plays by these rules"),
            false => format!(
                "`{path}` already plays by these rules, but the files of `{path}/{}` have changed: \
                 restore them",
                copy_of_rules(league)
            ),
        });
    }
    if league.first_rules() == Some(id) && !is_copy(&folder.path().join(COPY), Some(id)) {
        return usage(format!(
            "these are the first rules of `{path}`, but the files of `{path}/{COPY}` have changed: \
             restore them"
        ));
    }
    let reason = reason_in_line(reason)?;
    let settings = LeagueSettings::read(&folder.settings()?, Some(game)).map_err(|problem| {
        Failure::Usage(format!("`{path}/{SETTINGS}` does not fit the new rules: {problem}"))
    })?;
    let (found, expected) = (settings.seats(), league.seats());
    if found != expected {
        return usage(format!(
            "the new rules have {found} seats with the options in `{path}/{SETTINGS}`, but the \
             league has {expected}"
        ));
    }
    Ok(RulesChange { rules: RulesLine { id, seats: found }, reason })
}

/// Returns true if the copy of the present rules is as it was made.
pub fn has_copy(folder: &LeagueFolder, league: &League) -> bool {
    is_copy(&folder.path().join(copy_of_rules(league)), league.kind().rules_id())
}

/// Returns true if a copy has these rules.
fn is_copy(copy: &Path, rules: Option<RulesId>) -> bool {
    let found = GameFiles::named(&copy.display().to_string());
    found.is_ok_and(|found| Some(found.id()) == rules)
}

/// Copies new rules, and writes their line into the log, after the end of the open round if it is aborted for them.
///
/// # Errors
///
/// Fails if the copy or the line cannot be written, or the league has changed meanwhile.
pub fn change(
    folder: &LeagueFolder,
    files: &GameFiles,
    new: &RulesChange,
    over: Option<&RoundEndLine>,
) -> Result<Arc<League>, Failure> {
    folder.append(|league| {
        league.by_rules(new).map_err(|problem| {
            Failure::Later(format!("`{}`: the next line {problem}", shown(folder.path())))
        })?;
        let unwritten = |error: io::Error| {
            let folder = shown(&folder.path().join(LATER));
            Failure::Ours(format!("cannot write `{folder}`: {}", system_error(&error)))
        };
        // While the log is locked, nobody else copies rules.
        remove_unnamed(folder.path(), league, new).map_err(unwritten)?;
        if league.first_rules() != Some(new.rules.id) {
            files.write_later_copy(folder.path()).map_err(unwritten)?;
        }
        let over = over.map(|over| LeagueLine::Over(Box::new(over.clone())));
        Ok(over.into_iter().chain([LeagueLine::Rules(new.clone())]).collect())
    })
}

/// Removes copies that no line names: a program was killed between the two, or could not write the line.
fn remove_unnamed(folder: &Path, league: &League, new: &RulesChange) -> io::Result<()> {
    let entries = match fs::read_dir(folder.join(LATER)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let is_named = |digest: Digest| {
            let mut named = league.later_rules().iter().map(|later| &later.new).chain([new]);
            named.any(|it| it.rules.id.digest == digest)
        };
        let is_unnamed = name.parse().is_ok_and(|digest| !is_named(digest));
        let is_copy = is_unnamed || name.starts_with(new_file::NEW);
        // What is no folder is no copy.
        if is_copy && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}
