//! A program that values the moves of a review: it is asked as any bot.

use review::{Program, Programs, Unvalued};
use rules::{Answer, Cause, Prompt};
use text::terminal::say;
use text::{counted, excerpt, system_error};

use crate::check::variation::with_time;
use crate::playing::bot::Bot;
use crate::playing::{Player, Reply};
use conditions::bot::Contender;
use conditions::series::LimitsLine;
use conditions::series::game_status::AGAIN;
use sandbox::{Limits, Supervisor};

/// Starts a contender of the native dialect to value moves.
#[derive(Debug, Clone, Copy)]
pub struct ReviewingBots<'a> {
    /// The contender.
    pub contender: &'a Contender,
    /// Starts its programs.
    pub supervisor: Supervisor,
}

impl Programs for ReviewingBots<'_> {
    fn start(&self) -> Box<dyn Program + Send + '_> {
        let Contender { limits, remembers, .. } = *self.contender;
        let bot = Bot::new(self.contender, self.supervisor);
        Box::new(ReviewingBot { bot, limits, remembers })
    }
}

struct ReviewingBot {
    bot: Bot,
    limits: Limits,
    remembers: bool,
}

impl Program for ReviewingBot {
    fn new_game(&mut self) -> Result<(), Unvalued> {
        self.bot.new_game().map_err(|error| {
            Unvalued::Machine(format!("cannot make a scratch folder: {}", system_error(error)))
        })
    }

    /// The request has the time of this program, since its seat in the log may have had another.
    fn ask(&mut self, request: &str) -> Result<Vec<u8>, Unvalued> {
        let request = with_time(request, LimitsLine::from(self.limits).time_ms);
        let prompt = Prompt::Request(request);
        let mut reply = self.bot.ask_while_busy(&prompt, None);
        // A review takes long and keeps nothing, so a fault of the machine is no reason to stop at once.
        for _ in 0..AGAIN {
            if !matches!(reply.answer, Answer::Void(_)) || self.bot.renew_folder().is_err() {
                break;
            }
            reply = self.bot.ask_while_busy(&prompt, None);
        }
        let Reply { answer, measured } = reply;
        let stderr = measured.stderr.0;
        match answer {
            Answer::Stopped { by, .. } => {
                let (verdict, last) = match measured.stderr_dropped {
                    0 => (by.verdict(), last_words(&stderr)),
                    _ => (by.verdict(), String::new()),
                };
                Err(Unvalued::Program(format!("{verdict}, {}{last}", Cause::Stopped(by))))
            }
            Answer::Void(why) => Err(Unvalued::Machine(Cause::Void(why).to_string())),
            // Values that were dropped might be other ones.
            Answer::Output(_) | Answer::Classic { .. } if measured.stderr_dropped > 0 => {
                let most = counted(self.limits.stderr_bytes, "byte", "bytes");
                Err(Unvalued::Program(format!(
                    "more than {most} on standard error: raise --stderr-size"
                )))
            }
            Answer::Output(_) | Answer::Classic { .. } => Ok(stderr),
        }
    }

    fn remembers(&self) -> bool {
        self.remembers
    }
}

impl Drop for ReviewingBot {
    fn drop(&mut self) {
        self.bot.close().iter().for_each(say);
    }
}

/// The last line that a failed program has printed, where languages say what went wrong.
fn last_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let is_remark = |line: &&str| !line.trim().is_empty() && !line.starts_with("value ");
    let last = text.lines().rev().find(is_remark);
    last.map(|line| format!(": {}", excerpt::line(line.trim()))).unwrap_or_default()
}
