//! Compressed logs: every command reads them as it reads plain ones, and writing them loses nothing.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use rustix::process::Signal;
use tests::bench::{Bench, Ended, SEED, run};
use tests::running::{Running, wait_for_no_scratch, wait_until};
use tests::tournament::coup;

const BOTS: [&str; 2] = ["random", "greedy"];

/// The whole lines of a compressed file, as another program finds them; it may be cut off.
fn whole_lines(path: &Path) -> String {
    let mut text = Vec::new();
    let file = File::open(path).expect("a file");
    // What was cut off is an error behind all that can be read.
    let _ = MultiGzDecoder::new(file).read_to_end(&mut text);
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    String::from_utf8(text[..end].to_vec()).expect("lines")
}

/// Compresses a file as another program does.
fn gzip(bench: &Bench, name: &str) -> Option<Ended> {
    if !tests::installed::is_there("gzip") {
        return None;
    }
    let ended = run(bench.command("gzip").arg(name)).with_code(0);
    Some(ended)
}

#[test]
fn every_command_reads_a_compressed_log_as_the_plain_one() {
    for game in ["tablic", "durak"] {
        let bench = Bench::new();
        let words = ["match", "--game", game, "--games", "2", "--quiet", "--seed", SEED];
        let limit = ["--time-limit", "1min", "--log", "log.jsonl.gz"];
        bench.succeed([&words[..], &limit, &BOTS].concat());
        let (written, plain) = (bench.path("log.jsonl.gz"), bench.path("plain.jsonl"));
        fs::write(&plain, whole_lines(&written)).expect("it is ours");
        let [short, long] = [&written, &plain].map(|path| fs::metadata(path).expect("it").len());
        assert!(short * 5 < long * 2, "{short} of {long} bytes");
        // The name of a file says nothing of what it is.
        fs::copy(&written, bench.path("packed.jsonl")).expect("it is ours");
        for words in [
            vec!["verify", "LOG", "--json"],
            vec!["head", "LOG"],
            vec!["show", "LOG", "--game", "1"],
            vec!["show", "LOG", "--json", "--follow"],
            vec!["request", "LOG", "--game", "1", "--move", "3"],
            vec!["explain", "LOG", "--game", "1", "--move", "3"],
            vec!["diff", "LOG", "plain.jsonl"],
            vec!["export", "LOG", "--features", "moves"],
            vec!["review", "LOG", "--game", "0", "--worlds", "10", "--json"],
        ] {
            let of = |log| {
                let words = words.iter().map(|word| if *word == "LOG" { log } else { *word });
                let ended = bench.run(words);
                (ended.code, ended.stdout.replace(log, "LOG"))
            };
            let expected = of("plain.jsonl");
            assert_eq!(of("packed.jsonl"), expected, "{game}: {words:?}");
            assert!(!expected.1.is_empty(), "{game}: {words:?}");
        }
        // Its times differ each time.
        bench.succeed(["rerun", "packed.jsonl", "--game", "1", "--seat", "1"]);
        for log in ["plain.jsonl", "packed.jsonl"] {
            bench.succeed(["report", log, "-o", &format!("pages-{log}")]);
        }
        let page = |log: &str| {
            let page = bench.path(&format!("pages-{log}/index.html"));
            fs::read_to_string(page).expect("a page").replace(log, "LOG")
        };
        assert_eq!(page("packed.jsonl"), page("plain.jsonl"), "{game}");
    }
}

#[test]
fn a_compressed_log_may_come_through_a_pipe() {
    let bench = Bench::new();
    let words = ["match", "--game", "coup", "--quiet", "--log", "log.gz"];
    bench.succeed([&words[..], &BOTS].concat());
    for script in [
        "cat log.gz | \"$0\" verify /dev/stdin",
        "\"$0\" verify /dev/stdin < log.gz",
        "cat log.gz | \"$0\" show --follow /dev/stdin",
        "\"$0\" diff <(cat log.gz) log.gz",
        "(cat log.gz; cat log.gz) | \"$0\" show /dev/stdin > shown; [ $? = 3 ]",
    ] {
        let mut shell = bench.command("bash");
        let ended = run(shell.args(["-c", script]).arg(bench.program("arbiter")));
        assert_eq!(ended.code, Some(0), "{script}: {ended:?}");
    }
}

/// The crate `record` cuts and changes every byte.
#[test]
fn what_is_damaged_or_cut_off_is_told_with_the_file() {
    let bench = Bench::new();
    let words = ["match", "--game", "coup", "--games", "4", "--quiet", "--log", "log.gz"];
    bench.succeed([&words[..], &BOTS].concat());
    let bytes = fs::read(bench.path("log.gz")).expect("a log");
    bench.write("cut", &bytes[..bytes.len() * 3 / 4]);
    bench.write("more", [&bytes, b"more".as_slice()].concat());
    bench.run(["verify", "cut"]).assert_refused(3, &["cut: line "]);
    let says = ["more: line ", "its gzip is damaged near byte", "are not gzip"];
    bench.run(["verify", "more"]).assert_refused(3, &says);
    assert!(bench.succeed(["show", "cut"]).contains("result: "));
}

