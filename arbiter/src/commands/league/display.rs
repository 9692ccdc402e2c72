//! `arbiter league standings`, `pairings`, `status` and `events`, of a league that may be played meanwhile; and `results`, a
//! table for a grade book.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use bot::spelt_as_names;
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::commands::tournament::{formats_of_standings, standings_format};
use crate::options::number;
use contest::tournament::folder::shown;
use contest::tournament::read;
use contest::tournament::sharded::survey::{PieceStatus, all_pieces, planned_players, survey};
use league::events::StoredEvent;
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::replay_request::GameMarks;
use league::results::{LeagueResults, ResultRow, StageResult};
use league::{League, calendar, events, output};
use text::failure::Failure;
use text::{printable, spreadsheet_cell, system_error};

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league standings class --all --format csv")]
pub(super) struct LeagueStandingsArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Also count void games
    #[arg(long)]
    as_played: bool,
    /// Include all versions and retired bots
    #[arg(long)]
    all: bool,
    /// Leave out remote bots; ratings are still based on all games
    #[arg(long)]
    without_remote: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = formats_of_standings())]
    format: String,
    /// Print JSON, as `arbiter league run --json` does
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl LeagueStandingsArgs {
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
pub(super) struct LeagueStatusArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl LeagueStatusArgs {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultFormat {
    Csv,
    Json,
}

/// The layout of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultColumns {
    All,
    Moodle,
    Canvas,
}

#[derive(Debug, Args)]
#[command(
    after_help = "One row for each participant, and for each bot of the organiser. For Moodle and \
Canvas, one row for each participant or team member, with the name as the login.

Examples:
  arbiter league results class > results.csv
  arbiter league results class --columns moodle > grades.csv"
)]
pub(super) struct ResultsArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Output format
    #[arg(long, default_value = "csv")]
    format: ResultFormat,
    /// Columns of the CSV
    #[arg(long, default_value = "all")]
    columns: ResultColumns,
}

impl ResultsArgs {
    /// Writes the results of a league after its last finished round.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let results = LeagueResults::read(&LeagueFolder::open(&self.dir)?)?;
        match (self.format, self.columns) {
            (ResultFormat::Json, ResultColumns::All) => {
                for row in &results.rows {
                    let mut told = json!(row);
                    let places = results.stages.iter().zip(&row.places);
                    told["places"] = places
                        .map(|(stage, own)| {
                            let (place, decided) = (
                                own.as_ref().map(|it| &it.place),
                                own.as_ref().map(|it| &it.decided),
                            );
                            json!({ "stage": stage, "place": place, "decided": decided })
                        })
                        .collect();
                    writeln!(out, "{}", json!({ "participant": told }))?;
                }
                Ok(())
            }
            (ResultFormat::Json, _) => {
                Err(Failure::Usage("--columns needs --format csv".to_owned()))
            }
            (ResultFormat::Csv, columns) => {
                let rows = match columns {
                    ResultColumns::All => all(&results),
                    ResultColumns::Moodle => for_people(&results, &MOODLE, moodle),
                    ResultColumns::Canvas => for_people(&results, &CANVAS, canvas),
                };
                write_csv(&rows, out)
            }
        }
    }
}

fn write_csv(rows: &[Vec<String>], out: &mut dyn Write) -> Result<(), Failure> {
    let unwritten = |error: csv::Error| Failure::Ours(format!("cannot write the table: {error}"));
    let mut written = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| written.write_record(row)).map_err(unwritten)?;
    let text = written.into_inner().map_err(|error| unwritten(error.into_error().into()))?;
    Ok(out.write_all(&text)?)
}

/// The text of strangers in a cell.
fn cell(text: &str) -> String {
    spreadsheet_cell(&printable(text)).into()
}

