//! The other screen of a terminal, on standard error.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Goes to the other screen, hides the cursor, and cuts lines that are too long at the edge: the
/// window may have become narrower a moment ago.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";

/// Undoes it. The other screen is cleared before: some terminals would add rows that no longer fit to the
/// ordinary screen.
const LEAVE: &str = "\x1b[H\x1b[2J\x1b[?7h\x1b[?25h\x1b[?1049l";

/// Attempts to leave the screen at the end of the program, and the pause between them: another thread may
/// be writing to a terminal that is stopped.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// True while the other screen is shown. There is one for the process, as there is one standard error.
static IS_OTHER: Mutex<bool> = Mutex::new(false);

/// Shows these lines, which must fit, on the other screen.
pub(super) fn show(lines: &[String]) {
    let mut is_other = IS_OTHER.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text =
        if mem::replace(&mut *is_other, true) { String::new() } else { ENTER.to_owned() };
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
    let mut is_other = IS_OTHER.lock().unwrap_or_else(PoisonError::into_inner);
    if mem::take(&mut *is_other) {
        put(LEAVE);
    }
}

/// Goes back to the ordinary screen, for the program is about to end: nothing more is shown.
pub(crate) fn leave_for_good() {
    for _ in 0..TRIES {
        if let Ok(is_other) = IS_OTHER.try_lock() {
            if *is_other {
                put(LEAVE);
            }
            return mem::forget(is_other);
        }
        thread::sleep(PAUSE);
    }
}

/// Ignores errors: without a terminal, nothing is lost.
fn put(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
