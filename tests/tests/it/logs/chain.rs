//! The chain of a log, checked without this program.

use std::fs;
use std::path::Path;

use tests::bench::{Bench, SEED};

#[test]
fn the_chain_is_checked_by_ten_lines_of_python() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/check_chain.py");
    let lines = fs::read_to_string(&script).expect("a script");
    assert!(lines.lines().filter(|line| !line.is_empty()).count() <= 10, "{lines}");
    let bench = Bench::new();
    let words = ["match", "--quiet", "--seed", SEED, "--log", "log", "--time-limit", "30s"];
    bench.succeed([&words[..], &["--game", "coup", "greedy", "random"]].concat());
    let check = |log: &str| {
        let mut command = bench.command("python3");
        command.arg(&script).arg(log).output().ok()
    };
    let Some(checked) = check("log") else {
        tests::missing::tell("no python3");
        return;
    };
    let head = bench.succeed(["head", "log"]);
    assert_eq!(String::from_utf8_lossy(&checked.stdout), head);
    let text = bench.text("log");
    bench.write("copy.jsonl", &text);
    bench.succeed(["compress", "copy.jsonl"]);
    let compressed = check("copy.jsonl.gz").expect("it was there");
    assert_eq!(String::from_utf8_lossy(&compressed.stdout), head);
    bench.write("forged", text.replacen("\"ok\"", "\"OK\"", 1));
    bench.write("cut", &text[..text.len() - 1]);
    bench.write("empty", "");
    for log in ["forged", "cut", "empty"] {
        // However Python is told to run it.
        let mut command = bench.command("python3");
        let checked = command.arg("-O").arg(&script).arg(log).output().expect("it was there");
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(!checked.status.success() && checked.stdout.is_empty(), "{checked:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
