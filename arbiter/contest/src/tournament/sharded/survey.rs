//! The progress of each shard of a tournament, and their common pace.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use bot::FileDigest;
use record::{self, Line, last_line_of};
use rules::GameRecord;
use sandbox::{LIMITS, LimitKind};
use series::schedule::ScheduleLine;
use series::{GrantsLine, Header, PlayerLine, Series, SeriesState};
use text::counted;

use crate::playing::series_runner;
use crate::playing::series_runner::ContestState;
use crate::tournament::folder::{self, Entrants, PLAN, TournamentFolders, shown};
use crate::tournament::plan::{Plan, ShardBlock, Sharding};
use crate::tournament::plan_file::ReadPurpose;
use crate::tournament::read::{self, PartLog, ReadError, in_shards, plan, read_log, series, tally};
use crate::tournament::sharded::run_command;

#[derive(Debug)]
pub struct PieceStatus {
    pub piece: ShardBlock,
    pub path: PathBuf,
    /// Number of its games, if none is skipped.
    pub games: u64,
    pub stage: PieceProgress,
    /// The command that plays the rest of it.
    pub command: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceProgress {
    Missing,
    Begun {
        /// Number of games that count.
        played: u64,
        /// True while a run uses it.
        is_running: bool,
    },
    Over {
        /// Number of games that count.
        played: u64,
    },
    /// It cannot be a piece of this tournament; the reason is the end of a sentence about it.
    Wrong(String),
}

impl PieceStatus {
    /// Says why this piece cannot be merged, with the command that helps; none if it is over.
    pub fn obstacle(&self) -> Option<String> {
        let (name, path) = (self.piece.name(), shown(&self.path));
        let run = format!("`{}`", self.command);
        match &self.stage {
            PieceProgress::Over { .. } => None,
            PieceProgress::Missing => Some(format!("{name} not started: {run}")),
            PieceProgress::Begun { played, is_running } => {
                let games = counted(self.games, "game", "games");
                Some(match is_running {
                    true => format!("{name} running: {played} of {games}"),
                    false => {
                        format!("{name} stopped after {played} of {games}: {run}")
                    }
                })
            }
            PieceProgress::Wrong(problem) => Some(format!(
                "{name} in `{path}` {problem}: fix it, or remove the folder and replay with {run}"
            )),
        }
    }

    /// Returns the number of its games that count.
    pub fn played(&self) -> u64 {
        match self.stage {
            PieceProgress::Begun { played, .. } | PieceProgress::Over { played } => played,
            PieceProgress::Missing | PieceProgress::Wrong(_) => 0,
        }
    }

    /// Returns the number of games left to play, if none is skipped.
    pub fn games_left(&self) -> u64 {
        match self.stage {
            PieceProgress::Over { .. } => 0,
            PieceProgress::Begun { .. } | PieceProgress::Missing | PieceProgress::Wrong(_) => {
                self.games.saturating_sub(self.played())
            }
        }
    }

    /// Returns true if waiting for it helps.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.stage, PieceProgress::Missing | PieceProgress::Begun { .. })
    }
}

/// Returns the bots of a plan, with the digests of their files from its folder.
pub fn planned_players(whole: &Path, plan: &Plan) -> Result<Vec<PlayerLine>, ReadError> {
    let Entrants { entered, .. } = read::entrants(whole)?;
    let files = |name: &str| -> Vec<FileDigest> {
        let found = entered.iter().find(|entered| entered.name == name);
        found.map_or(Vec::new(), |entered| entered.files.clone())
    };
    let player = |entry: &crate::tournament::plan::PlannedBot| PlayerLine {
        name: entry.name.clone(),
        command: entry.bot.command().to_owned(),
        files: files(&entry.name),
        dialect: entry.bot.dialect(),
        mode: entry.bot.mode(),
        limits: entry.limits.in_milliseconds(),
        granted: GrantsLine::for_bot(&entry.name, &plan.settings().conditions.isolation.grants),
    };
    Ok(plan.entries().iter().map(player).collect())
}

