//! `arbiter league stage` and `stages`: rounds whose tables follow from results by a rule.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::league::between_rounds::{OpenRound, between_rounds};
use crate::options::number;
use bot::is_name;
use league::audit;
use league::correction::reason_in_line;
use league::events::{self, LeagueEvent};
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::line::{LeagueLine, StageEndedLine, StageEndedReason};
use league::participants::Participants;
use league::settings;
use league::settings::LeagueSettings;
use league::stage::{
    DECIDERS, ForfeitRule, GroupFormat, MOST_DECIDERS, Stage, StageFormat, StageLine, TIE_BREAKS,
    output, usual_rounds,
};
use league::stage_start::{self, HouseBots};
use league::{BotVersion, League};
use standings::pairing::knockout::Third;
use standings::pairing::tie_break::TieBreak;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;
use text::{counted, printable};

/// The order of the seeds of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SeedOrder {
    /// The standings of the league.
    Standings,
    /// The order in which the bots have entered.
    Entry,
    /// The places of an earlier stage, by its number.
    Stage(u64),
}

#[derive(Debug, Args)]
#[command(after_help = "The next rounds of the league belong to the stage. Pairings follow fixed \
rules, which `arbiter verify` checks. Bots are locked to their current versions. A round that is \
being played ends first.

Examples:
  arbiter league stage class --format swiss --rounds 7
  arbiter league stage class --format knockout --top 16 --third-place --name final
  arbiter league stage class --format double-elimination --top 8
  arbiter league stage class --format groups --groups 8 --first 2")]
pub(super) struct StageArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Format of the stage
    #[arg(long, value_name = "FORMAT", required_unless_present = "end", value_parser = ["swiss", "knockout", "double-elimination", "groups"])]
    format: Option<String>,
    /// End the current stage early: it is marked as aborted
    #[arg(long, exclusive = false, conflicts_with_all = ["format", "name", "top", "without", "with_house", "break_off", "deals", "rounds", "groups", "first", "third_place", "deciders", "tie_break"])]
    end: bool,
    /// Reason for `--end`, shown in the log and on the pages
    #[arg(long, value_name = "TEXT", requires = "end")]
    reason: Option<String>,
    /// Stage name [default: its number]
    #[arg(long, value_name = "NAME", value_parser = stage_name)]
    name: Option<String>,
    /// Number of bots, from the top of the seeding [default: all]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 2..=1024))]
    top: Option<usize>,
    /// Leave a bot out; repeatable
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Include house bots: those without a participant, in a league with participants
    #[arg(long)]
    with_house: bool,
    /// End an unfinished round instead of waiting for it; its games so far stay rated
    #[arg(long)]
    break_off: bool,
    /// Seeding: `standings`, `entry` (order of entry), or the number of an earlier stage
    #[arg(long, value_name = "ORDER", default_value = "standings", value_parser = seeds)]
    seeds: SeedOrder,
    /// Deals per match, each with both seatings [default: `deals` of league.toml]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 1..=10_000))]
    deals: Option<u64>,
    /// Rounds of a Swiss stage [default: as many as a knockout]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of rounds", 1..=255))]
    rounds: Option<usize>,
    /// Number of groups
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of groups", 1..=512))]
    groups: Option<usize>,
    /// Qualifiers per group [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 1..=256))]
    first: Option<usize>,
    /// Play a third-place match
    #[arg(long)]
    third_place: bool,
    /// Most extra deals, each with both seatings, that decide a tied match of a knockout; after them,
    /// points decide, then the better seed [default: 5]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of extra deals", 0..=MOST_DECIDERS))]
    deciders: Option<u64>,
    /// Tie-break for equal points; repeatable, in order [default: direct-encounter, buchholz-cut-1,
    /// buchholz, margin]
    #[arg(long, value_name = "NAME")]
    tie_break: Vec<TieBreak>,
}

