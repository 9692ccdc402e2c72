//! The check's report on every way in which `faulty` misbehaves.

use std::process::Command;

use tests::bench::Bench;
use tests::check::{fails, judged, passes};

/// The required result for a mode of `faulty`.
enum Want {
    Passes,
    /// It passes where it can write what it has seen, which an isolated bot cannot.
    PassesOpen,
    /// A step fails that names this fault.
    Fails(&'static str),
    /// A step fails because the time is up.
    TimesOut,
    /// It takes a second for every answer.
    IsSlow,
}

use Want::{Fails, IsSlow, Passes, PassesOpen, TimesOut};

impl Want {
    fn hold(&self, words: &str) {
        let bench = Bench::new();
        let words = words.replace("FOLDER", &bench.folder().display().to_string());
        let bot = format!("bot={}", bench.faulty(&words));
        match self {
            Passes => drop(passes(&bench, &["--games", "2", &bot])),
            PassesOpen => drop(passes(&bench, &["--isolation", "off", "--games", "2", &bot])),
            Fails(fault) => drop(fails(&bench, &["--games", "20", &bot], fault)),
            TimesOut => {
                let words = ["check", "--game", "tablic", "--time-limit", "250ms", &bot];
                let ended = judged(&bench, &words);
                assert_eq!(ended.code, Some(5), "{ended:?}");
                let fault = "FAILED   tablic first-move         timeout: no exit within 250 ms\n";
                assert!(ended.stdout.contains(fault), "{}", ended.stdout);
                assert!(ended.stdout.contains("\nwarning  time  "), "{}", ended.stdout);
            }
            IsSlow => drop(passes(&bench, &["--games", "0", &bot])),
        }
    }
}

/// Makes of every mode a test, and of all of them the list.
macro_rules! modes {
    ($($name:ident: $words:literal => $want:expr;)*) => {
        const MODES: &[&str] = &[$($words),*];

        mod mode {
            use super::*;
            $(#[test] fn $name() { $want.hold($words) })*
        }
    };
}

modes! {
    ok: "ok" => Passes;
    silent: "silent" => Fails("no-answer: nothing was printed");
    exit_1: "exit-1" => Fails("crash: exit 1");
    answer_exit_3: "answer-exit-3" => Fails("crash: exit 3");
    answer_segv: "answer-segv" => Fails("crash: signal 11 (SIGSEGV)");
    answer_abort: "answer-abort" => Fails("crash: signal 6 (SIGABRT)");
    unasked: "unasked 2C" => Fails("illegal: 2C is not in the hand");
    close_stdin: "close-stdin 2C" => Fails("illegal: 2C is not in the hand");
    never_read: "never-read 2C" => Fails("illegal: 2C is not in the hand");
    never_read_hang: "never-read-hang" => TimesOut;
    sleep: "sleep" => TimesOut;
    burn: "burn" => TimesOut;
    trickle: "trickle" => TimesOut;
    no_newline: "no-newline" => Passes;
    stay_alive: "stay-alive" => TimesOut;
    half_line: "half-line" => TimesOut;
    crlf: "crlf" => Passes;
    blanks: "blanks" => Passes;
    bom: "bom" => Fails("malformed: expected printable ASCII, found byte 0xef at place 0");
    nul: "nul" => Fails("malformed: expected printable ASCII, found byte 0x00");
    escapes: "escapes" => Fails("malformed: expected printable ASCII, found byte 0x1b");
    bad_utf8: "bad-utf8" => Fails("malformed: expected printable ASCII, found byte 0xff");
    empty_line: "empty-line" => Fails("malformed: expected a move, found an empty line");
    only_blanks: "only-blanks" => Fails("malformed: expected a move, found an empty line");
    two_answers: "two-answers" => Fails("malformed: expected one line, found more");
    junk_after: "junk-after" => Fails("malformed: expected one line, found more");
    other_case: "other-case" => Passes;
    no_such_card: "no-such-card" => Fails("malformed: expected a card, found `1Z`");
    stale: "stale" => Fails("is not in the hand");
    not_held: "not-held" => Fails("is not in the hand");
    bad_sum: "bad-sum" => Fails("no split into groups that each sum to");
    not_there: "not-there" => Fails("illegal: not on the table");
    long_line: "long-line" => Fails("output-limit: more than 4096 bytes of output");
    huge_line: "huge-line" => Fails("output-limit: more than 4096 bytes of output");
    flood: "flood" => Fails("output-limit: more than 4096 bytes of output");
    flood_lines: "flood-lines" => Fails("output-limit: more than 4096 bytes of output");
    stderr_flood: "stderr-flood" => TimesOut;
    stderr_mib: "stderr-mib" => Passes;
    stderr_words: "stderr-words" => Passes;
    close_stdout: "close-stdout" => TimesOut;
    ignore_signals: "ignore-signals" => TimesOut;
    stop: "stop" => TimesOut;
    hang_with_child: "hang-with-child" => TimesOut;
    hang_with_daemon: "hang-with-daemon" => TimesOut;
    child: "child" => Passes;
    daemon: "daemon" => Passes;
    double_fork: "double-fork" => Passes;
    daemon_writes: "daemon-writes" => Passes;
    thread_bomb: "thread-bomb" => Fails("crash: more than 256 processes and threads");
    work: "work 1" => Passes;
    sparse_file: "sparse-file" => Fails("crash: signal 25 (SIGXFSZ)");
    write_to_others: "write-to-others" => Passes;
    write_home: "write-home" => Passes;
    echo: "echo" => Passes;
    terminal: "terminal" => Passes;
    wants_more: "wants-more" => Passes;
    killed: "killed" => Fails("crash: signal 9 (SIGKILL), not sent by the referee");
    spy: "spy 'FOLDER'" => PassesOpen;
    slow_start: "slow-start" => IsSlow;
    only_on: "only-on 7 1 exit-1" => Fails("game 2 of 20, seat 1, crash: exit 1");
    as_daemon: "as-daemon" => TimesOut;
    watchdog: "watchdog" => Fails("crash: exit 2");
    killer: "killer" => Fails("crash: exit 2");
}

/// Modes for matches of their own: they turn against the referee, the machine or their own program,
/// need a second bot, or are a part of another mode.
const OTHERS: &[&str] = &[
    "kill-referee",
    "kill-everybody",
    "starve-parent",
    "fork-bomb",
    "fork-bomb-setsid",
    "as-bomb",
    "as-free-bomb",
    "allocate",
    "memory-files",
    "socket-buffers",
    "burn-apart",
    "burn-a-while",
    "burn-unwaited",
    "burn-one-by-one",
    "burn-orphans",
    "start-until-refused",
    "huge-file",
    "many-files",
    "litter",
    "spoil",
    "replace-self",
    "renew-self",
    "delete-self",
    "on-call",
    "until-called",
    "on-terminal",
    "endure",
    "resign",
    "as-forker",
    "as-writer",
    "replace-by",
    "stop-parent",
    "close-self",
    "as-waker",
];

#[test]
fn no_mode_is_missing() {
    let listed = Command::new(Bench::new().program("faulty")).arg("--list").output();
    let listed = String::from_utf8(listed.expect("it starts").stdout).expect("text");
    let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let modes: Vec<String> = MODES.iter().map(|words| first(words)).collect();
    for mode in listed.lines().map(first) {
        let is_here = modes.contains(&mode) || OTHERS.contains(&mode.as_str());
        assert!(is_here, "no check of the mode `{mode}`");
    }
}
