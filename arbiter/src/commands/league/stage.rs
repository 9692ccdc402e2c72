//! `arbiter league stage` and `stages`: rounds whose tables follow from results by a rule.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use clap::Args;

use crate::commands::league::rounds::ATTENTION;
use crate::options::number;
use league::folder::LeagueFolder;
use league::round_folder::{OpenRoundAction, RoundState, end_if_unplayed, so_far};
use league::stage::{GroupFormat, MOST_DECIDERS, StageFormat, output};
use league::stage_request::{self, HouseBotRule, SeedOrder, StageRequest};
use league::{BotVersion, League, audit};
use standings::pairing::knockout::ThirdPlace;
use standings::pairing::tie_break::TieBreak;
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

#[derive(Debug, Args)]
#[command(after_help = "The next rounds of the league belong to the stage. Pairings follow fixed \
rules, which `arbiter verify` checks. Bots are locked to their current versions. The stage \
begins after the current round.

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
    #[arg(long, value_name = "NAME", value_parser = stage_request::stage_name)]
    name: Option<String>,
    /// Number of bots, from the top of the seeding [default: all]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 2..=1024))]
    top: Option<usize>,
    /// Exclude a bot; repeatable
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Include house bots: those without a participant, in a league with participants
    #[arg(long)]
    with_house: bool,
    /// End an unfinished round instead of waiting for it; its games so far stay rated
    #[arg(long)]
    break_off: bool,
    /// Seeding: `standings`, `entry` (order of entry), or the number of an earlier stage
    #[arg(long, value_name = "ORDER", default_value = "standings", value_parser = stage_request::seed_order)]
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
    /// Maximum number of extra deals, each with both seatings, for a tied knockout match; then points
    /// decide, then the better seed [default: 5]
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
        let _starting = stage_request::hold(&folder)?;
        let open =
            if self.break_off { OpenRoundAction::BrokenOff } else { OpenRoundAction::Finished };
        let request = StageRequest {
            format,
            rounds: self.rounds,
            name: self.name.clone(),
            top: self.top,
            without: self.without.clone(),
            house: if self.with_house { HouseBotRule::Included } else { HouseBotRule::LeftOut },
            seeds: self.seeds,
            deals: self.deals,
            deciders: self.deciders,
            tie_breaks: self.tie_break.clone(),
        };
        let planned = loop {
            let league = folder.read()?;
            stage_request::must_be_free(&folder, &league)?;
            let league = between_rounds(&folder, open)?;
            if let Some(planned) = request.announce(&folder, &league)? {
                break planned;
            }
        };
        let names = |bots: &[BotVersion]| {
            bots.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let done = planned.in_words();
        audit::add(&folder, audit::COMMAND, "stage", &done);
        writeln!(out, "{done}")?;
        writeln!(out, "seeds: {}", names(&planned.line.bots))?;
        if !planned.unplayed.is_empty() {
            writeln!(out, "without games, seeded last by entry: {}", names(&planned.unplayed))?;
        }
        if !planned.house.is_empty() {
            let house = names(&planned.house);
            writeln!(out, "house bots, included only with `--with-house`: {house}")?;
        }
        Ok(writeln!(out, "next: arbiter league run {} --stage", word(folder.path()))?)
    }

    /// The format, which fits the other options; none for a Swiss system, whose rounds depend on the bots.
    fn format(&self) -> Result<Option<StageFormat>, Failure> {
        let third = if self.third_place { ThirdPlace::Played } else { ThirdPlace::Shared };
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
            return Err(Failure::usage("`--deciders` cannot be used with `--format swiss`"));
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

/// Ends the open stage before its last round.
fn end_stage(path: &Path, reason: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let done = stage_request::end_stage(&folder, reason)?;
    audit::add(&folder, audit::COMMAND, "stage", &done);
    Ok(writeln!(out, "{done}")?)
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

/// Returns the league once no round is open. A round that is being played is waited for, or is ended by the program
/// that plays it.
fn between_rounds(folder: &LeagueFolder, open: OpenRoundAction) -> Result<Arc<League>, Failure> {
    let mut asked = None;
    let mut told = None;
    loop {
        let league = folder.read()?;
        let Some(round) = league.open_round() else { return Ok(league) };
        let number = round.line.round;
        match end_if_unplayed(folder, number, open)? {
            RoundState::Over => {}
            RoundState::Playing => {
                if open == OpenRoundAction::BrokenOff && asked.is_none() {
                    asked = Some(stage_request::break_off(folder)?);
                }
                if told.replace(number) != Some(number) {
                    say(match open {
                        OpenRoundAction::Finished => format!(
                            "waiting for the end of round {number}; use `--break-off` to end it at once"
                        ),
                        OpenRoundAction::BrokenOff => format!("ending round {number}"),
                    });
                }
                thread::sleep(ATTENTION);
            }
            RoundState::Unfinished => return Err(Failure::Usage(unfinished(folder, &league)?)),
        }
    }
}

/// Says how the open round, which nothing plays, comes to its end.
fn unfinished(folder: &LeagueFolder, league: &League) -> Result<String, Failure> {
    let Some(round) = league.open_round() else { return Ok(String::new()) };
    let number = round.line.round;
    let played = so_far(&folder.round(number))?.map_or(0, |log| log.games.progress.played());
    let all = counted(round.line.games(league.seats()), "game", "games");
    let path = word(folder.path());
    Ok(format!(
        "round {number} is unfinished, with {played} of {all}: finish it with `arbiter league run \
         {path} --games 1` or, in shards, `take-round {path}`, or end it with `--break-off`"
    ))
}