fn decimals(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(String::new, |value| format!("{value:.digits$}"))
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

const COLUMNS: [&str; 16] = [
    "participant",
    "person",
    "members",
    "bot",
    "version",
    "state",
    "rank",
    "games",
    "points",
    "score",
    "rating",
    "rating_low",
    "rating_high",
    "forfeits",
    "suspect_forfeits",
    "exceptions",
];

fn all(results: &LeagueResults) -> Vec<Vec<String>> {
    let headings = COLUMNS.iter().map(|name| (*name).to_owned());
    let stages = results.stages.iter().flat_map(|it| [cell(it), cell(&format!("{it}, decided"))]);
    let mut rows = vec![headings.chain(stages).collect()];
    for row in &results.rows {
        let own = [
            text(row.participant.as_ref()),
            row.person.as_deref().map(cell).unwrap_or_default(),
            row.members.join(" "),
            text(row.bot.as_ref().map(|bot| &bot.bot)),
            text(row.bot.as_ref().map(|bot| bot.version)),
            state(row),
            text(row.rank),
            row.games.to_string(),
            decimals(row.points, 1),
            decimals(row.score, 4),
            decimals(row.rating, 1),
            decimals(row.rating_low, 1),
            decimals(row.rating_high, 1),
            row.forfeits.to_string(),
            row.suspect_forfeits.to_string(),
            cell(&row.exceptions.join("; ")),
        ];
        let places = row.places.iter().flat_map(|own| match own {
            Some(StageResult { place, decided }) => [place.clone(), cell(decided)],
            None => [String::new(), String::new()],
        });
        rows.push(own.into_iter().chain(places).collect());
    }
    rows
}

fn state(row: &ResultRow) -> String {
    match &row.left {
        Some(left) if left.disqualified => "disqualified".to_owned(),
        _ => text(row.state),
    }
}

const MOODLE: [&str; 6] = ["username", "fullname", "rank", "points", "score", "feedback"];
const CANVAS: [&str; 8] =
    ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "rank", "points", "score"];

/// A row for each member of each participant, or for the participant.
fn for_people(
    results: &LeagueResults,
    headings: &[&str],
    columns: fn(&LeagueResults, &ResultRow, &str) -> Vec<String>,
) -> Vec<Vec<String>> {
    let mut rows = vec![headings.iter().map(|name| (*name).to_owned()).collect()];
    let mut seen = BTreeSet::new();
    for row in &results.rows {
        // Of several bots, the best one counts, which comes first.
        let Some(participant) = row.participant.as_ref().filter(|name| seen.insert(*name)) else {
            continue;
        };
        match row.members.as_slice() {
            [] => rows.push(columns(results, row, participant)),
            members => rows.extend(members.iter().map(|member| columns(results, row, member))),
        }
    }
    rows
}

fn moodle(results: &LeagueResults, row: &ResultRow, login: &str) -> Vec<String> {
    let rank = row.rank.map(|rank| format!("rank {rank} of {}", results.ranked));
    let bot = row.bot.as_ref().map(ToString::to_string);
    let places = results.stages.iter().zip(&row.places);
    let places = places.filter_map(|(stage, place)| {
        let StageResult { place, decided } = place.as_ref()?;
        Some(format!("{stage}: {place} ({decided})"))
    });
    let feedback: Vec<String> =
        bot.into_iter().chain(rank).chain(places).chain(row.exceptions.iter().cloned()).collect();
    vec![
        login.to_owned(),
        person(row, login),
        text(row.rank),
        decimals(row.points, 1),
        decimals(row.score, 4),
        cell(&feedback.join("; ")),
    ]
}

fn canvas(_: &LeagueResults, row: &ResultRow, login: &str) -> Vec<String> {
    vec![
        person(row, login),
        String::new(),
        String::new(),
        login.to_owned(),
        String::new(),
        text(row.rank),
        decimals(row.points, 1),
        decimals(row.score, 4),
    ]
}

/// The real name; a member of a team has none of their own.
fn person(row: &ResultRow, login: &str) -> String {
    match (&row.person, row.members.is_empty()) {
        (Some(person), true) => cell(person),
        _ => login.to_owned(),
    }
}
