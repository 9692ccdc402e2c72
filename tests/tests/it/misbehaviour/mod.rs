//! Faults of bots and of machines, and their consequences.

mod faults;
mod forfeits;
mod given_up;
mod hostile;
mod spoiled;
mod terminal;
mod wall_clock;
