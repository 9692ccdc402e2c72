//! A number for each pair of hands: the actor's hands are rows, the other's are columns.

use bots::coup::expert::cards::{PAIRS, hands};

/// The most numbers of a block.
pub const MOST: usize = PAIRS * 16;

/// Room for the numbers of a block; those beyond its size are not read.
pub type Block = [f32; MOST];

pub const ZERO: Block = [0.0; MOST];

/// Number of numbers that a row takes, for the hands of a side with so many cards, the rest being
/// zeros: whole vectors of the processor.
pub const fn stride(cards: usize) -> usize {
    if cards == 1 { 8 } else { 16 }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The cards of the actor and of the other.
    pub cards: [usize; 2],
    pub rows: usize,
    pub columns: usize,
    /// The numbers of a row.
    pub stride: usize,
}

impl Shape {
    pub fn new(cards: [usize; 2]) -> Shape {
        let [rows, columns] = cards.map(hands);
        Shape { cards, rows, columns, stride: stride(cards[1]) }
    }

    pub fn len(&self) -> usize {
        self.rows * self.stride
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Swaps the roles.
    #[must_use]
    pub fn turned(&self) -> Shape {
        Shape::new([self.cards[1], self.cards[0]])
    }
}

/// Writes a block of this shape turned over, each number times `factor`.
pub fn turn(from: &[f32], shape: Shape, factor: f32, to: &mut Block) {
    let turned = shape.turned();
    for row in 0..shape.rows {
        let line = &from[row * shape.stride..][..shape.columns];
        for (column, value) in line.iter().enumerate() {
            to[column * turned.stride + row] = factor * value;
        }
    }
    // The padding of each row stays 0.
    for line in to[..turned.len()].chunks_exact_mut(turned.stride) {
        line[turned.columns..].fill(0.0);
    }
}

/// Makes the numbers sum to 1; `false` where they sum to nothing.
pub fn normalise(block: &mut [f32]) -> bool {
    let total: f32 = block.iter().sum();
    if total <= 1e-30 {
        return false;
    }
    let factor = 1.0 / total;
    block.iter_mut().for_each(|value| *value *= factor);
    true
}
