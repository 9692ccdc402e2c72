//! The questions before actions: the values that they ask for, and what will follow.

use bot::spelt_as_names;

use super::action::{
    ActionContext, FormFields, OrganiserAction, change_in_words, must_be_new, unknown,
};
use league::calendar::{SubmissionWindow, change, length};
use league::folder::LeagueFolder;
use league::participants::Participants;
use league::round_folder::OpenRoundAction;
use league::state::{LeagueMember, Membership};
use league::voiding::CorrectionRequest;
use league::{BotVersion, League, calendar, submissions, voiding};
use text::failure::Failure;
use text::{counted, printable};

/// A question before an action.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) title: String,
    /// The values on which it depends what will follow.
    pub(super) fields: Vec<FormField>,
    /// What will follow, none while values are missing; or why it cannot be done with these values.
    pub(super) follows: Result<Option<Vec<String>>, Failure>,
    pub(super) reason: ReasonRule,
    pub(super) button: &'static str,
}

/// Whether an action takes a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReasonRule {
    /// The log and the pages show it.
    Required,
    /// Likewise, if there is one.
    Optional,
    /// Only the list of actions shows it.
    Noted,
    /// It takes none.
    None,
}

/// A value that an action asks for.
#[derive(Debug)]
pub(super) struct FormField {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: String,
    pub(super) kind: FieldKind,
}

#[derive(Debug)]
pub(super) enum FieldKind {
    /// It is in the title.
    Fixed,
    Text {
        example: String,
    },
    /// One of these values, each with its label.
    Choice(Vec<(String, String)>),
    Check,
}

pub(super) fn fixed(name: &'static str, value: &str) -> FormField {
    FormField { name, label: "", value: value.to_owned(), kind: FieldKind::Fixed }
}

pub(super) fn text(
    name: &'static str,
    label: &'static str,
    value: &str,
    example: &str,
) -> FormField {
    let kind = FieldKind::Text { example: example.to_owned() };
    FormField { name, label, value: value.to_owned(), kind }
}

pub(super) fn check(name: &'static str, label: &'static str, value: &str) -> FormField {
    FormField { name, label, value: value.to_owned(), kind: FieldKind::Check }
}

pub(super) fn choice(
    name: &'static str,
    label: &'static str,
    value: &str,
    choices: &[(&str, &str)],
) -> FormField {
    let choices = choices.iter().map(|(it, label)| ((*it).to_owned(), (*label).to_owned()));
    FormField { name, label, value: value.to_owned(), kind: FieldKind::Choice(choices.collect()) }
}

/// A text that begins with a capital letter.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn game_fields(fields: &FormFields) -> Vec<FormField> {
    vec![
        text("rounds", "Rounds, or games of a round", &fields.rounds, "3, or 3/17,18"),
        text("bot", "Only games of this version of a bot", &fields.bot, "anna@2"),
    ]
}

/// A reason that stands for the one that is not known yet.
const NO_REASON: &str = "-";

pub(super) fn void(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
    let follows = || {
        let (rounds, bot) = (fields.rounds()?, fields.bot()?);
        if rounds.is_empty() && bot.is_none() {
            return Ok(None);
        }
        let request = CorrectionRequest { rounds: &rounds, bot: bot.as_ref(), reason: NO_REASON };
        let games = request.forecast_void(folder)?;
        let mut follows: Vec<String> =
            games.iter().map(|it| format!("{}: void.", sentence(it))).collect();
        follows.push("Standings, ratings and pages exclude these games, and say why. The games stay in the log and are verified.".to_owned());
        let league = folder.read()?;
        match request.is_of_stage(&league) {
            true => follows.push(
                "The rounds belong to a stage: their tables are replayed with new cards."
                    .to_owned(),
            ),
            false => follows.push(
                "They are not played again. If they should be, replay them instead.".to_owned(),
            ),
        }
        Ok(Some(follows))
    };
    Ok(Question {
        title: "Make games void".to_owned(),
        fields: game_fields(fields),
        follows: follows(),
        reason: ReasonRule::Required,
        button: "Make void",
    })
}

