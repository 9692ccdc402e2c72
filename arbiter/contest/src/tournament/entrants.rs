//! The list of who plays in a tournament, and of who was refused.

use std::io;

use serde::{Deserialize, Serialize};

use conditions::bot::FileDigest;
use conditions::series::PlayerLine;

/// Who plays, with the digests of what is started, and who was refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrants {
    /// Who plays, in the order of the plan.
    pub entered: Vec<Entered>,
    /// Who was handed in and does not.
    pub refused: Vec<Refused>,
}

/// A bot that plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entered {
    /// Its name.
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
    /// Its folder.
    pub folder: String,
    /// Why, in one line.
    pub why: String,
    /// The file with all that was found, beside its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

impl Entrants {
    /// These players, and the refused submissions.
    pub fn new(players: &[PlayerLine], refused: Vec<Refused>) -> Entrants {
        let entered = |player: &PlayerLine| Entered {
            name: player.name.clone(),
            command: player.command.clone(),
            files: player.files.clone(),
        };
        Entrants { entered: players.iter().map(entered).collect(), refused }
    }

    /// The list as it is kept: JSON, for people to look at too.
    ///
    /// # Errors
    ///
    /// Never: all of it has a form in JSON.
    pub fn text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
