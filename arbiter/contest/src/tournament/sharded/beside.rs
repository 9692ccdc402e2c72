//! Checks the shards that lie beside the log that was merged from them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use rules::{Digest, GameRecord};
use text::{printable, system_error};
use thiserror::Error;

use crate::tournament::folder::{self, shown};
use crate::tournament::plan::Plan;
use crate::tournament::read::{self, Unreadable};
use crate::tournament::sharded::has_shards;
use crate::tournament::sharded::merging::verify;
use crate::tournament::sharded::survey::{PieceStatus, Stage, all_pieces, planned_players, survey};
use crate::tournament::sharding::SHARDS;
use record::fold::FoldedGame;
use record::verify::VerifyJob;
use record::{BadLog, Games, revealed_seed};

/// Reason why the shards beside a merged log are not in order; one line.
#[derive(Debug, Error)]
pub enum NotBeside {
    #[error("`{0}` is not a shard of this plan")]
    Unknown(String),
    #[error("{piece} in `{folder}` {problem}")]
    Wrong { piece: String, folder: String, problem: String },
    #[error("`{folder}`: its log: {problem}")]
    Log { folder: String, problem: BadLog },
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error("cannot list its shards: {}", system_error(.0))]
    Machine(#[from] io::Error),
}

/// The games of a log: a digest of each, by its number and attempt.
type Found = BTreeMap<(u64, u32), Digest>;

/// Derives the games of all shards in the folder of a tournament with a verified log, and compares them
/// with that log. Removed shards are not missed.
pub(crate) fn check_shards(path: &Path, plan: &Plan, work: VerifyJob<'_>) -> Result<(), NotBeside> {
    if !has_shards(path) {
        return Ok(());
    }
    let pieces: Vec<_> =
        plan.settings().sharding.map_or(Vec::new(), |it| all_pieces(plan, it).collect());
    let known: Vec<OsString> = pieces
        .iter()
        .filter_map(|piece| piece.folder(path).file_name().map(OsString::from))
        .collect();
    for entry in fs::read_dir(path.join(SHARDS))? {
        let entry = entry?;
        if !known.contains(&entry.file_name()) {
            return Err(NotBeside::Unknown(shown(&entry.path())));
        }
    }
    let mut source = read::opened(path)?;
    // Without its end the log has not been verified.
    let Some(seed) = revealed_seed(&mut source).map_err(Unreadable::from)? else { return Ok(()) };
    let merged = games(path)?;
    let players = planned_players(path, plan)?;
    for PieceStatus { piece, path: folder, stage, games: count, .. } in
        survey(path, plan, &players, pieces.into_iter())
    {
        let wrong = |problem: String| NotBeside::Wrong {
            piece: piece.name(),
            folder: shown(&folder),
            problem: printable(&problem),
        };
        match stage {
            Stage::Missing => continue,
            Stage::Wrong(problem) => return Err(wrong(problem)),
            Stage::Begun { .. } => return Err(wrong("has no end, but was merged".to_owned())),
            Stage::Over { .. } => {}
        }
        verify(&folder, &seed, work)
            .map_err(|problem| NotBeside::Log { folder: shown(&folder), problem })?;
        let own = games(&folder)?;
        let first = piece.first_game(plan).unwrap_or_default();
        for (place, digest) in merged.range((first, 0)..(first.saturating_add(count), 0)) {
            let game = place.0;
            match own.get(place) {
                Some(own) if own == digest => {}
                Some(_) => {
                    let problem = format!("has another game {game} than the merged log");
                    return Err(wrong(problem));
                }
                None => return Err(wrong(format!("lacks game {game}, which was merged"))),
            }
        }
    }
    Ok(())
}

/// Returns digests of all games in the log of a folder.
fn games(path: &Path) -> Result<Found, NotBeside> {
    let in_order = |problem| NotBeside::Log { folder: shown(path), problem };
    let mut log = Games::open(&folder::games(path)).map_err(in_order)?;
    let mut found = Found::new();
    while let Some(FoldedGame { game, .. }) = log.next_game().map_err(in_order)? {
        found.insert((game.game, game.attempt), digest(&game)?);
    }
    Ok(found)
}

fn digest(game: &GameRecord) -> io::Result<Digest> {
    Ok(Digest::hash(&serde_json::to_vec(game)?))
}
