//! Verdicts on answers, and the reasons why an answer or a game failed: as values, and as they are worded.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::NotText;
use text::counted;

/// Reason why an answer or a game failed for a reason outside of the rules.
///
/// A log holds its text alone, as the `detail` of an answer or the `reason` of a void game, beside the
/// verdict. [`from_text`](FailureCause::from_text) reads it back, and is the only function that looks into such
/// texts. A second field for the same would be something that a log can say wrongly, and that logs of
/// before do not have. The text is enough, because both ways are exact: the text of a cause is read as
/// that cause, and a cause that was read has the text that it was read from. The first holds since free
/// text is part of a cause only where the verdict alone names the cause, or after a look whether it
/// would be read as another one; the second since all that is not worded just so is [`WordedCause`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureCause {
    /// The program was stopped or failed, and is charged with it.
    Stopped(StopCause),
    /// No one is charged.
    Void(VoidCause),
}

/// Reason why a program did not get as far as an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopCause {
    /// It had not ended when its time was up, in milliseconds.
    NoExit(u64),
    /// It lives on, and had printed no line when its time was up, in milliseconds.
    NoLine(u64),
    /// Its time for the game was used up, with this number of milliseconds left for the answer.
    GameTime(u64),
    /// It used more CPU time than this number of milliseconds.
    CpuTime(u64),
    /// It printed more than this number of bytes.
    Output(u64),
    /// It took more than this number of bytes of memory.
    Memory(u64),
    /// It had more than this number of processes and threads.
    Processes(u64),
    /// It ended by itself, with this exit code.
    Exit(i32),
    /// It is resident, and ended by itself with exit code 0.
    Left,
    /// A signal ended it.
    Signal(Signal),
    /// It was to wait for its turn, and computed.
    Awake,
    /// A process that it has left keeps hold of it.
    Traced,
    /// It is resident, and printed before it was asked.
    Unasked,
    /// It is remote, and its connection was lost for more than this number of milliseconds of the game.
    Lost(u64),
    /// It could not be started; the text says why, in one line.
    NotStarted(String),
    /// It is charged for what only the text tells.
    Worded(WordedCause),
}

/// Reason why an answer or a game counts for no one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoidCause {
    /// The player of this name, who is a person, has left the game.
    Left(String),
    /// The match was stopped while the game was played.
    Stopped,
    /// The rules of a custom game failed; the text says how, in one line.
    Rules(String),
    /// The rules of a custom game were ended by the machine; the text says how, in one line.
    RulesEnded(String),
    /// The referee or the machine failed, as the text says in one line.
    Worded(WordedCause),
}

/// A text that no other cause under its verdict has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordedCause {
    verdict: Verdict,
    text: String,
}

const LEFT: &str = " left the game";
const STOPPED: &str = "the match was stopped";
const RULES: &str = "the rules failed: ";
const RULES_ENDED: &str = "the rules were ended: ";
const LOST: &str = "its connection was lost for more than ";
const OUT_OF_TIME: &str = "its time for the game was used up: ";
const OF_ANSWER: &str = " ms were left for this answer";

impl FailureCause {
    /// The cause that has this text under this verdict, if the verdict is one of a cause.
    pub fn from_text(verdict: Verdict, text: &str) -> Option<FailureCause> {
        match verdict {
            Verdict::Void => Some(FailureCause::Void(VoidCause::read(text))),
            Verdict::Malformed => (text == StopCause::Unasked.to_string())
                .then_some(FailureCause::Stopped(StopCause::Unasked)),
            Verdict::Timeout
            | Verdict::OutputLimit
            | Verdict::Crash
            | Verdict::StartFailed
            | Verdict::Memory => {
                let read = StopCause::read(verdict, text).filter(|read| read.to_string() == text);
                let worded = || StopCause::Worded(WordedCause { verdict, text: text.to_owned() });
                Some(FailureCause::Stopped(read.unwrap_or_else(worded)))
            }
            Verdict::Ok | Verdict::Illegal | Verdict::NoAnswer => None,
        }
    }

