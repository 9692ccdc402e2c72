//! `arbiter report` prints commands, and each does what the page says, with any name of the log.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use tests::bench::{Bench, Ended, run};
use tests::installed::bench_with;
use tests::search_path::search_path;

fn examples(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path)
}

/// Runs a line as a person does who copies it.
fn paste(bench: &Bench, line: &str) -> Ended {
    let programs = bench.program("arbiter").parent().expect("a folder").to_owned();
    let path = std::iter::once(programs).chain(std::env::split_paths(search_path()));
    let path = std::env::join_paths(path).expect("paths without colons");
    run(bench.command("bash").args(["-c", line]).env("PATH", path))
}

/// The commands on the first page of a report.
fn commands(folder: &Path) -> Vec<String> {
    let page = fs::read_to_string(folder.join("index.html")).expect("a page");
    let (_, rest) = page.split_once("<pre class=\"commands\">").expect("commands");
    let (commands, _) = rest.split_once("</pre>").expect("their end");
    let plain = commands.replace("<span>", "").replace("</span>", "");
    let plain = plain
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
    plain.lines().map(str::to_owned).collect()
}

#[test]
fn commands_on_a_page_can_be_copied() {
    let Some(bench) = bench_with("bash") else { return };
    let names: [&[u8]; 7] = [
        b"plain.jsonl",
        b"-y.jsonl",
        b"it's $HOME \"here\" & <there>.jsonl",
        b"two\nlines\t\x1b[2J'\\.jsonl",
        "šah\u{202e}.jsonl".as_bytes(),
        b"not \xff UTF-8.jsonl",
        b"\\n.jsonl",
    ];
    for (place, name) in names.into_iter().enumerate() {
        let name = Path::new(OsStr::from_bytes(name));
        fs::copy(examples("matches/durak.jsonl"), bench.path("").join(name)).expect("a copy");
        let folder = bench.path(&format!("report-{place}"));
        let words = [Path::new("report"), Path::new("-o"), &folder, Path::new("--"), name];
        bench.run(words).with_code(0);
        let commands = commands(&folder);
        assert_eq!(commands.len(), 3, "{commands:?}");
        for command in &commands {
            let ended = paste(&bench, command);
            assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{command}: {ended:?}");
        }
        // With another head the second one finds that it is another log.
        let (head, rest) = commands[1].split_once("--head ").expect("a head");
        let other = format!("{head}--head {}{}", "0".repeat(64), &rest[64..]);
        assert_eq!(paste(&bench, &other).code, Some(3), "{other}");
    }
}

#[test]
fn commands_of_a_tournament_can_be_copied() {
    let Some(bench) = bench_with("bash") else { return };
    let folder = bench.path("report");
    let source = examples("tournaments/coup");
    bench.run([Path::new("report"), &source, Path::new("-o"), &folder]).with_code(0);
    for command in commands(&folder) {
        let ended = paste(&bench, &command);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{command}: {ended:?}");
    }
}
