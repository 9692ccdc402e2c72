//! The bot that misbehaves: one mode for each way in which a program can.
//!
//! The first argument is the mode; `faulty --list` prints them all. A mode that answers reads
//! the request and gives the first legal move of it, or the word after the mode if there is one.
//! A word that begins with `marker=` means nothing, and is handed on to every process it starts.
//! The process of every mode ends by itself after a minute.

#![forbid(unsafe_code)]

use std::process::{self, ExitCode};
use std::thread;
use std::time::Duration;

#[path = "faulty/answers.rs"]
mod answers;
#[path = "faulty/bombs.rs"]
mod bombs;
#[path = "faulty/bot.rs"]
mod bot;
#[path = "faulty/burners.rs"]
mod burners;
#[path = "faulty/endure.rs"]
mod endure;
#[path = "faulty/files.rs"]
mod files;
#[path = "faulty/floods.rs"]
mod floods;
#[path = "faulty/lives.rs"]
mod lives;
#[path = "faulty/others.rs"]
mod others;
#[path = "faulty/spy.rs"]
mod spy;
#[path = "faulty/system.rs"]
mod system;

use bot::Bot;

/// Longest life of any process of this program.
const LIFETIME: Duration = Duration::from_secs(60);

/// One way to behave.
struct Mode {
    name: &'static str,
    about: &'static str,
    run: fn(&Bot),
}

const fn mode(name: &'static str, about: &'static str, run: fn(&Bot)) -> Mode {
    Mode { name, about, run }
}

