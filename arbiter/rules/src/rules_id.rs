//! The identity of rules that are not compiled in.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// The version of the protocol of rules.
pub const PROTOCOL: u32 = 1;

/// The kind of an instance of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CarrierKind {
    /// A program, which is run isolated as bots are.
    Program,
    /// A WebAssembly module.
    Module,
}

impl fmt::Display for CarrierKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CarrierKind::Program => "program",
            CarrierKind::Module => "module",
        })
    }
}

/// The identity of rules that are not compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesId {
    /// What they are.
    pub carrier: CarrierKind,
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
