//! Tournaments: many games between many bots, on several threads, that survive anything.
//!
//! # Theory of operation
//!
//! **What is played follows from the plan.** Games are numbered, and what game number g is, who
//! sits where on which deal, is a function of the plan ([`schedule`](crate::series::schedule)). So no game
//! depends on how many are played at once, on which machine, or whether the run was interrupted.
//!
//! **What counts is what is in the log**, in the order of the numbers ([`journal`]). Where a bot is
//! out, or a test is decided, is found by going through that order
//! ([`Progress`](crate::series::progress)), never by the order in which games happened to end; a
//! game that was played and turns out to be skipped is dropped. A shard knows a part of the games
//! only, so there no one is out and nothing is decided: merging the shards does that, and gives the
//! log of a run on one machine.
//!
//! **A game that is void again and again** is given up where a bot makes it void: all attempts are in
//! the log, with the seat that was asked, so what follows from it follows from the log. Whether it is
//! the bot or the machine is found out when it happens, by starting other bots ([`run`]). Where it is
//! the machine nothing is written, and the run stops.
//!
//! **One thread writes.** Workers play whole games, with players that are made for one game and
//! know of no other, and hand the record to the thread that began the run ([`run`]). It appends a
//! line for each attempt, and sees that it is on the disk within a second.
//!
//! **A crash leaves** the plan, and a log that may end in the middle of a line. Going on means to
//! drop that line, to go through the games that are there, and to play the rest. A game that ended
//! before its turn lies in a second file until its turn comes.
//!
//! **A tournament that is extended** gets a second part, with other bots or more deals, in a folder
//! inside its own ([`parts`]). What was written is left as it is: the new log names the head of the
//! one before ([`extend`]), and the standings count the games of all parts ([`read`]).
//!
//! **Only one run at a time** uses the folder of a tournament ([`folder`]): it holds a lock that
//! the system gives up when the program ends, however it ends.

pub(crate) mod count;
pub mod entrants;
pub mod extend;
pub mod folder;
pub mod journal;
pub mod merge;
pub mod parts;
pub mod plan;
pub mod plan_file;
pub mod read;
pub mod run;
pub mod verify;
pub mod workers;

pub use plan::{BadPlan, Plan, Settings};
