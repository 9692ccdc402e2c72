//! `arbiter league standings`, `pairings` and `status`, of a league that may be played meanwhile.

use std::io::Write;
use std::path::Path;

use crate::commands::tournament::StandingsFormat;
use crate::output::OutputFormat;
use contest::tournament::read;
use contest::tournament::sharded::survey::{PieceStatus, all_pieces, planned_players, survey};
use league::calendar;
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::output;
use standings::Standings;
use text::failure::Failure;

/// The bots in the standings of a league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StandingsBots {
    /// The bots that play.
    Active,
    /// Every version of every bot.
    All,
}

/// The games in the standings of a league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedGames {
    /// Those that are not void.
    Corrected,
    /// All that were played.
    AsPlayed,
}

/// Writes the standings of a league after its last finished round.
pub(crate) fn standings(
    path: &Path,
    shown: StandingsBots,
    counted: CountedGames,
    format: StandingsFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    format.write(&visible_standings(path, shown, counted)?, out)
}

/// Writes the same standings as a line of JSON.
pub(crate) fn standings_line(
    path: &Path,
    shown: StandingsBots,
    counted: CountedGames,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    Ok(output::write_standings(&visible_standings(path, shown, counted)?, out)?)
}

fn visible_standings(
    path: &Path,
    shown: StandingsBots,
    counted: CountedGames,
) -> Result<Standings, Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let all = match counted {
        CountedGames::Corrected => LeagueIndex::open(&league, &folder)?.standings(),
        CountedGames::AsPlayed => {
            LeagueIndex::build_in_memory(&league.clone().as_played(), &folder)?.standings()
        }
    };
    Ok(match shown {
        StandingsBots::All => all,
        StandingsBots::Active => league.active_in(&all),
    })
}

/// Shows the state of a league.
pub(crate) fn status(
    path: &Path,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let played = league.open_round().map(|round| played(&folder.round(round.line.round)));
    let calendar = folder.calendar()?;
    let is_running = folder.is_running();
    let status = output::LeagueStatus::new(&league, &calendar, calendar::now(), played, is_running);
    match format {
        OutputFormat::Text => output::tell_status(&status, out)?,
        OutputFormat::Json => output::write_status(&status, out)?,
    }
    Ok(())
}

/// The number of games that count in an open round, in one piece or in shards.
fn played(path: &Path) -> u64 {
    let in_shards = || -> Option<u64> {
        let (plan, sharding) = read::in_shards(path).ok()??;
        let players = planned_players(path, &plan).ok()?;
        let pieces = survey(path, &plan, &players, all_pieces(&plan, sharding));
        Some(pieces.iter().map(PieceStatus::played).sum())
    };
    let whole = || read::part(path).map_or(0, |state| state.games.progress.played());
    in_shards().unwrap_or_else(whole)
}

/// Shows the tables of one round, by default of the last one, with the reason for each.
pub(crate) fn pairings(
    path: &Path,
    round: Option<u64>,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let rounds = league.rounds();
    let found = match round {
        None => rounds.last(),
        Some(number) => rounds.iter().find(|round| round.line.round == number),
    };
    let round = found.ok_or_else(|| {
        Failure::Usage(match rounds.len() {
            0 => "no rounds yet: play one with `arbiter league run`".to_owned(),
            count => format!("no such round: rounds are 0 to {}", count - 1),
        })
    })?;
    match format {
        OutputFormat::Text => output::tell_pairings(round, out)?,
        OutputFormat::Json => output::write_pairings(round, out)?,
    }
    Ok(())
}
