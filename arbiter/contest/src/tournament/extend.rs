//! Extending a tournament beyond its plan: with other bots, or for longer.
//!
//! An extension is a tournament with a plan, a log and standings of its own, whose header names the
//! head of the log before it. So anyone with its head can prove the logs before it, too.
//!
//! If the log before has its end, everyone knows its seed, and the extension commits to a new one.
//! If it has no end, its seed is still secret, and the extension must continue with it: its deals
//! are those that were not begun. So a tournament cannot get other cards by being broken
//! off. The end of the extension then reveals the seed of both.

use bot::grants::{Grants, IsolationSpec};
use rules::Digest;
use series::Header;
use series::header::CommittedSeed;
use series::schedule::{Format, ScheduleLine};
use text::failure::Failure;
use thiserror::Error;

use crate::tournament::plan::{Plan, PlannedBot, PlannedSeed, Settings};
use crate::tournament::read::PartLog;

/// Changes from one part of a tournament to the next.
pub struct Extension<'a> {
    /// Names of the bots that leave.
    pub without: &'a [String],
    /// Bots that join.
    pub new: Vec<PlannedBot>,
    pub grants: Grants,
    /// Number of deals; by default the rest of the previous plan.
    pub deals: Option<u64>,
    /// True if the user has asked for a certain seed, or for words.
    pub asks_for_seed: bool,
    /// Draws the new seed, if one is needed since the old one is known.
    pub draw_seed: &'a dyn Fn() -> Result<CommittedSeed, String>,
    /// The entropy of the new seed.
    pub entropy: Vec<String>,
}

/// Makes the plan of the next part of a tournament from the plan of the last part. There is a log
/// of each part so far.
///
/// Bots that are out of the tournament for too many faults stay out.
pub fn plan(last: &Plan, logs: &[PartLog], change: Extension<'_>) -> Result<Plan, Failure> {
    let log = logs.last().ok_or_else(|| Failure::usage("it has no log"))?;
    let settings = last.settings();
    if settings.schedule.shard.is_some() {
        return Err(Failure::usage(
            "cannot extend a shard: run `arbiter tournament merge` and extend the result",
        ));
    }
    if settings.schedule.format == Format::Listed {
        return Err(Failure::usage(
            "a tournament with listed tables cannot be extended: start a new one",
        ));
    }
    let left = settings.schedule.first_deal.saturating_add(settings.schedule.deals);
    let left = left.saturating_sub(log.next_deal);
    let deals = match change.deals {
        Some(deals) => deals,
        None if log.has_end || left == 0 => {
            return Err(Failure::usage("all planned deals have been played: add `--deals N`"));
        }
        None => left,
    };
    let seed = match (log.has_end, change.asks_for_seed) {
        (true, _) => PlannedSeed::Known(new_seed(logs, change.draw_seed)?),
        (false, true) => {
            return Err(Failure::usage(
                "an unfinished tournament keeps its seed: remove --seed and --entropy",
            ));
        }
        (false, false) => settings.seed.clone(),
    };
    let mut entries = staying(last, log, change.without)?;
    let has_played = |entry: &&PlannedBot| {
        let mut players = logs.iter().flat_map(|log| &log.games.series.header().players);
        players.any(|player| player.name == entry.name)
    };
    if let Some(known) = change.new.iter().find(has_played) {
        return Err(Failure::usage(format_args!(
            "the name `{0}` is taken: use another, such as `{0}-2=COMMAND`",
            known.name
        )));
    }
    entries.extend(change.new);
    let schedule = ScheduleLine { deals, first_deal: log.next_deal, ..settings.schedule.clone() };
    let mut conditions = settings.conditions.clone();
    if log.has_end {
        conditions.entropy = change.entropy;
    }
    let IsolationSpec { grants, .. } = &mut conditions.isolation;
    *grants = grants.and(&change.grants);
    let extends = Some(log.head);
    let sharding = None;
    let settings = Settings { schedule, seed, sharding, extends, conditions, ..settings.clone() };
    Plan::new(last.kind().clone(), settings, entries)
}

/// Draws a seed that no part so far has revealed.
fn new_seed(
    logs: &[PartLog],
    draw: &dyn Fn() -> Result<CommittedSeed, String>,
) -> Result<CommittedSeed, Failure> {
    let seed = draw().map_err(Failure::Usage)?;
    let mut known = logs.iter().map(|log| log.games.series.header().commitment);
    match known.any(|commitment| commitment == seed.commitment()) {
        true => Err(Failure::usage("this seed is already public: use a new one")),
        false => Ok(seed),
    }
}

