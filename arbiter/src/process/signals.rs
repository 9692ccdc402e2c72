//! Names and meanings of signals, for people and for those who ask whose doing one was.

/// A signal in words: `signal 9 (SIGKILL), not sent by the referee`.
///
/// A signal that a program usually causes itself has no remark; one that only another process can
/// have sent is marked as not sent by the referee.
pub(super) fn describe(number: i32) -> String {
    match lookup(number) {
        Some((name, remark)) => format!("signal {number} ({name}){remark}"),
        None => format!("signal {number}{FOREIGN}"),
    }
}

/// Whether the detail of a crash says that another program has ended this one.
pub fn is_foreign(detail: &str) -> bool {
    detail.ends_with(FOREIGN)
}

const FOREIGN: &str = ", not sent by the referee";
#[cfg(unix)]
const OWN: &str = "";

#[cfg(unix)]
fn lookup(number: i32) -> Option<(&'static str, &'static str)> {
    use rustix::process::Signal;
    let known = [
        (Signal::SEGV, "SIGSEGV", OWN),
        (Signal::ABORT, "SIGABRT", OWN),
        (Signal::BUS, "SIGBUS", OWN),
        (Signal::FPE, "SIGFPE", OWN),
        (Signal::ILL, "SIGILL", OWN),
        (Signal::TRAP, "SIGTRAP", OWN),
        (Signal::SYS, "SIGSYS", OWN),
        (Signal::PIPE, "SIGPIPE", OWN),
        (Signal::XFSZ, "SIGXFSZ", ", a file grew above its limit"),
        (Signal::XCPU, "SIGXCPU", ", above the limit of CPU time"),
        (Signal::KILL, "SIGKILL", FOREIGN),
        (Signal::TERM, "SIGTERM", FOREIGN),
        (Signal::INT, "SIGINT", FOREIGN),
        (Signal::HUP, "SIGHUP", FOREIGN),
        (Signal::QUIT, "SIGQUIT", FOREIGN),
        (Signal::STOP, "SIGSTOP", FOREIGN),
        (Signal::ALARM, "SIGALRM", FOREIGN),
        (Signal::USR1, "SIGUSR1", FOREIGN),
        (Signal::USR2, "SIGUSR2", FOREIGN),
    ];
    let found = known.into_iter().find(|(signal, ..)| signal.as_raw() == number);
    found.map(|(_, name, remark)| (name, remark))
}

#[cfg(not(unix))]
fn lookup(_number: i32) -> Option<(&'static str, &'static str)> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::{describe, is_foreign};

    #[test]
    fn says_whose_doing_it_was() {
        assert_eq!(describe(9), "signal 9 (SIGKILL), not sent by the referee");
        assert_eq!(describe(11), "signal 11 (SIGSEGV)");
        assert_eq!(describe(99), "signal 99, not sent by the referee");
        assert_eq!([9, 11, 15, 99].map(|it| is_foreign(&describe(it))), [true, false, true, true]);
    }
}
