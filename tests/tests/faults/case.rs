//! What a case of the table is made of.

use std::time::Duration;

use serde_json::Value;
use tests::bench::Bench;

/// The limit of bots that run out of it, on whatever machine.
pub(crate) const SHORT: Duration = Duration::from_millis(400);

/// The limit of bots that must print something before they run out of it.
pub(crate) const LONG: Duration = Duration::from_secs(3);

/// The limit of bots that do not run out of it: nobody waits for it.
const GENEROUS: Duration = Duration::from_secs(60);

/// Which program plays the case.
pub(crate) enum Bot {
    /// The faulty bot, in a mode with its words.
    Mode(&'static str),
    /// The faulty bot in a mode whose words are the answers to all requests of a game.
    Knowing(&'static str),
    /// A command that has to be made first.
    Made(fn(&Bench) -> String),
}

/// What must come of it.
#[derive(Clone, Copy)]
pub(crate) enum Want {
    /// Nothing: the game is played to its end.
    Ok,
    /// A verdict, with details that hold a text.
    Fault(&'static str, &'static str),
    /// The match does not begin, and the error holds a text.
    Refused(&'static str),
}

/// One way to misbehave.
pub(crate) struct Case {
    /// The row of the fault table.
    pub(crate) row: u8,
    /// What the bot does.
    pub(crate) does: &'static str,
    pub(crate) bot: Bot,
    pub(crate) limit: Duration,
    pub(crate) want: Want,
    /// The only seat on which it misbehaves, if it does not on all.
    pub(crate) seat: Option<usize>,
    /// How many answers are given before the fault.
    pub(crate) after: Option<usize>,
    /// What else must hold for each game.
    pub(crate) also: fn(&Value),
}

impl Case {
    fn new(row: u8, does: &'static str, bot: Bot, want: Want) -> Case {
        Case { row, does, bot, limit: GENEROUS, want, seat: None, after: None, also: |_| {} }
    }

    pub(crate) fn within(self, limit: Duration) -> Case {
        Case { limit, ..self }
    }

    /// Four games, two on each seat; the fault comes on one seat, after so many answers of both.
    pub(crate) fn only_on(self, seat: usize, after: usize) -> Case {
        Case { seat: Some(seat), after: Some(after), ..self }
    }

    pub(crate) fn also(self, also: fn(&Value)) -> Case {
        Case { also, ..self }
    }

    /// How many games are played.
    pub(crate) fn games(&self) -> usize {
        if self.seat.is_some() { 4 } else { 1 }
    }

    /// What must come of a game in which the bot has a seat.
    pub(crate) fn wanted_on(&self, seat: usize) -> Want {
        match self.seat {
            Some(only) if only != seat => Want::Ok,
            _ => self.want,
        }
    }
}

pub(crate) fn ok(row: u8, does: &'static str, mode: &'static str) -> Case {
    Case::new(row, does, Bot::Mode(mode), Want::Ok)
}

pub(crate) fn knowing(row: u8, does: &'static str, mode: &'static str) -> Case {
    Case::new(row, does, Bot::Knowing(mode), Want::Ok)
}

pub(crate) fn refused(
    row: u8,
    does: &'static str,
    bot: fn(&Bench) -> String,
    why: &'static str,
) -> Case {
    Case::new(row, does, Bot::Made(bot), Want::Refused(why))
}

pub(crate) fn fault(
    row: u8,
    does: &'static str,
    mode: &'static str,
    (verdict, detail): (&'static str, &'static str),
) -> Case {
    Case::new(row, does, Bot::Mode(mode), Want::Fault(verdict, detail))
}

pub(crate) fn timeout(row: u8, does: &'static str, mode: &'static str) -> Case {
    fault(row, does, mode, ("timeout", "no exit within 400 ms")).within(SHORT)
}

pub(crate) fn malformed(
    row: u8,
    does: &'static str,
    mode: &'static str,
    detail: &'static str,
) -> Case {
    fault(row, does, mode, ("malformed", detail))
}

pub(crate) fn illegal(row: u8, does: &'static str, mode: &'static str, rule: &'static str) -> Case {
    fault(row, does, mode, ("illegal", rule))
}
