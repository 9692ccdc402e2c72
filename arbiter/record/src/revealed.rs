//! The end of a log, read before its beginning: its seed is needed for the first line already.

use std::io::{self, Read, Seek, SeekFrom};

use super::{LONGEST_LINE, Line, parse, unchained};
use conditions::series::committed_seed::CommittedSeed;

/// How many bytes of the end are looked at first; the last line is seldom longer.
const FIRST_LOOK: u64 = 64 << 10;

/// The seed that the last line of a log reveals, if it does and was not changed; whether the line
/// belongs there is for [`LogReader`](super::LogReader) to find.
///
/// # Errors
///
/// Fails if the log cannot be read; it is left at its beginning.
pub fn revealed_seed(source: &mut (impl Read + Seek)) -> io::Result<Option<CommittedSeed>> {
    Ok(match last_line_of(source)? {
        Some(Line::End(end)) => end.seed,
        _ => None,
    })
}

/// The last line of a log, if it is one that was not changed; whether it belongs there is for
/// [`LogReader`](super::LogReader) to find.
///
/// # Errors
///
/// Fails if the log cannot be read; it is left at its beginning.
pub fn last_line_of(source: &mut (impl Read + Seek)) -> io::Result<Option<Line>> {
    let last = last_line(source)?;
    source.rewind()?;
    let last = String::from_utf8_lossy(&last);
    Ok(unchained(&last).ok().and_then(|(body, ..)| parse(body).ok()))
}

/// The last line without its line feed; nothing if it is longer than any line can be.
fn last_line(source: &mut (impl Read + Seek)) -> io::Result<Vec<u8>> {
    let length = source.seek(SeekFrom::End(0))?;
    let mut look = FIRST_LOOK;
    loop {
        source.seek(SeekFrom::Start(length.saturating_sub(look)))?;
        let mut tail = Vec::new();
        source.by_ref().take(look).read_to_end(&mut tail)?;
        tail.pop_if(|byte| *byte == b'\n');
        if let Some(before) = tail.iter().rposition(|&byte| byte == b'\n') {
            return Ok(tail.split_off(before + 1));
        }
        if look >= length {
            return Ok(tail);
        }
        if look >= LONGEST_LINE {
            return Ok(Vec::new());
        }
        look *= 8;
    }
}
