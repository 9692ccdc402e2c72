//! Matches of each game by real programs, and custom games as programs and modules.

mod alike;
mod classic_examples;
mod classic_faults;
mod classic_lenient;
mod clock;
mod court;
mod own;
mod simulate_log;
