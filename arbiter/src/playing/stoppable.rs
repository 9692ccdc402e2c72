//! A bot of a match that may be stopped while the bot thinks.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rules::text::system_error;
use rules::{Answer, Asked, Measured};

use crate::playing::background::{Background, LOOK, Patience};
use crate::playing::player::{Bot, Player, Reply};

/// Why an answer is void that a match did not wait for.
const WHY: &str = "the match was stopped";

/// A bot whose answer is void once the match is stopped.
#[derive(Debug)]
pub(super) struct Stoppable<'a> {
    bot: Background,
    stop: &'a AtomicBool,
}

impl<'a> Stoppable<'a> {
    /// A bot of a match that stops once `stop` is set.
    pub(super) fn new(bot: Box<dyn Bot>, stop: &'a AtomicBool) -> Self {
        Stoppable { bot: Background::new(bot), stop }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn wait(&mut self, asked: &Asked) -> io::Result<Option<Reply>> {
        let stop = self.stop;
        if self.is_stopped() {
            return Ok(None);
        }
        self.bot.ask(asked, &mut || match stop.load(Ordering::Relaxed) {
            true => Ok(Patience::Leaves),
            false => Ok(Patience::Waits),
        })
    }
}

impl Player for Stoppable<'_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.bot.bot().map_or(Ok(()), |bot| bot.new_game())
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let begun = Instant::now();
        let why = match self.wait(asked) {
            Ok(Some(reply)) => return reply,
            Ok(None) => WHY.to_owned(),
            Err(error) => format!("a bot cannot be waited for: {}", system_error(&error)),
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply { answer: Answer::Void(why), measured: Measured { ms, ..Measured::default() } }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.bot.bot().map(|bot| bot.take_warnings()).unwrap_or_default()
    }
}

/// Sleeps for so long, or until the match is stopped.
pub(super) fn sleep(time: Duration, stop: &AtomicBool) {
    let begun = Instant::now();
    while !stop.load(Ordering::Relaxed) && begun.elapsed() < time {
        thread::sleep(LOOK.min(time));
    }
}
