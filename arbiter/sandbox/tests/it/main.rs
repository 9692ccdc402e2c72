//! Programs under every supervisor of this package.

mod bench;
mod limits;
mod program;
mod programs;
mod scratch;
mod start;
