//! The programs of the bots.

mod answers;
mod requests;
