//! What a person has been told so far, and the commands that are the same in every game.
//!
//! If a console only scrolls, everything is shown at once. If it draws in place, messages wait for
//! the next picture, which is drawn when a line is asked for, or while a bot keeps the person
//! waiting. A picture that does not fit is shown as scrolling text: the messages since the last
//! picture, and the board below them.

use std::io;
use std::mem;

use rules::{GameKind, PerSeat};

use crate::command::Command;
use crate::console::{Console, Line};
use crate::paint::{Paint, Style, Tone, with_letters};
use crate::picture::Picture;

/// An answer of more lines than this pushes the board out of sight.
const SHORT: usize = 3;

/// What a person sees.
pub struct Screen<'a> {
    console: &'a mut dyn Console,
    paint: Paint,
    kind: GameKind,
    /// The names of the players of this game, by seat.
    names: PerSeat<String>,
    /// Which game it is.
    heading: String,
    /// Everything that was told of the game.
    told: String,
    /// How much of that was shown.
    shown: usize,
    /// How much of it was there when a move was asked for last.
    seen: usize,
    /// How much of it was there when a move was asked for before that.
    old: usize,
    /// The choices.
    board: String,
    /// Whether the board is visible below all other text.
    is_board_below: bool,
    /// What was said since the last line.
    said: Vec<(Tone, String)>,
    /// Said before a person leaves: what becomes of what was played.
    farewell: String,
    /// What a person who leaves is asked.
    leaving: String,
    has_left: bool,
}

/// What a person typed, once the commands that every game has are dealt with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A line that is not a command.
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
pub struct Prompt<'a> {
    /// What stands before the line that is typed.
    pub text: &'a str,
    /// What can be typed, for the completion.
    pub words: &'a [String],
    /// What can be typed, for the command `help`.
    pub help: &'a str,
}

const NEXT_GAME_HELP: &str = "\
An empty line begins the next game.
  history   what happened in this one
  rules     the rules in short
  quit      leave the remaining games
";