impl StageArgs {
    /// Announces a stage: the next rounds of the league belong to it, also in a run that goes on meanwhile.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.end {
            return end_stage(&self.dir, self.reason.as_deref(), out);
        }
        let format = self.format()?;
        let folder = LeagueFolder::open(&self.dir)?;
        let _starting = stage_start::hold(&folder)?;
        let (open, house) = (
            if self.break_off { OpenRound::BrokenOff } else { OpenRound::Finished },
            if self.with_house { HouseBots::Included } else { HouseBots::LeftOut },
        );
        let (line, field, unplayed) = loop {
            check(&folder, &folder.read()?)?;
            let league = between_rounds(&folder, open)?;
            let field =
                stage_start::field(&league, &Participants::read(&folder)?, house, &self.without)?;
            let seeds = seeded(&folder, &league, self.seeds, &field.bots)?;
            let line = self.line(&folder, &league, format, seeds.bots)?;
            let mut is_current = true;
            folder.append(|now| {
                is_current = now.head() == league.head();
                let announced = LeagueLine::Stage(Box::new(line.clone()));
                Ok::<_, Failure>(if is_current { vec![announced] } else { Vec::new() })
            })?;
            if is_current {
                break (line, field, seeds.unplayed);
            }
        };
        let names = |bots: &[BotVersion]| {
            bots.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let (name, bots) = (printable(&line.name), counted(line.bots.len(), "bot", "bots"));
        let format = output::format_name(&line.format);
        let done = format!("stage {}, {name}: {bots}, {format}", line.stage);
        audit::add(&folder, audit::COMMAND, "stage", &done);
        let (stage, of) = (line.stage, line.bots.len());
        events::add(&folder, LeagueEvent::Stage { stage, name: line.name.clone(), bots: of });
        writeln!(out, "{done}")?;
        writeln!(out, "seeds: {}", names(&line.bots))?;
        let unplayed: Vec<BotVersion> =
            unplayed.into_iter().filter(|bot| line.bots.contains(bot)).collect();
        if !unplayed.is_empty() {
            writeln!(out, "without games, seeded last by entry: {}", names(&unplayed))?;
        }
        if !field.house.is_empty() {
            let house = names(&field.house);
            writeln!(out, "house bots, left out without `--with-house`: {house}")?;
        }
        Ok(writeln!(out, "next: arbiter league run {} --stage", word(folder.path()))?)
    }

    /// The line of the log for a stage of the first of these bots.
    fn line(
        &self,
        folder: &LeagueFolder,
        league: &League,
        format: Option<StageFormat>,
        mut bots: Vec<BotVersion>,
    ) -> Result<StageLine, Failure> {
        let LeagueSettings { size, .. } = settings::load(folder, league)?;
        if let Some(top) = self.top {
            if top > bots.len() {
                let problem = format!("`--top {top}`: at most {}, the number of bots", bots.len());
                return Err(Failure::Usage(problem));
            }
            bots.truncate(top);
        }
        let number = league.stages().len() as u64;
        let line = StageLine {
            stage: number,
            name: self.name.clone().unwrap_or_else(|| format!("stage {number}")),
            format: format.unwrap_or_else(|| StageFormat::Swiss {
                rounds: self.rounds.unwrap_or(usual_rounds(bots.len())),
            }),
            bots,
            deals: self.deals.unwrap_or(u64::from(size.deals.get())),
            tie_breaks: match self.tie_break.is_empty() {
                true => TIE_BREAKS.to_vec(),
                false => self.tie_break.clone(),
            },
            deciders: match format {
                None => 0,
                Some(_) => self.deciders.unwrap_or(DECIDERS),
            },
            forfeits: ForfeitRule::Listed,
        };
        Stage::begin(line.clone())
            .map_err(|why| Failure::Usage(format!("invalid stage: {why}")))?;
        Ok(line)
    }

    /// The format, which fits the other options; none for a Swiss system, whose rounds depend on the bots.
    fn format(&self) -> Result<Option<StageFormat>, Failure> {
        let third = if self.third_place { Third::Played } else { Third::Shared };
        let asked = self.format.as_deref().unwrap_or_default();
        let only_for =
            |is_given: bool, option: &str, format: &str| match is_given && asked != format {
                true => Err(Failure::Usage(format!("`{option}` is for `--format {format}` only"))),
                false => Ok(()),
            };
        only_for(self.rounds.is_some(), "--rounds", "swiss")?;
        only_for(self.groups.is_some(), "--groups", "groups")?;
        only_for(self.first.is_some(), "--first", "groups")?;
        if self.third_place && !matches!(asked, "knockout" | "groups") {
            let problem = "`--third-place` is for `--format knockout` and `--format groups` only";
            return Err(Failure::usage(problem));
        }
        if self.deciders.is_some() && asked == "swiss" {
            return Err(Failure::usage("`--deciders` is not for `--format swiss`"));
        }
        match asked {
            "swiss" => Ok(None),
            "knockout" => Ok(Some(StageFormat::Knockout { third })),
            "double-elimination" => Ok(Some(StageFormat::DoubleElimination)),
            _ => {
                let groups = self.groups.and_then(NonZeroUsize::new);
                let groups =
                    groups.ok_or_else(|| Failure::usage("no number of groups: pass --groups N"))?;
                let first = self.first.and_then(NonZeroUsize::new);
                let first = first.unwrap_or(NonZeroUsize::MIN.saturating_add(1));
                Ok(Some(StageFormat::Groups(GroupFormat { groups, first, third })))
            }
        }
    }
}

/// Checks that a stage can begin once no round is open.
fn check(folder: &LeagueFolder, league: &League) -> Result<(), Failure> {
    if league.seats() != 2 {
        let seats = league.seats();
        return Err(Failure::Usage(format!("stages need two seats; this league has {seats}")));
    }
    match league.open_stage() {
        Some(open) => {
            let (number, name) = (open.line.stage, printable(&open.line.name));
            let folder = word(folder.path());
            Err(Failure::Usage(format!(
                "stage {number} ({name}) is unfinished: continue with `arbiter league run {folder} \
                 --stage`"
            )))
        }
        None => Ok(()),
    }
}

