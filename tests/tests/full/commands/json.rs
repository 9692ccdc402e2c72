//! The commands print the keys of the table in `docs/reference/json.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::{Bench, SEED};
use tests::running::Running;

/// A bot that plays the first move that is listed.
const FIRST_MOVE: &str = "while read -r word rest; do
  if [ \"$word\" = legal ]; then read -r move; echo \"$move\"; exit; fi
done
";

/// The keys of one kind of line: those that are always there, and those that may be.
#[derive(Debug, Default)]
struct Keys {
    always: BTreeSet<String>,
    sometimes: BTreeSet<String>,
}

/// The keys on the page, by command and kind; the kind is empty if a command has only one.
fn documented() -> BTreeMap<(String, String), Keys> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/json.md");
    let page = fs::read_to_string(path).expect("it is there");
    let (_, table) = page.split_once("| --- | --- | --- |\n").expect("a table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let words = |cell: &str| -> BTreeSet<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [command, kind, keys] = cells[..] else { unreachable!("{row}") };
        let (always, sometimes) = keys.split_once(';').unwrap_or((keys, ""));
        // Keys that come with an option are named after the option.
        let sometimes: BTreeSet<String> =
            words(sometimes).into_iter().filter(|word| !word.starts_with("--")).collect();
        let name = |cell: &str| words(cell).into_iter().next().unwrap_or_default();
        ((name(command), name(kind)), Keys { always: words(always), sometimes })
    })
    .collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().expect("an object").keys().cloned().collect()
}

/// Output of a match that is stopped after its first line.
fn stopped_match(bench: &Bench) -> String {
    let bot = bench.faulty("sleep");
    let words = ["match", "--game", "coup", "--time-limit", "10min", "--json", &bot, "random"];
    let mut referee = Running::start(bench.arbiter(words).stdout(Stdio::piped()));
    let mut stdout = BufReader::new(referee.stdout());
    let mut printed = String::new();
    stdout.read_line(&mut printed).expect("a line");
    referee.signal(Signal::INT);
    stdout.read_to_string(&mut printed).expect("text");
    assert_eq!(referee.wait().code(), Some(130));
    printed
}

#[test]
fn the_keys_in_the_protocol_are_those_that_are_printed() {
    let bench = Bench::new();
    let bots = ["random", "greedy"];
    let of_game = |command: &'static str| vec![command, "--game", "coup", "--seed", SEED, "--json"];
    let with = |words: Vec<&'static str>, more: &[&'static str]| [&words[..], more].concat();
    let handed_in = bench.path("handed-in/bad");
    fs::create_dir_all(&handed_in).expect("the folder is ours");
    fs::write(handed_in.join("bot.toml"), "no manifest").expect("the folder is ours");
    bench.write("handed-in/single.sh", FIRST_MOVE);
    let submissions = ["--dir", "other", "--deals", "1", "--submissions", "handed-in"];
    for line in [
        "new class --game coup --round-deals 1",
        "add class random greedy",
        "new final --game coup --round-deals 1",
        "add final random greedy",
        "stage final --format knockout",
        "new corrected --game coup --round-deals 1",
        "add corrected random greedy",
        "run corrected --games 2 --quiet",
        "void corrected 0 --reason flood",
        "invite corrected zoe",
    ] {
        bench.succeed(["league"].into_iter().chain(line.split(' ')));
    }
    let manifests = [("good", "name = 'good'\ncommand = 'sh bot.sh'\n"), ("bad", "no manifest")];
    for (name, manifest) in manifests {
        let folder = bench.path("watched").join(name);
        fs::create_dir_all(&folder).expect("the folder is ours");
        fs::write(folder.join("bot.toml"), manifest).expect("the folder is ours");
        fs::write(folder.join("bot.sh"), FIRST_MOVE).expect("the folder is ours");
    }
    let commands = [
        vec!["league", "watch", "class", "watched", "--once", "--json"],
        vec!["league", "run", "class", "--games", "2", "--json"],
        vec!["league", "status", "class", "--json"],
        vec!["league", "test-game", "class", "--bot", "greedy", "--against", "random", "--json"],
        vec!["league", "pairings", "class", "--json"],
        vec!["league", "corrections", "corrected", "--json"],
        vec!["league", "results", "corrected", "--format", "json"],
        vec!["league", "audit", "corrected", "--json"],
        vec!["league", "forget", "corrected", "zoe", "--json"],
        vec!["league", "run", "final", "--stage", "--json"],
        vec!["league", "stages", "final", "--json"],
        with(of_game("match"), &["--log", "log", bots[0], bots[1]]),
        with(of_game("tournament"), &["--dir", "cup", "--deals", "2", bots[0], bots[1]]),
        with(with(of_game("tournament"), &submissions), &bots),
        vec!["show", "log", "--game", "0", "--json"],
        vec!["verify", "log", "cup", "--json"],
        vec!["review", "log", "--worlds", "10", "--json"],
        vec!["rerun", "log", "--json"],
        vec!["explain", "log", "--game", "0", "--move", "0", "--json"],
        vec!["explain", "log", "--json"],
        vec!["tournament", "status", "cup", "--json"],
        vec!["bots", "--json"],
        vec!["games", "--json"],
        vec!["rerun", "log", "--game", "0", "--times", "2", "--json"],
        with(of_game("simulate"), &["--deals", "2", bots[0], bots[1]]),
        with(of_game("check"), &["--games", "1", bots[0]]),
        vec!["sandbox", "--json", bots[0]],
    ];
    let documented = documented();
    let mut seen = BTreeSet::new();
    let mut seen_sometimes = BTreeSet::new();
    let printed = commands.iter().map(|words| (words[0], bench.succeed(words)));
    // It does not succeed where a layer is missing.
    let machine = bench.run(["sandbox", "--json"]).stdout;
    let others = [("match", stopped_match(&bench)), ("sandbox", machine)];
    for (command, printed) in printed.chain(others) {
        for line in printed.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let only = line.as_object().filter(|object| object.len() == 1);
            let (kind, content) = match only.and_then(|object| object.iter().next()) {
                Some((kind, content)) => (kind.clone(), content),
                None => (String::new(), &line),
            };
            let place = (command.to_owned(), kind);
            let Some(said) = documented.get(&place) else {
                unreachable!("{place:?} is not on the page: {line}");
            };
            let found = keys(content);
            let rest: BTreeSet<String> = found.difference(&said.always).cloned().collect();
            assert!(found.is_superset(&said.always), "{place:?}: {found:?}, {said:?}");
            assert!(rest.is_subset(&said.sometimes), "{place:?}: {rest:?} too much");
            seen_sometimes.extend(rest);
            seen.insert(place);
        }
    }
    assert_eq!(seen.len(), documented.len(), "not all was printed: {seen:?}");
    let all: BTreeSet<String> =
        documented.values().flat_map(|keys| keys.sometimes.iter().cloned()).collect();
    assert_eq!(seen_sometimes, all);
}
