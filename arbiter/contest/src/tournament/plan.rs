//! The plan of a tournament, before anything is played.

use std::collections::BTreeSet;

use rules::{Dialect, Digest, GameKind};

use crate::tournament::planned_seed::PlannedSeed;
use crate::tournament::sharding::{Piece, Sharding};
use bot::{BotSpec, Contender, NotReady, same_name};
use sandbox::{Limits, SearchPath};
use series::Conditions;
use series::schedule::{self, Schedule, ScheduleLine};
use series::{Decided, Header, KeptFiles, LeagueRound, PlayerLine, TournamentLine};
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
    entries: Vec<Entry>,
}

/// Settings of a tournament, without its bots.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The options of the game, in their one spelling.
    pub options: String,
    pub schedule: ScheduleLine,
    /// Head of the log that this one continues, for an extension of an older tournament.
    pub extends: Option<Digest>,
    /// Seed of all deals.
    pub seed: PlannedSeed,
    /// Spread of the games over several machines, if any.
    pub sharding: Option<Sharding>,
    /// Decisions of the blocks before a shard's block.
    pub decided: Option<Decided>,
    pub league: Option<LeagueRound>,
    pub conditions: Conditions,
}

/// A bot of a tournament.
#[derive(Debug, Clone)]
pub struct Entry {
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
        entries: Vec<Entry>,
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
                return Err(Failure::Usage(schedule::none("shards")));
            }
            if block_deals == Some(0) {
                return Err(Failure::Usage(schedule::none("deals in a block")));
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
            if let Some(Piece { shard, block }) = first {
                let schedule = settings.schedule.clone();
                let line = ScheduleLine { shard: Some(shard), block, ..schedule };
                Schedule::tournament(&line, seats, bots, [0; 32]).map_err(Failure::Usage)?;
            }
        }
        if settings.conditions.keep_files == KeptFiles::OfRun {
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

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the plan of a piece of this tournament, after the decisions of the blocks before.
    pub fn piece(&self, piece: Piece, decided: Option<Decided>) -> Plan {
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
        open: &dyn Fn(&Entry) -> Result<BotSpec, Failure>,
    ) -> Result<Plan, Failure> {
        for entry in &mut self.entries {
            entry.bot = open(entry)?;
        }
        Ok(self)
    }

    /// Prepares the bots for their start.
    ///
    /// # Errors
    ///
    /// The name of the first bot that is not ready, and the reason.
    pub fn contenders(&self, search: &SearchPath) -> Result<Vec<Contender>, (String, NotReady)> {
        let contender = |entry: &Entry| {
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
                ..TournamentLine::of(settings.schedule)
            }),
            ..Header::new(&self.kind, settings.options, players, commitment)
        }
        .under(&self.settings.conditions)
    }
}

impl Piece {
    /// Returns its plan, after the decisions of the blocks before.
    pub fn plan(self, whole: &Plan, decided: Option<Decided>) -> Plan {
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