/// Surveys these pieces. Reads the header and the last line of each log, and all games of those that are not over.
pub fn survey(
    whole: &Path,
    plan: &Plan,
    players: &[PlayerLine],
    pieces: impl Iterator<Item = ShardBlock>,
) -> Vec<PieceStatus> {
    // All of them must be of the same version.
    let mut version = None;
    let look = |piece: ShardBlock| {
        let (path, games) = (piece.folder(whole), piece.games(plan));
        let stage = stage(&path, plan, players, piece, &mut version);
        let command = run_command(whole, plan, piece.shard.index);
        PieceStatus { piece, path, games, stage, command }
    };
    pieces.filter(|piece| piece.first_game(plan).is_some()).map(look).collect()
}

/// Returns all pieces of a plan, in the order of their games.
pub fn all_pieces(plan: &Plan, sharding: Sharding) -> impl Iterator<Item = ShardBlock> {
    let blocks = sharding.blocks(plan.settings().schedule.deals);
    blocks.flat_map(move |block| sharding.pieces(block))
}

fn stage(
    path: &Path,
    plan: &Plan,
    players: &[PlayerLine],
    piece: ShardBlock,
    version: &mut Option<String>,
) -> PieceProgress {
    // A run that was killed at its very beginning leaves a folder without a plan and a log.
    if folder::games(path).exists() && !folder::holds_plan(path) {
        return PieceProgress::Wrong("has no plan.toml".to_owned());
    }
    let series = match series(path) {
        Ok(series) => series,
        Err(ReadError::NotBegun) => return PieceProgress::Missing,
        Err(ReadError::Folder(_)) if !path.exists() => return PieceProgress::Missing,
        Err(problem) => return PieceProgress::Wrong(format!("cannot be read: {problem}")),
    };
    let found = series.header();
    // The merger compares earlier decisions, as it knows them.
    let decided = found.tournament.as_ref().and_then(|line| line.decided.clone());
    let expected = Header {
        players: players.to_vec(),
        version: version.get_or_insert_with(|| found.version.clone()).clone(),
        ..piece.plan(plan, decided).header(&[])
    };
    if let Some(difference) = difference(&expected, found) {
        return PieceProgress::Wrong(format!("has {difference}"));
    }
    match last_line(path) {
        Ok(Some(Line::End(end))) => return PieceProgress::Over { played: end.games },
        Ok(_) => {}
        Err(problem) => return PieceProgress::Wrong(format!("cannot be read: {problem}")),
    }
    match read_log(path, &mut |_, _| Ok(())) {
        Ok(log) if log.games.progress.is_void() => {
            PieceProgress::Wrong("stops at a game that stayed void after all replays".to_owned())
        }
        Ok(log) => PieceProgress::Begun {
            played: log.games.progress.played(),
            is_running: folder::is_in_use(path),
        },
        Err(problem) => PieceProgress::Wrong(format!("cannot be read: {problem}")),
    }
}

fn last_line(path: &Path) -> io::Result<Option<Line>> {
    last_line_of(&mut record::open(&folder::games(path))?)
}

/// Returns the state of a tournament in shards from all games so far that merging would take. The logs are read, not
/// verified.
pub fn state(whole: &Path, plan: &Plan, sharding: Sharding) -> Result<ContestState, ReadError> {
    let mut state = initial_state(whole, plan)?;
    let players = planned_players(whole, plan)?;
    for piece in survey(whole, plan, &players, all_pieces(plan, sharding)) {
        // Pieces that cannot be merged do not count.
        if matches!(piece.stage, PieceProgress::Missing | PieceProgress::Wrong(_)) {
            continue;
        }
        let add = &mut |_: &Series, game: &GameRecord| match takes(&state.games, game) {
            false => Ok(()),
            true => state.add(game).map(drop),
        };
        read_log(&piece.path, add)
            .map_err(|problem| ReadError::Shard(shown(&piece.path), Box::new(problem)))?;
    }
    Ok(state)
}

