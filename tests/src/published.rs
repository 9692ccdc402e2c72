//! The log of a league as a download.

use crate::bench::Bench;

/// Where the archive lies.
pub const ARCHIVE: &str = "api/v1/log.tar";

/// Has the organiser offer the log of a league.
pub fn offer(bench: &Bench) {
    let settings = bench.text("class/league.toml");
    bench.write("class/league.toml", settings + "\n[pages]\nlog-download = true\n");
}
