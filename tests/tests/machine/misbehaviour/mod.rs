//! x

mod faults;
mod hostile;
