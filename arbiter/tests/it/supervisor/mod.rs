//! Programs under every supervisor.

mod bench;
mod changed;
mod escapes;
mod guard;
mod leaks;
mod limits;
mod program;
mod programs;
mod scratch;
mod start;
