//! Playing the rest of one shard of a planned tournament.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rules::Machine;

use crate::commands::tournament::asked_shard::AskedShard;
use crate::commands::tournament::planned::{PlannedShards, stand_beside};
use crate::commands::tournament::run::{ReadyBots, RunOptions, TournamentOutput};
use contest::playing::host::this_machine;
use contest::setup;
use contest::stop::Stop;
use contest::tournament::Plan;
use contest::tournament::entrants::Entrants;
use contest::tournament::folder::{self, BadFolder, Folder, shown};
use contest::tournament::plan_file::{self, Reader};
use contest::tournament::read;
use contest::tournament::sharded::Piece;
use contest::tournament::sharded::differing::{bots, difference};
use contest::tournament::sharded::merging::{Decision, Merged, Merging, decision};
use contest::tournament::sharded::survey::planned_players;
use games::GameFiles;
use league::folder::LeagueFolder;
use league::round_folder::AnnouncedRound;
use record::verify::VerifyJob;
use sandbox::Guard;
use series::PlayerLine;
use series::committed_seed::CommittedSeed;
use series::schedule::Block;
use text::failure::Failure;
use text::shell::word;

/// The pauses between reads of the merged blocks, at first and later.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// The options of `arbiter tournament run-shard`.
#[derive(Debug)]
pub(crate) struct RunShardRequest {
    pub folder: PathBuf,
    pub shard: AskedShard,
    /// The longest wait for another run of the same shard.
    pub wait_lock: Duration,
    /// The longest wait for the block before.
    pub wait_block: Duration,
    /// The file with the seed, if it is not in the folder.
    pub seed_file: Option<PathBuf>,
    pub machine: Option<String>,
    pub options: RunOptions,
}

/// Plays the rest of a shard, if any. [`Failure::Later`] means that another try will do.
pub(crate) fn run_shard(mut request: RunShardRequest, out: &mut dyn Write) -> Result<(), Failure> {
    // Paths of bots of a league start at the folder that contains the league.
    match LeagueFolder::of_round(&request.folder) {
        None => stand_beside(&mut request.folder, &mut request.seed_file)?,
        Some(league) => {
            let others = [&mut request.folder].into_iter().chain(&mut request.seed_file);
            stand_beside(&mut league.path().to_path_buf(), others)?;
        }
    }
    let round = AnnouncedRound::find(&request.folder)?;
    let planned = PlannedShards::open(&request.folder, Reader::Looks)?;
    let index = request.shard.number(planned.sharding.shards)?;
    let seed = planned.seed(request.seed_file.as_deref())?;
    let machine = this_machine(request.machine.as_deref());
    let run = ShardRun { request: &request, round, planned, index, seed, machine };
    run.play(out)
}

/// The run of a shard.
struct ShardRun<'a> {
    request: &'a RunShardRequest,
    /// The round of a league, if it is one.
    round: Option<AnnouncedRound>,
    planned: PlannedShards,
    index: u64,
    seed: CommittedSeed,
    machine: Machine,
}

