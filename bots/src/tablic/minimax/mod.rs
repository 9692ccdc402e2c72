//! The player that looks ahead: what it knows, what it assumes, and how it searches.
//!
//! # The algorithm
//!
//! A seat does not see the hands of the others, and the hands to come are many. This player samples
//! no worlds. It is minimax over one tree, in which another seat may play whatever it may hold:
//!
//! - It *knows* which cards no other seat holds, and *assumes* that a seat does not hold what it
//!   would rather have played ([`Knowledge`]). In the last deal between two seats the unseen cards
//!   are the other hand, and the search is exact, but for tables from which one card has more than
//!   128 captures: of these it lists 128 or 129, among them the one that greedy takes.
//! - Cards that are worth the same are one *class*, and moves that differ only in such cards are one
//!   move ([`classes`](crate::tablic::classes)). The tree knows hands and table by counts of classes
//!   alone.
//! - It looks so far ahead that all seats have moved equally often, its own `depth` moves
//!   included; in the last deal to the end of the game ([`Start::plies`]). A line also ends
//!   where a seat has nothing left that it might hold.
//! - A line is worth its points, and where they are equal its cards: its own minus the mean of the
//!   others', who all play against it. Along a line a point card that is laid down counts against
//!   the seat that lays it ([`Rating::points`](crate::tablic::classes::value::Rating::points)),
//!   which the score of the game does not do, and without which the player would throw such cards
//!   away. At the end of the game the rest of the table and the points for the most cards are counted.
//! - Below the root, the moves on the way lead to the same assumptions as those of the game
//!   ([`Situation`]), but not in the last deal.
//! - With one card left, and not in the last deal, it tries its moves in the order of greed only
//!   until one is worse than the best before it.
//!
//! The search itself is in the crate [`search`]. It goes deeper step by step, so that there is a good
//! move whenever time is up; a request whose search is not cut is always answered the same. It
//! remembers positions, since in the last deal the same cards are often played in another order:
//! between two seats that saves two thirds of its nodes, and in earlier deals one in sixteen.
//!
//! The algorithm comes from the class `MinimaxIgrac` in Davor Penzar's public project *tablic*.

mod knowledge;
mod player;
mod position;
mod start;

pub use knowledge::Knowledge;
pub use player::{Decision, Minimax};
pub use position::{Before, Situation};
pub use start::{Deal, Start};
