//! A number of things, in words.

/// A number with the word for one or for several: `1 game`, `2 games`.
pub(crate) fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
