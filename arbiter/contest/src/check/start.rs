//! Measurement of a start, and of what a program saves that lives for a whole game.
//!
//! No program tells when its start is over. So it is started some times without a request: if it then ends by itself, it
//! has done little else. A few requests of its games are asked again in the other mode, for each move or in one program,
//! which shows what the choice between them costs. All of this is for the author: it passes and fails nothing.

use std::time::{Duration, Instant};

use rules::{Answer, Dialect, Prompt, Sample};
use serde::Serialize;

use crate::check::asking::Exchange;
use crate::check::observations::shown_time;
use crate::check::{Check, Stopped, machine};
use crate::playing::Player;
use crate::playing::bot::Bot;
use conditions::bot::Contender;
use conditions::bot::manifest::Mode;
use sandbox::Limits;

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

/// Times of a start and of answers, in milliseconds, each the median of a few.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StartTimes {
    /// The bot's own mode.
    pub mode: Mode,
    /// A start without a request; nothing if the program did not end by itself.
    pub start_ms: Option<f64>,
    /// An answer of a program that is started for it.
    pub call_ms: Option<f64>,
    /// An answer, after the first, of a program that lives on; nothing if it does not answer twice.
    pub resident_ms: Option<f64>,
    /// The attempt to ask it in the other mode.
    #[serde(skip)]
    pub other_mode: OtherMode,
}

/// The attempt to ask a bot in the other mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherMode {
    /// It was made, and may have failed.
    Tried,
    /// The dialect of the bot has no other mode.
    Missing,
}

/// Measures the bot, with requests of its games and its answers to them. Also returns the folders that it could not
/// remove.
pub(super) fn measure(
    check: &Check<'_>,
    exchanges: &[Exchange],
) -> Result<Option<(StartTimes, Vec<String>)>, Stopped> {
    let answered = |it: &&Exchange| !matches!(it.answer, Answer::Stopped { .. } | Answer::Void(_));
    let exchanges: Vec<&Exchange> = exchanges.iter().filter(answered).take(ASKED).collect();
    let own: Vec<f64> = exchanges.iter().map(|exchange| exchange.measured.ms).collect();
    let Some(own_ms) = median(own) else { return Ok(None) };
    let contender = in_other_mode(check.contender, own_ms);
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
        Mode::Resident => (median(others), Some(own_ms)),
    };
    let times = StartTimes { mode, start_ms, call_ms, resident_ms, other_mode };
    Ok(Some((times, bot.close())))
}

fn in_other_mode(contender: &Contender, own_ms: f64) -> Contender {
    let mode = match contender.mode {
        Mode::PerMove => Mode::Resident,
        Mode::Resident => Mode::PerMove,
    };
    let own = Duration::try_from_secs_f64(own_ms / 1000.0).unwrap_or_default();
    let wait = match mode {
        Mode::Resident => own.saturating_mul(TIMES).saturating_add(PATIENCE),
        // Its start is not known yet.
        Mode::PerMove => own.saturating_add(ENOUGH),
    };
    let limits = Limits { time: contender.limits.time.min(wait), ..contender.limits };
    Contender { mode, limits, ..contender.clone() }
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

impl StartTimes {
    /// Returns the lines of a report.
    pub(super) fn lines(&self) -> Vec<String> {
        match self.mode {
            Mode::PerMove => self.per_move(),
            Mode::Resident => self.resident(),
        }
    }

    fn per_move(&self) -> Vec<String> {
        let Some(call) = self.call_ms else { return Vec::new() };
        let mut lines = Vec::new();
        if let Some(start) = self.start_ms {
            let parts = match call - start {
                thought if thought > 0.0 => {
                    let (start, thought) = (shown_time(start), shown_time(thought));
                    format!("{start} startup, {thought} thinking")
                }
                _ => "all of it startup".to_owned(),
            };
            lines.push(format!("{} per move: {parts}", shown_time(call)));
        }
        match (self.resident_ms, self.start_ms) {
            (Some(resident), _) if resident < call / 2.0 => lines.push(format!(
                "{} per move if resident: mode = \"resident\" or resident:COMMAND",
                shown_time(resident)
            )),
            (None, Some(start)) if start > call / 2.0 && self.other_mode == OtherMode::Tried => {
                lines.push(
                    "a resident bot must keep answering; this one answered only once".to_owned(),
                )
            }
            _ => {}
        }
        lines
    }

    fn resident(&self) -> Vec<String> {
        let Some(resident) = self.resident_ms else { return Vec::new() };
        let own = format!("{} per move", shown_time(resident));
        let once = self.start_ms.map(|start| format!("{} startup per game", shown_time(start)));
        let mut lines: Vec<String> =
            once.into_iter().map(|once| format!("{own}, {once}")).collect();
        if let Some(call) = self.call_ms.filter(|call| *call > resident) {
            let times = call / resident;
            let call = shown_time(call);
            lines.push(format!("{call} per move without resident mode, {times:.0} times as long"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mode: Mode, [start_ms, call_ms, resident_ms]: [Option<f64>; 3]) -> Vec<String> {
        let other_mode = OtherMode::Tried;
        StartTimes { mode, start_ms, call_ms, resident_ms, other_mode }.lines()
    }

    #[test]
    fn only_what_was_measured_is_told() {
        let per_move = |times| lines(Mode::PerMove, times);
        assert_eq!(
            per_move([Some(11.0), Some(12.5), Some(0.2)]),
            [
                "12.5 ms per move: 11.0 ms startup, 1.5 ms thinking",
                "0.2 ms per move if resident: mode = \"resident\" or resident:COMMAND",
            ]
        );
        assert_eq!(
            per_move([Some(11.0), Some(10.5), None]),
            [
                "10.5 ms per move: all of it startup",
                "a resident bot must keep answering; this one answered only once",
            ]
        );
        let thinker = per_move([Some(11.0), Some(800.0), Some(790.0)]);
        assert_eq!(thinker, ["800.0 ms per move: 11.0 ms startup, 789.0 ms thinking"]);
        assert_eq!(per_move([None, Some(12.5), None]), [""; 0]);
        let resident = |times| lines(Mode::Resident, times);
        assert_eq!(
            resident([Some(11.0), Some(12.5), Some(0.25)]),
            [
                "0.2 ms per move, 11.0 ms startup per game",
                "12.5 ms per move without resident mode, 50 times as long",
            ]
        );
        assert_eq!(resident([None, None, Some(0.25)]), [""; 0]);
    }

    #[test]
    fn a_median_is_of_some_times() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }
}
