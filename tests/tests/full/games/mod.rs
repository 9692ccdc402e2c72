//! Matches of each game by real programs, and custom games as programs and modules.

mod classic_examples;
mod classic_faults;
mod classic_lenient;
mod clock;
mod coup;
mod court;
mod durak;
mod own;
mod simulate_log;
