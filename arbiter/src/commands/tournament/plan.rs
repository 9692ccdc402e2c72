//! Planning a tournament that is played in shards.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::commands::tournament::begin::{
    BeginRequest, LogCompression, PlanSource, copy_bots, prepared, tell_estimate,
};
use crate::commands::tournament::planned::stand_beside;
use crate::commands::tournament::run::{RunOptions, TournamentOutput};
use contest::tournament::Plan;
use contest::tournament::copies::Copies;
use contest::tournament::entrants::Entrants;
use contest::tournament::estimate::estimate;
use contest::tournament::folder::Folder;
use contest::tournament::plan::Settings;
use contest::tournament::plan_file;
use contest::tournament::planned_seed::PlannedSeed;
use contest::tournament::sharded::{Sharding, run_command};
use games::GameFiles;
use series::{PlayerLine, Series};
use text::counted;
use text::failure::Failure;
use text::shell::word;

/// The options of `arbiter tournament plan`.
#[derive(Debug)]
pub(crate) struct PlanRequest {
    /// A new folder.
    pub folder: PathBuf,
    /// The plan. A seed in a file stays there.
    pub source: PlanSource,
    /// A folder with a folder for each submitted bot.
    pub submissions: Option<PathBuf>,
    /// The number of shards, if it is not in the plan.
    pub shards: Option<u64>,
    /// The number of deals between decisions on which bots play on, if it is not in the plan.
    pub block_deals: Option<u64>,
    pub copies: Copies,
    pub shown: TournamentOutput,
}

/// Writes the folder of a tournament to be played in shards. Nothing is written before everything was
/// found to be in order.
pub(crate) fn plan(mut request: PlanRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let shown_folder = request.folder.clone();
    let others = request.source.files().chain(request.submissions.as_mut());
    stand_beside(&mut request.folder, others)?;
    let seed_apart = request.source.seed().file().is_some();
    let begin = BeginRequest {
        source: request.source,
        folder: Some(request.folder.clone()),
        submissions: request.submissions,
        copies: request.copies,
        log: LogCompression::Plain,
        options: RunOptions { workers: None, shown: request.shown, grace: None },
    };
    let prepared = prepared(begin, out)?;
    let settings = prepared.plan.settings();
    let shards = request.shards.or(settings.sharding.map(|sharding| sharding.shards));
    let Some(shards) = shards else {
        return Err(Failure::Usage(
            "no number of shards: pass --shards N, or set `shards` in the plan".to_owned(),
        ));
    };
    let block_deals = request.block_deals.or(settings.sharding.and_then(|it| it.block_deals));
    let seed = match seed_apart {
        true => PlannedSeed::Apart(settings.seed.commitment()),
        false => settings.seed.clone(),
    };
    let sharding = Some(Sharding { shards, block_deals });
    let settings = Settings { sharding, seed, ..settings.clone() };
    let plan = Plan::new(prepared.plan.kind().clone(), settings, prepared.plan.entries().to_vec())?;
    let text = plan_file::write(&plan)
        .map_err(|error| Failure::Ours(format!("cannot write the plan: {error}")))?;
    let players: Vec<PlayerLine> = prepared.ready.contenders.iter().map(PlayerLine::from).collect();
    // The header is checked now, not by the first shard.
    let series = Series::new(plan.header(&prepared.ready.contenders))
        .map_err(|problem| Failure::Usage(format!("the plan {problem}")))?;
    let entrants = Entrants::new(&players, prepared.refused);
    let game = GameFiles::of(plan.kind());
    let folder =
        Folder::create(&request.folder, &text, &entrants, game.as_ref()).map_err(Failure::usage)?;
    copy_bots(&folder, plan.entries(), request.copies)?;
    if request.shown == TournamentOutput::Nothing {
        return Ok(());
    }
    let header = series.header();
    let games = counted(header.games, "game", "games");
    let bots = counted(players.len(), "bot", "bots");
    let shards_told = counted(shards, "shard", "shards");
    writeln!(out, "seed commitment: {}", header.commitment)?;
    writeln!(out, "{} {}: {bots}, {games} in {shards_told}", header.game, header.options)?;
    let one = NonZeroUsize::MIN;
    if let Some(estimate) = estimate(&series, &prepared.paces, shards, one) {
        tell_estimate(out, &estimate, request.shown, "for each shard with 1 worker")?;
    }
    writeln!(out, "run a shard: {}", run_command(&shown_folder, &plan, 0))?;
    let seed = if seed_apart { " --seed-file FILE" } else { "" };
    Ok(writeln!(out, "then merge: arbiter tournament merge {}{seed}", word(&shown_folder))?)
}
