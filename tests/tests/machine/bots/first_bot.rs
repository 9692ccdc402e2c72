//! The steps of `docs/first-bot.md` in the other languages.

use tests::first_bot::follow;

#[test]
fn javascript() {
    follow("JavaScript", "node");
}

#[test]
fn c() {
    follow("C", "cc");
}
