//! Bots that participants send over the page of a league: each waits, is unpacked, built and checked, and
//! enters or is refused.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rules::text::system_error;
use rules::{Digest, GameKind};
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::commands::league::newcomer::{self, Entered, NotEntered, Refused};
use crate::commands::league::settings;
use crate::commands::submitted::found::bot_in;
use crate::failure::Failure;
use crate::league::BotVersion;
use crate::league::folder::{BadLeague, LeagueFolder};
use crate::league::line::HandedIn;
use crate::league::participants::Participants;
use crate::league::state::Membership;
use crate::league::submissions::{self, NotTaken, Submission, Verdict};
use crate::process::isolation::Isolation;
use crate::text::notice::say;
use crate::tournament::folder::shown;
use crate::unpacking::{Bounds, NotUnpacked, Upload, unpack};

/// The folder in which bots are unpacked, one at a time.
const UNPACKING: &str = "unpacking";
/// How long another program is waited for that enters bots, until the desk looks whether it is closed.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long it is until something is tried again that the machine has failed at.
const PAUSE: Duration = Duration::from_secs(10);

/// Where bots are handed in: it takes them at any time, and deals with one after the other.
#[derive(Debug)]
pub struct Desk {
    folder: LeagueFolder,
    kind: GameKind,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The participant whose submission is dealt with, and its number.
    at_work: Option<(String, u64)>,
    is_closed: bool,
    /// Whether something was taken in since the last look.
    is_new: bool,
}

/// Why no bots are taken; one line.
#[derive(Debug, Error)]
pub enum NotOpened {
    /// The league would start programs of strangers without keeping them apart.
    #[error(
        "`{0}` has isolation = \"off\", and programs of strangers are to be started: leave it out of league.toml"
    )]
    Unisolated(String),
    /// Something else is in the way.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// What has become of a submission.
struct Dealt {
    verdict: Verdict,
    report: Vec<u8>,
}

impl Desk {
    /// A desk for a league; what waits from an earlier time is dealt with as well. The program must have a
    /// guard by then.
    ///
    /// # Errors
    ///
    /// [`NotOpened`]
    pub fn open(folder: LeagueFolder) -> Result<Desk, NotOpened> {
        let league = folder.read().map_err(Failure::from)?;
        if !is_isolated(&folder)? {
            return Err(NotOpened::Unisolated(shown(folder.path())));
        }
        let state = Mutex::new(State { is_new: true, ..State::default() });
        Ok(Desk { folder, kind: league.kind(), state, changed: Condvar::new() })
    }

    /// The league.
    pub fn folder(&self) -> &LeagueFolder {
        &self.folder
    }

    /// How much may be sent.
    pub fn bounds(&self) -> Bounds {
        Bounds::DEFAULT
    }

    /// Takes in a file from a participant, which waits then.
    ///
    /// # Errors
    ///
    /// [`NotTaken`]
    pub fn take_in(
        &self,
        participant: &str,
        token: Digest,
        upload: NamedTempFile,
        file: Option<&str>,
    ) -> Result<Submission, NotTaken> {
        let taken = submissions::take_in(&self.folder, participant, token, upload, file)?;
        self.state().is_new = true;
        self.changed.notify_all();
        Ok(taken)
    }

    /// Says why a file of this participant would not be taken in now.
    ///
    /// # Errors
    ///
    /// [`NotTaken`]
    pub fn must_have_room(&self, participant: &str) -> Result<(), NotTaken> {
        submissions::must_have_room(&self.folder, participant)
    }

    /// Whether this submission is being dealt with.
    pub fn is_at_work_on(&self, submission: &Submission) -> bool {
        let state = self.state();
        let at_work = state.at_work.as_ref();
        at_work.is_some_and(|(name, number)| {
            *name == submission.participant && *number == submission.number
        })
    }

    /// Deals with what waits and with what comes, one after the other, until the desk is closed.
    pub fn work(&self) {
        let mut warned = None;
        while self.has_next(PAUSE) {
            if let Err(failure) = self.deal_with_all() {
                let warning = format!("warning: handing in: {failure}");
                if warned.as_ref() != Some(&warning) {
                    say(&warning);
                    warned = Some(warning);
                }
            }
        }
    }

    /// Has [`work`](Desk::work) return once it is done with what it has in hand.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits until something was taken in, or so long. False where the desk is closed.
    fn has_next(&self, pause: Duration) -> bool {
        let state = self.state();
        let waiting = |state: &mut State| !state.is_closed && !state.is_new;
        let woken = self.changed.wait_timeout_while(state, pause, waiting);
        let (mut state, _) = woken.unwrap_or_else(PoisonError::into_inner);
        state.is_new = false;
        !state.is_closed
    }

    fn deal_with_all(&self) -> Result<(), Failure> {
        let mut failed = Ok(());
        for submission in
            submissions::waiting(&self.folder).map_err(|error| self.unusable(&error))?
        {
            if self.state().is_closed {
                break;
            }
            self.state().at_work = Some((submission.participant.clone(), submission.number));
            let dealt = self.deal_with(submission);
            self.state().at_work = None;
            // What the machine fails at waits, and the others have their turns.
            failed = failed.and(dealt);
        }
        failed
    }