impl ShardRun<'_> {
    fn play(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let whole = &*self.request.folder;
        let mut bots = PreparedBots::NotLooked;
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
                    let ready = bots.ready(self)?;
                    // Its bots are those of the whole, which are opened.
                    let plan = read::plan(&path, Reader::Looks)
                        .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(&path))))?;
                    let options = RunOptions { shown: self.output(), ..self.request.options };
                    ready.play(&plan, &self.seed, &folder, options, out)?;
                    played = true;
                }
            }
            if block.is_some() && (played || block == last) {
                self.merge_what_is_there()?;
            }
        }
        if !played && self.request.options.shown == TournamentOutput::Progress {
            let name = match is_over {
                true => "the round".to_owned(),
                false => self.planned.sharding.piece(None, self.index).name(),
            };
            let end = if is_over { "over" } else { "finished" };
            writeln!(out, "{name} is {end}: nothing to do")?;
        }
        Ok(())
    }

    fn output(&self) -> TournamentOutput {
        self.request.options.shown
    }

    /// The folder of a piece, made if it is new.
    fn open(&self, piece: Piece, plan: &Plan) -> Result<Folder, Failure> {
        let path = piece.folder(&self.request.folder);
        let failure = |error: BadFolder| match error {
            BadFolder::Locked(_) => {
                let name = piece.name();
                Failure::Later(format!("{name} is locked by another run: try again later"))
            }
            error => Failure::Usage(error.to_string()),
        };
        if !folder::holds_plan(&path) {
            let text = plan_file::write(plan)
                .map_err(|error| Failure::Ours(format!("cannot write the plan: {error}")))?;
            let entrants = read::entrants(&self.request.folder).map_err(|error| {
                Failure::Usage(format!("`{}`: {error}", shown(&self.request.folder)))
            })?;
            let entrants = Entrants { refused: Vec::new(), ..entrants };
            let game = GameFiles::of(plan.kind());
            let game = game.as_ref();
            match Folder::create_waiting(&path, &text, &entrants, game, self.request.wait_lock) {
                Err(BadFolder::Taken(_)) => {}
                other => return other.map_err(failure),
            }
        }
        Folder::open_waiting(&path, self.request.wait_lock).map_err(failure)
    }

    /// Waits for the decision before a block; none if the tournament is over before it.
    fn wait_for(&self, block: Option<Block>) -> Result<Option<Option<series::Decided>>, Failure> {
        let begun = Instant::now();
        let whole = &*self.request.folder;
        let mut pause = SHORTEST_PAUSE;
        loop {
            let found = decision(whole, &self.planned.plan, block)
                .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(whole))))?;
            match found {
                Decision::Goes(decided) => return Ok(Some(decided)),
                Decision::Over => return Ok(None),
                Decision::Open => {}
            }
            self.merge_what_is_there()?;
            if decision(whole, &self.planned.plan, block).is_ok_and(|it| it != Decision::Open) {
                continue;
            }
            if begun.elapsed() >= self.request.wait_block {
                let number = block.map_or(0, |block| block.number.saturating_sub(1));
                return Err(Failure::Later(format!(
                    "block {number} is not merged yet: try again later (progress: `arbiter \
                     tournament status {}`)",
                    word(whole)
                )));
            }
            if let Some(code) = Stop::asked() {
                let problem = "stopped while waiting for the previous block".to_owned();
                return Err(Failure::Interrupted { problem, code });
            }
            thread::sleep(pause);
            pause = LONGEST_PAUSE.min(2 * pause);
        }
    }

    /// Merges the whole blocks, unless another run is merging.
    fn merge_what_is_there(&self) -> Result<(), Failure> {
        let whole = &*self.request.folder;
        let folder = match Folder::open(whole) {
            Err(BadFolder::Locked(_)) => return Ok(()),
            other => other.map_err(Failure::usage)?,
        };
        let jobs = crate::commands::cores();
        let PlannedShards { plan, sharding } = &self.planned;
        let work = Some(VerifyJob { jobs, read: &|_| {} });
        let merging =
            Merging { folder: &folder, plan, sharding: *sharding, seed: &self.seed, work };
        match merging.merge() {
            Ok(Merged::Over(..) | Merged::Obstacles(_)) => Ok(()),
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
    let found = read::plan(path, Reader::Looks).map_err(|it| refused(it.to_string()))?;
    match difference(&expected.header(&[]), &found.header(&[])) {
        None => Ok(()),
        Some(difference) => Err(refused(format!("has {difference}"))),
    }
}

/// The bots of a run, prepared once, and only if there is something to play.
enum PreparedBots {
    NotLooked,
    Ready(Box<GuardedBots>),
}

/// Bots that are ready to start, with a guard over their processes.
struct GuardedBots {
    ready: ReadyBots,
    _guard: Guard,
}

impl PreparedBots {
    fn ready(&mut self, run: &ShardRun<'_>) -> Result<&ReadyBots, Failure> {
        if let PreparedBots::NotLooked = self {
            let guard = setup::guard()?;
            let whole = &*run.request.folder;
            let plan = match &run.round {
                Some(round) => round.plan()?,
                None => read::resumed_plan(whole)
                    .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(whole))))?,
            };
            let own = run.round.as_ref().map_or(whole, |round| round.league().path());
            let kept = [Some(own.to_path_buf()), run.request.seed_file.clone()];
            let kept: Vec<PathBuf> = kept.into_iter().flatten().collect();
            let ready = ReadyBots::new(&plan, &kept).map_err(|failure| match failure {
                Failure::Start(problem) => Failure::Start(format!(
                    "{problem}; bot paths are relative to the folder that contains `{}`",
                    shown(own)
                )),
                other => other,
            })?;
            must_be_planned(whole, &plan, &ready)?;
            *self = PreparedBots::Ready(Box::new(GuardedBots {
                ready: ready.on(run.machine.clone()),
                _guard: guard,
            }));
        }
        match self {
            PreparedBots::Ready(bots) => Ok(&bots.ready),
            PreparedBots::NotLooked => Err(Failure::Ours("the bots were not checked".to_owned())),
        }
    }
}

/// Refuses bots that differ from the plan.
fn must_be_planned(whole: &Path, plan: &Plan, ready: &ReadyBots) -> Result<(), Failure> {
    let planned = planned_players(whole, plan)
        .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(whole))))?;
    let found: Vec<PlayerLine> = ready.contenders.iter().map(PlayerLine::from).collect();
    match bots(&planned, &found) {
        None => Ok(()),
        Some(difference) => Err(Failure::Start(format!(
            "this machine has {difference}: install the planned version, or plan again"
        ))),
    }
}
