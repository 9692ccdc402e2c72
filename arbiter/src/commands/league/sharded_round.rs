//! `arbiter league plan-round` and `take-round`: a round that is played in shards on several machines.

use std::io::Write;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::league::rounds::{AnnounceResult, RoundAnnouncer, RoundSharding, sharding};
use crate::commands::tournament::{TournamentOutput, merged, merged_so_far, obstructed, seed_of};
use crate::commands::{cores, usage_of};
use crate::options::number;
use contest::tournament::folder::shown;
use contest::tournament::plan::{Plan, Settings};
use contest::tournament::plan_file::ReadPurpose;
use contest::tournament::sharded::merging::MergeResult;
use contest::tournament::sharded::survey::PieceProgress;
use contest::tournament::sharded::{Sharding, run_command};
use contest::tournament::{read, verify};
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::line::{RoundAbort, RoundEndLine, RoundLine};
use league::round_folder::{end, ended, so_far};
use league::{League, output, round_folder};
use record::verify::VerifyOptions;
use standings::output as report;
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

#[derive(Debug, Args)]
#[command(
    after_help = "Play each shard with `arbiter tournament run-shard DIR/rounds/N --shard I` \
on any machine that can read DIR, then finish the round with `arbiter league take-round DIR`. A \
round has at most one shard per table and deal. An already planned round is left unchanged.

Example: arbiter league plan-round class --shards 64"
)]
pub(super) struct PlanRoundArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of shards, at most one per table and deal
    #[arg(long, value_name = "N", value_parser = number::<NonZeroU64>("a number of shards", 1..))]
    shards: NonZeroU64,
    /// Print only the number of shards and the round folder, for scripts
    #[arg(long)]
    plain: bool,
}

impl PlanRoundArgs {
    /// Announces the next round and plans it in shards. A round that is planned already stays as it is.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let _held = folder.hold()?;
        let mut announcer = RoundAnnouncer::new(folder.clone());
        let (line, plan) = loop {
            let league = folder.read()?;
            if let Some(open) = league.open_round() {
                let line = open.line.clone();
                let plan = planned(&folder, &league, &line, self.shards)?;
                break (line, plan);
            }
            let index = LeagueIndex::open(&league, &folder)?;
            match announcer.announce(&league, &index, RoundSharding::Shards(self.shards))? {
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
        if self.plain {
            return Ok(writeln!(out, "{shards} {}", path.display())?);
        }
        let (games, bots, tables) = (
            counted(line.games(folder.read()?.seats()), "game", "games"),
            counted(line.bots.len(), "bot", "bots"),
            counted(line.tables.len(), "table", "tables"),
        );
        let shards = counted(shards, "shard", "shards");
        writeln!(out, "seed commitment: {}", line.commitment)?;
        writeln!(out, "round {}: {bots}, {tables}, {games} in {shards}", line.round)?;
        writeln!(out, "run a shard: {}", run_command(&path, &plan, 0))?;
        Ok(writeln!(
            out,
            "then finish the round: arbiter league take-round {}",
            word(folder.path())
        )?)
    }
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
    let written = read::plan(&path, ReadPurpose::Looks).map_err(|error| usage_of(&path, error))?;
    let settings = Settings { sharding: Some(wanted), ..written.settings().clone() };
    let plan = Plan::new(written.kind().clone(), settings, written.entries().to_vec())?;
    round_folder::replan(league, &path, &plan)?;
    Ok(plan)
}

#[derive(Debug, Args)]
#[command(
    after_help = "Lists each missing, unfinished or foreign shard with the command that fixes \
it, and changes nothing. Exits with 75 if some shards are merely unfinished. Does nothing if the \
round is already finished.

Example: arbiter league take-round class"
)]
pub(super) struct TakeRoundArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Abort a round that cannot be finished; games before the first unfinished shard stay
    /// rated
    #[arg(long)]
    break_off: bool,
    /// Suppress output
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print JSON lines, as `arbiter league run --json` does
    #[arg(long)]
    json: bool,
}

