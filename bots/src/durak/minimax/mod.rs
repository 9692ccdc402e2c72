//! The player that looks ahead. It is no minimax, but where all hands are known: before, it samples
//! worlds and plays them out. It has its name since every game has a `minimax`.
//!
//! # The algorithm
//!
//! Once nothing is left to draw and two seats remain, each knows the hand of the other. Then the
//! game is searched to its end ([`endgame`]): alpha-beta with a memory of positions, the pass that
//! looks to the end after some that look a few bouts ahead, so that there is a good move whenever
//! time is up. Without transfers every bout brings the end nearer, since the attacker gives cards
//! away or cards leave the game. Endings of up to 14 cards take some ten thousand positions, one
//! of 20 may take more than a hundred million; where the positions run out, the move of the
//! deepest pass is played, and one of the next decisions is exact.
//!
//! Before that it samples:
//!
//! - It draws *worlds*, hands and talons that fit what the seat knows ([`search`]), as many as its
//!   options say, from the seed of the request. Every legal move is tried in the same worlds
//!   ([`trials`]), so that the luck of the cards weighs on all of them alike.
//! - In a world a move is followed by a [`policy`], by which all seats play from their own hand alone
//!   to the end of the game. So no seat uses in it what only the world knows. Where two seats with
//!   few cards are left, that end is searched exactly. The move that loses least in the mean of all
//!   worlds is played, the cheapest of equals.
//!
//! This is perfect-information Monte Carlo sampling (M. Ginsberg, "GIB: Imperfect Information in a
//! Computationally Challenging Game", Journal of Artificial Intelligence Research 14, 2001), whose
//! worlds have the same information for all moves; when that does well is shown by J. Long,
//! N. Sturtevant, M. Buro and T. Furtak, "Understanding the Success of Perfect Information Monte Carlo
//! Sampling in Game Tree Search", AAAI 2010. Playing a world out by a policy in place of searching it
//! avoids its best-known fault, that moves differ by what only the world knows.
//!
//! A request whose search is not cut is always answered the same.
//!
//! [`search`]: crate::durak::search
//! [`endgame`]: crate::durak::search::endgame
//! [`policy`]: crate::durak::search::policy

mod player;
mod settings;
pub mod trials;

pub use player::Minimax;
pub use settings::Settings;
