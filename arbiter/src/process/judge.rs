//! A pure function from what was seen of a call to the answer for the referee.

use rules::{Answer, Stop};

use super::call::{End, Observed};
use super::limits::Limits;
use super::signals;
use crate::text::counted;

/// What is said of a program that lives on and prints no line in time, before the time.
pub(crate) const NO_LINE: &str = "no line";

/// What is said of one that has ended by itself.
pub(crate) const LEFT: &str = "exit 0 before the game was over";

/// What an observed call is worth.
///
/// An answer counts only from a clean exit within the limits. Whether its bytes are a move is not
/// decided here. Too much output is charged as such, no matter how the program ended afterwards;
/// only a program whose time was up is charged with the time. A fault of the referee or the machine
/// is [`Answer::Void`] and charges no one.
pub fn judge(observed: &Observed, limits: &Limits) -> Answer {
    let flooded = observed.stdout.len() > limits.answer_bytes;
    let (by, detail) = match &observed.end {
        End::Fault(why) => return Answer::Void(why.clone()),
        End::Left => (Stop::Crash, LEFT.to_owned()),
        End::Awake => (Stop::Crash, "it computed while others had their turns".to_owned()),
        End::Unasked => (Stop::Unasked, Stop::UNASKED.to_owned()),
        End::NotStarted(why) => (Stop::StartFailed, why.clone()),
        End::Deadline => (Stop::Timeout, format!("no exit within {} ms", limits.time.as_millis())),
        End::Silence => (Stop::Timeout, format!("{NO_LINE} within {} ms", limits.time.as_millis())),
        End::CpuLimit => (Stop::Timeout, too_busy(limits)),
        End::Traced => (Stop::Crash, "a process that it has left traces it".to_owned()),
        End::MemoryLimit => (Stop::Memory, format!("more than {} bytes of memory", limits.memory)),
        End::ProcessLimit => {
            let processes = counted(limits.processes, "process or thread", "processes and threads");
            (Stop::Crash, format!("more than {processes}"))
        }
        End::OutputLimit => (Stop::OutputLimit, too_much(limits)),
        End::Answered | End::Exited(_) | End::Signalled(_) if over_cpu(observed, limits) => {
            (Stop::Timeout, too_busy(limits))
        }
        End::Answered | End::Exited(_) | End::Signalled(_) if flooded => {
            (Stop::OutputLimit, too_much(limits))
        }
        End::Answered | End::Exited(0) => return Answer::Output(observed.stdout.clone()),
        End::Exited(code) => (Stop::Crash, format!("exit {code}")),
        End::Signalled(signal) => (Stop::Crash, signals::describe(*signal)),
    };
    let shown = observed.stdout.len().min(limits.answer_bytes);
    Answer::Stopped { by, detail, output: observed.stdout[..shown].to_vec() }
}

/// Whether a program that ended in time had used more CPU time than it may.
fn over_cpu(observed: &Observed, limits: &Limits) -> bool {
    observed.cpu.zip(limits.cpu).is_some_and(|(used, limit)| used > limit)
}

fn too_busy(limits: &Limits) -> String {
    let limit = limits.cpu.map_or(0, |limit| limit.as_millis());
    format!("more than {limit} ms of CPU time")
}