pub(super) fn replay(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
    let follows = || {
        let (rounds, bot) = (fields.rounds()?, fields.bot()?);
        if rounds.is_empty() {
            return Ok(None);
        }
        let request = CorrectionRequest { rounds: &rounds, bot: bot.as_ref(), reason: NO_REASON };
        let outcome = request.forecast_replay(folder)?;
        let mut follows: Vec<String> =
            outcome.void.iter().map(|it| format!("{}: void.", sentence(it))).collect();
        follows.extend(
            outcome
                .replayed
                .iter()
                .map(|it| format!("{}: replayed in a later round, with new cards.", sentence(it))),
        );
        follows.extend(outcome.left_out.iter().map(|(round, bots, gone)| {
            format!("{bots} in round {round}: not replayed, because {gone} no longer plays.")
        }));
        follows.push(
            "Both results stay in the log. Pages show which game replaces which, and why."
                .to_owned(),
        );
        if let Some(stage) = folder.read()?.open_stage() {
            follows.push(format!("They are played after stage {}.", stage.line.stage));
        }
        Ok(Some(follows))
    };
    Ok(Question {
        title: "Replay games".to_owned(),
        fields: game_fields(fields),
        follows: follows(),
        reason: ReasonRule::Required,
        button: "Replay",
    })
}

pub(super) fn reinstate(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
    let league = folder.read()?;
    let follows = || {
        let number = fields.place()?;
        let missing = || Failure::Usage(format!("no correction {number}"));
        let found = league.corrections().all().get(number).ok_or_else(missing)?;
        match &found.reinstated {
            Some(_) => Err(Failure::Usage(format!("{} already count", found.games_in_words()))),
            None => Ok(Some(vec![
                format!("{}: rated again.", sentence(&found.games_in_words())),
                format!("Reason for the correction: {}", printable(&found.line.reason)),
                "The log and the pages show both, with your reason.".to_owned(),
            ])),
        }
    };
    Ok(Question {
        title: format!("Reinstate the games of correction {}", printable(&fields.number)),
        fields: vec![fixed("number", &fields.number)],
        follows: follows(),
        reason: ReasonRule::Required,
        button: "Reinstate",
    })
}

pub(super) fn stage(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
    let league = folder.read()?;
    let follows = || {
        if fields.format.is_empty() {
            // What cannot be is said before anything is filled in.
            return league::stage_request::must_be_free(folder, &league).map(|()| None);
        }
        let planned = fields.stage()?.plan(folder, &league)?;
        let line = &planned.line;
        let mut follows = vec![
            format!("{}.", sentence(&planned.in_words())),
            format!(
                "Each match has {} with both seatings.",
                counted(line.deals as usize, "deal", "deals")
            ),
            format!("Seeds: {}.", names(&line.bots)),
        ];
        if !planned.unplayed.is_empty() {
            follows.push(format!(
                "Without games, seeded last by entry: {}.",
                names(&planned.unplayed)
            ));
        }
        if !planned.house.is_empty() {
            follows.push(format!("House bots are not included: {}.", names(&planned.house)));
        }
        follows.push(begins(&league, fields.open_round()));
        follows.push("Until the stage is finished, all rounds belong to it. Bots play with their current versions.".to_owned());
        Ok(Some(follows))
    };
    let earlier = league.stages().iter().map(|it| {
        let number = it.line.stage.to_string();
        let label = format!("places of stage {number}, {}", printable(&it.line.name));
        (number, label)
    });
    let seeds: Vec<(String, String)> = [
        ("standings".to_owned(), "standings of the league".to_owned()),
        ("entry".to_owned(), "order of entry".to_owned()),
    ]
    .into_iter()
    .chain(earlier)
    .collect();
    let formats = [
        ("swiss", "Swiss system"),
        ("knockout", "knockout"),
        ("double-elimination", "double elimination"),
        ("groups", "groups and a knockout"),
    ];
    let open =
        [("finish", "let it end first"), ("end", "end it at once; its games so far stay rated")];
    let mut asked = vec![
        choice("format", "Format", &fields.format, &formats),
        text("title", "Name", &fields.title, "final"),
        text("top", "Number of bots, from the top (all)", &fields.top, "16"),
        FormField {
            name: "seeds",
            label: "Seeds",
            value: fields.seeds.clone(),
            kind: FieldKind::Choice(seeds),
        },
        text("without", "Without these names", &fields.without, "anna ben"),
        text("deals", "Deals of a match", &fields.deals, "10"),
        text("swiss", "Swiss: rounds", &fields.swiss, "7"),
        text("groups", "Groups: number", &fields.groups, "8"),
        text("first", "Groups: qualifiers of each (2)", &fields.first, "2"),
        text("deciders", "Maximum extra deals for a tied match (5)", &fields.deciders, "5"),
        check("third", "Play a third-place match", &fields.third),
        check("house", "Include house bots", &fields.house),
    ];
    if league.open_round().is_some() {
        asked.push(choice("open", "The open round", &fields.open, &open));
    }
    Ok(Question {
        title: "Set up a stage".to_owned(),
        fields: asked,
        follows: follows(),
        reason: ReasonRule::None,
        button: "Begin the stage",
    })
}

