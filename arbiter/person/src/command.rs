//! The words that a person may type instead of a choice.

use std::str::FromStr;

/// The wish of a person instead of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
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
    /// Have `greedy` choose the rest.
    Auto,
}

impl Command {
    /// Every command with its word; those of every game come first.
    pub(crate) const ALL: [(&'static str, Command); 7] = [
        ("help", Command::Help),
        ("history", Command::History),
        ("rules", Command::Rules),
        ("quit", Command::Quit),
        ("hint", Command::Hint),
        ("undo", Command::Undo),
        ("auto", Command::Auto),
    ];

    /// The words of the commands of every game.
    pub(crate) fn common_words() -> impl Iterator<Item = String> {
        Command::words().take(5)
    }

    pub(crate) fn words() -> impl Iterator<Item = String> {
        Command::ALL.iter().map(|(word, _)| (*word).to_owned())
    }
}

/// A line that is none of these words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommandError;

impl FromStr for Command {
    type Err = CommandError;

    /// Reads a word in any letter case, and `?` for help.
    fn from_str(text: &str) -> Result<Self, CommandError> {
        let text = text.trim();
        if text == "?" {
            return Ok(Command::Help);
        }
        let found = Command::ALL.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, command)| *command).ok_or(CommandError)
    }
}
