//! Matches of each game by real programs.

mod classic;
mod classic_examples;
mod classic_faults;
mod classic_lenient;
mod classic_vectors;
mod clock;
mod coup;
mod court;
mod durak;
mod matches;
mod own;
mod simulate;
mod simulate_log;
