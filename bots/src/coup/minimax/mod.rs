//! The player that looks ahead: what it believes, what it assumes, and how it searches.
//!
//! It has the name of the players that look ahead in all games, but what it does is *expectimax*:
//! the other side is not taken to find the best answer, but to give each answer as often as a model
//! of it says. It samples no worlds, since the other side has one of at most 20 holdings, and all
//! of them are weighed.
//!
//! # The algorithm
//!
//! All that a seat does not know is the other hand and how the other side plays, and all that is
//! to come depends on both. So the tree is one of *beliefs*: what one side knows and assumes.
//!
//! - Every [`Holding`](holding::Holding) that the other side may have is carried along under every
//!   [`Style`](style::Style) of play. What the history shows of claims, challenges and losses
//!   weighs them ([`belief`]).
//! - A [`Position`](position::Position) of the search holds a weight for each holding. A decision
//!   of its own is one for all of them, since it cannot know which is there: so it sees no further
//!   into the other hand than it will. A decision of the other side splits the weights, by what
//!   each holding makes likely; a card that is drawn moves them. What is worth most in the mean of
//!   all is played, and so it bluffs and challenges where that pays ([`search`]).
//! - It looks `depth` turns ahead, each with every claim, block and challenge in it. After
//!   them a position is worth what a [table](value::Values) says, in which the race for coins and
//!   cards is solved to the end for every pair of hands.
//!
//! It goes deeper turn by turn, so that there is a good move whenever time is up, and uses no
//! randomness: a request whose search is not cut is always answered the same.

pub mod belief;
pub mod holding;
pub mod observer;
mod player;
pub mod position;
pub mod search;
pub mod start;
pub mod style;
pub mod value;

pub use player::Minimax;
