//! A bot that a person plays against, and need not wait for.
//!
//! While it thinks the person is listened to: one Ctrl-C is a question at the next line, two leave the
//! game, and the bot is left to itself.

use std::cell::RefCell;
use std::io;

use rules::Asked;

use crate::person::screen::Screen;
use crate::playing::background::{Background, Patience};
use crate::playing::player::{Bot, Player, Reply};
use crate::series::game_status::left_by;

/// How often a person says while a bot thinks that they want to leave, until they have left.
const INSISTING: usize = 2;

/// Begins behind what the terminal has made of the key.
const NOTICE: &str =
    "\n(Ctrl-C again leaves the game; otherwise you are asked at your next turn)\n";

/// A bot with a person waiting for it.
pub struct Opponent<'a, 'b> {
    name: String,
    bot: Background,
    /// Why an answer is void that the person does not wait for.
    why: String,
    screen: &'a RefCell<Screen<'b>>,
}

impl<'a, 'b> Opponent<'a, 'b> {
    /// A bot with a name, against which a person with another one plays at this screen.
    pub fn new(
        name: &str,
        bot: Box<dyn Bot>,
        person: &str,
        screen: &'a RefCell<Screen<'b>>,
    ) -> Self {
        let (name, why) = (name.to_owned(), left_by(person));
        Opponent { name, bot: Background::new(bot), why, screen }
    }

    /// Whether it was still being asked when the person left.
    pub fn is_left_alone(&self) -> bool {
        self.bot.is_left_alone()
    }
}

impl Player for Opponent<'_, '_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.bot.new_game()
    }

    fn game_over(&mut self) {
        self.bot.game_over();
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let (screen, name) = (self.screen, &self.name);
        if screen.borrow().has_left() {
            return Reply::void(&self.why);
        }
        let (mut is_noticed, mut is_shown) = (false, false);
        self.bot.ask(asked, &self.why, &mut || {
            let mut screen = screen.borrow_mut();
            let stops = screen.stops()?;
            if stops >= INSISTING {
                screen.print("\n")?;
                return Ok(Patience::Leaves);
            }
            if stops > 0 && !is_noticed {
                is_noticed = true;
                screen.tell(NOTICE)?;
                is_shown = false;
            }
            if !is_shown {
                is_shown = true;
                screen.wait_for(name)?;
            }
            Ok(Patience::Waits)
        })
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.bot.take_warnings()
    }

    fn close(&mut self) -> Vec<String> {
        self.bot.close()
    }
}
