//! A league for everybody: a folder that verifies, without anything private.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tests::league::{league, play};

/// A bot that says something private with each answer.
const TALKING: &str = r#"request=$(cat)
echo "a private thought" >&2
echo "$request" | sed -n '/^legal /{n;p;}'
"#;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

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
    for file in files(&bench.path("open")) {
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
        let pages = files(&bench.path(folder));
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
