//! The signals by which others ask this program to end: a system that shuts down, a terminal that closes.

/// SIGTERM, and SIGHUP unless whoever started this program wants it to live on, as `nohup` does.
pub fn closing_signals() -> Vec<i32> {
    #[cfg(unix)]
    if !ignores_hangup() {
        return vec![signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];
    }
    vec![signal_hook::consts::SIGTERM]
}

/// Whether this program was started with SIGHUP ignored. Where the system does not say, it counts as
/// ignored if no output is a terminal: `nohup` sees to that.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    use std::io::{self, IsTerminal};
    let status = crate::file::text(std::path::Path::new("/proc/self/status"), LONGEST_STATUS).ok();
    let mask = status.as_deref().and_then(ignored);
    match mask {
        Some(mask) => mask & (1 << (signal_hook::consts::SIGHUP - 1)) != 0,
        None => !io::stdout().is_terminal() && !io::stderr().is_terminal(),
    }
}

/// What is read of `/proc/self/status`, in bytes; it has about 1500.
#[cfg(unix)]
const LONGEST_STATUS: u64 = 64 << 10;

/// The ignored signals, a bit for each.
#[cfg(unix)]
fn ignored(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::ignored;

    #[test]
    fn a_mask_of_ignored_signals_is_read() {
        let status = "Name:\tarbiter\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored("Name:\tarbiter\n"), None);
    }
}
