//! A program that values the moves of a review: it is asked as any bot.

use review::{ValuationError, ValuingProgram};
use rules::{Answer, FailureCause, Prompt};
use text::terminal::say;
use text::{counted, excerpt, system_error};

use crate::playing::bot::Bot;
use crate::playing::{Player, Reply};
use bot::Contender;
use sandbox::{Limits, Supervisor};
use series::game_status::AGAIN;

/// Starts a contender of the native dialect to value moves.
pub fn valuing_program(
    contender: &Contender,
    supervisor: Supervisor,
) -> Box<dyn ValuingProgram + Send> {
    let Contender { limits, remembers, .. } = *contender;
    Box::new(ReviewingBot { bot: Bot::new(contender, supervisor), limits, remembers })
}

struct ReviewingBot {
    bot: Bot,
    limits: Limits,
    remembers: bool,
}

impl ValuingProgram for ReviewingBot {
    fn new_game(&mut self) -> Result<(), ValuationError> {
        self.bot.new_game().map_err(|error| {
            ValuationError::Machine(format!(
                "cannot make a scratch folder: {}",
                system_error(error)
            ))
        })
    }

    /// The request has the time of this program, since its seat in the log may have had another.
    fn ask(&mut self, request: &str) -> Result<Vec<u8>, ValuationError> {
        let request = with_time(request, self.limits.time_ms());
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
        let stderr = measured.stderr.bytes().to_vec();
        match answer {
            Answer::Stopped { by, .. } => {
                let (verdict, last) = match measured.stderr_dropped {
                    0 => (by.verdict(), last_words(&stderr)),
                    _ => (by.verdict(), String::new()),
                };
                Err(ValuationError::Program(format!(
                    "{verdict}, {}{last}",
                    FailureCause::Stopped(by)
                )))
            }
            Answer::Void(why) => Err(ValuationError::Machine(FailureCause::Void(why).to_string())),
            // Values that were dropped might be other ones.
            Answer::Output(_) | Answer::Classic { .. } if measured.stderr_dropped > 0 => {
                let most = counted(self.limits.stderr_bytes, "byte", "bytes");
                Err(ValuationError::Program(format!(
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

/// Sets the time for the answer in a request, in milliseconds.
pub fn with_time(request: &str, time: u64) -> String {
    let mut text = String::with_capacity(request.len());
    let mut is_set = false;
    let mut is_over = false;
    for line in request.lines() {
        is_over |= line.starts_with("seed ");
        // The clock of another game says nothing of this time.
        if !is_over && is_set && (line.starts_with("bank ") || line.starts_with("increment ")) {
            continue;
        }
        // The view of a custom game can have a `time` line as well.
        if !is_set && line.starts_with("time ") {
            text.push_str(&format!("time {time}\n"));
            is_set = true;
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_for_the_answer_is_set() {
        let request = "arbiter 1\ngame own\ntime 5000\nview 1\ntime 3\n";
        assert_eq!(with_time(request, 77), request.replace("5000", "77"));
    }
}
