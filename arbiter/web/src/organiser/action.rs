//! The actions of an organiser. All but the dates of the calendar are commands, too.

use std::num::NonZeroUsize;
use std::str::FromStr;

use jiff::Timestamp;
use serde::Deserialize;
use text::failure::Failure;
use text::{counted, printable};

use super::stage_wait::StageWait;
use bot::spelt_as_names;
use league::calendar::change::{self, CalendarKey};
use league::calendar::{self, Calendar};
use league::choice::{self, Chooser};
use league::entry::queue::SubmissionQueue;
use league::folder::LeagueFolder;
use league::participants::{self, InvitationRequest, Participants};
use league::replay_request;
use league::round_folder::OpenRoundAction;
use league::stage::{GroupFormat, StageFormat};
use league::stage_request::{self, HouseBotRule, StageRequest};
use league::state::LeaveReason;
use league::voiding::{self, CorrectionRequest, VoidScope};
use league::{BotVersion, notify, pause, submissions};
use standings::pairing::knockout::ThirdPlace;

/// The values of a form; each action takes those that it needs, and an empty one is none.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct FormFields {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) number: String,
    pub(super) reason: String,
    pub(super) until: String,
    pub(super) rounds: String,
    pub(super) bot: String,
    pub(super) format: String,
    pub(super) title: String,
    pub(super) top: String,
    pub(super) without: String,
    pub(super) house: String,
    pub(super) seeds: String,
    pub(super) deals: String,
    pub(super) swiss: String,
    pub(super) groups: String,
    pub(super) first: String,
    pub(super) third: String,
    pub(super) deciders: String,
    pub(super) open: String,
    /// The token against forgery.
    pub(super) form: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OrganiserAction {
    Pause,
    Resume,
    Notice,
    RemoveNotice,
    Token,
    Invite,
    CancelStage,
    Accept,
    Extend,
    Retire,
    Disqualify,
    Revoke,
    Choose,
    Void,
    Replay,
    Reinstate,
    Stage,
    EndStage,
    Deadline,
    Freeze,
    Unfreeze,
}

const NAMES: [(&str, OrganiserAction); 21] = [
    ("pause", OrganiserAction::Pause),
    ("go-on", OrganiserAction::Resume),
    ("notice", OrganiserAction::Notice),
    ("remove-notice", OrganiserAction::RemoveNotice),
    ("token", OrganiserAction::Token),
    ("invite", OrganiserAction::Invite),
    ("cancel-stage", OrganiserAction::CancelStage),
    ("accept", OrganiserAction::Accept),
    ("extend", OrganiserAction::Extend),
    ("retire", OrganiserAction::Retire),
    ("disqualify", OrganiserAction::Disqualify),
    ("revoke", OrganiserAction::Revoke),
    ("choose", OrganiserAction::Choose),
    ("void", OrganiserAction::Void),
    ("replay", OrganiserAction::Replay),
    ("reinstate", OrganiserAction::Reinstate),
    ("stage", OrganiserAction::Stage),
    ("end-stage", OrganiserAction::EndStage),
    ("deadline", OrganiserAction::Deadline),
    ("freeze", OrganiserAction::Freeze),
    ("unfreeze", OrganiserAction::Unfreeze),
];

/// The league on which an action works, and who does it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActionContext<'a> {
    pub(super) folder: &'a LeagueFolder,
    pub(super) queue: Option<&'a SubmissionQueue>,
    pub(super) stages: &'a StageWait,
    pub(super) by: &'a str,
}

impl OrganiserAction {
    pub(super) fn named(name: &str) -> Option<OrganiserAction> {
        NAMES.iter().find(|(own, _)| *own == name).map(|(_, action)| *action)
    }