/// Says when a stage begins.
pub(super) fn begins(league: &League, open: OpenRoundAction) -> String {
    match (league.open_round(), open) {
        (None, _) => "It begins at once.".to_owned(),
        (Some(round), OpenRoundAction::Finished) => {
            format!("It begins after round {}. Until then you can cancel it.", round.line.round)
        }
        (Some(round), OpenRoundAction::BrokenOff) => format!(
            "Round {} is aborted: its games so far stay rated, and the others are not played. Then the stage begins.",
            round.line.round
        ),
    }
}

pub(super) fn end_stage(folder: &LeagueFolder) -> Result<Question, Failure> {
    let league = folder.read()?;
    let title = league.open_stage().map_or_else(
        || "End the stage early".to_owned(),
        |stage| format!("End stage {} ({}) early", stage.line.stage, printable(&stage.line.name)),
    );
    let follows = match league.open_stage() {
        None => Err(Failure::usage("no stage is in progress")),
        Some(_) => Ok(Some(vec![
            "No more rounds of the stage are played. Its results so far stay.".to_owned(),
            "The log and the pages mark it as aborted, with your reason.".to_owned(),
            "The next rounds are rounds of the league, until another stage begins.".to_owned(),
        ])),
    };
    Ok(Question {
        title,
        fields: Vec::new(),
        follows,
        reason: ReasonRule::Optional,
        button: "End the stage",
    })
}

pub(super) fn dates(
    action: OrganiserAction,
    folder: &LeagueFolder,
    fields: &FormFields,
) -> Result<Question, Failure> {
    let calendar = folder.calendar()?;
    let (title, label, button) = match action {
        OrganiserAction::Freeze => ("Freeze the pages", "From (now, if empty)", "Freeze"),
        OrganiserAction::Unfreeze => ("Unfreeze the pages", "At (now, if empty)", "Unfreeze"),
        _ => ("Move the deadline", "Submissions until", "Move"),
    };
    let follows = || {
        if action == OrganiserAction::Deadline && fields.until.trim().is_empty() {
            return Ok(None);
        }
        if action == OrganiserAction::Unfreeze && !calendar.has_freeze() {
            return Err(Failure::usage("the calendar has no freeze"));
        }
        let change = action.calendar_change(&calendar, fields)?;
        let new = change::forecast(folder, &change)?;
        let now = calendar::now();
        let mut follows: Vec<String> = change
            .iter()
            .map(|it| format!("The calendar of league.toml: {}.", change_in_words(&new, *it)))
            .collect();
        match action {
            OrganiserAction::Freeze => {
                follows.push("From then on, pages, feeds, the API and the download are frozen: later rounds are hidden, even from the authors of their bots.".to_owned());
                follows.push("Games continue, and your commands show everything.".to_owned());
                if calendar.frozen(now).is_some() {
                    follows.push("The pages are already frozen: rounds between the two times appear or disappear.".to_owned());
                }
            }
            OrganiserAction::Unfreeze => {
                follows.push("From then on, the pages show all results to everyone.".to_owned());
            }
            _ => {
                let is_open = matches!(new.doors(now), SubmissionWindow::Open);
                follows.push(match is_open {
                    true => "Submissions are accepted until then. Earlier late submissions stay late: accept them one by one.".to_owned(),
                    false => "Submissions are not accepted now; new ones are kept as late.".to_owned(),
                });
            }
        }
        Ok(Some(follows))
    };
    Ok(Question {
        title: title.to_owned(),
        fields: vec![text("until", label, &fields.until, "2026-12-20T23:59:59")],
        follows: follows(),
        reason: ReasonRule::Noted,
        button,
    })
}

