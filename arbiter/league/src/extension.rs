//! Giving a participant a later deadline.

use text::failure::Failure;
use text::printable;

use crate::calendar::Doors;
use crate::correction::reason_in_line;
use crate::events::{self, LeagueEvent};
use crate::folder::LeagueFolder;
use crate::line::{ExceptionLine, LeagueLine};
use crate::participants::Participants;
use bot::spelt_as_names;
use jiff::Timestamp;

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
        Doors::Closed(deadline) => deadline,
        Doors::Open | Doors::NotOpen(_) => {
            let problem = "the league has no deadline: set `deadline` in the calendar";
            return Err(Failure::Usage(problem.to_owned()));
        }
    };
    if until < deadline {
        let shown = calendar.time_text(deadline);
        let problem = format!("until: it is before the deadline, {shown}: use a later time");
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
