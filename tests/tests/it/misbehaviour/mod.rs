//! Faults of bots and of machines, and their consequences.

mod endurance;
mod faults;
mod foreign;
mod forfeits;
mod garbage;
mod given_up;
mod hostile;
mod killed;
mod machine;
mod out_of_memory;
mod out_of_processes;
mod referee_leaks;
mod referee_stopped;
mod scratch;
mod secrets;
mod signals;
mod spoiled;
mod terminal;
mod wall_clock;
