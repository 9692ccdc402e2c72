//! What an answer may take, in words.

use crate::process::{LIMITS, LimitsLine};

/// The limits of a player that one may run into, in one line; 0 stands for none, as of a person.
pub(crate) fn limits(limits: &LimitsLine) -> String {
    let told: Vec<_> = LIMITS.iter().filter_map(|kind| kind.told(limits)).collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}
