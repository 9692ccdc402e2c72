//! The games that are being played, for watchers.
//!
//! # Theory of operation
//!
//! **A file beside the log** holds the games that are being played, each with its
//! inputs so far. As in a log, all else follows from them: a reader replays the rules. A log holds a
//! game once it is over, and this file proves nothing.
//!
//! **Playing does not wait for it.** A worker notes each step of its game in memory ([`Board`]). One thread
//! writes the file, a few times a second at most and only if something has changed ([`Publisher`]): to a file
//! beside it that takes its place. If it cannot be written, the next time may be better.
//!
//! **It is never stale.** It is removed at the end of a run. The file of a killed run is removed
//! by the next one, as soon as it has the lock; before that, the lock is free, and a reader sees that
//! nothing is played.
//!
//! **It holds hidden cards**, like the log and the plan beside it. So only the owner of the folder can read it,
//! and isolated bots find the folder hidden or empty.

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

/// Returns the games that are being played in the folder of a tournament, by number.
///
/// # Errors
///
/// Fails if the file exists but cannot be read.
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

/// Returns the text of the file for these games, as many as fit into the longest that is read.
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
