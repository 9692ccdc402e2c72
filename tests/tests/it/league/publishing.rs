//! A league for everybody: a folder that verifies, without anything private, and events that are sent.

use std::fs;

use serde_json::Value;
use tests::bench::files_below;
use tests::league::{league, play};

/// A bot that says something private with each answer.
const TALKING: &str = r#"request=$(cat)
echo "a private thought" >&2
echo "$request" | sed -n '/^legal /{n;p;}'
"#;

#[test]
fn a_published_league_verifies_and_holds_nothing_private() {
    let bench = league(&["random", "greedy"]);
    bench.write("talking.sh", TALKING);
    bench.succeed(["league", "add", "class", "ann=sh talking.sh"]);
    bench.succeed(["league", "invite", "class", "bea", "--person", "Beatrice Example"]);
    play(&bench, "12");
    let told = bench.succeed(["league", "publish", "class", "-o", "open"]);
    let head = bench.succeed(["head", "class"]);
    assert!(told.trim_end().ends_with(head.trim_end()), "{told} {head}");
    let verified = bench.succeed(["verify", "open"]);
    assert!(verified.contains("ok") && verified.contains(head.trim_end()), "{verified}");
    for file in files_below(&bench.path("open")) {
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        for private in ["private thought", "Beatrice"] {
            assert!(!text.contains(private), "{private} in {}", file.display());
        }
    }
    let names: Vec<String> = fs::read_dir(bench.path("open"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");

    // The organiser still has the texts, and a reader of the log has their digests.
    let round = |folder: &str| format!("{folder}/rounds/0");
    let log = fs::read_to_string(bench.path(&round("class")).join("games.jsonl")).expect("a log");
    let games = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut of_ann = games.filter_map(|line| {
        let game = line.get("game")?;
        let seats = game["seats"].as_array()?;
        seats.iter().any(|name| name == "ann@1").then(|| game["number"].to_string())
    });
    let number = of_ann.next().expect("a game of ann");
    let explain = |folder: &str| {
        let explain = |number_of_move| {
            let folder = round(folder);
            bench.succeed(["explain", &folder, "--game", &number, "--move", number_of_move])
        };
        explain("0") + &explain("1")
    };
    let (own, public) = (explain("class"), explain("open"));
    assert!(own.contains("a private thought"), "{own}");
    assert!(public.contains("private: not beside this log (SHA-256 "), "{public}");
    assert!(!public.contains("a private thought"), "{public}");

    bench.succeed(["report", "class", "-o", "pages"]);
    bench.succeed(["report", "class", "-o", "pages-of-authors", "--with-stderr"]);
    let says = |folder: &str| {
        let pages = files_below(&bench.path(folder));
        pages.iter().any(|page| {
            let bytes = fs::read(page).expect("a page");
            String::from_utf8_lossy(&bytes).contains("a private thought")
        })
    };
    assert!(!says("pages"));
    assert!(says("pages-of-authors"));

    let again = bench.run(["league", "publish", "class", "-o", "open"]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(2), ""), "{again:?}");
    assert!(again.stderr.contains("choose a new folder"), "{again:?}");
}

#[test]
fn events_are_sent_once_each_to_a_command() {
    let bench = league(&["random", "greedy"]);
    let settings = bench.path("class/league.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    let table =
        "\n[notify]\ncommand = 'sh ./take.sh'\nsecret = 'Jefe'\nevents = ['round', 'entered']\n";
    fs::write(&settings, text + table).expect("the folder is ours");
    let take = "cat >> ../sent\necho \"$ARBITER_SIGNATURE\" >> ../signatures\n";
    bench.write("class/take.sh", take);
    let notify = || bench.run(["league", "notify", "class", "--once"]);
    let first = notify();
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), ""), "{first:?}");
    bench.succeed(["league", "invite", "class", "ann", "--person", "Ann <ann@example.org>"]);
    bench.succeed(["league", "add", "class", "ann=random"]);
    play(&bench, "4");
    let second = notify();
    assert!(second.stdout.starts_with("sent: ann@1 has entered\nsent: round 0 "), "{second:?}");
    assert_eq!(notify().stdout, "");
    let sent = fs::read_to_string(bench.path("sent")).expect("messages");
    let messages: Vec<Value> =
        sent.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(messages[0]["text"], "ann@1 has entered");
    assert_eq!(messages[0]["bot"], "ann");
    assert_eq!(messages[0]["person"], "Ann <ann@example.org>");
    assert_eq!(messages[0]["event"]["entered"], "ann@1");
    assert_eq!(messages[1]["event"]["round"]["round"], 0);
    assert_eq!(messages[1]["bot"], Value::Null);
    let signatures = fs::read_to_string(bench.path("signatures")).expect("signatures");
    assert!(signatures.lines().all(|line| line.len() == 64), "{signatures}");
    assert_eq!(signatures.lines().count(), messages.len());

    let table = "\n[notify]\ncommand = 'sh -c \"cat; exit 7\"'\nevents = ['rounds']\n";
    fs::write(&settings, table).expect("the folder is ours");
    let wrong = notify();
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("unknown event `rounds`; the events are entered, "), "{wrong:?}");
}
