//! A stage as an organiser asks for it, and the line of the log that it becomes once no round is open.

use std::path::PathBuf;
use std::time::Duration;

use text::failure::Failure;
use text::shell::word;
use text::terminal::say;
use text::{printable, system_error};

use crate::correction::reason_in_line;
use crate::events::{self, LeagueEvent};
use crate::folder::LeagueFolder;
use crate::index::LeagueIndex;
use crate::line::{EnterLine, LeagueLine, StageEndedLine};
use crate::participants::Participants;
use crate::remote::RemoteTerms;
use crate::settings;
use crate::settings::LeagueSettings;
use crate::stage::{
    DECIDERS, ForfeitRule, Stage, StageFormat, StageLine, TIE_BREAKS, output, usual_rounds,
};
use crate::state::League;
use crate::version::BotVersion;
use bot::manifest::ProgramMode;
use bot::{is_name, spelt_as_names};
use contest::tournament::folder::{Lock, LockError, shown};
use standings::pairing::tie_break::TieBreak;

/// Longest name of a stage, in characters.
const LONGEST_NAME: usize = 40;

/// The order of the seeds of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedOrder {
    Standings,
    /// The order in which the bots have entered.
    Entry,
    /// The places of an earlier stage, by its number.
    Stage(u64),
}

/// A stage as it is asked for.
#[derive(Debug, Clone)]
pub struct StageRequest {
    /// Its format; none for a Swiss system, whose rounds depend on the bots.
    pub format: Option<StageFormat>,
    /// The rounds of a Swiss system, as many as a knockout has if none are given.
    pub rounds: Option<usize>,
    /// Its name; its number if none is given.
    pub name: Option<String>,
    /// Number of bots, from the top of the seeding; all if none is given.
    pub top: Option<usize>,
    /// Names of bots that take no part.
    pub without: Vec<String>,
    pub house: HouseBotRule,
    /// The order of the seeds.
    pub seeds: SeedOrder,
    /// Deals of a match; those of `league.toml` if none are given.
    pub deals: Option<u64>,
    /// Most extra deals of a tied match.
    pub deciders: Option<u64>,
    /// Tie-breaks; the usual ones if none are given.
    pub tie_breaks: Vec<TieBreak>,
}

/// A stage that can begin, with what its organiser should know.
#[derive(Debug, Clone)]
pub struct PlannedStage {
    pub line: StageLine,
    /// Bots without games, which are seeded last.
    pub unplayed: Vec<BotVersion>,
    /// House bots that take no part.
    pub house: Vec<BotVersion>,
}

impl PlannedStage {
    pub fn in_words(&self) -> String {
        let StageLine { stage, name, format, bots, .. } = &self.line;
        let bots = text::counted(bots.len(), "bot", "bots");
        format!("stage {stage}, {}: {bots}, {}", printable(name), output::format_name(format))
    }
}

impl StageRequest {
    /// Returns the stage that would begin now, as if no round were open.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if no such stage can begin.
    pub fn plan(&self, folder: &LeagueFolder, league: &League) -> Result<PlannedStage, Failure> {
        must_be_free(folder, league)?;
        let participants = Participants::read(folder)?;
        let remote = folder.remote()?;
        let field = field(league, &participants, remote, self.house, &self.without)?;
        let Seeds { bots, unplayed } = seeded(folder, league, self.seeds, &field.bots)?;
        let line = self.line(folder, league, bots)?;
        let unplayed = unplayed.into_iter().filter(|bot| line.bots.contains(bot)).collect();
        Ok(PlannedStage { line, unplayed, house: field.house })
    }

