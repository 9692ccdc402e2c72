//! The referee program as a library: players, runner, logs, reports.
//!
//! The rules themselves are in the crate `rules`; this crate is everything that touches the
//! world. Only `process` starts programs, only `log` opens match logs, only `cli` knows the
//! command line.

pub mod process;
