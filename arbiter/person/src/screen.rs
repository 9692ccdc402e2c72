//! The screen of a person, and the commands that are the same in every game.
//!
//! If a console only scrolls, everything is shown at once. If it draws in place, messages wait for
//! the next picture, which is drawn when a line is asked for, or while a bot keeps the person
//! waiting. A picture that does not fit is shown as scrolling text: the messages since the last
//! picture, and the board below them.
//!
//! The person can interrupt a bot that thinks: one Ctrl-C is a question at the next line, two leave the game,
//! and the bot is ended, or left to itself where it cannot be.

use std::cell::RefCell;
use std::{io, mem};

use contest::playing::bot::WaitPolicy;
use rules::{GameKind, PerSeat, VoidCause};

use crate::console::{Console, ConsoleLine};
use crate::picture::{ScreenContent, TextPainter, TextStyle, TextTone, with_letters};

/// An answer of more lines than this pushes the board out of sight.
const SHORT: usize = 3;

pub struct Screen<'a> {
    console: &'a mut dyn Console,
    paint: TextPainter,
    kind: GameKind,
    /// The names of the players of this game, by seat.
    names: PerSeat<String>,
    heading: String,
    /// The history of the game.
    told: String,
    /// The length of the part that was shown.
    shown: usize,
    /// Its length when a move was asked for last.
    seen: usize,
    /// Its length when a move was asked for before that.
    old: usize,
    /// The choices.
    board: String,
    /// True while the board is visible below all other text.
    is_board_below: bool,
    /// The replies since the last line.
    said: Vec<(TextTone, String)>,
    /// The fate of the games, for a person who is about to leave.
    farewell: QuitNotice,
    /// True once a game was played to its end.
    has_finished_game: bool,
    /// The question to a person who is about to leave.
    leaving: String,
    has_left: bool,
    /// True once the words of commands were named.
    has_introduced: bool,
}

/// The fate of the games if a person leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuitNotice {
    /// While no game is finished.
    pub in_first_game: String,
    pub later: String,
}

/// The words that the first prompt names.
const FIRST_WORDS: &str = "type your move, or one of: help, rules, hint, auto, quit\n";

/// Likewise in a custom game, in which there are no hints.
const FIRST_WORDS_OF_CUSTOM: &str = "type your move, or one of: help, rules, auto, quit\n";

/// A line that is no command of every game, or one that the game must carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PersonInput {
    /// A line that is not a command.
    Choice(String),
    /// Nothing but white space.
    Nothing,
    Hint,
    Undo,
    Auto,
    /// The person leaves the game.
    Quit,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct LinePrompt<'a> {
    /// The text before the line that is typed.
    pub text: &'a str,
    /// The words for the completion.
    pub words: &'a [String],
    /// The answer to `help`.
    pub help: &'a str,
}

const NEXT_GAME_HELP: &str = "\
An empty line begins the next game.
  history   the moves of this one
  rules     a summary of the rules
  quit      leave the remaining games
";

