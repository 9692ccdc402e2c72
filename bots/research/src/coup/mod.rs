//! The table of Coup: counterfactual regrets of all hands at once.
//!
//! # The algorithm
//!
//! A [`Situation`](bots::coup::expert::situation::Situation) is all that both seats know. Only two
//! hands are hidden, of 15 or 5 kinds each, so what is known of a situation is small: a *block* of
//! numbers, one for each pair of hands. Three things are learnt for each situation that is met:
//!
//! - its value for each pair of hands, found from the values of what follows;
//! - the regret of each choice with each hand of the side that decides, never below 0, by which
//!   the current strategy chooses (regret matching, "CFR+");
//! - the sum of the current strategies, later ones with more weight, which is what is published.
//!
//! A game is not sampled with hands but as a public path: the chance of every pair of hands is
//! carried along the path, and all hands learn at every step. What is random is only which of the
//! public events follows. Many paths from the start are sampled together, as a tree, so that what
//! they share is computed once.
//!
//! Trees of one batch read the same table, and what they learn is put in afterwards in the order
//! of the trees. So the result depends on the seed alone, not on the number of threads.
//!
//! # Punishing
//!
//! Safe play wins little against players that are not safe. [`styles`] counts what others do, and
//! [`population`] learns a good answer to each of them while it finds out which one it meets.
//!
//! # Weaknesses
//!
//! A player is as weak as the most that can be won against it, which is looked for in three ways:
//!
//! - [`responder`]: against a table, of which all chances are known, by the steps of the training;
//! - [`episodes`]: against any built-in player, from whole games, by what a seat sees;
//! - [`climb`]: against any built-in player, with the few [`chances`] of a player that remembers
//!   nothing. What such a player wins, any opponent could win.
//!
//! The first is measured by [`measure`], on positions; the others by [`contest`], by the rules, every
//! deal in both seats; [`cross`] plays all pairs of players. How near such a player comes to the best is known in end games, where
//! [`best_response`] computes what can be won.

pub mod belief;
pub mod best_response;
pub mod block;
pub mod chances;
pub mod checkpoint;
pub mod climb;
pub mod contest;
pub mod cross;
pub mod deck;
pub mod episodes;
pub mod measure;
pub mod node;
pub mod pack;
pub mod population;
pub mod random;
mod readable;
pub mod responder;
pub mod store;
pub mod styles;
pub mod train;
