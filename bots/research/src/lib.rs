//! How the tables of expert players are trained, how strong players are, and how their weaknesses are
//! looked for.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "only the programs and tests of this package use it")]

pub mod coup;
pub mod ladder;
pub mod league;
pub mod program;
pub mod shards;