#[test]
fn a_log_is_named_and_replaced_as_a_plain_one() {
    let bench = Bench::new();
    let words = ["match", "--game", "coup", "--quiet", "--log", "log.jsonl.gz", "random", "greedy"];
    bench.succeed(words);
    bench.run(words).assert_refused(2, &["use --overwrite, or a new name such as log-2.jsonl.gz"]);
    bench.succeed([&words[..], &["--overwrite"]].concat());
    bench.verify(&bench.path("log.jsonl.gz"));
    let words = ["simulate", "--game", "durak", "--deals", "5", "--log", "sim.gz"];
    bench.succeed([&words[..], &BOTS].concat());
    bench.verify(&bench.path("sim.gz"));
    assert_eq!(whole_lines(&bench.path("sim.gz")).lines().count(), 12);
}

#[test]
fn a_tournament_is_compressed_when_it_is_over_and_goes_on_as_before() {
    let bench = Bench::new();
    bench.succeed([&coup("cup", "3")[..], &["--quiet"], &BOTS].concat());
    let plain = fs::read(bench.path("cup/games.jsonl")).expect("a log");
    let told = |words: &[&str]| bench.succeed(words.iter().copied());
    let words: [&[&str]; 4] = [
        &["verify", "cup"],
        &["tournament", "standings", "cup"],
        &["tournament", "status", "cup"],
        &["show", "cup", "--json"],
    ];
    let before = words.map(told);
    let compressed = bench.succeed(["compress", "cup"]);
    assert!(compressed.starts_with("cup/games.jsonl.gz: "), "{compressed}");
    assert!(!bench.path("cup/games.jsonl").exists());
    assert_eq!(words.map(told), before);
    let again = bench.succeed(["compress", "cup"]);
    assert_eq!(again, "cup/games.jsonl.gz: already compressed\n");
    bench.run(["tournament", "resume", "cup"]).with_code(0);
    // A crash between the two files leaves both.
    bench.write("cup/games.jsonl", &plain);
    assert_eq!(words.map(told), before);
    bench.succeed(["compress", "cup"]);
    assert!(!bench.path("cup/games.jsonl").exists());
    bench.succeed(["tournament", "extend", "cup", "--deals", "2", "--quiet"]);
    bench.succeed(["verify", "cup"]);
    bench.succeed(["compress", "cup"]);
    assert!(bench.path("cup/extension-1/games.jsonl.gz").exists());
    bench.succeed(["verify", "cup"]);
    bench.succeed(["report", "cup", "-o", "pages"]);
}

#[test]
fn a_tournament_that_is_not_over_stays_plain_and_can_be_resumed_where_someone_compressed_it() {
    let bench = Bench::new();
    bench.succeed([&coup("cup", "4")[..], &["--quiet"], &BOTS].concat());
    let whole = tests::tournament::result(&bench.path("cup"));
    let log = bench.path("cup/games.jsonl");
    tests::tournament::cut(&bench, "cup", 3);
    bench.run(["compress", "cup"]).assert_refused(8, &["cup/games.jsonl", "is unfinished"]);
    assert!(log.exists());
    if gzip(&bench, "cup/games.jsonl").is_none() {
        tests::missing::tell("no gzip");
        return;
    }
    bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    bench.succeed(["verify", "cup"]);
    let packed = bench.path("cup/games.jsonl.gz");
    fs::write(&log, whole_lines(&packed)).expect("it is ours");
    fs::remove_file(packed).expect("it is ours");
    assert_eq!(tests::tournament::result(&bench.path("cup")), whole);
}

#[test]
fn a_tournament_that_is_written_compressed_is_killed_and_resumed_as_any_other() {
    let bench = Bench::new();
    let expected = {
        bench.succeed([&coup("plain", "20")[..], &["--quiet"], &BOTS].concat());
        tests::tournament::result(&bench.path("plain"))
    };
    let log = bench.path("cup/games.jsonl.gz");
    let games = || whole_lines(&log).lines().count().saturating_sub(1);
    let words = [&coup("cup", "20")[..], &["--quiet", "--compress"], &BOTS].concat();
    let mut running = Running::start(bench.arbiter(words).process_group(0));
    wait_until("three games are over", || running.has_ended() || (log.exists() && games() >= 3));
    running.signal_group(Signal::KILL);
    running.wait();
    wait_for_no_scratch(&bench);
    let before = games();
    assert!(before >= 3);
    let shown = bench.succeed(["show", "cup"]);
    assert_eq!(shown.lines().filter(|line| line.starts_with("result: ")).count(), before);
    bench.run(["verify", "cup/games.jsonl.gz"]).assert_refused(3, &["games.jsonl.gz: line "]);
    bench.succeed(["tournament", "status", "cup"]);
    bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    bench.succeed(["verify", "cup"]);
    assert!(!bench.path("cup/games.jsonl").exists());
    fs::write(bench.path("cup/games.jsonl"), whole_lines(&log)).expect("it is ours");
    assert_eq!(tests::tournament::result(&bench.path("cup")), expected);
}
