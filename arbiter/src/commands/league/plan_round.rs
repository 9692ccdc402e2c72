//! `arbiter league plan-round`: plans the next round for several machines.

use std::io::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;

use crate::commands::league::rounds::{
    AnnounceResult, RoundAnnouncer, RoundSharding, sharding, so_far,
};
use contest::tournament::Plan;
use contest::tournament::folder::shown;
use contest::tournament::plan::Settings;
use contest::tournament::plan_file::Reader;
use contest::tournament::read;
use contest::tournament::sharded::{Sharding, run_command};
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::line::RoundLine;
use league::output;
use league::{League, round_folder};
use text::counted;
use text::failure::Failure;
use text::shell::word;

/// The options of `arbiter league plan-round`.
#[derive(Debug)]
pub(crate) struct PlanRoundRequest {
    pub folder: PathBuf,
    /// The number of shards, or the number of tables of a deal if that is smaller.
    pub shards: NonZeroU64,
    pub printed: PlanOutput,
}

/// The output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanOutput {
    /// The round, and the commands that play it.
    Text,
    /// The number of shards and the folder of the round.
    Plain,
}

/// Announces the next round and plans it in shards. A round that is planned already stays as it is.
pub(crate) fn plan_round(request: PlanRoundRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    let _held = folder.hold()?;
    let mut announcer = RoundAnnouncer::new(folder.clone());
    let (line, plan) = loop {
        let league = folder.read()?;
        if let Some(open) = league.open_round() {
            let line = open.line.clone();
            let plan = planned(&folder, &league, &line, request.shards)?;
            break (line, plan);
        }
        let index = LeagueIndex::open(&league, &folder)?;
        match announcer.announce(&league, &index, RoundSharding::Shards(request.shards))? {
            AnnounceResult::Round(line) => {
                let plan = round_folder::opened(&folder, &league, &line)?;
                break (line, plan);
            }
            AnnounceResult::Changed => {}
            AnnounceResult::Ended(told) => return Err(Failure::Usage(told)),
        }
    };
    let path = folder.round(line.round);
    let shards = plan.settings().sharding.map_or(1, |sharding| sharding.shards);
    if request.printed == PlanOutput::Plain {
        return Ok(writeln!(out, "{shards} {}", path.display())?);
    }
    let (games, bots, tables) = (
        counted(output::games(&line, folder.read()?.seats()), "game", "games"),
        counted(line.bots.len(), "bot", "bots"),
        counted(line.tables.len(), "table", "tables"),
    );
    let shards = counted(shards, "shard", "shards");
    writeln!(out, "seed commitment: {}", line.commitment)?;
    writeln!(out, "round {}: {bots}, {tables}, {games} in {shards}", line.round)?;
    writeln!(out, "run a shard: {}", run_command(&path, &plan, 0))?;
    Ok(writeln!(out, "then finish the round: arbiter league take-round {}", word(folder.path()))?)
}

/// Returns the plan of an open round in shards; one of which nothing was played is planned again.
fn planned(
    folder: &LeagueFolder,
    league: &League,
    line: &RoundLine,
    shards: NonZeroU64,
) -> Result<Plan, Failure> {
    let path = folder.round(line.round);
    let plan = round_folder::opened(folder, league, line)?;
    let wanted = sharding(shards, line);
    match plan.settings().sharding {
        Some(found) if found == wanted => return Ok(plan),
        Some(Sharding { shards, .. }) => {
            return Err(Failure::Usage(format!(
                "round {} is already planned in {}: use `--shards {shards}`",
                line.round,
                counted(shards, "shard", "shards")
            )));
        }
        None => {}
    }
    if so_far(&path)?.is_some() {
        return Err(Failure::Usage(format!(
            "round {} was started without shards: continue it with `arbiter league run {}`",
            line.round,
            word(folder.path())
        )));
    }
    let written = read::plan(&path, Reader::Looks)
        .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(&path))))?;
    let settings = Settings { sharding: Some(wanted), ..written.settings().clone() };
    let plan = Plan::new(written.kind().clone(), settings, written.entries().to_vec())?;
    round_folder::replan(league, &path, &plan)?;
    Ok(plan)
}
