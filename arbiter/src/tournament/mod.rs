//! Tournaments: many games between many bots, on several threads, that survive anything.
//!
//! # Theory of operation
//!
//! **What is played follows from the plan.** Games are numbered, and what game number g is, who
//! sits where on which deal, is a function of the plan ([`schedule`](crate::schedule)). So no game
//! depends on how many are played at once, on which machine, or whether the run was interrupted.
//!
//! **What counts is what is in the log**, in the order of the numbers ([`journal`]). Where a bot
//! is out, or a test is decided, is found by going through that order ([`Course`](crate::course)),
//! never by the order in which games happened to end; a game that was played and turns out to be
//! skipped is dropped. A shard knows a part of the games only, so there nobody is out and nothing
//! is decided: merging the shards does that, and comes to the log of a run on one machine.
//!
//! **One thread writes.** Workers play whole games, with players that are made for one game and
//! know of no other, and hand the record to the thread that began the run ([`run`]). It appends a
//! line for each attempt, and sees that it is on the disk within a second.
//!
//! **A crash leaves** the plan, and a log that may end in the middle of a line. Going on means to
//! drop that line, to go through the games that are there, and to play the rest. A game that ended
//! before its turn lies in a second file until its turn comes.
//!
//! **Only one run at a time** uses the folder of a tournament ([`folder`]): it holds a lock that
//! the system gives up when the program ends, however it ends.

pub(crate) mod count;
pub mod entrants;
pub mod folder;
pub mod journal;
pub mod merge;
pub mod plan;
pub mod plan_file;
pub mod read;
pub mod run;
pub mod verify;
pub mod workers;

pub use plan::{BadPlan, Plan, Settings};
