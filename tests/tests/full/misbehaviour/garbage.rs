//! Files that are no logs, or invented logs: `verify` and `show` say so in one line.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::bench::{Bench, Ended, run};
use tests::chain;

const COMMANDS: [&str; 2] = ["verify", "show"];

/// Address space for a log that has no lines, in KiB: for a reader of 64 MiB long lines.
const MEMORY: u64 = 300_000;

/// Asserts that both commands refuse a file with one of two exit codes and one line.
///
/// `show` may have told a part of it; then what it told is fit for a terminal.
fn assert_refused(bench: &Bench, path: &Path, words: &[&str]) {
    for command in COMMANDS {
        let ended = bench.run([Path::new(command), path]);
        assert_eq!(odd_line(&ended), None, "{command} {path:?}");
        if command == "verify" {
            assert_eq!(ended.stdout, "", "{command} {path:?}");
        }
        // To show a game is not to verify it: only `verify` must find everything.
        if command == "show" && ended.code == Some(0) {
            continue;
        }
        let code = if words == ["cannot be read"] { 2 } else { 3 };
        Ended { stdout: String::new(), ..ended }.assert_refused(code, words);
    }
}

/// The first line of the output that is not printable text.
fn odd_line(ended: &Ended) -> Option<&str> {
    ended.stdout.split('\n').find(|line| line.contains(|c: char| !matches!(c, ' '..='~')))
}

#[test]
fn files_that_are_no_logs() {
    let bench = Bench::new();
    assert_refused(&bench, &bench.path("missing"), &["cannot be read"]);
    for name in ["two\nlines", "es\x1b[2Jcape"] {
        assert_refused(&bench, &bench.path(name), &["cannot be read"]);
        assert_refused(&bench, &bench.write(name, "{}\n"), &["line 1"]);
    }
    for command in COMMANDS {
        for path in [bench.folder(), Path::new("/dev/null")] {
            let ended = bench.run([Path::new(command), path]);
            assert!(matches!(ended.code, Some(2 | 3)), "{command} {path:?}: {ended:?}");
            ended.assert_refused(ended.code.unwrap_or(0), &[]);
        }
    }
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    for (content, says) in [
        (&b""[..], "line 1 is missing: the log is empty"),
        (b"\n\n\n\n", "line 1 does not end in"),
        (b"\0", "line 1 is truncated"),
        (&bytes, "line 1 "),
        (b"\xff\xfe\n", "line 1 is not a line of a log: not UTF-8"),
        (b"null\n", "line 1 does not end in"),
        (b",\"previous\":\"\",\"sha256\":\"\"}\n", "line 1 does not end in"),
        (b",\"sha256\":\"\"}\n", "line 1 does not end in"),
    ] {
        assert_refused(&bench, &bench.write("file", content), &[says]);
    }
    // A chain around anything.
    let (deep, nested) = ("[".repeat(200_000), "{\"header\":".repeat(100_000));
    for content in [
        "",
        "{",
        "{}",
        "{\"header\":1",
        "{\"game\":{}",
        "{\"end\":null",
        "{\"\\n\\u001b[2J\":1",
        "{\"header\":{\"\\n\\u001b[2J\":1}",
        "{\"header\":\"\\ud800\"",
        "{\"header\":1e999",
        "\u{1b}[2J\r",
        "\0",
        &deep,
        &nested,
    ] {
        let path = bench.write("chained", chain::chain(&[content.to_owned()]));
        assert_refused(&bench, &path, &["line 1 is not a line of a log"]);
    }
}

/// The whole log with the first such text in a line replaced, and its chain made again.
fn edited(bench: &Bench, line: usize, before: &str, after: &str) -> PathBuf {
    let mut contents = chain::contents(&tests::real::log());
    assert!(contents[line].contains(before), "`{before}` is not in {}", contents[line]);
    contents[line] = contents[line].replacen(before, after, 1);
    bench.write("log.jsonl", chain::chain(&contents))
}

