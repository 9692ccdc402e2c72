//! A number of things, in words.

use std::fmt::Display;

/// A number with the word for one or for several: `1 game`, `2 games`.
pub fn counted(count: impl Display, one: &str, more: &str) -> String {
    let number = count.to_string();
    let word = if number == "1" { one } else { more };
    format!("{number} {word}")
}
