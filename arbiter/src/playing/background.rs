//! A bot that is asked in the background, so that its caller can stop waiting for the answer.
//!
//! A bot may think for as long as its time limit says. Meanwhile a thread of its own asks it. When
//! the caller stops waiting, the bot is left to itself until the program ends; the program must then
//! see to it that nothing stays behind ([`Background::is_left_alone`]).

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rules::text::system_error;
use rules::{Answer, Asked, Measured};

use crate::playing::player::{Bot, Reply};

/// How long it is between two looks at whether the answer is still wanted.
pub const LOOK: Duration = Duration::from_millis(50);

/// Whether an answer is still waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// The caller still wants it.
    Waits,
    /// The caller has stopped waiting.
    Leaves,
}

/// A bot that need not be waited for.
#[derive(Debug)]
pub struct Background {
    /// Nothing while it is asked.
    bot: Option<Box<dyn Bot>>,
    /// The thread that asks it, once there is one.
    asker: Option<Asker>,
}

/// A thread that asks a bot, and gives it back with its reply.
#[derive(Debug)]
struct Asker {
    asks: Sender<(Box<dyn Bot>, Asked)>,
    answered: Receiver<(Box<dyn Bot>, Reply)>,
}

impl Asker {
    fn start() -> io::Result<Asker> {
        let (asks, bots) = mpsc::channel::<(Box<dyn Bot>, Asked)>();
        let (answers, answered) = mpsc::channel();
        thread::Builder::new().name("bot".to_owned()).spawn(move || {
            for (mut bot, asked) in bots {
                let reply = bot.ask(&asked);
                // The caller may have stopped waiting: then the answer is not wanted.
                let _ = answers.send((bot, reply));
            }
        })?;
        Ok(Asker { asks, answered })
    }
}

impl Background {
    /// A bot that was not asked yet.
    pub fn new(bot: Box<dyn Bot>) -> Background {
        Background { bot: Some(bot), asker: None }
    }

    /// Whether it was still thinking when its caller stopped waiting.
    pub fn is_left_alone(&self) -> bool {
        self.bot.is_none()
    }

    /// Prepares the bot for a new game, unless it was left to itself.
    ///
    /// # Errors
    ///
    /// As the bot's.
    pub fn new_game(&mut self) -> io::Result<()> {
        self.bot.as_mut().map_or(Ok(()), |bot| bot.new_game())
    }

    /// Ends what the bot has for one game, unless it was left to itself.
    pub fn game_over(&mut self) {
        if let Some(bot) = &mut self.bot {
            bot.game_over();
        }
    }

    /// The bot's warnings, unless it was left to itself.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.bot.as_mut().map(|bot| bot.take_warnings()).unwrap_or_default()
    }

    /// Closes the bot, unless it was left to itself, and gives its warnings.
    pub fn close(&mut self) -> Vec<String> {
        self.bot.as_mut().map(|bot| bot.close()).unwrap_or_default()
    }

    /// What the bot replies, if its caller waits for it: `patience` is looked at now and then.
    /// Otherwise the answer is void, for the reason `why` or since the bot cannot be waited for.
    pub fn ask(
        &mut self,
        asked: &Asked,
        why: &str,
        patience: &mut dyn FnMut() -> io::Result<Patience>,
    ) -> Reply {
        let begun = Instant::now();
        let why = match self.wait(asked, patience) {
            Ok(Some(reply)) => return reply,
            Ok(None) => why.to_owned(),
            Err(error) => format!("a bot cannot be waited for: {}", system_error(&error)),
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply { answer: Answer::Void(why), measured: Measured { ms, ..Measured::default() } }
    }

    /// `None` if the caller stopped waiting; fails if no thread can be started, or where `patience`
    /// does.
    fn wait(
        &mut self,
        asked: &Asked,
        patience: &mut dyn FnMut() -> io::Result<Patience>,
    ) -> io::Result<Option<Reply>> {
        let Asker { asks, answered } = match &mut self.asker {
            Some(asker) => asker,
            none => none.insert(Asker::start()?),
        };
        // Only now, since a thread that could not be started would have lost it.
        let Some(bot) = self.bot.take() else {
            // What it still answers belongs to an earlier request.
            return Err(io::Error::other("it was left to itself"));
        };
        let _ = asks.send((bot, asked.clone()));
        loop {
            match answered.recv_timeout(LOOK) {
                Ok((bot, reply)) => {
                    self.bot = Some(bot);
                    return Ok(Some(reply));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(error @ RecvTimeoutError::Disconnected) => return Err(io::Error::other(error)),
            }
            if patience()? == Patience::Leaves {
                return Ok(None);
            }
        }
    }
}
