//! Adding the games of one shard to the log of the whole.

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

/// Check of a shard's games before they are added.
#[derive(Clone, Copy)]
pub enum Check<'a> {
    /// The log is as it was written, with each game in its place.
    Chain,
    /// In addition, every game and its cards follow from the inputs in its log.
    Derived(&'a CommittedSeed, Work<'a>),
}

/// Reason why the games of a shard are not added; one line.
#[derive(Debug, Error)]
pub enum NotJoined {
    /// Its log is broken.
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
/// The first problem that is found.
pub fn verify(path: &Path, seed: &CommittedSeed, work: Work<'_>) -> Result<(), NotVerified> {
    let source = record::open(&folder::games(path))?;
    verify_each(source, Extent::Apart(seed.clone()), work, &mut |_, _, _| Ok(())).map(drop)
}

/// Appends the games of the shard in this folder that come next in the whole. Games that the whole already has,
/// or skips, are left out.
///
/// # Errors
///
/// [`NotJoined`], with the earlier games in the log.
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
