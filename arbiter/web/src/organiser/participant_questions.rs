//! The questions before actions on participants and their bots.

use text::counted;
use text::failure::Failure;
use text::printable;

use super::action::{ActionContext, FormFields, OrganiserAction, must_be_new, unknown};
use super::question_draft::{QuestionDraft, ReasonRule, choice, fixed, sentence, text};
use bot::spelt_as_names;
use league::calendar::{SubmissionState, length};
use league::folder::LeagueFolder;
use league::participants::Participants;
use league::state::{LeagueMember, Membership};
use league::submissions;
use league::voiding;

pub(super) fn invite(folder: &LeagueFolder, fields: &FormFields) -> Result<QuestionDraft, Failure> {
    let name = spelt_as_names(fields.name.trim());
    let follows = || {
        if name.is_empty() {
            return Ok(None);
        }
        must_be_new(folder, &name)?;
        let mut follows = vec![
            format!("{} gets a token, which is shown once.", printable(&name)),
            "Bots that are submitted with it enter under this name.".to_owned(),
        ];
        if folder.read()?.newest(&name).is_some() {
            follows.push(format!(
                "A bot {} has entered before: submissions become its new versions.",
                printable(&name)
            ));
        }
        Ok(Some(follows))
    };
    Ok(QuestionDraft {
        title: "Invite a participant".to_owned(),
        fields: vec![
            text("name", "Name of the participant and of the bot", &name, "anna"),
            text("text", "Real name, for you and for certificates", &fields.text, "Anna Example"),
        ],
        follows: follows(),
        reason: ReasonRule::None,
        button: "Invite",
    })
}

pub(super) fn accept(
    context: ActionContext<'_>,
    fields: &FormFields,
) -> Result<QuestionDraft, Failure> {
    let name = &fields.name;
    let late = submissions::late_submissions(context.folder)
        .map_err(|error| Failure::Ours(text::system_error(error)))?;
    let found = late.iter().rev().find(|it| it.participant == *name);
    let found =
        found.ok_or_else(|| Failure::Usage(format!("no late submission of `{}`", printable(name))));
    let follows = found.map(|found| {
        let late = match found.record.verdict {
            submissions::SubmissionVerdict::Late(seconds) => length(seconds),
            _ => "0 s".to_owned(),
        };
        Some(vec![
            format!(
                "Submission {} of {name} came {late} after the deadline. It is checked now.",
                found.number
            ),
            "If it passes, its bot enters and plays from the next round on.".to_owned(),
            "The log and the pages show it as an exception, with your reason.".to_owned(),
        ])
    });
    Ok(QuestionDraft {
        title: format!("Accept the late submission of {}", printable(name)),
        fields: vec![fixed("name", name)],
        follows,
        reason: ReasonRule::Optional,
        button: "Accept",
    })
}

pub(super) fn extend(folder: &LeagueFolder, fields: &FormFields) -> Result<QuestionDraft, Failure> {
    let FormFields { name, until, .. } = fields;
    let calendar = folder.calendar()?;
    let follows = || {
        if name.is_empty() || until.is_empty() {
            return Ok(None);
        }
        known(folder, name)?;
        let at = calendar.time("until", until).map_err(|problem| {
            Failure::Usage(problem.trim_start_matches("calendar.").to_owned())
        })?;
        let others = match calendar.doors(jiff::Timestamp::MAX) {
            SubmissionState::Closed(deadline) => deadline,
            SubmissionState::Open | SubmissionState::NotOpen(_) => {
                let problem = "the league has no deadline: set one in the calendar first";
                return Err(Failure::usage(problem));
            }
        };
        if at < others {
            let problem =
                format!("until: it is before the deadline, {}", calendar.time_text(others));
            return Err(Failure::Usage(problem));
        }
        Ok(Some(vec![
            format!("{} can submit until {}.", printable(name), calendar.time_text(at)),
            format!("The deadline of all others stays {}.", calendar.time_text(others)),
            "The log and the pages show it as an exception, with your reason.".to_owned(),
        ]))
    };
    Ok(QuestionDraft {
        title: "Extend one deadline".to_owned(),
        fields: vec![
            text("name", "Participant", name, "anna"),
            text("until", "Submissions until", until, "2026-12-22T23:59:59"),
        ],
        follows: follows(),
        reason: ReasonRule::Required,
        button: "Extend",
    })
}