fn too_much(limits: &Limits) -> String {
    format!("more than {} bytes of output", limits.answer_bytes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Judges `end` with `stdout` under a limit of 4 bytes and 5 seconds.
    fn verdict(end: End, stdout: &str) -> Answer {
        let cpu = Some(Duration::from_secs(2));
        let limits = Limits { answer_bytes: 4, cpu, ..Limits::default() };
        let mut observed = Observed::nothing(end, Duration::from_millis(3));
        observed.stdout = stdout.into();
        judge(&observed, &limits)
    }

    fn stopped(by: Stop, detail: &str, output: &str) -> Answer {
        Answer::Stopped { by, detail: detail.into(), output: output.into() }
    }

    #[test]
    fn a_clean_exit_hands_over_whatever_was_printed() {
        for text in ["7S\n", "", "\n", "\0\u{7f}", "four"] {
            for end in [End::Exited(0), End::Answered] {
                assert_eq!(verdict(end, text), Answer::Output(text.into()), "{text:?}");
            }
        }
    }

    #[test]
    fn everything_else_is_charged_to_the_program() {
        let much = "more than 4 bytes of output";
        let late = "no exit within 5000 ms";
        let table = [
            (End::Exited(1), "", Stop::Crash, "exit 1", ""),
            (End::Exited(1), "7S\n", Stop::Crash, "exit 1", "7S\n"),
            (End::Exited(-7), "", Stop::Crash, "exit -7", ""),
            (End::Exited(0), "12345", Stop::OutputLimit, much, "1234"),
            (End::Exited(1), "12345", Stop::OutputLimit, much, "1234"),
            (End::Signalled(9), "12345", Stop::OutputLimit, much, "1234"),
            (End::OutputLimit, "12345", Stop::OutputLimit, much, "1234"),
            (End::Deadline, "", Stop::Timeout, late, ""),
            (End::Deadline, "7S", Stop::Timeout, late, "7S"),
            (End::Deadline, "12345", Stop::Timeout, late, "1234"),
            (End::Silence, "7S", Stop::Timeout, "no line within 5000 ms", "7S"),
            (End::Answered, "12345", Stop::OutputLimit, much, "1234"),
            (End::Left, "7S", Stop::Crash, "exit 0 before the game was over", "7S"),
            (End::Awake, "", Stop::Crash, "it computed while others had their turns", ""),
            (End::Unasked, "7S\n", Stop::Unasked, Stop::UNASKED, "7S\n"),
            (End::CpuLimit, "7S", Stop::Timeout, "more than 2000 ms of CPU time", "7S"),
            (End::MemoryLimit, "7S", Stop::Memory, "more than 1073741824 bytes of memory", "7S"),
            (End::Traced, "7S", Stop::Crash, "a process that it has left traces it", "7S"),
            (End::ProcessLimit, "", Stop::Crash, "more than 256 processes and threads", ""),
            (End::NotStarted("no such file".into()), "", Stop::StartFailed, "no such file", ""),
        ];
        for (end, printed, by, detail, output) in table {
            let case = format!("{end:?} after {printed:?}");
            assert_eq!(verdict(end, printed), stopped(by, detail, output), "{case}");
        }
    }

    #[test]
    fn cpu_time_counts_even_where_the_program_ended_in_time() {
        let limits = Limits { cpu: Some(Duration::from_secs(2)), ..Limits::default() };
        let mut observed = Observed::nothing(End::Exited(0), Duration::from_secs(3));
        observed.stdout = b"7S".into();
        observed.cpu = limits.cpu;
        assert_eq!(judge(&observed, &limits), Answer::Output(b"7S".into()));
        observed.cpu = Some(Duration::from_millis(2001));
        let busy = stopped(Stop::Timeout, "more than 2000 ms of CPU time", "7S");
        assert_eq!(judge(&observed, &limits), busy);
    }

    #[cfg(unix)]
    #[test]
    fn a_signal_of_somebody_else_is_a_crash_and_marked() {
        let foreign = "signal 9 (SIGKILL), not sent by the referee";
        assert_eq!(verdict(End::Signalled(9), "7S"), stopped(Stop::Crash, foreign, "7S"));
        let own = "signal 11 (SIGSEGV)";
        assert_eq!(verdict(End::Signalled(11), ""), stopped(Stop::Crash, own, ""));
    }

    #[test]
    fn a_fault_of_ours_charges_nobody() {
        let why = "cannot start `/bot`: too many open files";
        assert_eq!(verdict(End::Fault(why.into()), "12345"), Answer::Void(why.into()));
    }
}
