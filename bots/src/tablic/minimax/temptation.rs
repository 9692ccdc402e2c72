//! What a seat would rather have played.

use crate::tablic::classes::moves::ClassMove;
use crate::tablic::classes::{Class, ClassSet};

/// For each class, the most tempting move with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Temptations([u16; Class::COUNT]);

impl Temptations {
    /// Those of these moves.
    pub(super) fn new(moves: &[ClassMove]) -> Temptations {
        let mut temptations = Temptations::default();
        for mv in moves {
            let most = &mut temptations.0[mv.played.index()];
            *most = mv.rating.temptation().max(*most);
        }
        temptations
    }

    /// The classes, other than that of the played card, with which a move was possible that is
    /// worth more points than this one, or as many points and more cards.
    pub(super) fn better_than(&self, mv: ClassMove) -> ClassSet {
        let temptation = mv.rating.temptation();
        let better = Class::all().filter(|class| self.0[class.index()] > temptation);
        better.collect::<ClassSet>().without(ClassSet::one(mv.played))
    }
}
