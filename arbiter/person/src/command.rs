//! The words that a person may type instead of a choice.

use std::str::FromStr;

/// What a person wants instead of choosing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    /// To know what can be typed.
    Help,
    /// To see again what has happened.
    History,
    /// To read the rules of the game in short.
    Rules,
    /// To leave the game.
    Quit,
    /// To know what the built-in `greedy` would do.
    Hint,
    /// To take back the last choice of a move that is not complete.
    Undo,
    /// To have the rest chosen as `greedy` would.
    Auto,
}

impl Command {
    /// Every command with its word; those that every game has come first.
    pub(crate) const ALL: [(&'static str, Command); 7] = [
        ("help", Command::Help),
        ("history", Command::History),
        ("rules", Command::Rules),
        ("quit", Command::Quit),
        ("hint", Command::Hint),
        ("undo", Command::Undo),
        ("auto", Command::Auto),
    ];

    /// The words of the commands that every game has.
    pub(crate) fn common_words() -> impl Iterator<Item = String> {
        Command::words().take(5)
    }

    /// The words of all commands.
    pub(crate) fn words() -> impl Iterator<Item = String> {
        Command::ALL.iter().map(|(word, _)| (*word).to_owned())
    }
}

/// A line that is none of these words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotCommand;

impl FromStr for Command {
    type Err = NotCommand;

    /// Reads a word in any letter case, and `?` for help.
    fn from_str(text: &str) -> Result<Self, NotCommand> {
        let text = text.trim();
        if text == "?" {
            return Ok(Command::Help);
        }
        let found = Command::ALL.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, command)| *command).ok_or(NotCommand)
    }
}
