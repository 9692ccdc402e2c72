//! A command that a user runs where a bot would run, to look around: on the user's own standard
//! streams, and for as long as it takes.
//!
//! The keeper has no terminal, so Ctrl-C reaches the referee alone. A referee that is to stop leaves,
//! and then the keeper ends the command with all that it has started, as it does for any program.

use std::ffi::OsString;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{FileType, fstat};
use rustix::stdio::{stderr, stdin, stdout};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use text::system_error;

use super::super::call::CallEnd;
use super::super::limits::Limits;
use super::channel::{Channel, KeeperReply, KeeperRequest, PIECES, is_ready, send_streams};
use super::{GRACE, LinuxProgram, keeper_end_text, unexpected};

/// The most time until a stop is noticed.
const SLICE: Duration = Duration::from_millis(50);

impl LinuxProgram {
    /// Runs a command in the place of the program, on the standard streams of this process; gives how
    /// it ended, or nothing once `stop` is set.
    pub(crate) fn attend(
        &mut self,
        command: &[OsString],
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Option<CallEnd>, String> {
        let streams = [stdin(), stdout(), stderr()];
        for (stream, name) in streams.iter().zip(["input", "output", "error"]) {
            must_be_no_folder(*stream, name)?;
        }
        let limits = Limits { time: Duration::MAX, ..*limits };
        let question = KeeperRequest::Attend { limits, words: command.to_vec() };
        let _terminal = TerminalSettings::of_this_process();
        let said = converse(&mut self.post()?.channel, &question, streams, stop);
        // All that the command has started is gone before anyone goes on here.
        self.close();
        match said {
            Ok(None) => Ok(None),
            Ok(Some(KeeperReply::Seen(seen))) => Ok(Some(seen.end)),
            Ok(Some(other)) => Err(unexpected(&other)),
            Err(error) => {
                Err(format!("the keeper of a command does not answer: {}", keeper_end_text(&error)))
            }
        }
    }
}

/// The settings of a terminal, which the command may change and leave so; they are set again when
/// this is dropped.
struct TerminalSettings(Option<Termios>);

impl TerminalSettings {
    fn of_this_process() -> TerminalSettings {
        // Without a terminal there is nothing to set.
        TerminalSettings(tcgetattr(stdin()).ok())
    }
}

impl Drop for TerminalSettings {
    fn drop(&mut self) {
        if let Some(settings) = &self.0 {
            // It may be gone by now.
            let _ = tcsetattr(stdin(), OptionalActions::Now, settings);
        }
    }
}

/// A folder that is open leads out of the files that are shown.
fn must_be_no_folder(stream: BorrowedFd<'_>, name: &str) -> Result<(), String> {
    match fstat(stream) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
            Err(format!("standard {name} is a folder: use a file, a pipe or a terminal"))
        }
        Ok(_) => Ok(()),
        Err(error) => {
            let why = system_error(io::Error::from(error));
            Err(format!("cannot use standard {name}: {why}"))
        }
    }
}

fn converse(
    channel: &mut Channel,
    question: &KeeperRequest,
    streams: [BorrowedFd<'_>; 3],
    stop: &AtomicBool,
) -> io::Result<Option<KeeperReply>> {
    let none: [&[u8]; PIECES] = Default::default();
    let by = Instant::now().checked_add(GRACE);
    channel.send(question, none, by)?;
    match channel.receive::<KeeperReply>(by)?.said {
        KeeperReply::Streams => send_streams(channel.socket(), streams, by)?,
        other => return Ok(Some(other)),
    }
    while !stop.load(Ordering::SeqCst) {
        if is_ready(channel.socket(), SLICE)? {
            let by = Instant::now().checked_add(GRACE);
            return channel.receive::<KeeperReply>(by).map(|message| Some(message.said));
        }
    }
    Ok(None)
}
