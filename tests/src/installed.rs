//! Programs that a test needs and that need not be there.

use std::process::{Command, Stdio};

use crate::missing;

/// Whether a program is installed; if not, says so. What it says of its version does not matter:
/// `go` and `lua` do not know the option.
pub fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let is_there = command.status().is_ok();
    if !is_there {
        missing::tell(&format!("no {program}"));
    }
    is_there
}
