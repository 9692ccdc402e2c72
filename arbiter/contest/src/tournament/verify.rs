//! Verification of a whole tournament: its log, its schedule and its standings.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::playing::count;
use crate::tournament::entrants::{Entrants, Refused};
use crate::tournament::extend::Link;
use crate::tournament::folder::{self, shown};
use crate::tournament::parts::Parts;
use crate::tournament::plan::Plan;
use crate::tournament::plan_file::Reader;
use crate::tournament::read::{self, Unreadable};
use crate::tournament::sharded::beside::{NotBeside, check_shards};
use record::checked_log::LogRange;
use record::verify::{Verified, VerifyJob, verify_each};
use record::{self, BadLog};
use sandbox::file::LONGEST_TEXT;
use series::committed_seed::CommittedSeed;
use series::game_status::GameStatus;
use series::{Granted, Header};
use standings::Standings;

/// Reason why a tournament is not verified; one line.
#[derive(Debug, Error)]
pub enum NotInOrder {
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error("its log: {0}")]
    Log(#[from] BadLog),
    #[error("its log contradicts its plan: {0}")]
    Plan(&'static str),
    #[error("its entrants.json does not list the bots of its log")]
    Entrants,
    #[error("its standings do not match its games")]
    Standings,
    #[error("its log {0}")]
    Link(String),
    #[error("`{0}`, which extends it: {1}")]
    Extension(String, Box<NotInOrder>),
    #[error(
        "its standings.json has format {found}, not {}: rewrite it with `arbiter tournament \
         standings FOLDER --format json`",
        Standings::FORMAT
    )]
    StandingsFormat { found: u64 },
    #[error(transparent)]
    Shards(#[from] NotBeside),
    #[error("unfinished: continue it with `arbiter tournament resume`")]
    NotOver,
    #[error("standings missing: write them with `arbiter tournament resume`")]
    NoStandings,
}

/// Derives everything in the folder of a tournament again: the games, their number by the plan,
/// and the standings; and checks that each part continues from the one before. Returns the
/// verified parts in order.
pub fn verify(path: &Path, work: VerifyJob<'_>) -> Result<Vec<Verified>, NotInOrder> {
    let paths = Parts::begun(path).all();
    let extents = extents(&paths)?;
    let mut parts: Vec<Part> = Vec::new();
    for (place, (path, extent)) in paths.iter().zip(extents).enumerate() {
        let series = read::series(path)?;
        let part = check_link(&parts, series.header())
            .and_then(|()| verify_part(path, &paths[..place], extent, work));
        parts.push(part.map_err(|error| match place {
            0 => error,
            _ => NotInOrder::Extension(shown(path), Box::new(error)),
        })?);
    }
    Ok(parts.into_iter().map(|part| part.verified).collect())
}

/// Derives the games so far of a tournament that has not ended, of one part: everything but the cards, whose seed is
/// revealed at the end.
pub fn verify_so_far(path: &Path, work: VerifyJob<'_>) -> Result<Verified, NotInOrder> {
    match Parts::begun(path).all().as_slice() {
        [only] => Ok(verify_part(only, &[], LogRange::SoFar, work)?.verified),
        _ => Err(NotInOrder::NotOver),
    }
}

struct Part {
    verified: Verified,
    next_deal: u64,
}

impl Part {
    fn link(&self) -> Link<'_> {
        let Verified { series, head, has_end, out, .. } = &self.verified;
        let (header, next_deal) = (series.header(), self.next_deal);
        Link { header, head: *head, next_deal, has_end: *has_end, out }
    }
}

/// Returns the extent of each part's log: the last one must go to its end, and an earlier one only
/// if no later one continues with its seed.
fn extents(paths: &[PathBuf]) -> Result<Vec<LogRange>, NotInOrder> {
    let mut extents = Vec::new();
    let mut later: Option<CommittedSeed> = None;
    for path in paths.iter().rev() {
        let mut log = read::opened(path)?;
        let own = record::revealed_seed(&mut log).map_err(Unreadable::from)?;
        extents.push(match &later {
            Some(seed) if own.is_none() && is_committed_to(path, seed)? => {
                LogRange::Continued(seed.clone())
            }
            _ => LogRange::Whole,
        });
        let is_last = extents.len() == 1;
        if is_last && paths.len() > 1 && own.is_none() {
            return Err(NotInOrder::Extension(shown(path), Box::new(NotInOrder::NotOver)));
        }
        later = own.or(later);
    }
    extents.reverse();
    Ok(extents)
}

/// Returns true if the log of a part commits to this seed.
fn is_committed_to(path: &Path, seed: &CommittedSeed) -> Result<bool, NotInOrder> {
    Ok(read::series(path)?.header().commitment == seed.commitment())
}

