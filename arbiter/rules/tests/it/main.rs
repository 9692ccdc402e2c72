//! All tests of this package, in one program.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod cause;
mod conformance;
mod counts;
mod coup;
mod durak;
mod nature;
mod referee;
mod refereed;
mod tablic;
mod texts;
mod toy;
mod voice;