/// Returns true if merging would take a game, as far as that is known while others are missing.
pub fn takes(games: &SeriesState, game: &GameRecord) -> bool {
    !games.progress.is_decided() && !games.progress.skips(&games.series, game.game)
}

/// Returns the state of the whole tournament before its first game.
pub fn initial_state(whole: &Path, plan: &Plan) -> Result<ContestState, ReadError> {
    let header = Header { players: planned_players(whole, plan)?, ..plan.header(&[]) };
    let series = Series::new(header)
        .map_err(|problem| ReadError::Entrants(format!("the header of the whole {problem}")))?;
    Ok(ContestState::of_tournament(series))
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShardSpeed {
    /// Games a second, since the first shard was begun.
    pub games_a_second: f64,
    /// Time for the remaining games at this pace.
    pub left: Duration,
}

impl ShardSpeed {
    /// Returns the sum of the paces of the shards that are being played, each from its
    /// beginning to its last game. None while nothing is being played, or before the first game. The clocks
    /// of the machines play no part: all times are read from files in one place.
    pub fn measure(pieces: &[PieceStatus]) -> Option<ShardSpeed> {
        let changed = |path: PathBuf| fs::metadata(path).ok()?.modified().ok();
        let pace = |piece: &PieceStatus| {
            let PieceProgress::Begun { played, is_running: true } = piece.stage else {
                return None;
            };
            let begun = changed(piece.path.join(PLAN))?;
            let passed = changed(folder::games(&piece.path))?.duration_since(begun).ok()?;
            Some(played as f64 / passed.as_secs_f64()).filter(|pace| pace.is_finite())
        };
        ShardSpeed::new(
            pieces.iter().filter_map(pace).sum(),
            pieces.iter().map(PieceStatus::games_left).sum(),
        )
    }

    fn new(games_a_second: f64, left: u64) -> Option<ShardSpeed> {
        let left = Duration::try_from_secs_f64((left as f64 / games_a_second).round()).ok()?;
        (games_a_second.is_finite() && games_a_second > 0.0)
            .then_some(ShardSpeed { games_a_second, left })
    }
}

/// Returns the first difference of a log from the expected one, as the end of a sentence: "it has …".
/// Ignores properties that may differ between machines, such as the paths of a bot's files.
pub fn difference(expected: &Header, found: &Header) -> Option<String> {
    let other = |what: &str| Some(format!("a different {what}"));
    let (line, other_line) = (expected.tournament.as_ref()?, found.tournament.as_ref());
    let Some(other_line) = other_line else { return Some("no tournament".to_owned()) };
    if expected.game != found.game || expected.options != found.options {
        return Some(format!(
            "game `{} {}`, expected `{} {}`",
            found.game, found.options, expected.game, expected.options
        ));
    }
    if expected.commitment != found.commitment || expected.entropy != found.entropy {
        return other("seed");
    }
    let (schedule, of_found) = (&line.schedule, &other_line.schedule);
    let numbers = [
        ("deals", Some(schedule.deals), Some(of_found.deals)),
        ("tables", schedule.tables, of_found.tables),
        ("shards", schedule.shard.map(|it| it.of), of_found.shard.map(|it| it.of)),
        ("deals in a block", schedule.block.map(|it| it.deals), of_found.block.map(|it| it.deals)),
    ];
    for (what, expected, found) in numbers {
        let said = |number: Option<u64>| number.map_or("none".to_owned(), |it| it.to_string());
        if expected != found {
            return Some(format!("{} {what}, expected {}", said(found), said(expected)));
        }
    }
    if schedule.shard != of_found.shard || schedule.block != of_found.block {
        let said = |line: &ScheduleLine| {
            let shard = line.shard.map_or("no shard".to_owned(), |it| format!("shard {it}"));
            line.block.map_or(shard.clone(), |it| format!("{shard} of block {}", it.number))
        };
        return Some(format!("{}, expected {}", said(of_found), said(schedule)));
    }
    let same = [
        ("format", schedule.format == of_found.format),
        ("choice of orders", schedule.orders == of_found.orders),
        ("list of tables", schedule.listed == of_found.listed),
        ("first deal", schedule == of_found),
        ("round of a league", line.league == other_line.league),
        (
            "share of faults for disqualification",
            line.disqualify_after == other_line.disqualify_after,
        ),
        ("sequential test", line.sprt == other_line.sprt),
        ("list of tie-breaks", line.tie_breaks == other_line.tie_breaks),
        ("keeping of files", line.keep_files == other_line.keep_files),
        ("beginning", line.extends == other_line.extends),
        ("decision of the earlier blocks", line.decided == other_line.decided),
        ("number of retries", expected.retries == found.retries),
        ("choice of replaying suspect games", expected.suspect_games == found.suspect_games),
        ("choice of pondering", expected.ponder == found.ponder),
    ];
    if let Some((what, _)) = same.iter().find(|(_, same)| !same) {
        return other(what);
    }
    if expected.version != found.version {
        return Some(format!(
            "version {} of arbiter, expected {}",
            found.version, expected.version
        ));
    }
    bots(&expected.players, &found.players)
}

/// Returns the first difference between bots.
pub fn bots(expected: &[PlayerLine], found: &[PlayerLine]) -> Option<String> {
    if expected.len() != found.len() {
        return Some(format!("{} bots, expected {}", found.len(), expected.len()));
    }
    expected.iter().zip(found).find_map(|(expected, found)| bot(expected, found))
}

fn bot(expected: &PlayerLine, found: &PlayerLine) -> Option<String> {
    let name = &expected.name;
    if *name != found.name {
        return Some(format!("bot `{}`, expected `{name}`", found.name));
    }
    for place in 0..expected.files.len().max(found.files.len()) {
        let digest = |player: &PlayerLine| player.files.get(place).map(|file| file.sha256);
        let (one, other) = (digest(expected), digest(found));
        if one != other {
            let word = expected.files.get(place).or(found.files.get(place));
            let word = word.map_or("", |file| file.word.as_str());
            let said =
                |it: Option<_>| it.map_or("none".to_owned(), |it: rules::Digest| it.to_string());
            return Some(format!(
                "bot `{name}` with a different `{}`: digest {}, expected {}",
                text::printable(word),
                said(other),
                said(one)
            ));
        }
    }
    if expected.dialect != found.dialect || expected.mode != found.mode {
        return Some(format!("bot `{name}` with a different dialect or mode"));
    }
    let differs = |kind: &&LimitKind| kind.amount(&expected.limits) != kind.amount(&found.limits);
    if let Some(limit) = LIMITS.iter().find(differs) {
        return Some(format!("bot `{name}` with a different {}", limit.name));
    }
    match GrantsLine::is_same_elsewhere(&expected.granted, &found.granted) {
        true => None,
        false => Some(format!("bot `{name}` with other grants")),
    }
}

/// Returns the state of the tournament in a folder; its standings include the games of earlier parts. The logs are
/// read, not verified; an incomplete last line is ignored.
pub fn tournament_state(path: &Path) -> Result<ContestState, ReadError> {
    if let Some((whole, sharding)) = in_shards(path)? {
        return state(path, &whole, sharding);
    }
    let parts = TournamentFolders::find_begun(path);
    plan(parts.last(), ReadPurpose::Looks)?;
    let mut tally = tally(&series(parts.last())?, &TournamentFolders::earlier_parts(parts.last()))?;
    let PartLog { games, .. } =
        read_log(parts.last(), &mut |series, game| series_runner::add(&mut tally, series, game))?;
    Ok(ContestState::of_part(games, tally))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_the_pace_says() {
        let pace = ShardSpeed::new(3.0, 60).expect("a pace");
        assert_eq!((pace.games_a_second, pace.left), (3.0, Duration::from_secs(20)));
        assert_eq!(ShardSpeed::new(0.0, 60), None);
        assert_eq!(ShardSpeed::new(1e-300, 60), None);
    }
}