    pub(super) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, action)| *action == self).map_or("", |(name, _)| name)
    }

    /// Does it, and says what was done, with a token that is shown once if one was drawn.
    pub(super) fn act(
        self,
        context: ActionContext<'_>,
        fields: &FormFields,
    ) -> Result<(String, Option<String>), Failure> {
        let folder = context.folder;
        let FormFields { name, reason, .. } = fields;
        let unwritten = |error| Failure::Ours(text::system_error(error));
        let names = std::slice::from_ref(name);
        let done = match self {
            OrganiserAction::Pause => {
                pause::begin(folder).map_err(unwritten)?;
                "paused".to_owned()
            }
            OrganiserAction::Resume => {
                pause::end(folder).map_err(unwritten)?;
                "resumed".to_owned()
            }
            OrganiserAction::Notice => {
                let notice = notify::add(folder, &fields.text, calendar::now())?;
                format!("notice {} published", notice.number)
            }
            OrganiserAction::RemoveNotice => {
                let number = fields.number("number", &fields.number)?;
                notify::remove(folder, number)?;
                format!("notice {number} removed")
            }
            OrganiserAction::Token => {
                let known = Participants::read(folder)?.has(name);
                known.then_some(()).ok_or_else(|| unknown(name))?;
                let request = InvitationRequest { name, member: None, person: None };
                let token = participants::invite(folder, &request)?.token.to_string();
                let done = format!("new token for {}", printable(name));
                return Ok((done, Some(token)));
            }
            OrganiserAction::Invite => {
                let name = spelt_as_names(name.trim());
                must_be_new(folder, &name)?;
                let person = Some(fields.text.as_str());
                let request = InvitationRequest { name: &name, member: None, person };
                let token = participants::invite(folder, &request)?.token.to_string();
                let done = format!("{} invited", printable(&name));
                return Ok((done, Some(token)));
            }
            OrganiserAction::CancelStage => context.stages.cancel()?,
            OrganiserAction::Accept => {
                let reason = if reason.is_empty() { submissions::ACCEPTED } else { reason };
                let accepted = context.queue.map_or_else(
                    || submissions::accept(folder, name, reason),
                    |queue| queue.accept(name, reason),
                )?;
                let missing =
                    || Failure::Usage(format!("no late submission from `{}`", printable(name)));
                format!("{name}: submission {} queued", accepted.ok_or_else(missing)?.number)
            }
            OrganiserAction::Extend => choice::extend(folder, name, &fields.until, reason)?,
            OrganiserAction::Retire => {
                let reason = reason.trim();
                let why = LeaveReason { reason: reason.to_owned(), disqualified: false };
                voiding::leave(folder, names, (!reason.is_empty()).then_some(why))?;
                format!("{} retired{}", printable(name), in_brackets(reason))
            }
            OrganiserAction::Disqualify => {
                let why = LeaveReason { reason: reason.clone(), disqualified: true };
                voiding::leave(folder, names, Some(why))?;
                format!("{} disqualified{}", printable(name), in_brackets(reason))
            }
            OrganiserAction::Revoke => {
                participants::revoke(folder, name, None)?;
                format!("token of {} revoked{}", printable(name), in_brackets(reason))
            }
            OrganiserAction::Choose => {
                let bot = fields.bot()?.ok_or_else(|| Failure::usage("choose a version"))?;
                choice::choose(folder, &bot, Chooser::Organiser { reason })?;
                format!("{bot} chosen{}", in_brackets(reason))
            }
            OrganiserAction::Void => {
                let (rounds, bot) = (fields.rounds()?, fields.bot()?);
                let request = CorrectionRequest { rounds: &rounds, bot: bot.as_ref(), reason };
                let (games, _) = voiding::void(folder, &request)?;
                format!("{}: void{}", games.join("; "), in_brackets(reason))
            }
            OrganiserAction::Replay => {
                let (rounds, bot) = (fields.rounds()?, fields.bot()?);
                let request = CorrectionRequest { rounds: &rounds, bot: bot.as_ref(), reason };
                let (outcome, _) = replay_request::replay(folder, &request)?;
                let games = outcome.replayed.join("; ");
                format!("{games}: to be replayed{}", in_brackets(reason))
            }
            OrganiserAction::Reinstate => {
                let number: usize = fields.number("number", &fields.number)?;
                let games = voiding::reinstate(folder, number, reason)?;
                format!("{games}: reinstated{}", in_brackets(reason))
            }
            OrganiserAction::Stage => {
                let (request, open) = (fields.stage()?, fields.open_round());
                context.stages.begin(folder, request, open, context.by)?
            }
            OrganiserAction::EndStage => {
                let reason = Some(reason.trim()).filter(|reason| !reason.is_empty());
                stage_request::end_stage(folder, reason)?
            }
            OrganiserAction::Deadline | OrganiserAction::Freeze | OrganiserAction::Unfreeze => {
                let change = self.calendar_change(&folder.calendar()?, fields)?;
                let new = change::set(folder, &change)?;
                let what: Vec<String> =
                    change.iter().map(|it| change_in_words(&new, *it)).collect();
                format!("{}{}", what.join(", "), in_brackets(reason))
            }
        };
        Ok((done, None))
    }

    /// The change of the calendar that this action is; now, where no time is given.
    pub(super) fn calendar_change(
        self,
        calendar: &Calendar,
        fields: &FormFields,
    ) -> Result<Vec<(CalendarKey, Option<Timestamp>)>, Failure> {
        let now = Timestamp::from_second(calendar::now().as_second()).unwrap_or_default();
        let given = match fields.until.trim() {
            "" => None,
            text => Some(calendar.time("until", text).map_err(|problem| {
                Failure::Usage(problem.trim_start_matches("calendar.").to_owned())
            })?),
        };
        let at = given.unwrap_or(now);
        let end = calendar.times().into_iter().find(|it| it.name == CalendarKey::Unfreeze.name());
        Ok(match self {
            OrganiserAction::Freeze => {
                let mut change = vec![(CalendarKey::Freeze, Some(at))];
                // The end of an earlier freeze is none of this one.
                if end.is_some_and(|end| end.at <= at) {
                    change.push((CalendarKey::Unfreeze, None));
                }
                change
            }
            OrganiserAction::Unfreeze => vec![(CalendarKey::Unfreeze, Some(at))],
            _ => {
                let missing = || {
                    Failure::usage("until: missing time: use a time such as 2026-12-20T23:59:59")
                };
                vec![(CalendarKey::Deadline, Some(given.ok_or_else(missing)?))]
            }
        })
    }
}

