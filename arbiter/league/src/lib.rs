//! Leagues: competitions that stay open, where bots enter, leave and change.
//!
//! # Theory of operation
//!
//! **A league is a folder** ([`folder`]). Its log, `league.jsonl`, has a line for every bot that
//! enters or leaves, for every round that begins, with all of its tables, and for every round that is
//! over. The lines are chained as those of all logs. `league.toml` says how games are played, and may be
//! changed between rounds ([`settings`]).
//!
//! **A round is a tournament** with listed tables and a seed of its own, in a folder inside the folder of the
//! league ([`rounds`]). So whatever holds for tournaments holds for it: it resumes after a crash, and is
//! verified, explained and reported as any other. The header of its log names the head of the league's
//! log before the round was announced, and the league's log names the head of the round's log when it
//! is over. So one chain goes through all of it, and no file grows without end.
//!
//! **The pairing is an input.** It is chosen from the standings so far ([`standings::pairing`]), and it is
//! written into the log before the round is played, with the reasons. So verification need not choose
//! again, and everyone can see why two bots met. In a stage it follows from results by a written rule ([`stage`]),
//! and every reader of the log checks it.
//!
//! **A bot that enters again under its name is a new version**, `anna@2` after `anna@1`. It has no games
//! and no rating at first. The version before it plays no longer; its games still count for those that it
//! met ([`state`]).
//!
//! **A killed run loses nothing that was told.** A round is announced after its plan is on the disk; a plan
//! without an announcement is a round that never began, and its folder is taken for the next one. An
//! announced round without its end is resumed.
//!
//! **A round can be played in shards** on several machines. Its plan then has a number of shards, and is otherwise the
//! same; `run-shard` finds the copies of the bots in the league ([`round_folder`]). The merged log is the log that
//! one machine would have written, so the end of the round is, too.
//!
//! The crate knows neither the command line nor pages. [`entry`] takes the bots of tournaments, too, and [`compression`]
//! compresses the logs of everything that is played.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of a crate of one program say the most")]

pub mod audit;
pub mod backup;
pub mod bot_games;
pub mod calendar;
pub mod choice;
pub mod compression;
pub mod correction;
pub mod disk_budget;
pub mod entry;
pub mod events;
pub mod folder;
pub mod forget;
pub mod index;
mod json_files;
pub mod keys;
pub mod line;
pub mod log;
pub mod notify;
pub mod output;
pub mod participants;
pub mod pause;
pub mod publish;
pub mod quotas;
pub mod refusal;
pub mod rejections;
pub mod remote;
pub mod replay_line;
pub mod replay_request;
pub mod results;
pub mod round_folder;
pub mod rounds;
pub mod rules_change;
pub mod settings;
pub mod stage;
pub mod stage_request;
pub mod state;
pub mod submissions;
pub mod test_games;
pub mod token;
pub mod verify;
mod version;
pub mod voiding;

pub use state::League;
pub use version::BotVersion;