fn names(bots: &[BotVersion]) -> String {
    bots.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

pub(super) fn invite(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
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
    Ok(Question {
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

pub(super) fn accept(context: ActionContext<'_>, fields: &FormFields) -> Result<Question, Failure> {
    let name = &fields.name;
    let late = submissions::late_submissions(context.folder)
        .map_err(|error| Failure::Ours(text::system_error(error)))?;
    let found = late.iter().rev().find(|it| it.participant == *name);
    let found = found
        .ok_or_else(|| Failure::Usage(format!("no late submission from `{}`", printable(name))));
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
    Ok(Question {
        title: format!("Accept the late submission from {}", printable(name)),
        fields: vec![fixed("name", name)],
        follows,
        reason: ReasonRule::Optional,
        button: "Accept",
    })
}

pub(super) fn extend(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
    let FormFields { name, until, .. } = fields;
    let calendar = folder.calendar()?;
    let follows = || {
        if name.is_empty() || until.is_empty() {
            return Ok(None);
        }
        require_known(folder, name)?;
        let at = calendar.time("until", until).map_err(|problem| {
            Failure::Usage(problem.trim_start_matches("calendar.").to_owned())
        })?;
        let others = match calendar.doors(jiff::Timestamp::MAX) {
            SubmissionWindow::Closed(deadline) => deadline,
            SubmissionWindow::Open | SubmissionWindow::NotOpen(_) => {
                let problem = "the league has no deadline: set one in the calendar first";
                return Err(Failure::usage(problem));
            }
        };
        if at < others {
            let problem =
                format!("until: must not be before the deadline ({})", calendar.time_text(others));
            return Err(Failure::Usage(problem));
        }
        Ok(Some(vec![
            format!("{} can submit until {}.", printable(name), calendar.time_text(at)),
            format!("The deadline for everyone else is still {}.", calendar.time_text(others)),
            "The log and the pages show it as an exception, with your reason.".to_owned(),
        ]))
    };
    Ok(Question {
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
) -> Result<Question, Failure> {
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
    Ok(Question {
        title: format!("{verb} {bot}"),
        fields: vec![fixed("name", name)],
        follows: follows(),
        reason,
        button,
    })
}

pub(super) fn revoke(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
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
            format!("{whose} working everywhere immediately. Queued submissions are rejected."),
            "Its bot and its results stay.".to_owned(),
        ]))
    };
    Ok(Question {
        title: format!("Revoke the token of {}", printable(name)),
        fields: vec![fixed("name", name)],
        follows: follows(),
        reason: ReasonRule::Noted,
        button: "Revoke",
    })
}

pub(super) fn choose(folder: &LeagueFolder, fields: &FormFields) -> Result<Question, Failure> {
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
    Ok(Question {
        title: format!("Choose the active version of {}", printable(name)),
        fields: asked,
        follows: follows(),
        reason: ReasonRule::Required,
        button: "Choose",
    })
}

fn require_known(folder: &LeagueFolder, name: &str) -> Result<(), Failure> {
    let is_known = Participants::read(folder)?.has(name) || folder.read()?.newest(name).is_some();
    is_known.then_some(()).ok_or_else(|| unknown(name))
}
