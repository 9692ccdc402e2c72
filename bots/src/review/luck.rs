//! Luck: how much the decisions of nature favoured each seat.
//!
//! The luck of a deal is the value of the cards as they were dealt minus the mean value of other deals, drawn anew
//! from the same state. Its mean over deals is 0 whatever the values are, as long as those of the real deal and
//! those of the others come about in the same way. So a result minus its luck has the same mean as the result,
//! and a smaller variance if the values are any good.

/// The luck of one deal.
#[derive(Debug, Clone, PartialEq)]
pub struct DealLuck {
    /// The line in the history of the game, from 0, after which the deal was complete.
    pub line: usize,
    /// The luck of each seat.
    pub seats: Vec<Luck>,
}

/// What cards gave to a seat or took from it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Luck {
    /// As a part of a win, from -1 to 1.
    pub win: f64,
    /// In points ahead of the opponents, in games that count points.
    pub points: Option<f64>,
}
