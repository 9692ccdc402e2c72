//! The time that a seat has for its answers, and the clock that counts it down over a game.
//!
//! Time is an input: the caller that asks a seat measures how long the answer took, and the clock only adds
//! and subtracts. So a replay that takes the measured times from a log has the same clocks. They count
//! microseconds, which is as fine as a log measures.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::cause::StopCause;

/// Microseconds in a millisecond.
pub(crate) const MICROSECONDS: u64 = 1000;

/// The time of a seat, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// The time for each answer; 0 stands for no limit.
    pub answer: u64,
    /// The time for the first answer of a game, in place of all others.
    pub first: Option<u64>,
    /// The time for all answers of a game.
    pub game: Option<GameTime>,
}

impl TimeControl {
    /// The same time for every answer.
    pub fn even(answer: u64) -> TimeControl {
        TimeControl { answer, first: None, game: None }
    }

    /// The longest time that any answer has; 0 stands for no limit.
    pub fn longest(self) -> u64 {
        match self.answer {
            0 => 0,
            answer => answer.max(self.first.unwrap_or_default()),
        }
    }
}

/// The time for all answers of a game, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameTime {
    /// The time at the beginning.
    pub bank: u64,
    /// The time that is added after each move.
    pub increment: u64,
}

/// What a clock shows, in whole milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockState {
    /// The time that is left for the game.
    pub left: u64,
    /// The time that is added after each move.
    pub increment: u64,
}

/// How long an answer took, in microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ElapsedTime(u64);

impl ElapsedTime {
    /// A number of microseconds.
    pub fn from_micros(micros: u64) -> ElapsedTime {
        ElapsedTime(micros)
    }

    /// The same time in milliseconds.
    pub fn ms(self) -> f64 {
        self.0 as f64 / MICROSECONDS as f64
    }
}

/// The time that a seat has for its next answer, in microseconds, by what sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerTimeLimit {
    /// The limit of each answer; 0 stands for none.
    Limit(u64),
    /// The limit of the first answer.
    First(u64),
    /// The rest of the time for the game.
    Bank(u64),
}

impl AnswerTimeLimit {
    fn micros(self) -> u64 {
        let (AnswerTimeLimit::Limit(micros)
        | AnswerTimeLimit::First(micros)
        | AnswerTimeLimit::Bank(micros)) = self;
        micros
    }

    /// In whole milliseconds, as the request tells it, but at least 1: there, 0 stands for no limit.
    pub fn ms(self) -> u64 {
        (self.micros() / MICROSECONDS).max(u64::from(self.special_time().is_some()))
    }

    /// The time, if it is not the usual one of an answer.
    pub fn special_time(self) -> Option<Duration> {
        match self {
            AnswerTimeLimit::Limit(_) => None,
            AnswerTimeLimit::First(micros) | AnswerTimeLimit::Bank(micros) => {
                Some(Duration::from_micros(micros))
            }
        }
    }

    /// The answer that counts of one that took this long: one beyond the bank is late, and one that is late
    /// has the clock for a cause if the bank was shorter than the limit.
    pub(crate) fn judge(self, answer: Answer, elapsed: ElapsedTime) -> Answer {
        let late = |output| Answer::Stopped { by: StopCause::GameTime(self.ms()), output };
        match (self, answer) {
            (
                AnswerTimeLimit::Bank(micros),
                Answer::Output(output) | Answer::Classic { output, .. },
            ) if elapsed.0 > micros => late(output),
            (
                AnswerTimeLimit::Bank(_),
                Answer::Stopped {
                    by: StopCause::NoExit(_) | StopCause::NoLine(_) | StopCause::GameTime(_),
                    output,
                },
            ) => late(output),
            (
                AnswerTimeLimit::Limit(_) | AnswerTimeLimit::First(_),
                Answer::Stopped { by: StopCause::GameTime(_), output },
            ) => Answer::Stopped { by: StopCause::NoExit(self.ms()), output },
            (_, answer) => answer,
        }
    }

    /// Checks that an answer was late, or in time, as a log says.
    pub(crate) fn check(
        self,
        stop: Option<&StopCause>,
        elapsed: ElapsedTime,
    ) -> Result<(), String> {
        let (took, most) = (elapsed.ms(), ElapsedTime(self.micros()).ms());
        match stop {
            Some(StopCause::NoExit(limit) | StopCause::NoLine(limit)) if *limit != self.ms() => {
                Err(format!("it is late after {limit} ms, expected {} ms", self.ms()))
            }
            Some(StopCause::NoExit(_) | StopCause::NoLine(_) | StopCause::GameTime(_))
                if elapsed.0 < self.micros() =>
            {
                Err(format!("it is late after {took} ms, expected at least {most} ms"))
            }
            Some(_) => Ok(()),
            None if elapsed.0 > self.micros() => {
                Err(format!("it is in time after {took} ms, expected at most {most} ms"))
            }
            None => Ok(()),
        }
    }
}

/// The clock of one seat in a game.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    time: TimeControl,
    /// The rest of the time for the game, in microseconds; 0 if that is not limited.
    left: u64,
    /// True until the first answer.
    is_first: bool,
}

impl Clock {
    pub(crate) fn new(time: TimeControl) -> Clock {
        let left = time.game.map_or(0, |game| game.bank.saturating_mul(MICROSECONDS));
        Clock { time, left, is_first: true }
    }

    /// Returns true if it counts down over the game.
    pub(crate) fn runs(&self) -> bool {
        self.time.game.is_some()
    }

    pub(crate) fn bank(&self) -> Option<ClockState> {
        let GameTime { increment, .. } = self.time.game?;
        Some(ClockState { left: self.left / MICROSECONDS, increment })
    }

    pub(crate) fn allowed(&self) -> AnswerTimeLimit {
        if let Some(first) = self.first() {
            return AnswerTimeLimit::First(first.saturating_mul(MICROSECONDS));
        }
        let micros = self.time.answer.saturating_mul(MICROSECONDS);
        match self.time.game {
            Some(_) if self.left <= micros || micros == 0 => AnswerTimeLimit::Bank(self.left),
            Some(_) | None => AnswerTimeLimit::Limit(micros),
        }
    }

    /// Takes the time of an answer. Only a move earns the increment, or wrong answers would earn time.
    pub(crate) fn answered(&mut self, elapsed: ElapsedTime, is_move: bool) {
        let is_free = self.first().is_some();
        self.is_first = false;
        let Some(GameTime { increment, .. }) = self.time.game.filter(|_| !is_free) else { return };
        self.left = self.left.saturating_sub(elapsed.0);
        if is_move {
            self.left = self.left.saturating_add(increment.saturating_mul(MICROSECONDS));
        }
    }

    /// The time of the first answer, if that comes next and has one of its own.
    fn first(&self) -> Option<u64> {
        self.time.first.filter(|_| self.is_first)
    }
}
