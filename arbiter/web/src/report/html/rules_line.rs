//! The rules of a game of one's own, as pages name them: what carries them, and their digest.

use maud::{Markup, html};
use rules::GameKind;
use rules::own::RulesId;

/// A row of facts, for a game whose rules are not compiled in; it says if they are missing.
pub(crate) fn rules_line(kind: &GameKind) -> Markup {
    html! {
        @if let Some(id) = kind.rules_id() {
            dt { "rules" }
            dd {
                (rules_in_words(id))
                @if kind.is_absent() { "; they are missing here: the folder " code { "game" } " with a copy of them is not beside the log" }
            }
        }
    }
}

/// What carries rules, and their digest.
pub(crate) fn rules_in_words(id: RulesId) -> Markup {
    html! { "a " (id.carrier) " with digest " code.hash { (id.digest) } }
}
