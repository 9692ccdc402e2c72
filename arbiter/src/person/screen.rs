//! What a person has been told so far, and the commands that are the same in every game.

use std::io;

use crate::person::command::Command;
use crate::person::console::{Console, Line};
use crate::person::paint::{Tone, painted};
use crate::report::check::Colours;

/// What a person sees.
pub struct Screen<'a> {
    console: &'a mut dyn Console,
    colours: Colours,
    /// Everything that was told of the game.
    told: String,
    /// Said before a person leaves: what becomes of what was played.
    farewell: String,
}

/// What a person typed, once the commands that every game has are dealt with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// A line that is no command.
    Choice(String),
    /// Nothing but white space.
    Nothing,
    /// `hint`.
    Hint,
    /// `undo`.
    Undo,
    /// `auto`.
    Auto,
    /// The person leaves the game.
    Quit,
}

/// What is asked at one place of a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prompt<'a> {
    /// What stands before the line that is typed.
    pub(super) text: &'a str,
    /// What can be typed, for the completion.
    pub(super) words: &'a [String],
    /// What can be typed, for whoever asks for help.
    pub(super) help: &'a str,
}

impl<'a> Screen<'a> {
    /// An empty screen. `farewell` says what becomes of the game if the person leaves it.
    pub fn new(console: &'a mut dyn Console, colours: Colours, farewell: String) -> Screen<'a> {
        Screen { console, colours, told: String::new(), farewell }
    }

    /// Tells what happened in the game, to be told again by `history`.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn narrate(&mut self, text: &str) -> io::Result<()> {
        self.told.push_str(text);
        self.tell(text)
    }

    /// Shows text, whole lines.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn tell(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.console.tell(&painted(text, Tone::Plain, self.colours))
    }

    /// Says in a line why something cannot be done.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub(super) fn refuse(&mut self, why: &str) -> io::Result<()> {
        self.console.tell(&painted(&format!("{why}\n"), Tone::Refusal, self.colours))
    }

    /// As [`Console::stops`].
    ///
    /// # Errors
    ///
    /// As [`Console::stops`].
    pub(super) fn stops(&mut self) -> io::Result<usize> {
        self.console.stops()
    }

    /// Asks until something is typed that is for the game to understand.
    ///
    /// # Errors
    ///
    /// As [`Console::ask`].
    pub(super) fn ask(&mut self, prompt: Prompt<'_>) -> io::Result<Typed> {
        loop {
            let line = match self.console.ask(prompt.text, prompt.words)? {
                Line::Typed(line) => line,
                Line::End => return Ok(Typed::Quit),
                Line::Stop if self.may_quit()? => return Ok(Typed::Quit),
                Line::Stop => continue,
            };
            match line.parse() {
                Ok(Command::Help) => self.tell(prompt.help)?,
                Ok(Command::History) => {
                    let told = self.told.clone();
                    self.tell(&told)?;
                }
                Ok(Command::Quit) if self.may_quit()? => return Ok(Typed::Quit),
                Ok(Command::Quit) => {}
                Ok(Command::Hint) => return Ok(Typed::Hint),
                Ok(Command::Undo) => return Ok(Typed::Undo),
                Ok(Command::Auto) => return Ok(Typed::Auto),
                Err(_) if line.trim().is_empty() => return Ok(Typed::Nothing),
                Err(_) => return Ok(Typed::Choice(line)),
            }
        }
    }

    /// Asks whether the person means it; who insists, does.
    fn may_quit(&mut self) -> io::Result<bool> {
        let farewell = format!("{}\n", self.farewell);
        self.tell(&farewell)?;
        let words = ["yes".to_owned(), "no".to_owned()];
        loop {
            match self.console.ask("leave the game, yes or no? ", &words)? {
                Line::Stop | Line::End => return Ok(true),
                Line::Typed(line) => match line.trim().to_ascii_lowercase().as_str() {
                    "y" | "yes" | "quit" => return Ok(true),
                    "n" | "no" => return Ok(false),
                    _ => {}
                },
            }
        }
    }
}
