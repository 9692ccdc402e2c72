//! Verification of a league: its log, and the games of every round.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use contest::tournament::folder::{games, shown};
use contest::tournament::read::{self, ReadError};
use contest::tournament::verify as tournament;
use record;
use record::checked_log::LogRange;
use record::verify::{Verification, VerifyOptions, verify_each};
use series::{Header, LeagueRound};
use text::failure::Failure;

use crate::folder::{LOG, LeagueError, LeagueFolder};
use crate::state::Round;
use crate::{League, index, stage};

/// Derives every game of every round again, and checks that each round is the one that the log of the
/// league announced, with the bots that have entered, that no other games lie among the rounds, and that the index says
/// what follows from them. `each` gets the verified rounds in order. Returns the
/// state of the league.
pub fn verify(
    path: &Path,
    work: VerifyOptions<'_>,
    each: &mut dyn FnMut(&Verification),
) -> Result<Arc<League>, LeagueError> {
    let folder = LeagueFolder::open(path)?;
    // A round is announced before its games are played, so the log is read after its folder was seen.
    let there = with_games(&folder)?;
    let league = folder.read_whole()?;
    for stage in league.stages() {
        stage.check_pairings().map_err(|round| {
            let round = folder.round(round);
            wrong(&round, &"its tables do not follow the rule of the stage")
        })?;
    }
    let mut read = 0;
    for round in league.rounds() {
        let path = folder.round(round.line.round);
        let work = VerifyOptions { jobs: work.jobs, read: &|bytes| (work.read)(read + bytes) };
        let other = |what: &str| {
            let number = round.line.round;
            let problem = format!(
                "its log is not the log of round {number} that the league announced: {what}"
            );
            wrong(&path, &problem)
        };
        let Some(verified) = verify_round(&path, round, work)? else {
            match round.over.as_ref().and_then(|over| over.head) {
                Some(_) => return Err(other("nothing was played")),
                None => continue,
            }
        };
        check(&league, round, verified.series.header()).map_err(other)?;
        if let Some(over) = &round.over {
            if over.head != Some(verified.head) {
                return Err(other("its head differs"));
            }
            if over.games != verified.games {
                return Err(other("its number of games differs"));
            }
            if round.line.stage.is_some() && over.broken.is_none() {
                let (_, results) = stage::results(&round.line, league.forfeits(&round.line), &path)
                    .map_err(|problem| {
                        wrong(&path, &tournament::TournamentVerifyError::from(problem))
                    })?;
                if over.results != results {
                    return Err(other("its table results differ"));
                }
            }
        }
        each(&verified);
        read += record::length(&games(&path)).unwrap_or_default();
    }
    let is_named =
        |path: &PathBuf| league.rounds().iter().any(|it| folder.round(it.line.round) == *path);
    if let Some(unnamed) = there.iter().find(|path| !is_named(path)) {
        // That of a killed program has no games.
        return Err(failed(format!(
            "`{}` holds games, but no line of {LOG} names this round: if the end of the log was \
             lost, restore the league from a backup; otherwise move the folder elsewhere",
            shown(unnamed)
        )));
    }
    match index::differs(&folder).map_err(|it| LeagueError::Failed(it.into()))? {
        true => Err(failed(format!(
            "`{}` differs from the logs, so standings and pages may be wrong: remove the file, and \
             the next command rebuilds it",
            shown(&folder.index())
        ))),
        false => Ok(league),
    }
}

fn failed(problem: String) -> LeagueError {
    LeagueError::Failed(Failure::Verification(problem))
}

/// A round is not as it must be.
fn wrong(round: &Path, problem: &dyn Display) -> LeagueError {
    failed(format!("`{}`: {problem}", shown(round)))
}

/// The folders among the rounds that hold games. Any other one that the log does not name was laid out by a program
/// that was killed before it announced the round; the next round replaces it.
fn with_games(folder: &LeagueFolder) -> Result<Vec<PathBuf>, LeagueError> {
    let mut rounds = folder.rounds_there()?;
    let has_games = |round: &PathBuf| games(round).metadata().is_ok_and(|found| found.len() > 0);
    rounds.retain(has_games);
    Ok(rounds)
}

/// Verifies a round by itself; none if nothing was played yet.
fn verify_round(
    path: &Path,
    round: &Round,
    work: VerifyOptions<'_>,
) -> Result<Option<Verification>, LeagueError> {
    let broken = round.over.as_ref().map(|over| over.broken.as_ref());
    if let Some(None) = broken {
        // A round has one part. Anything else there is not in the log of the league.
        return tournament::verify(path, work)
            .map(|parts| parts.into_iter().next())
            .map_err(|problem| wrong(path, &problem));
    }
    let unreadable =
        |problem: ReadError| wrong(path, &tournament::TournamentVerifyError::from(problem));
    match read::series(path) {
        Ok(_) => {}
        // The games in shards are verified when the round is taken.
        Err(ReadError::NotBegun | ReadError::NotMerged(_)) => return Ok(None),
        Err(problem) => return Err(unreadable(problem)),
    }
    let source = record::open(&games(path)).map_err(|error| unreadable(error.into()))?;
    let extent = match broken.flatten() {
        Some(broken) => LogRange::Continued(broken.seed.clone()),
        None => LogRange::SoFar,
    };
    verify_each(source, extent, work, &mut |_, _, _| Ok(()))
        .map(Some)
        .map_err(|problem| wrong(path, &problem))
}

/// Returns the number of bytes in the lines of all rounds of a league; none if one of the logs is compressed.
pub fn bytes(path: &Path) -> Option<u64> {
    let league = LeagueFolder::open(path).and_then(|folder| Ok((folder.read()?, folder)));
    let Ok((league, folder)) = league else { return Some(0) };
    let logs = league.rounds().iter().map(|round| games(&folder.round(round.line.round)));
    logs.map(|log| record::length(&log)).sum()
}

/// Checks that a log with this header belongs to a round.
fn check(league: &League, round: &Round, header: &Header) -> Result<(), &'static str> {
    let Some(line) = &header.tournament else { return Err("it is the log of a match") };
    if header.game != league.kind().name() {
        return Err("its game differs");
    }
    if header.rules.map(|rules| rules.id) != round.rules {
        return Err("its rules differ");
    }
    if line.league != Some(LeagueRound { round: round.line.round, after: round.after }) {
        return Err("it does not name the round and the head before it");
    }
    if line.schedule != round.line.schedule() {
        return Err("its tables or deals differ");
    }
    if header.commitment != round.line.commitment {
        return Err("its seed differs");
    }
    let names = header.players.iter().map(|player| player.name.clone());
    if !names.eq(round.line.bots.iter().map(ToString::to_string)) {
        return Err("its bots differ");
    }
    for (player, bot) in header.players.iter().zip(&round.line.bots) {
        let entered = league.members().iter().find(|member| member.entry.bot == *bot);
        let is_same = entered.is_some_and(|member| {
            let entry = &member.entry;
            entry.command == player.command
                && entry.files == player.files
                && entry.dialect == player.dialect
                && entry.mode == player.mode
        });
        if !is_same {
            return Err("a bot differs from the bot that entered under its name");
        }
    }
    Ok(())
}
