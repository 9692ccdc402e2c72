//! The folder of a round: laid out before the round is announced, and opened to play it, in one piece or in shards.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::folder::{LeagueError, LeagueFolder};
use crate::index::{IndexError, LeagueIndex};
use crate::line::{LeagueLine, RoundAbort, RoundEndLine, RoundLine};
use crate::pause::PauseReason;
use crate::stage_request::BROKEN_OFF;
use crate::version::BotVersion;
use crate::{League, state::Round};
use crate::{calendar, events, stage};
use bot::BotSpec;
use contest::tournament::folder::{Entrants, TournamentFolder, shown};
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::{self, ReadPurpose};
use contest::tournament::read;
use contest::tournament::read::{PartLog, ReadError};
use series::PlayerLine;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;
use text::{counted, system_error};

#[derive(Debug)]
pub struct AnnouncedRound {
    folder: LeagueFolder,
    league: Arc<League>,
    round: Round,
}

impl AnnouncedRound {
    /// Finds the round that is played in this folder; none if the folder is no round.
    ///
    /// # Errors
    ///
    /// Fails if the league cannot be read, or has not announced the round that the plan in the folder is for.
    pub fn find(path: &Path) -> Result<Option<AnnouncedRound>, Failure> {
        let Some(folder) = LeagueFolder::of_round(path) else { return Ok(None) };
        let plan = read::plan(path, ReadPurpose::Looks)
            .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(path))))?;
        let Some(planned) = plan.settings().league else { return Ok(None) };
        let league = folder.read()?;
        let commitment = plan.settings().seed.commitment();
        let is_it = |round: &&Round| {
            let is_numbered = round.line.round == planned.round;
            is_numbered && round.after == planned.after && round.line.commitment == commitment
        };
        match league.rounds().iter().find(is_it).cloned() {
            Some(round) => Ok(Some(AnnouncedRound { folder, league, round })),
            None => Err(Failure::Usage(format!(
                "`{}` is not an announced round of its league: plan the next one with `arbiter \
                 league plan-round {}`",
                shown(path),
                word(folder.path())
            ))),
        }
    }

    pub fn league(&self) -> &LeagueFolder {
        &self.folder
    }

    /// Fails if no game of the league may begin now.
    ///
    /// # Errors
    ///
    /// [`Failure::Later`] in a pause and in quiet hours.
    pub fn must_not_rest(&self) -> Result<(), Failure> {
        let calendar = self.folder.calendar()?;
        let league = shown(self.folder.path());
        let why = match PauseReason::reason_at(&self.folder, &calendar, calendar::now()) {
            None => return Ok(()),
            Some(PauseReason::Paused) => format!("`{league}` is paused: try again after the pause"),
            Some(PauseReason::Quiet(until)) => {
                let until = calendar.time_text(until);
                format!("`{league}` has quiet hours until {until}: try again then")
            }
        };
        Err(Failure::Later(why))
    }

    /// Returns true once the log of the league has its end.
    pub fn is_over(&self) -> bool {
        self.round.over.is_some()
    }

    /// Returns its plan with the bots of the league, ready to be played.
    ///
    /// # Errors
    ///
    /// Fails if the plan or a bot cannot be opened.
    pub fn plan(&self) -> Result<Plan, Failure> {
        opened(&self.folder, &self.league, &self.round.line)
    }
}

/// Returns the bots of a round as they entered.
///
/// # Errors
///
/// Fails if one of them cannot be opened.
pub fn bots(
    folder: &LeagueFolder,
    league: &League,
    line: &RoundLine,
) -> Result<Vec<(BotVersion, BotSpec)>, Failure> {
    let members = league.members().iter().filter(|it| line.bots.contains(&it.entry.bot));
    let bot = |entry| folder.entered_bot(entry).map_err(Failure::Start);
    members.map(|member| Ok((member.entry.bot.clone(), bot(&member.entry)?))).collect()
}

/// Returns the plan of a round that was laid out, with the present paths of its bots.
///
/// # Errors
///
/// Fails if the plan or a bot cannot be opened.
pub fn opened(folder: &LeagueFolder, league: &League, line: &RoundLine) -> Result<Plan, Failure> {
    let path = folder.round(line.round);
    let usage = |problem: String| Failure::Usage(format!("`{}`: {problem}", shown(&path)));
    let written =
        read::plan(&path, ReadPurpose::Looks).map_err(|error| usage(error.to_string()))?;
    let bots = bots(folder, league, line)?;
    let mut entries = written.entries().to_vec();
    for entry in &mut entries {
        if let Some((_, bot)) = bots.iter().find(|(bot, _)| bot.to_string() == entry.name) {
            entry.bot = bot.clone();
        }
    }
    let settings = written.settings().clone();
    Plan::new(written.kind().clone(), settings, entries).map_err(|error| usage(error.to_string()))
}

/// Writes the plan of a round that is to be announced.
///
/// # Errors
///
/// Fails if its folder cannot be written.
pub fn lay_out(
    folder: &LeagueFolder,
    league: &League,
    line: &RoundLine,
    plan: &Plan,
) -> Result<(), Failure> {
    let path = folder.round(line.round);
    // It was never announced: a program that was killed has left it.
    if path.exists() {
        fs::remove_dir_all(&path).map_err(|error| {
            let why = system_error(&error);
            Failure::Ours(format!("cannot remove `{}`: {why}", shown(&path)))
        })?;
    }
    let player = |bot: &BotVersion| {
        let member = league.members().iter().find(|it| it.entry.bot == *bot)?;
        let (command, files) = (member.entry.command.clone(), member.entry.files.clone());
        Some(PlayerLine { command, files, ..PlayerLine::person(&bot.to_string()) })
    };
    let players: Vec<PlayerLine> = line.bots.iter().filter_map(player).collect();
    // The copy of the game lies in the folder of the league.
    TournamentFolder::create(
        &path,
        &written(league, plan)?,
        &Entrants::new(&players, Vec::new()),
        None,
    )
    .map(drop)
    .map_err(Failure::usage)
}

