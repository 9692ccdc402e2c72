//! A bot that a person plays against, and need not wait for.
//!
//! While it thinks the person is listened to: one Ctrl-C is a question at the next line, two leave the
//! game, and the bot is left to itself.

use std::cell::RefCell;
use std::io;
use std::time::Instant;

use rules::text::system_error;
use rules::{Answer, Asked, Measured};

use crate::person::screen::Screen;
use crate::playing::background::{Background, Patience};
use crate::playing::player::{Bot, Player, Reply};
use crate::series::game_status::left_by;

/// How often a person says while a bot thinks that they want to leave, until they have left.
const INSISTING: usize = 2;

/// Begins behind what the terminal has made of the key.
const NOTICE: &str = "\n(Ctrl-C again leaves the game; else you are asked at your next turn)\n";

/// A bot with a person waiting for it.
pub struct Opponent<'a, 'b> {
    name: String,
    bot: Background,
    /// The name of the person.
    person: String,
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
        let (name, person) = (name.to_owned(), person.to_owned());
        Opponent { name, bot: Background::new(bot), person, screen }
    }

    /// Whether it was still being asked when the person left.
    pub fn is_left_alone(&self) -> bool {
        self.bot.is_left_alone()
    }

    /// Has the bot asked, and waits for its answer; nothing if the person does not.
    fn wait(&mut self, asked: &Asked) -> io::Result<Option<Reply>> {
        let (screen, name) = (self.screen, &self.name);
        if screen.borrow().has_left() {
            return Ok(None);
        }
        let (mut is_noticed, mut is_shown) = (false, false);
        self.bot.ask(asked, &mut || {
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
}

impl Player for Opponent<'_, '_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.bot.bot().map_or(Ok(()), |bot| bot.new_game())
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let begun = Instant::now();
        let why = match self.wait(asked) {
            Ok(Some(reply)) => return reply,
            Ok(None) => left_by(&self.person),
            Err(error) => format!("a bot cannot be waited for: {}", system_error(error)),
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply { answer: Answer::Void(why), measured: Measured { ms, ..Measured::default() } }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.bot.bot().map(|bot| bot.take_warnings()).unwrap_or_default()
    }
}