/// Ends the open stage before its last round.
fn end_stage(path: &Path, reason: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    let Some(stage) = league.open_stage() else {
        return Err(Failure::usage("no stage is open"));
    };
    let (number, name) = (stage.line.stage, printable(&stage.line.name));
    let line = match reason.map(reason_in_line).transpose()? {
        None => StageEndedLine::Stage(number),
        Some(reason) => StageEndedLine::Reason(StageEndedReason { stage: number, reason }),
    };
    folder.append(|_| Ok::<_, Failure>(vec![LeagueLine::StageEnded(line)]))?;
    let done = format!("stage {number} ({name}) ended before its last round");
    audit::add(&folder, audit::COMMAND, "stage", &done);
    Ok(writeln!(out, "{done}")?)
}

/// The bots of a stage in the order of their seeds.
struct Seeds {
    bots: Vec<BotVersion>,
    /// Those without games, if the standings are the order.
    unplayed: Vec<BotVersion>,
}

/// Puts these bots into the order of their seeds.
fn seeded(
    folder: &LeagueFolder,
    league: &League,
    order: SeedOrder,
    bots: &[BotVersion],
) -> Result<Seeds, Failure> {
    match order {
        SeedOrder::Entry => Ok(Seeds { bots: bots.to_vec(), unplayed: Vec::new() }),
        SeedOrder::Standings => {
            let standings = league.active_in(&LeagueIndex::open(league, folder)?.standings());
            let rows = &standings.all.rows;
            // A bot without games comes last.
            let place = |bot: &BotVersion| {
                let name = bot.to_string();
                rows.iter().position(|row| row.name == name && row.games > 0).unwrap_or(usize::MAX)
            };
            let mut bots = bots.to_vec();
            bots.sort_by_key(place);
            let unplayed = bots.iter().filter(|bot| place(bot) == usize::MAX).cloned().collect();
            Ok(Seeds { bots, unplayed })
        }
        SeedOrder::Stage(number) => {
            let stage = league.stages().iter().find(|it| it.line.stage == number);
            let stage = stage.filter(|stage| stage.is_over()).ok_or_else(|| {
                Failure::Usage(format!("no finished stage {number}: see `arbiter league stages`"))
            })?;
            if stage.aborted().is_some() {
                let state = output::state(stage);
                say(format!("warning: stage {number}, which gives the seeds, is {state}"));
            }
            // Bots that have left are left out, and the others play with their newest versions.
            let places = stage.places();
            let placed = places.iter().filter_map(|placed| stage.bot(placed.seed));
            let newest = placed.filter_map(|bot| bots.iter().find(|it| it.bot == bot.bot));
            Ok(Seeds { bots: newest.cloned().collect(), unplayed: Vec::new() })
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league stages class")]
pub(super) struct StagesArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Stage number, from 0 [default: all]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of a stage", 0..))]
    stage: Option<u64>,
    /// Print JSON, one line per stage
    #[arg(long)]
    json: bool,
}

impl StagesArgs {
    /// Shows all stages, or the one with this number.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let league = LeagueFolder::open(&self.dir)?.read()?;
        let shown: Vec<_> = league
            .stages()
            .iter()
            .filter(|it| self.stage.is_none_or(|only| it.line.stage == only))
            .collect();
        if shown.is_empty() {
            return Err(Failure::Usage(match (self.stage, league.stages().len()) {
                (_, 0) => "no stages yet: announce one with `arbiter league stage`".to_owned(),
                (_, count) => format!("no such stage: stages are 0 to {}", count - 1),
            }));
        }
        for (place, stage) in shown.into_iter().enumerate() {
            match self.json {
                true => output::write(stage, out)?,
                false => {
                    if place > 0 {
                        writeln!(out)?;
                    }
                    output::tell(stage, out)?;
                }
            }
        }
        Ok(())
    }
}

/// Reads whose places seed a stage: `standings`, `entry`, or the number of a stage.
fn seeds(text: &str) -> Result<SeedOrder, String> {
    match text {
        "standings" => Ok(SeedOrder::Standings),
        "entry" => Ok(SeedOrder::Entry),
        number => number.parse().map(SeedOrder::Stage).map_err(|_| {
            "expected `standings`, `entry`, or the number of a finished stage".to_owned()
        }),
    }
}

/// Reads the name of a stage.
fn stage_name(text: &str) -> Result<String, String> {
    let is_short = text.chars().count() <= 40 && text.trim() == text && !text.is_empty();
    match is_short && text.split(' ').all(is_name) {
        true => Ok(text.to_owned()),
        false => Err("expected a short name of letters, digits, `-`, `_` and spaces".to_owned()),
    }
}
