//! `arbiter league notice`, `accept`, `pause` and `organiser`: an organiser looks after a league.

use std::io::Write;
use std::mem;
use std::path::PathBuf;

use clap::Args;
use contest::setup;
use contest::tournament::folder::shown;
use league::folder::LeagueFolder;
use league::last_settings::LeagueTerms;
use league::submissions::{self, Submission, SubmissionVerdict};
use league::test_games::record::{TestGameRequester, TestGameStatus};
use league::test_games::{self, RequestedTestGame};
use league::{audit, calendar, choice, keys, notify, pause as pauses};
use text::failure::Failure;
use text::shell::word;
use text::{counted, printable, system_error};

use crate::commands::stop_on_signals;
use crate::options::number;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  arbiter league notice class \"The final begins on Friday at 18:00.\"
  arbiter league notice class --remove 1")]
pub(super) struct NoticeArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Text of the notice
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Remove notice N
    #[arg(long, value_name = "N", conflicts_with = "text", value_parser = number::<u64>("a number of a notice", 1..))]
    remove: Option<u64>,
}

impl NoticeArgs {
    /// Lists, adds or removes notices, which the pages of a league show.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        match (self.text, self.remove) {
            (None, None) => {
                for notice in notify::list(&folder)? {
                    writeln!(out, "{}: {}", notice.number, printable(&notice.text))?;
                }
                Ok(())
            }
            (Some(text), _) => {
                let notice = notify::add(&folder, &text, calendar::now())?;
                audit::add(&folder, audit::COMMAND, "notice", &text);
                Ok(writeln!(out, "notice {} published", notice.number)?)
            }
            (None, Some(number)) => {
                notify::remove(&folder, number)?;
                audit::add(&folder, audit::COMMAND, "notice", &format!("notice {number} removed"));
                Ok(writeln!(out, "notice {number} removed")?)
            }
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league accept class anna --reason \"ill that day\"")]
pub(super) struct AcceptArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Participant
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT", requires = "name", default_value = submissions::ACCEPTED)]
    reason: String,
}

impl AcceptArgs {
    /// Lists late submissions, or lets the last one of a participant wait as if it had come in time.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let unread =
            |error| Failure::Ours(format!("`{}`: {}", shown(&self.dir), system_error(error)));
        let Some(name) = &self.name else {
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
        let accepted = submissions::accept(&folder, name, &self.reason);
        let Some(submission) = accepted.map_err(Failure::from)? else {
            let problem = format!(
                "no late submission of `{}`: `arbiter league accept {}` lists them",
                printable(name),
                word(&self.dir)
            );
            return Err(Failure::Usage(problem));
        };
        let done = format!("{name}: submission {} queued", submission.number);
        audit::add(&folder, audit::COMMAND, "accept", &done);
        Ok(writeln!(out, "{done}")?)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "TIME is in the time zone of the calendar, unless it has an offset. A later extension \
replaces an earlier one.

Example: arbiter league extend class anna --until 2026-12-22T23:59:59 --reason \"ill until the 20th\""
)]
pub(super) struct ExtendArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Participant
    #[arg(value_name = "NAME")]
    name: String,
    /// Deadline of the participant
    #[arg(long, value_name = "TIME")]
    until: String,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl ExtendArgs {
    /// Gives a participant a deadline of their own.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let done = choice::extend(&folder, &self.name, &self.until, &self.reason)?;
        audit::add(&folder, audit::COMMAND, "extend", &done);
        Ok(writeln!(out, "{done}")?)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "A running `arbiter league run` waits until the pause ends.

Examples:
  arbiter league pause class
  arbiter league pause class --end")]
pub(super) struct PauseArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// End the pause
    #[arg(long)]
    end: bool,
}

impl PauseArgs {
    /// Begins or ends a pause, in which no game begins.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let unwritten =
            |error| Failure::Ours(format!("`{}`: {}", shown(&self.dir), system_error(error)));
        match self.end {
            false => {
                pauses::begin(&folder).map_err(unwritten)?;
                audit::add(&folder, audit::COMMAND, "pause", "paused");
                writeln!(out, "paused: current games will finish, no new ones start")?;
            }
            true => match pauses::end(&folder).map_err(unwritten)? {
                true => {
                    audit::add(&folder, audit::COMMAND, "pause", "resumed");
                    writeln!(out, "resumed")?;
                }
                false => writeln!(out, "the league was not paused")?,
            },
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "The organiser page is at organiser/ of `arbiter serve DIR --submit`. A new \
token replaces the old one of the same name.

Examples:
  arbiter league organiser class
  arbiter league organiser class --name eve"
)]
pub(super) struct OrganiserArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Name of a further organiser, as shown by `arbiter league audit`
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Revoke the token
    #[arg(long)]
    revoke: bool,
}

impl OrganiserArgs {
    /// Gives the organiser a new token for the page `organiser/`, which is shown once, or revokes it.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let name = self.name.as_deref();
        let of = name.map_or_else(String::new, |name| format!(" of {name}"));
        if !self.revoke {
            let token = keys::new_organiser(&folder, name)?;
            audit::add(&folder, audit::COMMAND, "organiser", &format!("new token{of}"));
            return Ok(writeln!(out, "{token}")?);
        }
        keys::revoke_organiser(&folder, name)?;
        let done = format!("organiser token{of} revoked");
        audit::add(&folder, audit::COMMAND, "organiser", &done);
        Ok(writeln!(out, "{done}")?)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "With two seats, plays two games with seats swapped. Test games appear in no \
log, standings or feed; DIR/test-games/NAME keeps the last 20 per bot. Participants can play them \
on the submission page.

Example: arbiter league test-game class --bot anna --against greedy"
)]
pub(super) struct TestGameArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Bot to test: NAME (latest version) or NAME@VERSION
    #[arg(long, value_name = "NAME")]
    bot: String,
    /// Opponent from the league; repeat for each other seat
    #[arg(long, value_name = "NAME", required = true)]
    against: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl TestGameArgs {
    /// Plays a test game, and shows its moves.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let wish = RequestedTestGame { bot: self.bot, against: self.against };
        let guard = setup::guard()?;
        let stop = stop_on_signals(|| {})?;
        let terms = LeagueTerms::read(&folder)?;
        let begun = test_games::begin(&folder, &terms, TestGameRequester::Organiser, &wish)?;
        let game = begun.play(stop.set())?;
        let standing = game.standing(&folder);
        if standing == TestGameStatus::CutOff {
            // A bot may still be thinking. A guard that is not dropped takes this process for killed, and ends the processes
            // it has left.
            mem::forget(guard);
            let problem = "stopped before the test game was over".to_owned();
            return Err(Failure::Interrupted { problem, code: stop.exit_code() });
        }
        let log = game.log(&folder);
        let games = test_games::games(&folder, &game)
            .map_err(|error| Failure::Ours(format!("`{}`: {error}", shown(&log))))?;
        match self.json {
            true => {
                let told = test_games::line(&game, standing, None, Some(&games));
                writeln!(out, "{}", serde_json::json!({ "test_game": told }))?;
            }
            false => {
                for game in &games {
                    writeln!(out, "{}\n\n{}", game.seats.join(", "), game.text)?;
                }
                let games = counted(games.len(), "test game", "test games");
                writeln!(out, "{games}, {standing}; `arbiter show {}` shows each", word(&log))?;
            }
        }
        Ok(())
    }
}
