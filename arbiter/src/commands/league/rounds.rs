//! The beginning of a round in the log of a league, whether it is played here or in shards.

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::time::Duration;
use std::{fmt, thread};

use bot::grants::{IsolationSpec, OutsideAccess};
use bot::manifest::ProgramMode;
use bot::{Contender, ContenderError, Location};
use contest::playing::remote::is_connected;
use contest::setup;
use contest::tournament::plan::{Plan, Settings};
use contest::tournament::sharded::Sharding;
use league::events::{self, LeagueEvent};
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::line::{EnterLine, LONGEST_REASON, LeagueLine, RoundLine, WithdrawLine};
use league::remote::NO_REMOTE_BOTS;
use league::settings::{self, LeagueSettings};
use league::stage::{ForfeitRule, NextRound, Stage};
use league::{BotVersion, League, calendar, round_folder, rounds, stage_request};
use series::header::CommittedSeed;
use text::failure::Failure;
use text::printable;
use text::shell::word;
use text::terminal::say;

use crate::commands::usage_of;

/// The time between two looks at a stage that is about to begin.
pub(super) const ATTENTION: Duration = Duration::from_millis(100);

/// The way in which the next round is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoundSharding {
    /// By one program, with at most this number of games if there is a bound.
    Whole(Option<NonZeroU64>),
    /// In this number of shards, or fewer if it has fewer tables.
    Shards(NonZeroU64),
}

impl RoundSharding {
    fn most_games(self) -> Option<NonZeroU64> {
        match self {
            RoundSharding::Whole(most) => most,
            RoundSharding::Shards(_) => None,
        }
    }

    fn sharding(self, line: &RoundLine) -> Option<Sharding> {
        match self {
            RoundSharding::Whole(_) => None,
            RoundSharding::Shards(shards) => Some(sharding(shards, line)),
        }
    }
}

/// Returns how a round is cut into this number of shards, or into as many as it has tables of a deal.
pub(super) fn sharding(shards: NonZeroU64, line: &RoundLine) -> Sharding {
    let most = line.deals.saturating_mul(line.tables.len() as u64).max(1);
    Sharding { shards: shards.get().min(most), block_deals: None }
}

#[derive(Debug)]
pub(super) enum AnnounceResult {
    Round(RoundLine),
    /// The log has changed since the league was read, or is about to, so the choice may be another one.
    Changed,
    /// The league has ended by its calendar, as this line says.
    Ended(String),
}

#[derive(Debug)]
pub(super) struct RoundAnnouncer {
    folder: LeagueFolder,
    /// The bots for which a warning has said that they cannot play.
    warned: BTreeSet<BotVersion>,
}

impl RoundAnnouncer {
    pub(super) fn new(folder: LeagueFolder) -> RoundAnnouncer {
        RoundAnnouncer { folder, warned: BTreeSet::new() }
    }