    /// Writes the line of the stage, unless the league has changed since it was read; then returns nothing.
    ///
    /// # Errors
    ///
    /// As for [`plan`](Self::plan), and if the log cannot be written.
    pub fn announce(
        &self,
        folder: &LeagueFolder,
        league: &League,
    ) -> Result<Option<PlannedStage>, Failure> {
        let planned = self.plan(folder, league)?;
        let mut is_current = true;
        folder.append(|now| {
            is_current = now.head() == league.head();
            let announced = LeagueLine::Stage(Box::new(planned.line.clone()));
            Ok::<_, Failure>(if is_current { vec![announced] } else { Vec::new() })
        })?;
        if is_current {
            let StageLine { stage, name, bots, .. } = &planned.line;
            let (stage, name, bots) = (*stage, name.clone(), bots.len());
            events::add(folder, LeagueEvent::Stage { stage, name, bots });
        }
        Ok(is_current.then_some(planned))
    }

    /// The line of the log for a stage of the first of these bots.
    fn line(
        &self,
        folder: &LeagueFolder,
        league: &League,
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
            format: self.format.unwrap_or_else(|| StageFormat::Swiss {
                rounds: self.rounds.unwrap_or(usual_rounds(bots.len())),
            }),
            bots,
            deals: self.deals.unwrap_or(u64::from(size.deals.get())),
            tie_breaks: match self.tie_breaks.is_empty() {
                true => TIE_BREAKS.to_vec(),
                false => self.tie_breaks.clone(),
            },
            deciders: match self.format {
                None => 0,
                Some(_) => self.deciders.unwrap_or(DECIDERS),
            },
            forfeits: ForfeitRule::Listed,
        };
        Stage::begin(line.clone())
            .map_err(|why| Failure::Usage(format!("invalid stage: {why}")))?;
        Ok(line)
    }
}

/// Checks that a stage can begin once no round is open.
///
/// # Errors
///
/// [`Failure::Usage`] if a stage is open, or the game has other than two seats.
pub fn must_be_free(folder: &LeagueFolder, league: &League) -> Result<(), Failure> {
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
                say(format!("warning: the seeds come from stage {number}, which is {state}"));
            }
            // Bots that have left are left out, and the others play with their newest versions.
            let places = stage.places();
            let placed = places.iter().filter_map(|placed| stage.bot(placed.seed));
            let newest = placed.filter_map(|bot| bots.iter().find(|it| it.bot == bot.bot));
            Ok(Seeds { bots: newest.cloned().collect(), unplayed: Vec::new() })
        }
    }
}

/// Ends the open stage before its last round, and says so.
///
/// # Errors
///
/// [`Failure::Usage`] if no stage is open.
pub fn end_stage(folder: &LeagueFolder, reason: Option<&str>) -> Result<String, Failure> {
    let league = folder.read()?;
    let Some(stage) = league.open_stage() else {
        return Err(Failure::usage("no stage is in progress"));
    };
    let (number, name) = (stage.line.stage, printable(&stage.line.name));
    let line = match reason.map(reason_in_line).transpose()? {
        None => StageEndedLine::Stage(number),
        Some(reason) => StageEndedLine::Reason { stage: number, reason },
    };
    folder.append(|_| Ok::<_, Failure>(vec![LeagueLine::StageEnded(line)]))?;
    Ok(format!("stage {number} ({name}) ended before its last round"))
}

/// Reads whose places seed a stage: `standings`, `entry`, or the number of a stage.
///
/// # Errors
///
/// Says what is expected.
pub fn seed_order(text: &str) -> Result<SeedOrder, String> {
    match text {
        "standings" => Ok(SeedOrder::Standings),
        "entry" => Ok(SeedOrder::Entry),
        number => number.parse().map(SeedOrder::Stage).map_err(|_| {
            "expected `standings`, `entry`, or the number of a finished stage".to_owned()
        }),
    }
}

/// Reads the name of a stage.
///
/// # Errors
///
/// Says what is expected.
pub fn stage_name(text: &str) -> Result<String, String> {
    let is_short = text.chars().count() <= LONGEST_NAME && text.trim() == text && !text.is_empty();
    match is_short && text.split(' ').all(is_name) {
        true => Ok(text.to_owned()),
        false => Err("expected a short name of letters, digits, `-`, `_` and spaces".to_owned()),
    }
}

