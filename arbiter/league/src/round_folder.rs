//! The folder of a round: laid out before the round is announced, and opened to play it, in one piece or in shards.

use std::fs;
use std::path::Path;

use crate::calendar;
use crate::folder::LeagueFolder;
use crate::line::RoundLine;
use crate::pause::PauseReason;
use crate::version::BotVersion;
use crate::{League, state::Round};
use bot::BotSpec;
use contest::tournament::folder::{Entrants, Folder, shown};
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::{self, Reader};
use contest::tournament::read;
use series::PlayerLine;
use text::failure::Failure;
use text::shell::word;
use text::system_error;

/// A round that the log of its league announced.
#[derive(Debug)]
pub struct AnnouncedRound {
    folder: LeagueFolder,
    league: League,
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
        let plan = read::plan(path, Reader::Looks)
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

    /// Returns the folder of its league.
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
        let why = match PauseReason::at(&self.folder, &calendar, calendar::now()) {
            None => return Ok(()),
            Some(PauseReason::Paused) => format!("`{league}` is paused: try again after the pause"),
            Some(PauseReason::Quiet(until)) => {
                let until = calendar.shown(until);
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
    let bot =
        |entry| folder.entered_bot(entry).map_err(|problem| Failure::Start(problem.to_string()));
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
    let written = read::plan(&path, Reader::Looks).map_err(|error| usage(error.to_string()))?;
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
    Folder::create(&path, &written(league, plan)?, &Entrants::new(&players, Vec::new()), None)
        .map(drop)
        .map_err(Failure::usage)
}

/// Writes the plan of an announced round again, with other settings that do not change its games.
///
/// # Errors
///
/// Fails if another program uses the round, or the plan cannot be written.
pub fn replan(league: &League, path: &Path, plan: &Plan) -> Result<(), Failure> {
    let folder = Folder::open(path).map_err(Failure::usage)?;
    folder
        .write_plan(&written(league, plan)?)
        .map_err(|error| Failure::Ours(format!("`{}`: {}", shown(path), system_error(&error))))
}

fn written(league: &League, plan: &Plan) -> Result<String, Failure> {
    let later = plan.kind().rules_id().filter(|id| league.first_rules() != Some(*id));
    plan_file::write_with_rules(plan, later.map(|id| id.digest))
        .map_err(|error| Failure::Ours(format!("cannot write the plan: {error}")))
}
