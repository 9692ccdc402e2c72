//! A person who plays against bots: at a terminal, and through a pipe.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufReader, Read};
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::{Bench, SEED, run};
use tests::playing::{play, through_a_pipe, typed};
use tests::running::{Running, wait_for_no_scratch, wait_until};
use tests::texts::assert_says;
use tests::typing::{Typing, is_tidy, plain};
use tests::{log, processes};

/// Time between two signals.
const PATIENCE: Duration = Duration::from_millis(50);
const LONG_PATIENCE: Duration = Duration::from_secs(10);

/// Plays a whole game at a terminal; gives what was seen.
fn whole_game(bench: &Bench, game: &str, words: &[&str]) -> String {
    let mut typing = Typing::start(&mut play(bench, game, words));
    while let Some(asked) = typing.try_prompt() {
        let keys = typed(&asked);
        typing.keys(&format!("{keys}\r"));
    }
    let seen = typing.end_well();
    bench.verify(&bench.path("log"));
    seen
}

/// The game of a log, and the names at its seats.
fn logged(bench: &Bench) -> (Value, Vec<String>) {
    let game = log::games(&bench.path("log")).remove(0);
    let seats = game["seats"].as_array().expect("seats");
    let names = seats.iter().map(|name| name.as_str().expect("a name").to_owned()).collect();
    (game, names)
}

/// Asserts that what bots were dealt and drew was not to be seen before the game was over.
fn assert_hidden(seen: &str, game: &Value, person: usize) {
    let (seen, _) = seen.split_once("\nall cards, now that the game is over\n").expect("its end");
    let chances = game["inputs"].as_array().expect("inputs").iter();
    let chances: Vec<&str> = chances.filter_map(|input| input["chance"].as_str()).collect();
    let mut hidden = 0;
    for chance in chances {
        let words: Vec<&str> = chance.splitn(3, ' ').collect();
        let [_, seat, cards] = words[..] else { continue };
        if seat.parse() == Ok(person) || seat == "table" {
            continue;
        }
        hidden += 1;
        // A single card may have come up anywhere, and so may two characters of Coup.
        if cards.split(' ').count() > 2 {
            assert!(!seen.contains(cards), "{chance} was to be seen");
        }
    }
    assert!(hidden > 0, "something was hidden");
    let names = game["seats"].as_array().expect("seats");
    let dealt = [" is dealt ", " are dealt ", "  draws ", "   draw "];
    let told = |line: &&str| dealt.iter().any(|words| line.contains(words));
    for line in seen.lines().filter(told).filter(|line| !line.contains("the trump card")) {
        let own = line.starts_with("You  ");
        assert!(own || !line.starts_with(names[person].as_str().expect("a name")), "{line}");
        assert_eq!(!own, line.contains("??"), "{line}");
    }
}

#[test]
fn a_whole_game_of_each_kind_is_played_at_a_terminal() {
    let games: [(&str, usize, &[&str]); 4] = [
        ("tablic", 0, &["greedy"]),
        ("tablic", 2, &["--seats", "3", "--seat", "2", "random", "greedy"]),
        ("coup", 1, &["--seat", "1", "greedy"]),
        ("durak", 1, &["--options", "deck=24 transfer=on", "--seat", "1", "random", "greedy"]),
    ];
    for (kind, seat, words) in games {
        let bench = Bench::new();
        let seen = plain(&whole_game(&bench, kind, words));
        let (game, names) = logged(&bench);
        assert_eq!(names[seat], "you");
        assert_eq!(game["result"]["ending"], "played");
        let result = format!("result: {} {}", names[0], game["result"]["scores"][0]);
        assert!(seen.contains(&result), "`{result}` is not in\n{seen}");
        let end = format!("seed: {SEED}\nnext: arbiter review log\n");
        assert!(seen.ends_with(&end), "{seen}");
        assert_hidden(&seen, &game, seat);
        let header = log::lines(&bench.path("log")).remove(0);
        let person = &header["header"]["players"][seat];
        assert_eq!((&person["command"], &person["files"]), (&json!("(person)"), &json!([])));
        assert_eq!(person["limits"]["time_ms"], 0, "no limit is charged to a person");
        let answers = game["inputs"].as_array().expect("inputs").iter();
        let own = answers.filter(|input| input["answer"]["seat"] == seat);
        assert!(own.count() > 0, "{game}");
        assert!(bench.succeed(["show", "log"]).contains(&result));
    }
}

