//! Asking bots again what a log says they were asked, and comparing the answers.
//!
//! A bot gets every request of a game in order, byte for byte, in a fresh scratch folder, under the
//! limits that the log names. Nothing that it answers now changes the game: the next request is the
//! logged one. So each answer is compared for itself, and a bot that differs once can be seen to go
//! on differing, or not.

use std::collections::BTreeMap;

use rules::{Answered, Measured, PerSeat, Question, Seat, Verdict, Weighed};

use crate::bot::Contender;
use crate::player::{Player, ProcessPlayer};
use crate::process::Supervisor;
use crate::recall::{Moment, Recalled};
use crate::verify::NotVerified;

mod report;
pub use report::{JsonReport, Report, TextReport, Told};

/// An answer of a log beside that of now.
#[derive(Debug)]
pub struct Compared<'a> {
    /// The game, from 0.
    pub game: u64,
    /// Where in it.
    pub moment: Moment,
    /// The name of the player.
    pub name: &'a str,
    /// What the log holds.
    pub logged: (&'a Answered, &'a Measured),
    /// What came now.
    pub now: (&'a Weighed, &'a Measured),
}

impl Compared<'_> {
    /// Whether both are the same: the verdict, and what was printed where the verdict hangs on it.
    pub fn are_same(&self) -> bool {
        let ((logged, _), (now, _)) = (self.logged, self.now);
        let hangs_on_output = matches!(
            logged.verdict,
            Verdict::Ok | Verdict::Illegal | Verdict::Malformed | Verdict::NoAnswer
        );
        let same_output = logged.reply == now.reply && logged.classic == now.classic;
        logged.verdict == now.ruling.verdict && (same_output || !hangs_on_output)
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
    recalled: &Recalled,
    contenders: &BTreeMap<String, Contender>,
    supervisor: Supervisor,
    each: &mut dyn FnMut(&Compared<'_>),
) -> Result<(), Stopped> {
    let mut players = players(recalled, contenders, supervisor)?;
    let mut failed = None;
    recalled.questions(&mut |moment, question, logged, measured| {
        let Some(player) = &mut players[moment.seat] else { return };
        if failed.is_some() || logged.verdict == Verdict::Void {
            return;
        }
        let (now, own) = ask(player, question);
        if now.ruling.verdict == Verdict::Void {
            failed = Some(now.ruling.detail);
            return;
        }
        let name = &recalled.name(moment.seat);
        let (logged, now) = ((logged, measured), (&now, &own));
        each(&Compared { game: recalled.game.game, moment, name, logged, now });
    })?;
    match failed {
        Some(why) => Err(Stopped::Machine(why)),
        None => Ok(()),
    }
}

fn ask(player: &mut ProcessPlayer, question: &Question<'_>) -> (Weighed, Measured) {
    let reply = player.ask(question.asked());
    (question.weigh(reply.answer), reply.measured)
}

fn players(
    recalled: &Recalled,
    contenders: &BTreeMap<String, Contender>,
    supervisor: Supervisor,
) -> Result<PerSeat<Option<ProcessPlayer>>, Stopped> {
    let player = |seat: Seat| {
        let named = recalled.game.seats.get(seat.index()).and_then(|name| contenders.get(name));
        named.map(|contender| ProcessPlayer::new(contender, supervisor)).transpose()
    };
    let seats = recalled.series.players(recalled.game.game);
    let players: Result<Vec<_>, _> = seats.seats().map(player).collect();
    let players = players
        .map_err(|error| Stopped::Machine(format!("cannot make a scratch folder: {error}")))?;
    Ok(players.into())
}
