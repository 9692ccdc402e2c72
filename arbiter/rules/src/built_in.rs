//! The names of the built-in bots, for code that has to know them and plays with none.

/// Plays at random.
pub const RANDOM: &str = "random";
/// Takes what is worth most now.
pub const GREEDY: &str = "greedy";
/// Looks ahead.
pub const MINIMAX: &str = "minimax";
/// Plays as well as anybody knows how to.
pub const EXPERT: &str = "expert";
/// Doubts everything.
pub const CHALLENGER: &str = "challenger";
/// Counts turns to victory.
pub const CALCULATOR: &str = "calculator";
/// Plays the lowest card.
pub const LOWEST: &str = "lowest";

/// The names of all of them, those that are programs first.
pub const NAMES: [&str; 7] = [RANDOM, GREEDY, MINIMAX, EXPERT, CHALLENGER, CALCULATOR, LOWEST];