/// A person who lets greedy choose everything plays as greedy does, drawn suits included.
#[test]
fn a_game_through_a_pipe_equals_one_of_a_bot_that_plays_alike() {
    let bench = Bench::new();
    let ended = through_a_pipe(&bench, "tablic", &["--seat", "1", "random"], &"auto\n".repeat(24));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    assert!(!ended.stdout.contains('\x1b'), "no colours in a pipe: {}", ended.stdout);
    assert!(!ended.stdout.contains("\nafter "), "a single game has no running score");
    bench.verify(&bench.path("log"));
    let (played, _) = logged(&bench);
    let matched = bench.play("tablic", &[], &["random", "greedy"]).remove(0);
    assert_eq!(played["events"], matched["events"]);
}

/// Leaving a game must be confirmed, and the log holds what was played.
#[test]
fn a_game_that_is_left_stays_in_the_log_as_far_as_it_went() {
    // Lines can be edited, completed and repeated.
    let edited = ["hin\t\r", "xx\x08\x08\x1b[A\r", "QUIX\x08T\r", "yes\r"];
    for (leave, hints) in
        [(&edited[..], 2), (&["quit\r", "no\r", "\x03", "\x03"], 0), (&["\x04", "y\r"], 0)]
    {
        let bench = Bench::new();
        let mut typing = Typing::start(&mut play(&bench, "tablic", &["greedy"]));
        typing.line("auto");
        typing.line("auto");
        for keys in leave {
            typing.prompt();
            typing.keys(keys);
        }
        let (status, seen) = typing.end();
        assert!(status.success() && is_tidy(&seen), "{leave:?}: {status:?}");
        assert_eq!(plain(&seen).matches("greedy would ").count(), hints, "{seen}");
        assert_left(&bench, 4);
    }
}

/// Asserts that a log holds this number of moves of a game that `you` left, and that everything in it is
/// as it must be, but that it has no end.
fn assert_left(bench: &Bench, moves: usize) {
    let lines = log::lines(&bench.path("log"));
    assert_eq!(lines.len(), 2, "a header and a game");
    let (game, _) = logged(bench);
    assert_eq!(game["result"], json!({"ending": "void", "reason": "you left the game"}));
    let inputs = game["inputs"].as_array().expect("inputs");
    let ok = inputs.iter().filter(|input| input["answer"]["verdict"] == "ok");
    assert_eq!(ok.count(), moves);
    let verified = bench.run(["verify", "log"]);
    verified.assert_refused(3, &["line 3 is missing", "after 0 of 1 game", "without its end"]);
    let shown = bench.succeed(["show", "log"]);
    assert!(shown.ends_with("result: void, you left the game (unrated: the match stops)\n"));
    // Nothing more will come, so the game does not wait for it.
    assert_eq!(bench.succeed(["show", "--follow", "log"]), shown);
    assert_eq!(bench.succeed(["show", "--follow", "--game", "0", "log"]), shown);
    bench.run(["show", "--follow", "--game", "1", "log"]).assert_refused(2, &["no game 1"]);
}

/// A game against a bot that says when it is asked for the first time, and thinks until there is a
/// file `go`; then it plays the first of its moves.
fn against_a_thinker(bench: &Bench) -> Command {
    // Before the game it is started without a request.
    let script = "request=$(cat); [ -n \"$request\" ] || exit\n\
                  : > \"$1/reached\"; while [ ! -e \"$1/go\" ]; do sleep 0.01; done\n\
                  printf '%s\\n' \"$request\" | sed -n '/^legal /{n;p;}'\n";
    bench.write("slow.sh", script);
    let bot = format!("slow=sh slow.sh '{}' {}", bench.folder().display(), bench.marker());
    play(bench, "tablic", &["--isolation", "off", "--time-limit", "slow=10min", &bot])
}

/// Asserts that a person has left while the bot on seat 1 was asked, and that nothing is left of it.
fn assert_left_at_once(bench: &Bench, shown: &str) {
    assert!(shown.contains("Ctrl-C again leaves the game"), "{shown}");
    assert!(shown.ends_with(&format!("you left the game\nseed: {SEED}\n")), "{shown}");
    assert_left(bench, 1);
    let (game, _) = logged(bench);
    let last = log::answers(&game).pop().expect("an answer");
    assert_eq!((&last["seat"], &last["verdict"]), (&json!(1), &json!("void")));
    processes::wait_for_none(bench.marker());
    wait_for_no_scratch(bench);
}

/// Plays up to where a bot thinks for long, and sends the first signal.
fn interrupt_a_thinker(bench: &Bench) -> Typing {
    let mut typing = Typing::start(&mut against_a_thinker(bench));
    typing.line("9s");
    typing.line("");
    wait_until("the bot thinks", || bench.path("reached").exists());
    typing.signal(Signal::INT);
    typing.until("Ctrl-C again leaves the game");
    typing
}