    /// The verdict on an answer that failed for this.
    pub fn verdict(&self) -> Verdict {
        match self {
            FailureCause::Stopped(stop) => stop.verdict(),
            FailureCause::Void(_) => Verdict::Void,
        }
    }
}

impl StopCause {
    /// Reads a text; `None` if its wording is not known.
    fn read(verdict: Verdict, text: &str) -> Option<StopCause> {
        let number =
            |before, after| text.strip_prefix(before)?.strip_suffix(after)?.parse::<u64>().ok();
        match verdict {
            Verdict::Timeout => number("no exit within ", " ms")
                .map(StopCause::NoExit)
                .or_else(|| number("no line within ", " ms").map(StopCause::NoLine))
                .or_else(|| number(OUT_OF_TIME, OF_ANSWER).map(StopCause::GameTime))
                .or_else(|| number("more than ", " ms of CPU time").map(StopCause::CpuTime)),
            Verdict::OutputLimit => number("more than ", " bytes of output").map(StopCause::Output),
            Verdict::Memory => number("more than ", " bytes of memory").map(StopCause::Memory),
            Verdict::StartFailed => Some(StopCause::NotStarted(text.to_owned())),
            Verdict::Crash => {
                let fixed = [StopCause::Left, StopCause::Awake, StopCause::Traced];
                let fixed = fixed.into_iter().find(|stop| stop.to_string() == text);
                let code = || text.strip_prefix("exit ")?.parse().ok().map(StopCause::Exit);
                let many = || {
                    number("more than ", " processes and threads")
                        .or_else(|| number("more than ", " process or thread"))
                        .map(StopCause::Processes)
                };
                let lost = || number(LOST, " ms").map(StopCause::Lost);
                let signal = || Signal::from_text(text).map(StopCause::Signal);
                fixed.or_else(code).or_else(many).or_else(lost).or_else(signal)
            }
            Verdict::Ok
            | Verdict::Illegal
            | Verdict::Malformed
            | Verdict::NoAnswer
            | Verdict::Void => None,
        }
    }

    /// The verdict on an answer that was stopped by this.
    pub fn verdict(&self) -> Verdict {
        match self {
            StopCause::NoExit(_)
            | StopCause::NoLine(_)
            | StopCause::GameTime(_)
            | StopCause::CpuTime(_) => Verdict::Timeout,
            StopCause::Output(_) => Verdict::OutputLimit,
            StopCause::Memory(_) => Verdict::Memory,
            StopCause::Processes(_)
            | StopCause::Exit(_)
            | StopCause::Left
            | StopCause::Signal(_)
            | StopCause::Awake
            | StopCause::Lost(_)
            | StopCause::Traced => Verdict::Crash,
            StopCause::Unasked => Verdict::Malformed,
            StopCause::NotStarted(_) => Verdict::StartFailed,
            StopCause::Worded(worded) => worded.verdict,
        }
    }

    /// Returns true if another program has ended this one.
    pub fn is_foreign(&self) -> bool {
        matches!(self, StopCause::Signal(signal) if signal.is_foreign())
    }
}

impl VoidCause {
    /// A failure of the referee or the machine, in one line.
    ///
    /// A text that would be read as another cause gets a full stop.
    pub fn worded(text: impl Into<String>) -> VoidCause {
        let text = text.into();
        match VoidCause::read(&text) {
            VoidCause::Left(_) | VoidCause::Stopped => VoidCause::read(&format!("{text}.")),
            // No other failure begins with these words.
            VoidCause::Rules(_) | VoidCause::RulesEnded(_) => {
                VoidCause::read(&format!("it failed: {text}"))
            }
            worded @ VoidCause::Worded(_) => worded,
        }
    }

    fn read(text: &str) -> VoidCause {
        if let Some(fault) = text.strip_prefix(RULES) {
            return VoidCause::Rules(fault.to_owned());
        }
        if let Some(why) = text.strip_prefix(RULES_ENDED) {
            return VoidCause::RulesEnded(why.to_owned());
        }
        match text.strip_suffix(LEFT) {
            Some(name) => VoidCause::Left(name.to_owned()),
            None if text == STOPPED => VoidCause::Stopped,
            None => {
                VoidCause::Worded(WordedCause { verdict: Verdict::Void, text: text.to_owned() })
            }
        }
    }
}

