//! Looking at a tournament, which may be running: its status and its standings.

use std::io::Write;
use std::path::Path;

use crate::commands::tournament::shown;
use crate::failure::Failure;
use crate::output::tournament::{list_refused, tell_part, tell_status, write_status};
use crate::output::{Format, standings as report};
use crate::tournament::folder;
use crate::tournament::parts::Parts;
use crate::tournament::read::{self, Unreadable};
use crate::tournament::run::TournamentState;

/// How standings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandingsFormat {
    /// As tables for people.
    Text,
    /// As one value of JSON.
    Json,
    /// As comma-separated values, a line for each bot.
    Csv,
    /// As comma-separated values, a line for every two bots.
    CsvCrosstable,
    /// As tables of Markdown.
    Markdown,
}

impl StandingsFormat {
    /// Every format.
    pub const ALL: [StandingsFormat; 5] = [
        StandingsFormat::Text,
        StandingsFormat::Json,
        StandingsFormat::Csv,
        StandingsFormat::CsvCrosstable,
        StandingsFormat::Markdown,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            StandingsFormat::Text => "text",
            StandingsFormat::Json => "json",
            StandingsFormat::Csv => "csv",
            StandingsFormat::CsvCrosstable => "csv-crosstable",
            StandingsFormat::Markdown => "markdown",
        }
    }
}

/// Tells where a tournament stands.
///
/// # Errors
///
/// As the exit codes say.
pub fn status(path: &Path, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    let state = state(path)?;
    let running = match (folder::is_in_use(path), state.games.progress.is_over()) {
        (true, _) => "running",
        (false, true) => "over",
        (false, false) => "not running",
    };
    // Only the first part has bots that were handed in.
    let entrants = read::entrants(Parts::find(path).first())
        .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(path))))?;
    let mut earlier = Vec::new();
    for part in Parts::before(Parts::begun(path).last()) {
        let alone = read::part(&part)
            .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(&part))))?;
        earlier.push((part, alone));
    }
    let told = match format {
        Format::Text => tell_status(out, &state, running, path)
            .and_then(|()| earlier.iter().try_for_each(|(part, it)| tell_part(out, part, it)))
            .and_then(|()| list_refused(out, &entrants.refused)),
        Format::Json => write_status(out, &state, running, &entrants.refused),
    };
    Ok(told?)
}

/// Writes the standings of a tournament as far as it is.
///
/// # Errors
///
/// As the exit codes say.
pub fn standings(path: &Path, format: StandingsFormat, out: &mut dyn Write) -> Result<(), Failure> {
    let standings = state(path)?.tally.standings();
    let text = match format {
        StandingsFormat::Text => Ok(report::text(&standings)),
        StandingsFormat::Csv => report::csv_rows(&standings),
        StandingsFormat::CsvCrosstable => report::csv_crosstable(&standings),
        StandingsFormat::Markdown => Ok(report::markdown(&standings)),
        StandingsFormat::Json => report::json(&standings).map(|line| line + "\n"),
    };
    let text =
        text.map_err(|error| Failure::Ours(format!("the standings cannot be written: {error}")))?;
    Ok(write!(out, "{text}")?)
}

fn state(path: &Path) -> Result<TournamentState, Failure> {
    if !path.exists() {
        return Err(Failure::Usage(format!("there is no folder `{}`", shown(path))));
    }
    read::state(path).map_err(|error| {
        let problem = format!("`{}`: {error}", shown(path));
        match error {
            Unreadable::Log { .. } => Failure::Verification(problem),
            Unreadable::Folder(error) => Failure::Usage(error.to_string()),
            Unreadable::Plan(_)
            | Unreadable::Closed(_)
            | Unreadable::Entrants(_)
            | Unreadable::NotBegun => Failure::Usage(problem),
        }
    })
}
