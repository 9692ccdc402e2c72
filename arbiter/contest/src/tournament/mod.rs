//! Tournaments: many games between many bots, on several threads, that survive anything.
//!
//! # Theory of operation
//!
//! **The games follow from the plan.** Games are numbered, and the players, seats and deal of game number g are a
//! function of the plan ([`schedule`](series::schedule)). So no game depends on how many are played at
//! once, on which machine, or whether the run was interrupted.
//!
//! **The games in the log count**, in the order of their numbers ([`journal`]). Going through that order shows where
//! a bot is out or a test is decided ([`Progress`](series::progress)), not the order in which games
//! happened to end; a played game that turns out to be skipped is dropped. A shard knows only a part of the games, so
//! there no bot is out and nothing is decided: merging the shards does that, and gives the log of a run on one
//! machine.
//!
//! **A game that is void again and again** is given up if a bot makes it void: all attempts are in
//! the log, with the seat that was asked, so its effects follow from the log. The director finds out whether the
//! bot or the machine is to blame when it happens, by starting other bots (`run.rs`). If it is
//! the machine, nothing is written, and the run stops.
//!
//! **One thread writes.** Workers play whole games, with players in an empty folder for each game, unless the plan lets
//! them keep their files (`workers.rs`). They hand the record to the thread that began the run (`run.rs`), which
//! appends a line for each attempt, and makes sure that it is on the disk within a second.
//!
//! **A crash leaves** the plan, and a log that may end in the middle of a line. To resume, drop
//! that line, go through the games that are there, and play the rest. A game that ended before its
//! turn is kept in a second file until its turn comes.
//!
//! **A tournament that is extended** gets a second part, with other bots or more deals, in a folder
//! inside its own ([`folder`]). Older files stay as they are: the new log names the head of the
//! one before ([`extend`]), and the standings count the games of all parts ([`sharded::survey`]).
//!
//! **Bots that are folders are copied** when a tournament begins ([`copies`]), so that it can go on with the bots as they
//! were, and be asked again, wherever their folders are by then.
//!
//! **Running games** can be watched ([`playing_now`]): a file beside the log holds them while
//! the run lives.
//!
//! **Only one run at a time** uses the folder of a tournament ([`folder`]): it holds a lock that
//! the system releases when the program ends in any way.

pub mod copies;
pub mod extend;
pub mod folder;
pub mod journal;
pub mod plan;
pub mod plan_file;
pub mod playing_now;
pub mod read;
pub mod run;
pub mod sharded;
pub mod verify;
mod workers;

pub use plan::{Plan, Settings};
pub use run::DealStop;
