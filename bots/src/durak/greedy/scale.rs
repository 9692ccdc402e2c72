//! How high a card counts.

use rules::Rank;
use rules::durak::Deck;

use crate::options::{BadOption, given};

/// How high a card counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Scale {
    /// The eight counts 0, whatever the pack, as in the article.
    #[default]
    Article,
    /// The middle of the pack counts 0, as in the app.
    App,
}

impl Scale {
    /// The option as lines of a help text.
    pub const HELP: &str = "
  --scale article|app  durak: how high cards count (article)";

    /// Twice what a card of this rank counts, which is a whole number.
    pub(super) fn doubled(self, rank: Rank, deck: Deck) -> i64 {
        // From 2 to 14, the ace.
        let number = rank as i64 + 2;
        match self {
            Scale::Article => 2 * (number - 8),
            Scale::App => 2 * (number - 14) + (deck.size() / 4) as i64,
        }
    }
}

/// Reads the words of a command line: `--scale app` or `--scale=app`.
///
/// # Errors
///
/// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
pub fn read_scale(words: &[String]) -> Result<Scale, BadOption> {
    let mut scale = Scale::default();
    for given in given(words) {
        scale = match (given.name, given.value) {
            ("--scale", "article") => Scale::Article,
            ("--scale", "app") => Scale::App,
            ("--scale", _) => return Err(given.wrong("article or app")),
            _ => return Err(given.unknown()),
        };
    }
    Ok(scale)
}
