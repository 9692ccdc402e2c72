//! `arbiter league notify`: events of a league, handed to a command as they happen.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use rules::Answer;

use bot::judge::judge;
use contest::setup;
use contest::stop::Stop;
use league::events::StoredEvent;
use league::folder::LeagueFolder;
use league::notify::{self, Message, NotifySettings};
use league::participants::Participants;
use sandbox::isolation::Isolation;
use sandbox::{Limits, Program, SearchPath, Supervisor};
use text::failure::Failure;
use text::terminal::say;
use text::{display_path, printable, system_error};

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
is tried again after 5 s, 1 min and 10 min. Each event is sent at least once, also across restarts.

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
enum Delivery {
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
        let stop = crate::commands::stop_on_signals(|| {})?;
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
                        Delivery::Sent => writeln!(out, "sent: {words}")?,
                        Delivery::GivenUp(why) => say(format!("warning: not sent: {words}: {why}")),
                        Delivery::Stopped => return Err(stopped(stop)),
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
            "league.toml has no command to notify: add `command` to its table [notify]",
        )),
    }
}

/// Runs the command for one message until it ends well.
fn deliver(
    folder: &LeagueFolder,
    supervisor: Supervisor,
    settings: &NotifySettings,
    message: &[u8],
    stop: &Stop,
) -> Result<Delivery, Failure> {
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
                    Answer::Output(_) | Answer::Classic { .. } => return Ok(Delivery::Sent),
                    Answer::Stopped { by, .. } => format!("`{command}`: {by}"),
                    Answer::Void(why) => format!("`{command}`: {why}"),
                }
            }
            Err(problem) => problem.to_string(),
        };
        let Some(pause) = pauses.next() else { return Ok(Delivery::GivenUp(why)) };
        say(format!("note: {why}: next try in {} s", pause.as_secs()));
        if waits_in_vain(pause, stop) {
            return Ok(Delivery::Stopped);
        }
    }
}

/// Waits for some time, and returns true if a signal came meanwhile.
fn waits_in_vain(time: Duration, stop: &Stop) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < time {
        if stop.set().load(Ordering::SeqCst) {
            return true;
        }
        thread::sleep(LOOK.min(time - begun.elapsed().min(time)));
    }
    stop.set().load(Ordering::SeqCst)
}

fn stopped(stop: &Stop) -> Failure {
    Failure::Interrupted { problem: "stopped".to_owned(), code: stop.exit_code() }
}
