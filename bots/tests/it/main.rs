//! All tests of this package, in one program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod asked;
mod coup;
mod determinisation;
mod duplicate_deals;
mod durak;
mod games_apart;
mod in_process;
mod programs;
mod samples;
mod search_cut;
mod simulation;
mod tablic;
