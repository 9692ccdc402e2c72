//! Making one tournament of the shards that were played apart.

use std::path::{Path, PathBuf};

use rules::text::system_error;
use thiserror::Error;

use crate::log::fold::check_place;
use crate::log::{Games, Line, LogWriter, NotVerified, Source};
use crate::playing::watcher::Watched;
use crate::series::progress::Progress;
use crate::series::{End, Granted, Header, PlayerLine, Series};
use crate::standings::Standings;
use crate::text::counted;
use crate::tournament::entrants::Entrants;
use crate::tournament::folder::{self, BadFolder, Folder, shown};
use crate::tournament::plan::Plan;
use crate::tournament::plan_file::{self, BadPlanFile, Reader};
use crate::tournament::read::{self, Unreadable};
use crate::tournament::run::TournamentState;

/// Why shards cannot be merged; one line.
#[derive(Debug, Error)]
pub enum NotMerged {
    /// One of them cannot be read.
    #[error("`{folder}`: {problem}")]
    Unreadable {
        /// The folder.
        folder: String,
        /// What is wrong with it.
        problem: Unreadable,
    },
    /// One of them is a whole tournament.
    #[error("`{0}` is not a shard, expected a tournament played with --shard")]
    NoShard(String),
    /// Two of them are not of one tournament.
    #[error("`{one}` and `{other}` are not shards of one tournament: {difference}")]
    Other {
        /// The first folder.
        one: String,
        /// The other one.
        other: String,
        /// What is not the same.
        difference: &'static str,
    },
    /// Two of them are the same one.
    #[error("`{one}` and `{other}` are both shard {shard}")]
    Overlap {
        /// The first folder.
        one: String,
        /// The other one.
        other: String,
        /// The shard.
        shard: crate::series::schedule::Shard,
    },
    /// One of them is missing.
    #[error("shard {index}/{of} is missing")]
    Missing {
        /// Its number, from 0.
        index: u64,
        /// How many there are.
        of: u64,
    },
    /// One of them is not over, or its log is not in order.
    #[error("`{folder}`: its log: {problem}")]
    Log {
        /// The folder.
        folder: String,
        /// What is wrong.
        problem: String,
    },
    /// The new folder cannot be used.
    #[error(transparent)]
    Folder(#[from] BadFolder),
    /// The plan of the whole cannot be written.
    #[error("the plan of the whole: {0}")]
    Plan(#[from] BadPlanFile),
    /// The machine failed.
    #[error("cannot write the merged tournament: {}", system_error(.0))]
    Machine(#[from] std::io::Error),
}

/// A shard that is being read.
struct ShardLog {
    folder: String,
    games: Games<Source>,
}

/// Merges the shards in these folders into a new one, and gives its standings.
///
/// The games of a shard were all played. Of those, the merged log has the ones that a run on one
/// machine would have played: without the games of bots that would have been out by then.
///
/// # Errors
///
/// [`NotMerged`]; where the shards do not fit together, before anything is written.
pub fn merge(folders: &[PathBuf], into: &Path) -> Result<(TournamentState, Standings), NotMerged> {
    Folder::check_new(into)?;
    let (plan, mut shards) = opened(folders)?;
    let whole = plan.whole();
    let text = plan_file::write(&whole).map_err(std::io::Error::other)?;
    let header = shards.first().map(|shard| header_of_whole(&whole, shard.games.series()));
    let header = header.ok_or(NotMerged::Missing { index: 0, of: 1 })?;
    let series = Series::new(header).map_err(std::io::Error::other)?;
    // All of it is gone through once before anything is written, since a log can be cut off.
    for path in folders {
        check_over(path)?;
    }
    let refused = folders.iter().filter_map(|path| folder::read_entrants(path).ok().flatten());
    let refused = refused.filter_map(|text| serde_json::from_str::<Entrants>(&text).ok());
    let refused = refused.map(|entrants| entrants.refused).next().unwrap_or_default();
    let entrants = Entrants::new(&series.header().players, refused);
    let folder = Folder::create(into, &text, &entrants)?;
    let mut log = LogWriter::create(&folder.games())?;
    log.append(&Line::Header(Box::new(series.header().clone())))?;
    let mut state = TournamentState::new(series);
    write_games(&mut state, &mut shards, &mut log)?;
    log.append(&Line::End(End {
        games: state.games.progress.played(),
        points: state.games.totals.points(),
        seed: Some(whole.settings().seed.clone()),
    }))?;
    log.sync()?;
    let standings = state.tally.standings();
    folder.write_standings(&standings)?;
    Ok((state, standings))
}

/// The shards in their order, with the plan of the first, once they were found to be all of one
/// tournament.
fn opened(folders: &[PathBuf]) -> Result<(Plan, Vec<ShardLog>), NotMerged> {
    let mut found: Vec<(&PathBuf, Plan, ShardLog)> = Vec::new();
    for path in folders {
        let folder = shown(path);
        let unreadable = |problem| NotMerged::Unreadable { folder: folder.clone(), problem };
        let plan = read::plan(path, Reader::Looks).map_err(unreadable)?;
        let games = Games::open(&folder::games(path)).map_err(|error| bad_log(path, &error))?;
        found.push((path, plan, ShardLog { folder: shown(path), games }));
    }
    let mut numbers = Vec::new();
    for (path, plan, shard) in &found {
        let number =
            plan.settings().schedule.shard.ok_or_else(|| NotMerged::NoShard(shown(path)))?;
        let (first, first_plan, first_shard) = &found[0];
        let other =
            |difference| NotMerged::Other { one: shown(first), other: shown(path), difference };
        if plan.whole().header(&[]) != first_plan.whole().header(&[]) {
            return Err(other("their plans differ"));
        }
        let (one, another) = (first_shard.games.series(), shard.games.series());
        match compared(&one.header().players, &another.header().players) {
            Compared::Same => {}
            Compared::OtherGrants => return Err(other("their bots were granted different things")),
            Compared::OtherBots => return Err(other("their bots differ")),
        }
        if one.header().version != another.header().version {
            return Err(other("they were played by different versions of this program"));
        }
        let of_first = first_plan.settings().schedule.shard;
        if of_first.is_none_or(|first| first.of != number.of) {
            return Err(other("they were cut into different numbers of shards"));
        }
        if let Some(place) = numbers.iter().position(|known| *known == number) {
            let one = shown(found[place].0);
            return Err(NotMerged::Overlap { one, other: shown(path), shard: number });
        }
        numbers.push(number);
    }
    let of = numbers.first().map_or(1, |shard| shard.of);
    if let Some(index) = (0..of).find(|index| numbers.iter().all(|shard| shard.index != *index)) {
        return Err(NotMerged::Missing { index, of });
    }
    let mut in_order: Vec<_> = numbers.iter().map(|shard| shard.index).zip(found).collect();
    in_order.sort_by_key(|(index, _)| *index);
    // The plan and the header of the whole come from one shard: paths in the others may differ.
    let plan = in_order.first().map(|(_, (_, plan, _))| plan.clone());
    let plan = plan.ok_or(NotMerged::Missing { index: 0, of })?;
    Ok((plan, in_order.into_iter().map(|(_, (_, _, shard))| shard).collect()))
}

/// How the bots of two shards compare.
enum Compared {
    Same,
    OtherGrants,
    OtherBots,
}

fn compared(players: &[PlayerLine], others: &[PlayerLine]) -> Compared {
    let bare = |player: &PlayerLine| PlayerLine { granted: Granted::default(), ..player.clone() };
    if !players.iter().map(bare).eq(others.iter().map(bare)) {
        return Compared::OtherBots;
    }
    let mut pairs = players.iter().zip(others);
    match pairs.all(|(one, other)| one.granted.is_same_elsewhere(&other.granted)) {
        true => Compared::Same,
        false => Compared::OtherGrants,
    }
}

/// The header that a run on one machine would have written.
fn header_of_whole(plan: &Plan, shard: &Series) -> Header {
    let Header { players, version, isolation, .. } = shard.header().clone();
    Header { players, version, isolation, ..plan.header(&[]) }
}

fn check_over(path: &Path) -> Result<(), NotMerged> {
    let folder = shown(path);
    let state = read::state(path)
        .map_err(|problem| NotMerged::Unreadable { folder: folder.clone(), problem })?;
    match state.games.progress.is_over() {
        true => Ok(()),
        false => {
            let games = counted(state.games.progress.played(), "game", "games");
            let problem = format!("is not over after {games}");
            Err(NotMerged::Log { folder, problem })
        }
    }
}

/// Writes the games that a run on one machine would have played, in their order.
fn write_games(
    state: &mut TournamentState,
    shards: &mut [ShardLog],
    log: &mut LogWriter,
) -> Result<(), NotMerged> {
    while let Some(place) = state.games.progress.next() {
        let count = shards.len() as u64;
        let shard = &mut shards[(state.games.series.seating(place.game).deal % count) as usize];
        let ShardLog { folder, games } = shard;
        let problem = |problem: String| NotMerged::Log { folder: folder.clone(), problem };
        let game = loop {
            match games.next_game().map_err(|error| problem(error.to_string()))? {
                // What is before it was skipped by now.
                Some((_, game)) if game.game < place.game => {}
                Some((_, game)) => break game,
                None => return Err(problem(format!("game {} is missing", place.game))),
            }
        };
        check_place(&game, &state.games).map_err(problem)?;
        log.append(&Line::Game(Box::new(game.clone())))?;
        state.add(&game).map_err(problem)?;
    }
    is_over(&state.games.progress)
}

fn is_over(progress: &Progress) -> Result<(), NotMerged> {
    match progress.is_over() {
        true => Ok(()),
        false => Err(NotMerged::Log {
            folder: "the merged log".to_owned(),
            problem: "stops at a game that was void too often".to_owned(),
        }),
    }
}

fn bad_log(path: &Path, error: &NotVerified) -> NotMerged {
    NotMerged::Log { folder: shown(path), problem: error.to_string() }
}
