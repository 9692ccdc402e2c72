//! A bot that is asked in the background, so that its caller can stop waiting for the answer.
//!
//! A bot may think for as long as its time limit says. Where its program can be ended on request, the
//! caller's own thread asks it, looks now and then, and ends it. Elsewhere another thread asks it. When the
//! caller stops waiting there, the bot is left to itself until the program ends; the program must then
//! see to it that nothing stays behind ([`Background::is_left_alone`]).

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rules::{Answer, Measured, Prompt, Void};
use sandbox::Wanted;
use text::system_error;

use crate::playing::bot::Bot;
use crate::playing::{Player, Reply};

/// Time between two checks of whether the answer is still wanted.
pub(super) const LOOK: Duration = Duration::from_millis(50);

/// Decides how long to wait for an answer of a bot.
pub trait Waiting {
    /// Begins to wait for an answer, unless it would be void: then it gives the reason.
    fn begin(&mut self) -> Option<Void>;

    /// Looks whether the answer is still wanted, and gives the reason if it is void from now on.
    fn look(&mut self) -> io::Result<Option<Void>>;
}

/// An answer is wanted until the match is stopped.
impl Waiting for &AtomicBool {
    fn begin(&mut self) -> Option<Void> {
        self.load(Ordering::Relaxed).then_some(Void::Stopped)
    }

    fn look(&mut self) -> io::Result<Option<Void>> {
        Ok(self.begin())
    }
}

/// A bot whose caller can stop waiting for it.
#[derive(Debug)]
pub struct Background<W> {
    /// Absent while it is asked.
    bot: Option<Bot>,
    /// The thread that asks it, once there is one.
    asker: Option<Asker>,
    waiting: W,
}

/// A thread that asks a bot, and gives it back with its reply.
#[derive(Debug)]
struct Asker {
    asks: Sender<(Bot, Prompt, Option<Duration>)>,
    answered: Receiver<(Bot, Reply)>,
}

impl Asker {
    fn start() -> io::Result<Asker> {
        let (asks, bots) = mpsc::channel::<(Bot, Prompt, Option<Duration>)>();
        let (answers, answered) = mpsc::channel();
        thread::Builder::new().name("bot".to_owned()).spawn(move || {
            for (mut bot, prompt, time) in bots {
                let reply = bot.ask(&prompt, time);
                // The caller may have stopped waiting: then the answer is not wanted.
                let _ = answers.send((bot, reply));
            }
        })?;
        Ok(Asker { asks, answered })
    }
}

impl<W: Waiting> Background<W> {
    /// A bot that was not asked yet.
    pub fn new(bot: Bot, waiting: W) -> Background<W> {
        Background { bot: Some(bot), asker: None, waiting }
    }

    /// Returns true if the bot was still thinking when its caller stopped waiting.
    pub fn is_left_alone(&self) -> bool {
        self.bot.is_none()
    }

    /// Returns the reply, or why it is void. Fails if no thread can be started or [`Waiting::look`] fails.
    fn wait(&mut self, prompt: &Prompt, time: Option<Duration>) -> io::Result<Result<Reply, Void>> {
        match &mut self.bot {
            Some(bot) if bot.ends_on_request() => ask_while(bot, &mut self.waiting, prompt, time),
            Some(_) | None => self.wait_for_thread(prompt, time),
        }
    }

    fn wait_for_thread(
        &mut self,
        prompt: &Prompt,
        time: Option<Duration>,
    ) -> io::Result<Result<Reply, Void>> {
        let Asker { asks, answered } = match &mut self.asker {
            Some(asker) => asker,
            none => none.insert(Asker::start()?),
        };
        // Only now, since a thread that could not be started would have lost it.
        let Some(bot) = self.bot.take() else {
            // A late answer belongs to an earlier request.
            return Err(io::Error::other("it was left to itself"));
        };
        let _ = asks.send((bot, prompt.clone(), time));
        loop {
            match answered.recv_timeout(LOOK) {
                Ok((bot, reply)) => {
                    self.bot = Some(bot);
                    return Ok(Ok(reply));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(error @ RecvTimeoutError::Disconnected) => return Err(io::Error::other(error)),
            }
            if let Some(why) = self.waiting.look()? {
                return Ok(Err(why));
            }
        }
    }
}

/// Asks a bot in this thread, and ends its program once the answer is not wanted any more.
fn ask_while(
    bot: &mut Bot,
    waiting: &mut impl Waiting,
    prompt: &Prompt,
    time: Option<Duration>,
) -> io::Result<Result<Reply, Void>> {
    let waiting = RefCell::new(waiting);
    let ended = Cell::new(None);
    let is_wanted = || {
        let end = waiting.borrow_mut().look().transpose();
        let is_wanted = end.is_none();
        ended.set(end);
        is_wanted
    };
    let reply = bot.ask_while(Wanted::as_long_as(&is_wanted), prompt, time);
    match ended.into_inner() {
        Some(why) => why.map(Err),
        None => Ok(Ok(reply)),
    }
}

/// Once it was left to itself, it does nothing but answer that it was.
impl<W: Waiting> Player for Background<W> {
    fn new_game(&mut self) -> io::Result<()> {
        self.bot.as_mut().map_or(Ok(()), Bot::new_game)
    }

    fn game_over(&mut self) {
        if let Some(bot) = &mut self.bot {
            bot.game_over();
        }
    }

    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply {
        if let Some(why) = self.waiting.begin() {
            return Reply::void(why);
        }
        let begun = Instant::now();
        let why = match self.wait(prompt, time) {
            Ok(Ok(reply)) => return reply,
            Ok(Err(why)) => why,
            Err(error) => {
                Void::worded(format!("a bot cannot be waited for: {}", system_error(&error)))
            }
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply { answer: Answer::Void(why), measured: Measured { ms, ..Measured::default() } }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.bot.as_mut().map(Bot::take_warnings).unwrap_or_default()
    }

    fn close(&mut self) -> Vec<String> {
        self.bot.as_mut().map(Bot::close).unwrap_or_default()
    }
}