impl<'a> Screen<'a> {
    /// An empty screen for games of one kind. `farewell` tells the fate of the games if the person leaves.
    pub fn new(
        console: &'a mut dyn Console,
        style: TextStyle,
        kind: &GameKind,
        farewell: QuitNotice,
    ) -> Screen<'a> {
        Screen {
            console,
            paint: TextPainter::new(style, &[]),
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
            has_finished_game: false,
            leaving: "leave the game".to_owned(),
            has_left: false,
            has_introduced: false,
        }
    }

    /// Begins a game between these players; the heading is whole lines.
    pub fn begin(&mut self, heading: &str, names: &PerSeat<String>) -> io::Result<()> {
        self.paint = TextPainter::new(self.paint.style(), names.values());
        self.names = names.clone();
        self.heading = heading.trim_matches('\n').to_owned();
        self.told.clear();
        (self.shown, self.seen, self.old) = (0, 0, 0);
        self.board.clear();
        self.said.clear();
        if self.draws_in_place() { Ok(()) } else { self.print(heading) }
    }

    /// Sets the question to a person who is about to leave, without `yes or no`.
    pub(crate) fn ask_on_leaving(&mut self, question: String) {
        self.leaving = question;
    }

    /// Notes that a game was played to its end, so that leaving a later one does not lose all.
    pub(crate) fn finish_game(&mut self) {
        self.has_finished_game = true;
    }

    /// The fate of the games if the person leaves now.
    pub fn farewell(&self) -> &str {
        if self.has_finished_game { &self.farewell.later } else { &self.farewell.in_first_game }
    }

    pub(crate) fn draws_in_place(&self) -> bool {
        self.console.draws_in_place()
    }

    pub(crate) fn names(&self) -> &PerSeat<String> {
        &self.names
    }

    /// Returns true once the person has left, and is no longer asked.
    pub(crate) fn has_left(&self) -> bool {
        self.has_left
    }

    /// Shows news of the game, and keeps them for `history`.
    pub fn narrate(&mut self, text: &str) -> io::Result<()> {
        self.told.push_str(text);
        if self.draws_in_place() {
            return Ok(());
        }
        self.shown = self.told.len();
        self.print(text)
    }

    /// Shows whole lines of text at once, below everything on the screen.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.console.tell(&self.paint.painted(text, TextTone::Plain))
    }

    /// Replies to the last line, in whole lines.
    pub(crate) fn tell(&mut self, text: &str) -> io::Result<()> {
        self.say(TextTone::Plain, text)
    }

    /// Refuses the last line, with a reason.
    pub(crate) fn refuse(&mut self, why: &str) -> io::Result<()> {
        self.say(TextTone::Refusal, &format!("{why}\n"))
    }

    fn say(&mut self, tone: TextTone, text: &str) -> io::Result<()> {
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
    pub(crate) fn present(&mut self, board: &str) -> io::Result<()> {
        (self.old, self.seen) = (self.seen, self.told.len());
        self.look_out(board.to_owned());
        if !self.draws_in_place() {
            self.print(board)?;
        }
        if self.has_introduced {
            return Ok(());
        }
        self.has_introduced = true;
        self.tell(match self.kind.rules_id() {
            Some(_) => FIRST_WORDS_OF_CUSTOM,
            None => FIRST_WORDS,
        })
    }

    /// Sets the board that is shown while others move.
    pub(crate) fn look_out(&mut self, board: String) {
        self.board = board;
        self.is_board_below = false;
    }

    /// Shows that a bot is thinking, if the console draws in place.
    pub(crate) fn wait_for(&mut self, bot: &str) -> io::Result<()> {
        if !self.draws_in_place() {
            return Ok(());
        }
        let mut picture = self.picture();
        picture.said.insert(0, (TextTone::Plain, format!("{bot} is thinking\n")));
        if self.console.draw(&picture)? {
            self.shown = self.told.len();
            return Ok(());
        }
        self.catch_up()
    }

    /// Ends a game with a text in whole lines. If the next game would draw over it, the person is asked for a
    /// line before.
    pub(crate) fn end(&mut self, text: &str, next: GameSequel) -> io::Result<()> {
        self.narrate(text)?;
        if !self.draws_in_place() {
            return Ok(());
        }
        self.board.clear();
        match next {
            GameSequel::Nothing => self.show(),
            GameSequel::Game => self.pause(),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        let words: Vec<String> = PersonCommand::common_words().collect();
        let prompt = LinePrompt { text: "next game> ", words: &words, help: NEXT_GAME_HELP };
        loop {
            match self.ask(prompt)? {
                PersonInput::Nothing => return Ok(()),
                PersonInput::Quit => {
                    self.has_left = true;
                    return Ok(());
                }
                PersonInput::Choice(_)
                | PersonInput::Hint
                | PersonInput::Undo
                | PersonInput::Auto => {
                    self.refuse("expected an empty line, or `help`")?;
                }
            }
        }
    }

    pub(crate) fn stops(&mut self) -> io::Result<usize> {
        self.console.stops()
    }

    /// Asks until a line is typed that the game must read.
    pub(crate) fn ask(&mut self, prompt: LinePrompt<'_>) -> io::Result<PersonInput> {
        loop {
            let line = match self.line(prompt.text, prompt.words)? {
                ConsoleLine::Typed(line) => with_letters(&line),
                ConsoleLine::End => return Ok(PersonInput::Quit),
                ConsoleLine::Stop if self.may_quit()? => return Ok(PersonInput::Quit),
                ConsoleLine::Stop | ConsoleLine::Redraw => continue,
            };
            match PersonCommand::named(&line) {
                Some(PersonCommand::Help) => self.tell(prompt.help)?,
                Some(PersonCommand::History) => {
                    let told = self.told.clone();
                    self.tell(&told)?;
                }
                Some(PersonCommand::Rules) => match self.kind.clone().about().rules {
                    "" => self.tell("this game has no rules summary\n")?,
                    rules => self.tell(rules)?,
                },
                Some(PersonCommand::Quit) if self.may_quit()? => return Ok(PersonInput::Quit),
                Some(PersonCommand::Quit) => {}
                Some(PersonCommand::Hint) => return Ok(PersonInput::Hint),
                Some(PersonCommand::Undo) => return Ok(PersonInput::Undo),
                Some(PersonCommand::Auto) => return Ok(PersonInput::Auto),
                None if line.trim().is_empty() => return Ok(PersonInput::Nothing),
                None => return Ok(PersonInput::Choice(line)),
            }
        }
    }

    /// Asks for a confirmation; a person who insists may leave.
    fn may_quit(&mut self) -> io::Result<bool> {
        let farewell = format!("{}\n", self.farewell());
        self.tell(&farewell)?;
        let question = format!("{}, yes or no? ", self.leaving);
        let words = ["yes".to_owned(), "no".to_owned()];
        loop {
            match self.line(&question, &words)? {
                ConsoleLine::Stop | ConsoleLine::End => return Ok(true),
                ConsoleLine::Typed(line) => match line.trim().to_ascii_lowercase().as_str() {
                    "y" | "yes" | "quit" => return Ok(true),
                    "n" | "no" => return Ok(false),
                    _ => {}
                },
                ConsoleLine::Redraw => {}
            }
        }
    }

    /// A line behind a prompt, with all news and replies above it.
    fn line(&mut self, prompt: &str, words: &[String]) -> io::Result<ConsoleLine> {
        loop {
            self.show()?;
            let prompt = self.paint.painted(prompt, TextTone::Plain);
            match self.console.ask(&prompt, words)? {
                ConsoleLine::Redraw => {}
                line => {
                    self.said.clear();
                    return Ok(line);
                }
            }
        }
    }

    /// Shows the current picture: over the one before, if it fits, otherwise below it.
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

    /// Shows the news that were not shown yet.
    fn catch_up(&mut self) -> io::Result<()> {
        let text = self.told[self.shown..].to_owned();
        self.shown = self.told.len();
        self.print(&text)
    }

    fn picture(&self) -> ScreenContent {
        let (before, news) = self.told.split_at(self.old);
        ScreenContent {
            paint: self.paint.clone(),
            heading: self.heading.clone(),
            before: before.to_owned(),
            news: news.to_owned(),
            board: self.board.clone(),
            said: self.said.clone(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameSequel {
    /// Another one.
    Game,
    /// None.
    Nothing,
}

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

    /// The command with this word in any letter case, or `?` for help.
    fn named(text: &str) -> Option<PersonCommand> {
        let text = text.trim();
        if text == "?" {
            return Some(PersonCommand::Help);
        }
        let found = PersonCommand::ALL.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, command)| *command)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PersonDecision {
    /// The text of a legal move.
    Move(String),
    /// The person leaves the game.
    Quit,
}

/// The number of wishes to stop, while a bot thinks, that leave the game.
const INSISTING: usize = 2;

/// It begins behind the signs that the terminal shows for the key.
const NOTICE: &str =
    "\n(Ctrl-C again leaves the game; otherwise you are asked at your next turn)\n";

/// A person who waits for a bot, and can interrupt it.
pub struct InterruptListener<'a, 'b> {
    bot: String,
    person: String,
    screen: &'a RefCell<Screen<'b>>,
    is_noticed: bool,
    is_shown: bool,
}

impl<'a, 'b> InterruptListener<'a, 'b> {
    /// A person at this screen who plays against a bot, by their names.
    pub fn new(bot: &str, person: &str, screen: &'a RefCell<Screen<'b>>) -> Self {
        let (bot, person) = (bot.to_owned(), person.to_owned());
        InterruptListener { bot, person, screen, is_noticed: false, is_shown: false }
    }

    fn left_cause(&self) -> VoidCause {
        VoidCause::Left(self.person.clone())
    }
}

impl WaitPolicy for InterruptListener<'_, '_> {
    fn begin(&mut self) -> Option<VoidCause> {
        (self.is_noticed, self.is_shown) = (false, false);
        self.screen.borrow().has_left().then(|| self.left_cause())
    }

    fn look(&mut self) -> io::Result<Option<VoidCause>> {
        let mut screen = self.screen.borrow_mut();
        let stops = screen.stops()?;
        if stops >= INSISTING {
            screen.print("\n")?;
            return Ok(Some(self.left_cause()));
        }
        if stops > 0 && !self.is_noticed {
            self.is_noticed = true;
            screen.tell(NOTICE)?;
            self.is_shown = false;
        }
        if !self.is_shown {
            self.is_shown = true;
            screen.wait_for(&self.bot)?;
        }
        Ok(None)
    }
}