impl fmt::Display for FailureCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailureCause::Stopped(stop) => stop.fmt(f),
            FailureCause::Void(void) => void.fmt(f),
        }
    }
}

impl fmt::Display for StopCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopCause::NoExit(ms) => write!(f, "no exit within {ms} ms"),
            StopCause::NoLine(ms) => write!(f, "no line within {ms} ms"),
            StopCause::GameTime(ms) => write!(f, "{OUT_OF_TIME}{ms}{OF_ANSWER}"),
            StopCause::CpuTime(ms) => write!(f, "more than {ms} ms of CPU time"),
            StopCause::Output(bytes) => write!(f, "more than {bytes} bytes of output"),
            StopCause::Memory(bytes) => write!(f, "more than {bytes} bytes of memory"),
            StopCause::Processes(most) => {
                let most = counted(most, "process or thread", "processes and threads");
                write!(f, "more than {most}")
            }
            StopCause::Exit(code) => write!(f, "exit {code}"),
            StopCause::Left => f.write_str("exit 0 before the game was over"),
            StopCause::Signal(signal) => signal.fmt(f),
            StopCause::Awake => f.write_str("it computed while others had their turns"),
            StopCause::Lost(ms) => write!(f, "{LOST}{ms} ms"),
            StopCause::Traced => f.write_str("a process that it has left traces it"),
            StopCause::Unasked => f.write_str("printed before it was asked"),
            StopCause::NotStarted(why) => f.write_str(why),
            StopCause::Worded(worded) => f.write_str(&worded.text),
        }
    }
}

impl fmt::Display for VoidCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VoidCause::Left(name) => write!(f, "{name}{LEFT}"),
            VoidCause::Stopped => f.write_str(STOPPED),
            VoidCause::Rules(fault) => write!(f, "{RULES}{fault}"),
            VoidCause::RulesEnded(why) => write!(f, "{RULES_ENDED}{why}"),
            VoidCause::Worded(worded) => f.write_str(&worded.text),
        }
    }
}

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

/// Verdict on the answer to one request.
///
/// A bot's faults and the referee's own never share a verdict: all but [`Ok`](Verdict::Ok) and
/// [`Void`](Verdict::Void) are charged to the seat that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A legal move came from a program that ended cleanly.
    Ok,
    /// The answer is a move, but not a legal one here.
    Illegal,
    /// The answer is not a move at all.
    Malformed,
    /// The program had not ended when its time was up.
    Timeout,
    /// The program printed more than an answer may hold.
    OutputLimit,
    /// The program ended with a non-zero exit code or by a signal.
    Crash,
    /// The program ended cleanly without printing anything.
    NoAnswer,
    /// The program could not be started.
    StartFailed,
    /// The program took more memory than it may.
    Memory,
    /// The referee or the machine failed; no seat is charged.
    Void,
}

impl Verdict {
    /// Every verdict, in the order of the documentation.
    pub const ALL: [Verdict; 10] = [
        Verdict::Ok,
        Verdict::Illegal,
        Verdict::Malformed,
        Verdict::Timeout,
        Verdict::OutputLimit,
        Verdict::Crash,
        Verdict::NoAnswer,
        Verdict::StartFailed,
        Verdict::Memory,
        Verdict::Void,
    ];

    /// Returns true if the seat that was asked is charged with it.
    pub fn is_fault(self) -> bool {
        !matches!(self, Verdict::Ok | Verdict::Void)
    }

    /// The one spelling of this verdict.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Illegal => "illegal",
            Verdict::Malformed => "malformed",
            Verdict::Timeout => "timeout",
            Verdict::OutputLimit => "output-limit",
            Verdict::Crash => "crash",
            Verdict::NoAnswer => "no-answer",
            Verdict::StartFailed => "start-failed",
            Verdict::Memory => "memory",
            Verdict::Void => "void",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Verdict {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.name() == text)
            .ok_or_else(|| NotText::new("a verdict", text))
    }
}
