//! `arbiter tournament`: many games between many bots.

mod asked_shard;
mod begin;
mod display;
mod extend;
mod merge;
mod plan;
mod planned;
mod run;
mod run_shard;
mod submissions;

pub(crate) use asked_shard::AskedShard;
pub(super) use begin::seed_of;
pub(crate) use begin::{
    BeginRequest, LogCompression, PlanSource, TournamentOptions, begin, resume,
};
pub(crate) use display::{StandingsFormat, standings, standings_line, status};
pub(crate) use extend::{ExtendRequest, extend};
pub(crate) use merge::{MergeRequest, merge};
pub(super) use merge::{merged, merged_so_far, obstructed};
pub(crate) use plan::{PlanRequest, plan};
pub(crate) use run::{ReadyBots, RunOptions, TournamentOutput, failed};
pub(crate) use run_shard::{RunShardRequest, run_shard};
