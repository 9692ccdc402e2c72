//! Faults of bots and of machines, and their consequences.

mod faults;
mod garbage;
mod hostile;
mod killed;
mod machine;
mod referee_leaks;
mod referee_stopped;
mod scratch;
mod secrets;
mod signals;
