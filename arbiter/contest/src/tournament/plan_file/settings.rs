//! The settings of a tournament in a plan, checked.

use bot::grants::AskedIsolation;
use bot::limits::{AskedLimit, AskedLimits};
use bot::{BotSpec, spelt_as_names};
use rules::GameKind;
use sandbox::LimitTexts;
use series::conditions::{FaultShare, SuspectFaults};
use series::header::{CommittedSeed, GivenSeed};
use series::schedule::{Orders, ScheduleLine};
use series::{Conditions, MOST_RETRIES, SuspectGames, Treatment};
use text::failure::Failure;
use text::printable;

use super::layout::{PlanFile, wrong_value};
use crate::tournament::plan::{PlannedSeed, Settings, Sharding};

/// Number of deals by default.
pub const DEALS: u64 = 100;

/// Purpose of reading a plan.
pub enum Reader {
    /// To play it: bots that are folders are opened, bots that were handed in are added, and a seed is drawn if none
    /// is named.
    Plays {
        /// The bots that were handed in.
        submitted: Vec<BotSpec>,
        /// The seed of a plan that names none.
        seed: CommittedSeed,
    },
    /// To look at its games, or to go on: the bots may be gone, and are not opened.
    Looks,
}

impl PlanFile {
    pub(super) fn settings(&self, kind: &GameKind, reader: &Reader) -> Result<Settings, Failure> {
        if self.seats.is_some() && self.options.contains("seats=") {
            return Err(wrong_value("seats", "is set twice: as a key and in `options`".to_owned()));
        }
        let is_new = matches!(reader, Reader::Plays { .. });
        let written = [
            ("extends", self.extends.is_some(), "tournament extend"),
            ("first-deal", self.first_deal > 0, "tournament extend"),
            ("shard", self.shard.is_some(), "tournament run-shard"),
            ("block", self.block.is_some(), "tournament run-shard"),
            ("decided", self.decided.is_some(), "tournament run-shard"),
            ("commitment", self.commitment.is_some(), "tournament plan"),
            ("league", self.league.is_some(), "league run"),
        ];
        if let Some((key, _, command)) = written.into_iter().find(|(_, it, _)| is_new && *it) {
            let problem = format!("is set by `arbiter {command}` itself: remove it from the plan");
            return Err(wrong_value(key, problem));
        }
        if self.block_deals.is_some() && self.shards.is_none() {
            return Err(wrong_value("block-deals", "requires `shards`".to_owned()));
        }
        if !Orders::OF_TOURNAMENTS.contains(&self.orders) {
            let problem = format!("invalid value {}: use rotations or all", self.orders.name());
            return Err(wrong_value("orders", problem));
        }
        let retries = self.retries;
        if retries > MOST_RETRIES {
            let problem = format!("{retries} is too many: at most {MOST_RETRIES}");
            return Err(wrong_value("retries", problem));
        }
        if is_new {
            // Later, things that were granted at the beginning may be gone.
            self.allow.check().map_err(|error| wrong_value("allow", error))?;
        }
        let seats = self.seats.map(|seats| format!(" seats={seats}")).unwrap_or_default();
        Ok(Settings {
            options: kind
                .check_options(&format!("{}{seats}", self.options))
                .map_err(|error| wrong_value("options", error))?,
            schedule: ScheduleLine {
                format: self.format,
                orders: self.orders,
                deals: self.deals.unwrap_or(DEALS),
                tables: self.tables,
                listed: Vec::new(),
                shard: self.shard,
                block: self.block,
                first_deal: self.first_deal,
            },
            sharding: self.shards.map(|shards| Sharding { shards, block_deals: self.block_deals }),
            decided: self.decided.clone(),
            league: self.league,
            extends: self.extends,
            seed: match (&self.seed, self.commitment, reader) {
                (Some(seed), ..) => {
                    let given: GivenSeed =
                        seed.parse().map_err(|error| wrong_value("seed", error))?;
                    PlannedSeed::Known(CommittedSeed(given.seed()))
                }
                (None, Some(commitment), _) => PlannedSeed::Apart(commitment),
                (None, None, Reader::Plays { seed, .. }) => PlannedSeed::Known(seed.clone()),
                // Only the organiser who began it knows the cards.
                (None, None, Reader::Looks) => {
                    return Err(wrong_value("seed", "missing".to_owned()));
                }
            },
            conditions: Conditions {
                entropy: self.entropy.clone(),
                treatment: Treatment {
                    retries,
                    suspect_games: self.suspect_games(is_new),
                    ponder: self.ponder,
                },
                disqualify_after: self
                    .disqualify_after
                    .map(|share| share.with(self.suspect_faults(is_new))),
                sprt: self.sprt,
                tie_breaks: self.tie_breaks.clone(),
                keep_files: self.keep_files,
                isolation: AskedIsolation { isolation: self.isolation, grants: self.allow.clone() },
                limits: self.asked_limits()?,
            },
        })
    }

    /// What the plan says of limits for several bots: for all, for those of a name, and which groups there are.
    fn asked_limits(&self) -> Result<AskedLimits, Failure> {
        let mut asked = read_limits(None, &self.limits)?;
        for (name, limits) in &self.limits_of {
            asked.extend(read_limits(Some(name), limits)?);
        }
        let asked: AskedLimits = asked.into_iter().collect();
        asked.with_groups(&self.groups).map_err(|problem| wrong_value("groups", problem))
    }

    /// Refuses keys that only leagues have.
    pub(super) fn is_of_tournament(&self) -> Result<(), Failure> {
        let others = [
            ("rounds", self.rounds.is_some()),
            ("build-time", self.build_time.is_some()),
            ("calendar", self.calendar.is_some()),
            ("quotas", self.quotas.is_some()),
            ("notify", self.notify.is_some()),
            ("pages", self.pages.is_some()),
            ("remote", self.remote.is_some()),
        ];
        match others.into_iter().find(|(_, is_there)| *is_there) {
            None => Ok(()),
            Some((key, _)) => {
                let problem = "applies only to leagues: remove it".to_owned();
                Err(wrong_value(key, problem))
            }
        }
    }

    /// The treatment of suspect games: a plan that was written without it counts them, a new one has them played again.
    fn suspect_games(&self, is_new: bool) -> Option<SuspectGames> {
        let by_default = is_new.then_some(SuspectGames::PlayAgain);
        self.replay_suspect.map(SuspectGames::from).or(by_default)
    }

    /// Tells whether suspect faults count: a plan from before this setting counts them.
    fn suspect_faults(&self, is_new: bool) -> SuspectFaults {
        let by_default = match is_new {
            true => FaultShare::DEFAULT.suspect(),
            false => SuspectFaults::default(),
        };
        self.suspect_faults.unwrap_or(by_default)
    }

    /// Converts the listed tables from names to the places of the bots.
    pub(super) fn listed(&self, names: &[String]) -> Result<Vec<Vec<usize>>, Failure> {
        let place = |name: &String| {
            let name = spelt_as_names(name);
            names.iter().position(|known| *known == name).ok_or_else(|| {
                let (name, names) = (printable(&name), names.join(", "));
                wrong_value("listed", format_args!("unknown bot `{name}`: use one of {names}"))
            })
        };
        self.listed.iter().map(|table| table.iter().map(place).collect()).collect()
    }
}

/// Reads limits for all bots, or for those of a name.
pub(super) fn read_limits(
    to: Option<&str>,
    texts: &LimitTexts,
) -> Result<Vec<AskedLimit>, Failure> {
    AskedLimit::read_all(to, texts).map_err(|(key, problem)| wrong_value(key, problem))
}