/// Every mode; the comments are the rows of the fault table.
const MODES: &[Mode] = &[
    mode("ok", "Reads the request and gives the first legal move.", answers::ok),
    // 2 to 4
    mode("silent", "Exits 0 at once without a word.", lives::silent),
    mode("exit-1", "Exits 1 at once without a word.", lives::exit_1),
    mode("answer-exit-3", "Answers, then exits 3.", lives::answer_exit_3),
    mode("answer-segv", "Answers, then dies of SIGSEGV.", lives::answer_segv),
    mode("answer-abort", "Answers, then dies of SIGABRT.", lives::answer_abort),
    // 5 to 7
    mode("unasked", "Gives the answer MOVE… and exits without reading.", answers::unasked),
    mode("close-stdin", "Closes stdin, then gives the answer MOVE….", lives::close_stdin),
    mode("never-read", "Gives the answer MOVE… after a moment without reading.", lives::late),
    mode("never-read-hang", "Never reads, never answers.", lives::sleep),
    // 8 to 13
    mode("sleep", "Reads the request, then sleeps.", lives::read_and_sleep),
    mode("burn", "Burns CPU time.", lives::burn),
    mode("burn-a-while", "Burns 300 ms of CPU time.", burners::burn_a_while),
    mode(
        "burn-unwaited",
        "Answers after children whose ends it ignores have burnt 1200 ms of CPU time.",
        burners::burn_unwaited,
    ),
    mode("burn-one-by-one", "Has children burn CPU time, and answers.", burners::one_by_one),
    mode(
        "burn-orphans",
        "Answers after daemons have burnt 1200 ms of CPU time.",
        burners::burn_orphans,
    ),
    mode("trickle", "Prints one byte every 100 ms.", lives::trickle),
    mode("no-newline", "Answers without a newline.", answers::no_newline),
    mode("stay-alive", "Answers, then lives on.", lives::stay_alive),
    mode("half-line", "Prints half an answer, then hangs.", lives::half_line),
    // 14 to 18
    mode("crlf", "Ends the answer with CR and LF.", answers::crlf),
    mode("blanks", "Surrounds the answer with blanks.", answers::blanks),
    mode("bom", "Puts a byte-order mark before the answer.", answers::bom),
    mode("nul", "Puts a NUL after the answer.", answers::nul),
    mode("escapes", "Puts terminal escapes around the answer.", answers::escapes),
    mode("bad-utf8", "Prints bytes that are not UTF-8.", answers::bad_utf8),
    mode("empty-line", "Prints an empty line.", answers::empty_line),
    mode("only-blanks", "Prints a line of blanks.", answers::only_blanks),
    mode("two-answers", "Gives the answer twice.", answers::two_answers),
    mode("junk-after", "Puts a line of junk after the answer.", answers::junk_after),
    mode("other-case", "Swaps the letter case of the answer.", answers::other_case),
    mode("no-such-card", "Plays a card of no rank and no suit.", answers::no_such_card),
    // 19
    mode("stale", "Gives the move it made last.", answers::stale),
    mode("not-held", "Plays a card that is not in its hand.", answers::not_held),
    mode("bad-sum", "Captures with a card what does not add up to it.", answers::bad_sum),
    mode("not-there", "Captures a card that is not on the table.", answers::not_there),
    // 20 to 23
    mode("long-line", "Prints a line of 131070 characters.", floods::long_line),
    mode("huge-line", "Prints a line of 10 MiB.", floods::huge_line),
    mode("flood", "Prints for ever without a newline.", floods::flood),
    mode("flood-lines", "Prints newlines for ever.", floods::flood_lines),
    mode("stderr-flood", "Writes to stderr for ever.", floods::stderr_flood),
    mode("stderr-mib", "Writes 1 MiB to stderr, then answers.", floods::stderr_mib),
    mode("stderr-words", "Writes the referee's words to stderr, then answers.", floods::words),
    // 24 to 29
    mode("close-stdout", "Closes stdout and sleeps.", lives::close_stdout),
    mode("ignore-signals", "Ignores SIGTERM, SIGINT and SIGHUP and sleeps.", lives::ignore),
    mode("stop", "Stops itself.", lives::stop),
    mode("kill-referee", "Kills the referee and sleeps.", system::kill_referee),
    mode("kill-everybody", "Kills all other processes, which are its own.", system::kill_everybody),
    mode("child", "Answers and exits while a child keeps stdout.", lives::child),
    mode("hang-with-child", "Sleeps while a child does too.", lives::hang_with_child),
    mode("daemon", "As `child`, but the child leaves the group.", lives::daemon),
    mode("hang-with-daemon", "Sleeps while a daemon does too.", lives::hang_with_daemon),
    mode("double-fork", "As `daemon`, but it is a grandchild.", lives::double_fork),
    mode("daemon-writes", "As `daemon`, and it writes to all bots.", lives::daemon_writes),
    // 30 to 32
    mode(
        "start-until-refused",
        "Starts processes until the system refuses one, and exits 3.",
        bombs::start_until_refused,
    ),
    mode("fork-bomb", "Starts processes that start processes.", bombs::fork_bomb),
    mode("fork-bomb-setsid", "Starts daemons that do.", bombs::fork_bomb_setsid),
    mode("thread-bomb", "Starts too many threads.", bombs::thread_bomb),
    mode("allocate", "Takes 1 GiB of memory.", bombs::allocate),
    mode(
        "memory-files",
        "Takes 1 GiB of memory in files that are not mapped.",
        bombs::memory_files,
    ),
    mode("socket-buffers", "Takes memory in the buffers of many sockets.", bombs::socket_buffers),
    mode("work", "Takes MS: uses that much CPU time, then answers.", bombs::work),
    mode("huge-file", "Writes a file of 100 MiB.", files::huge_file),
    mode("sparse-file", "Makes a sparse file of 1 TiB.", files::sparse_file),
    mode("many-files", "Writes 100000 files.", files::many_files),
    // 33 to 35
    mode("litter", "Takes FOLDER: leaves odd files and links to it.", files::litter),
    mode("write-to-others", "Writes to the scratch folders of others.", files::write_to_others),
    mode("write-home", "Writes to its home folder.", files::write_home),
    mode("spoil", "Takes HOW FILE: changes the file, then answers.", files::spoil),
    mode("replace-self", "Puts another program in its place.", files::replace_self),
    mode("renew-self", "Puts the same program in its place.", files::renew_self),
    mode("delete-self", "Deletes its own program.", files::delete_self),
    mode(
        "replace-by",
        "Takes HOW FILE: puts something that is not a file in its place.",
        files::replace_by,
    ),
    mode("close-self", "Takes all rights from its own program.", files::close_self),
    // 36 to 39
    mode("spy", "Takes FOLDER: writes all it can see there, then answers.", spy::spy),
    mode("echo", "Prints the request to stderr, then answers.", bombs::echo),
    mode("terminal", "Exits 7 where it finds a terminal.", system::terminal),
    mode("wants-more", "Waits for more after the request, then answers.", lives::wants_more),
    // 40 and 41
    mode("slow-start", "Takes a second to start, then answers.", lives::slow_start),
    mode("only-on", "Takes MOVE-NUMBER SEAT MODE: as MODE there, else as `ok`.", only_on),
    // 45 and 46
    mode("killed", "Is killed by another process.", lives::killed),
    mode("starve-parent", "Takes WHAT FILE: its parent has none left.", system::starve_parent),
    mode("stop-parent", "Takes HOW [FILE]: stops its parent for a while.", system::stop_parent),
    // Modes that tests and other modes use.
    mode("endure", "Takes FOLDER: fails in a quarter of its games.", endure::endure),
    mode("resign", "Exits 1 after some moves.", endure::resign),
    mode("on-call", "Takes GO REACHED MODE: once GO is there, as MODE.", system::on_call),
    mode(
        "until-called",
        "Takes FOLDER MODE: as MODE once something is there.",
        system::until_called,
    ),
    mode("on-terminal", "Takes FILE COMMAND…: runs it on a terminal.", system::on_terminal),
    mode("burn-apart", "Burns CPU time in a session of its own.", lives::burn_apart),
    mode("as-bomb", "A process of a bomb.", bombs::as_bomb),
    mode("as-free-bomb", "A process of a bomb with setsid.", bombs::as_free_bomb),
    mode("as-daemon", "Leaves the group, then sleeps.", lives::as_daemon),
    mode("as-waker", "Takes PROCESS MS ANSWER: answers and goes on with it.", system::as_waker),
    mode("as-forker", "Leaves a daemon behind.", lives::as_forker),
    mode("as-writer", "Takes PROCESS MOVE: writes when it is gone.", lives::as_writer),
    mode("killer", "Takes PROCESS: kills it.", lives::killer),
    mode("watchdog", "Takes PROCESS: kills it when a minute has passed.", lives::watchdog),
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    if name == "--list" {
        MODES.iter().for_each(|mode| println!("{:16} {}", mode.name, mode.about));
        return ExitCode::SUCCESS;
    }
    // If no thread can be had, no mode can be run either.
    thread::spawn(|| {
        thread::sleep(LIFETIME);
        process::exit(124);
    });
    run(&name, &Bot::new(words.collect()));
    ExitCode::SUCCESS
}

fn run(name: &str, bot: &Bot) {
    match MODES.iter().find(|mode| mode.name == name) {
        Some(mode) => (mode.run)(bot),
        None => bot::usage(&format!("unknown mode `{name}`, expected one of `faulty --list`")),
    }
}

/// Runs a mode with its words.
fn run_words(words: &[String], bot: &Bot) {
    match words {
        [mode, words @ ..] => run(mode, &bot.with_words(words)),
        [] => bot::usage("expected a mode"),
    }
}

/// Misbehaves on one move of one seat only.
fn only_on(bot: &Bot) {
    let [number, seat, words @ ..] = bot.words() else {
        bot::usage("`only-on` expects the number of a move, a seat and a mode")
    };
    let request = bot.request();
    if request.value("move") == Some(number) && request.value("seat") == Some(seat) {
        run_words(words, bot);
    } else {
        answers::ok(&bot.with_words(&[]));
    }
}
