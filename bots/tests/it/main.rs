//! All tests of this package, in one program.

mod asked;
mod coup;
mod duplicate_deals;
mod durak;
mod in_process;
mod programs;
mod samples;
mod search_cut;
mod simulation;
mod tablic;
