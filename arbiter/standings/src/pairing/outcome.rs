//! Results of two bots that met.

/// Result of a table of two bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The bot in seat 0 won.
    One,
    /// Neither won; each gets half of the points of a win.
    Draw,
    /// The bot in seat 1 won.
    Other,
}

impl Outcome {
    /// What a win is worth, in half points.
    pub const WIN: u32 = 2;

    /// What each of the two bots gets, in half points.
    pub fn half_points(self) -> [u32; 2] {
        match self {
            Outcome::One => [Outcome::WIN, 0],
            Outcome::Draw => [1, 1],
            Outcome::Other => [0, Outcome::WIN],
        }
    }
}