fn verify_part(
    path: &Path,
    before: &[PathBuf],
    extent: LogRange,
    work: VerifyJob<'_>,
) -> Result<Part, NotInOrder> {
    let plan = read::plan(path, Reader::Looks)?;
    let mut tally = read::series(path).and_then(|series| read::tally(&series, before))?;
    let mut next_deal = plan.settings().schedule.first_deal;
    let source = read::opened(path)?;
    let verified = verify_each(source, extent, work, &mut |series, game, status| {
        next_deal = game.deal + 1;
        match status {
            GameStatus::Counts => count::add(&mut tally, series, game),
            GameStatus::Again | GameStatus::GivenUp | GameStatus::Stops => Ok(()),
        }
    })?;
    check_header(path, &plan, verified.series.header())?;
    if verified.has_end {
        check_standings(path, &tally.standings())?;
        check_shards(path, &plan, work)?;
    }
    Ok(Part { verified, next_deal })
}

/// Checks that a part continues from the last one before it, and fits all of them.
fn check_link(before: &[Part], next: &Header) -> Result<(), NotInOrder> {
    let extends = next.tournament.as_ref().and_then(|line| line.extends);
    let Some(last) = before.last() else {
        return match extends {
            None => Ok(()),
            Some(_) => Err(NotInOrder::Link("continues a log that is missing".to_owned())),
        };
    };
    last.link().check(next).map_err(NotInOrder::Link)?;
    before.iter().try_for_each(|it| it.link().check_earlier(next)).map_err(NotInOrder::Link)
}

/// Checks that a log with this header belongs to the plan and the bots in the folder. Returns
/// the refused bots, which stand nowhere else.
pub fn check_header(path: &Path, plan: &Plan, logged: &Header) -> Result<Vec<Refused>, NotInOrder> {
    check_plan(plan, logged)?;
    check_entrants(path, logged)
}

/// Checks that the final standings of a tournament follow from its games.
pub fn check_standings(path: &Path, standings: &Standings) -> Result<(), NotInOrder> {
    let follow = folder::written(standings).map_err(Unreadable::from)?;
    let most = LONGEST_TEXT.max(follow.len() as u64);
    let written = folder::read_standings(path, most).map_err(Unreadable::from)?;
    match written {
        None => Err(NotInOrder::NoStandings),
        Some(written) if written == follow => Ok(()),
        Some(written) => Err(match format(&written) {
            Some(found) if found != Standings::FORMAT => NotInOrder::StandingsFormat { found },
            _ => NotInOrder::Standings,
        }),
    }
}

/// Returns the format of standings; none if they cannot be read.
fn format(standings: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct WithFormat {
        #[serde(default = "first")]
        format: u64,
    }
    fn first() -> u64 {
        1
    }
    serde_json::from_str::<WithFormat>(standings).ok().map(|read| read.format)
}

/// Checks that the list of bots matches the log, and returns the refused bots.
fn check_entrants(path: &Path, logged: &Header) -> Result<Vec<Refused>, NotInOrder> {
    let text = folder::read_entrants(path).map_err(Unreadable::from)?;
    let text = text.ok_or(NotInOrder::Entrants)?;
    let listed: Entrants = serde_json::from_str(&text).map_err(|_| NotInOrder::Entrants)?;
    let follow = Entrants::new(&logged.players, listed.refused.clone());
    if follow == listed { Ok(listed.refused) } else { Err(NotInOrder::Entrants) }
}

/// Checks that a log belongs to a plan, without looking at the programs of its bots.
fn check_plan(plan: &Plan, logged: &Header) -> Result<(), NotInOrder> {
    let planned = plan.header(&[]);
    let bots = |same: bool| same.then_some(()).ok_or(NotInOrder::Plan("its bots"));
    bots(plan.entries().len() == logged.players.len())?;
    for (entry, player) in plan.entries().iter().zip(&logged.players) {
        let is_same = entry.name == player.name
            && entry.bot.command() == player.command
            && entry.bot.dialect() == player.dialect
            && entry.bot.mode() == player.mode
            && entry.limits.in_milliseconds() == player.limits
            && Granted::to(&entry.name, &plan.settings().conditions.isolation.grants)
                == player.granted;
        bots(is_same)?;
    }
    let tie_breaks = |header: &Header| Some(header.tournament.as_ref()?.tie_breaks.clone());
    let same = [
        (logged.game == planned.game && logged.options == planned.options, "its game"),
        (tie_breaks(logged) == tie_breaks(&planned), "its tie-breaks"),
        (logged.tournament == planned.tournament, "its schedule"),
        (logged.commitment == planned.commitment, "its seed"),
        (logged.entropy == planned.entropy, "its entropy"),
        (logged.retries == planned.retries, "its retries"),
        (logged.suspect_games == planned.suspect_games, "its suspect games"),
        (logged.ponder == planned.ponder, "whether bots may ponder"),
    ];
    match same.iter().find(|(same, _)| !same) {
        None => Ok(()),
        Some((_, what)) => Err(NotInOrder::Plan(what)),
    }
}
