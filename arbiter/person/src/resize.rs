//! A terminal that changes its size while a line is typed: the picture above the line is redrawn.
//!
//! The line editor learns of the new size by itself, and minds its line. It does not know the picture, so
//! another thread draws that, with the line as it is, and leaves the cursor at its place. A key that is typed
//! just then may be seen twice, or not, until the next picture: the editor writes by itself, and its line is
//! right anyway.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::thread;

use rustix::termios::tcgetwinsize;
use signal_hook::SigId;
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level;
use text::columns::width;

use crate::picture::{DrawnScreen, TerminalSize, drawn};

/// Draws pictures again until it is dropped.
pub(crate) struct ResizeRedraw(SigId);

impl ResizeRedraw {
    /// Call this once the line editor has its own handler.
    pub(crate) fn new(shown: Arc<Mutex<DrawnScreen>>) -> io::Result<ResizeRedraw> {
        let (mut came, comes) = UnixStream::pair()?;
        // Standard output itself may be locked for as long as the game continues.
        let mut out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let signal = low_level::pipe::register(SIGWINCH, comes)?;
        thread::Builder::new().name("resizes".to_owned()).spawn(move || {
            let mut bytes = [0; 16];
            // It ends when nothing is registered.
            while came.read(&mut bytes).is_ok_and(|count| count > 0) {
                // If drawing fails here, it fails for the next picture, too, which reports the error.
                let _ = draw_again(&mut out, &mut drawn(&shown));
            }
        })?;
        Ok(ResizeRedraw(signal))
    }
}

impl Drop for ResizeRedraw {
    fn drop(&mut self) {
        low_level::unregister(self.0);
    }
}

fn draw_again(out: &mut File, shown: &mut DrawnScreen) -> io::Result<()> {
    if shown.prompt.is_none() {
        return Ok(());
    }
    let now = tcgetwinsize(&*out)?;
    let now = TerminalSize { columns: now.ws_col.into(), rows: now.ws_row.into() };
    // The same signal wakes the editor up for other reasons.
    let (Some(mut text), Some(prompt)) = (shown.again(now), &shown.prompt) else { return Ok(()) };
    let (before, after) = shown.line.parts();
    text.push_str(&format!("{prompt}{before}{after}"));
    let (begun, whole) = (seen(prompt) + width(before), width(after));
    if whole > 0 && begun + whole < now.columns {
        text.push_str(&format!("\r\x1b[{begun}C"));
    }
    out.write_all(text.as_bytes())
}

/// The width of a text with colours.
fn seen(text: &str) -> usize {
    let mut parts = text.split("\x1b[");
    let first = parts.next().map_or(0, width);
    let after = |part: &str| part.split_once('m').map_or(0, |(_, shown)| width(shown));
    first + parts.map(after).sum::<usize>()
}
