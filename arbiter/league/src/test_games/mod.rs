//! Test games: a bot of a participant against other bots of its league, for nothing.
//!
//! # Theory of operation
//!
//! A test game is a [match](contest::playing::matches) under the conditions of the league, with a seed of its own. It is no
//! part of the league: neither its log nor its index knows it, so no standings, feed or page of the league can.
//!
//! **A queue.** A server plays several at once, and the others wait ([`queue`]): participants take turns, so one who asks
//! for many, or whose bot is slow, keeps nobody else out.
//!
//! **What is hidden stays hidden.** While the pages of a league stand still, opponents are those of that time, and after
//! the deadline they are bots of the organiser alone ([`begin()`]).
//!
//! **Bounds.** A participant has a number of test games a day ([`quotas`](crate::quotas)), each has a time in
//! which it must end ([`begin`](mod@begin)), and the last ones of each participant are kept ([`record`]).
//!
//! **A participant sees their own bot.** The log of a test game has the standard error of all its bots, so it stays with
//! the organiser. [`record`] gives participants the standard error of their own bot alone.

pub mod begin;
pub mod queue;
pub mod record;

pub(crate) use begin::remove_leftovers;
pub use begin::{RequestedTestGame, StartedTestGame, TestGameChoices, begin};
pub use record::{TestGameLine, TestGameView, games, line};
