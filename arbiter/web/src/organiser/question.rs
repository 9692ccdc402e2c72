//! What an action asks before it is done, and what will follow from it.

use text::failure::Failure;

use super::action::{ActionContext, FormFields, OrganiserAction};
use super::question_draft::{AskedField, QuestionDraft, ReasonRule};
use super::{contest_questions, participant_questions};

/// A question before an action.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) action: OrganiserAction,
    pub(super) title: String,
    /// The values on which it depends what will follow.
    pub(super) fields: Vec<AskedField>,
    /// What will follow; none while values are missing.
    pub(super) follows: Option<Vec<String>>,
    pub(super) reason: ReasonRule,
    pub(super) button: &'static str,
    /// Why it cannot be done with these values.
    pub(super) problem: Option<String>,
}

impl Question {
    /// The question before an action; none where it needs none.
    pub(super) fn before(
        action: OrganiserAction,
        context: ActionContext<'_>,
        fields: &FormFields,
    ) -> Result<Option<Question>, Failure> {
        let draft = match action {
            OrganiserAction::Pause
            | OrganiserAction::Resume
            | OrganiserAction::Notice
            | OrganiserAction::RemoveNotice
            | OrganiserAction::Token
            | OrganiserAction::CancelStage => return Ok(None),
            OrganiserAction::Invite => participant_questions::invite(context.folder, fields)?,
            OrganiserAction::Accept => participant_questions::accept(context, fields)?,
            OrganiserAction::Extend => participant_questions::extend(context.folder, fields)?,
            OrganiserAction::Retire | OrganiserAction::Disqualify => {
                participant_questions::leave(action, context.folder, fields)?
            }
            OrganiserAction::Revoke => participant_questions::revoke(context.folder, fields)?,
            OrganiserAction::Choose => participant_questions::choose(context.folder, fields)?,
            OrganiserAction::Void => contest_questions::void(context.folder, fields)?,
            OrganiserAction::Replay => contest_questions::replay(context.folder, fields)?,
            OrganiserAction::Reinstate => contest_questions::reinstate(context.folder, fields)?,
            OrganiserAction::Stage => contest_questions::stage(context.folder, fields)?,
            OrganiserAction::EndStage => contest_questions::end_stage(context.folder)?,
            OrganiserAction::Deadline | OrganiserAction::Freeze | OrganiserAction::Unfreeze => {
                contest_questions::dates(action, context.folder, fields)?
            }
        };
        let QuestionDraft { title, fields, follows, reason, button } = draft;
        let (follows, problem) = match follows {
            Ok(follows) => (follows, None),
            Err(Failure::Usage(problem)) => (None, Some(problem)),
            Err(other) => return Err(other),
        };
        Ok(Some(Question { action, title, fields, follows, reason, button, problem }))
    }
}
