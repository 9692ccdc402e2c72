//! The player of a table that was learnt in games against itself.
//!
//! # Theory of operation
//!
//! A player that always does the same in Coup is found out, and the best choice depends on what the
//! other side expects. So this player follows no rule but chances: for every
//! [`Situation`](situation::Situation) and every hand a [`Packed`](packed::Packed) table says how
//! often to make each choice. The chances were learnt by playing against itself until neither side
//! could do much better, by the programs of the package `research`. They are not made for beating
//! anyone, but there is little that can be won against them.
//!
//! - A situation is all that both seats know: coins, lost cards, what is to be decided, and a short
//!   [`Memory`](memory::Memory) of claims. It knows how a game goes on without any rule from
//!   elsewhere, which makes it fast to learn from. A [`Position`](position::Position) adds the
//!   hands; a test plays it beside the rules.
//! - [`Reading`](read::Reading) finds the situation of a request in its history.
//! - What was hardly ever met is not in the table: there it plays as it does in the mean of all
//!   memories.

pub mod cards;
pub mod memory;
pub mod packed;
mod player;
pub mod position;
pub mod punishment;
pub mod read;
mod settings;
pub mod situation;
pub mod speech;
pub mod suspicion;

pub use player::Expert;
pub use settings::Settings;
