//! Playing the rest of one shard of a planned tournament.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};
use std::{env, thread};

use clap::Args;
use rules::{Host, NotText};
use text::printable;

use crate::commands::tournament::run::{
    ReadyBots, RunOptions, TournamentOutput, TournamentRunArgs,
};
use crate::commands::tournament::shards::{PlannedShards, stand_beside};
use crate::commands::usage_of;
use contest::setup;
use contest::setup::this_machine;
use contest::stop::StopFlag;
use contest::tournament::folder::{self, Entrants, TournamentFolder, TournamentFolderError, shown};
use contest::tournament::plan_file::{self, ReadPurpose};
use contest::tournament::sharded::ShardBlock;
use contest::tournament::sharded::merging::{BlockReadiness, MergeResult, Merger, decision};
use contest::tournament::sharded::survey::{bots, difference, planned_players};
use contest::tournament::{Plan, read};
use games::GameFiles;
use league::folder::LeagueFolder;
use league::round_folder::AnnouncedRound;
use record::verify::VerifyOptions;
use sandbox::{GuardLease, duration};
use series::PlayerLine;
use series::header::CommittedSeed;
use series::schedule::Block;
use text::failure::Failure;
use text::shell::word;

/// The pauses between reads of the merged blocks, at first and later.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

const HELP: &str = "Starts or resumes the shard; does nothing if it is \
finished. `auto` supports Slurm, HyperQueue, Kubernetes, GNU parallel, SGE and PBS.

Exits with 75 (try again later) while another run plays the shard or the previous block is unmerged.

Examples:
  arbiter tournament run-shard cup --shard 7
  sbatch --array=0-49 --wrap \"arbiter tournament run-shard cup\"
  seq 50 | parallel -N0 arbiter tournament run-shard cup";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct RunShardArgs {
    /// Folder of the planned tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Shard number, from 0, or `auto` to read it from the job scheduler
    #[arg(long, value_name = "I|auto", default_value = "auto")]
    shard: ShardChoice,
    /// How long to wait for another run of the same shard
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = wait)]
    wait_lock: Duration,
    /// How long to wait for the previous block
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = wait)]
    wait_block: Duration,
    /// How long running games may continue after SIGTERM or Ctrl-C
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = duration)]
    grace: Duration,
    /// Seed file, if the plan holds only the commitment
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
    /// Machine name for logs [default: host name]
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    #[command(flatten)]
    run: TournamentRunArgs,
}

/// Parses a waiting time, which may be `0s`.
fn wait(text: &str) -> Result<Duration, String> {
    let expected = "expected a duration, such as 0s, 500ms or 2m";
    humantime::parse_duration(text).map_err(|error| format!("{error}; {expected}"))
}

impl RunShardArgs {
    /// Plays the rest of a shard, if any. [`Failure::Later`] means that another try will do.
    pub(super) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        // Paths of bots of a league start at the folder that contains the league.
        match LeagueFolder::of_round(&self.dir) {
            None => stand_beside(&mut self.dir, &mut self.seed_file)?,
            Some(league) => {
                let others = [&mut self.dir].into_iter().chain(&mut self.seed_file);
                stand_beside(&mut league.path().to_path_buf(), others)?;
            }
        }
        let round = AnnouncedRound::find(&self.dir)?;
        let planned = PlannedShards::open(&self.dir, ReadPurpose::Looks)?;
        let index = self.shard.number(planned.sharding.shards)?;
        let seed = planned.seed(self.seed_file.as_deref())?;
        let machine = this_machine(self.machine.as_deref());
        let options = RunOptions { grace: Some(self.grace), ..self.run.options() };
        let run = ShardRun { args: &self, round, planned, index, seed, machine, options };
        run.play(out)
    }
}

struct ShardRun<'a> {
    args: &'a RunShardArgs,
    /// The round of a league, if it is one.
    round: Option<AnnouncedRound>,
    planned: PlannedShards,
    index: u64,
    seed: CommittedSeed,
    machine: Host,
    options: RunOptions,
}

