//! Signals that end programs, as logs name them.

use std::fmt;

/// A signal that has ended a program and that the referee did not send.
///
/// Systems number signals differently, so the name is kept beside the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// Its number on the machine where the program ran.
    pub number: i32,
    /// Its name there, if it is one of these.
    pub name: Option<SignalName>,
}

/// A signal that logs name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalName {
    /// `SIGSEGV`.
    Segv,
    /// `SIGABRT`.
    Abrt,
    /// `SIGBUS`.
    Bus,
    /// `SIGFPE`.
    Fpe,
    /// `SIGILL`.
    Ill,
    /// `SIGTRAP`.
    Trap,
    /// `SIGSYS`.
    Sys,
    /// `SIGPIPE`.
    Pipe,
    /// `SIGXFSZ`.
    Xfsz,
    /// `SIGXCPU`.
    Xcpu,
    /// `SIGKILL`.
    Kill,
    /// `SIGTERM`.
    Term,
    /// `SIGINT`.
    Int,
    /// `SIGHUP`.
    Hup,
    /// `SIGQUIT`.
    Quit,
    /// `SIGSTOP`.
    Stop,
    /// `SIGALRM`.
    Alrm,
    /// `SIGUSR1`.
    Usr1,
    /// `SIGUSR2`.
    Usr2,
}

/// Said of a signal that only another process can have sent.
const FOREIGN: &str = ", not sent by the referee";

/// Nothing is said of one that a program usually causes itself.
const OWN: &str = "";

impl Signal {
    /// Returns true if only another process can have sent it.
    pub fn is_foreign(self) -> bool {
        self.remark() == FOREIGN
    }

    fn remark(self) -> &'static str {
        self.name.map_or(FOREIGN, SignalName::remark)
    }

    /// The signal that has this text.
    pub(crate) fn from_text(text: &str) -> Option<Signal> {
        let rest = text.strip_prefix("signal ")?;
        let end = rest.find([' ', ',']).unwrap_or(rest.len());
        let number = rest.get(..end)?.parse().ok()?;
        let names = SignalName::ALL.map(Some).into_iter().chain([None]);
        let signals = names.map(|name| Signal { number, name });
        signals.into_iter().find(|signal| signal.to_string() == text)
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signal { number, name } = self;
        match name {
            Some(name) => write!(f, "signal {number} ({}){}", name.name(), self.remark()),
            None => write!(f, "signal {number}{}", self.remark()),
        }
    }
}

impl SignalName {
    /// All of them.
    pub const ALL: [SignalName; 19] = [
        SignalName::Segv,
        SignalName::Abrt,
        SignalName::Bus,
        SignalName::Fpe,
        SignalName::Ill,
        SignalName::Trap,
        SignalName::Sys,
        SignalName::Pipe,
        SignalName::Xfsz,
        SignalName::Xcpu,
        SignalName::Kill,
        SignalName::Term,
        SignalName::Int,
        SignalName::Hup,
        SignalName::Quit,
        SignalName::Stop,
        SignalName::Alrm,
        SignalName::Usr1,
        SignalName::Usr2,
    ];

    /// The signal that systems call this: `SIGKILL`.
    pub fn from_name(name: &str) -> Option<SignalName> {
        SignalName::ALL.into_iter().find(|signal| signal.name() == name)
    }

    /// Name of the signal on systems.
    pub fn name(self) -> &'static str {
        self.described().0
    }

    fn remark(self) -> &'static str {
        self.described().1
    }

    fn described(self) -> (&'static str, &'static str) {
        match self {
            SignalName::Segv => ("SIGSEGV", OWN),
            SignalName::Abrt => ("SIGABRT", OWN),
            SignalName::Bus => ("SIGBUS", OWN),
            SignalName::Fpe => ("SIGFPE", OWN),
            SignalName::Ill => ("SIGILL", OWN),
            SignalName::Trap => ("SIGTRAP", OWN),
            SignalName::Sys => ("SIGSYS", OWN),
            SignalName::Pipe => ("SIGPIPE", OWN),
            SignalName::Xfsz => ("SIGXFSZ", ", a file grew above its limit"),
            SignalName::Xcpu => ("SIGXCPU", ", above the limit of CPU time"),
            SignalName::Kill => ("SIGKILL", FOREIGN),
            SignalName::Term => ("SIGTERM", FOREIGN),
            SignalName::Int => ("SIGINT", FOREIGN),
            SignalName::Hup => ("SIGHUP", FOREIGN),
            SignalName::Quit => ("SIGQUIT", FOREIGN),
            SignalName::Stop => ("SIGSTOP", FOREIGN),
            SignalName::Alrm => ("SIGALRM", FOREIGN),
            SignalName::Usr1 => ("SIGUSR1", FOREIGN),
            SignalName::Usr2 => ("SIGUSR2", FOREIGN),
        }
    }
}
