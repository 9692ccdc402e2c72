//! The ways in which a bot can be asked, for games that have more than one, and what it is asked with.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::answer::DetailedVerdict;
use crate::seed::Digest;
use crate::text::NotText;

/// The way in which a bot is asked.
///
/// ```
/// use rules::{Dialect, dialect::Strictness};
///
/// assert_eq!("classic".parse(), Ok(Dialect::Classic(Strictness::Strict)));
/// assert_eq!("classic lenient=on".parse(), Ok(Dialect::Classic(Strictness::Lenient)));
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// A request on standard input, a move on standard output.
    #[default]
    Native,
    /// The game so far in a file to which the program appends its move, and arguments, as in an old
    /// contest. The program is asked even if only one move is legal.
    Classic(Strictness),
}

/// Strictness in reading answers of the classic dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Exactly one of the legal texts is a move.
    Strict,
    /// So is one other text, in one place, where it cannot mean anything but the only legal move:
    /// the game says which.
    Lenient,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 3] = [
        Dialect::Native,
        Dialect::Classic(Strictness::Strict),
        Dialect::Classic(Strictness::Lenient),
    ];

    /// The one spelling of this dialect.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Native => "native",
            Dialect::Classic(Strictness::Strict) => "classic",
            Dialect::Classic(Strictness::Lenient) => "classic lenient=on",
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
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or_else(|| {
            NotText::new("the dialect `native`, `classic` or `classic lenient=on`", text)
        })
    }
}

impl Serialize for Dialect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Dialect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// One call of a program in the classic dialect: a translation of a request, and of the answer
/// back into a move.
pub trait ClassicCall: Send {
    /// Content of the file before the call.
    fn file(&self) -> &str;

    /// The arguments after the name of the file.
    fn arguments(&self) -> &[String];

    /// The text of the move that an answer means, from the content of the file after the call and the
    /// printed text. White space around the latter is ignored, also in a ruling.
    ///
    /// # Errors
    ///
    /// The ruling on an answer that is not a move.
    fn read(
        &self,
        reading: Strictness,
        file: &[u8],
        output: &[u8],
    ) -> Result<String, DetailedVerdict>;
}

/// A prompt for a seat, in its dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt {
    /// A request, in full.
    Request(String),
    /// A file and arguments.
    Classic {
        /// Content of the file.
        file: String,
        /// The arguments after the name of the file.
        arguments: Vec<String>,
    },
}

impl Prompt {
    /// The exact bytes that are sent; the log keeps their digest.
    ///
    /// In the classic dialect these are the arguments, with blanks between them, a line feed, and
    /// the content of the file.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Prompt::Request(text) => text.clone().into_bytes(),
            Prompt::Classic { file, arguments } => {
                format!("{}\n{file}", arguments.join(" ")).into_bytes()
            }
        }
    }

    /// The digest of these bytes.
    pub fn digest(&self) -> Digest {
        match self {
            Prompt::Request(text) => Digest::hash(text.as_bytes()),
            Prompt::Classic { .. } => Digest::hash(&self.bytes()),
        }
    }

    /// The prompt of a call in the classic dialect.
    pub(crate) fn classic(call: &dyn ClassicCall) -> Prompt {
        Prompt::Classic { file: call.file().to_owned(), arguments: call.arguments().to_vec() }
    }
}
