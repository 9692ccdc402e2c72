//! Causes and their texts, which are read back.

use proptest::prelude::*;
use proptest::sample::select;
use rules::{FailureCause, Signal, SignalName, StopCause, Verdict, VoidCause};

/// Any cause whose text is not left to others.
fn own() -> impl Strategy<Value = FailureCause> {
    let name = prop_oneof![Just(None), select(&SignalName::ALL[..]).prop_map(Some)];
    let signal = (any::<i32>(), name).prop_map(|(number, name)| Signal { number, name });
    let number = || prop_oneof![0..3_u64, any::<u64>()];
    let stop = prop_oneof![
        number().prop_map(StopCause::NoExit),
        number().prop_map(StopCause::NoLine),
        number().prop_map(StopCause::GameTime),
        number().prop_map(StopCause::CpuTime),
        number().prop_map(StopCause::Output),
        number().prop_map(StopCause::Memory),
        number().prop_map(StopCause::Processes),
        any::<i32>().prop_map(StopCause::Exit),
        signal.prop_map(StopCause::Signal),
        select(vec![StopCause::Left, StopCause::Awake, StopCause::Traced, StopCause::Unasked]),
    ];
    prop_oneof![1 => Just(FailureCause::Void(VoidCause::Stopped)), 9 => stop.prop_map(FailureCause::Stopped), 1 => "\\PC*".prop_map(|name| FailureCause::Void(VoidCause::Left(name)))]
}

/// A line that says anything, often what a cause says or almost that.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        own().prop_map(|cause| cause.to_string()),
        (own(), "[ .0x]").prop_map(|(cause, more)| format!("{cause}{more}")),
        "(exit|signal|more than|no line within) [-+]?0?[0-9]{1,22}( ms| bytes of memory)?",
        "\\PC*",
    ]
}

fn any_cause() -> impl Strategy<Value = FailureCause> {
    let free = line().prop_flat_map(|line| {
        let told = [
            FailureCause::Stopped(StopCause::NotStarted(line.clone())),
            FailureCause::Void(VoidCause::worded(line)),
        ];
        select(told.to_vec())
    });
    let read = (select(&Verdict::ALL[..]), line())
        .prop_filter_map("a verdict of no cause", |(verdict, line)| {
            FailureCause::from_text(verdict, &line)
        });
    prop_oneof![2 => own(), 1 => free, 1 => read]
}

proptest! {
    #[test]
    fn the_text_of_a_cause_is_read_as_that_cause(cause in any_cause()) {
        prop_assert_eq!(FailureCause::from_text(cause.verdict(), &cause.to_string()), Some(cause));
    }

    #[test]
    fn a_cause_that_was_read_has_the_text_it_was_read_from(
        verdict in select(&Verdict::ALL[..]), line in line()
    ) {
        if let Some(cause) = FailureCause::from_text(verdict, &line) {
            prop_assert_eq!((cause.verdict(), cause.to_string()), (verdict, line));
        }
    }
}

