//! The programs of the bots, and the examples in other languages.

mod answers;
mod examples;
mod requests;