    /// Chooses the next round and writes it into the log.
    pub(super) fn announce(
        &mut self,
        league: &League,
        index: &LeagueIndex,
        spread: RoundSharding,
    ) -> Result<AnnounceResult, Failure> {
        if league.open_stage().is_none() && stage_request::is_awaited(&self.folder) {
            thread::sleep(ATTENTION);
            return Ok(AnnounceResult::Changed);
        }
        let LeagueSettings { settings, size, calendar, remote, .. } =
            settings::load(&self.folder, league)?;
        let seed = CommittedSeed(setup::seed_or_drawn(None)?);
        if let Some(stage) = league.open_stage() {
            let gone = self.missing_bots(league, stage, &settings.conditions.isolation)?;
            if !gone.is_empty() {
                withdraw(&self.folder, stage.line.stage, &gone)?;
                return Ok(AnnounceResult::Changed);
            }
        }
        let commitment = seed.commitment();
        let line = match league.open_stage() {
            Some(stage) => rounds::next_of_stage(league, stage, commitment),
            None => {
                let startable = self.startable(league, &settings.conditions.isolation);
                let may_play = |bot: &BotVersion| startable.contains(bot);
                let most = spread.most_games();
                let replay = rounds::next_replay(league, size, most, &may_play, commitment);
                let ended = calendar.ended(calendar::now());
                match (replay, ended) {
                    (Some(line), _) => Ok(line),
                    (None, Some(end)) => {
                        let end = calendar.time_text(end);
                        return Ok(AnnounceResult::Ended(format!(
                            "the league has ended, at {end}"
                        )));
                    }
                    (None, None) => {
                        let standings = index.standings();
                        rounds::next_round(league, &standings, size, most, &may_play, commitment)
                    }
                }
            }
        }
        .map_err(|error| usage_of(self.folder.path(), error))?;
        let settings = Settings { sharding: spread.sharding(&line), ..settings };
        let bots = round_folder::bots(&self.folder, league, &line)?;
        let bot =
            |version: &BotVersion| bots.iter().find(|(it, _)| it == version).map(|it| it.1.clone());
        let plan: Plan = rounds::plan(league, &line, league.head(), settings, &bot, seed, remote)
            .map_err(|error| usage_of(self.folder.path(), error))?;
        round_folder::lay_out(&self.folder, league, &line, &plan)?;
        // The plan is on the disk, so the seed that the line commits to is not lost.
        let mut is_current = true;
        self.folder.append(|now| {
            is_current = now.head() == league.head();
            let announced = LeagueLine::Round(Box::new(line.clone()));
            Ok::<_, Failure>(if is_current { vec![announced] } else { Vec::new() })
        })?;
        Ok(if is_current { AnnounceResult::Round(line) } else { AnnounceResult::Changed })
    }

    /// The bots of the next round of a stage whose files are gone or have changed, each with the reason.
    ///
    /// # Errors
    ///
    /// A failure of the machine, and one if it holds for all bots of the round: then something else is wrong. In stages of
    /// earlier versions no bot leaves.
    fn missing_bots(
        &self,
        league: &League,
        stage: &Stage,
        isolation: &IsolationSpec,
    ) -> Result<Vec<(BotVersion, String)>, Failure> {
        let Ok(NextRound::Round { tables, .. }) = stage.next() else { return Ok(Vec::new()) };
        let seats = tables.iter().flat_map(|table| table.bots);
        let bots: BTreeSet<&BotVersion> = seats.filter_map(|seed| stage.bot(seed)).collect();
        let mut gone = Vec::new();
        for member in league.members().iter().filter(|it| bots.contains(&it.entry.bot)) {
            let beyond = isolation.outside_access(&member.entry.bot.to_string());
            match unchanged_contender(&self.folder, &member.entry, beyond) {
                Ok(_) => {}
                Err(BotStartError::Files(why)) => gone.push((member.entry.bot.clone(), why)),
                Err(problem @ BotStartError::Machine(_)) => return Err(problem.into()),
            }
        }
        match gone.first() {
            Some((_, why))
                if gone.len() == bots.len() || stage.line.forfeits == ForfeitRule::Unlisted =>
            {
                Err(stays_open(&self.folder, why))
            }
            _ => Ok(gone),
        }
    }

    /// The bots that play and can be started, with one warning for each bot that cannot.
    fn startable(&mut self, league: &League, isolation: &IsolationSpec) -> BTreeSet<BotVersion> {
        let mut startable = BTreeSet::new();
        for (_, member) in league.active() {
            let beyond = isolation.outside_access(&member.entry.bot.bot);
            let found = unchanged_contender(&self.folder, &member.entry, beyond);
            match found.and_then(|bot| must_be_connected(&bot)) {
                Ok(()) => {
                    startable.insert(member.entry.bot.clone());
                }
                Err(problem) => {
                    if self.warned.insert(member.entry.bot.clone()) {
                        let until = match member.entry.mode == ProgramMode::Remote {
                            true => "it connects",
                            false => "re-entered with `arbiter league add`",
                        };
                        say(format!("warning: {problem}; it is skipped until {until}"));
                    }
                }
            }
        }
        startable
    }
}

/// The failure to play a stage in which bots cannot be started.
pub(super) fn stays_open(folder: &LeagueFolder, why: &str) -> Failure {
    let folder = word(folder.path());
    Failure::Start(format!(
        "{why}: restore its files, or end the stage with `arbiter league stage {folder} --end`"
    ))
}