pub(super) fn leave(
    action: OrganiserAction,
    folder: &LeagueFolder,
    fields: &FormFields,
) -> Result<QuestionDraft, Failure> {
    let name = &fields.name;
    let league = folder.read()?;
    let is_disqualified = action == OrganiserAction::Disqualify;
    let member = league.current(name);
    let bot = member.map_or_else(|| printable(name), |it| it.entry.bot.to_string());
    let follows = || {
        let member =
            member.ok_or_else(|| Failure::Usage(format!("no bot `{}`", printable(name))))?;
        if member.membership != Membership::Active && !is_disqualified {
            return Err(Failure::Usage(format!("{bot} has already left")));
        }
        let mut follows =
            vec![format!("{bot} plays no further rounds. Its games so far stay rated.")];
        let stage = voiding::forecast_of_stage(folder, &league, std::slice::from_ref(name));
        follows.extend(stage.into_iter().map(|it| format!("{}.", sentence(&it))));
        follows.push(match is_disqualified {
            true => format!(
                "Submissions with the tokens of {name} are rejected, and no later version can enter."
            ),
            false => format!(
                "The tokens of {name} stay valid: a new submission enters as a new version."
            ),
        });
        follows.push("The log and the pages show that it left, with your reason.".to_owned());
        Ok(Some(follows))
    };
    let (verb, button, reason) = match is_disqualified {
        true => ("Disqualify", "Disqualify", ReasonRule::Required),
        false => ("Retire", "Retire", ReasonRule::Optional),
    };
    Ok(QuestionDraft {
        title: format!("{verb} {bot}"),
        fields: vec![fixed("name", name)],
        follows: follows(),
        reason,
        button,
    })
}

pub(super) fn revoke(folder: &LeagueFolder, fields: &FormFields) -> Result<QuestionDraft, Failure> {
    let name = &fields.name;
    let participants = Participants::read(folder)?;
    let follows = || {
        let participant = participants.of_bot(name).ok_or_else(|| unknown(name))?;
        let members = participant.members().count();
        let whose = match members {
            0 => format!("The token of {name} stops"),
            _ => format!(
                "The tokens of {name} and of {} stop",
                counted(members, "member", "members")
            ),
        };
        Ok(Some(vec![
            format!(
                "{whose} working everywhere, at once. Submissions that are queued are rejected."
            ),
            "Its bot and its results stay.".to_owned(),
        ]))
    };
    Ok(QuestionDraft {
        title: format!("Revoke the token of {}", printable(name)),
        fields: vec![fixed("name", name)],
        follows: follows(),
        reason: ReasonRule::Noted,
        button: "Revoke",
    })
}

pub(super) fn choose(folder: &LeagueFolder, fields: &FormFields) -> Result<QuestionDraft, Failure> {
    let FormFields { name, bot, .. } = fields;
    let league = folder.read()?;
    let playing = league.current(name).filter(|it| it.membership == Membership::Active);
    let is_choice = |it: &&LeagueMember| {
        it.entry.bot.bot == *name
            && it.membership == Membership::Replaced
            && folder.has_files(&it.entry)
    };
    let versions: Vec<String> =
        league.members().iter().filter(is_choice).map(|it| it.entry.bot.to_string()).collect();
    let follows = || {
        let problem = |why: &str| Failure::Usage(format!("{} {why}", printable(name)));
        let playing = playing.ok_or_else(|| problem("has no active bot"))?;
        if versions.is_empty() {
            return Err(problem("has no other version whose files are stored"));
        }
        let Some(chosen) = fields.bot()? else { return Ok(None) };
        Ok(Some(vec![
            format!(
                "{chosen} plays from the next round on, instead of {}, with its rating so far.",
                playing.entry.bot
            ),
            "A new submission that enters replaces it.".to_owned(),
            "The log and the pages show the choice, with your reason.".to_owned(),
        ]))
    };
    let choices: Vec<(&str, &str)> = versions.iter().map(|it| (it.as_str(), it.as_str())).collect();
    let mut asked = vec![fixed("name", name)];
    if !versions.is_empty() {
        asked.push(choice("bot", "Version", bot, &choices));
    }
    Ok(QuestionDraft {
        title: format!("Choose the active version of {}", printable(name)),
        fields: asked,
        follows: follows(),
        reason: ReasonRule::Required,
        button: "Choose",
    })
}

fn known(folder: &LeagueFolder, name: &str) -> Result<(), Failure> {
    let is_known = Participants::read(folder)?.has(name) || folder.read()?.newest(name).is_some();
    is_known.then_some(()).ok_or_else(|| unknown(name))
}
