//! `arbiter league notice`, `accept`, `pause` and `organiser`: an organiser looks after a league.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{env, mem, thread};

use bot::judge::judge;
use clap::Args;
use contest::setup;
use contest::stop::StopFlag;
use contest::tournament::folder::shown;
use league::events::StoredEvent;
use league::folder::LeagueFolder;
use league::notify::{self, Message, NotifySettings};
use league::participants::Participants;
use league::settings::LeagueConfig;
use league::submissions::{self, Submission, SubmissionVerdict};
use league::test_games::record::{TestGameRequester, TestGameStatus};
use league::test_games::{self, RequestedTestGame};
use league::{audit, calendar, choice, keys, pause as pauses};
use rules::Answer;
use sandbox::isolation::Isolation;
use sandbox::{Limits, Program, SearchPath, Supervisor};
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;
use text::{counted, display_path, printable, system_error};

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
                "no late submission from `{}`: `arbiter league accept {}` lists them",
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
pub(super) struct LeagueExtendArgs {
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

impl LeagueExtendArgs {
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
    /// Name of an additional organiser, as shown by `arbiter league audit`
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
        let terms = LeagueConfig::read(&folder)?;
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

/// The pause between two looks for events.
const LOOK: Duration = Duration::from_millis(500);
/// The pauses before the next tries, when a command has failed.
const PAUSES: [Duration; 3] =
    [Duration::from_secs(5), Duration::from_secs(60), Duration::from_secs(600)];
/// The limits of a command: it speaks to other machines.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(60),
    memory: 4 << 30,
    open_files: 4096,
    answer_bytes: 1 << 20,
    ..Limits::DEFAULT
};

#[derive(Debug, Args)]
#[command(
    after_help = "Runs the command in the [notify] table of league.toml for each new event, in the league folder, with \
a line of JSON on standard input. With a secret, ARBITER_SIGNATURE holds the HMAC-SHA256 of the input. A failed command \
is tried again after 5 s, 1 min and 10 min. Each event is sent at least once, even across restarts.

Examples:
  arbiter league notify class
  arbiter league notify class --once"
)]
pub(super) struct NotifyArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Send the events so far and exit
    #[arg(long)]
    once: bool,
}

/// What became of a message.
enum DeliveryResult {
    Sent,
    /// The command failed each time, the last time for this reason.
    GivenUp(String),
    /// A signal has stopped it.
    Stopped,
}

impl NotifyArgs {
    /// Sends the events of a league until a signal.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        folder.read()?;
        must_have_command(&folder)?;
        let stop = stop_on_signals(|| {})?;
        let supervisor = setup::supervisor_with(Isolation::Off)?;
        let _guard = setup::guard()?;
        loop {
            let (found, end) = notify::unsent(&folder)?;
            // What its user changes holds from the next event on.
            let settings = notify::settings(&folder)?;
            let people = Participants::read(&folder)?;
            for (event, next) in with_next(&found, end) {
                if settings.sends(&event.happened.event) {
                    let message = Message::new(&folder, &people, &event.happened).line();
                    let words = printable(&event.happened.in_words());
                    match deliver(&folder, supervisor, &settings, &message, stop)? {
                        DeliveryResult::Sent => writeln!(out, "sent: {words}")?,
                        DeliveryResult::GivenUp(why) => {
                            say(format!("warning: not sent: {words}: {why}"))
                        }
                        DeliveryResult::Stopped => return Err(stopped(stop)),
                    }
                    out.flush()?;
                }
                notify::sent(&folder, next)?;
            }
            notify::sent(&folder, end)?;
            if self.once {
                return Ok(());
            }
            if waits_in_vain(LOOK, stop) {
                return Err(stopped(stop));
            }
        }
    }
}

/// The events, each with the place of the one after it.
fn with_next(found: &[StoredEvent], end: u64) -> impl Iterator<Item = (&StoredEvent, u64)> {
    let next = found.iter().skip(1).map(|event| event.place).chain([end]);
    found.iter().zip(next)
}

fn must_have_command(folder: &LeagueFolder) -> Result<(), Failure> {
    match notify::settings(folder)?.words() {
        Some(_) => Ok(()),
        None => Err(Failure::usage(
            "league.toml has no notification command: add `command` to its table [notify]",
        )),
    }
}

/// Runs the command for one message until it ends well.
fn deliver(
    folder: &LeagueFolder,
    supervisor: Supervisor,
    settings: &NotifySettings,
    message: &[u8],
    stop: &StopFlag,
) -> Result<DeliveryResult, Failure> {
    let words = settings.words().unwrap_or_default();
    // The program that starts it works in another folder.
    let inside = std::path::absolute(folder.path()).map_err(|error| {
        Failure::Ours(format!("`{}`: {}", display_path(folder.path()), system_error(error)))
    })?;
    let search = SearchPath::of_this_process(None).map_err(Failure::usage)?.from(&inside);
    let mut variables: Vec<_> = env::vars_os().collect();
    let signature = settings.signature(message);
    variables.extend(signature.map(|text| ("ARBITER_SIGNATURE".into(), text.into())));
    let command = printable(&words.join(" "));
    let mut pauses = PAUSES.into_iter();
    loop {
        let why = match Program::resolve(&words, &search) {
            Ok(program) => {
                let program = program.with_variables(variables.iter().cloned());
                let observed = supervisor.run_in(&inside, &program, message, LIMITS);
                match judge(observed, &LIMITS) {
                    Answer::Output(_) | Answer::Classic { .. } => return Ok(DeliveryResult::Sent),
                    Answer::Stopped { by, .. } => format!("`{command}`: {by}"),
                    Answer::Void(why) => format!("`{command}`: {why}"),
                }
            }
            Err(problem) => problem.to_string(),
        };
        let Some(pause) = pauses.next() else { return Ok(DeliveryResult::GivenUp(why)) };
        say(format!("note: {why}: trying again in {} s", pause.as_secs()));
        if waits_in_vain(pause, stop) {
            return Ok(DeliveryResult::Stopped);
        }
    }
}

/// Waits for some time, and returns true if a signal came meanwhile.
fn waits_in_vain(time: Duration, stop: &StopFlag) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < time {
        if stop.set().load(Ordering::SeqCst) {
            return true;
        }
        thread::sleep(LOOK.min(time - begun.elapsed().min(time)));
    }
    stop.set().load(Ordering::SeqCst)
}

fn stopped(stop: &StopFlag) -> Failure {
    Failure::Interrupted { problem: "stopped".to_owned(), code: stop.exit_code() }
}
