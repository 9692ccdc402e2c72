//! How the tables of expert players are trained, and how their weaknesses are looked for.

#![forbid(unsafe_code)]

pub mod coup;
