//! Training of the tables of expert players, measurement of players, and the search for their
//! weaknesses.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "only the programs and tests of this package use it")]

pub mod coup;
pub mod ladder;
pub mod league;
pub mod luck;
pub mod marks;
pub mod program;
pub mod shards;