impl ShardRun<'_> {
    fn play(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let whole = &*self.args.dir;
        // They are prepared once, and only if there is something to play.
        let mut bots = None;
        let mut played = false;
        let deals = self.planned.plan.settings().schedule.deals;
        let last = self.planned.sharding.blocks(deals).last().flatten();
        // Once all is merged, nothing is left to play in any shard.
        let is_over = self.round.as_ref().is_some_and(AnnouncedRound::is_over);
        let is_merged = is_over || folder::is_finished(whole);
        let blocks = self.planned.sharding.blocks(deals).take_while(|_| !is_merged);
        for block in blocks {
            let piece = self.planned.sharding.piece(block, self.index);
            if piece.first_game(&self.planned.plan).is_none() {
                continue;
            }
            let path = piece.folder(whole);
            if !folder::is_finished(&path) {
                let Some(decided) = self.wait_for(block)? else { break };
                let plan = piece.plan(&self.planned.plan, decided);
                let folder = self.open(piece, &plan)?;
                must_be_piece(&path, &plan)?;
                // Another run may have finished it during the wait for the lock.
                if !folder::is_finished(&path) {
                    self.round.as_ref().map_or(Ok(()), AnnouncedRound::must_not_rest)?;
                    let ready = match bots.take() {
                        Some(bots) => bots,
                        None => self.bots()?,
                    };
                    let (ready, _) = bots.insert(ready);
                    // Its bots are those of the whole, which are opened.
                    let plan = read::plan(&path, ReadPurpose::Looks)
                        .map_err(|error| usage_of(&path, error))?;
                    let options = self.options;
                    ready.play(&plan, &self.seed, &folder, options, out)?;
                    played = true;
                }
            }
            if block.is_some() && (played || block == last) {
                self.merge_what_is_there()?;
            }
        }
        if !played && self.options.shown == TournamentOutput::Progress {
            let name = match is_over {
                true => "the round".to_owned(),
                false => self.planned.sharding.piece(None, self.index).name(),
            };
            let end = if is_over { "over" } else { "finished" };
            writeln!(out, "{name} is {end}: nothing to do")?;
        }
        Ok(())
    }

    /// The folder of a piece, made if it is new.
    fn open(&self, piece: ShardBlock, plan: &Plan) -> Result<TournamentFolder, Failure> {
        let path = piece.folder(&self.args.dir);
        let failure = |error: TournamentFolderError| match error {
            TournamentFolderError::Locked(_) => {
                let name = piece.name();
                Failure::Later(format!("{name} is locked by another run: try again later"))
            }
            error => Failure::Usage(error.to_string()),
        };
        if !folder::holds_plan(&path) {
            let text = plan_file::write(plan)
                .map_err(|error| Failure::Ours(format!("cannot write the plan: {error}")))?;
            let entrants =
                read::entrants(&self.args.dir).map_err(|error| usage_of(&self.args.dir, error))?;
            let entrants = Entrants { refused: Vec::new(), ..entrants };
            let game = GameFiles::for_game(plan.kind());
            let game = game.as_ref();
            match TournamentFolder::create_waiting(
                &path,
                &text,
                &entrants,
                game,
                self.args.wait_lock,
            ) {
                Err(TournamentFolderError::Taken(_)) => {}
                other => return other.map_err(failure),
            }
        }
        TournamentFolder::open_waiting(&path, self.args.wait_lock).map_err(failure)
    }

    /// Waits for the decision before a block; none if the tournament is over before it.
    fn wait_for(
        &self,
        block: Option<Block>,
    ) -> Result<Option<Option<series::PriorDecisions>>, Failure> {
        let begun = Instant::now();
        let whole = &*self.args.dir;
        let mut pause = SHORTEST_PAUSE;
        loop {
            let found = decision(whole, &self.planned.plan, block)
                .map_err(|error| usage_of(whole, error))?;
            match found {
                BlockReadiness::Goes(decided) => return Ok(Some(decided)),
                BlockReadiness::Over => return Ok(None),
                BlockReadiness::Open => {}
            }
            self.merge_what_is_there()?;
            if decision(whole, &self.planned.plan, block).is_ok_and(|it| it != BlockReadiness::Open)
            {
                continue;
            }
            if begun.elapsed() >= self.args.wait_block {
                let number = block.map_or(0, |block| block.number.saturating_sub(1));
                return Err(Failure::Later(format!(
                    "block {number} is not merged yet: try again later (progress: `arbiter \
                     tournament status {}`)",
                    word(whole)
                )));
            }
            if let Some(code) = StopFlag::requested() {
                let problem = "stopped while waiting for the previous block".to_owned();
                return Err(Failure::Interrupted { problem, code });
            }
            thread::sleep(pause);
            pause = LONGEST_PAUSE.min(2 * pause);
        }
    }

    /// Merges the whole blocks, unless another run is merging.
    fn merge_what_is_there(&self) -> Result<(), Failure> {
        let whole = &*self.args.dir;
        let folder = match TournamentFolder::open(whole) {
            Err(TournamentFolderError::Locked(_)) => return Ok(()),
            other => other.map_err(Failure::usage)?,
        };
        let jobs = crate::commands::cores();
        let PlannedShards { plan, sharding } = &self.planned;
        let work = Some(VerifyOptions { jobs, read: &|_| {} });
        let merging = Merger { folder: &folder, plan, sharding: *sharding, seed: &self.seed, work };
        match merging.merge() {
            Ok(MergeResult::Over(..) | MergeResult::Obstacles(_)) => Ok(()),
            Err(error) => Err(Failure::Verification(format!("`{}`: {error}", shown(whole)))),
        }
    }
}

