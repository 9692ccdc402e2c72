//! Names of signals.

/// The name of a signal, if it is one that usually ends programs: `SIGKILL`.
#[cfg(unix)]
pub fn signal_name(number: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    let known = [
        (Signal::SEGV, "SIGSEGV"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::SYS, "SIGSYS"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::XFSZ, "SIGXFSZ"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::KILL, "SIGKILL"),
        (Signal::TERM, "SIGTERM"),
        (Signal::INT, "SIGINT"),
        (Signal::HUP, "SIGHUP"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::STOP, "SIGSTOP"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::USR2, "SIGUSR2"),
    ];
    let found = known.into_iter().find(|(signal, _)| signal.as_raw() == number);
    found.map(|(_, name)| name)
}

/// Nothing: this system ends programs by no signals.
#[cfg(not(unix))]
pub fn signal_name(_number: i32) -> Option<&'static str> {
    None
}

/// SIGTERM, and SIGHUP unless whoever started this program wants it to live on, as `nohup` does.
pub fn closing_signals() -> Vec<i32> {
    #[cfg(unix)]
    if !ignores_hangup() {
        return vec![signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];
    }
    vec![signal_hook::consts::SIGTERM]
}

/// Returns true if this program was started with SIGHUP ignored. Where the system does not say, it counts as
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

/// The most bytes of `/proc/self/status` to read; it has about 1500.
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
    use super::{ignored, signal_name};

    #[test]
    fn signals_have_the_names_of_their_system() {
        let names = [9, 11, 15, 99].map(signal_name);
        assert_eq!(names, [Some("SIGKILL"), Some("SIGSEGV"), Some("SIGTERM"), None]);
    }

    #[test]
    fn a_mask_of_ignored_signals_is_read() {
        let status = "Name:\tarbiter\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored("Name:\tarbiter\n"), None);
    }
}
