//! Reviews of logs: the value of each move, how much it gave away, and the typical mistakes of bots.
//!
//! # Theory of operation
//!
//! A game of a log is derived again, and before each accepted answer the request is taken as the seat got it. A
//! [reviewer](bots::review) of the game values its legal moves from this request alone, so that no seat is blamed for cards that it could not know. Its opinion becomes a [`Decision`]; a decision is called a mistake
//! only beyond chance ([`MistakeGrade`]). Games are reviewed on several threads and come in the order of the log
//! ([`ReviewSettings`]). What was computed is kept in a file beside the log, by a digest of all that it depends on (`review_cache.rs`),
//! and can be thrown away.
//!
//! [`ReviewSummary`] adds up what bots give away. It adds only leads that are crossed between halves of the worlds, whose
//! mean is right; the plain lead of the best of several noisy moves is too great on average.
//!
//! If the reviewer of a game can measure the luck of a deal, the result of a game between two seats is split into luck,
//! skill and a rest (`decision.rs`).
//!
//! In games whose reviewer can learn, each move has a second value, against the habits of this opponent as far as other
//! games of the log show them (`log_review.rs`). It is never called a mistake.
//!
//! A program of the user can take the place of the reviewer ([`ReviewSettings::run_by`]). It states values in lines beside its
//! answers (`program_review.rs`), which count as they are: nothing is known of their errors.
//!
//! [`export`] makes tables of the moves, for machine learning, and alone knows the games. The crate starts no program.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "a part of the program, no interface for others")]

mod decision;
pub mod export;
mod game_reviewer;
mod log_review;
mod program_review;
mod puzzle;
mod review_cache;
mod run;
pub mod summary;

pub use bots::review::Certainty;
pub use decision::{
    Decision, MistakeGrade, MoveValue, POINTS_WEIGHT, ResultBreakdown, ReviewedGame, SeatFault,
    StoredDealLuck, UnvaluedDecision, WIN_WEIGHT,
};
pub use log_review::{
    DecisionBudget, MOST_WORLDS, OpenedLog, ReviewError, ReviewScope, ReviewSettings,
};
pub use program_review::{ValuationError, ValuingProgram};
pub use puzzle::{Puzzle, PuzzleValues};
pub use review_cache::{game_key, header_digest, kept_beside};
pub use run::{kept_reviews, review_game};
pub use summary::{
    BotReview, MeanBreakdown, MeanByDeal, MistakeGroup, MistakePosition, PhaseFigures,
    ReviewSummary,
};
