//! A program on a terminal, of which a test sees what a person would.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Read;
use std::num::NonZero;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use rustix::process::Signal;

use crate::bench::CEILING;
use crate::running::Running;
use crate::typing::{is_ready_within, on_terminal, resize};

/// Number of rows that can still be seen after they have scrolled away.
const SCROLLED: usize = 1000;

/// A program whose screen is looked at.
pub struct Screen {
    terminal: File,
    running: Running,
    emulator: vt100::Parser,
}

impl Screen {
    /// Starts a command on a new terminal with these rows and columns.
    pub fn start(command: &mut Command, rows: u16, columns: u16) -> Screen {
        let (terminal, running) = on_terminal("xterm", command, rows, columns);
        let emulator = vt100::Parser::new(some(rows), some(columns), SCROLLED);
        Screen { terminal, running, emulator }
    }

    /// Gives the terminal another size, as when a person drags the edge of its window.
    pub fn resize(&mut self, rows: u16, columns: u16) {
        while is_ready_within(&self.terminal, Duration::ZERO) && self.take() {}
        resize(&self.terminal, rows, columns);
        self.emulator.screen_mut().set_size(some(rows), some(columns));
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        self.running.signal(signal);
    }

    /// Waits until the screen shows what it must: a program need not have drawn all of it yet.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        while !is_so(self.emulator.screen()) {
            let seen = || self.emulator.screen().contents();
            assert!(is_ready_within(&self.terminal, CEILING), "not so: {what}\n{}", seen());
            assert!(self.take(), "it ended, and it was never so: {what}");
        }
    }

    /// Waits for the end of the program, and gives the screen that it leaves.
    pub fn end(mut self) -> (ExitStatus, vt100::Screen) {
        while is_ready_within(&self.terminal, CEILING) && self.take() {}
        (self.running.wait(), self.emulator.screen().clone())
    }

    /// Reads what there is; `false` at the end.
    fn take(&mut self) -> bool {
        let mut bytes = [0; 4096];
        // A terminal reports by an error that its other end is closed everywhere.
        let count = self.terminal.read(&mut bytes).unwrap_or(0);
        self.emulator.process(&bytes[..count]);
        count > 0
    }
}

fn some(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a terminal has rows and columns")
}

/// The rows of a screen from its top, as text.
pub fn rows(screen: &vt100::Screen) -> Vec<String> {
    let (_, columns) = screen.size();
    screen.rows(0, columns.get()).map(|row| row.trim_end().to_owned()).collect()
}

/// Returns true if a row of a screen continues in the next one.
pub fn is_wrapped(screen: &vt100::Screen) -> bool {
    (0..screen.size().0.get()).any(|row| screen.row_wrapped(row))
}
