//! Attacks of a bot on everything around it, with what comes of each where it is isolated and where it is not.
//!
//! The bot is the C program in `tests/hostile/`, which the tests compile: many attacks are calls to the kernel that have no
//! safe form. `table.rs` says what must come of them, and where isolation is off they mostly succeed, or they would test
//! nothing. In Markdown the table is a part of `docs/reference/what-a-bot-can-do.md`.

#![cfg(target_os = "linux")]

mod attack;
mod field;
mod markdown;
mod play;
mod table;

pub use attack::{Attack, Channel, Outcome, names};
pub use field::Field;
pub use markdown::compare as compare_page;
pub use play::{attacks, channels};
pub use table::{ATTACKS, CHANNELS};
