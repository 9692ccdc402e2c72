//! The plan of a tournament, before anything is played.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bot::launch_target::RemoteEndpoint;
use bot::manifest::ProgramMode;
use bot::{BotSpec, Contender, ContenderError, same_name};
use rules::{Dialect, Digest, GameKind};
use sandbox::{Limits, SearchPath};
use serde::{Deserialize, Serialize};
use series::header::CommittedSeed;
use series::schedule::{self, Block, Schedule, ScheduleLine, Shard};
use series::{
    Conditions, FileRetention, Header, LeagueRound, PlayerLine, PriorDecisions, Series,
    TournamentLine,
};
use text::failure::Failure;

/// The most folders that the shards of a tournament may have together, one for each block.
const MOST_PIECES: u64 = 1 << 20;

/// The most bots of a tournament in which files are kept: each folder may take 64 MiB of memory.
const MOST_KEPT: usize = 64;

/// A valid plan of a tournament; only its programs were not checked.
#[derive(Debug, Clone)]
pub struct Plan {
    kind: GameKind,
    settings: Settings,
    entries: Vec<PlannedBot>,
}

/// Settings of a tournament, without its bots.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The options of the game, in their one spelling.
    pub options: String,
    pub schedule: ScheduleLine,
    /// Head of the log that this one continues, for an extension of an older tournament.
    pub extends: Option<Digest>,
    pub seed: PlannedSeed,
    /// Spread of the games over several machines, if any.
    pub sharding: Option<Sharding>,
    /// Decisions of the blocks before a shard's block.
    pub decided: Option<PriorDecisions>,
    pub league: Option<LeagueRound>,
    pub conditions: Conditions,
}

#[derive(Debug, Clone)]
pub struct PlannedBot {
    /// Its name, which is unique.
    pub name: String,
    pub bot: BotSpec,
    /// Limits of each of its answers.
    pub limits: Limits,
}

impl Plan {
    /// Makes the plan of a tournament between these bots.
    pub fn new(
        kind: GameKind,
        mut settings: Settings,
        entries: Vec<PlannedBot>,
    ) -> Result<Plan, Failure> {
        settings.options = kind.check_options(&settings.options).map_err(Failure::usage)?;
        let seats = kind.seats(&settings.options).map_err(Failure::usage)?;
        let mut seen = BTreeSet::new();
        if let Some(twice) = entries.iter().find(|entry| !seen.insert(&entry.name)) {
            return Err(same_name(&twice.name));
        }
        let bots = entries.len();
        Schedule::tournament(&settings.schedule, seats, bots, [0; 32]).map_err(Failure::Usage)?;
        settings.schedule = settings.schedule.spelt(seats, bots);
        if let Some(Sharding { shards, block_deals }) = settings.sharding {
            if shards == 0 {
                return Err(Failure::Usage(schedule::zero_message("shards")));
            }
            if block_deals == Some(0) {
                return Err(Failure::Usage(schedule::zero_message("deals in a block")));
            }
            let blocks = block_deals.map_or(1, |block| settings.schedule.deals.div_ceil(block));
            if shards.checked_mul(blocks).is_none_or(|pieces| pieces > MOST_PIECES) {
                return Err(Failure::usage(format_args!(
                    "{shards} shards × {blocks} blocks exceed {MOST_PIECES}: use fewer shards or \
                     larger blocks"
                )));
            }
            let first = settings.sharding.and_then(|sharding| {
                let block = sharding.blocks(settings.schedule.deals).next()?;
                Some(sharding.piece(block, 0))
            });
            if let Some(ShardBlock { shard, block }) = first {
                let schedule = settings.schedule.clone();
                let line = ScheduleLine { shard: Some(shard), block, ..schedule };
                Schedule::tournament(&line, seats, bots, [0; 32]).map_err(Failure::Usage)?;
            }
        }
        if settings.conditions.keep_files == FileRetention::OfRun {
            if settings.sharding.is_some() || settings.schedule.shard.is_some() {
                let problem =
                    "`keep-files` and shards cannot be combined: kept files stay on one machine";
                return Err(Failure::usage(problem));
            }
            if bots > MOST_KEPT {
                return Err(Failure::usage(format_args!(
                    "`keep-files` allows at most {MOST_KEPT} bots, not {bots}: their folders are \
                     kept in memory"
                )));
            }
            if !entries.iter().any(|entry| matches!(entry.bot.dialect(), Dialect::Classic(_))) {
                let problem = "`keep-files` has no effect: no bot speaks the classic dialect";
                return Err(Failure::usage(problem));
            }
        }
        let is_test = settings.conditions.sprt.is_some();
        if is_test && settings.extends.is_some() {
            let problem = "a sequential test cannot be extended: start a new tournament";
            return Err(Failure::usage(problem));
        }
        if is_test && (seats, bots) != (2, 2) {
            return Err(Failure::usage(format_args!(
                "--sprt needs 2 bots and 2 seats, not {bots} bots and {seats} seats"
            )));
        }
        Ok(Plan { kind, settings, entries })
    }

