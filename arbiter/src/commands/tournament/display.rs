//! The status and the standings of a tournament, which may be running.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::commands::usage_of;
use crate::options::report_format;
use crate::output::OutputFormat;
use crate::output::series_lines::{write_result, write_status};
use crate::output::tournament::{ShardsSummary, list_refused, tell_part, tell_status};
use contest::playing::series_runner::ContestState;
use contest::tournament::folder;
use contest::tournament::folder::TournamentFolders;
use contest::tournament::folder::shown;
use contest::tournament::read::{self, ReadError};
use contest::tournament::sharded::survey;
use contest::tournament::sharded::survey::{ShardSpeed, all_pieces, planned_players, survey};
use standings::{Standings, output as report};
use text::failure::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StandingsFormat {
    /// Tables for people.
    Text,
    /// One value of JSON.
    Json,
    /// Comma-separated values, a line for each bot.
    Csv,
    /// Comma-separated values, a line for every two bots.
    CsvCrosstable,
    /// Tables of Markdown.
    Markdown,
}

impl StandingsFormat {
    pub(crate) const ALL: [StandingsFormat; 5] = [
        StandingsFormat::Text,
        StandingsFormat::Json,
        StandingsFormat::Csv,
        StandingsFormat::CsvCrosstable,
        StandingsFormat::Markdown,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            StandingsFormat::Text => "text",
            StandingsFormat::Json => "json",
            StandingsFormat::Csv => "csv",
            StandingsFormat::CsvCrosstable => "csv-crosstable",
            StandingsFormat::Markdown => "markdown",
        }
    }

    pub(crate) fn write(self, standings: &Standings, out: &mut dyn Write) -> Result<(), Failure> {
        let text = match self {
            StandingsFormat::Text => Ok(report::text(standings)),
            StandingsFormat::Csv => report::csv_rows(standings),
            StandingsFormat::CsvCrosstable => report::csv_crosstable(standings),
            StandingsFormat::Markdown => Ok(report::markdown(standings)),
            StandingsFormat::Json => report::json(standings).map(|line| line + "\n"),
        };
        let text =
            text.map_err(|error| Failure::Ours(format!("cannot write the standings: {error}")))?;
        Ok(write!(out, "{text}")?)
    }
}

pub(crate) fn formats_of_standings() -> PossibleValuesParser {
    PossibleValuesParser::new(StandingsFormat::ALL.map(StandingsFormat::name))
}

/// The format of standings of this name, which clap has checked.
pub(crate) fn standings_format(name: &str) -> StandingsFormat {
    let found = StandingsFormat::ALL.into_iter().find(|it| it.name() == name);
    found.unwrap_or(StandingsFormat::Text)
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter tournament status cup")]
pub(super) struct StatusArgs {
    /// Tournament folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    /// Shows the state of a tournament.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = &*self.dir;
        let state = state(path)?;
        let shards = shards(path)?;
        let is_over = state.games.progress.is_over();
        let running = match (&shards, folder::is_in_use(path), is_over) {
            (Some(shards), ..) => shards.state(),
            (None, true, _) => "running",
            (None, false, true) => "over",
            (None, false, false) => "not running",
        };
        // Only the first part has submitted bots.
        let entrants = read::entrants(TournamentFolders::find(path).first())
            .map_err(|error| usage_of(path, error))?;
        let mut earlier = Vec::new();
        for part in TournamentFolders::earlier_parts(TournamentFolders::find_begun(path).last()) {
            let alone = read::part(&part).map_err(|error| usage_of(&part, error))?;
            earlier.push((part, alone));
        }
        let told = match report_format(self.json) {
            OutputFormat::Text => tell_status(out, &state, running, shards.as_ref(), path)
                .and_then(|()| earlier.iter().try_for_each(|(part, it)| tell_part(out, part, it)))
                .and_then(|()| list_refused(out, &entrants.refused)),
            OutputFormat::Json => {
                write_status(out, &state, running, &entrants.refused, shards.as_ref())
            }
        };
        Ok(told?)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter tournament standings cup --format csv")]
pub(super) struct StandingsArgs {
    /// Tournament folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Leave out remote bots; ratings are still based on all games
    #[arg(long)]
    without_remote: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = formats_of_standings())]
    format: String,
    /// Print JSON, as `arbiter tournament --json` does
    #[arg(long, conflicts_with_all = ["format", "without_remote"])]
    json: bool,
}

impl StandingsArgs {
    /// Writes the present standings of a tournament.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let state = state(&self.dir)?;
        match self.json {
            true => Ok(write_result(out, &state)?),
            false => {
                let all = state.standings();
                let standings = if self.without_remote { all.without_remote() } else { all };
                standings_format(&self.format).write(&standings, out)
            }
        }
    }
}

/// The progress of the shards of a tournament, if some are not merged.
fn shards(path: &Path) -> Result<Option<ShardsSummary>, Failure> {
    let usage = |error: ReadError| usage_of(path, error);
    let Some((plan, sharding)) = read::in_shards(path).map_err(usage)? else { return Ok(None) };
    let players = planned_players(path, &plan).map_err(usage)?;
    let pieces = survey(path, &plan, &players, all_pieces(&plan, sharding));
    let pace = ShardSpeed::measure(&pieces);
    Ok(Some(ShardsSummary::new(&pieces, pace)))
}

fn state(path: &Path) -> Result<ContestState, Failure> {
    if !path.exists() {
        return Err(Failure::Usage(format!("no folder `{}`", shown(path))));
    }
    survey::tournament_state(path).map_err(|error| {
        let problem = format!("`{}`: {error}", shown(path));
        match error {
            ReadError::Log { .. } | ReadError::Shard(..) => Failure::Verification(problem),
            ReadError::Folder(error) => Failure::Usage(error.to_string()),
            ReadError::Plan(_)
            | ReadError::Closed(_)
            | ReadError::Entrants(_)
            | ReadError::NotBegun
            | ReadError::NotMerged(_) => Failure::Usage(problem),
        }
    })
}
