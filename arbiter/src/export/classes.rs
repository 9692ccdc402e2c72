//! Columns for the 15 classes of cards: 13 ranks, with the 2 of clubs and the 10 of diamonds apart.

use bots::tablic::classes::{Class, ClassCounts, ClassSet};
use rules::CardSet;

use crate::export::rows::Cell;

/// The names of a column for each class: `hand_A`, `hand_2` and so on.
pub(super) fn columns(prefix: &str) -> impl Iterator<Item = String> + use<> {
    let prefix = prefix.to_owned();
    Class::all().map(move |class| format!("{prefix}_{}", name(class)))
}

/// How many cards of each class there are.
pub(super) fn counts(cards: CardSet) -> impl Iterator<Item = Cell> {
    let counts = ClassCounts::count(cards);
    Class::all().map(move |class| counts.get(class).into())
}

/// 1 for each class of a set, 0 for the others.
pub(super) fn flags(classes: ClassSet) -> impl Iterator<Item = Cell> {
    Class::all().map(move |class| u32::from(classes.contains(class)).into())
}

/// The number of a class, from 0.
pub(super) fn number(class: Class) -> Cell {
    Cell::Number(class.index() as u64)
}

fn name(class: Class) -> String {
    match class {
        Class::TWO_OF_CLUBS => "2C".to_owned(),
        Class::TEN_OF_DIAMONDS => "10D".to_owned(),
        other => other.rank().name().to_owned(),
    }
}
