//! Scores, ratings and their intervals, from the games of a tournament.
//!
//! A [`Tally`] takes one [`Game`] after the other, and gives [`Standings`] at any time. It does no
//! input or output and draws no randomness but from a given seed; the same games give the same
//! standings, to the last bit, in any order.
//!
//! The unit is the deal. Games of one deal share their cards, so they are not independent
//! observations. Deals cannot be kept, since there may be millions: beyond a few of them, a game of
//! two bots is added to their sums in every replicate of a bootstrap, with the weight that its deal
//! has there (`estimate`). From these follows how far scores and margins may be from the
//! truth (`resamples`, `spread`). Fewer than 30 deals in all are too few for a bootstrap, and then
//! intervals of scores are Student's.
//! Strengths are fitted to all games (`rating`), and their intervals follow from the likelihood,
//! and from how far strengths move with the deals (`ratings`).
//!
//! A bot's score is the share of the others at the table that it did better than, where an equal
//! result is half: with two seats the share of games won, and the same for any number of seats. The
//! margin in points does not matter.
//!
//! Two bots at two seats also have their games counted in pairs, and can be put to a sequential test
//! ([`Sprt`]).

#![forbid(unsafe_code)]

mod account;
mod column;
mod distributions;
mod estimate;
mod game;
mod lead;
pub mod output;
pub mod pairing;
mod rating;
mod ratings;
mod setup;
mod sprt;
mod summary;
mod tally;
mod view;

pub use distributions::{Mean, StudentT, normal_cdf};
pub use estimate::{BootstrapSeed, Estimate, Interval, IntervalMethod};
pub use game::{Entrant, Game, PentanomialCounts, StandingsError};
pub use lead::{Lead, LeadClarity, Leads};
pub use setup::{Model, OutsideHelp, ReplicateCount, StandingsSetup};
pub use sprt::{Sprt, SprtDecision, SprtState};
pub use tally::{BotResults, Tally};
pub use view::{
    DuplicateScore, Group, HeadToHead, RankInterval, Row, Standings, StandingsView, WideGap,
};
