//! `game.toml`: what carries the rules, and how pages draw a view.

use serde::{Deserialize, Serialize};

/// The name of the file.
pub const MANIFEST: &str = "game.toml";

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// The command of a program, with paths relative to the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    /// The file of a module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    /// The command that builds it, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) build: Option<String>,
    /// How pages draw a view.
    #[serde(default, skip_serializing_if = "ViewKeys::is_empty")]
    pub(crate) view: ViewKeys,
}

/// The keys of a view whose values pages draw as cards or numbers, rather than as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ViewKeys {
    /// Cards in a hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hand: Vec<String>,
    /// Cards on the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<String>,
    /// Cards in a pile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pile: Vec<String>,
    /// Numbers that each seat has, such as points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat: Vec<String>,
    /// Numbers, such as a pot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub number: Vec<String>,
}

impl ViewKeys {
    /// Returns true if pages draw everything as text.
    pub fn is_empty(&self) -> bool {
        *self == ViewKeys::default()
    }
}