    fn deal_with(&self, submission: Submission) -> Result<(), Failure> {
        let _entering = loop {
            match self.folder.hold_entries(PATIENCE) {
                Ok(held) => break held,
                Err(BadLeague::Entering(_)) if !self.state().is_closed => {}
                // It waits for the next time.
                Err(BadLeague::Entering(_)) => return Ok(()),
                Err(problem) => return Err(problem.into()),
            }
        };
        // Another program may have dealt with it meanwhile.
        let again = submission.again(&self.folder);
        let Some(mut submission) = again.filter(Submission::is_waiting) else { return Ok(()) };
        if !is_isolated(&self.folder)? {
            let problem =
                "league.toml has isolation = \"off\", so no bots of strangers are started";
            return Err(Failure::Usage(problem.to_owned()));
        }
        let Dealt { verdict, report } = self.dealt(&submission)?;
        let kept = submission.decide(&self.folder, verdict, &report);
        kept.map_err(|error| self.unusable(&error))
    }

    /// Unpacks, builds, checks and enters it, if its participant may still hand in bots.
    fn dealt(&self, submission: &Submission) -> Result<Dealt, Failure> {
        let participants = Participants::read(&self.folder);
        let participants = participants.map_err(|it| Failure::Ours(it.to_string()))?;
        if !participants.may_hand_in(&submission.participant, submission.record.token) {
            let why = "the token with which it was handed in was taken back or replaced";
            let verdict = Verdict::Refused { step: "token".to_owned(), why: why.to_owned() };
            return Ok(Dealt { verdict, report: format!("{why}\n").into_bytes() });
        }
        let scratch = Scratch::new(&self.folder).map_err(|error| self.unusable(&error))?;
        // In the log, the folder that was handed in has the name of the participant.
        let name = &submission.participant;
        let folder = match self.unpacked(submission, &scratch) {
            Ok(unpacked) => {
                let folder = scratch.0.join(name);
                fs::rename(unpacked, &folder).map_err(|error| self.unusable(&error))?;
                folder
            }
            Err(NotUnpacked::Refused(why)) => {
                return self.refused(submission, None, "files", &why.to_string());
            }
            Err(failed @ NotUnpacked::Failed(_)) => return Err(Failure::Ours(failed.to_string())),
        };
        let handed_in = newcomer::handed_in(&folder, &folder);
        if let Some(bot) = self.is_there(name, handed_in.as_ref())? {
            let report = format!("{bot} has entered with the same files before\n").into_bytes();
            return Ok(Dealt { verdict: Verdict::Entered(bot), report });
        }
        let bot = match bot_in(&folder, self.kind) {
            Ok(bot) => bot,
            Err(why) => {
                // Where it was unpacked is of no use to its author.
                let place = format!("{}/", shown(&folder));
                let why = why.replace(&place, "").replace(place.trim_end_matches('/'), "it");
                return self.refused(submission, handed_in, "bot.toml", &why);
            }
        };
        // It enters under the name of the participant, not under that in its manifest.
        match newcomer::enter(&self.folder, name, bot.spec) {
            Ok(Entered { bot, report, .. }) => Ok(Dealt { verdict: Verdict::Entered(bot), report }),
            Err(NotEntered::Refused(Refused { step, failure, report, .. })) => {
                let why = failure.to_string();
                let report = report.unwrap_or_else(|| format!("{why}\n").into_bytes());
                Ok(Dealt { verdict: Verdict::Refused { step, why }, report })
            }
            Err(NotEntered::Failed(failure)) => Err(failure),
        }
    }

    fn unpacked(&self, submission: &Submission, scratch: &Scratch) -> Result<PathBuf, NotUnpacked> {
        let into = scratch.0.join("-");
        DirBuilder::new().create(&into)?;
        let content = File::open(submission.upload(&self.folder))?;
        let file = submission.record.file.as_deref();
        let upload = Upload { content, file, bot: &submission.participant };
        unpack(upload, &into, self.bounds())
    }

    /// Refuses what was not even copied, which the league keeps as well.
    fn refused(
        &self,
        submission: &Submission,
        handed_in: Option<HandedIn>,
        step: &str,
        why: &str,
    ) -> Result<Dealt, Failure> {
        newcomer::keep_refusal(&self.folder, &submission.participant, handed_in, &why, None)?;
        let verdict = Verdict::Refused { step: step.to_owned(), why: why.to_owned() };
        Ok(Dealt { verdict, report: format!("{why}\n").into_bytes() })
    }

    /// The version that plays with these files: a program that was killed may have entered it.
    fn is_there(
        &self,
        name: &str,
        handed_in: Option<&HandedIn>,
    ) -> Result<Option<BotVersion>, Failure> {
        let league = self.folder.read()?;
        let newest = league.newest(name).filter(|it| it.membership == Membership::Active);
        let same =
            newest.filter(|it| it.entry.handed_in.as_ref() == handed_in && handed_in.is_some());
        Ok(same.map(|member| member.entry.bot.clone()))
    }

    fn unusable(&self, error: &io::Error) -> Failure {
        let (folder, said) = (shown(self.folder.path()), system_error(error));
        Failure::Ours(format!("`{folder}`: a submission cannot be kept: {said}"))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A folder in which a bot is unpacked, which goes with this value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(folder: &LeagueFolder) -> io::Result<Scratch> {
        let path = folder.path().join(UNPACKING);
        // A program that was killed may have left it.
        remove(&path)?;
        DirBuilder::new().create(&path)?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left is removed the next time.
        let _ = remove(&self.0);
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Whether a league keeps bots apart.
fn is_isolated(folder: &LeagueFolder) -> Result<bool, Failure> {
    let league = folder.read()?;
    Ok(settings(folder, &league)?.settings.isolation.isolation != Isolation::Off)
}
