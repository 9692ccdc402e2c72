//! The strongest player: it plays worlds out by habits that were learned.
//!
//! # The algorithm
//!
//! It knows, samples and searches ends as `minimax` does ([`search`](crate::durak::search)): worlds
//! that fit what the seat knows, every move tried in the same worlds, and perfect play once two
//! seats know each other's hands. It differs in three ways:
//!
//! - **A race.** All moves are tried in a first batch of worlds. Then those are dropped, time and
//!   again, that are behind the leader by more than chance explains, so that the worlds go to the few
//!   moves that compete ([`race`]). Their differences within a world are what is compared, since the
//!   luck of the cards is the same for all of them. When one move is left it is played at once.
//! - **Learned habits.** In trials all seats play by a policy that is linear in some features of a
//!   move ([`features`]) with weights by the kind of the move and the stage of the game ([`habits`]).
//!   They were learned in games of the policy against itself (`bots/research/src/bin/durak-train.rs`), one
//!   table for two seats and one for more, with transfers and without. A feature
//!   tells only what the seat can know: its hand, the table, the sizes of hands, and which cards it
//!   has not seen. So the cards that are gone are counted, and with two seats and an empty talon the
//!   hand of the other seat is known, as it is for a player that remembers.
//! - **Fewer worlds.** One move is often left after some hundred worlds, so that the same number of worlds
//!   takes less time.
//!
//! With three seats and more only who loses counts. A trial counts
//! therefore who loses in the end, and ends when the asked seat is out.
//!
//! Dropping all but the best by paired differences follows O. Maron and A. Moore, "Hoeffding Races",
//! NIPS 1993, with the variance that is found in place of a bound on it. That policies for playing
//! out are better learned by what games come to than made to copy good moves is shown by D. Silver and
//! G. Tesauro, "Monte-Carlo Simulation Balancing", ICML 2009.
//!
//! Nothing that is found for a request is kept for the next one but room in memory. So the answer with
//! a budget of worlds is the same whether the program is started anew or asked again, and the same on
//! every machine: all numbers of habits are whole.

pub mod features;
pub mod habits;
mod player;
pub mod race;
pub mod weights;

pub use player::{Expert, Settings};
