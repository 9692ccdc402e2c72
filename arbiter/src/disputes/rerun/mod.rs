//! Asking bots again what a log says they were asked, and comparing the answers.
//!
//! A bot gets every request of a game in order, byte for byte, in a fresh scratch folder, under the
//! limits that the log names. Nothing that it answers now changes the game: the next request is the
//! logged one. So each answer is compared for itself, and a bot that differs once can be seen to
//! continue differing, or not.

use std::collections::BTreeMap;

use rules::{Answered, GameKind, Measured, PerSeat, Question, Seat, Verdict, Weighed};

use crate::disputes::comparison::ComparedAnswer;
use crate::disputes::logged_game::{LoggedGame, Moment};
use conditions::bot::Contender;
use contest::playing::Player;
use contest::playing::bot::Bot;
use record::NotVerified;
use sandbox::Supervisor;

mod cast;
mod count;
pub use cast::{Cast, Conditions};
pub use count::{Count, Place};

/// An answer of a log beside that of now.
#[derive(Debug)]
pub struct Compared<'a> {
    /// The kind of game.
    pub kind: &'a GameKind,
    /// The game, from 0.
    pub game: u64,
    /// Which time it is that the game is asked, from 1, and of how many.
    pub time: Time,
    /// Where in it.
    pub moment: Moment,
    /// The name of the player.
    pub name: &'a str,
    /// What the log holds.
    pub logged: (&'a Answered, &'a Measured),
    /// What came now.
    pub now: (&'a Weighed, &'a Measured),
}

/// One of the times that a game is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Which one, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl Compared<'_> {
    /// Whether both are the same.
    pub fn are_same(&self) -> bool {
        ComparedAnswer::from(self.logged.0).is_same(&ComparedAnswer::from(self.now.0), self.kind)
    }

    /// Where it was given.
    pub fn place(&self) -> Place {
        let Moment { number, retry, seat } = self.moment;
        Place { game: self.game, number, retry, seat }
    }
}

/// Why a game was not rerun to its end.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The log is wrong.
    #[error(transparent)]
    Log(#[from] NotVerified),
    /// The machine failed; the text says how, in one line.
    #[error("{0}")]
    Machine(String),
}

/// Asks these players what they were asked in a game, and gives every answer to `each`.
///
/// `contenders` are by name; seats of other players are passed over.
///
/// # Errors
///
/// [`Stopped`]
pub fn rerun(
    played: &LoggedGame,
    contenders: &BTreeMap<String, Contender>,
    supervisor: Supervisor,
    time: Time,
    each: &mut dyn FnMut(&Compared<'_>),
) -> Result<(), Stopped> {
    let mut players = players(played, contenders, supervisor);
    let mut failed = None;
    played.questions(&mut |moment, question, logged, measured| {
        let Some(player) = &mut players[moment.seat] else { return };
        if failed.is_some() || logged.verdict == Verdict::Void {
            return;
        }
        let (now, own) = ask(player, question);
        if now.ruling.verdict == Verdict::Void {
            failed = Some(now.ruling.detail);
            return;
        }
        let name = &played.name(moment.seat);
        let (logged, now) = ((logged, measured), (&now, &own));
        let (kind, game) = (played.series.kind(), played.game.game);
        each(&Compared { kind, game, time, moment, name, logged, now });
    })?;
    match failed {
        Some(why) => Err(Stopped::Machine(why)),
        None => Ok(()),
    }
}

fn ask(player: &mut Bot, question: &Question<'_>) -> (Weighed, Measured) {
    let reply = player.ask(question.asked());
    (question.weigh(reply.answer), reply.measured)
}

fn players(
    played: &LoggedGame,
    contenders: &BTreeMap<String, Contender>,
    supervisor: Supervisor,
) -> PerSeat<Option<Bot>> {
    let player = |seat: Seat| {
        let named = played.game.seats.get(seat.index()).and_then(|name| contenders.get(name));
        named.map(|contender| Bot::new(contender, supervisor))
    };
    let seats = played.series.players(played.game.game);
    seats.seats().map(player).collect::<Vec<_>>().into()
}
