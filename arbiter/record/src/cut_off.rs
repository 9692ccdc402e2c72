//! A log whose last line was cut off, as a crash leaves it: what comes before is whole.

use std::io::BufRead;

use crate::Games;
use crate::NotVerified;
use crate::fold::FoldedGame;
use text::terminal::say;

/// The next game of a log, as [`Games::next_game`] gives it; a last line that was cut off counts for
/// nothing, and a line on standard error says so of the log with this `name`.
///
/// # Errors
///
/// As for [`Games::next_game`].
pub fn next_whole_game<R: BufRead>(
    games: &mut Games<R>,
    name: &str,
) -> Result<Option<FoldedGame<()>>, NotVerified> {
    let next = games.next_game()?;
    if let (None, Some(line)) = (&next, games.torn()) {
        say(format!("warning: {name}: ends in the middle of line {line}, it is not finished"));
    }
    Ok(next)
}