/// Writes the plan of an announced round again, with other settings that do not change its games.
///
/// # Errors
///
/// Fails if another program uses the round, or the plan cannot be written.
pub fn replan(league: &League, path: &Path, plan: &Plan) -> Result<(), Failure> {
    let folder = TournamentFolder::open(path).map_err(Failure::usage)?;
    folder
        .write_plan(&written(league, plan)?)
        .map_err(|error| Failure::Ours(format!("`{}`: {}", shown(path), system_error(&error))))
}

fn written(league: &League, plan: &Plan) -> Result<String, Failure> {
    let later = plan.kind().rules_id().filter(|id| league.first_rules() != Some(*id));
    plan_file::write_with_rules(plan, later.map(|id| id.digest))
        .map_err(|error| Failure::Ours(format!("cannot write the plan: {error}")))
}

/// The fate of a round that is open when a stage is to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenRoundAction {
    Finished,
    /// It ends at once.
    BrokenOff,
}

/// A round that was open, after a look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundState {
    Over,
    /// `league run` plays it.
    Playing,
    /// Nothing plays it, and it stays open: it was not to be ended, is played in shards, or has all of its games.
    Unfinished,
}

/// Ends a round that nothing plays, if it is to end at once, and says so. Returns how it is then.
///
/// # Errors
///
/// Fails if a file cannot be read or written.
pub fn end_if_unplayed(
    folder: &LeagueFolder,
    number: u64,
    open: OpenRoundAction,
) -> Result<RoundState, Failure> {
    let _held = match folder.hold() {
        Ok(held) => held,
        Err(LeagueError::Locked(_)) => return Ok(RoundState::Playing),
        Err(problem) => return Err(problem.into()),
    };
    // The round may be over since the log was read.
    let league = folder.read()?;
    if league.open_round().is_none_or(|round| round.line.round != number) {
        return Ok(RoundState::Over);
    }
    let over = match open {
        OpenRoundAction::Finished => None,
        OpenRoundAction::BrokenOff => broken_off(folder, &league, BROKEN_OFF.to_owned())?,
    };
    let Some(over) = over else { return Ok(RoundState::Unfinished) };
    let games = counted(over.games, "game", "games");
    say(format!("warning: round {number} aborted after {games}: {BROKEN_OFF}"));
    end(folder, &over, &mut LeagueIndex::open(&league, folder)?)?;
    Ok(RoundState::Over)
}

/// Writes the end of a round into the log and counts its games; then tells what has happened by it.
///
/// # Errors
///
/// Fails if the log or the index cannot be read or written.
pub fn end(
    folder: &LeagueFolder,
    over: &RoundEndLine,
    index: &mut LeagueIndex,
) -> Result<Arc<League>, Failure> {
    let league = folder.read()?;
    let before = events::order(&league, index);
    let league =
        folder.append(|_| Ok::<_, Failure>(vec![LeagueLine::Over(Box::new(over.clone()))]))?;
    index.bring_up_to(&league)?;
    events::add_round(folder, &league, index, over, &before);
    Ok(league)
}

/// Returns the line for a finished round in the log of the league.
///
/// # Errors
///
/// Fails if the log of the round cannot be read.
pub fn ended(
    league: &League,
    line: &RoundLine,
    path: &Path,
    broken: Option<RoundAbort>,
) -> Result<RoundEndLine, Failure> {
    // The tables of a stage are played again after a round that was broken off.
    let (logged, results) = match line.stage.filter(|_| broken.is_none()) {
        Some(_) => stage::results(line, league.forfeits(line), path)
            .map_err(|error| unreadable(path, error))?,
        None => (so_far(path)?, Vec::new()),
    };
    let games = logged.as_ref().map_or(0, |log| log.games.progress.played());
    let head = logged.map(|log| log.head);
    Ok(RoundEndLine { round: line.round, games, head, broken, results })
}

/// Returns the end of the open round, aborted for this reason; none if it is played in shards, or has all of its games.
///
/// # Errors
///
/// Fails if its plan or its log cannot be read.
pub fn broken_off(
    folder: &LeagueFolder,
    league: &League,
    why: String,
) -> Result<Option<RoundEndLine>, Failure> {
    let Some(round) = league.open_round() else { return Ok(None) };
    let path = folder.round(round.line.round);
    let plan = read::plan(&path, ReadPurpose::Looks)
        .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(&path))))?;
    let has_end = so_far(&path)?.is_some_and(|log| log.has_end);
    if plan.settings().sharding.is_some() || has_end {
        return Ok(None);
    }
    let seed = &plan.settings().seed;
    let seed = seed.known_seed().ok_or_else(|| seed.missing())?.clone();
    ended(league, &round.line, &path, Some(RoundAbort { why, seed })).map(Some)
}

/// Returns the games played of a round; none if it was not begun.
///
/// # Errors
///
/// Fails if its log cannot be read.
pub fn so_far(path: &Path) -> Result<Option<PartLog>, Failure> {
    match read::read_log(path, &mut |_, _| Ok(())) {
        Ok(log) => Ok(Some(log)),
        Err(ReadError::NotBegun | ReadError::NotMerged(_)) => Ok(None),
        Err(error) => Err(unreadable(path, error)),
    }
}

pub fn unreadable(path: &Path, error: ReadError) -> Failure {
    Failure::from(IndexError::Unreadable(shown(path), error))
}
