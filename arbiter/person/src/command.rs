//! What a person decides, and the words that they may type instead of a choice.

use std::str::FromStr;

/// The wish of a person instead of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PersonCommand {
    /// See what can be typed.
    Help,
    /// See the history again.
    History,
    /// Read the rules of the game in short.
    Rules,
    /// Leave the game.
    Quit,
    /// See the move of the built-in `greedy`.
    Hint,
    /// Take back the last choice of a move that is not complete.
    Undo,
    /// Have `greedy` choose the move, or the rest of it; `random` in a custom game.
    Auto,
}

impl PersonCommand {
    /// Every command with its word; those of every game come first.
    pub(crate) const ALL: [(&'static str, PersonCommand); 7] = [
        ("help", PersonCommand::Help),
        ("history", PersonCommand::History),
        ("rules", PersonCommand::Rules),
        ("quit", PersonCommand::Quit),
        ("hint", PersonCommand::Hint),
        ("auto", PersonCommand::Auto),
        ("undo", PersonCommand::Undo),
    ];

    /// The words of the commands of every game.
    pub(crate) fn common_words() -> impl Iterator<Item = String> {
        PersonCommand::words().take(6)
    }

    pub(crate) fn words() -> impl Iterator<Item = String> {
        PersonCommand::ALL.iter().map(|(word, _)| (*word).to_owned())
    }
}

/// The answer of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PersonDecision {
    /// The text of a legal move.
    Move(String),
    /// The person leaves the game.
    Quit,
}

/// A line that is none of these words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommandError;

impl FromStr for PersonCommand {
    type Err = CommandError;

    /// Reads a word in any letter case, and `?` for help.
    fn from_str(text: &str) -> Result<Self, CommandError> {
        let text = text.trim();
        if text == "?" {
            return Ok(PersonCommand::Help);
        }
        let found = PersonCommand::ALL.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, command)| *command).ok_or(CommandError)
    }
}
