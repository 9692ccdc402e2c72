//! What a case of the table is made of.

use std::time::Duration;

use crate::bench::Bench;
use crate::keeping::Keeping;
use serde_json::Value;

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
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    /// Nothing: the game is played to its end.
    Ok,
    /// A verdict, with details that hold a text.
    Fault(&'static str, &'static str),
    /// The match does not begin, and the error holds a text.
    Refused(&'static str),
    /// Nothing is promised, so nothing is tested.
    Anything,
}

/// One way to misbehave.
pub struct Case {
    /// The row of the fault table.
    pub(crate) row: u8,
    /// What the bot does.
    pub(crate) does: &'static str,
    pub(crate) bot: Bot,
    limit: Duration,
    /// Further options of the match.
    pub(crate) options: &'static [&'static str],
    want: Want,
    /// What must come of it where the bot is isolated, if that is something else: on its first answer,
    /// since there it cannot do what it is about to.
    isolated: Option<Want>,
    /// Where the bot can do it all the same, since namespaces are refused.
    despite: &'static [Keeping],
    /// Why it can.
    pub(crate) why: &'static str,
    /// The limit and what must come of it without keepers, where they are others.
    portable: Option<(Duration, Want)>,
    /// Whether each way of keeping bots does something else about it, though the verdict is the same.
    is_kept_differently: bool,
    /// How many games are played.
    pub(crate) games: usize,
    /// The only seat on which it misbehaves, if it does not on all.
    pub(crate) seat: Option<usize>,
    /// How many answers are given before the fault.
    after: Option<usize>,
    /// What else must hold for each game.
    pub(crate) also: fn(&Value),
    /// What else must hold when the match is over.
    pub(crate) left: fn(&Bench),
}

impl Case {
    fn new(row: u8, does: &'static str, bot: Bot, want: Want) -> Case {
        Case {
            row,
            does,
            bot,
            limit: GENEROUS,
            options: &[],
            want,
            isolated: None,
            despite: &[],
            why: "",
            portable: None,
            is_kept_differently: false,
            games: 1,
            seat: None,
            after: None,
            also: |_| {},
            left: |_| {},
        }
    }

    pub(crate) fn within(self, limit: Duration) -> Case {
        Case { limit, ..self }
    }

    /// Four games, two on each seat; the fault comes on one seat, after so many answers of both.
    pub(crate) fn only_on(self, seat: usize, after: usize) -> Case {
        Case { games: 4, seat: Some(seat), after: Some(after), ..self }
    }

    /// Two games: the fault comes in the first one, on seat 0, after two answers, and must not
    /// touch the second one.
    pub(crate) fn then_a_good_game(self) -> Case {
        Case { games: 2, seat: Some(0), after: Some(2), ..self }
    }

    pub(crate) fn also(self, also: fn(&Value)) -> Case {
        Case { also, ..self }
    }

    pub(crate) fn left(self, left: fn(&Bench)) -> Case {
        Case { left, ..self.kept_differently() }
    }

    /// What it leaves behind is ended or kept out by other means in each way of keeping bots.
    pub(crate) fn kept_differently(self) -> Case {
        Case { is_kept_differently: true, ..self }
    }

    pub(crate) fn with(self, options: &'static [&'static str]) -> Case {
        Case { options, ..self }
    }

    /// An isolated bot cannot do it, and gives up.
    pub(crate) fn gives_up_if_isolated(self) -> Case {
        Case { isolated: Some(Want::Fault("crash", "exit 2")), ..self }
    }

    /// An isolated bot cannot do it, and answers all the same.
    pub(crate) fn ok_if_isolated(self) -> Case {
        Case { isolated: Some(Want::Ok), ..self }
    }

    /// Where namespaces are refused, the bot can do it all the same.
    pub(crate) fn but_not(self, despite: &'static [Keeping], why: &'static str) -> Case {
        Case { despite, why, ..self }
    }

    /// Without keepers, what leaves the group of its program is nobody's any more.
    pub(crate) fn anything_if_portable(self) -> Case {
        Case { portable: Some((GENEROUS, Want::Anything)), ..self }
    }

    /// The portable supervisor looks at time and output only, so there the time runs out.
    pub(crate) fn late_if_portable(self) -> Case {
        Case { portable: Some((LONG, Want::Fault("timeout", "no exit within 3000 ms"))), ..self }
    }

    /// The portable supervisor looks at time and output only, so there it is let be.
    pub(crate) fn ok_if_portable(self) -> Case {
        Case { portable: Some((GENEROUS, Want::Ok)), ..self }
    }

    /// The fault comes after so many answers of both, in the only game.
    pub(crate) fn after(self, after: usize) -> Case {
        Case { after: Some(after), ..self }
    }

    /// What must come of it where bots are kept in this way.
    pub(crate) fn wanted(&self, keeping: Keeping) -> Want {
        let other = match keeping {
            Keeping::Isolated | Keeping::Refused | Keeping::Contained => self.stopped(keeping),
            Keeping::Off => None,
            Keeping::Portable => self.portable.map(|(_, want)| want),
        };
        other.unwrap_or(self.want)
    }

    /// Whether the same comes of it however bots are kept: then two ways, one for each supervisor, tell
    /// what there is to tell.
    pub(crate) fn is_alike(&self) -> bool {
        let told =
            |keeping| (self.wanted(keeping), self.limit(keeping), self.answers_before(keeping));
        let first = told(Keeping::Isolated);
        !self.is_kept_differently && Keeping::EACH.into_iter().all(|keeping| told(keeping) == first)
    }

    /// What must come of it where isolation of this kind stops it.
    fn stopped(&self, keeping: Keeping) -> Option<Want> {
        let is_isolated = !Keeping::OPEN.contains(&keeping) && !self.despite.contains(&keeping);
        self.isolated.filter(|_| is_isolated)
    }

    /// The time limit where bots are kept in this way.
    pub(crate) fn limit(&self, keeping: Keeping) -> Duration {
        match (keeping, self.portable) {
            (Keeping::Portable, Some((limit, _))) => limit,
            _ => self.limit,
        }
    }

    /// How many answers are given before the fault where bots are kept in this way.
    pub(crate) fn answers_before(&self, keeping: Keeping) -> Option<usize> {
        match self.stopped(keeping) {
            Some(_) => Some(0),
            None => self.after,
        }
    }

    /// What must come of a game in which the bot has a seat.
    pub(crate) fn wanted_on(&self, seat: usize, keeping: Keeping) -> Want {
        match self.seat {
            Some(only) if only != seat => Want::Ok,
            _ => self.wanted(keeping),
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

/// A command that has to be made first, and that plays its games to the end.
pub(crate) fn made(row: u8, does: &'static str, bot: fn(&Bench) -> String) -> Case {
    Case::new(row, does, Bot::Made(bot), Want::Ok)
}

/// A command that has to be made first, and what comes of it.
pub(crate) fn made_fault(
    row: u8,
    does: &'static str,
    bot: fn(&Bench) -> String,
    (verdict, detail): (&'static str, &'static str),
) -> Case {
    Case::new(row, does, Bot::Made(bot), Want::Fault(verdict, detail))
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