fn staying(last: &Plan, log: &PartLog, without: &[String]) -> Result<Vec<PlannedBot>, Failure> {
    let names = || last.entries().iter().map(|entry| entry.name.clone());
    if let Some(name) = without.iter().find(|name| !names().any(|known| known == **name)) {
        return Err(Failure::usage(format_args!(
            "unknown bot `{name}`: use one of {}",
            names().collect::<Vec<_>>().join(", ")
        )));
    }
    let stays = |place: usize, entry: &PlannedBot| {
        !without.contains(&entry.name) && log.games.progress.out_after(place).is_none()
    };
    let format = last.settings().schedule.format;
    if let Some(first) = last.entries().first()
        && format == Format::Gauntlet
        && !stays(0, first)
    {
        return Err(Failure::usage(format_args!(
            "`{}` is the gauntlet challenger and cannot be withdrawn",
            first.name
        )));
    }
    let entries = last.entries().iter().enumerate();
    Ok(entries.filter(|(place, entry)| stays(*place, entry)).map(|(_, it)| it.clone()).collect())
}

/// A difference between two parts of a tournament that does not let the later one continue the earlier one.
#[derive(Debug, Error)]
pub enum ExtensionError {
    #[error("the rules of {0} have changed: restore the folder `game`")]
    Rules(String),
    #[error(
        "bot `{0}` has changed: restore its files, or use `--without {0}` and add the new version \
         as `{0}-2=COMMAND`"
    )]
    Bot(String),
}

/// Checks that the rules and the bots of the next part are the same as before under the same names.
pub fn check_players(before: &Header, next: &Header) -> Result<(), ExtensionError> {
    if before.rules != next.rules {
        return Err(ExtensionError::Rules(next.game.clone()));
    }
    for player in &next.players {
        let known = before.players.iter().find(|known| known.name == player.name);
        if known.is_some_and(|known| known != player) {
            return Err(ExtensionError::Bot(player.name.clone()));
        }
    }
    Ok(())
}

/// Facts about a part that show whether another one continues from it.
#[derive(Debug, Clone, Copy)]
pub struct PartLink<'a> {
    /// The first line of its log.
    pub header: &'a Header,
    /// Digest of its last line.
    pub head: Digest,
    /// The number of the first deal without a game in it.
    pub next_deal: u64,
    /// True if its end reveals the seed.
    pub has_end: bool,
    /// Names of the bots that are out of the tournament after it.
    pub out: &'a [String],
}

impl PartLink<'_> {
    /// Checks that the next part continues from this one.
    ///
    /// # Errors
    ///
    /// Says what does not fit, as the end of a sentence about the log of the next part.
    pub fn check(self, next: &Header) -> Result<(), String> {
        let Some(line) = &next.tournament else { return Err("is the log of a match".to_owned()) };
        let header = self.header;
        let same_seed = next.commitment == header.commitment && next.entropy == header.entropy;
        let same_game = next.game == header.game
            && next.rules == header.rules
            && next.options == header.options;
        let checks = [
            (line.extends == Some(self.head), "does not continue the log before it"),
            (line.schedule.first_deal == self.next_deal, "does not begin with the next deal"),
            (same_game, "is for a different game than the log before it"),
            (self.has_end || same_seed, "has a new seed, and the one before it is not revealed"),
        ];
        let wrong = checks.iter().find(|(is_right, _)| !is_right);
        wrong.map_or(Ok(()), |(_, problem)| Err((*problem).to_owned()))
    }

    /// Checks that a later part, not only the next one, fits this one: its bots are the
    /// same under the same names, none of them was out, and its cards were not known before.
    pub(crate) fn check_earlier(self, later: &Header) -> Result<(), String> {
        if self.has_end && later.commitment == self.header.commitment {
            return Err("has a seed that was revealed before it".to_owned());
        }
        let plays = |name: &&String| later.players.iter().any(|player| player.name == **name);
        if let Some(name) = self.out.iter().find(plays) {
            return Err(format!("has the bot `{name}`, which was disqualified before it"));
        }
        check_players(self.header, later).map_err(|error| match error {
            ExtensionError::Bot(name) => format!("has a different bot named `{name}`"),
            ExtensionError::Rules(game) => format!("has different rules for {game}"),
        })
    }
}
