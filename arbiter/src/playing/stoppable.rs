//! A bot of a match that may be stopped while the bot thinks.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rules::Asked;

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
}

impl Player for Stoppable<'_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.bot.new_game()
    }

    fn game_over(&mut self) {
        self.bot.game_over();
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let stop = self.stop;
        if stop.load(Ordering::Relaxed) {
            return Reply::void(WHY);
        }
        self.bot.ask(asked, WHY, &mut || match stop.load(Ordering::Relaxed) {
            true => Ok(Patience::Leaves),
            false => Ok(Patience::Waits),
        })
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.bot.take_warnings()
    }

    fn close(&mut self) -> Vec<String> {
        self.bot.close()
    }
}

/// Sleeps for this time, or until the match is stopped.
pub(super) fn sleep(time: Duration, stop: &AtomicBool) {
    let begun = Instant::now();
    while !stop.load(Ordering::Relaxed) && begun.elapsed() < time {
        thread::sleep(LOOK.min(time));
    }
}
