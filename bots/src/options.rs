//! The options of a player, as the words of a command line give them.

use std::fmt::Display;
use std::str::FromStr;

/// An option with its value, as in `--depth 3` or `--depth=3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandOption<'a> {
    /// The option, with its dashes.
    pub name: &'a str,
    /// Its value, empty where the words end before it.
    pub value: &'a str,
    /// The word that the option stands in.
    word: &'a str,
}

/// The options that these words give, in their order.
pub fn given(words: &[String]) -> impl Iterator<Item = CommandOption<'_>> {
    let mut words = words.iter().map(String::as_str);
    std::iter::from_fn(move || {
        let word = words.next()?;
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, value),
            None => (word, words.next().unwrap_or_default()),
        };
        Some(CommandOption { name, value, word })
    })
}

impl CommandOption<'_> {
    /// Its value as a number from 1 to `most`.
    pub fn number<N>(self, most: N) -> Result<N, BadOption>
    where
        N: FromStr + PartialOrd + From<u8> + Display,
    {
        self.at_least_one().ok_or_else(|| self.wrong(&format!("a number from 1 to {most}")))
    }

    /// Reads a number, or `None` for `none`.
    pub fn number_or_none<N>(self, most: N) -> Result<Option<N>, BadOption>
    where
        N: FromStr + PartialOrd + From<u8> + Display,
    {
        if self.value == "none" {
            return Ok(None);
        }
        let number = self.at_least_one().map(Some);
        number.ok_or_else(|| self.wrong(&format!("a number from 1 to {most} or none")))
    }

    fn at_least_one<N: FromStr + PartialOrd + From<u8>>(self) -> Option<N> {
        self.value.parse().ok().filter(|number| *number >= N::from(1))
    }

    /// The error that its value is not what was expected.
    pub fn wrong(self, expected: &str) -> BadOption {
        let CommandOption { name, value, .. } = self;
        let value = value.escape_debug();
        BadOption::Wrong(format!("expected {expected} after `{name}`, found `{value}`"))
    }

    /// The error that there is no such option.
    pub fn unknown(self) -> BadOption {
        BadOption::Unknown(self.word.escape_debug().to_string())
    }
}

/// Reads the words of a command line for a player that takes no options.
pub fn no_options(words: &[String]) -> Result<(), BadOption> {
    given(words).next().map_or(Ok(()), |first| Err(first.unknown()))
}

/// There is no such player, or an option is not as it must be; the text says what was expected, in
/// one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOption {
    /// The player has no such option: the word that it stands in.
    #[error("unknown argument `{0}`")]
    Unknown(String),
    /// The program has it, but not for this game.
    #[error("`{0}` is an option for other games only")]
    Elsewhere(String),
    /// Anything else, as it is said.
    #[error("{0}")]
    Wrong(String),
}