pub(super) fn change_in_words(
    calendar: &Calendar,
    (key, at): (CalendarKey, Option<Timestamp>),
) -> String {
    match at {
        Some(at) => format!("{} {}", key.name(), calendar.time_text(at)),
        None => format!("{} removed", key.name()),
    }
}

fn in_brackets(reason: &str) -> String {
    match reason.trim() {
        "" => String::new(),
        reason => format!(" ({})", printable(reason)),
    }
}

/// Fails if a participant has this name.
pub(super) fn must_be_new(folder: &LeagueFolder, name: &str) -> Result<(), Failure> {
    match Participants::read(folder)?.has(name) {
        true => Err(Failure::Usage(format!(
            "`{}` is already a participant: issue a new token from the menu",
            printable(name)
        ))),
        false => Ok(()),
    }
}

pub(super) fn unknown(name: &str) -> Failure {
    Failure::Usage(format!("no participant `{}`", printable(name)))
}

impl FormFields {
    fn number<T: FromStr>(&self, name: &str, text: &str) -> Result<T, Failure> {
        text.trim().parse().map_err(|_| {
            Failure::Usage(format!("{name}: invalid number `{}`", printable(text.trim())))
        })
    }

    /// Reads a number that may be missing.
    fn some_number<T: FromStr>(&self, name: &str, text: &str) -> Result<Option<T>, Failure> {
        match text.trim() {
            "" => Ok(None),
            text => self.number(name, text).map(Some),
        }
    }

