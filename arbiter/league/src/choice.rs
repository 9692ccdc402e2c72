//! The version of a bot that plays, the last one that entered or an earlier one; and house bots.

use std::collections::BTreeSet;

use bot::spelt_as_names;
use jiff::Timestamp;
use text::failure::Failure;
use text::printable;

use crate::calendar::SubmissionWindow;
use crate::correction::reason_in_line;
use crate::events::{self, LeagueEvent};
use crate::folder::{LeagueError, LeagueFolder};
use crate::keys::LeagueKeys;
use crate::line::{ChooseLine, ExceptionLine, LeagueLine};
use crate::participants::{Participants, TokenHolder};
use crate::refusal::{Refusal, RefusalKind};
use crate::settings::LeagueConfig;
use crate::state::{League, Membership};
use crate::version::BotVersion;

#[derive(Debug, Clone, Copy)]
pub enum Chooser<'a> {
    /// The author, at this time, which must be before the deadline.
    Author {
        terms: &'a LeagueConfig,
        at: Timestamp,
        /// The participant, or the member of a team.
        by: &'a TokenHolder,
    },
    Organiser {
        reason: &'a str,
    },
}

/// Lets a version of a bot play from the next round on, in the place of the one that plays.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn choose(
    folder: &LeagueFolder,
    bot: &BotVersion,
    chooser: Chooser<'_>,
) -> Result<(), Refusal> {
    let (reason, member) = match chooser {
        Chooser::Author { terms, at, by } => {
            let league = folder.read()?;
            must_be_open(terms, league.exceptions().deadline(&by.participant), at)?;
            (None, by.member.as_deref())
        }
        Chooser::Organiser { reason } => (Some(reason_in_line(reason)?), None),
    };
    folder
        .append(|league| {
            let unfit = |why: String| Err(Failure::Usage(why));
            let mut members = league.members().iter();
            let Some(member) = members.find(|member| member.entry.bot == *bot) else {
                return unfit(format!("no version `{bot}`: `arbiter league status` lists them"));
            };
            match league.current(&bot.bot).map(|current| current.membership) {
                Some(Membership::Active) => {}
                _ => return unfit(format!("{} has left the league", bot.bot)),
            }
            if member.membership == Membership::Active {
                return unfit(format!("{bot} is already active"));
            }
            if !folder.has_files(&member.entry) {
                return unfit(format!(
                    "the files of {bot} are no longer stored: choose another version"
                ));
            }
            let line = ChooseLine { bot: bot.clone(), reason: reason.clone() };
            Ok(vec![LeagueLine::Choose(line)])
        })
        .map_err(|failure| match failure {
            Failure::Usage(why) => Refusal::new(RefusalKind::Conflict, why),
            // Another program writes to the log.
            Failure::Later(why) => Refusal::new(RefusalKind::Busy { wait: 10 }, why),
            other => Refusal::Failed(other),
        })?;
    events::add_of_member(folder, LeagueEvent::Chosen { bot: bot.clone(), reason }, member);
    Ok(())
}

fn must_be_open(
    terms: &LeagueConfig,
    own: Option<Timestamp>,
    at: Timestamp,
) -> Result<(), Refusal> {
    let calendar = terms.calendar();
    let why = match calendar.doors_with(own, at) {
        SubmissionWindow::Open => return Ok(()),
        SubmissionWindow::NotOpen(opens) => {
            format!("the league opens at {}", calendar.time_text(opens))
        }
        SubmissionWindow::Closed(deadline) => {
            format!("the deadline passed at {}: ask the organiser", calendar.time_text(deadline))
        }
    };
    Err(Refusal::new(RefusalKind::Closed, why))
}

/// Returns true if a further round would bring nothing new: the league has participants, or takes registrations, and
/// only house bots play, each of which has played before, and no void game waits for its replay.
///
/// # Errors
///
/// Fails if the participants cannot be read.
pub fn are_alone(folder: &LeagueFolder, league: &League) -> Result<bool, LeagueError> {
    let participants = Participants::read(folder)?;
    let is_open = || Ok(LeagueKeys::read(folder)?.registrations_left().is_some());
    if !league.pending_replays(&|_| true).is_empty() {
        return Ok(false);
    }
    if participants.names().next().is_none() && !is_open()? {
        return Ok(false);
    }
    let played: BTreeSet<&BotVersion> =
        league.rounds().iter().flat_map(|round| &round.line.bots).collect();
    let mut active = league.active().map(|(_, member)| &member.entry.bot);
    Ok(active.all(|bot| !participants.has(&bot.bot) && played.contains(bot)))
}

/// Gives a participant, or the bot of a watched folder, a deadline of their own, and says so.
///
/// # Errors
///
/// [`Failure::Usage`] for a name that is not known, and a time before the deadline of the league.
pub fn extend(
    folder: &LeagueFolder,
    name: &str,
    until: &str,
    reason: &str,
) -> Result<String, Failure> {
    let (calendar, reason) = (folder.calendar()?, reason_in_line(reason)?);
    let wrong = |problem: &str| Failure::Usage(format!("--{problem}"));
    let until = calendar
        .time("until", until)
        .map_err(|problem| wrong(problem.trim_start_matches("calendar.")))?;
    let deadline = match calendar.doors(Timestamp::MAX) {
        SubmissionWindow::Closed(deadline) => deadline,
        SubmissionWindow::Open | SubmissionWindow::NotOpen(_) => {
            let problem = "the league has no deadline: set `deadline` in the calendar";
            return Err(Failure::Usage(problem.to_owned()));
        }
    };
    if until < deadline {
        let shown = calendar.time_text(deadline);
        let problem = format!("until: must not be before the deadline ({shown})");
        return Err(Failure::Usage(problem));
    }
    let name = spelt_as_names(name);
    let participants = Participants::read(folder)?;
    let name = participants.owner(&name).map_or(name.clone(), str::to_owned);
    let line = ExceptionLine::until(&name, until, reason.clone());
    let told = line.in_words(&calendar);
    folder.append(|league| match participants.has(&name) || league.newest(&name).is_some() {
        true => Ok(vec![LeagueLine::Exception(line)]),
        false => {
            let problem = format!("no participant `{}`: use an invited name", printable(&name));
            Err(Failure::Usage(problem))
        }
    })?;
    let (participant, until) = (name, until.as_second());
    events::add(folder, LeagueEvent::Extended { participant, until, reason });
    Ok(told)
}
