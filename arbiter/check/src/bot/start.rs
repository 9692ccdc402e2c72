//! Measurement of a start, and of what a program saves that lives for a whole game.
//!
//! No program tells when its start is over. So it is started some times without a request: if it then ends by itself, it
//! has done little else. A few requests of its games are asked again in the other mode, for each move or in one program,
//! which shows what the choice between them costs. All of this is for the author: it passes and fails nothing.

use std::time::{Duration, Instant};

use rules::{Answer, Dialect, Prompt, Sample};

use crate::bot::asking::{Check, Exchange, machine};
use crate::step::{OtherMode, StartTimes};
use ::bot::Contender;
use ::bot::manifest::Mode;
use contest::playing::Player;
use contest::playing::bot::Bot;
use sandbox::Limits;
use text::failure::Failure;

/// Number of starts without a request.
const STARTS: usize = 5;

/// Number of requests that are asked in the other mode.
const ASKED: usize = 8;

/// Time after which no further start or request of a measurement begins.
const ENOUGH: Duration = Duration::from_secs(1);

/// The least time that a bot has for an answer in the other mode. One that waits for the end of its input uses it up.
const PATIENCE: Duration = Duration::from_millis(100);

/// An answer in the other mode may take this many times as long as one in the bot's own mode.
const TIMES: u32 = 4;

/// Measures the bot, with requests of its games and its answers to them. Also returns the folders that it could not
/// remove.
pub(super) fn measure(
    check: &Check<'_>,
    exchanges: &[Exchange],
) -> Result<Option<(StartTimes, Vec<String>)>, Failure> {
    let answered = |it: &&Exchange| !matches!(it.answer, Answer::Stopped { .. } | Answer::Void(_));
    let exchanges: Vec<&Exchange> = exchanges.iter().filter(answered).take(ASKED).collect();
    let own: Vec<f64> = exchanges.iter().map(|exchange| exchange.measured.ms).collect();
    let Some(own_ms) = median(own) else { return Ok(None) };
    let Some(contender) = in_other_mode(check.contender, own_ms) else { return Ok(None) };
    let mut bot = Bot::new(&contender, check.supervisor);
    bot.new_game().map_err(|error| machine("cannot make a scratch folder", error))?;
    let start_ms = median(starts(&mut bot));
    let mut others = Vec::new();
    let other_mode = match contender.dialect {
        Dialect::Native => OtherMode::Tried,
        Dialect::Classic(_) => OtherMode::Missing,
    };
    if other_mode == OtherMode::Tried {
        others = answers(&mut bot, &exchanges);
        // The first answer of a program that lives on has its start in it.
        let starts_in_them = usize::from(contender.mode == Mode::Resident).min(others.len());
        others.drain(..starts_in_them);
    }
    bot.game_over();
    let mode = check.contender.mode;
    let (call_ms, resident_ms) = match mode {
        Mode::PerMove => (Some(own_ms), median(others)),
        Mode::Resident | Mode::Remote => (median(others), Some(own_ms)),
    };
    let times = StartTimes { mode, start_ms, call_ms, resident_ms, other_mode };
    Ok(Some((times, bot.close())))
}

/// The bot in the other mode; none if it does not run on this machine.
fn in_other_mode(contender: &Contender, own_ms: f64) -> Option<Contender> {
    let mode = match contender.mode {
        Mode::PerMove => Mode::Resident,
        Mode::Resident => Mode::PerMove,
        Mode::Remote => return None,
    };
    let own = Duration::try_from_secs_f64(own_ms / 1000.0).unwrap_or_default();
    let wait = match mode {
        Mode::Resident => own.saturating_mul(TIMES).saturating_add(PATIENCE),
        // Its start is not known yet.
        Mode::PerMove | Mode::Remote => own.saturating_add(ENOUGH),
    };
    let limits = Limits { time: contender.limits.time.min(wait), ..contender.limits };
    Some(Contender { mode, limits, ..contender.clone() })
}

fn starts(bot: &mut Bot) -> Vec<f64> {
    let began = Instant::now();
    let mut times = Vec::new();
    while times.len() < STARTS && began.elapsed() < ENOUGH {
        let Some(ms) = bot.start_without_request() else { return Vec::new() };
        times.push(ms);
    }
    times
}

/// Returns the times of its answers; none if one of them is not legal.
fn answers(bot: &mut Bot, exchanges: &[&Exchange]) -> Vec<f64> {
    let began = Instant::now();
    let mut times = Vec::new();
    for exchange in exchanges.iter().take_while(|_| began.elapsed() < ENOUGH) {
        let Prompt::Request(request) = &exchange.prompt else { return Vec::new() };
        let reply = bot.ask(&exchange.prompt, None);
        let sample = Sample::read(request).ok();
        if sample.and_then(|sample| sample.played(Dialect::Native, reply.answer)).is_none() {
            return Vec::new();
        }
        times.push(reply.measured.ms);
    }
    times
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_of_some_times() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }
}
