//! The table: what a bot does, and what must come of it.

use serde_json::{Value, json};

use super::case::{
    Case, LONG, fault, illegal, knowing, made, made_fault, malformed, ok, refused, timeout,
};
use super::{files, start, taker};
use crate::keeping::Keeping;
use crate::log;

const FLOOD: (&str, &str) = ("output-limit", "more than 4096 bytes of output");
const PROCESSES: (&str, &str) = ("crash", "more than 256 processes and threads");
const MEMORY: (&str, &str) = ("memory", "more than 134217728 bytes of memory");
const ABORT: (&str, &str) = ("crash", "SIGABRT");
const FILE: (&str, &str) = ("crash", "SIGXFSZ");
const KILLED: (&str, &str) = ("crash", "signal 9 (SIGKILL), not sent by the referee");

/// Why a bot that isolation stops is not stopped where namespaces are refused.
const NUMBER: &str = "only the layer of files limits how many there are";
const RIGHTS: &str = "Landlock leaves rights to the owner of a file";

/// Far below the life of a process that is left behind: who waits for one has waited too long.
const AT_ONCE: f64 = 30_000.0;

macro_rules! rows {
    (; $($name:ident: $case:expr;)*) => {
        /// All cases, in the order of their rows.
        pub fn cases() -> Vec<Case> {
            vec![$($case),*]
        }

        /// Each case by its name.
        #[expect(missing_docs, reason = "the case says what it is")]
        pub mod row {
            use super::*;
            $(pub fn $name() -> Case { $case })*
        }
    };
}

