//! Bots that take all that a machine has, and each fault in the other ways of keeping bots.

mod control_group;
mod endurance;
mod faults;
mod hostile;
mod out_of_memory;
mod out_of_processes;
mod waiting;
