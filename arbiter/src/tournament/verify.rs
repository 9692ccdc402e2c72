//! Verification of a whole tournament: its log, its schedule and its standings.

use std::path::Path;

use thiserror::Error;

use crate::fate::Fate;
use crate::log::{self, Header};
use crate::standings::Standings;
use crate::tournament::count;
use crate::tournament::entrants::Entrants;
use crate::tournament::folder;
use crate::tournament::plan::Plan;
use crate::tournament::plan_file::Reader;
use crate::tournament::read::{self, Unreadable};
use crate::verify::{NotVerified, Verified, Work, verify_each};

/// Why a tournament is not verified; one line.
#[derive(Debug, Error)]
pub enum NotInOrder {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// Its log is not in order.
    #[error("its log: {0}")]
    Log(#[from] NotVerified),
    /// Its log is that of another plan.
    #[error("its log says otherwise than its plan: {0}")]
    Plan(&'static str),
    /// Its list of bots is not that of its log.
    #[error("its entrants.json does not list the bots of its log")]
    Entrants,
    /// Its standings do not follow from its games.
    #[error("its standings are not those that follow from its games")]
    Standings,
    /// It has no standings although it is over.
    #[error("its standings are missing, `arbiter tournament resume` writes them")]
    NoStandings,
}

/// Derives everything in the folder of a tournament again: every game, that there are just those
/// that its plan says, and the standings.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify(path: &Path, work: Work<'_>) -> Result<Verified, NotInOrder> {
    let plan = read::plan(path, Reader::Looks)?;
    let mut tally = None;
    let source = log::open(&folder::games(path)).map_err(Unreadable::from)?;
    let verified = verify_each(source, work, &mut |series, game, fate| {
        let tally = tally.get_or_insert_with(|| count::tally(series, plan.settings().sprt));
        match fate {
            Fate::Counts => count::add(tally, series, game),
            Fate::Again | Fate::Stops => Ok(()),
        }
    })?;
    check_header(path, &plan, verified.series.header())?;
    let tally = tally.unwrap_or_else(|| count::tally(&verified.series, plan.settings().sprt));
    check_standings(path, &tally.standings())?;
    Ok(verified)
}

/// Whether a log with this header is that of the plan and of the bots in the folder.
pub(crate) fn check_header(path: &Path, plan: &Plan, logged: &Header) -> Result<(), NotInOrder> {
    check_plan(plan, logged)?;
    check_entrants(path, logged)
}

/// Whether the standings that a tournament ended with are those that follow from its games.
pub(crate) fn check_standings(path: &Path, standings: &Standings) -> Result<(), NotInOrder> {
    let written = folder::read_standings(path).map_err(Unreadable::from)?;
    let follow = folder::written(standings).map_err(Unreadable::from)?;
    match written {
        None => Err(NotInOrder::NoStandings),
        Some(written) if written == follow => Ok(()),
        Some(_) => Err(NotInOrder::Standings),
    }
}

/// Whether the list of bots is that of the log; who was refused stands nowhere else.
fn check_entrants(path: &Path, logged: &Header) -> Result<(), NotInOrder> {
    let text = folder::read_entrants(path).map_err(|_| NotInOrder::Entrants)?;
    let listed: Entrants = serde_json::from_str(&text).map_err(|_| NotInOrder::Entrants)?;
    let follow = Entrants::new(&logged.players, listed.refused.clone());
    if follow == listed { Ok(()) } else { Err(NotInOrder::Entrants) }
}

/// Whether a log is that of a plan, whatever programs were behind its bots.
fn check_plan(plan: &Plan, logged: &Header) -> Result<(), NotInOrder> {
    let planned = plan.header(&[]);
    let bots = |same: bool| same.then_some(()).ok_or(NotInOrder::Plan("its bots"));
    bots(plan.entries().len() == logged.players.len())?;
    for (entry, player) in plan.entries().iter().zip(&logged.players) {
        let is_same = entry.name == player.name
            && entry.bot.command() == player.command
            && entry.bot.dialect() == player.dialect
            && log::LimitsLine::from(entry.limits) == player.limits;
        bots(is_same)?;
    }
    let same = [
        (logged.game == planned.game && logged.options == planned.options, "its game"),
        (logged.tournament == planned.tournament, "its schedule"),
        (logged.commitment == planned.commitment, "its seed"),
        (logged.entropy == planned.entropy, "its entropy"),
        (logged.retries == planned.retries, "its second chances"),
        (logged.suspect_games == planned.suspect_games, "its suspect games"),
    ];
    match same.iter().find(|(same, _)| !same) {
        None => Ok(()),
        Some((_, what)) => Err(NotInOrder::Plan(what)),
    }
}
