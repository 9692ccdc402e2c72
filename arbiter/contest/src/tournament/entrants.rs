//! The list of the bots of a tournament, and of the refused ones.

use std::io;

use serde::{Deserialize, Serialize};

use bot::FileDigest;
use series::PlayerLine;

/// The bots that play, with the digests of their files, and the refused ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrants {
    /// The bots that play, in the order of the plan.
    pub entered: Vec<Entered>,
    /// The bots that were handed in and refused.
    pub refused: Vec<Refused>,
}

/// A bot that plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entered {
    pub name: String,
    /// Its command, as it was typed.
    pub command: String,
    /// The digests of the files in the command.
    pub files: Vec<FileDigest>,
}

/// A bot that was not entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    pub folder: String,
    /// Reason in one line.
    pub why: String,
    /// The report, beside its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

impl Entrants {
    /// Lists these players and the refused submissions.
    pub fn new(players: &[PlayerLine], refused: Vec<Refused>) -> Entrants {
        let entered = |player: &PlayerLine| Entered {
            name: player.name.clone(),
            command: player.command.clone(),
            files: player.files.clone(),
        };
        Entrants { entered: players.iter().map(entered).collect(), refused }
    }

    /// Returns the list for its file: JSON that people can read, too.
    pub fn text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
