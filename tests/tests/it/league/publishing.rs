//! A league for everybody: a folder that verifies, without anything private, and events that are sent.

use std::fs;

use serde_json::Value;
use tests::bench::files_below;
use tests::league::{enter, league, play};
use tests::log;

/// A bot that says something private with each answer.
const TALKING: &str = r#"request=$(cat)
echo "a private thought" >&2
echo "$request" | sed -n '/^legal /{n;p;}'
"#;

#[test]
fn a_published_league_verifies_and_holds_nothing_private() {
    let bench = league(&["random", "greedy"]);
    enter(&bench, "ann", TALKING);
    bench.ok("league invite class bea --person 'Beatrice Example'");
    play(&bench, "8");
    let told = bench.ok("league publish class -o open");
    let head = bench.ok("head class");
    assert!(told.trim_end().ends_with(head.trim_end()), "{told} {head}");
    let verified = bench.ok("verify open");
    assert!(verified.contains("ok") && verified.contains(head.trim_end()), "{verified}");
    let says = |folder: &str, words: &str| {
        files_below(&bench.path(folder)).into_iter().find(|file| {
            let bytes = fs::read(file).expect("a file");
            String::from_utf8_lossy(&bytes).contains(words)
        })
    };
    for private in ["private thought", "Beatrice"] {
        assert_eq!(says("open", private), None, "{private}");
    }
    assert_eq!(fs::read_dir(bench.path("open")).expect("a folder").count(), 2);

    // The organiser still has the texts, and a reader of the log has their digests.
    let games = log::games(&bench.path("class/rounds/0/games.jsonl"));
    let of_ann = games.iter().find(|game| game["seats"].to_string().contains("ann@1"));
    let number = of_ann.expect("a game of ann")["number"].to_string();
    let explain = |folder: &str| {
        let line = format!("explain {folder}/rounds/0 --game {number} --move");
        bench.ok(&format!("{line} 0")) + &bench.ok(&format!("{line} 1"))
    };
    let (own, public) = (explain("class"), explain("open"));
    assert!(own.contains("a private thought"), "{own}");
    assert!(public.contains("private: not stored with this log (SHA-256 "), "{public}");
    assert!(!public.contains("a private thought"), "{public}");

    bench.ok("report class -o pages");
    bench.ok("report class -o pages-of-authors --with-stderr");
    assert_eq!(says("pages", "a private thought"), None);
    assert!(says("pages-of-authors", "a private thought").is_some());

    let again = bench.line("league publish class -o open");
    assert_eq!((again.code, again.stdout.as_str()), (Some(2), ""), "{again:?}");
    assert!(again.stderr.contains("choose a new folder"), "{again:?}");
}

#[test]
fn events_are_sent_once_each_to_a_command() {
    let bench = league(&["random", "greedy"]);
    let table =
        "\n[notify]\ncommand = 'sh ./take.sh'\nsecret = 'Jefe'\nevents = ['round', 'entered']\n";
    bench.write("class/league.toml", bench.text("class/league.toml") + table);
    bench.write("class/take.sh", "cat >> ../sent\necho \"$ARBITER_SIGNATURE\" >> ../signatures\n");
    let notify = || bench.line("league notify class --once");
    let first = notify();
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), ""), "{first:?}");
    bench.ok("league invite class ann --person 'Ann <ann@example.org>'");
    bench.ok("league add class ann=random");
    play(&bench, "4");
    let second = notify();
    assert!(second.stdout.starts_with("sent: ann@1 has entered\nsent: round 0 "), "{second:?}");
    assert_eq!(notify().stdout, "");
    let messages = log::lines(&bench.path("sent"));
    let entered = &messages[0];
    assert_eq!((&entered["text"], &entered["bot"]), (&"ann@1 has entered".into(), &"ann".into()));
    assert_eq!(entered["person"], "Ann <ann@example.org>");
    assert_eq!(entered["event"]["entered"], "ann@1");
    assert_eq!(
        (&messages[1]["event"]["round"]["round"], &messages[1]["bot"]),
        (&0.into(), &Value::Null)
    );
    let signatures = bench.text("signatures");
    assert!(signatures.lines().all(|line| line.len() == 64), "{signatures}");
    assert_eq!(signatures.lines().count(), messages.len());

    let table = "\n[notify]\ncommand = 'sh -c \"cat; exit 7\"'\nevents = ['rounds']\n";
    bench.write("class/league.toml", table);
    let wrong = notify().with_code(2);
    assert!(wrong.stderr.contains("unknown event `rounds`; the events are entered, "), "{wrong:?}");
}