/// The texts are in logs that verify for ever.
#[test]
fn causes_are_worded_as_in_the_first_logs() {
    let signal =
        |number, name| StopCause::Signal(Signal { number, name: SignalName::from_name(name) });
    let table = [
        (Verdict::Timeout, "no exit within 5000 ms", StopCause::NoExit(5000)),
        (Verdict::Timeout, "no line within 5000 ms", StopCause::NoLine(5000)),
        (
            Verdict::Timeout,
            "its time for the game was used up: 340 ms were left for this answer",
            StopCause::GameTime(340),
        ),
        (Verdict::Timeout, "more than 2000 ms of CPU time", StopCause::CpuTime(2000)),
        (Verdict::OutputLimit, "more than 4096 bytes of output", StopCause::Output(4096)),
        (Verdict::Memory, "more than 1073741824 bytes of memory", StopCause::Memory(1 << 30)),
        (Verdict::Crash, "more than 1 process or thread", StopCause::Processes(1)),
        (Verdict::Crash, "more than 256 processes and threads", StopCause::Processes(256)),
        (Verdict::Crash, "exit -7", StopCause::Exit(-7)),
        (Verdict::Crash, "exit 0 before the game was over", StopCause::Left),
        (Verdict::Crash, "it computed while others had their turns", StopCause::Awake),
        (Verdict::Crash, "a process that it has left traces it", StopCause::Traced),
        (Verdict::Crash, "signal 11 (SIGSEGV)", signal(11, "SIGSEGV")),
        (Verdict::Crash, "signal 10 (SIGBUS)", signal(10, "SIGBUS")),
        (Verdict::Crash, "signal 9 (SIGKILL), not sent by the referee", signal(9, "SIGKILL")),
        (Verdict::Crash, "signal 25 (SIGXFSZ), a file grew above its limit", signal(25, "SIGXFSZ")),
        (Verdict::Crash, "signal 24 (SIGXCPU), above the limit of CPU time", signal(24, "SIGXCPU")),
        (Verdict::Crash, "signal 99, not sent by the referee", signal(99, "")),
        (Verdict::Malformed, "printed before it was asked", StopCause::Unasked),
        (Verdict::StartFailed, "exit 1", StopCause::NotStarted("exit 1".to_owned())),
    ];
    for (verdict, text, stop) in table {
        assert_eq!((stop.verdict(), stop.to_string().as_str()), (verdict, text));
        assert_eq!(
            FailureCause::from_text(verdict, text),
            Some(FailureCause::Stopped(stop)),
            "{text}"
        );
    }
    for (text, void) in [
        ("ann left the game", VoidCause::Left("ann".to_owned())),
        ("the rules failed: exit 1", VoidCause::Rules("exit 1".to_owned())),
        ("the rules were ended: signal 9", VoidCause::RulesEnded("signal 9".to_owned())),
    ] {
        assert_eq!(void.to_string(), text);
        assert_eq!(FailureCause::from_text(Verdict::Void, text), Some(FailureCause::Void(void)));
    }
}

/// A text that is nearly the text of a cause is only shown.
#[test]
fn other_wordings_are_no_known_cause() {
    for (verdict, text) in [
        (Verdict::Crash, "exit 01"),
        (Verdict::Crash, "exit +1"),
        (Verdict::Crash, "exit 1 "),
        (Verdict::Crash, "exit 4294967296"),
        (Verdict::Crash, "signal 9 (SIGKILL)"),
        (Verdict::Crash, "signal 11 (SIGSEGV), not sent by the referee"),
        (Verdict::Crash, "more than 2 process or thread"),
        (Verdict::Crash, "no exit within 5000 ms"),
        (Verdict::Timeout, "exit 1"),
        (Verdict::Memory, "more than 1 bytes of output"),
    ] {
        let cause = FailureCause::from_text(verdict, text);
        assert!(
            matches!(cause, Some(FailureCause::Stopped(StopCause::Worded(_)))),
            "{text}: {cause:?}"
        );
    }
    for verdict in [Verdict::Ok, Verdict::Illegal, Verdict::Malformed, Verdict::NoAnswer] {
        assert_eq!(FailureCause::from_text(verdict, "exit 1"), None);
    }
    let said = "ann left the game";
    assert_eq!(
        VoidCause::worded(said).to_string(),
        "ann left the game.",
        "the machine is no person"
    );
}

/// A game whose bot was ended by others is played again in a tournament.
#[test]
fn only_signals_of_others_are_foreign() {
    let is_foreign = |name: &str| {
        let signal = Signal { number: 1, name: SignalName::from_name(name) };
        (signal.is_foreign(), StopCause::Signal(signal).is_foreign())
    };
    for name in ["SIGKILL", "SIGTERM", "SIGSTOP", "none of these"] {
        assert_eq!(is_foreign(name), (true, true), "{name}");
    }
    for name in ["SIGSEGV", "SIGSYS", "SIGXFSZ", "SIGXCPU"] {
        assert_eq!(is_foreign(name), (false, false), "{name}");
    }
    assert!(!StopCause::Exit(137).is_foreign());
}
