//! The other screen of a terminal, on standard error.

use std::env;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use console::Term;

/// Goes to the other screen, hides the cursor, and cuts lines that are too long at the edge: the
/// window may have become narrower a moment ago.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";

/// Undoes it. What is on the other screen goes before: some terminals would take rows that no
/// longer fit for a part of what was there before.
const LEAVE: &str = "\x1b[H\x1b[2J\x1b[?7h\x1b[?25h\x1b[?1049l";

/// How often, and with which pause, the end of the program tries to leave the screen: someone else
/// may be writing to a terminal that is stopped.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// The screen of this process: there is one standard error.
static SCREEN: Mutex<Screen> = Mutex::new(Screen::Ordinary);

/// Which screen is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Screen {
    Ordinary,
    Other,
    /// The ordinary one, for the program ends.
    Closed,
}

/// The size of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// How many characters fit into a line.
    pub(super) columns: usize,
    /// How many lines there are.
    pub(super) rows: usize,
}

/// Whether standard error is a terminal that has another screen.
pub(super) fn is_there() -> bool {
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    Term::stderr().is_term() && !is_dumb
}

/// The size that the terminal has now.
pub(super) fn size() -> Size {
    let (rows, columns) = Term::stderr().size();
    Size { columns: columns.into(), rows: rows.into() }
}

/// Shows these lines, each of which fits, on the other screen.
pub(super) fn show(lines: &[String]) {
    let mut screen = lock();
    let mut text = String::new();
    match *screen {
        Screen::Closed => return,
        Screen::Ordinary => text.push_str(ENTER),
        Screen::Other => {}
    }
    *screen = Screen::Other;
    // Writing to a string does not fail. What is below goes first, because this is the last row if
    // nothing is there. Each line is put in its place, so that nothing scrolls where there are
    // fewer rows than a moment ago.
    let _ = write!(text, "\x1b[{};1H\x1b[0J", lines.len() + 1);
    for (row, line) in lines.iter().enumerate() {
        let _ = write!(text, "\x1b[{};1H\x1b[2K{line}", row + 1);
    }
    put(&text);
}

/// Goes back to the ordinary screen.
pub(super) fn leave() {
    let mut screen = lock();
    if *screen == Screen::Other {
        put(LEAVE);
        *screen = Screen::Ordinary;
    }
}

/// Goes back to the ordinary screen, for the program is about to end: nothing more is shown.
pub fn leave_for_good() {
    for _ in 0..TRIES {
        match SCREEN.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Ok(screen) => return close(screen),
            Err(TryLockError::Poisoned(screen)) => return close(screen.into_inner()),
        }
    }
}

fn close(mut screen: MutexGuard<'_, Screen>) {
    if *screen == Screen::Other {
        put(LEAVE);
    }
    *screen = Screen::Closed;
}

fn lock() -> MutexGuard<'static, Screen> {
    SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// If no one can see it, nothing is lost.
fn put(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
