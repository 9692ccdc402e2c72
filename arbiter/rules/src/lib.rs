//! Card games as pure state machines.
//!
//! This crate holds what a match *is*: the rules of each game, what each seat may know, seeded
//! chance, the referee, and how a log is folded back into the same match. It does no input or
//! output, reads no clock and no environment, starts no thread, and draws no randomness but from
//! a given seed: a match is a function of its inputs.
//!
//! Start with [`Game`], the trait that every game implements, and [`Referee`], which plays any of
//! them. [`GameKind`] names a game and lists those that are compiled in.

#![forbid(unsafe_code)]

pub mod answer;
pub mod card;
pub mod cause;
pub mod clock;
pub mod conformance;
pub mod coup;
pub mod custom;
pub mod dialect;
pub mod durak;
mod dyn_rules;
pub mod game;
pub mod kind;
pub mod note;
pub mod record;
pub mod referee;
pub mod replay;
pub mod request_text;
pub mod sample;
pub mod seat;
pub mod seed;
pub mod subject;
mod table;
pub mod tablic;
pub mod text;

pub use crate::cause::Verdict;
pub use answer::{Answer, DetailedVerdict};
pub use card::{Card, CardSet, DealtCards, Rank, Suit};
pub use cause::{FailureCause, Signal, SignalName, StopCause, VoidCause};
pub use clock::{AnswerTimeLimit, ClockState, ElapsedTime, GameTime, TimeControl};
pub use dialect::{Dialect, Prompt};
pub use dyn_rules::{RulesId, RulesLine};
pub use game::{
    Entry, Game, GameTerms, HistoryLine, ImpossibleChance, ListCompleteness, RedactedLine, Request,
    RequestHeading, Resample, RetryNotice, Secret, Turn, seen_by,
};
pub use kind::GameKind;
pub use note::{Note, NoteKey, NoteValue, Notes};
pub use record::{
    AnswerRecord, ClassicReply, GameInProgress, GamePlace, GameRecord, Host, Measurements, Outcome,
    RefereeInput, StandardError, TextDigest,
};
pub use referee::{JudgedAnswer, Question, Referee, Step};
pub use sample::StandaloneRequest;
pub use seat::{PerSeat, Score, Seat};
pub use seed::{BotSeed, BotSeedKey, Digest, GameId, Nature, Seed};
pub use text::{EscapedBytes, NotText, Text};

/// The names of the built-in bots, for code that has to know them and plays with none.
pub mod built_in {
    /// Plays at random.
    pub const RANDOM: &str = "random";
    /// Takes what is worth most now.
    pub const GREEDY: &str = "greedy";
    /// Looks ahead.
    pub const MINIMAX: &str = "minimax";
    /// Plays as well as anybody knows how to.
    pub const EXPERT: &str = "expert";
    /// Doubts everything.
    pub const CHALLENGER: &str = "challenger";
    /// Counts turns to victory.
    pub const CALCULATOR: &str = "calculator";
    /// Plays the lowest card.
    pub const LOWEST: &str = "lowest";

    /// The names of all of them, those that are programs first.
    pub const NAMES: [&str; 7] = [RANDOM, GREEDY, MINIMAX, EXPERT, CHALLENGER, CALCULATOR, LOWEST];
}
