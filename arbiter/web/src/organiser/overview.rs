//! What the organiser of a league sees, as it was read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::thread::available_parallelism;

use bytesize::ByteSize;
use serde::Serialize;
use serde_json::Value;
use text::shell::without_folders;

use super::stage_wait::StageWait;
use crate::league::ServedLeague;
use crate::submissions::state::{SubmissionService, announced};
use contest::tournament::playing_now;
use league::audit::{self, AuditLine};
use league::calendar::CalendarTime;
use league::correction::Correction;
use league::entry::queue::SubmissionQueue;
use league::events::{self, LeagueEvent};
use league::folder::LeagueFolder;
use league::keys::LeagueKeys;
use league::notify::{self, Notice};
use league::participants::Participants;
use league::stage::output::state;
use league::state::{LeagueMember, Membership};
use league::submissions::LateSubmission;
use league::{League, disk_budget, pause};
use report::league::reading::Announcements;
use text::failure::Failure;

/// The most actions of organisers that are listed with everything else.
const ACTIONS: usize = 100;
/// The most events that are looked through for forfeits of the last round.
const EVENTS: usize = 2_000;

#[derive(Debug, Serialize)]
pub(super) struct OrganiserOverview {
    #[serde(skip)]
    pub(super) title: String,
    pub(super) is_running: bool,
    pub(super) is_paused: bool,
    /// The open round, and the number of games that are being played.
    pub(super) open: Option<OpenRoundLine>,
    pub(super) calendar: Vec<CalendarTime>,
    pub(super) notices: Vec<Notice>,
    /// Participants whose submissions are being checked or wait, in the order of the queue.
    pub(super) queue: Vec<String>,
    /// Those of them whose submissions are being checked, the first ones in the queue.
    pub(super) checking: Vec<String>,
    pub(super) late: Vec<LateSubmission>,
    /// The last stage.
    pub(super) stage: Option<StageLine>,
    /// The stage that waits for the end of the open round, and why the last one did not begin.
    pub(super) stage_waits: Option<String>,
    pub(super) stage_failed: Option<String>,
    /// Bots that forfeited games in the last round.
    pub(super) forfeits: Vec<ForfeitLine>,
    /// Participants who are treated differently, and why.
    exceptions: Vec<Value>,
    /// The same in words.
    #[serde(skip)]
    pub(super) excepted: Vec<String>,
    corrections: Vec<Value>,
    /// Those that are not taken back, with their numbers, in words.
    #[serde(skip)]
    pub(super) corrected: Vec<(usize, String)>,
    pub(super) participants: Vec<ParticipantLine>,
    pub(super) disk: DiskUse,
    /// How busy the machine is, where the system tells.
    pub(super) machine: Option<MachineLoad>,
    /// Number of people who may register by the code, if there is one.
    pub(super) registrations_left: Option<u64>,
    /// The last actions of organisers, the newest first.
    pub(super) audit: Vec<AuditLine>,
    pub(super) settings_problem: Option<String>,
    #[serde(skip)]
    pub(super) announced: Announcements,
}