    pub fn kind(&self) -> &GameKind {
        &self.kind
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn entries(&self) -> &[PlannedBot] {
        &self.entries
    }

    /// Returns the plan of a piece of this tournament, after the decisions of the blocks before.
    pub fn piece(&self, piece: ShardBlock, decided: Option<PriorDecisions>) -> Plan {
        let mut own = self.clone();
        own.settings.schedule.shard = Some(piece.shard);
        own.settings.schedule.block = piece.block;
        own.settings.sharding = None;
        own.settings.decided = decided;
        own
    }

    /// Returns the schedule. There always is one: it was checked when the plan was made.
    pub fn schedule(&self) -> Option<Schedule> {
        let Settings { options, schedule, seed, .. } = &self.settings;
        let seats = self.kind.seats(options).ok()?;
        let key = seed.commitment().bytes();
        Schedule::tournament(schedule, seats, self.entries.len(), key).ok()
    }

    /// Opens the manifests of bots that are folders.
    pub fn opened(self) -> Result<Plan, Failure> {
        self.opened_by(&|entry| entry.bot.clone().opened())
    }

    /// Replaces each bot by the one that `open` makes of it.
    pub(crate) fn opened_by(
        mut self,
        open: &dyn Fn(&PlannedBot) -> Result<BotSpec, Failure>,
    ) -> Result<Plan, Failure> {
        for entry in &mut self.entries {
            entry.bot = open(entry)?;
        }
        Ok(self)
    }

    /// Prepares the bots for their start; remote bots are asked in this way.
    ///
    /// # Errors
    ///
    /// The name of the first bot that is not ready, and the reason.
    pub fn contenders(
        &self,
        search: &SearchPath,
        remote: Option<&RemoteEndpoint>,
    ) -> Result<Vec<Contender>, (String, ContenderError)> {
        let contender = |entry: &PlannedBot| {
            if let Some(access) = remote.filter(|_| entry.bot.mode() == ProgramMode::Remote) {
                return Ok(Contender::remote(&entry.name, entry.limits, access.clone()));
            }
            let beyond = self.settings.conditions.isolation.outside_access(&entry.name);
            Contender::prepare(&entry.bot, &entry.name, entry.limits, search, &beyond)
                .map_err(|problem| (entry.name.clone(), problem))
        };
        self.entries.iter().map(contender).collect()
    }

    /// Returns the first line of the log, for the bots as they are now.
    pub fn header(&self, contenders: &[Contender]) -> Header {
        let settings = self.settings.clone();
        let commitment = settings.seed.commitment();
        let players = contenders.iter().map(PlayerLine::from).collect();
        Header {
            games: self.schedule().map_or(0, |schedule| schedule.own_games()),
            tournament: Some(TournamentLine {
                extends: settings.extends,
                decided: settings.decided,
                league: settings.league,
                ..TournamentLine::new(settings.schedule)
            }),
            ..Header::new(&self.kind, settings.options, players, commitment)
        }
        .under(&self.settings.conditions)
    }
}

impl ShardBlock {
    /// Returns its plan, after the decisions of the blocks before.
    pub fn plan(self, whole: &Plan, decided: Option<PriorDecisions>) -> Plan {
        whole.piece(self, decided)
    }

    /// Returns the first game of the piece; none if the last block has too few tables for all shards.
    pub fn first_game(self, whole: &Plan) -> Option<u64> {
        self.schedule(whole).and_then(|schedule| schedule.own_from(0))
    }

    /// Returns its number of games, if none is skipped.
    pub fn games(self, whole: &Plan) -> u64 {
        self.schedule(whole).map_or(0, |schedule| schedule.own_games())
    }

    fn schedule(self, whole: &Plan) -> Option<Schedule> {
        self.plan(whole, None).schedule()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedSeed {
    /// The seed stands in the plan.
    Known(CommittedSeed),
    /// The plan has only the commitment to it.
    Apart(Digest),
}

impl PlannedSeed {
    pub fn commitment(&self) -> Digest {
        match self {
            PlannedSeed::Known(seed) => seed.commitment(),
            PlannedSeed::Apart(commitment) => *commitment,
        }
    }

    /// Returns the seed, if it stands in the plan.
    pub fn known_seed(&self) -> Option<&CommittedSeed> {
        match self {
            PlannedSeed::Known(seed) => Some(seed),
            PlannedSeed::Apart(_) => None,
        }
    }

    /// The message about a seed that is kept elsewhere, and was not given.
    pub fn missing(&self) -> Failure {
        let commitment = self.commitment();
        Failure::usage(format_args!(
            "the plan holds only the commitment {commitment}: pass its seed with --seed-file FILE"
        ))
    }

    /// Returns the seed, which may be given apart from the plan.
    pub fn or_given(&self, given: Option<CommittedSeed>) -> Result<CommittedSeed, Failure> {
        match given.or_else(|| self.known_seed().cloned()) {
            None => Err(self.missing()),
            Some(seed) if seed.commitment() != self.commitment() => {
                let commitment = self.commitment();
                Err(Failure::usage(format_args!(
                    "the seed in --seed-file does not match the commitment {commitment}"
                )))
            }
            Some(seed) => Ok(seed),
        }
    }
}

/// Name of the folder of shards, in the folder of the plan.
pub(super) const SHARDS: &str = "shards";

/// Spread of a plan's games over shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharding {
    pub shards: u64,
    /// Number of deals after which bots may be out; by default nothing is decided before all shards are merged.
    pub block_deals: Option<u64>,
}

/// One log of a tournament in shards: the games of a shard, in one block of deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShardBlock {
    pub shard: Shard,
    pub block: Option<Block>,
}

impl Sharding {
    /// Returns the blocks of this number of deals, in order: one of all deals, if the plan has none.
    pub fn blocks(self, deals: u64) -> impl Iterator<Item = Option<Block>> {
        let number = self.block_deals.map_or(1, |block| deals.div_ceil(block.max(1)));
        (0..number).map(move |number| self.block_deals.map(|deals| Block { number, deals }))
    }