#[test]
fn two_signals_while_a_bot_thinks_leave_the_game() {
    let bench = Bench::new();
    let typing = interrupt_a_thinker(&bench);
    typing.signal(Signal::INT);
    let seen = typing.end_well();
    assert_left_at_once(&bench, &plain(&seen));
}

/// A game through a pipe, and what it has shown.
struct Piped {
    running: Running,
    out: BufReader<ChildStdout>,
    shown: Vec<u8>,
}

impl Piped {
    fn start(command: &mut Command) -> Piped {
        let mut running = Running::start(command.stdout(Stdio::piped()));
        let out = BufReader::new(running.stdout());
        Piped { running, out, shown: Vec::new() }
    }

    fn until(&mut self, text: &str) {
        while !self.shown.ends_with(text.as_bytes()) {
            let mut byte = [0];
            self.out.read_exact(&mut byte).expect("it comes");
            self.shown.extend(byte);
        }
    }

    /// All that was shown, once it has ended with this code.
    fn end(mut self, code: i32) -> String {
        self.out.read_to_end(&mut self.shown).expect("its end");
        let shown = String::from_utf8(self.shown).expect("text");
        assert_eq!(self.running.wait().code(), Some(code), "{shown}");
        assert!(shown.ends_with(&format!("you left the game\nseed: {SEED}\n")), "{shown}");
        shown
    }
}

#[test]
fn signals_leave_a_game_through_a_pipe() {
    let bench = Bench::new();
    let typed = fs::File::open(bench.write("typed", "9s\n\n")).expect("it was written");
    let mut piped = Piped::start(against_a_thinker(&bench).stdin(typed));
    wait_until("the bot thinks", || bench.path("reached").exists());
    piped.running.signal(Signal::INT);
    piped.until("Ctrl-C again");
    piped.running.signal(Signal::INT);
    assert_left_at_once(&bench, &piped.end(0));
    // While it waits for a line.
    for (signal, code) in [(Signal::INT, 0), (Signal::TERM, 143), (Signal::HUP, 129)] {
        if processes::is_ignored(signal) {
            continue;
        }
        let bench = Bench::new();
        let mut piped = Piped::start(play(&bench, "tablic", &["random"]).stdin(Stdio::piped()));
        piped.until("card> ");
        piped.running.signal(signal);
        if code == 0 {
            piped.until("yes or no? ");
            piped.running.signal(signal);
        }
        piped.end(code);
        assert_left(&bench, 0);
    }
}

/// One signal while a bot thinks asks at the next line, and only once.
#[test]
fn a_signal_while_a_bot_thinks_is_remembered() {
    let bench = Bench::new();
    let mut typing = interrupt_a_thinker(&bench);
    bench.write("go", "");
    assert_eq!(typing.prompt().prompt, "leave the game, yes or no? ");
    typing.keys("no\r");
    assert_eq!(typing.line("quit").prompt, "card> ");
    assert_eq!(typing.line("yes").prompt, "leave the game, yes or no? ");
    typing.end_well();
    assert_left(&bench, 2);
}

/// The first signal asks, and the next one answers. A terminal without a line editor is read as a pipe is.
#[test]
fn signals_at_the_prompt_leave_the_game() {
    for terminal in ["xterm", "dumb"] {
        let bench = Bench::new();
        let mut typing = Typing::start_on(terminal, &mut play(&bench, "tablic", &["random"]));
        typing.until("card> ");
        if terminal == "dumb" {
            typing.signal(Signal::INT);
            typing.until("yes or no? ");
            typing.signal(Signal::INT);
        } else {
            // One that comes just before the editor waits for a key is noticed with the next one.
            while typing.is_open_for(PATIENCE) && !typing.shows("leave the game, yes or no? ") {
                typing.signal(Signal::INT);
            }
            // A program that leaves on a busy machine takes longer, and one more signal would end it.
            while typing.is_open_for(LONG_PATIENCE) {
                typing.signal(Signal::INT);
            }
        }
        let (status, seen) = typing.end();
        assert!(status.success() && plain(&seen).contains("leave the game, yes or no? "), "{seen}");
        assert_left(&bench, 0);
    }
}

/// A last line without its end counts, and a line of anything is only refused.
#[test]
fn the_end_of_the_input_leaves_the_game_and_no_line_is_too_odd() {
    let odd = format!("{}\n\u{1b}[2J\n\0\n\u{fffd}ž\nquit\nyes", "x".repeat(100_000));
    for (lines, refused) in [("", 0), (&odd, 4)] {
        let bench = Bench::new();
        let ended = through_a_pipe(&bench, "tablic", &["random"], lines).without_error();
        assert!(!ended.stdout.contains(['\x1b', '\0']), "escape sequences come back as text");
        assert_eq!(ended.stdout.matches("expected a card").count(), refused, "{}", ended.stdout);
        assert!(ended.stdout.ends_with(&format!("you left the game\nseed: {SEED}\n")), "{ended:?}");
        assert_left(&bench, 0);
    }
}

