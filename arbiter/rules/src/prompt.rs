//! What a bot is asked with, in its dialect.

use crate::dialect::ClassicCall;
use crate::digest::Digest;

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