/// Refuses a folder that does not hold the expected piece.
fn must_be_piece(path: &Path, expected: &Plan) -> Result<(), Failure> {
    let folder = shown(path);
    let refused = |problem: String| {
        Failure::Usage(format!("`{folder}` {problem}: remove the folder and restart the shard"))
    };
    let found = read::plan(path, ReadPurpose::Looks).map_err(|it| refused(it.to_string()))?;
    match difference(&expected.header(&[]), &found.header(&[])) {
        None => Ok(()),
        Some(difference) => Err(refused(format!("has {difference}"))),
    }
}

impl ShardRun<'_> {
    /// Prepares the bots, with a guard over their processes.
    fn bots(&self) -> Result<(ReadyBots, GuardLease), Failure> {
        let guard = setup::guard()?;
        let whole = &*self.args.dir;
        let plan = match &self.round {
            Some(round) => round.plan()?,
            None => read::resumed_plan(whole).map_err(|error| usage_of(whole, error))?,
        };
        let own = self.round.as_ref().map_or(whole, |round| round.league().path());
        let kept = [Some(own.to_path_buf()), self.args.seed_file.clone()];
        let kept: Vec<PathBuf> = kept.into_iter().flatten().collect();
        let remote = match &self.round {
            Some(round) => {
                let league = round.league();
                league.remote()?.map(|terms| terms.access(league.path()))
            }
            None => None,
        };
        let ready =
            ReadyBots::new(&plan, &kept, remote.as_ref()).map_err(|failure| match failure {
                Failure::Start(problem) => Failure::Start(format!(
                    "{problem}; bot paths are relative to the folder that contains `{}`",
                    shown(own)
                )),
                other => other,
            })?;
        must_be_planned(whole, &plan, &ready)?;
        Ok((ready.with_machine(self.machine.clone()), guard))
    }
}

/// Refuses bots that differ from the plan.
fn must_be_planned(whole: &Path, plan: &Plan, ready: &ReadyBots) -> Result<(), Failure> {
    let planned = planned_players(whole, plan).map_err(|error| usage_of(whole, error))?;
    let found: Vec<PlayerLine> = ready.contenders.iter().map(PlayerLine::from).collect();
    match bots(&planned, &found) {
        None => Ok(()),
        Some(difference) => Err(Failure::Start(format!(
            "this machine has {difference}: install the planned version, or plan again"
        ))),
    }
}

/// The variables in which engines give the index of a job of an array, and the index of the first.
///
/// Slurm, HyperQueue, Kubernetes and PBS give the numbers of the array as it was asked for, which must
/// then begin at 0. SGE and GNU parallel always count from 1.
const INDICES: [(&str, u64); 7] = [
    ("SLURM_ARRAY_TASK_ID", 0),
    ("HQ_TASK_ID", 0),
    ("JOB_COMPLETION_INDEX", 0),
    ("PBS_ARRAY_INDEX", 0),
    ("PBS_ARRAYID", 0),
    ("SGE_TASK_ID", 1),
    ("PARALLEL_SEQ", 1),
];

