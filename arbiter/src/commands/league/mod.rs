//! `arbiter league`: a competition that stays open.

mod backups;
mod class_list;
mod corrections;
mod display;
mod events;
mod invite;
mod members;
mod new_league;
mod new_rules;
mod organise;
mod plan_round;
mod rounds;
mod run;
mod stage;
mod take_round;
mod test_game;
mod watch;

pub(crate) use backups::{backup, certificates, restore};
pub(crate) use class_list::InvitedPerson;
pub(crate) use corrections::{
    ReinstateRequest, RetireRequest, VoidRequest, VoidScope, corrections, reinstate, retire, void,
};
pub(crate) use display::{
    CountedGames, StandingsBots as ShownBots, pairings, standings, standings_line, status,
};
pub(crate) use events::{EventsUntil, events};
pub(crate) use invite::{CodeChange, InviteChange, InviteRequest, code, invite};
pub(crate) use members::{AddRequest, add};
pub(crate) use new_league::{NewLeagueRequest, new_league};
pub(crate) use new_rules::{RulesRequest, change_rules};
pub(crate) use organise::{
    NoticeChange, OrganiserChange, PauseChange, accept, notice, organiser, pause,
};
pub(crate) use plan_round::{PlanOutput, PlanRoundRequest, plan_round};
pub(crate) use run::{RunRequest, RunUntil, run};
pub(crate) use stage::{
    SeedOrder, StageFormatOptions, StageRequest, end_stage, seeds, stage, stage_name, stages,
};
pub(crate) use take_round::{TakeRoundRequest, UnfinishedShards, take_round};
pub(crate) use test_game::{TestGameRequest, test_game};
pub(crate) use watch::{ScanCount, WatchRequest, watch};