    /// The rounds and games that are named, with blanks between them.
    pub(super) fn rounds(&self) -> Result<Vec<VoidScope>, Failure> {
        let scopes = self.rounds.split_whitespace().map(|text| text.parse::<VoidScope>());
        scopes.collect::<Result<_, _>>().map_err(Failure::usage)
    }

    pub(super) fn bot(&self) -> Result<Option<BotVersion>, Failure> {
        match self.bot.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(Failure::usage),
        }
    }

    /// The number of the correction or the notice.
    pub(super) fn place(&self) -> Result<usize, Failure> {
        self.number("number", &self.number)
    }

    pub(super) fn open_round(&self) -> OpenRoundAction {
        match self.open.as_str() {
            "end" => OpenRoundAction::BrokenOff,
            _ => OpenRoundAction::Finished,
        }
    }

    /// Refuses values that are not for the format, as the command does.
    fn must_fit_format(&self) -> Result<(), Failure> {
        let Self { swiss, groups, first, third, deciders, .. } = self;
        let all = ["knockout", "double-elimination", "groups"];
        let two = ["knockout", "groups"];
        let fitting: [(&str, &str, &[&str], &str); 5] = [
            ("rounds", swiss, &["swiss"], "only for a Swiss system"),
            ("groups", groups, &["groups"], "only for groups"),
            ("first", first, &["groups"], "only for groups"),
            ("third", third, &two, "only for a knockout or groups"),
            ("deciders", deciders, &all, "not for a Swiss system"),
        ];
        for (name, value, formats, whose) in fitting {
            if !value.trim().is_empty() && !formats.contains(&self.format.as_str()) {
                return Err(Failure::Usage(format!("{name}: {whose}")));
            }
        }
        Ok(())
    }

    pub(super) fn stage(&self) -> Result<StageRequest, Failure> {
        self.must_fit_format()?;
        let third = if self.third == "on" { ThirdPlace::Played } else { ThirdPlace::Shared };
        let format = match self.format.as_str() {
            "swiss" => None,
            "knockout" => Some(StageFormat::Knockout { third }),
            "double-elimination" => Some(StageFormat::DoubleElimination),
            "groups" => {
                let groups = self.some_number("groups", &self.groups)?;
                let groups: NonZeroUsize =
                    groups.ok_or_else(|| Failure::usage("groups: no number: use 2 or more"))?;
                let two = NonZeroUsize::MIN.saturating_add(1);
                let first = self.some_number("first", &self.first)?.unwrap_or(two);
                Some(StageFormat::Groups(GroupFormat { groups, first, third }))
            }
            other => {
                let problem = format!("format: unknown format `{}`", printable(other));
                return Err(Failure::Usage(problem));
            }
        };
        let name = match self.title.trim() {
            "" => None,
            name => Some(
                stage_request::stage_name(name)
                    .map_err(|problem| Failure::Usage(format!("name: {problem}")))?,
            ),
        };
        let seeds = if self.seeds.is_empty() { "standings" } else { &self.seeds };
        let seeds = stage_request::seed_order(seeds)
            .map_err(|problem| Failure::Usage(format!("seeds: {problem}")))?;
        let without = self.without.split(|it: char| it == ',' || it.is_whitespace());
        Ok(StageRequest {
            format,
            rounds: self.some_number("rounds", &self.swiss)?,
            name,
            top: self.some_number("top", &self.top)?,
            without: without.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            house: if self.house == "on" { HouseBotRule::Included } else { HouseBotRule::LeftOut },
            seeds,
            deals: self.some_number("deals", &self.deals)?,
            deciders: self.some_number("deciders", &self.deciders)?,
            tie_breaks: Vec::new(),
        })
    }
}

/// `1 game`, `2 games`.
pub(super) fn games(number: usize) -> String {
    counted(number, "game", "games")
}
