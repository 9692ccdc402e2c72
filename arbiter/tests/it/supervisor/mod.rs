//! Programs under every supervisor.

mod bench;
mod changed;
mod limits;
mod program;
mod programs;
mod scratch;
mod start;
