//! A person who plays against a bot, and need not wait for it.
//!
//! The person can interrupt a bot that thinks: one Ctrl-C is a question at the next line, two leave the game,
//! and the bot is ended, or left to itself where it cannot be.

use std::cell::RefCell;
use std::io;

use rules::Void;

use crate::screen::Screen;
use contest::playing::bot::Waiting;

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

    fn left(&self) -> Void {
        Void::Left(self.person.clone())
    }
}

impl Waiting for InterruptListener<'_, '_> {
    fn begin(&mut self) -> Option<Void> {
        (self.is_noticed, self.is_shown) = (false, false);
        self.screen.borrow().has_left().then(|| self.left())
    }

    fn look(&mut self) -> io::Result<Option<Void>> {
        let mut screen = self.screen.borrow_mut();
        let stops = screen.stops()?;
        if stops >= INSISTING {
            screen.print("\n")?;
            return Ok(Some(self.left()));
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
