//! `arbiter league notice`, `accept`, `pause` and `organiser`: an organiser looks after a league.

use std::io::Write;
use std::path::Path;

use contest::tournament::folder::shown;
use league::calendar;
use league::folder::LeagueFolder;
use league::submissions::{self, Submission, SubmissionVerdict};
use league::{keys, notices, pause as pauses};
use text::failure::Failure;
use text::shell::word;
use text::{printable, system_error};

/// The change of the notices.
#[derive(Debug)]
pub(crate) enum NoticeChange {
    /// None: the notices are listed.
    List,
    /// A new one with this text.
    Add(String),
    /// The one with this number goes.
    Remove(u64),
}

/// Lists, adds or removes notices, which the pages of a league show.
pub(crate) fn notice(
    path: &Path,
    change: NoticeChange,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    match change {
        NoticeChange::List => {
            for notice in notices::list(&folder)? {
                writeln!(out, "{}: {}", notice.number, printable(&notice.text))?;
            }
            Ok(())
        }
        NoticeChange::Add(text) => {
            let notice = notices::add(&folder, &text, calendar::now())?;
            Ok(writeln!(out, "notice {} published", notice.number)?)
        }
        NoticeChange::Remove(number) => {
            notices::remove(&folder, number)?;
            Ok(writeln!(out, "notice {number} removed")?)
        }
    }
}

/// Lists late submissions, or lets the last one of a participant wait as if it had come in time.
pub(crate) fn accept(path: &Path, name: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let unread = |error| Failure::Ours(format!("`{}`: {}", shown(path), system_error(error)));
    let Some(name) = name else {
        let late = submissions::late_submissions(&folder).map_err(unread)?;
        for Submission { participant, number, record } in &late {
            if let SubmissionVerdict::Late(seconds) = record.verdict {
                let after = calendar::length(seconds);
                writeln!(out, "{participant}: submission {number}, {after} late")?;
            }
        }
        if late.is_empty() {
            writeln!(out, "no late submissions")?;
        }
        return Ok(());
    };
    let accepted = submissions::accept(&folder, name);
    let Some(submission) = accepted.map_err(|problem| Failure::Ours(problem.to_string()))? else {
        let problem = format!(
            "no late submission of `{}`: `arbiter league accept {}` lists them",
            printable(name),
            word(path)
        );
        return Err(Failure::Usage(problem));
    };
    Ok(writeln!(out, "{name}: submission {} queued", submission.number)?)
}

/// The change of a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PauseChange {
    Begin,
    End,
}

/// Begins or ends a pause, in which no game begins.
pub(crate) fn pause(path: &Path, change: PauseChange, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let unwritten = |error| Failure::Ours(format!("`{}`: {}", shown(path), system_error(error)));
    match change {
        PauseChange::Begin => {
            pauses::begin(&folder).map_err(unwritten)?;
            writeln!(out, "paused: current games will finish, no new ones start")?;
        }
        PauseChange::End => match pauses::end(&folder).map_err(unwritten)? {
            true => writeln!(out, "resumed")?,
            false => writeln!(out, "the league was not paused")?,
        },
    }
    Ok(())
}

/// The change of the token of the organiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrganiserChange {
    New,
    Revoke,
}

/// Gives the organiser a new token for the page `organiser/`, which is shown once, or revokes it.
pub(crate) fn organiser(
    path: &Path,
    change: OrganiserChange,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    match change {
        OrganiserChange::New => Ok(writeln!(out, "{}", keys::new_organiser(&folder)?)?),
        OrganiserChange::Revoke => {
            keys::revoke_organiser(&folder)?;
            Ok(writeln!(out, "organiser token revoked")?)
        }
    }
}