impl<'a> Screen<'a> {
    /// An empty screen for games of one kind. `farewell` says what becomes of the game if the person
    /// leaves it.
    pub fn new(
        console: &'a mut dyn Console,
        style: Style,
        kind: &GameKind,
        farewell: String,
    ) -> Screen<'a> {
        Screen {
            console,
            paint: Paint::new(style, &[]),
            kind: kind.clone(),
            names: Vec::new().into(),
            heading: String::new(),
            told: String::new(),
            shown: 0,
            seen: 0,
            old: 0,
            board: String::new(),
            is_board_below: false,
            said: Vec::new(),
            farewell,
            leaving: "leave the game".to_owned(),
            has_left: false,
        }
    }

    /// Begins a game between these players; the heading is whole lines.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn begin(&mut self, heading: &str, names: &PerSeat<String>) -> io::Result<()> {
        self.paint = Paint::new(self.paint.style(), names.values());
        self.names = names.clone();
        self.heading = heading.trim_matches('\n').to_owned();
        self.told.clear();
        (self.shown, self.seen, self.old) = (0, 0, 0);
        self.board.clear();
        self.said.clear();
        if self.draws_in_place() { Ok(()) } else { self.print(heading) }
    }

    /// Sets what a person who leaves is asked, without `yes or no`.
    pub fn ask_on_leaving(&mut self, question: String) {
        self.leaving = question;
    }

    /// As [`Console::draws_in_place`].
    pub fn draws_in_place(&self) -> bool {
        self.console.draws_in_place()
    }

    /// The names of the players of this game, by seat.
    pub fn names(&self) -> &PerSeat<String> {
        &self.names
    }

    /// Whether the person has left, and is no longer asked.
    pub fn has_left(&self) -> bool {
        self.has_left
    }

    /// Shows what happened in the game, and keeps it for `history`.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn narrate(&mut self, text: &str) -> io::Result<()> {
        self.told.push_str(text);
        if self.draws_in_place() {
            return Ok(());
        }
        self.shown = self.told.len();
        self.print(text)
    }

    /// Shows whole lines of text at once, below everything on the screen.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.console.tell(&self.paint.painted(text, Tone::Plain))
    }

    /// Says something to what was typed, in whole lines.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn tell(&mut self, text: &str) -> io::Result<()> {
        self.say(Tone::Plain, text)
    }

    /// Says in a line why something cannot be done.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn refuse(&mut self, why: &str) -> io::Result<()> {
        self.say(Tone::Refusal, &format!("{why}\n"))
    }

    fn say(&mut self, tone: Tone, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.draws_in_place() {
            self.said.push((tone, text.to_owned()));
            return Ok(());
        }
        self.console.tell(&self.paint.painted(text, tone))
    }

    /// Shows the choices before a move.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn present(&mut self, board: &str) -> io::Result<()> {
        (self.old, self.seen) = (self.seen, self.told.len());
        self.look_out(board.to_owned());
        if self.draws_in_place() { Ok(()) } else { self.print(board) }
    }

    /// Sets the board that is shown while others move.
    pub fn look_out(&mut self, board: String) {
        self.board = board;
        self.is_board_below = false;
    }

    /// Shows that a bot is thinking, if the console draws in place.
    ///
    /// # Errors
    ///
    /// As [`Console::tell`].
    pub fn wait_for(&mut self, bot: &str) -> io::Result<()> {
        if !self.draws_in_place() {
            return Ok(());
        }
        let mut picture = self.picture();
        picture.said.insert(0, (Tone::Plain, format!("{bot} is thinking\n")));
        if self.console.draw(&picture)? {
            self.shown = self.told.len();
            return Ok(());
        }
        self.catch_up()
    }

    /// Ends a game with a text in whole lines; where that would be drawn over by the next game, the
    /// person is asked for a line before.
    ///
    /// # Errors
    ///
    /// As [`Console::ask`].
    pub fn end(&mut self, text: &str, next: Next) -> io::Result<()> {
        self.narrate(text)?;
        if !self.draws_in_place() {
            return Ok(());
        }
        self.board.clear();
        match next {
            Next::Nothing => self.show(),
            Next::Game => self.pause(),
        }
    }

    /// Asks for an empty line.
    fn pause(&mut self) -> io::Result<()> {
        let words: Vec<String> = Command::common_words().collect();
        let prompt = Prompt { text: "next game> ", words: &words, help: NEXT_GAME_HELP };
        loop {
            match self.ask(prompt)? {
                Typed::Nothing => return Ok(()),
                Typed::Quit => {
                    self.has_left = true;
                    return Ok(());
                }
                Typed::Choice(_) | Typed::Hint | Typed::Undo | Typed::Auto => {
                    self.refuse("expected an empty line, or `help`")?;
                }
            }
        }
    }

    /// As [`Console::stops`].
    ///
    /// # Errors
    ///
    /// As [`Console::stops`].
    pub fn stops(&mut self) -> io::Result<usize> {
        self.console.stops()
    }

    /// Asks until something is typed that is for the game to understand.
    ///
    /// # Errors
    ///
    /// As [`Console::ask`].
    pub fn ask(&mut self, prompt: Prompt<'_>) -> io::Result<Typed> {
        loop {
            let line = match self.line(prompt.text, prompt.words)? {
                Line::Typed(line) => with_letters(&line),
                Line::End => return Ok(Typed::Quit),
                Line::Stop if self.may_quit()? => return Ok(Typed::Quit),
                Line::Stop | Line::Redraw => continue,
            };
            match line.parse() {
                Ok(Command::Help) => self.tell(prompt.help)?,
                Ok(Command::History) => {
                    let told = self.told.clone();
                    self.tell(&told)?;
                }
                Ok(Command::Rules) => self.tell(self.kind.clone().about().rules)?,
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
        let question = format!("{}, yes or no? ", self.leaving);
        let words = ["yes".to_owned(), "no".to_owned()];
        loop {
            match self.line(&question, &words)? {
                Line::Stop | Line::End => return Ok(true),
                Line::Typed(line) => match line.trim().to_ascii_lowercase().as_str() {
                    "y" | "yes" | "quit" => return Ok(true),
                    "n" | "no" => return Ok(false),
                    _ => {}
                },
                Line::Redraw => {}
            }
        }
    }

    /// A line behind a prompt, with all that was told and said above it.
    fn line(&mut self, prompt: &str, words: &[String]) -> io::Result<Line> {
        loop {
            self.show()?;
            let prompt = self.paint.painted(prompt, Tone::Plain);
            match self.console.ask(&prompt, words)? {
                Line::Redraw => {}
                line => {
                    self.said.clear();
                    return Ok(line);
                }
            }
        }
    }

    /// Shows the current picture: in place of what was there before, if it fits, else below it.
    fn show(&mut self) -> io::Result<()> {
        if !self.draws_in_place() {
            return Ok(());
        }
        let picture = self.picture();
        if self.console.draw(&picture)? {
            self.shown = self.told.len();
            self.is_board_below = false;
            return Ok(());
        }
        self.catch_up()?;
        for (tone, text) in mem::take(&mut self.said) {
            self.is_board_below &= text.lines().count() <= SHORT;
            self.console.tell(&self.paint.painted(&text, tone))?;
        }
        if !self.is_board_below {
            self.is_board_below = true;
            self.print(&self.board.clone())?;
        }
        Ok(())
    }

    /// Tells what was told but not shown.
    fn catch_up(&mut self) -> io::Result<()> {
        let text = self.told[self.shown..].to_owned();
        self.shown = self.told.len();
        self.print(&text)
    }

    fn picture(&self) -> Picture {
        let (before, news) = self.told.split_at(self.old);
        Picture {
            paint: self.paint.clone(),
            heading: self.heading.clone(),
            before: before.to_owned(),
            news: news.to_owned(),
            board: self.board.clone(),
            said: self.said.clone(),
        }
    }
}

/// What comes after a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Another one.
    Game,
    /// None.
    Nothing,
}
