//! Colours: what a player prefers (1.6, 1.7), and what a pair gets (5.2).

use super::player::Player;

/// A seat: white is seat 0, black is seat 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    White,
    Black,
}

/// What a player should get next; players without a game prefer nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Preference {
    pub(super) colour: Colour,
    strength: Strength,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Mild,
    Strong,
    Absolute,
}

impl Colour {
    fn opposite(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

impl Preference {
    pub(super) fn is_absolute(&self) -> bool {
        self.strength == Strength::Absolute
    }

    pub(super) fn is_mild(&self) -> bool {
        self.strength == Strength::Mild
    }
}

impl Player {
    /// Games with white minus games with black.
    pub(super) fn colour_difference(&self) -> isize {
        self.colours.iter().map(|colour| if *colour == Colour::White { 1 } else { -1 }).sum()
    }

    /// The colour of its last two games, if it was the same.
    pub(super) fn repeated(&self) -> Option<Colour> {
        match *self.colours {
            [.., one, other] if one == other => Some(one),
            _ => None,
        }
    }

    /// What it prefers after its games, and how strongly.
    pub(super) fn preferred(&self) -> Option<Preference> {
        let last = *self.colours.last()?;
        let difference = self.colour_difference();
        let less_played = if difference > 0 { Colour::Black } else { Colour::White };
        let (colour, strength) = match (difference.abs(), self.repeated()) {
            (2.., _) => (less_played, Strength::Absolute),
            (_, Some(repeated)) => (repeated.opposite(), Strength::Absolute),
            (1, None) => (less_played, Strength::Strong),
            _ => (last.opposite(), Strength::Mild),
        };
        Some(Preference { colour, strength })
    }
}

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
