//! A pure function from what was seen of a call to the answer for the referee.

use std::time::Duration;

use rules::{Answer, Signal, SignalName, StopCause, VoidCause};

use sandbox::{CallEnd, Limits, Observation, signal_name};

/// Judges an observed call.
///
/// An answer counts only from a clean exit within the limits. Whether its bytes are a move is not
/// decided here. Too much output is charged as such, no matter how the program ended afterwards;
/// only a program whose time was up is charged with the time. A fault of the referee or the machine
/// is [`Answer::Void`] and charges no one.
pub fn judge(observed: Observation, limits: &Limits) -> Answer {
    let flooded = observed.stdout.len() > limits.answer_bytes;
    let is_over_cpu = over_cpu(&observed, limits);
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let cpu_time = || StopCause::CpuTime(limits.cpu.map_or(0, ms));
    let much = || StopCause::Output(limits.answer_bytes as u64);
    let by = match observed.end {
        CallEnd::Fault(why) => return Answer::Void(VoidCause::worded(why)),
        CallEnd::Left => StopCause::Left,
        CallEnd::Awake => StopCause::Awake,
        CallEnd::Unasked => StopCause::Unasked,
        CallEnd::NotStarted(why) => StopCause::NotStarted(why),
        CallEnd::Deadline => StopCause::NoExit(ms(limits.time)),
        CallEnd::Silence => StopCause::NoLine(ms(limits.time)),
        CallEnd::CpuLimit => cpu_time(),
        CallEnd::Traced => StopCause::Traced,
        CallEnd::MemoryLimit => StopCause::Memory(limits.memory),
        CallEnd::ProcessLimit => StopCause::Processes(limits.processes.into()),
        CallEnd::OutputLimit => much(),
        CallEnd::Answered | CallEnd::Exited(_) | CallEnd::Signalled(_) if is_over_cpu => cpu_time(),
        CallEnd::Answered | CallEnd::Exited(_) | CallEnd::Signalled(_) if flooded => much(),
        CallEnd::Answered | CallEnd::Exited(0) => return Answer::Output(observed.stdout),
        CallEnd::Exited(code) => StopCause::Exit(code),
        CallEnd::Signalled(number) => StopCause::Signal(signal(number)),
    };
    let mut output = observed.stdout;
    output.truncate(limits.answer_bytes);
    Answer::Stopped { by, output }
}

fn signal(number: i32) -> Signal {
    Signal { number, name: signal_name(number).and_then(SignalName::from_name) }
}

/// Returns true if a program that ended in time had used more CPU time than it may.
fn over_cpu(observed: &Observation, limits: &Limits) -> bool {
    observed.cpu.zip(limits.cpu).is_some_and(|(used, limit)| used > limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Judges `end` with `stdout` under a limit of 4 bytes and 5 seconds.
    fn verdict(end: CallEnd, stdout: &str) -> Answer {
        let cpu = Some(Duration::from_secs(2));
        let limits = Limits { answer_bytes: 4, cpu, ..Limits::default() };
        let mut observed = Observation::without_output(end, Duration::from_millis(3));
        observed.stdout = stdout.into();
        judge(observed, &limits)
    }

    fn stopped(by: StopCause, output: &str) -> Answer {
        Answer::Stopped { by, output: output.into() }
    }

    #[test]
    fn a_clean_exit_hands_over_whatever_was_printed() {
        for text in ["7S\n", "", "\n", "\0\u{7f}", "four"] {
            for end in [CallEnd::Exited(0), CallEnd::Answered] {
                assert_eq!(verdict(end, text), Answer::Output(text.into()), "{text:?}");
            }
        }
    }

    #[test]
    fn everything_else_is_charged_to_the_program() {
        let (much, late) = (StopCause::Output(4), StopCause::NoExit(5000));
        let table = [
            (CallEnd::Exited(1), "", StopCause::Exit(1), ""),
            (CallEnd::Exited(1), "7S\n", StopCause::Exit(1), "7S\n"),
            (CallEnd::Exited(-7), "", StopCause::Exit(-7), ""),
            (CallEnd::Exited(0), "12345", much.clone(), "1234"),
            (CallEnd::Exited(1), "12345", much.clone(), "1234"),
            (CallEnd::Signalled(9), "12345", much.clone(), "1234"),
            (CallEnd::OutputLimit, "12345", much.clone(), "1234"),
            (CallEnd::Deadline, "", late.clone(), ""),
            (CallEnd::Deadline, "7S", late.clone(), "7S"),
            (CallEnd::Deadline, "12345", late, "1234"),
            (CallEnd::Silence, "7S", StopCause::NoLine(5000), "7S"),
            (CallEnd::Answered, "12345", much, "1234"),
            (CallEnd::Left, "7S", StopCause::Left, "7S"),
            (CallEnd::Awake, "", StopCause::Awake, ""),
            (CallEnd::Unasked, "7S\n", StopCause::Unasked, "7S\n"),
            (CallEnd::CpuLimit, "7S", StopCause::CpuTime(2000), "7S"),
            (CallEnd::MemoryLimit, "7S", StopCause::Memory(1 << 30), "7S"),
            (CallEnd::Traced, "7S", StopCause::Traced, "7S"),
            (CallEnd::ProcessLimit, "", StopCause::Processes(256), ""),
            (
                CallEnd::NotStarted("no such file".into()),
                "",
                StopCause::NotStarted("no such file".into()),
                "",
            ),
        ];
        for (end, printed, by, output) in table {
            let case = format!("{end:?} after {printed:?}");
            assert_eq!(verdict(end, printed), stopped(by, output), "{case}");
        }
    }

    #[test]
    fn cpu_time_counts_even_where_the_program_ended_in_time() {
        let limits = Limits { cpu: Some(Duration::from_secs(2)), ..Limits::default() };
        let mut observed = Observation::without_output(CallEnd::Exited(0), Duration::from_secs(3));
        observed.stdout = b"7S".into();
        observed.cpu = limits.cpu;
        assert_eq!(judge(observed.clone(), &limits), Answer::Output(b"7S".into()));
        observed.cpu = Some(Duration::from_millis(2001));
        assert_eq!(judge(observed, &limits), stopped(StopCause::CpuTime(2000), "7S"));
    }

    #[cfg(unix)]
    #[test]
    fn a_signal_of_somebody_else_is_a_crash_and_marked() {
        for (number, text) in [
            (9, "signal 9 (SIGKILL), not sent by the referee"),
            (11, "signal 11 (SIGSEGV)"),
            (99, "signal 99, not sent by the referee"),
        ] {
            let Answer::Stopped { by, .. } = verdict(CallEnd::Signalled(number), "7S") else {
                panic!("signal {number} is no stop");
            };
            assert_eq!(by.to_string(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn logs_name_every_signal_that_the_sandbox_names() {
        let named = (1..64).filter_map(|number| Some((signal_name(number)?, signal(number))));
        let unknown: Vec<_> = named.filter(|(_, signal)| signal.name.is_none()).collect();
        assert_eq!(unknown, []);
    }

    #[test]
    fn a_fault_of_ours_charges_nobody() {
        let why = "cannot start `/bot`: too many open files";
        let void = Answer::Void(VoidCause::worded(why));
        assert_eq!(verdict(CallEnd::Fault(why.into()), "12345"), void);
    }
}
