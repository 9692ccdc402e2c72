//! Taking the games of one shard into the log of the whole.

use std::io;
use std::path::Path;

use rules::GameRecord;
use text::system_error;
use thiserror::Error;

use crate::playing::state::State;
use crate::tournament::folder;
use conditions::series::committed_seed::CommittedSeed;
use record::checked_log::Extent;
use record::fold::{FoldedGame, check_place};
use record::verify::{Work, verify_each};
use record::{self, Games, Line, LogWriter, NotVerified, Wrong};

/// How the games of a shard are checked before they are taken.
#[derive(Clone, Copy)]
pub enum Check<'a> {
    /// That the log is as it was written, with each game in its place.
    Chain,
    /// The same, and that every game and its cards follow from what its log says came from outside.
    Derived(&'a CommittedSeed, Work<'a>),
}

/// Why the games of a shard are not taken; one line.
#[derive(Debug, Error)]
pub enum NotJoined {
    /// Its log is not in order.
    #[error("its log: {0}")]
    Log(#[from] NotVerified),
    /// The log of the whole cannot be written.
    #[error("the merged log cannot be written: {}", system_error(.0))]
    Machine(io::Error),
}

/// Derives all games of a shard again.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify(path: &Path, seed: &CommittedSeed, work: Work<'_>) -> Result<(), NotVerified> {
    let source = record::open(&folder::games(path))?;
    verify_each(source, Extent::Apart(seed.clone()), work, &mut |_, _, _| Ok(())).map(drop)
}

/// Appends the games of the shard in this folder that come next in the whole. Those that the whole has
/// already, or skips, are left out.
///
/// # Errors
///
/// [`NotJoined`], with the games before it in the log.
pub fn join(
    path: &Path,
    check: Check<'_>,
    state: &mut State,
    log: &mut LogWriter,
) -> Result<(), NotJoined> {
    let mut failed = None;
    let mut take = |game: &GameRecord| -> Result<(), String> {
        if state.games.progress.next().is_none_or(|next| game.game < next.game) {
            return Ok(());
        }
        check_place(game, &state.games)?;
        log.append(&Line::Game(Box::new(game.clone()))).map_err(|error| {
            let problem = error.to_string();
            failed = Some(error);
            problem
        })?;
        state.add(game).map(drop)
    };
    let source = record::open(&folder::games(path)).map_err(NotVerified::from)?;
    let joined = match check {
        Check::Chain => each_game(Games::new(source)?, &mut take),
        Check::Derived(seed, work) => {
            let extent = Extent::Apart(seed.clone());
            verify_each(source, extent, work, &mut |_, game, _| take(game)).map(drop)
        }
    };
    match failed {
        Some(error) => Err(NotJoined::Machine(error)),
        None => Ok(joined?),
    }
}

fn each_game(
    mut games: Games,
    take: &mut dyn FnMut(&GameRecord) -> Result<(), String>,
) -> Result<(), NotVerified> {
    while let Some(FoldedGame { line, game, .. }) = games.next_game()? {
        take(&game).map_err(|problem| Wrong::game(line, &game, problem))?;
    }
    Ok(())
}
