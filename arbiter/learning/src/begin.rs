//! The beginning of an episode, typed where the game is built in.

use rules::GameKind;

use crate::episode::{Deal, Episode, Failed};
use crate::learnable::{Learnable, LearnableVisitor, visit};
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
