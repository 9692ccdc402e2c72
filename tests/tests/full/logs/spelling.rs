//! The spelling of logs, as docs/reference/log.md defines it: Python, following its words, writes
//! the same text. `logs::forgery` has other spellings, which do not verify.

use std::fs;
use std::path::{Path, PathBuf};

use tests::bench::run;
use tests::installed::bench_with;

use super::is_log;

/// Spells every line of a log again: keys in the order of the document, no blanks, and strings and
/// numbers as Python spells them.
const SPELLS: &str = r#"
import json, sys

ORDER = {
    "line": "header game end previous sha256",
    "header": "format version game options games players tournament retries suspect_games isolation"
    " ponder simulated commitment entropy",
    "players": "name command files dialect mode limits granted",
    "files": "word sha256",
    "limits": "time_ms game_time first_ms cpu_ms memory_bytes address_space_bytes processes file_bytes open_files"
    " answer_bytes stderr_bytes",
    "game_time": "bank_ms increment_ms",
    "granted": "read network",
    "isolation": "asked on refused",
    "tournament": "schedule disqualify_after sprt extends decided league",
    "schedule": "format orders deals tables listed shard block first_deal",
    "disqualify_after": "percent games suspect",
    "game": "number attempt deal id seats bot_seeds inputs events result measured machine",
    "inputs": "chance answer",
    "answer": "seat asked reply classic verdict detail",
    "classic": "file printed",
    "result": "ending scores out reason",
    "measured": "ms cpu_ms waited_ms referee_waited_ms stderr stderr_dropped escaped",
    "end": "games points seed",
}

def ordered(value, name):
    if isinstance(value, list):
        return [ordered(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    unknown = set(value) - set(ORDER[name].split())
    assert not unknown, (name, unknown)
    return {key: ordered(value[key], key) for key in ORDER[name].split() if key in value}

for line in open(sys.argv[1], encoding="utf-8"):
    spelt = json.dumps(ordered(json.loads(line), "line"), ensure_ascii=False, separators=(",", ":"))
    assert spelt + "\n" == line, (spelt, line)
"#;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

#[test]
fn every_line_is_spelt_as_the_page_says() {
    let Some(bench) = bench_with("python3") else { return };
    bench.write("spells.py", SPELLS);
    let entries = fs::read_dir(examples().join("matches")).expect("the logs").flatten();
    let paths = entries.map(|entry| entry.path());
    let mut logs: Vec<PathBuf> = paths.filter(|path| is_log(path)).collect();
    logs.push(examples().join("tournaments/coup/games.jsonl"));
    // With a fault, second chances, limits, letters of several scripts, and characters that are escaped.
    let noisy = r#"жук=sh -c 'printf "\"a\\\\ž\t\001\033\177\n" >&2; echo nonsense'"#;
    let words = ["match", "--game", "tablic", "--quiet", "--log", "log", "--retries", "1"];
    let limits = ["--cpu-limit", "жук=9s", "--entropy", "žuta \"黄\"", noisy, "greedy"];
    bench.succeed([&words[..], &limits].concat());
    logs.push(bench.path("log"));
    for log in logs {
        let ended = run(bench.command("python3").arg("spells.py").arg(&log));
        assert_eq!(ended.code, Some(0), "{}: {ended:?}", log.display());
    }
}