impl TakeRoundArgs {
    /// Merges the shards of the open round, derives all of its games, and writes the end of the round into the log of the
    /// league. If the last round is over, nothing is left to do.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let _held = folder.hold()?;
        let mut league = folder.read()?;
        let mut index = LeagueIndex::open(&league, &folder)?;
        let (over, told) = match league.rounds().last() {
            None => {
                return Err(Failure::Usage(format!(
                    "no announced round: plan one with `arbiter league plan-round {} --shards N`",
                    word(folder.path())
                )));
            }
            Some(round) => match &round.over {
                Some(over) => (over.clone(), format!("round {} is already finished", over.round)),
                None => {
                    let line = round.line.clone();
                    let (over, told) = merge_shards(&folder, &league, &line, self.break_off)?;
                    league = end(&folder, &over, &mut index)?;
                    (over, told)
                }
            },
        };
        let standings = league.active_in(&index.standings());
        match TournamentOutput::from_flags(self.json, self.quiet) {
            TournamentOutput::Nothing => {}
            TournamentOutput::Progress => {
                say(told);
                write!(out, "{}", report::text(&standings))?;
            }
            TournamentOutput::Json => {
                output::write_over(&over, out)?;
                output::write_standings(&standings, out)?;
            }
        }
        Ok(())
    }
}

/// Merges the shards of an open round; returns its end, and a line about it.
fn merge_shards(
    folder: &LeagueFolder,
    league: &League,
    line: &RoundLine,
    breaks_off: bool,
) -> Result<(RoundEndLine, String), Failure> {
    let path = folder.round(line.round);
    let plan = read::plan(&path, ReadPurpose::Looks).map_err(|error| usage_of(&path, error))?;
    let Some(sharding) = plan.settings().sharding else {
        return Err(Failure::Usage(format!(
            "round {} is not sharded: play it with `arbiter league run {}`",
            line.round,
            word(folder.path())
        )));
    };
    let work = VerifyOptions { jobs: cores(), read: &|_| {} };
    // A merged log that was there before may be of a merger that has not derived its games.
    let was_merged = read::in_shards(&path).is_ok_and(|it| it.is_none());
    let merged = merged(&path, &plan, sharding, seed_of(&plan)?, Some(work))?;
    let broken = match merged {
        MergeResult::Over(..) if was_merged => {
            verify::verify(&path, work).map_err(|problem| {
                Failure::Verification(format!("`{}`: {problem}", shown(&path)))
            })?;
            None
        }
        MergeResult::Over(..) => None,
        MergeResult::Obstacles(pieces) if breaks_off => {
            let is_running = |stage: &PieceProgress| {
                matches!(stage, PieceProgress::Begun { is_running: true, .. })
            };
            if pieces.iter().any(|piece| is_running(&piece.stage)) {
                return Err(obstructed(&pieces));
            }
            Some(broken_off(&path, &plan, sharding, work)?)
        }
        MergeResult::Obstacles(pieces) => return Err(obstructed(&pieces)),
    };
    let over = ended(league, line, &path, broken)?;
    let (games, shards) =
        (counted(over.games, "game", "games"), counted(sharding.shards, "shard", "shards"));
    let told = match &over.broken {
        None => format!("round {} finished: {games} from {shards}", line.round),
        Some(RoundAbort { why, .. }) => {
            format!("warning: round {} aborted after {games}: {why}", line.round)
        }
    };
    Ok((over, told))
}

/// Merges the games before the first shard that is not finished.
fn broken_off(
    path: &Path,
    plan: &Plan,
    sharding: Sharding,
    work: VerifyOptions<'_>,
) -> Result<RoundAbort, Failure> {
    let seed = seed_of(plan)?;
    let whole = merged_so_far(path, plan, sharding, seed, Some(work))?;
    let piece = sharding.piece(None, whole as u64);
    let why = format!("{} was not finished", piece.name());
    Ok(RoundAbort { why, seed: seed.clone() })
}
