//! `arbiter league`: a competition that stays open.

mod class_list;
mod events;
mod found;
mod invite;
mod keeping;
mod look;
mod members;
mod new_rules;
mod organise;
mod plan_round;
mod rounds;
mod run;
mod stage;
mod take_round;
mod test_game;
mod watch;

pub(crate) use events::{EventsUntil, events};
pub(crate) use found::{FoundRequest, found};
pub(crate) use invite::{Change, CodeChange, InviteRequest, Person, code, invite};
pub(crate) use keeping::{backup, certificates, restore};
pub(crate) use look::{Shown as ShownBots, pairings, standings, standings_line, status};
pub(crate) use members::{AddRequest, add, retire};
pub(crate) use new_rules::{RulesRequest, change_rules};
pub(crate) use organise::{
    NoticeChange, OrganiserChange, PauseChange, accept, notice, organiser, pause,
};
pub(crate) use plan_round::{PlanRoundRequest, Printed, plan_round};
pub(crate) use run::{RunRequest, Until, run};
pub(crate) use stage::{
    AskedFormat, Seeds, StageRequest, end_stage, seeds, stage, stage_name, stages,
};
pub(crate) use take_round::{Missing, TakeRoundRequest, take_round};
pub(crate) use test_game::{TestGameRequest, test_game};
pub(crate) use watch::{Looks, WatchRequest, watch};

use bot::grants::OutsideAccess;
use bot::{BotSpec, Contender};
use contest::setup;
use league::folder::LeagueFolder;
use league::line::EnterLine;
use text::failure::Failure;

/// A bot as it entered.
fn entered(folder: &LeagueFolder, entry: &EnterLine) -> Result<BotSpec, Failure> {
    folder.entered_bot(entry).map_err(|problem| Failure::Start(problem.to_string()))
}

/// A bot ready to start; fails if it has changed since it entered.
fn unchanged(
    folder: &LeagueFolder,
    entry: &EnterLine,
    beyond: OutsideAccess,
) -> Result<Contender, Failure> {
    let spec = entered(folder, entry)?;
    let search = setup::search_path()?;
    let name = entry.bot.to_string();
    let limits = sandbox::Limits::DEFAULT;
    let beyond = beyond.apart_from(&[folder.path().to_path_buf()]);
    let contender = Contender::prepare(&spec, &name, limits, &search, &beyond)
        .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))?;
    match contender.digests() == entry.files {
        true => Ok(contender),
        false => Err(Failure::Start(format!("bot `{name}` has changed since it entered"))),
    }
}
