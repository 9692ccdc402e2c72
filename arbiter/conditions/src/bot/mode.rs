//! How long the program of a bot lives.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How long the program of a bot lives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// It is started anew for every move.
    #[default]
    PerMove,
    /// It is started once for each game and seat, and gets one request after the other.
    Resident,
}

impl Mode {
    /// Its name in a manifest and in a log: `per-move` or `resident`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::PerMove => "per-move",
            Mode::Resident => "resident",
        }
    }

    /// Whether it is the usual one.
    pub fn is_usual(&self) -> bool {
        *self == Mode::default()
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
