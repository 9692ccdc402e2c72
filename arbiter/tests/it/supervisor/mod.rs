//! Programs under every supervisor.

mod bench;
mod changed;
mod guard;
mod limits;
mod program;
mod programs;
mod scratch;
mod start;
