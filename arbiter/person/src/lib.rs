//! A person at a terminal, as a player like any other.
//!
//! # Theory of operation
//!
//! A person is one more implementation of [`Player`]: it gets the same request as a bot on its seat, and
//! answers with the text of a move, so its games are logged and verified like all others. [`Person::ask`]
//! reads the request, shows its content ([`Screen`]), and asks until a legal move is chosen: wrong input
//! never reaches the referee. No limit applies to it.
//!
//! Everything on the screen comes from the request, from [`Referee::narrate_to`], which tells each line of
//! the history as the seat sees it, or from [`Referee::view`] of that seat, which its request would hold.
//! Nothing here may see the state of a game. Hidden cards are told when the game is over, from its record
//! (`playable.rs`).
//!
//! The games are those of a match like any other ([`matches::play`]); [`PersonWatcher`] is its watcher, and
//! tells the person of it. A person has left a match when they have left one of its games.
//!
//! Lines come through the trait [`Console`]: from an editor at a terminal ([`LineEditor`]), through a pipe
//! ([`PlainConsole`]), or from a script in the tests. The grammar is the same everywhere. A line may be a command of
//! every game; otherwise the game reads it: Tablić asks for a card and then for the cards to take, the others
//! list their moves (`move_list.rs`). A custom game is played by the text of its request alone (`seat_session.rs`).
//!
//! Text is plain up to the screen, which has it painted (`picture.rs`). At a terminal it is put together as a
//! [`ScreenContent`], which knows how to fit into a size, and drawn over the one before; everywhere else, and where
//! it does not fit, text scrolls by.
//!
//! A person who leaves a game makes it void: the answer is [`Answer::Void`], which charges no one. The
//! answer of a bot that a person does not wait for ([`InterruptListener`]) is void too.
//!
//! A person at a served page is a player of another kind (`web/src/people/`), and is offered the same moves in
//! the same words ([`move_list`]).
//!
//! [`Referee::narrate_to`]: rules::Referee::narrate_to
//! [`Referee::view`]: rules::Referee::view
//! [`matches::play`]: contest::playing::matches::play

#![expect(missing_docs, reason = "a part of the program, no interface for others")]

mod console;
mod coup;
mod custom_view;
mod durak;
pub mod move_list;
mod named_card;
mod picture;
mod playable;
mod screen;
mod seat_session;
#[cfg_attr(not(unix), path = "signals_elsewhere.rs")]
mod signals;
mod tablic;
mod termination;

pub use console::{Console, ConsoleLine, Echo, LineEditor, PlainConsole, TerminalLayout};
pub use picture::{ScreenContent, SuitSpelling, TextStyle};
pub use playable::{hands, outcome_sentence};
pub use screen::{InterruptListener, QuitNotice, Screen};
pub use seat_session::{PersonWatcher, hint, offered, revealed};
pub use termination::TerminationSignals;

use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant};

use contest::playing::{Player, Reply};
use rules::{Answer, GameKind, Measurements, Prompt, VoidCause};

use crate::screen::PersonDecision;
use crate::seat_session::playable;

/// A person who answers requests.
pub struct Person<'a, 'b> {
    kind: GameKind,
    name: String,
    screen: &'a RefCell<Screen<'b>>,
}

impl<'a, 'b> Person<'a, 'b> {
    /// A person with this name, at a screen that others may write to between requests, and that knows the
    /// names of all players.
    pub fn new(kind: &GameKind, name: &str, screen: &'a RefCell<Screen<'b>>) -> Person<'a, 'b> {
        Person { kind: kind.clone(), name: name.to_owned(), screen }
    }

    fn decide(&self, prompt: &Prompt) -> Result<PersonDecision, String> {
        let Prompt::Request(text) = prompt else {
            return Err("a person is asked by requests alone".to_owned());
        };
        let screen = &mut *self.screen.borrow_mut();
        if screen.has_left() {
            return Ok(PersonDecision::Quit);
        }
        let names = &screen.names().clone();
        playable(&self.kind).decide(text, names, screen)
    }
}

impl Player for Person<'_, '_> {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let begun = Instant::now();
        let answer = match self.decide(prompt) {
            Ok(PersonDecision::Move(text)) => Answer::Output(format!("{text}\n").into_bytes()),
            Ok(PersonDecision::Quit) => Answer::Void(VoidCause::Left(self.name.clone())),
            Err(problem) => Answer::Void(VoidCause::worded(problem)),
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply { answer, measured: Measurements { ms, ..Measurements::default() } }
    }
}
