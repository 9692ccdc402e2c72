//! A question before an action, as it is drafted: the values that it asks for, and what will follow.

use text::failure::Failure;

/// A question whose answer may not be possible.
pub(super) struct QuestionDraft {
    pub(super) title: String,
    pub(super) fields: Vec<AskedField>,
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
pub(super) struct AskedField {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: String,
    pub(super) kind: FieldKind,
}

/// The form of a value.
#[derive(Debug)]
pub(super) enum FieldKind {
    /// It is in the title.
    Fixed,
    Text {
        example: String,
    },
    /// One of these values, each with its label.
    Choice(Vec<(String, String)>),
    /// It is on or off.
    Check,
}

pub(super) fn fixed(name: &'static str, value: &str) -> AskedField {
    AskedField { name, label: "", value: value.to_owned(), kind: FieldKind::Fixed }
}

pub(super) fn text(
    name: &'static str,
    label: &'static str,
    value: &str,
    example: &str,
) -> AskedField {
    let kind = FieldKind::Text { example: example.to_owned() };
    AskedField { name, label, value: value.to_owned(), kind }
}

pub(super) fn check(name: &'static str, label: &'static str, value: &str) -> AskedField {
    AskedField { name, label, value: value.to_owned(), kind: FieldKind::Check }
}

pub(super) fn choice(
    name: &'static str,
    label: &'static str,
    value: &str,
    choices: &[(&str, &str)],
) -> AskedField {
    let choices = choices.iter().map(|(it, label)| ((*it).to_owned(), (*label).to_owned()));
    AskedField { name, label, value: value.to_owned(), kind: FieldKind::Choice(choices.collect()) }
}

/// A text that begins with a capital letter.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