#[derive(Debug, Serialize)]
pub(super) struct OpenRoundLine {
    pub(super) round: u64,
    pub(super) playing: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct StageLine {
    pub(super) stage: u64,
    pub(super) name: String,
    pub(super) is_open: bool,
    pub(super) state: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ForfeitLine {
    pub(super) bot: String,
    pub(super) name: String,
    pub(super) round: u64,
    pub(super) games: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct ParticipantLine {
    pub(super) name: String,
    pub(super) person: Option<String>,
    pub(super) members: Vec<String>,
    pub(super) may_hand_in: bool,
    /// The newest version of the bot, if it plays.
    pub(super) bot: Option<String>,
    pub(super) state: ParticipantState,
    /// Its rank on the public pages, if it has one.
    pub(super) rank: Option<usize>,
    /// The page of the bot, from the pages of the league.
    #[serde(skip)]
    pub(super) page: Option<String>,
}

/// What is to be known of a participant at first sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ParticipantState {
    Playing,
    Late,
    NoBot,
    Retired,
    Disqualified,
}

/// How busy the machine is.
#[derive(Debug, Serialize)]
pub(super) struct MachineLoad {
    /// Programs that ran or waited for a processor, the mean over a minute.
    pub(super) load: f64,
    pub(super) cores: usize,
}

impl MachineLoad {
    fn read() -> Option<MachineLoad> {
        let text = fs::read_to_string("/proc/loadavg").ok()?;
        let load = text.split(' ').next()?.parse().ok()?;
        Some(MachineLoad { load, cores: available_parallelism().ok()?.get() })
    }

    /// Returns true if more programs want to run than the machine has cores.
    pub(super) fn is_high(&self) -> bool {
        self.load > self.cores as f64
    }
}

/// Sizes in bytes; none where they are not known.
#[derive(Debug, Serialize)]
pub(super) struct DiskUse {
    pub(super) free: Option<u64>,
    pub(super) rounds: Option<u64>,
    pub(super) bots: Option<u64>,
    pub(super) submissions: Option<u64>,
    /// Below this number of free bytes no bots are taken.
    pub(super) least: u64,
}

impl DiskUse {
    pub(super) fn is_nearly_full(&self) -> bool {
        self.free.is_some_and(|free| free < self.least)
    }
}

pub(super) fn size(bytes: Option<u64>) -> String {
    bytes.map_or("unknown".to_owned(), |bytes| ByteSize(bytes).display().iec().to_string())
}

impl OrganiserOverview {
    /// Reads it. What many files tell is read once, and from then on where something has changed.
    pub(super) fn read(
        submissions: &SubmissionQueue,
        page: &SubmissionService,
        stages: &StageWait,
        served: &ServedLeague,
    ) -> Result<OrganiserOverview, Failure> {
        let folder = submissions.folder();
        let league = page.league()?;
        let ours = |error: io::Error| Failure::Ours(text::system_error(error));
        let (least, settings_problem) = match submissions.terms() {
            Ok((terms, mistake)) => (terms.quotas.least_free(), mistake),
            Err(mistake) => (0, Some(mistake)),
        };
        let settings_problem = settings_problem.map(|it| without_folders(&it.to_string()));
        let announced = announced(submissions).unfrozen();
        let open = league.open_round().map(|round| {
            let number = round.line.round;
            let playing = playing_now::read(&folder.round(number)).map_or(0, |games| games.len());
            OpenRoundLine { round: number, playing }
        });
        let late = submissions.late().map_err(ours)?.to_vec();
        let (_, undecided) = submissions.seen().map_err(ours)?;
        let sizes = page.sizes.sizes_of(folder);
        let exceptions = league.exceptions();
        let corrections = league.corrections();
        let in_force = |it: &(usize, &Correction)| it.1.reinstated.is_none();
        let corrected = corrections.all().iter().enumerate().filter(in_force);
        let (title, ranks) = served
            .compute(|reading, _| Ok((reading.title.clone(), ranks(reading))))
            .unwrap_or_default();
        Ok(OrganiserOverview {
            title,
            is_running: folder.is_running(),
            is_paused: pause::is_paused(folder),
            open,
            calendar: announced.calendar.times(),
            notices: notify::list(folder)?,
            queue: undecided.all().map(|it| it.participant.clone()).collect(),
            checking: undecided.checking.iter().map(|it| it.participant.clone()).collect(),
            participants: participants(folder, &league, &late, &ranks)?,
            late,
            stage: league.stages().last().map(|stage| StageLine {
                stage: stage.line.stage,
                name: stage.line.name.clone(),
                is_open: !stage.is_over(),
                state: state(stage),
            }),
            stage_waits: stages.waiting(),
            stage_failed: stages.failed(),
            forfeits: forfeits(folder, &league).map_err(ours)?,
            exceptions: exceptions.views().collect(),
            excepted: exceptions.all().iter().map(|it| it.in_words(&announced.calendar)).collect(),
            corrections: corrections.views().collect(),
            corrected: corrected.map(|(number, it)| (number, it.in_words())).collect(),
            disk: DiskUse {
                free: disk_budget::free(folder.path()).map_err(ours)?,
                rounds: sizes.rounds,
                bots: sizes.bots,
                submissions: sizes.submissions,
                least,
            },
            machine: MachineLoad::read(),
            registrations_left: LeagueKeys::read(folder)?.registrations_left(),
            audit: audit::latest(folder, ACTIONS).map_err(ours)?,
            settings_problem,
            announced,
        })
    }
}

/// The ranks of versions on the public pages.
fn ranks(reading: &report::league::LeagueReport) -> BTreeMap<String, usize> {
    reading.active().all.rows.iter().map(|row| (row.name.clone(), row.rank)).collect()
}

/// All participants, and the bots that belong to none.
fn participants(
    folder: &LeagueFolder,
    league: &League,
    late: &[LateSubmission],
    ranks: &BTreeMap<String, usize>,
) -> Result<Vec<ParticipantLine>, Failure> {
    let playing = league.active().map(|(_, member)| &member.entry.bot);
    let playing: BTreeMap<&str, String> =
        playing.map(|bot| (bot.bot.as_str(), bot.to_string())).collect();
    let is_disqualified = |it: &&LeagueMember| {
        let is_out = it.left.as_ref().is_some_and(|left| left.disqualified);
        is_out && it.membership != Membership::Replaced
    };
    let disqualified = league.members().iter().filter(is_disqualified);
    let disqualified: BTreeSet<&str> = disqualified.map(|it| &*it.entry.bot.bot).collect();
    // The page of a bot has its place among the names, in the order in which they entered first.
    let mut pages: BTreeMap<&str, usize> = BTreeMap::new();
    for member in league.members() {
        let next = pages.len() + 1;
        pages.entry(member.entry.bot.bot.as_str()).or_insert(next);
    }
    let line = |name: &str, person: Option<String>, members: Vec<String>, may_hand_in: bool| {
        let bot = playing.get(name).cloned();
        let state = match (&bot, pages.contains_key(name)) {
            _ if late.iter().any(|it| it.participant == name) => ParticipantState::Late,
            _ if disqualified.contains(name) => ParticipantState::Disqualified,
            (Some(_), _) => ParticipantState::Playing,
            (None, true) => ParticipantState::Retired,
            (None, false) => ParticipantState::NoBot,
        };
        let rank = bot.as_ref().and_then(|bot| ranks.get(bot).copied());
        let page = pages.get(name).map(|place| format!("bots/{place}.html"));
        ParticipantLine {
            name: name.to_owned(),
            person,
            members,
            may_hand_in,
            bot,
            state,
            rank,
            page,
        }
    };
    let participants = Participants::read(folder)?;
    let mut people: Vec<ParticipantLine> = participants
        .all()
        .map(|(name, it)| {
            let members = it.members().map(str::to_owned).collect();
            line(name, it.person.clone(), members, it.may_hand_in())
        })
        .collect();
    // Further bots of a participant and bots of the organiser's own can leave as well.
    let others = pages.keys().filter(|name| participants.owner(name) != Some(**name));
    people.extend(others.map(|name| {
        let person = participants.of_bot(name).and_then(|it| it.person.clone());
        line(name, person, Vec::new(), false)
    }));
    Ok(people)
}

/// The bots that forfeited games in the last round that is over.
fn forfeits(folder: &LeagueFolder, league: &League) -> io::Result<Vec<ForfeitLine>> {
    let over = league.rounds().iter().filter(|round| round.over.is_some());
    let Some(last) = over.map(|round| round.line.round).max() else { return Ok(Vec::new()) };
    let events = events::latest(folder, EVENTS, None, None)?;
    let forfeits = events.into_iter().filter_map(|it| match it.happened.event {
        LeagueEvent::Forfeited { bot, round, games, .. } if round == last => {
            Some(ForfeitLine { name: bot.bot.clone(), bot: bot.to_string(), round, games })
        }
        _ => None,
    });
    let mut forfeits: Vec<ForfeitLine> = forfeits.collect();
    forfeits.sort_by(|one, other| other.games.cmp(&one.games).then(one.bot.cmp(&other.bot)));
    Ok(forfeits)
}
