//! What an action asks before it is done, what will follow from it, and the page that asks.

use axum::response::Html;
use maud::{Markup, html};

use super::action::{ActionContext, FormFields, OrganiserAction};
use super::page::{frame, section};
use super::questions::{self, FieldKind, FormField, Question, ReasonRule};
use text::failure::Failure;
use text::printable;

impl Question {
    /// The question before an action; none where it needs none.
    pub(super) fn for_action(
        action: OrganiserAction,
        context: ActionContext<'_>,
        fields: &FormFields,
    ) -> Result<Option<Question>, Failure> {
        let question = match action {
            OrganiserAction::Pause
            | OrganiserAction::Resume
            | OrganiserAction::Notice
            | OrganiserAction::RemoveNotice
            | OrganiserAction::Token
            | OrganiserAction::CancelStage => return Ok(None),
            OrganiserAction::Invite => questions::invite(context.folder, fields)?,
            OrganiserAction::Accept => questions::accept(context, fields)?,
            OrganiserAction::Extend => questions::extend(context.folder, fields)?,
            OrganiserAction::Retire | OrganiserAction::Disqualify => {
                questions::leave(action, context.folder, fields)?
            }
            OrganiserAction::Revoke => questions::revoke(context.folder, fields)?,
            OrganiserAction::Choose => questions::choose(context.folder, fields)?,
            OrganiserAction::Void => questions::void(context.folder, fields)?,
            OrganiserAction::Replay => questions::replay(context.folder, fields)?,
            OrganiserAction::Reinstate => questions::reinstate(context.folder, fields)?,
            OrganiserAction::Stage => questions::stage(context.folder, fields)?,
            OrganiserAction::EndStage => questions::end_stage(context.folder)?,
            OrganiserAction::Deadline | OrganiserAction::Freeze | OrganiserAction::Unfreeze => {
                questions::dates(action, context.folder, fields)?
            }
        };
        match question.follows {
            Ok(_) | Err(Failure::Usage(_)) => Ok(Some(question)),
            Err(other) => Err(other),
        }
    }

    /// What will follow; none while values are missing or wrong.
    pub(super) fn follows(&self) -> Option<&[String]> {
        self.follows.as_ref().ok()?.as_deref()
    }

    /// Why it cannot be done with these values.
    pub(super) fn problem(&self) -> Option<String> {
        self.follows.as_ref().err().map(ToString::to_string)
    }

    /// The page; its form has this token against forgery. A refusal of the action is shown at the top.
    pub(super) fn page(
        &self,
        action: OrganiserAction,
        form: &str,
        refused: Option<&str>,
    ) -> Html<String> {
        let (action, follows) = (action.name(), self.follows());
        let asks = self.fields.iter().any(|field| !matches!(field.kind, FieldKind::Fixed));
        let problem = refused.map(str::to_owned).or_else(|| self.problem());
        let body = html! {
            div.hero { div { h1 { (self.title) } p { a href="./" { "← Organiser" } } } }
            @if let Some(problem) = problem { p.notice role="alert" { (printable(&problem)) } }
            @if let Some(follows) = follows {
                (section("follows", html! { "What will happen" }, html! {
                    ul { @for line in follows { li { (line) } } }
                    form.fields method="post" action=(action) {
                        input type="hidden" name="form" value=(form);
                        @for field in &self.fields { input type="hidden" name=(field.name) value=(field.value); }
                        (self.reason())
                        div.actions {
                            button.btn.danger type="submit" { (self.button) }
                            a.btn href="./" { "Cancel" }
                        }
                    }
                }))
            }
            @if asks {
                (section("values", html! { @if follows.is_some() { "Edit" } @else { "Details" } }, html! {
                    form.fields method="get" action=(action) {
                        @for field in &self.fields { (input(field)) }
                        button.btn.main[follows.is_none()] type="submit" { "Preview" }
                    }
                }))
            }
        };
        frame(&self.title, "").page(body)
    }

    fn reason(&self) -> Markup {
        let (label, is_required) = match self.reason {
            ReasonRule::Required => ("Reason, shown in the log and on the pages", true),
            ReasonRule::Optional => ("Reason (optional; shown in the log and on the pages)", false),
            ReasonRule::Noted => ("Reason, for the audit log", false),
            ReasonRule::None => return html! {},
        };
        html! {
            label for="reason" { (label) }
            input id="reason" name="reason" maxlength="500" autocomplete="off" required[is_required];
        }
    }
}

fn input(field: &FormField) -> Markup {
    let FormField { name, label, value, kind } = field;
    html! {
        @match kind {
            FieldKind::Fixed => input type="hidden" name=(name) value=(value);,
            FieldKind::Text { example } => {
                label for=(name) { (label) }
                input id=(name) name=(name) value=(value) placeholder=(example) autocomplete="off" spellcheck="false" maxlength="500";
            },
            FieldKind::Choice(choices) => {
                label for=(name) { (label) }
                select id=(name) name=(name) {
                    @for (choice, label) in choices { option value=(choice) selected[choice == value] { (label) } }
                }
            },
            FieldKind::Check => {
                label.check { input type="checkbox" name=(name) value="on" checked[value == "on"]; " " (label) }
            },
        }
    }
}
