//! The steps of `docs/first-bot.md` in JavaScript and C; the second tier has Python.

use tests::first_bot::follow;

#[test]
fn javascript() {
    follow("JavaScript", "node");
}

#[test]
fn c() {
    follow("C", "cc");
}