/// A log that begins well and holds in its second line what no log can.
#[test]
fn values_that_cannot_be() {
    let bench = Bench::new();
    let names = vec!["\"a\""; 60].join(",");
    let long = format!("\"seats\":[{names}]");
    let many = format!("\"scores\":[{}]", vec!["0"; 10_000].join(","));
    let (max, more) = (format!("\"number\":{}", u64::MAX), format!("\"number\":{}0", u64::MAX));
    let edits: [(&str, &str, &str); 9] = [
        ("\"seats\":[\"a\",\"b\"]", &long, "game 0"),
        ("\"number\":0", &max, "game 18446744073709551615"),
        ("\"number\":0", &more, "is not a line of a log"),
        ("\"number\":0", "\"number\":0,\"number\":0", "is not a line of a log"),
        ("\"scores\":[25,0]", &many, "game 0, result"),
        ("\"out\":[null,", "\"out\":[null,null,null,", "game 0, result"),
        ("\"deal table ", "\"deal table deal table ", "game 0, draw 0"),
        ("\"reply\":\"", "\"reply\":\"\\\\", "is not a line of a log"),
        ("\"ms\":", "\"ms\":1e999,\"ms\":", "is not a line of a log"),
    ];
    for (before, after, says) in edits {
        let path = edited(&bench, 1, before, after);
        assert_refused(&bench, &path, &["line 2", says]);
    }
}

/// Characters that do something to a terminal, as a log spells them.
const ODD: &str = "\\n\\u001b[2J\\r\u{202e}\u{85}";

/// Control characters in the strings of a forged log reach neither errors nor the story.
#[test]
fn control_characters_in_strings() {
    let bench = Bench::new();
    let edits = [
        (0, "\"game\":\"tablic\"", format!("\"game\":\"{ODD}\"")),
        (0, "\"options\":\"", format!("\"options\":\"{ODD}")),
        (0, "\"name\":\"a\"", format!("\"name\":\"{ODD}\"")),
        (1, "\"seats\":[\"a\"", format!("\"seats\":[\"{ODD}\"")),
        (1, "{\"chance\":\"", format!("{{\"chance\":\"{ODD}")),
        (1, "\"events\":[\"", format!("\"events\":[\"{ODD}")),
        (1, "\"verdict\":\"ok\"", format!("\"verdict\":\"ok\",\"detail\":\"{ODD}\"")),
        (1, "\"verdict\":\"ok\"", format!("\"verdict\":\"void\",\"detail\":\"{ODD}\"")),
        (
            1,
            "{\"ending\":\"walkover\",\"scores\":[25,0],\"out\":[null,\"crash\"]}",
            format!("{{\"ending\":\"void\",\"reason\":\"{ODD}\"}}"),
        ),
    ];
    for (line, before, after) in edits {
        let path = edited(&bench, line, before, &after);
        assert_refused(&bench, &path, &["line "]);
    }
    // Here nothing contradicts the forger, so the log verifies; but it is not to drive a terminal.
    let detail = format!("\"detail\":\"{ODD}\"");
    let path = edited(&bench, 1, "\"detail\":\"exit 1\"", &detail);
    for command in COMMANDS {
        assert_eq!(odd_line(&bench.run([Path::new(command), &path])), None, "{command}");
    }
}

/// A sparse file: it takes no room, and no line ends in it.
#[cfg(target_os = "linux")]
#[test]
fn a_hundred_megabytes_without_a_line_end() {
    let bench = Bench::new();
    let path = bench.path("sparse");
    File::create(&path).and_then(|file| file.set_len(100 << 20)).expect("a sparse file");
    for command in COMMANDS {
        let script = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let mut limited = Command::new("/bin/sh");
        limited.args(["-c", &script]).arg(bench.program("arbiter")).arg(command).arg(&path);
        run(&mut limited).assert_refused(3, &["line 1 is longer than"]);
    }
}

/// Several logs at once: a line for each, a summary, and the exit code of a bad one.
#[test]
fn a_bad_log_among_good_ones() {
    let bench = Bench::new();
    let good = bench.write("good.jsonl", tests::real::log());
    let empty = bench.write("empty.jsonl", "");
    let ended = bench.run([Path::new("verify"), &good, &empty, &good, &empty]).with_code(3);
    let summary = "4 logs: 2 not verified, 6 games in the others";
    assert_eq!(ended.stdout.lines().count(), 3, "{ended:?}");
    assert_eq!(ended.stdout.lines().last(), Some(summary), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 2, "{ended:?}");
    assert!(good.exists(), "nothing was removed");
}