/// The value that SGE gives a job outside arrays.
const NO_ARRAY: &str = "undefined";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShardChoice {
    /// The shard of this number, from 0.
    Number(u64),
    /// The shard whose index the engine gives.
    OfEngine,
}

impl FromStr for ShardChoice {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text {
            "auto" => Ok(ShardChoice::OfEngine),
            _ => match text.parse() {
                Ok(number) => Ok(ShardChoice::Number(number)),
                Err(_) => Err(NotText::new("the number of a shard, from 0, or `auto`", text)),
            },
        }
    }
}

impl ShardChoice {
    /// The number of the shard, below `shards`.
    fn number(self, shards: u64) -> Result<u64, Failure> {
        let number = match self {
            ShardChoice::Number(number) => number,
            ShardChoice::OfEngine => of_engine(&|name| env::var(name).ok())?,
        };
        match number < shards {
            true => Ok(number),
            false => {
                let last = shards.saturating_sub(1);
                Err(Failure::Usage(format!("no shard {number}: shards are 0 to {last}")))
            }
        }
    }
}

/// The index that the engine gives, from 0.
fn of_engine(variable: &dyn Fn(&str) -> Option<String>) -> Result<u64, Failure> {
    let mut found: Option<(&str, u64)> = None;
    for (name, first) in INDICES {
        let Some(text) = variable(name).filter(|text| text != NO_ARRAY) else { continue };
        let index = text.parse::<u64>().ok().and_then(|index| index.checked_sub(first));
        let Some(index) = index else {
            let text = printable(&text);
            let problem =
                format!("invalid {name}={text}: must be the index of a job, from {first}");
            return Err(Failure::Usage(problem));
        };
        match found {
            Some((other, known)) if known != index => {
                let problem = format!(
                    "{other} and {name} disagree (shards {known} and {index}): pass --shard I"
                );
                return Err(Failure::Usage(problem));
            }
            Some(_) | None => found = Some((name, index)),
        }
    }
    found.map(|(_, index)| index).ok_or_else(|| {
        let names = INDICES.map(|(name, _)| name).join(", ");
        Failure::Usage(format!(
            "no shard given: pass --shard I, or run under a scheduler that sets one of {names}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(set: &[(&str, &str)]) -> Result<u64, String> {
        let variable = |name: &str| {
            set.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
        };
        of_engine(&variable).map_err(|failure| failure.to_string())
    }

    #[test]
    fn every_engine_counts_in_its_own_way() {
        assert_eq!(found(&[("SLURM_ARRAY_TASK_ID", "7")]), Ok(7));
        assert_eq!(found(&[("HQ_TASK_ID", "0")]), Ok(0));
        assert_eq!(found(&[("JOB_COMPLETION_INDEX", "12")]), Ok(12));
        assert_eq!(found(&[("PBS_ARRAY_INDEX", "3")]), Ok(3));
        assert_eq!(found(&[("PARALLEL_SEQ", "1")]), Ok(0));
        assert_eq!(found(&[("SGE_TASK_ID", "5")]), Ok(4));
        assert_eq!(found(&[("SGE_TASK_ID", "undefined"), ("PARALLEL_SEQ", "2")]), Ok(1));
        assert_eq!(found(&[("SLURM_ARRAY_TASK_ID", "4"), ("PARALLEL_SEQ", "5")]), Ok(4));
    }

    #[test]
    fn what_is_no_index_is_refused_by_its_name() {
        for (set, expected) in [
            (&[][..], "pass --shard I"),
            (&[("HQ_TASK_ID", "x")], "HQ_TASK_ID=x"),
            (&[("PARALLEL_SEQ", "0")], "PARALLEL_SEQ=0"),
            (&[("SLURM_ARRAY_TASK_ID", "-1")], "SLURM_ARRAY_TASK_ID=-1"),
            (&[("SLURM_ARRAY_TASK_ID", "4"), ("HQ_TASK_ID", "5")], "(shards 4 and 5)"),
        ] {
            let problem = found(set).expect_err("no index");
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