    /// Returns the pieces of a block, in the order of their games.
    pub fn pieces(self, block: Option<Block>) -> impl Iterator<Item = ShardBlock> {
        (0..self.shards).map(move |index| self.piece(block, index))
    }

    /// Returns the piece of the shard with this number, from 0.
    pub fn piece(self, block: Option<Block>, index: u64) -> ShardBlock {
        ShardBlock { shard: Shard { index, of: self.shards }, block }
    }
}

impl ShardBlock {
    /// Returns its folder, in the folder of the plan.
    pub fn folder(self, whole: &Path) -> PathBuf {
        let ShardBlock { shard: Shard { index, .. }, block } = self;
        whole.join(SHARDS).join(match block {
            None => index.to_string(),
            Some(block) => format!("{}-{index}", block.number),
        })
    }

    /// Returns its name for messages.
    pub fn name(self) -> String {
        match self.block {
            None => format!("shard {}", self.shard),
            Some(block) => format!("shard {} of block {}", self.shard, block.number),
        }
    }
}

/// The most games that are looked at: of more, as many that are spread over all.
const SAMPLE: u64 = 10_000;

/// The time that a bot took in whole games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamePace {
    pub games: u64,
    pub answers: u64,
    /// Time of these answers in milliseconds.
    pub ms: f64,
}

/// The time that a series will take, from the times of the checks of its bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    pub time: Duration,
    /// The names of the bots without a pace, whose time is missing in it.
    pub unchecked: Vec<String>,
}

/// Estimates how long a series takes, or one of `shards` equal parts of it, if `workers` games are played at once; none
/// if no bot has a pace. A game takes as long as its bots took for their answers in a game of the check.
pub fn estimate(
    series: &Series,
    paces: &[(String, GamePace)],
    shards: u64,
    workers: NonZeroUsize,
) -> Option<Estimate> {
    let players = &series.header().players;
    let pace = |name: &str| paces.iter().find(|(of, _)| of == name).map(|(_, pace)| pace);
    let seconds: Vec<Option<f64>> = players
        .iter()
        .map(|player| pace(&player.name).map(|pace| pace.ms / 1000.0 / pace.games.max(1) as f64))
        .collect();
    if seconds.iter().all(Option::is_none) {
        return None;
    }
    let games = series.header().games;
    let looked_at = games.clamp(1, SAMPLE);
    let of_game = |number: u64| -> f64 {
        // The product of two numbers below 2^30 and 10,000 fits.
        let game = number * games / looked_at;
        let seats = series.seating(game).players;
        seats.values().iter().filter_map(|place| seconds.get(*place).copied().flatten()).sum()
    };
    let mean = (0..looked_at).map(of_game).sum::<f64>() / looked_at as f64;
    let all = mean * games as f64 / shards.max(1) as f64 / workers.get() as f64;
    let time = Duration::try_from_secs_f64(all).ok()?;
    let is_unchecked = |(_, seconds): &(_, &Option<f64>)| seconds.is_none();
    let unchecked = players.iter().zip(&seconds).filter(is_unchecked);
    Some(Estimate { time, unchecked: unchecked.map(|(player, _)| player.name.clone()).collect() })
}

#[cfg(test)]
mod tests {
    use rules::Seed;

    use super::*;

    #[test]
    fn only_the_seed_of_the_commitment_will_do() {
        let [own, other] = [1, 2].map(|byte| CommittedSeed(Seed([byte; 32])));
        let apart = PlannedSeed::Apart(own.commitment());
        assert_eq!(apart.or_given(Some(own.clone())).ok(), Some(own.clone()));
        let missing = apart.or_given(None).expect_err("none").to_string();
        assert!(missing.contains("--seed-file") && missing.contains(&own.commitment().to_string()));
        assert!(apart.or_given(Some(other.clone())).is_err());
        let known = PlannedSeed::Known(own.clone());
        assert_eq!(known.or_given(None).ok(), Some(own));
        assert!(known.or_given(Some(other)).is_err());
    }
}
