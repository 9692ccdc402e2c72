//! Names of signals.

/// What this system calls a signal, if it is one that usually ends programs: `SIGKILL`.
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

#[cfg(all(test, unix))]
mod tests {
    use super::signal_name;

    #[test]
    fn signals_have_the_names_of_their_system() {
        let names = [9, 11, 15, 99].map(signal_name);
        assert_eq!(names, [Some("SIGKILL"), Some("SIGSEGV"), Some("SIGTERM"), None]);
    }
}