/// A test of each case: `each_fault!(fault_tests under(KEEPING))` in a module of its own.
#[macro_export]
macro_rules! fault_tests {
    ($check:ident($keeping:expr); $($name:ident: $case:expr;)*) => {
        $(#[test] fn $name() { $crate::faults::$check($keeping, &$crate::faults::row::$name()); })*
    };
}

/// Gives some words and then all cases with their names to a macro.
#[macro_export]
macro_rules! each_fault {
    ($tests:ident $($words:tt)*) => {
        $tests! {
            $($words)*;
            missing: refused(1, "is missing", start::missing, "not found");
            not_on_path: refused(1, "is not on PATH", start::not_on_path, "not found");
            not_executable: refused(1, "is not executable", start::not_executable, "not executable");
            folder: refused(1, "is a folder", start::folder, "is a folder");
            bad_shebang:
                refused(1, "names no interpreter after `#!`", start::bad_shebang, "interpreter");
            architecture:
                refused(1, "is for another architecture", start::architecture, "another architecture");
            no_shebang: refused(1, "is text without `#!`", start::no_shebang, "no `#!` line");
            empty: refused(1, "is an empty file", start::empty, "no `#!` line");

            silent: fault(2, "exits 0 at once, silent", "silent", ("no-answer", "nothing was printed"));
            exit_1: fault(3, "exits 1 at once, silent", "exit-1", ("crash", "exit 1"));
            answer_exit_3: fault(4, "answers, then exits 3", "answer-exit-3", ("crash", "exit 3"))
                .also(has_printed);
            answer_segv:
                fault(4, "answers, then dies of SIGSEGV", "answer-segv", ("crash", "SIGSEGV"))
                    .also(has_printed);
            answer_abort:
                fault(4, "answers, then dies of SIGABRT", "answer-abort", ("crash", "SIGABRT"))
                    .also(has_printed);

            unasked: knowing(5, "answers and exits without reading", "unasked");
            close_stdin: knowing(6, "closes stdin, answers later", "close-stdin");
            never_read: knowing(7, "never reads, answers later", "never-read");
            never_read_hang: timeout(7, "never reads, never answers", "never-read-hang");

            sleep: timeout(8, "sleeps past the limit", "sleep");
            burn: timeout(9, "burns CPU time past the limit", "burn");
            burn_unwaited: fault(9, "has children whose ends it ignores burn CPU time", "burn-unwaited", ("timeout", "more than 500 ms of CPU time"))
                .with(&["--cpu-limit", "500ms"]).anything_if_portable();
            burn_orphans: fault(9, "has daemons burn CPU time", "burn-orphans", ("timeout", "more than 500 ms of CPU time"))
                .with(&["--cpu-limit", "500ms"]).anything_if_portable();
            trickle: timeout(10, "prints one byte every 100 ms", "trickle");
            no_newline: ok(11, "answers without a newline", "no-newline");
            stay_alive: timeout(12, "answers, then lives on", "stay-alive");
            half_line: fault(13, "prints half a line, hangs", "half-line", ("timeout", "3000 ms"))
                .within(LONG)
                .also(has_printed);

            crlf: ok(14, "ends its line with CR LF", "crlf");
            blanks: ok(14, "puts blanks around its answer", "blanks");
            byte_order_mark: malformed(15, "begins with a byte-order mark", "bom", "0xef at place 0");
            nul: malformed(15, "prints a NUL", "nul", "byte 0x00");
            escapes: malformed(15, "prints escape sequences", "escapes", "byte 0x1b at place 0");
            bad_utf8: malformed(15, "prints bad UTF-8", "bad-utf8", "byte 0xff");
            empty_line: malformed(16, "prints an empty line", "empty-line", "an empty line");
            only_blanks: malformed(16, "prints blanks only", "only-blanks", "an empty line");
            two_answers: malformed(17, "gives two answers", "two-answers", "one line, found more");
            junk_after: malformed(17, "prints junk after its answer", "junk-after", "found more");
            junk_later: malformed(
                    17,
                    "gives two answers as its second move",
                    "only-on 2 0 two-answers",
                    "one line, found more",
                );
            other_case: ok(18, "swaps the letter case", "other-case");
            no_such_rank: malformed(18, "plays a rank that does not exist", "ok 1S", "found `1S`");
            no_such_suit: malformed(18, "plays a suit that does not exist", "ok 7Z", "found `7Z`");
            no_such_capture:
                malformed(18, "captures a card that does not exist", "ok '7S 1Z'", "found `1Z`");
            no_card_at_all: malformed(18, "prints no card at all", "ok pass", "found `pass`");

            stale: illegal(19, "repeats its last move", "stale", "is not in the hand");
            not_held: illegal(19, "plays a card that it does not hold", "not-held", "not in the hand");
            bad_sum: illegal(
                    19,
                    "captures what does not add up",
                    "bad-sum",
                    "no split into groups that each sum to",
                );
            not_there: illegal(
                    19,
                    "captures a card that is not on the table",
                    "not-there",
                    "not on the table",
                );

            long_line: fault(20, "prints a line of 131070 characters", "long-line", FLOOD)
                .also(is_cut_at_the_cap);
            huge_line: fault(20, "prints a line of 10 MiB", "huge-line", FLOOD).also(is_cut_at_the_cap);
            flood: fault(21, "prints for ever without a newline", "flood", FLOOD)
                .also(is_cut_at_the_cap);
            flood_lines: fault(21, "prints newlines for ever", "flood-lines", FLOOD)
                .also(is_cut_at_the_cap);
            stderr_flood: timeout(22, "writes to stderr for ever", "stderr-flood").also(keeps_its_cap);
            stderr_mib: ok(22, "writes 1 MiB to stderr, then answers", "stderr-mib")
                .also(keeps_its_cap)
                .also(counts_what_it_dropped);
            stderr_words:
                ok(23, "writes the referee's words to stderr", "stderr-words").also(keeps_what_was_said);

            close_stdout: timeout(24, "closes stdout and sleeps", "close-stdout");
            ignore_signals:
                timeout(25, "ignores SIGTERM, SIGINT and SIGHUP and sleeps", "ignore-signals")
                    .kept_differently();

            stop: timeout(26, "stops itself", "stop")
                    .kept_differently();
            child: ok(27, "answers and exits while a child keeps stdout", "child").also(is_at_once)
                    .kept_differently();
            daemon: ok(28, "answers and exits while a daemon keeps stdout", "only-on 2 0 daemon")
                .also(tells_escape).anything_if_portable();
            double_fork: ok(28, "the same with a double fork", "only-on 2 0 double-fork")
                .also(tells_escape).anything_if_portable();
            daemon_writes:
                ok(29, "leaves a daemon that writes to later moves", "only-on 2 0 daemon-writes")
                    .also(is_not_written_to).anything_if_portable();

            fork_bomb: fault(30, "is a fork bomb", "only-on 2 0 fork-bomb", PROCESSES).then_a_good_game().late_if_portable();
            fork_bomb_setsid:
                fault(30, "is a fork bomb of daemons", "only-on 2 0 fork-bomb-setsid", PROCESSES)
                    .then_a_good_game().late_if_portable();
            thread_bomb: fault(30, "is a thread bomb", "only-on 2 0 thread-bomb", PROCESSES).then_a_good_game().late_if_portable();
            headless_processes: made_fault(30, "starts too many processes after its first thread has ended", taker::headless_processes, PROCESSES)
                .after(0).late_if_portable();
            allocate: fault(31, "allocates without bound", "only-on 2 0 allocate", MEMORY)
                .with(&["--memory", "bad=128MiB"])
                .then_a_good_game().late_if_portable();
            memory_files: fault(31, "takes memory in files that are not mapped", "only-on 2 0 memory-files", MEMORY)
                .with(&["--memory", "bad=128MiB"])
                .then_a_good_game().late_if_portable();
            socket_buffers: fault(31, "takes memory in the buffers of sockets", "only-on 2 0 socket-buffers", MEMORY)
                .with(&["--memory", "bad=128MiB"])
                .then_a_good_game().late_if_portable();
            headless_memory: made_fault(31, "allocates without bound after its first thread has ended", taker::headless_memory, MEMORY)
                .with(&["--memory", "bad=128MiB"])
                .after(0).late_if_portable();
            headless_files: made_fault(31, "takes memory in files that are not mapped after its first thread has ended", taker::headless_files, MEMORY)
                .with(&["--memory", "bad=128MiB"])
                .after(0).late_if_portable();
            descriptors: made_fault(31, "has more open files than its keeper looks at", taker::descriptors, MEMORY)
                .with(&["--memory", "bad=128MiB"])
                .after(0).late_if_portable();
            allocate_addresses:
                fault(31, "allocates more than its address space", "only-on 2 0 allocate", ABORT)
                    .with(&["--address-space", "bad=512MiB"])
                    .then_a_good_game().late_if_portable();
            huge_file: fault(32, "writes one huge file", "only-on 2 0 huge-file", FILE)
                .then_a_good_game()
                .ok_if_portable();
            sparse_file: fault(32, "makes one huge sparse file", "only-on 2 0 sparse-file", FILE)
                .then_a_good_game()
                .ok_if_portable();
            many_files: ok(32, "writes 100,000 files", "only-on 0 0 many-files").gives_up_if_isolated()
                .but_not(&Keeping::WITHOUT_NAMESPACES, NUMBER);
            litter: made(33, "leaves odd files, closed folders and links in scratch", files::litter)
                .left(files::outside_is_untouched);
            write_to_others: ok(34, "writes to the scratch folders of others", "write-to-others")
                    .kept_differently();
            write_home: ok(34, "writes to its home folder", "write-home").left(files::home_is_untouched);
            replace_self: made_fault(
                    35,
                    "replaces its own program",
                    files::replaces_itself,
                    ("start-failed", "changed"),
                )
                .after(2).gives_up_if_isolated();
            replace_script: made_fault(
                    35,
                    "is a script that changes itself",
                    files::changes_its_script,
                    ("start-failed", "changed"),
                )
                .after(2).ok_if_isolated();
            renew_self: made(35, "replaces its own program by the same one", files::renews_itself).gives_up_if_isolated();
            delete_self:
                made_fault(35, "deletes its own program", files::deletes_itself, ("start-failed", ""))
                    .after(2).gives_up_if_isolated();
            become_link: made_fault(35, "becomes a link to itself", files::becomes_a_link, ("start-failed", "")).after(2).gives_up_if_isolated();
            become_long_name: made_fault(35, "becomes a link with too long a name", files::becomes_a_long_name, ("start-failed", "")).after(2).gives_up_if_isolated();
            become_device: made_fault(35, "becomes a link to a device", files::becomes_a_device, ("start-failed", "")).after(2).gives_up_if_isolated();
            become_pipe: made_fault(35, "becomes a pipe", files::becomes_a_pipe, ("start-failed", "")).after(2).gives_up_if_isolated();
            become_socket: made_fault(35, "becomes a socket", files::becomes_a_socket, ("start-failed", "")).after(2).gives_up_if_isolated();
            become_folder: made_fault(35, "becomes a folder", files::becomes_a_folder, ("start-failed", "")).after(2).gives_up_if_isolated();
            close_self: made_fault(35, "takes all rights from its own program", files::closes_itself, ("start-failed", "")).after(2).gives_up_if_isolated()
                .but_not(&[Keeping::Refused], RIGHTS);
            spoil_data: made_fault(35, "makes a file in its command a link to itself", files::spoils_its_data, ("start-failed", "")).after(2).gives_up_if_isolated();
            spoil_folder: made_fault(35, "makes its own folder a link to itself", files::spoils_its_folder, ("start-failed", "")).after(2).ok_if_isolated();
            link_interpreter: made_fault(35, "makes its interpreter a link to itself", files::links_its_interpreter, ("start-failed", "")).after(2).ok_if_isolated();
            replace_interpreter: made_fault(35, "replaces its interpreter", files::replaces_its_interpreter, ("start-failed", "")).after(2).ok_if_isolated();

            terminal: ok(38, "looks for a terminal", "terminal")
                    .kept_differently();
            wants_more: ok(39, "waits for more input after the request", "wants-more");
            slow_start: ok(40, "starts for 1 s, then answers", "only-on 0 0 slow-start");
            only_first_seat:
                fault(41, "crashes on move 4, only as seat 0", "only-on 4 0 exit-1", ("crash", "exit 1"))
                    .only_on(0, 4);
            only_second_seat:
                fault(41, "crashes on move 7, only as seat 1", "only-on 7 1 exit-1", ("crash", "exit 1"))
                    .only_on(1, 7);
            late_on_second_seat:
                fault(41, "hangs on move 3, only as seat 1", "only-on 3 1 sleep", ("timeout", "3000 ms"))
                    .within(LONG)
                    .only_on(1, 3);
            wrong_on_second_seat:
                malformed(41, "prints NUL on move 1, only as seat 1", "only-on 1 1 nul", "byte 0x00")
                    .only_on(1, 1);

            killed: fault(45, "is killed by another process", "killed", KILLED)
                    .kept_differently();
        }
    };
}

each_fault!(rows);

/// What was printed before the fault is in the log.
fn has_printed(game: &Value) {
    assert_ne!(last_answer(game)["reply"], "", "{game}");
}

fn is_cut_at_the_cap(game: &Value) {
    let reply: rules::EscapedBytes =
        text(last_answer(game), "reply").parse().expect("escaped bytes");
    // Of what the cap allows, one line end may be left away.
    assert!(matches!(reply.0.len(), 4095 | 4096), "{} bytes", reply.0.len());
}

fn keeps_its_cap(game: &Value) {
    for measured in game["measured"].as_array().expect("a list") {
        let kept: rules::EscapedBytes = text(measured, "stderr").parse().expect("escaped bytes");
        assert!(kept.0.len() <= 65_536, "{} bytes", kept.0.len());
    }
}

fn counts_what_it_dropped(game: &Value) {
    keeps_its_cap(game);
    let measured = game["measured"].as_array().expect("a list");
    for (answer, measured) in log::answers(game).iter().zip(measured) {
        let by_bot = answer["seat"] == log::seat_of(game, "bad");
        let dropped = measured.get("stderr_dropped").and_then(Value::as_u64);
        let kept: rules::EscapedBytes = text(measured, "stderr").parse().expect("escaped bytes");
        assert_eq!(dropped, by_bot.then_some((1 << 20) - kept.0.len() as u64));
    }
}

/// The words of standard error stand in the log as what they are.
fn keeps_what_was_said(game: &Value) {
    let said = text(&game["measured"][0], "stderr");
    for word in ["verdict timeout\\n", "\\n{\"end\":{\"games\":0", "\\x1b[2J\\x00"] {
        assert!(said.contains(word), "{said}");
    }
}

/// Nobody has waited for a process that was left behind.
fn is_at_once(game: &Value) {
    let measured = game["measured"].as_array().expect("a list");
    assert!(measured.iter().all(|it| it["ms"].as_f64() < Some(AT_ONCE)), "{game}");
}

/// The daemon of the third answer is told there and nowhere else.
fn tells_escape(game: &Value) {
    is_at_once(game);
    let measured = game["measured"].as_array().expect("a list");
    for (number, measured) in measured.iter().enumerate() {
        assert_eq!(measured.get("escaped"), (number == 2).then_some(&json!(1)), "{measured}");
    }
}

/// What the daemon writes is found nowhere.
fn is_not_written_to(game: &Value) {
    tells_escape(game);
    let measured = game["measured"].as_array().expect("a list");
    for (number, measured) in measured.iter().enumerate() {
        let said = if number == 2 { "call 2\\n" } else { "" };
        assert_eq!(text(measured, "stderr"), said, "{measured}");
    }
}

fn last_answer(game: &Value) -> &Value {
    log::answers(game).pop().expect("a game has answers")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
