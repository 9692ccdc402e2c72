//! A program on a terminal of its own, at whose keyboard a test sits.

#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU16;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::bench::CEILING;
use crate::running::Running;

/// Text that a line editor writes before each of its prompts: it turns bracketed paste on.
const PROMPT: &str = "\x1b[?2004h";

/// Text that it writes when the line is complete.
const DONE: &str = "\x1b[?2004l";

/// Number of rows kept after they have scrolled by.
const KEPT: usize = 1000;

/// After this time without a word, a size is changed once more.
const QUIET: Duration = Duration::from_secs(2);

/// A program that is typed at.
pub struct Typing {
    terminal: File,
    running: Running,
    screen: vt100::Parser,
    /// All that was written, escape sequences and all.
    seen: String,
    /// The beginning of a letter of which the rest was not read yet.
    begun: Vec<u8>,
    /// Length of the part that belongs to earlier prompts.
    used: usize,
}

/// The state of the screen when a line is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Output since the previous line.
    pub story: String,
    /// Text before the line to type.
    pub prompt: String,
}

impl Typing {
    /// Starts a command on a new terminal at which lines can be edited.
    pub fn start(command: &mut Command) -> Typing {
        Typing::start_on("xterm", command)
    }

    /// Starts a command on a new terminal that is called so in `TERM`.
    pub fn start_on(name: &str, command: &mut Command) -> Typing {
        Typing::start_sized(name, (50, 120), command)
    }

    /// Starts a command on a new terminal with these rows and columns.
    pub fn start_sized(name: &str, size: (u16, u16), command: &mut Command) -> Typing {
        let (terminal, running) = on_terminal(name, command, size.0, size.1);
        let screen = vt100::Parser::new(at_least_one(size.0), at_least_one(size.1), KEPT);
        let (seen, begun) = (String::new(), Vec::new());
        Typing { terminal, running, screen, seen, begun, used: 0 }
    }

