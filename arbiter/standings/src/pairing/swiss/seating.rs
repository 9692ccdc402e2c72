//! The seats of a pair (5.2).

use super::colour::{Colour, Preference};
use super::player::Player;

/// The pair with white first. It comes with the player of the higher rank first.
pub(super) fn seated([higher, lower]: [&Player; 2]) -> [&Player; 2] {
    match colour_of_higher(higher, lower) {
        Colour::White => [higher, lower],
        Colour::Black => [lower, higher],
    }
}

fn colour_of_higher(higher: &Player, lower: &Player) -> Colour {
    let initial = if higher.number.is_multiple_of(2) { Colour::White } else { Colour::Black };
    let (one, other) = match (higher.preference(), lower.preference()) {
        (Some(one), Some(other)) => (one, other),
        (Some(only), None) => return only.colour,
        (None, Some(only)) => return only.colour.opposite(),
        (None, None) => return initial,
    };
    if one.colour != other.colour {
        return one.colour;
    }
    // Where both are absolute, the wider difference is the stronger one.
    let width = |player: &Player, it: Preference| {
        if it.is_absolute() { player.colour_difference().abs() } else { 0 }
    };
    let strengths = ((one.strength, width(higher, one)), (other.strength, width(lower, other)));
    match strengths.0.cmp(&strengths.1) {
        std::cmp::Ordering::Greater => return one.colour,
        std::cmp::Ordering::Less => return other.colour.opposite(),
        std::cmp::Ordering::Equal => {}
    }
    let games = higher.colours.iter().rev().zip(lower.colours.iter().rev());
    let differing = games.into_iter().find(|(one, other)| one != other);
    differing.map_or(one.colour, |(last, _)| last.opposite())
}
