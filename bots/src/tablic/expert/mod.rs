//! The strongest player: worlds that fit what it knows, weighed by what it believes.
//!
//! # The algorithm
//!
//! In the last deal between two seats nothing is hidden, and the expert searches it to the end as
//! [`minimax`](crate::tablic::minimax) does. At all other times it samples.
//!
//! - A *world* ([`Known`]) gives every other seat a hand. The moves of a seat in this deal tell what
//!   it hardly holds: who has a king seldom leaves one on the table. So of several hands that are drawn
//!   for a seat one is chosen, the likelier the better it explains what the seat has
//!   played ([`Beliefs`]). How players choose is a conditional logit over features of moves, learned
//!   from games ([`inclination`]).
//! - In every world every move is tried: it is made, and the deal is played out, all seats doing what
//!   greedy does. The same tables come up again and again, so most of it is looked up ([`greed`]).
//!   Deeper searches with all hands in sight play worse: they count on seeing the hands.
//! - At the end of a deal each seat has a *share*: the part of a win that it can expect. At the end of
//!   the game that is the result. Before, it is a second conditional logit, between the seats, by
//!   points, cards, what lies on the table and who moves next ([`value`]), learned as well.
//! - The move with the greatest share on average is played. After 64 worlds and each time that there
//!   are twice as many, moves that have fallen far behind are given up ([`trials`]), and where one is
//!   left the search is over.
//!
//! Its randomness comes from the request, so that a budget in worlds gives the same move on every
//! machine; all its arithmetic has the same bits everywhere. What it remembers between requests are tables and their best captures, which change
//! nothing but its speed.

mod beliefs;
pub mod greed;
pub mod inclination;
mod player;
pub mod position;
pub mod trials;
pub mod value;
mod worlds;

pub use beliefs::Beliefs;
pub use player::{Decision, Expert, Settings};
pub use worlds::Known;
