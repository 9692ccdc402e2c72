//! Making one tournament of shards that were played in folders of their own.

use std::path::{Path, PathBuf};

use rules::text::system_error;
use thiserror::Error;

use crate::log::verify::Work;
use crate::log::{self, Line, LogWriter, last_line_of};
use crate::series::committed_seed::CommittedSeed;
use crate::series::schedule::Shard;
use crate::series::{End, Header, Series, TournamentLine};
use crate::standings::Standings;
use crate::text::counted;
use crate::text::shell::word;
use crate::tournament::entrants::Entrants;
use crate::tournament::folder::{self, BadFolder, Folder, shown};
use crate::tournament::plan::Plan;
use crate::tournament::plan_file::{self, BadPlanFile, Reader};
use crate::tournament::planned_seed::NoSeed;
use crate::tournament::read::{self, Unreadable};
use crate::tournament::run::TournamentState;
use crate::tournament::sharded::differing::difference;
use crate::tournament::sharded::joining::{Check, NotJoined, join};

/// Why shards cannot be merged; one line, but for the obstacles.
#[derive(Debug, Error)]
pub enum NotMerged {
    /// They are not the shards of one tournament that is over. There is a line for each thing that is
    /// in the way.
    #[error("{}", .0.join("\n"))]
    Obstacles(Vec<String>),
    /// The log of one of them is not in order.
    #[error("`{folder}`: {problem}")]
    Log {
        /// The folder.
        folder: String,
        /// What is wrong.
        problem: NotJoined,
    },
    /// What was merged is not over.
    #[error("the merged log {0}")]
    NotOver(&'static str),
    /// The seed is not there.
    #[error(transparent)]
    Seed(#[from] NoSeed),
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

/// A shard in a folder of its own.
struct Found {
    path: PathBuf,
    shard: Shard,
    plan: Plan,
    series: Series,
}

/// Merges the shards in these folders into a new one, and gives its standings. With `work`, every game
/// is derived again on the way.
///
/// The games of a shard were all played. Of those, the merged log has the ones that a run on one
/// machine would have played: without the games of bots that would have been out by then.
///
/// # Errors
///
/// [`NotMerged`]; where the shards do not fit together, before anything is written.
pub fn merge(
    folders: &[PathBuf],
    into: &Path,
    given: Option<CommittedSeed>,
    work: Option<Work<'_>>,
) -> Result<(TournamentState, Standings), NotMerged> {
    Folder::check_new(into)?;
    let shards = in_order(folders)?;
    let Some(first) = shards.first() else {
        return Err(NotMerged::Obstacles(vec!["no shards".to_owned()]));
    };
    let whole = first.plan.whole();
    let seed = whole.settings().seed.or_given(given)?;
    let text = plan_file::write(&whole).map_err(std::io::Error::other)?;
    let series =
        Series::new(header_of_whole(&whole, &first.series)).map_err(std::io::Error::other)?;
    let refused = folders.iter().filter_map(|path| read::entrants(path).ok());
    let refused = refused.map(|entrants| entrants.refused).next().unwrap_or_default();
    let entrants = Entrants::new(&series.header().players, refused);
    // Everything is gone through before the folder is made, since a log can be changed anywhere.
    let temporary = tempfile::tempdir_in(parent(into))?;
    let mut log = LogWriter::create(&temporary.path().join("games.jsonl"))?;
    log.append(&Line::Header(Box::new(series.header().clone())))?;
    let mut state = TournamentState::new(series);
    let check = work.map_or(Check::Chain, |work| Check::Derived(&seed, work));
    for shard in &shards {
        if state.games.progress.next().is_none() {
            break;
        }
        join(&shard.path, check, &mut state, &mut log)
            .map_err(|problem| NotMerged::Log { folder: shown(&shard.path), problem })?;
    }
    if !state.games.progress.is_over() {
        return Err(NotMerged::NotOver("stops at a game that was void too often"));
    }
    log.append(&Line::End(End {
        games: state.games.progress.played(),
        points: state.games.totals.points(),
        seed: Some(seed),
    }))?;
    log.sync()?;
    let folder = Folder::create(into, &text, &entrants)?;
    log.rename(&folder.games())?;
    let standings = state.tally.standings();
    folder.write_standings(&standings)?;
    Ok((state, standings))
}

/// The folder that a new one is to lie in, or the next one above that exists.
fn parent(path: &Path) -> PathBuf {
    let above = path.ancestors().skip(1);
    let mut above = above.map(|it| if it.as_os_str().is_empty() { Path::new(".") } else { it });
    above.find(|it| it.is_dir()).unwrap_or(Path::new(".")).to_owned()
}

/// The shards in their order, once they were found to be all of one tournament.
fn in_order(folders: &[PathBuf]) -> Result<Vec<Found>, NotMerged> {
    let mut obstacles = Vec::new();
    let mut shards: Vec<Found> = Vec::new();
    // A folder that cannot be read may be that of a shard that is not among the others.
    let mut unknown = 0;
    let mut named = Vec::new();
    for path in folders {
        match found(path, shards.first()) {
            Ok(shard) => match shards.iter().find(|known| known.shard == shard.shard) {
                None => shards.push(shard),
                Some(known) => {
                    let (one, other) = (shown(&known.path), shown(path));
                    obstacles.push(format!("`{one}` and `{other}` are both shard {}", shard.shard));
                }
            },
            Err(Refused { shard, problem }) => {
                unknown += usize::from(shard.is_none());
                named.extend(shard);
                obstacles.push(problem);
            }
        }
    }
    shards.sort_by_key(|found| found.shard.index);
    let of = shards.first().map_or(0, |found| found.shard.of);
    let named: Vec<u64> =
        shards.iter().map(|found| found.shard).chain(named).map(|it| it.index).collect();
    let missing = (0..of).filter(|index| !named.contains(index)).skip(unknown);
    obstacles.extend(missing.map(|index| {
        format!(
            "shard {index}/{of} is missing: name its folder, or play it with --shard {index}/{of}"
        )
    }));
    if obstacles.is_empty() { Ok(shards) } else { Err(NotMerged::Obstacles(obstacles)) }
}

/// Why what lies in a folder is not merged.
struct Refused {
    /// Which shard it is, if that is known.
    shard: Option<Shard>,
    problem: String,
}

/// The shard in a folder, if it is over and of the same tournament as the first one.
fn found(path: &Path, first: Option<&Found>) -> Result<Found, Refused> {
    let folder = shown(path);
    let unknown = |problem: String| Refused { shard: None, problem };
    let plan = read::plan(path, Reader::Looks)
        .map_err(|problem| unknown(format!("`{folder}`: {problem}")))?;
    let Some(shard) = plan.settings().schedule.shard else {
        let expected = "expected a tournament played with --shard";
        return Err(unknown(format!("`{folder}` is not a shard, {expected}")));
    };
    finished(path, plan, shard, first).map_err(|problem| Refused { shard: Some(shard), problem })
}

/// The shard of this plan, if it is over and of the same tournament as the first one.
fn finished(path: &Path, plan: Plan, shard: Shard, first: Option<&Found>) -> Result<Found, String> {
    let folder = shown(path);
    let unreadable = |problem: Unreadable| format!("`{folder}`: {problem}");
    let series = read::series(path).map_err(unreadable)?;
    if let Some(first) = first {
        let expected = header_of_whole(&first.plan.whole(), &first.series);
        let found = header_of_whole(&plan.whole(), &series);
        let of = (first.shard.of, shard.of);
        let difference = match difference(&expected, &found) {
            None if of.0 != of.1 => Some(format!("{} shards, expected {}", of.1, of.0)),
            other => other,
        };
        if let Some(difference) = difference {
            let one = shown(&first.path);
            return Err(format!(
                "`{one}` and `{folder}` are not shards of one tournament: `{folder}` has {difference}"
            ));
        }
    }
    let found = Found { path: path.to_owned(), shard, plan, series };
    let source = log::open(&folder::games(path));
    let last = source.and_then(|mut source| last_line_of(&mut source));
    match last.map_err(|error| format!("`{folder}`: its log: {}", system_error(error)))? {
        Some(Line::End(_)) => Ok(found),
        Some(_) | None => {
            let state = read::part(path).map_err(unreadable)?;
            if state.games.progress.is_over() {
                return Ok(found);
            }
            let games = counted(state.games.progress.played(), "game", "games");
            let path = word(path);
            Err(format!(
                "`{folder}`: shard {shard} is not over after {games}: `arbiter tournament resume \
                 {path}` continues"
            ))
        }
    }
}

/// The header that a run on one machine would have written.
fn header_of_whole(plan: &Plan, shard: &Series) -> Header {
    let Header { players, version, isolation, .. } = shard.header().clone();
    let whole = plan.header(&[]);
    let tournament = whole.tournament.map(|line| TournamentLine { decided: None, ..line });
    Header { players, version, isolation, tournament, ..whole }
}
