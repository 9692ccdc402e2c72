//! Which games come next, and what becomes of each.

mod course;
mod fate;
mod statistics;
