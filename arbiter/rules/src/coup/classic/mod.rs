//! The classic dialect: it asks programs of the old contest, and reads their answers.
//!
//! # Theory of operation
//!
//! Such a program is called once for each decision, as `PROGRAM FILE ARGUMENTS…`. FILE holds the
//! game so far, with one or two bytes for each decision and a line for each turn; the program
//! appends its own decision. An exchange ends with a line end in FILE and the kept cards on
//! standard output.
//!
//! This is a translation and knows no rules. A [`Call`] is made from the [`Request`] that any other
//! bot would get, so it cannot tell more: FILE is its history in other letters ([`file()`]), and
//! the last arguments are its legal moves in the order that old programs count on. An answer is
//! looked up among these, so that only exactly one of them can be appended. A lenient reading has one
//! exception, in a place with one legal text and no choice, so it can change no game.
//!
//! [`Request`]: crate::Request

mod call;

pub use call::{Call, Unread, file};
