//! Colours, and what a player prefers after its games (1.6, 1.7).

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
    pub(super) strength: Strength,
}

/// How strongly a player prefers its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    Mild,
    Strong,
    Absolute,
}

impl Colour {
    pub(super) fn opposite(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

impl Preference {
    /// What a player prefers after games with these colours.
    pub(super) fn after(colours: &[Colour]) -> Option<Preference> {
        let last = *colours.last()?;
        let difference = difference(colours);
        let less_played = if difference > 0 { Colour::Black } else { Colour::White };
        let (colour, strength) = match (difference.abs(), repeated(colours)) {
            (2.., _) => (less_played, Strength::Absolute),
            (_, Some(repeated)) => (repeated.opposite(), Strength::Absolute),
            (1, None) => (less_played, Strength::Strong),
            _ => (last.opposite(), Strength::Mild),
        };
        Some(Preference { colour, strength })
    }

    pub(super) fn is_absolute(&self) -> bool {
        self.strength == Strength::Absolute
    }

    pub(super) fn is_mild(&self) -> bool {
        self.strength == Strength::Mild
    }
}

/// Games with white minus games with black.
pub(super) fn difference(colours: &[Colour]) -> isize {
    colours.iter().map(|colour| if *colour == Colour::White { 1 } else { -1 }).sum()
}

/// The colour of the last two games, if it was the same.
pub(super) fn repeated(colours: &[Colour]) -> Option<Colour> {
    match colours {
        [.., one, other] if one == other => Some(*one),
        _ => None,
    }
}