#[derive(Debug)]
pub(super) enum BotStartError {
    /// Its own files are gone, or have changed, as this line says.
    Files(String),
    /// The fault of the machine or of its settings.
    Machine(Failure),
}

impl From<BotStartError> for Failure {
    fn from(problem: BotStartError) -> Failure {
        match problem {
            BotStartError::Files(why) => Failure::Start(why),
            BotStartError::Machine(failure) => failure,
        }
    }
}

impl fmt::Display for BotStartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotStartError::Files(why) => f.write_str(why),
            BotStartError::Machine(failure) => failure.fmt(f),
        }
    }
}

/// A bot ready to start; fails if it has changed since it entered.
pub(super) fn unchanged_contender(
    folder: &LeagueFolder,
    entry: &EnterLine,
    beyond: OutsideAccess,
) -> Result<Contender, BotStartError> {
    let spec = folder.entered_bot(entry).map_err(BotStartError::Files)?;
    let search = setup::search_path().map_err(BotStartError::Machine)?;
    let name = entry.bot.to_string();
    let limits = sandbox::Limits::DEFAULT;
    if entry.mode == ProgramMode::Remote {
        return match folder.remote().map_err(BotStartError::Machine)? {
            Some(terms) => Ok(Contender::remote(&name, limits, terms.access(folder.path()))),
            None => {
                let problem = format!("bot `{name}`: {NO_REMOTE_BOTS}");
                Err(BotStartError::Machine(Failure::Start(problem)))
            }
        };
    }
    let beyond = beyond.apart_from(&[folder.path().to_path_buf()]);
    let contender =
        Contender::prepare(&spec, &name, limits, &search, &beyond).map_err(|error| {
            let is_own_path = || spec.words().first().is_some_and(|word| word.contains('/'));
            let why = format!("bot `{name}`: {error}");
            match error {
                ContenderError::NotThere { .. }
                | ContenderError::NotBuilt { .. }
                | ContenderError::NoScript { .. }
                | ContenderError::Unreadable { .. } => BotStartError::Files(why),
                ContenderError::Program(_) if is_own_path() => BotStartError::Files(why),
                _ => BotStartError::Machine(Failure::Start(why)),
            }
        })?;
    match contender.digests() == entry.files {
        true => Ok(contender),
        false => Err(BotStartError::Files(format!("bot `{name}` has changed since it entered"))),
    }
}

/// Fails unless the program of a remote bot is there; one in a stage must see to that itself.
fn must_be_connected(bot: &Contender) -> Result<(), BotStartError> {
    match &bot.location {
        Location::Remote(access) if !is_connected(access, &bot.name) => {
            Err(BotStartError::Files(format!("remote bot `{bot}` is not connected")))
        }
        Location::Remote(_) | Location::Here(_) => Ok(()),
    }
}

/// Takes these bots out of the open stage, since their files are gone.
pub(super) fn withdraw(
    folder: &LeagueFolder,
    stage: u64,
    gone: &[(BotVersion, String)],
) -> Result<(), Failure> {
    let line = |(bot, why): &(BotVersion, String)| {
        let reason = printable(why).chars().take(LONGEST_REASON).collect();
        LeagueLine::Withdraw(WithdrawLine { stage, bot: bot.clone(), reason })
    };
    folder.append(|now| {
        let open = now.open_stage().filter(|open| open.line.stage == stage);
        let plays = |bot: &BotVersion| {
            open.is_some_and(|open| {
                let seed = open.line.bots.iter().position(|it| it == bot);
                seed.is_some_and(|seed| !open.leavers().has(seed))
            })
        };
        Ok::<_, Failure>(gone.iter().filter(|(bot, _)| plays(bot)).map(line).collect())
    })?;
    for (bot, why) in gone {
        say(format!("warning: {why}: {bot} leaves stage {stage}"));
        let (bot, reason) = (bot.clone(), why.clone());
        events::add(folder, LeagueEvent::Withdrawn { bot, stage, reason });
    }
    Ok(())
}
