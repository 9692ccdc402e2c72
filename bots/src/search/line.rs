//! A line of moves, as far as it matters for choosing.

use crate::search::position::Side;

/// What a line of moves comes to: how many plies from the root, and the value at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// How many moves from the root to its end.
    pub plies: u32,
    /// The value at its end.
    pub value: i32,
}

impl Line {
    /// Whether this side takes the line rather than the other: the longer one, and of equally
    /// long ones that of the value it wants.
    pub fn is_better(self, other: Line, side: Side) -> bool {
        if self.plies != other.plies {
            return self.plies > other.plies;
        }
        match side {
            Side::Max => self.value > other.value,
            Side::Min => self.value < other.value,
        }
    }
}
