//! What is being played just now, for those who watch.
//!
//! # Theory of operation
//!
//! **A file beside the log** holds the games that are being played, each with its
//! inputs so far. As in a log, all else follows from them: who reads it replays the rules. A log holds a
//! game once it is over, and nothing is proved by this file.
//!
//! **Playing does not wait for it.** A worker notes each step of its game in memory ([`board`]). One thread
//! writes the file, a few times a second at most and only if something has changed ([`publisher`]): to a file
//! beside it that takes its place. What cannot be written is left out; the next time may be better.
//!
//! **It is never stale.** It is removed at the end of a run. What a run has left that was killed is removed
//! by the next one, as soon as it has the lock; before that, nobody has the lock, and a reader sees that
//! nothing is played.
//!
//! **It holds hidden cards**, like the log and the plan beside it. So only the owner of the folder can read it,
//! and bots that are kept apart find the folder hidden or empty.

pub mod board;
pub mod publisher;

use std::io;
use std::path::Path;

use rules::Begun;
use serde::{Deserialize, Serialize};

use crate::tournament::folder::{self, PLAYING};
use sandbox::file::{self, LONGEST_TEXT};

/// The whole file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayingNow {
    games: Vec<Begun>,
}

/// The games that are being played just now in the folder of a tournament, by their numbers.
///
/// # Errors
///
/// Fails if the file is there and cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<Begun>> {
    if !folder::is_in_use(path) {
        return Ok(Vec::new());
    }
    let text = match file::text(&path.join(PLAYING), LONGEST_TEXT) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut found: PlayingNow = serde_json::from_str(&text)?;
    found.games.sort_by_key(|game| game.game);
    Ok(found.games)
}

/// The file of these games, as many as may be read again.
fn written(games: Vec<Begun>) -> serde_json::Result<String> {
    let mut text = String::from("{\"games\":[");
    let mut is_first = true;
    for game in games {
        let game = serde_json::to_string(&game)?;
        if (text.len() + game.len()) as u64 + 10 > LONGEST_TEXT {
            continue;
        }
        if !is_first {
            text.push(',');
        }
        text.push_str(&game);
        is_first = false;
    }
    text.push_str("]}\n");
    Ok(text)
}
