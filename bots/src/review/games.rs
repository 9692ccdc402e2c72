//! The list of reviewers: one for each game that has one.

use rules::coup::Coup;
use rules::durak::Durak;
use rules::tablic::Tablic;
use rules::{GameKind, Resample};

use crate::review::{AnyGameReviewer, Reviewer, reviewing};
use crate::{coup, durak, tablic};

/// A new reviewer of a game, behind text; `None` if it has none.
pub fn reviewer(kind: &GameKind) -> Option<Box<dyn AnyGameReviewer + Send>> {
    row(kind).map(|row| (row.new)())
}

/// A new reviewer of games with these options, behind text; `None` if they have none.
///
/// ```
/// use bots::review::reviewer_of;
/// use rules::GameKind;
///
/// let coup: GameKind = "coup".parse()?;
/// assert!(reviewer_of(&coup, "seats=2 rules=contest").is_some());
/// assert!(reviewer_of(&coup, "seats=4 rules=court").is_none());
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn reviewer_of(kind: &GameKind, options: &str) -> Option<Box<dyn AnyGameReviewer + Send>> {
    row(kind).filter(|row| (row.knows)(options)).map(|row| (row.new)())
}

/// The number of worlds in which moves of a game are tried where nothing else is said.
pub fn usual_worlds(kind: &GameKind) -> u32 {
    row(kind).map_or(400, |row| row.worlds)
}

/// Returns true if the reviewer of a game can learn the habits of an opponent.
pub fn learns(kind: &GameKind) -> bool {
    row(kind).is_some_and(|row| row.learns)
}

struct ReviewerEntry {
    game: GameKind,
    worlds: u32,
    learns: bool,
    knows: fn(&str) -> bool,
    new: fn() -> Box<dyn AnyGameReviewer + Send>,
}

fn row(kind: &GameKind) -> Option<ReviewerEntry> {
    let rows = [
        entry::<Tablic, tablic::TablicReviewer>(),
        entry::<Coup, coup::TableReviewer<'static>>(),
        entry::<Durak, durak::DurakReviewer>(),
    ];
    rows.into_iter().find(|row| row.game == *kind)
}

fn entry<G: Resample, R: Reviewer<G> + Default + Send + 'static>() -> ReviewerEntry {
    let new = || reviewing::<G>(R::default());
    let knows = |options: &str| options.parse().is_ok_and(|options| R::knows(&options));
    ReviewerEntry {
        game: GameKind::of::<G>(),
        worlds: R::USUAL_WORLDS,
        learns: R::LEARNS,
        knows,
        new,
    }
}
