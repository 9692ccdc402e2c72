//! `arbiter league stage` and `stages`: rounds whose tables follow from results by a rule.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::output::OutputFormat;
use bot::is_name;
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::line::LeagueLine;
use league::settings;
use league::settings::LeagueSettings;
use league::stage::{Stage, StageFormat, StageLine, TIE_BREAKS, output, usual_rounds};
use league::{BotVersion, League};
use standings::pairing::tie_break::TieBreak;
use text::failure::Failure;
use text::shell::word;
use text::{counted, printable};

/// The options of `arbiter league stage`.
#[derive(Debug)]
pub(crate) struct StageRequest {
    pub folder: PathBuf,
    /// Its name; by default its number.
    pub name: Option<String>,
    pub format: StageFormatOptions,
    /// The number of bots, the first ones of the seeding; by default all.
    pub top: Option<usize>,
    pub seeds: SeedOrder,
    /// The number of deals of each table; by default that of `league.toml`.
    pub deals: Option<u64>,
    /// The order of bots with equal scores; empty for the usual one.
    pub tie_breaks: Vec<TieBreak>,
}

/// A format, as far as it is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StageFormatOptions {
    /// With this number of rounds, or as many as a knockout has.
    Swiss(Option<usize>),
    Whole(StageFormat),
}

/// The order of the seeds of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeedOrder {
    /// The standings of the league.
    Standings,
    /// The order in which the bots have entered.
    Entry,
    /// The places of an earlier stage, by its number.
    Stage(u64),
}

/// Announces a stage: the next rounds of the league belong to it, also in a run that goes on meanwhile.
pub(crate) fn stage(request: StageRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    let league = folder.read()?;
    if let Some(open) = league.open_stage() {
        let (number, name) = (open.line.stage, printable(&open.line.name));
        let folder = word(folder.path());
        return Err(Failure::Usage(format!(
            "stage {number} ({name}) is unfinished: continue with `arbiter league run {folder} \
             --stage`"
        )));
    }
    let LeagueSettings { size, .. } = settings::load(&folder, &league)?;
    let mut bots = seeded(&folder, &league, request.seeds)?;
    if let Some(top) = request.top {
        if top > bots.len() {
            let problem =
                format!("`--top {top}`: at most {}, the number of active bots", bots.len());
            return Err(Failure::Usage(problem));
        }
        bots.truncate(top);
    }
    let number = league.stages().len() as u64;
    let line = StageLine {
        stage: number,
        name: request.name.unwrap_or_else(|| format!("stage {number}")),
        format: match request.format {
            StageFormatOptions::Whole(format) => format,
            StageFormatOptions::Swiss(rounds) => {
                StageFormat::Swiss { rounds: rounds.unwrap_or(usual_rounds(bots.len())) }
            }
        },
        bots,
        deals: request.deals.unwrap_or(u64::from(size.deals.get())),
        tie_breaks: match request.tie_breaks.is_empty() {
            true => TIE_BREAKS.to_vec(),
            false => request.tie_breaks,
        },
    };
    if league.seats() != 2 {
        let seats = league.seats();
        let problem = format!("stages need two seats; this league has {seats}");
        return Err(Failure::Usage(problem));
    }
    Stage::begin(line.clone()).map_err(|why| Failure::Usage(format!("invalid stage: {why}")))?;
    let announced = LeagueLine::Stage(Box::new(line.clone()));
    let league = folder.append(|_| Ok::<_, Failure>(vec![announced.clone()]))?;
    let Some(stage) = league.stages().last() else { return Ok(()) };
    let (name, bots) = (printable(&line.name), counted(line.bots.len(), "bot", "bots"));
    writeln!(out, "stage {number}, {name}: {bots}, {}", output::format_name(&stage.line.format))?;
    let seeds: Vec<String> = line.bots.iter().map(ToString::to_string).collect();
    writeln!(out, "seeds: {}", seeds.join(", "))?;
    Ok(writeln!(out, "next: arbiter league run {} --stage", word(folder.path()))?)
}

/// Ends the open stage before its last round.
pub(crate) fn end_stage(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let Some(stage) = league.open_stage() else {
        return Err(Failure::Usage("no stage is open".to_owned()));
    };
    let (number, name) = (stage.line.stage, printable(&stage.line.name));
    folder.append(|_| Ok::<_, Failure>(vec![LeagueLine::StageEnded(number)]))?;
    Ok(writeln!(out, "stage {number} ({name}) ended before its last round")?)
}

/// The bots of a stage in the order of their seeds.
fn seeded(
    folder: &LeagueFolder,
    league: &League,
    seeds: SeedOrder,
) -> Result<Vec<BotVersion>, Failure> {
    let entered: Vec<BotVersion> =
        league.active().map(|(_, member)| member.entry.bot.clone()).collect();
    match seeds {
        SeedOrder::Entry => Ok(entered),
        SeedOrder::Standings => {
            let standings = league.active_in(&LeagueIndex::open(league, folder)?.standings());
            let rows = &standings.all.rows;
            // A bot that is in no standings comes last.
            let place = |bot: &BotVersion| {
                let name = bot.to_string();
                rows.iter().position(|row| row.name == name).unwrap_or(usize::MAX)
            };
            let mut bots = entered;
            bots.sort_by_key(place);
            Ok(bots)
        }
        SeedOrder::Stage(number) => {
            let stage = league.stages().iter().find(|it| it.line.stage == number);
            let stage = stage.filter(|stage| stage.is_over()).ok_or_else(|| {
                Failure::Usage(format!("no finished stage {number}: see `arbiter league stages`"))
            })?;
            // Bots that have left are left out, and the others play with their newest versions.
            let places = stage.places();
            let placed = places.iter().filter_map(|placed| stage.bot(placed.seed));
            let newest = placed.filter_map(|bot| entered.iter().find(|it| it.bot == bot.bot));
            Ok(newest.cloned().collect())
        }
    }
}

/// Shows all stages, or the one with this number.
pub(crate) fn stages(
    path: &Path,
    only: Option<u64>,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let league = LeagueFolder::open(path)?.read()?;
    let shown: Vec<_> =
        league.stages().iter().filter(|it| only.is_none_or(|only| it.line.stage == only)).collect();
    if shown.is_empty() {
        return Err(Failure::Usage(match (only, league.stages().len()) {
            (_, 0) => "no stages yet: announce one with `arbiter league stage`".to_owned(),
            (_, count) => format!("no such stage: stages are 0 to {}", count - 1),
        }));
    }
    for (place, stage) in shown.into_iter().enumerate() {
        match format {
            OutputFormat::Json => output::write(stage, out)?,
            OutputFormat::Text => {
                if place > 0 {
                    writeln!(out)?;
                }
                output::tell(stage, out)?;
            }
        }
    }
    Ok(())
}

/// Reads whose places seed a stage: `standings`, `entry`, or the number of a stage.
pub(crate) fn seeds(text: &str) -> Result<SeedOrder, String> {
    match text {
        "standings" => Ok(SeedOrder::Standings),
        "entry" => Ok(SeedOrder::Entry),
        number => number.parse().map(SeedOrder::Stage).map_err(|_| {
            "expected `standings`, `entry`, or the number of a finished stage".to_owned()
        }),
    }
}

/// Reads the name of a stage.
pub(crate) fn stage_name(text: &str) -> Result<String, String> {
    let is_short = text.chars().count() <= 40 && text.trim() == text && !text.is_empty();
    match is_short && text.split(' ').all(is_name) {
        true => Ok(text.to_owned()),
        false => Err("expected a short name of letters, digits, `-`, `_` and spaces".to_owned()),
    }
}
