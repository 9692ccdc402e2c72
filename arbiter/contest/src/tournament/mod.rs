//! Tournaments: many games between many bots, on several threads, that survive anything.
//!
//! # Theory of operation
//!
//! **What is played follows from the plan.** Games are numbered, and what game number g is, who
//! sits where on which deal, is a function of the plan ([`schedule`](conditions::series::schedule)). So no game
//! depends on how many are played at once, on which machine, or whether the run was interrupted.
//!
//! **What counts is what is in the log**, in the order of the numbers ([`journal`]). Going through
//! that order finds where a bot is out or a test is decided
//! ([`Progress`](conditions::series::progress)), never by the order in which games happened to end; a
//! game that was played and turns out to be skipped is dropped. A shard knows a part of the games
//! only, so there no one is out and nothing is decided: merging the shards does that, and gives the
//! log of a run on one machine.
//!
//! **A game that is void again and again** is given up if a bot makes it void: all attempts are in
//! the log, with the seat that was asked, so its effects follow from the log. Whether the bot or
//! the machine is to blame is found out when it happens, by starting other bots (`director.rs`). If it is
//! the machine, nothing is written, and the run stops.
//!
//! **One thread writes.** Workers play whole games, with players that are created for one game and
//! know no other, and hand the record to the thread that began the run (`director.rs`). It appends a line
//! for each attempt, and sees that it is on the disk within a second.
//!
//! **A crash leaves** the plan, and a log that may end in the middle of a line. To resume, drop
//! that line, go through the games that are there, and play the rest. A game that ended before its
//! turn is kept in a second file until its turn comes.
//!
//! **A tournament that is extended** gets a second part, with other bots or more deals, in a folder
//! inside its own ([`parts`]). What was written is left as it is: the new log names the head of the
//! one before ([`extend`]), and the standings count the games of all parts ([`read`]).
//!
//! **What is being played** can be watched ([`playing_now`]): a file beside the log holds it for as long as
//! the run lives.
//!
//! **Only one run at a time** uses the folder of a tournament ([`folder`]): it holds a lock that
//! the system releases when the program ends in any way.

mod director;
pub mod entrants;
pub mod extend;
pub mod folder;
pub mod journal;
pub mod lock;
pub mod parts;
pub mod plan;
pub mod plan_file;
pub mod planned_seed;
pub mod playing_now;
pub mod read;
pub mod run;
pub mod sharded;
pub mod verify;
pub mod workers;

pub use plan::{BadPlan, Plan, Settings};
