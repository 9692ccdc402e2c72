//! `arbiter league results`: a table for a grade book.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use league::folder::LeagueFolder;
use league::results::{LeagueResults, ResultRow, StageResult};
use text::failure::Failure;
use text::{printable, spreadsheet_cell};

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
                Err(Failure::Usage("--columns is for --format csv".to_owned()))
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

fn number(value: Option<f64>, digits: usize) -> String {
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
            number(row.points, 1),
            number(row.score, 4),
            number(row.rating, 1),
            number(row.rating_low, 1),
            number(row.rating_high, 1),
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
        number(row.points, 1),
        number(row.score, 4),
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
        number(row.points, 1),
        number(row.score, 4),
    ]
}

/// The real name; a member of a team has none of their own.
fn person(row: &ResultRow, login: &str) -> String {
    match (&row.person, row.members.is_empty()) {
        (Some(person), true) => cell(person),
        _ => login.to_owned(),
    }
}
