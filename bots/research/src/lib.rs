//! How the tables of expert players are trained, how strong players are, and how their weaknesses are
//! looked for.

#![forbid(unsafe_code)]

pub mod coup;
pub mod ladder;
pub mod league;
pub mod program;
pub mod shards;
