//! The check's report on ways in which `faulty` misbehaves.

use std::sync::Mutex;
use std::thread;

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
            Fails(fault) => drop(fails(&bench, &["--games", "2", &bot], fault)),
            TimesOut => {
                let words = ["check", "--game", "tablic", "--time-limit", "250ms", &bot];
                let ended = judged(&bench, &words).with_code(5);
                let fault = "FAILED   tablic first-move         timeout: no exit within 250 ms\n";
                assert!(ended.stdout.contains(fault), "{}", ended.stdout);
                assert!(ended.stdout.contains("\nwarning  time  "), "{}", ended.stdout);
            }
            IsSlow => drop(passes(&bench, &["--games", "0", &bot])),
        }
    }
}

/// A mode for each verdict, and for each thing that is no fault.
const MODES: [(&str, Want); 25] = [
    ("silent", Fails("no-answer: nothing was printed")),
    ("answer-exit-3", Fails("crash: exit 3")),
    ("answer-segv", Fails("crash: signal 11 (SIGSEGV)")),
    ("killed", Fails("crash: signal 9 (SIGKILL), not sent by the referee")),
    ("thread-bomb", Fails("crash: more than 256 processes and threads")),
    ("sparse-file", Fails("crash: signal 25 (SIGXFSZ)")),
    ("only-on 7 1 exit-1", Fails("game 2 of 2, seat 1, crash: exit 1")),
    ("close-stdin 2C", Fails("illegal: 2C is not in the hand")),
    ("bad-sum", Fails("no split into groups that each sum to")),
    ("bom", Fails("malformed: expected printable ASCII, found byte 0xef at place 0")),
    ("only-blanks", Fails("malformed: expected a move, found an empty line")),
    ("junk-after", Fails("malformed: expected one line, found more")),
    ("no-such-card", Fails("malformed: expected a card, found `1Z`")),
    ("huge-line", Fails("output-limit: more than 4096 bytes of output")),
    ("trickle", TimesOut),
    ("half-line", TimesOut),
    ("stop", TimesOut),
    ("ok", Passes),
    ("crlf", Passes),
    ("other-case", Passes),
    ("stderr-mib", Passes),
    ("double-fork", Passes),
    ("wants-more", Passes),
    ("spy 'FOLDER'", PassesOpen),
    ("slow-start", IsSlow),
];

/// The verdicts on all modes are those of `misbehaviour::faults`.
#[test]
fn faults_are_reported() {
    let left = Mutex::new(MODES.iter());
    // Several at once, since many of them wait.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((words, want)) = { left.lock().expect("no other failed").next() } {
                    want.hold(words);
                }
            });
        }
    });
}
