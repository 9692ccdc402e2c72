//! The identity of rules that are not compiled in.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// The version of the protocol of rules.
pub const PROTOCOL: u32 = 1;

/// The kind of an instance of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RulesKind {
    /// A program, which is run isolated as bots are.
    Program,
    /// A WebAssembly module.
    Module,
}

impl fmt::Display for RulesKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RulesKind::Program => "program",
            RulesKind::Module => "module",
        })
    }
}

/// The identity of rules that are not compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesId {
    /// What they are.
    pub carrier: RulesKind,
    /// The version of the protocol that they speak.
    pub protocol: u32,
    /// The digest of the module, or of a program's files.
    pub digest: Digest,
}

/// The rules of a game, as the header of a log names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesLine {
    /// The rules.
    #[serde(flatten)]
    pub id: RulesId,
    /// The number of seats with the options of the log, for readers who do not have the rules.
    pub seats: usize,
}

/// The longest name of a game, in characters.
pub(crate) const LONGEST_NAME: usize = 30;

/// Returns true for the name of a game: `a` to `z`, digits and `-`, a letter first, 30 characters at
/// most.
pub fn is_game_name(name: &str) -> bool {
    let is_letter = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_letter)
        && name.len() <= LONGEST_NAME
}
