//! Messages for a person, on standard error.

use std::fmt;
use std::io::{self, Write};

/// Says something, a line; if no one can hear it, nothing is lost.
///
/// The macros of the standard library would end the program there.
pub fn say(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
