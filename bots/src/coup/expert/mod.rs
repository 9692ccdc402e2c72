//! The strongest player: chances that give little away, and choices that win more against players of
//! a style that it knows.
//!
//! # Theory of operation
//!
//! A player that always does the same in Coup is found out, and the best choice depends on what the
//! other side expects. So this player starts from chances: for every
//! [`Situation`](situation::Situation) and every hand a [`Packed`](packed::Packed) table says how
//! often to make each choice. They were learned by playing against itself, by the programs of the
//! package `research`. They are not made to beat other players, and with `--safe` it plays by them
//! alone.
//!
//! Most players are weaker than that, and in ways of their own. So it asks of every game which
//! [`Manner`](suspicion::Manner) of playing is likeliest for the other seat: that of the table, or a
//! style whose habits were counted, which is that of `greedy`, `calculator`, `minimax --depth 1`,
//! `challenger` or `random`. [`Suspicion`](suspicion::Suspicion) weighs every hand that the other seat
//! may hold under each of them, by all that it has done. The player stays with the table, unless
//! another move wins more by far in worlds drawn from that ([`Search`]).
//!
//! With `--trust` it does not search: where a style is likelier than the table, it makes the choice
//! that was learned against that [`Suspect`](suspicion::Suspect). The number says how likely all styles
//! together are before the game. Above about 78 a style is the likeliest from the start, so that its
//! first choices are those that do well against the five of them; with less trust it waits for evidence.
//! That wins more against the styles, and loses most to a player that learns to exploit it.
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
pub mod counted;
pub(in crate::coup) mod decision;
pub mod learned;
pub mod memory;
pub mod packed;
mod player;
pub(in crate::coup) mod playout;
pub mod position;
pub mod punishment;
pub mod read;
mod search;
mod settings;
pub mod situation;
pub mod speech;
pub mod suspicion;
pub mod unpacked;

pub use player::Expert;
pub use search::Search;
pub use settings::Settings;
