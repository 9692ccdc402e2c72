//! The beginning of an episode, typed where the game is built in, and its return to where it was.
//!
//! A state holds generators and players, which have no form outside of the process. But everything in it follows
//! from the deal, the moves, and the places at which its chance was replaced by another one.

use rules::{GameKind, Seat};

use crate::against::Opponent;
use crate::columns::{Learnable, LearnableVisitor, visit};
use crate::episode::{Deal, Episode, Failed};
use crate::plain::Plain;
use crate::typed::Typed;

/// Begins an episode of a game.
///
/// ```
/// use learning::{Deal, begin};
/// use rules::{GameKind, Seed};
///
/// let coup: GameKind = "coup".parse()?;
/// let mut episode = begin(&coup, "", Deal { seed: Seed([7; 32]), number: 0 })?;
/// while episode.to_move().is_some() {
///     let action = usize::from(episode.legal_actions()[0]);
///     episode.act(action)?;
/// }
/// assert!(episode.scores().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`Failed`] for wrong options, and for rules that fail.
pub fn begin(kind: &GameKind, options: &str, deal: Deal) -> Result<Box<dyn Episode>, Failed> {
    match visit(kind, Begin { options, deal: deal.clone() }) {
        Ok(begun) => begun,
        Err(_) => Ok(Box::new(Plain::new(kind, options, deal)?)),
    }
}

struct Begin<'a> {
    options: &'a str,
    deal: Deal,
}

impl LearnableVisitor for Begin<'_> {
    type Output = Result<Box<dyn Episode>, Failed>;

    fn visit<G: Learnable>(self) -> Self::Output {
        Ok(Box::new(Typed::<G>::new(self.options, self.deal)?))
    }
}

/// A place at which a copy got other chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The number of moves made by then.
    pub at: usize,
    /// The seat for which hidden cards were drawn anew, if they were.
    pub seat: Option<Seat>,
    /// The chance from there on.
    pub chance: Deal,
}

/// An episode as it can be told.
#[derive(Debug, Clone)]
pub struct Resumed<'a> {
    /// The game.
    pub kind: &'a GameKind,
    /// Its options.
    pub options: &'a str,
    /// The deal that it began with.
    pub deal: &'a Deal,
    /// The built-in player on the other seats, if there is one; then there are no branches.
    pub opponent: Option<&'a Opponent>,
    /// The places at which it got other chance, in order.
    pub branches: &'a [Branch],
    /// The moves of all seats.
    pub moves: &'a [String],
}

impl Resumed<'_> {
    /// Plays the episode again, as far as it was played.
    ///
    /// # Errors
    ///
    /// [`Failed`], as for wrong options or a move that is not legal.
    pub fn episode(&self) -> Result<Box<dyn Episode>, Failed> {
        let Resumed { kind, options, deal, opponent, branches, moves } = *self;
        if let Some(opponent) = opponent.filter(|_| branches.is_empty()) {
            return opponent.resume(kind, options, deal.clone(), moves);
        }
        let mut episode = begin(kind, options, deal.clone())?;
        let mut played = 0;
        for Branch { at, seat, chance } in branches {
            let some = moves.get(played..*at).ok_or_else(|| {
                Failed::Replay(format!("it branches after move {at} of {}", moves.len()))
            })?;
            some.iter().try_for_each(|mv| episode.replay(mv))?;
            played = *at;
            episode = match seat {
                None => episode.copy(Some(chance))?,
                Some(seat) if seat.index() >= episode.layout().seats => {
                    return Err(Failed::Replay(format!("there is no player {seat}")));
                }
                Some(seat) => episode.resample(*seat, chance).ok_or_else(|| {
                    Failed::Replay(format!("no game agrees with what player {seat} knows"))
                })?,
            };
        }
        moves[played..].iter().try_for_each(|mv| episode.replay(mv))?;
        Ok(episode)
    }
}
