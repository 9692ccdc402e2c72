//! The ways in which a bot can be asked, for games that have more than one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ruling::Ruling;
use crate::text::NotText;

/// The way in which a bot is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// A request on standard input, a move on standard output.
    #[default]
    Native,
    /// The game so far in a file to which the program appends its move, and arguments, as in an old
    /// contest. The program is asked even if only one move is legal.
    Classic,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 2] = [Dialect::Native, Dialect::Classic];

    /// The one spelling of this dialect.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Native => "native",
            Dialect::Classic => "classic",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == text)
            .ok_or_else(|| NotText::new("the dialect `native` or `classic`", text))
    }
}

/// One call of a program in the classic dialect: a translation of a request, and of the answer
/// back into a move.
pub trait ClassicCall: Send {
    /// What the file holds before the call.
    fn file(&self) -> &str;

    /// The arguments after the name of the file.
    fn arguments(&self) -> &[String];

    /// The text of the move that an answer means: what the file holds after the call, and what was
    /// printed. White space around the latter is ignored, also in a ruling.
    ///
    /// # Errors
    ///
    /// The ruling on an answer that is not a move.
    fn read(&self, file: &[u8], output: &[u8]) -> Result<String, Ruling>;
}
