//! The steps of `docs/first-bot.md` in Python.

use tests::first_bot::follow;

#[test]
fn python() {
    follow("Python", "python3");
}