/// The lock of the program that begins a stage.
const STARTING: &str = "starting-stage";
/// Its lock while it wants the open round ended.
const BREAKING_OFF: &str = "breaking-off";
/// Time to wait for another program that begins a stage.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reason in the log for a round that was ended for a stage.
pub const BROKEN_OFF: &str = "ended for a stage";

/// Bots that the organiser has added, in a league with participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HouseBotRule {
    /// They take no part.
    LeftOut,
    /// They take part.
    Included,
}

/// The bots that may take part in a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageField {
    /// Those that take part, in the order of their entries.
    pub bots: Vec<BotVersion>,
    /// House bots that take no part.
    pub house: Vec<BotVersion>,
}

/// Returns the bots that take part in the next stage, without those of these names.
///
/// Remote bots take part only where the settings say so. House bots are those without a participant, in a league in which a participant has a bot.
///
/// # Errors
///
/// [`Failure::Usage`] if one of the names is no bot that plays.
pub fn field(
    league: &League,
    participants: &Participants,
    remote: Option<RemoteTerms>,
    house: HouseBotRule,
    without: &[String],
) -> Result<StageField, Failure> {
    let takes_remote = remote.is_some_and(|terms| terms.stages);
    let plays = |entry: &EnterLine| takes_remote || entry.mode != ProgramMode::Remote;
    let active = league.active().map(|(_, it)| &it.entry).filter(|entry| plays(entry));
    let active: Vec<&BotVersion> = active.map(|entry| &entry.bot).collect();
    let without: Vec<String> = without.iter().map(|name| spelt_as_names(name)).collect();
    if let Some(name) = without.iter().find(|name| active.iter().all(|bot| bot.bot != **name)) {
        let names: Vec<&str> = active.iter().map(|bot| bot.bot.as_str()).collect();
        return Err(Failure::Usage(format!(
            "`--without {}`: no such bot: use one of {}",
            printable(name),
            names.join(", ")
        )));
    }
    let is_of_participant = |bot: &BotVersion| participants.has(&bot.bot);
    let leaves_out =
        house == HouseBotRule::LeftOut && active.iter().any(|bot| is_of_participant(bot));
    let stays = active.into_iter().filter(|bot| !without.contains(&bot.bot)).cloned();
    let (bots, house) = stays.partition(|bot| !leaves_out || is_of_participant(bot));
    Ok(StageField { bots, house })
}

/// Keeps `league run` from announcing rounds, for as long as the lock is held: a stage is seeded by finished rounds
/// alone. While a program also holds the lock of [`break_off`], `league run` ends the round that it plays.
///
/// # Errors
///
/// [`Failure::Later`] if another program begins a stage.
pub fn hold(folder: &LeagueFolder) -> Result<Lock, Failure> {
    take(folder, STARTING)
}

/// Makes `league run` end the round that it plays, for as long as the lock is held.
///
/// # Errors
///
/// [`Failure::Later`] if another program begins a stage.
pub fn break_off(folder: &LeagueFolder) -> Result<Lock, Failure> {
    take(folder, BREAKING_OFF)
}

/// Returns true while a stage is about to begin.
pub fn is_awaited(folder: &LeagueFolder) -> bool {
    Lock::is_held(&place(folder, STARTING))
}

/// Returns true while the round that is played is to end at once.
pub fn breaks_off(folder: &LeagueFolder) -> bool {
    Lock::is_held(&place(folder, BREAKING_OFF))
}

fn take(folder: &LeagueFolder, name: &str) -> Result<Lock, Failure> {
    let league = || shown(folder.path());
    let failed = |error| {
        Failure::Usage(format!("cannot use `{}/{name}`: {}", league(), system_error(&error)))
    };
    Lock::take(&place(folder, name), PATIENCE).map_err(|problem| match problem {
        LockError::Held => {
            Failure::Later(format!("`{}`: another `league stage` is starting a stage", league()))
        }
        LockError::Unopened(error) | LockError::Refused(error) => failed(error),
    })
}

fn place(folder: &LeagueFolder, name: &str) -> PathBuf {
    folder.path().join(name)
}
