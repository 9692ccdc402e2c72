//! What an action asks before it is done, and what will follow from it.

use text::failure::Failure;

use super::action::{ActionContext, FormFields, OrganiserAction};
use super::draft::{AskedField, Draft, ReasonRule};
use super::{contest_asked, people_asked};

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
    pub(super) fn of(
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
            OrganiserAction::Invite => people_asked::invite(context.folder, fields)?,
            OrganiserAction::Accept => people_asked::accept(context, fields)?,
            OrganiserAction::Extend => people_asked::extend(context.folder, fields)?,
            OrganiserAction::Retire | OrganiserAction::Disqualify => {
                people_asked::leave(action, context.folder, fields)?
            }
            OrganiserAction::Revoke => people_asked::revoke(context.folder, fields)?,
            OrganiserAction::Choose => people_asked::choose(context.folder, fields)?,
            OrganiserAction::Void => contest_asked::void(context.folder, fields)?,
            OrganiserAction::Replay => contest_asked::replay(context.folder, fields)?,
            OrganiserAction::Reinstate => contest_asked::reinstate(context.folder, fields)?,
            OrganiserAction::Stage => contest_asked::stage(context.folder, fields)?,
            OrganiserAction::EndStage => contest_asked::end_stage(context.folder)?,
            OrganiserAction::Deadline | OrganiserAction::Freeze | OrganiserAction::Unfreeze => {
                contest_asked::dates(action, context.folder, fields)?
            }
        };
        let Draft { title, fields, follows, reason, button } = draft;
        let (follows, problem) = match follows {
            Ok(follows) => (follows, None),
            Err(Failure::Usage(problem)) => (None, Some(problem)),
            Err(other) => return Err(other),
        };
        Ok(Some(Question { action, title, fields, follows, reason, button, problem }))
    }
}
