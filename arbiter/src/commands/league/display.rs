//! `arbiter league standings`, `pairings`, `status` and `events`, of a league that may be played meanwhile.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use bot::spelt_as_names;
use clap::Args;
use contest::tournament::folder::shown;
use contest::tournament::read;
use contest::tournament::sharded::survey::{PieceStatus, all_pieces, planned_players, survey};
use league::events::{self, StoredEvent};
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::replaying::GameMarks;
use league::{League, calendar, output};
use text::failure::Failure;
use text::system_error;

use crate::commands::tournament::{formats_of_standings, standings_format};
use crate::options::number;

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league standings class --all --format csv")]
pub(super) struct StandingsArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Count void games, too
    #[arg(long)]
    as_played: bool,
    /// Include all versions and retired bots
    #[arg(long)]
    all: bool,
    /// Leave out remote bots; ratings still follow from all games
    #[arg(long)]
    without_remote: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = formats_of_standings())]
    format: String,
    /// Print JSON, as `arbiter league run --json` does
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl StandingsArgs {
    /// Writes the standings of a league after its last finished round.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let league = folder.read()?;
        let all = match self.as_played {
            true => LeagueIndex::build_in_memory(&League::clone(&league).as_played(), &folder)?
                .standings(),
            false => LeagueIndex::open(&league, &folder)?.standings(),
        };
        let standings = if self.all { all } else { league.active_in(&all) };
        let standings = if self.without_remote { standings.without_remote() } else { standings };
        match self.json {
            true => Ok(output::write_standings(&standings, out)?),
            false => standings_format(&self.format).write(&standings, out),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league status class")]
pub(super) struct StatusArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    /// Shows the state of a league.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let league = folder.read()?;
        let played = league.open_round().map(|round| played(&folder.round(round.line.round)));
        let calendar = folder.calendar()?;
        let is_running = folder.is_running();
        let status =
            output::LeagueStatus::new(&league, &calendar, calendar::now(), played, is_running);
        match self.json {
            false => output::tell_status(&status, out)?,
            true => output::write_status(&status, out)?,
        }
        Ok(())
    }
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

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league pairings class --round 3")]
pub(super) struct PairingsArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Round number, from 0 [default: the last]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of a round", 0..))]
    round: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl PairingsArgs {
    /// Shows the tables of one round, by default of the last one, with the reason for each.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let league = folder.read()?;
        let rounds = league.rounds();
        let found = match self.round {
            None => rounds.last(),
            Some(number) => rounds.iter().find(|round| round.line.round == number),
        };
        let round = found.ok_or_else(|| {
            Failure::Usage(match rounds.len() {
                0 => "no rounds yet: play one with `arbiter league run`".to_owned(),
                count => format!("no such round: rounds are 0 to {}", count - 1),
            })
        })?;
        match self.json {
            false => output::tell_pairings(round, out)?,
            true => {
                let index = LeagueIndex::open(&league, &folder)?;
                let marks = GameMarks::read(&league, round, &index).map_err(Failure::from)?;
                output::write_pairings(round, &marks, out)?;
            }
        }
        Ok(())
    }
}

/// The time between two looks at the events.
const LOOK: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
#[command(after_help = "Also served as Atom feeds: feed.atom and feed/NAME.atom.

Examples:
  arbiter league events class --bot anna
  arbiter league events class --follow --json")]
pub(super) struct EventsArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Only events of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Keep showing new events
    #[arg(long)]
    follow: bool,
    /// Print JSON, one line per event
    #[arg(long)]
    json: bool,
}

impl EventsArgs {
    /// Writes the events of a league, of one bot or of all.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        folder.read()?;
        let bot = self.bot.as_deref().map(spelt_as_names);
        let stop = crate::commands::stop_on_signals(|| {})?;
        let mut place = 0;
        loop {
            let read = events::read_from(&folder, place);
            let (found, next) = read.map_err(|error| {
                Failure::Ours(format!("`{}`: {}", shown(&self.dir), system_error(error)))
            })?;
            place = next;
            for StoredEvent { happened, .. } in found {
                if bot.is_some() && happened.event.bot() != bot.as_deref() {
                    continue;
                }
                match self.json {
                    false => writeln!(out, "{}", happened.in_words())?,
                    true => {
                        writeln!(out, "{}", serde_json::to_string(&happened).unwrap_or_default())?
                    }
                }
            }
            out.flush()?;
            if !self.follow {
                return Ok(());
            }
            if stop.set().load(Ordering::SeqCst) {
                let problem = "stopped".to_owned();
                return Err(Failure::Interrupted { problem, code: stop.exit_code() });
            }
            thread::sleep(LOOK);
        }
    }
}