    /// Changes the size of the terminal.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.screen.set_size(at_least_one(size.0), at_least_one(size.1));
        resize(&self.terminal, size.0, size.1);
        // The system sends it to those whose session has this terminal.
        self.signal(Signal::WINCH);
    }

    /// Changes the size of the terminal until what is to be seen is as it must be.
    ///
    /// A picture that is drawn while the editor writes may be wrong, and the next one is right. So
    /// where nothing more comes the size is changed again, and back.
    pub fn resize_until(&mut self, size: (u16, u16), is_so: impl Fn(&Typing) -> bool) {
        let begun = Instant::now();
        let other = (size.0 + 1, size.1 + 1);
        let mut now = size;
        self.resize(now);
        while now != size || !is_so(self) {
            assert!(begun.elapsed() < CEILING, "it is not so:\n{}", self.screen());
            if self.is_ready_within(QUIET) {
                assert!(self.take(), "it ended, and it was never so:\n{}", self.screen());
            } else {
                now = if now == size { other } else { size };
                self.resize(now);
            }
        }
    }

    /// The screen now, without colours.
    pub fn screen(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the cursor is in a column, from 0.
    pub fn until_column(&mut self, column: u16) {
        while self.cursor().1 != column {
            assert!(self.read(), "the cursor was never in column {column}:\n{}", self.screen());
        }
    }

    /// The row and the column of the cursor, from 0.
    pub fn cursor(&self) -> (u16, u16) {
        self.screen.screen().cursor_position()
    }

    /// The rows that have scrolled by, and the screen now.
    pub fn scrolled(&mut self) -> String {
        let screen = self.screen.screen_mut();
        let mut all = String::new();
        for above in (1..=screen.scrollback_len()).rev() {
            screen.set_scrollback(above);
            let (_, columns) = screen.size();
            let row = screen.rows(0, columns.get()).next().unwrap_or_default();
            all.push_str(&format!("{row}\n"));
        }
        screen.set_scrollback(0);
        all + &screen.contents()
    }

    /// Waits until what is to be seen has this text.
    pub fn until_on_screen(&mut self, text: &str) {
        while !self.screen().contains(text) {
            assert!(self.read(), "it ended without {text:?}:\n{}", self.screen());
        }
    }

    /// Waits until a line is asked for; `None` if the program ends before.
    pub fn try_prompt(&mut self) -> Option<Prompt> {
        loop {
            if let Some((story, prompt)) = self.seen[self.used..].split_once(PROMPT)
                && let Some(end) = prompt.find("> ").or_else(|| prompt.find("? "))
            {
                let asked = Prompt { story: plain(story), prompt: plain(&prompt[..end + 2]) };
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

    /// Like [`Typing::try_prompt`], but the program must not end.
    pub fn prompt(&mut self) -> Prompt {
        self.try_prompt().unwrap_or_else(|| ended(&self.seen))
    }

    /// Types a line and its end, as soon as a line is asked for.
    pub fn line(&mut self, text: &str) -> Prompt {
        let asked = self.prompt();
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
    pub fn paste(&mut self, lines: &str) -> Prompt {
        let asked = self.prompt();
        self.keys(&format!("\x1b[200~{}\x1b[201~\r", lines.replace('\n', "\r")));
        asked
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        self.running.signal(signal);
    }

    /// Returns true if this text is to be seen.
    pub fn shows(&self, text: &str) -> bool {
        plain(&self.seen).contains(text)
    }

    /// Waits for the end of the program, and gives all that was to be seen.
    pub fn end(mut self) -> (ExitStatus, String) {
        while self.read() {}
        (self.running.wait(), self.seen)
    }

    /// Waits for the end of the program, which must succeed and leave the terminal as it was, and gives all that was to
    /// be seen.
    #[track_caller]
    pub fn end_well(self) -> String {
        let (status, seen) = self.end();
        assert!(status.success() && is_tidy(&seen), "{status:?}\n{}", plain(&seen));
        seen
    }

    /// Reads for this time; `false` as soon as the program has ended.
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

    /// Returns true once there is something to read, or the end; false after this time.
    fn is_ready_within(&self, time: Duration) -> bool {
        is_ready_within(&self.terminal, time)
    }

    /// Reads what there is; `false` at the end.
    fn take(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.terminal.read(&mut bytes) {
            Ok(0) => false,
            Ok(count) => {
                self.screen.process(&bytes[..count]);
                self.begun.extend(&bytes[..count]);
                let whole = match std::str::from_utf8(&self.begun) {
                    Err(error) if error.error_len().is_none() => error.valid_up_to(),
                    _ => self.begun.len(),
                };
                let whole: Vec<u8> = self.begun.drain(..whole).collect();
                self.seen.push_str(&String::from_utf8_lossy(&whole));
                true
            }
            // A terminal says so when its other end is closed everywhere.
            Err(error) if error.raw_os_error() == Some(5) => false,
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) => ended(&format!("{}\n{error}", self.seen)),
        }
    }
}

/// Starts a command on a new terminal of this name in `TERM`, with these rows and columns;
/// gives the end at which a person would sit.
pub(crate) fn on_terminal(
    name: &str,
    command: &mut Command,
    rows: u16,
    columns: u16,
) -> (File, Running) {
    command.env("TERM", name);
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it is ours");
    let name = ptsname(&terminal, Vec::new()).expect("it has a name");
    let path = Path::new(OsStr::from_bytes(name.as_bytes()));
    let terminal = File::from(terminal);
    resize(&terminal, rows, columns);
    let end = || {
        let file = File::options().read(true).write(true).open(path).expect("its other end");
        Stdio::from(file)
    };
    command.stdin(end()).stdout(end()).stderr(end());
    let running = Running::start(command);
    // The ends that the command holds for its child would keep the terminal open.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    (terminal, running)
}

pub(crate) fn resize(terminal: &File, rows: u16, columns: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).expect("a size");
}

/// Returns true once there is something to read from a terminal, or the end; false after this time.
pub(crate) fn is_ready_within(terminal: &File, time: Duration) -> bool {
    let time = Timespec::try_from(time).expect("a time");
    let mut watched = [PollFd::new(terminal, PollFlags::IN)];
    poll(&mut watched, Some(&time)).expect("it can be waited for") > 0
}

fn at_least_one(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN)
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

/// Returns true if a line editor has finished with every line that it asked for.
pub fn is_tidy(seen: &str) -> bool {
    seen.matches(PROMPT).count() == seen.matches(DONE).count()
}

#[expect(clippy::panic, reason = "a test whose program ends too early has failed")]
fn ended(seen: &str) -> ! {
    panic!("it ended after\n{}", plain(seen))
}
