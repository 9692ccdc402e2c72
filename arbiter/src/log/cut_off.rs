//! A log whose last line was cut off, as a crash leaves it: what comes before is whole.

use std::io::BufRead;

use rules::GameRecord;

use crate::log::Games;
use crate::log::NotVerified;
use crate::text::notice::say;

/// The next game of a log with the number of its line, as [`Games::next_game`] gives it; a last
/// line that was cut off counts for nothing, and a line on standard error says so of the log with
/// this `name`.
///
/// # Errors
///
/// As for [`Games::next_game`].
pub fn next_whole_game<R: BufRead>(
    games: &mut Games<R>,
    name: &str,
) -> Result<Option<(usize, GameRecord)>, NotVerified> {
    let next = games.next_game()?;
    if let (None, Some(line)) = (&next, games.torn()) {
        say(format!("warning: {name}: ends in the middle of line {line}, it is not finished"));
    }
    Ok(next)
}
