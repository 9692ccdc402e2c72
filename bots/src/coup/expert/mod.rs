//! The strongest player: it plays by chances that little can be won against, until it knows better.
//!
//! # Theory of operation
//!
//! A player that always does the same in Coup is found out, and the best choice depends on what the
//! other side expects. So this player starts from chances: for every
//! [`Situation`](situation::Situation) and every hand a [`Packed`](packed::Packed) table says how
//! often to make each choice. They were learned by playing against itself, by the programs of the
//! package `research`. They are not made for beating anyone, and they do not: with `--safe` it plays
//! by them alone.
//!
//! Most players are weaker than that, and in ways of their own. So it asks of every game which
//! [`Manner`](suspicion::Manner) of playing the other seat's moves speak for: that of the table, or a
//! style whose habits were counted. [`Suspicion`](suspicion::Suspicion) weighs every hand that the
//! other seat may hold under each of them. Where a style explains the game better than the table does,
//! it makes the choice that was learned against that [`Suspect`](suspicion::Suspect); otherwise it
//! stays with the table. What it does is one look into tables, and takes no time worth limiting.
//!
//! - A situation is all that both seats know: coins, lost cards, what is to be decided, and a short
//!   [`Memory`](memory::Memory) of claims. It knows how a game goes on without any rule from
//!   elsewhere, which makes it fast to learn from. A [`Position`](position::Position) adds the
//!   hands; a test plays it beside the rules.
//! - [`Reading`](read::Reading) finds the situation of a request in its history.
//! - What was hardly ever met is not in the table: there it plays as it does in the mean of all
//!   memories.
//! - Habits and responses are [tables](punishment::Punishment) of rough situations, in which numbers
//!   of coins that allow the same choices are one.

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