/// A terminal that is set to another encoding, or a key that is none, costs a line and no more.
#[test]
fn bytes_that_are_no_text_are_refused_at_a_terminal() {
    let bench = Bench::new();
    let mut typing = Typing::start(&mut play(&bench, "tablic", &["random"]));
    for bytes in [&b"\xe9\xff"[..], b"7\xff", b"\xe9\r", b"\xff\r", b"\xc3(\xff\r"] {
        typing.prompt();
        typing.bytes(bytes);
    }
    // The end of the line that was dropped is not an empty line: it takes nothing, and lays down
    // nothing.
    let refused = "expected UTF-8 text: the line was dropped, type it again\n";
    assert!(typing.line("").story.ends_with(refused));
    assert_eq!(typing.line("9").prompt, "card> ");
    assert_eq!(typing.prompt().prompt, "9S takes> ");
    typing.bytes(b"\xff");
    assert_eq!(typing.line("").prompt, "9S takes> ");
    assert_eq!(typing.line("4").prompt, "9S takes> ");
    assert_eq!(typing.line("quit").prompt, "9S takes 4C> ");
    typing.line("yes");
    let seen = typing.end_well();
    assert!(plain(&seen).matches(refused).count() >= 5, "{}", plain(&seen));
    assert!(!seen.contains("game 1") && seen.matches("deal 1 of 4").count() == 1, "one deal");
    assert_left(&bench, 0);
}

/// As if they were typed, but not before Enter is. Lines that are typed ahead are not lost.
#[test]
fn pasted_lines_are_taken_one_after_the_other() {
    let bench = Bench::new();
    let mut typing = Typing::start(&mut play(&bench, "tablic", &["random"]));
    typing.paste("9\n4\n5\n");
    assert!(typing.paste("hint").story.contains("9S takes 4C> 5\nyou     9S takes 4C 5S "));
    assert!(typing.paste("10\n\nquit\nno\nfoo").story.contains("greedy would "));
    let asked = typing.line("quit");
    assert_says(&asked.story, &["expected a card such as", "leave the game, yes or no? no\n"]);
    typing.keys("no\rhint\rquit\ryes\r");
    typing.end_well();
}

#[test]
fn impossible_games_are_refused_before_anything_is_written() {
    let cases: [(&[&str], i32, &[&str]); 8] = [
        (&["--seats", "3", "greedy"], 2, &["1 bot for 3 seats", "one bot per other seat"]),
        (&["--seat", "2", "greedy"], 2, &["no seat 2", "seats are 0 to 1"]),
        (&["you=greedy"], 2, &["a bot is already named `you`", "--name"]),
        (&["--name", "a  b", "greedy"], 2, &["invalid name `a  b`"]),
        (&["--name", "", "greedy"], 2, &["invalid name ``"]),
        (&["--options", "seats=2", "greedy"], 2, &["use --seats"]),
        (&["./none"], 4, &["bot `none`"]),
        (&["--seats", "5", "a=greedy", "b=greedy", "c=greedy", "d=greedy"], 2, &["seats"]),
    ];
    for (words, code, expected) in cases {
        let bench = Bench::new();
        run(&mut play(&bench, "tablic", words)).assert_refused(code, expected);
        assert!(!bench.path("log").exists(), "{words:?}");
    }
    let bench = Bench::new();
    bench.write("log", "");
    run(&mut play(&bench, "tablic", &["greedy"])).assert_refused(2, &["log `log` exists"]);
}

/// A bot that faults ends the game of two, and the person learns no more than bots do.
#[test]
fn a_bot_that_faults_loses_to_the_person() {
    let bench = Bench::new();
    let bot = "bad=echo KS";
    let ended = through_a_pipe(&bench, "tablic", &["--seat", "1", "--name", "Ana O'Neil", bot], "");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    assert!(ended.stdout.contains("bad is out: illegal\n"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("not in the hand"), "that tells of its hand");
    let end = "result: bad 0, Ana O'Neil 25 (walkover)\nYou won.\n";
    assert!(ended.stdout.contains(end), "{}", ended.stdout);
    bench.verify(&bench.path("log"));
    assert_says(&bench.ok("show log"), &["game 0: seat 0 bad, seat 1 Ana O'Neil"]);
    bench.ok("report log -o pages");
}
