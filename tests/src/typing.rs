//! A program on a terminal of its own, at whose keyboard a test sits.

#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::bench::CEILING;
use crate::running::Running;

/// What a line editor writes before each of its prompts: it turns bracketed paste on.
const PROMPT: &str = "\x1b[?2004h";

/// What it writes when the line is complete.
const DONE: &str = "\x1b[?2004l";

/// A program that is typed at.
#[derive(Debug)]
pub struct Typing {
    terminal: File,
    running: Running,
    /// All that was written, escape sequences and all.
    seen: String,
    /// How much of it belongs to prompts before this one.
    used: usize,
}

/// What is to be seen when a line is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// What was told since the line before.
    pub story: String,
    /// What stands before the line to type.
    pub prompt: String,
}

impl Typing {
    /// Starts a command on a new terminal at which lines can be edited.
    pub fn start(command: &mut Command) -> Typing {
        Typing::start_on("xterm", command)
    }

    /// Starts a command on a new terminal that is called so in `TERM`.
    pub fn start_on(name: &str, command: &mut Command) -> Typing {
        command.env("TERM", name);
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it is ours");
        let name = ptsname(&terminal, Vec::new()).expect("it has a name");
        let path = Path::new(OsStr::from_bytes(name.as_bytes()));
        let size = Winsize { ws_row: 50, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&terminal, size).expect("a size");
        let end = || {
            let file = File::options().read(true).write(true).open(path).expect("its other end");
            Stdio::from(file)
        };
        command.stdin(end()).stdout(end()).stderr(end());
        let running = Running::start(command);
        // The ends that the command holds for its child would keep the terminal open.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Typing { terminal: File::from(terminal), running, seen: String::new(), used: 0 }
    }

    /// Waits until a line is asked for; nothing where the program ends before.
    pub fn try_asked(&mut self) -> Option<Asked> {
        loop {
            if let Some((story, prompt)) = self.seen[self.used..].split_once(PROMPT)
                && let Some(end) = prompt.find("> ").or_else(|| prompt.find("? "))
            {
                let asked = Asked { story: plain(story), prompt: plain(&prompt[..end + 2]) };
                self.used += story.len() + PROMPT.len() + end + 2;
                return Some(asked);
            }
            if !self.read() {
                return None;
            }
        }
    }

    /// Waits until a text is to be seen that was not there when a line was asked for last.
    pub fn until(&mut self, text: &str) {
        while !self.seen[self.used..].contains(text) {
            assert!(self.read(), "it ended without {text:?}:\n{}", plain(&self.seen));
        }
    }

    /// The same, where the program must not end.
    pub fn asked(&mut self) -> Asked {
        self.try_asked().unwrap_or_else(|| ended(&self.seen))
    }

    /// Types a line and its end, as soon as a line is asked for.
    pub fn line(&mut self, text: &str) -> Asked {
        let asked = self.asked();
        self.keys(&format!("{text}\r"));
        asked
    }

    /// Types keys.
    pub fn keys(&mut self, keys: &str) {
        self.bytes(keys.as_bytes());
    }

    /// Types what need not be text.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.terminal.write_all(bytes).expect("the terminal is open");
    }

    /// Pastes lines, and types the end of the last one, as soon as a line is asked for.
    pub fn paste(&mut self, lines: &str) -> Asked {
        let asked = self.asked();
        self.keys(&format!("\x1b[200~{}\x1b[201~\r", lines.replace('\n', "\r")));
        asked
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        self.running.signal(signal);
    }

    /// Waits for the end of the program, and gives all that was to be seen.
    pub fn end(mut self) -> (ExitStatus, String) {
        while self.read() {}
        (self.running.wait(), self.seen)
    }

    /// Reads for so long; `false` as soon as the program has ended.
    pub fn is_open_for(&mut self, time: Duration) -> bool {
        while self.is_ready_within(time) {
            if !self.take() {
                return false;
            }
        }
        true
    }

    /// Reads what there is, waiting for it within the ceiling; `false` at the end.
    fn read(&mut self) -> bool {
        assert!(
            self.is_ready_within(CEILING),
            "nothing more is written after\n{}",
            plain(&self.seen)
        );
        self.take()
    }

    /// Whether there is something to read, or the end, before this time is over.
    fn is_ready_within(&self, time: Duration) -> bool {
        let time = Timespec::try_from(time).expect("a time");
        let mut watched = [PollFd::new(&self.terminal, PollFlags::IN)];
        poll(&mut watched, Some(&time)).expect("it can be waited for") > 0
    }

    /// Reads what there is; `false` at the end.
    fn take(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.terminal.read(&mut bytes) {
            Ok(0) => false,
            Ok(count) => {
                self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
                true
            }
            // That is how a terminal says that nobody has its other end any more.
            Err(error) if error.raw_os_error() == Some(5) => false,
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) => ended(&format!("{}\n{error}", self.seen)),
        }
    }
}

/// A text without escape sequences, as it is to be read.
pub fn plain(seen: &str) -> String {
    let mut shown = String::new();
    let mut parts = seen.split("\x1b[");
    shown.extend(parts.next());
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        shown.push_str(&part[end..]);
    }
    shown.replace('\r', "")
}

/// Whether a line editor has finished with every line that it asked for.
pub fn is_tidy(seen: &str) -> bool {
    seen.matches(PROMPT).count() == seen.matches(DONE).count()
}

#[expect(clippy::panic, reason = "a test whose program ends too early has failed")]
fn ended(seen: &str) -> ! {
    panic!("it ended after\n{}", plain(seen))
}
