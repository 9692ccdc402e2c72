//! The chain of a log, made anew after an edit: what a forger would do.
//!
//! This follows the description of the format, not the code that writes it.

use sha2::{Digest, Sha256};

/// The lines of a log, without the end of each that ties it to the one before.
pub fn contents(log: &str) -> Vec<String> {
    let content = |line: &str| {
        line.rsplit_once(",\"previous\":\"").map_or(line, |(content, _)| content).to_owned()
    };
    log.lines().map(content).collect()
}

/// A log of these lines, with a chain in which every digest is right.
pub fn chain(contents: &[String]) -> String {
    let mut previous = "0".repeat(64);
    let mut log = String::new();
    for content in contents {
        let body = format!("{content},\"previous\":\"{previous}\"");
        previous = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
        log.push_str(&format!("{body},\"sha256\":\"{previous}\"}}\n"));
    }
    log
}
