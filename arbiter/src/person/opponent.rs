//! A bot that a person plays against, and need not wait for.
//!
//! A bot may think for as long as its time limit says. Meanwhile somebody else asks it, in a thread,
//! and the person is listened to: one Ctrl-C is a question at the next line, two leave the game. The
//! bot is then left to itself until the program ends; whoever lets the program end sees to it that
//! nothing stays behind ([`Opponent::is_left_alone`]).

use std::cell::RefCell;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rules::{Answer, Asked, Measured};

use crate::fate::left_by;
use crate::person::screen::Screen;
use crate::player::{Player, ProcessPlayer, Reply};

/// How long it is between two looks at what the person wants.
const LOOK: Duration = Duration::from_millis(50);

/// How often a person says while a bot thinks that they want to leave, until they have left.
const INSISTING: usize = 2;

/// Begins behind what the terminal has made of the key.
const NOTICE: &str = "\n(Ctrl-C again leaves the game; else you are asked at your next turn)\n";

/// A bot with a person waiting for it.
pub struct Opponent<'a, 'b> {
    /// Nothing while it is asked.
    bot: Option<ProcessPlayer>,
    /// The name of the person.
    person: String,
    screen: &'a RefCell<Screen<'b>>,
}

impl<'a, 'b> Opponent<'a, 'b> {
    /// A bot against which a person with this name plays at this screen.
    pub fn new(bot: ProcessPlayer, person: &str, screen: &'a RefCell<Screen<'b>>) -> Self {
        Opponent { bot: Some(bot), person: person.to_owned(), screen }
    }

    /// Whether it was still being asked when the person left.
    pub fn is_left_alone(&self) -> bool {
        self.bot.is_none()
    }

    /// As for [`ProcessPlayer::take_warnings`].
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.bot.as_mut().map(ProcessPlayer::take_warnings).unwrap_or_default()
    }

    /// Has the bot asked, and waits for its answer; nothing where the person does not.
    fn wait(&mut self, asked: &Asked) -> io::Result<Option<Reply>> {
        let asked = asked.clone();
        let (asks, bots) = mpsc::channel::<ProcessPlayer>();
        let (answers, answered) = mpsc::channel();
        thread::Builder::new().name("opponent".to_owned()).spawn(move || {
            for mut bot in bots {
                let reply = bot.ask(&asked);
                // Where the person has left, nobody wants to know.
                let _ = answers.send((bot, reply));
            }
        })?;
        // Only now, since a thread that could not be started would have lost it.
        if let Some(bot) = self.bot.take() {
            let _ = asks.send(bot);
        }
        drop(asks);
        let mut is_noticed = false;
        loop {
            match answered.recv_timeout(LOOK) {
                Ok((bot, reply)) => {
                    self.bot = Some(bot);
                    return Ok(Some(reply));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(error @ RecvTimeoutError::Disconnected) => return Err(io::Error::other(error)),
            }
            let mut screen = self.screen.borrow_mut();
            match screen.stops()? {
                0 => {}
                INSISTING.. => {
                    screen.tell("\n")?;
                    return Ok(None);
                }
                _ if is_noticed => {}
                _ => {
                    screen.tell(NOTICE)?;
                    is_noticed = true;
                }
            }
        }
    }
}

impl Player for Opponent<'_, '_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.bot.as_mut().map_or(Ok(()), ProcessPlayer::new_game)
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let begun = Instant::now();
        let why = match self.wait(asked) {
            Ok(Some(reply)) => return reply,
            Ok(None) => left_by(&self.person),
            Err(error) => format!("a bot cannot be waited for: {error}"),
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply { answer: Answer::Void(why), measured: Measured { ms, ..Measured::default() } }
    }
}
