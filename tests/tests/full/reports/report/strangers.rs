//! Texts of strangers: a log with an error makes no report, and the texts in a log do nothing on a
//! page.

use rules::Outcome;
use tests::chain;

use tests::bench::Bench;

use super::tools::{content, examples, files, game_of, read, run, succeed};

/// A log in which something is wrong makes no report, and an old one stays as it was.
#[test]
fn a_wrong_log_makes_no_report() {
    let bench = Bench::new();
    let text = read(examples("matches/durak.jsonl"));
    // Rewritten with chains of their own: a result that only a replay finds, and a name that the command line refuses.
    let mut forged = chain::contents(&text);
    let mut game = game_of(&forged[1]);
    if let Outcome::Played { scores, .. } = &mut game.result {
        *scores = scores.values().iter().rev().copied().collect::<Vec<_>>().into();
    }
    forged[1] = content(game);
    let named =
        chain::contents(&text.replace("\"greedy\"", "\"<script>document.title=1</script>\""));
    let mut seated = chain::contents(&text);
    seated[1].clone_from(&named[1]);
    let (old, new) = (bench.path("old"), bench.path("new"));
    succeed(&bench, &examples("matches/coup.jsonl"), &old);
    let before = files(&old);
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.len() - 1;
    let without_a_line = [&lines[..2], &lines[3..]].concat().join("\n") + "\n";
    let changed = text.replacen("\"ms\":", "\"ms\":1", 1);
    let doubled = [&lines[..], &lines[last..]].concat().join("\n") + "\n";
    for (case, wrong, says) in [
        ("changed", changed.as_str(), ""),
        ("without a line", &without_a_line, ""),
        ("doubled", &doubled, ""),
        ("empty", "", ""),
        ("no log", "hello\n", ""),
        ("a forged result", &chain::chain(&forged), "2, game 0, result: "),
        ("a forged name", &chain::chain(&named), "1"),
        ("a forged name at a seat", &chain::chain(&seated), "2"),
    ] {
        let log = bench.write("wrong.jsonl", wrong);
        for folder in [&old, &new] {
            run(&bench, &log, folder).assert_refused(3, &[&format!("wrong.jsonl: line {says}")]);
        }
        assert!(!new.exists(), "{case}");
        assert_eq!(files(&old), before, "{case}");
    }
}

/// Commands, replies and standard error are shown as text, whatever they say.
#[test]
fn output_of_bots_is_escaped() {
    let bench = Bench::new();
    let evil = "<script>document.title=1</script><img src=x onerror=alert(1)>";
    let script = format!("cat >/dev/null; echo '{evil}'; echo '{evil}' >&2");
    let bot = format!("evil=sh -c \"{script}\" '<b>bold</b>'");
    let log = bench.path("log");
    bench.play("durak", &["--games", "2"], &[&bot, "random"]);
    let folder = bench.path("report");
    succeed(&bench, &log, &folder);
    for file in files(&folder).iter().filter(|file| file.ends_with(".html")) {
        let page = read(folder.join(file));
        for word in ["<script>document", "<img", "<b>bold"] {
            assert!(!page.contains(word), "{word} in {file}");
        }
    }
    let bot = read(folder.join("bots/1.html"));
    assert!(bot.contains("&lt;b&gt;bold") && bot.contains("malformed"), "{bot}");
    // A name is refused before anything is played.
    let refused = bench.run(["match", "--game", "durak", "<script>=random", "random"]);
    refused.assert_refused(2, &["<script>"]);
}
