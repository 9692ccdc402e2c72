//! Tournaments with the real programs: the same games however many play at once, and nothing written
//! where something is wrong.

use std::fs;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::tournament::{SEED, cup, games, play_cup, result, verify};
use tests::{log, processes};

#[test]
fn the_same_games_with_any_number_of_workers() {
    let bench = Bench::new();
    // One of them faults in every game, so it is out after some, and games are skipped.
    let bots = format!("random greedy {}", bench.bad("bad", "crash"));
    for workers in ["1", "2", "8"] {
        play_cup(&bench, workers, 5, &format!("--workers {workers} {bots}"));
        verify(&bench, workers);
    }
    let expected = result(&bench.path("1"));
    assert!(expected.0.len() < 2 + 30, "games were skipped");
    assert_eq!(result(&bench.path("2")), expected);
    assert_eq!(result(&bench.path("8")), expected);
}

#[test]
fn more_workers_than_processors_are_warned_of() {
    let bench = Bench::new();
    // More than any machine has.
    let ended = bench.line(&cup("many", 1, "--workers 1024 --quiet random greedy")).with_code(0);
    assert!(ended.stderr.starts_with("warning: 1024 workers on "), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    bench.line(&cup("one", 1, "--workers 1 --quiet random greedy")).without_error();
}

#[test]
fn every_game_has_tournaments() {
    let bench = Bench::new();
    for (game, more, number) in [
        ("tablic", "--seats 3 a=random b=random c=greedy d=greedy", 12),
        ("coup", "random greedy a=greedy", 6),
        ("durak", "--seats 3 --orders all random greedy a=random", 6),
        ("coup", "--tables 4 greedy a=random b=random c=random", 8),
    ] {
        let folder = format!("{game}-{number}");
        let line = format!("tournament --game {game} --dir {folder} --deals 1 --quiet");
        bench.ok(&format!("{line} {more}"));
        verify(&bench, &folder);
        assert_eq!(games(&bench, &folder).len(), number, "{game}");
    }
    // In a gauntlet of several, the first bots meet all but each other, in both orders of the seats.
    let bots = "a=random b=greedy c=random d=random e=greedy";
    play_cup(&bench, "cup", 1, &format!("--format gauntlet --gauntlets 2 {bots}"));
    verify(&bench, "cup");
    let seated = |game: &Value| -> String {
        let mut seats: Vec<String> = serde_json::from_value(game["seats"].clone()).expect("names");
        seats.sort_unstable();
        seats.concat()
    };
    let mut pairs: Vec<String> = games(&bench, "cup").iter().map(seated).collect();
    pairs.sort_unstable();
    let expected = ["ac", "ad", "ae", "bc", "bd", "be"].map(|pair| [pair, pair]).concat();
    assert_eq!(pairs, expected);
    for (more, why) in [
        ("--gauntlets 2", "`--gauntlets` needs `--format gauntlet`"),
        ("--format gauntlet --gauntlets 5", "leaves no opponents among 5 bots"),
    ] {
        bench.refuses(&cup("other", 1, &format!("{more} {bots}")), why);
    }
}

#[test]
fn a_bot_that_faults_too_often_is_out_and_the_others_go_on() {
    let bench = Bench::new();
    let bots = format!("random greedy {}", bench.bad("bad", "crash"));
    let ended = bench.line(&cup("cup", 5, &bots)).with_code(0);
    assert!(ended.stdout.contains("bad: disqualified after game 11, too many faults"), "{ended:?}");
    assert!(ended.stdout.contains("verify: arbiter verify cup"), "{ended:?}");
    verify(&bench, "cup");
    let all = games(&bench, "cup");
    let with_bad = all.iter().filter(|game| game["seats"].to_string().contains("bad"));
    assert_eq!((with_bad.count(), all.len()), (8, 8 + 10));
    play_cup(&bench, "never", 3, &format!("--disqualify-after never {bots}"));
    assert_eq!(games(&bench, "never").len(), 18);
    processes::wait_for_none(bench.marker());
}

#[test]
fn a_plan_is_written_out_and_can_be_repeated() {
    let bench = Bench::new();
    let bad = bench.bad("bad", "only-on 4 0 crash");
    let options = "--retries 2 --time-limit 7s --time-limit greedy=1500ms --disqualify-after 40%";
    play_cup(&bench, "cup", 1, &format!("{options} random greedy random {bad}"));
    fs::copy(bench.path("cup/plan.toml"), bench.path("again.toml")).expect("a plan");
    bench.ok("tournament again.toml --quiet");
    assert_eq!(result(&bench.path("again")), result(&bench.path("cup")));
    assert_eq!(bench.text("again/plan.toml"), bench.text("cup/plan.toml"));
    bench.refuses("tournament again.toml", "`again` already holds a tournament");
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let bench = Bench::new();
    bench.write("full/file", "");
    let refused = |line: &str, code: i32, found: &[&str]| {
        bench.line(line).assert_refused(code, found);
        let left = fs::read_dir(bench.folder()).expect("it is ours").flatten();
        let mut left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        left.retain(|name| !name.to_string_lossy().ends_with(".toml"));
        left.sort();
        assert_eq!(left, ["full", "tmp"], "{line:?} left something");
    };
    for (words, found) in [
        ("random", "1 bot for 2 seats"),
        ("--seats 3 random greedy", "2 bots for 3 seats"),
        ("--seats 5 random greedy", "48 seats for tablic, found `5`"),
        ("--options deck=24 random greedy", "`deck=24`"),
        ("a=random a=greedy", "two bots are named `a`"),
        ("--time-limit x=1s random greedy", "limit for unknown bot `x`"),
        ("--disqualify-after 200% random greedy", "`200%`"),
    ] {
        refused(&format!("tournament --game tablic --dir cup {words}"), 2, &[found]);
    }
    let gone = "tournament --game tablic --dir cup random nowhere";
    refused(gone, 4, &["bot `nowhere`", "not found"]);
    bench.write("plan.toml", "game = 'tablic'\nbots = []");
    for (line, found) in [
        ("--game tablic random greedy", "pass --dir DIR"),
        ("--dir cup random greedy", "pass --game GAME"),
        ("--game tablic --dir full random greedy", "is not empty"),
        ("resume full", "no tournament in `full`"),
        ("status nowhere", "`nowhere`"),
        ("standings full", "no tournament in `full`"),
        ("plan.toml --deals 3", "--deals and a plan cannot be combined"),
        ("plan.toml --format gauntlet", "--format and a plan cannot be combined"),
        ("plan.toml --time-limit 1s", "--time-limit and a plan cannot be combined"),
        ("plan.toml random", "bots and a plan cannot be combined"),
        ("missing.toml", "cannot read `missing.toml`"),
    ] {
        refused(&format!("tournament {line}"), 2, &[found]);
    }
    // Plans, in which GAME and TWO_BOTS stand for these lines.
    let two = "bots = [{command='random'}, {command='greedy'}]";
    for (plan, found) in [
        ("bots = []", &["missing key `game`"][..]),
        ("game = 'whist'\nbots = []", &["`game`", "whist"]),
        ("what is this", &["line 1"]),
        ("\u{1b}[2J = 1", &["line 1"]),
        ("GAME", &["0 bots for 2 seats"]),
        ("GAME\nbots = []\ncolour = 'red'", &["line 3", "colour"]),
        ("GAME\nbots = []", &["0 bots for 2 seats"]),
        ("GAME\ndeals = 0\nTWO_BOTS", &["0 deals"]),
        ("GAME\nseed = 'x'\nTWO_BOTS", &["`seed`", "`x`"]),
        ("GAME\nshard = '3/2'\nbots = []", &["line 2", "3/2"]),
        ("GAME\nshard = '0/2'\nbots = []", &["`shard`", "`arbiter tournament run-shard`"]),
        ("GAME\nsprt = 'elo=1'\nbots = []", &["`sprt`", "elo"]),
        (
            "GAME\nbots = [{command='random', limits={time-limit='x'}}]",
            &["`time-limit`", "a duration"],
        ),
        ("GAME\nlimits = {colour='x'}\nbots = []", &["line 2", "colour"]),
        ("GAME\nretries = 101\nbots = []", &["`retries`", "at most 100"]),
        ("GAME\nseats = 3\noptions = 'seats=2'\nbots = []", &["`seats`"]),
        ("GAME\nbots = [{name='a b', command='random'}]", &["invalid bot name `a b`"]),
        (
            "GAME\nformat = 'listed'\nlisted = [['random', 'ann']]\nTWO_BOTS",
            &["`listed`: unknown bot `ann`: use one of random, greedy"],
        ),
        (
            "GAME\nlisted = [['random', 'greedy']]\nTWO_BOTS",
            &["listed tables need the format `listed`"],
        ),
    ] {
        let plan = plan.replace("GAME", "game = 'tablic'").replace("TWO_BOTS", two);
        bench.write("plan.toml", plan);
        refused("tournament plan.toml", 2, &[&["`plan.toml`: "], found].concat());
    }
}

/// A list of tables takes the place of a round robin, in the plan by names.
#[test]
fn listed_tables_are_played() {
    let bench = Bench::new();
    let bots = "bots = [{name='ann', command='random'}, {command='greedy'}, {name='ben', command='random'}]";
    let list = "format = 'listed'\nlisted = [['ben', 'ann'], ['greedy', 'ben']]";
    bench.write("cup.toml", format!("game = 'coup'\ndeals = 2\nseed = '{SEED}'\n{list}\n{bots}\n"));
    bench.ok("tournament cup.toml --quiet");
    let lines = log::lines(&bench.path("cup/games.jsonl"));
    let listed = &lines[0]["header"]["tournament"]["schedule"]["listed"];
    assert_eq!(*listed, json!([[2, 0], [1, 2]]));
    let seats: Vec<Value> = games(&bench, "cup").iter().map(|game| game["seats"].clone()).collect();
    let of_deal = [["ben", "ann"], ["ann", "ben"], ["greedy", "ben"], ["ben", "greedy"]];
    assert_eq!(json!(seats), json!(of_deal.repeat(2)));
    verify(&bench, "cup");
    // Its own plan is one that can be played again.
    bench.write("again.toml", bench.text("cup/plan.toml"));
    bench.ok("tournament again.toml --quiet");
    assert_eq!(result(&bench.path("again")), result(&bench.path("cup")));
    let why = "a tournament with listed tables cannot be extended: start a new one";
    bench.refuses("tournament extend cup --deals 2", why);
}

#[test]
fn a_tournament_is_shown_verified_anywhere_and_without_its_bots() {
    let bench = Bench::new();
    fs::create_dir(bench.path("bots")).expect("the folder is ours");
    bench.ok("new bots/mine --language shell --game coup");
    play_cup(&bench, "cup", 1, "--no-copies random ./bots/mine greedy");
    fs::remove_dir_all(bench.path("bots")).expect("it is ours");
    verify(&bench, "cup");
    let mut command = bench.arbiter(["verify", &bench.path("cup").display().to_string()]);
    tests::bench::run(command.current_dir("/")).with_code(0);
    for (format, word) in [("text", "greedy"), ("csv", "greedy,"), ("markdown", "| greedy")] {
        let shown = bench.ok(&format!("tournament standings cup --format {format}"));
        assert!(shown.contains(word), "{format}: {shown}");
    }
    let json = bench.ok("tournament standings cup --format json");
    assert_eq!(json, bench.text("cup/standings.json"), "what is shown is what is kept");
    let status = bench.ok("tournament status cup");
    assert!(status.contains("6 of 6 games") && status.contains("over"), "{status}");
    let ended = bench.line("tournament resume cup");
    assert_eq!(ended.code, Some(4), "its bot is gone: {ended:?}");
    // The seed of zeros is one that everybody knows.
    let plan = bench.text("cup/plan.toml");
    let unseeded = plan.lines().filter(|it| !it.starts_with("seed")).map(|it| format!("{it}\n"));
    bench.write("cup/plan.toml", unseeded.collect::<String>());
    bench.refuses("tournament resume cup", "`seed`: missing");
    bench.refuses("tournament status cup", "`seed`: missing");
}

/// One changed character in the log, the plan or the standings is found. A log without its end is no forgery: everything in
/// it but the cards can be verified.
#[test]
fn edited_files_do_not_verify_and_a_tournament_that_is_not_over_is_genuine_so_far() {
    let bench = Bench::new();
    play_cup(&bench, "cup", 2, "random greedy");
    let whole = bench.text("cup/games.jsonl");
    for (file, from, to, found) in [
        ("plan.toml", "deals = 2", "deals = 3", "contradicts its plan: its schedule"),
        ("plan.toml", "\"random\"", "\"minimax\"", "its plan: its bots"),
        ("plan.toml", "seed = \"00", "seed = \"01", "its plan: its seed"),
        ("standings.json", "\"won\":", "\"won\":1", "its standings do not match"),
        ("standings.json", "{\"format\":5,", "{", "its standings.json has format 1, not 5"),
        ("entrants.json", "\"random\"", "\"rendom\"", "its entrants.json does not list"),
        ("games.jsonl", "\"deal\":1", "\"deal\":0", "its log: line "),
    ] {
        let file = format!("cup/{file}");
        let before = bench.text(&file);
        assert!(before.contains(from), "{file} has no {from}");
        bench.write(&file, before.replacen(from, to, 1));
        bench.line("verify cup").assert_refused(3, &[found]);
        bench.write(&file, before);
    }
    verify(&bench, "cup");
    fs::remove_file(bench.path("cup/standings.json")).expect("it is ours");
    bench.line("verify cup").assert_refused(3, &["standings missing"]);
    bench.ok("tournament resume cup --quiet");
    verify(&bench, "cup");

    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let cut = |lines: &[&str], torn: &str| {
        bench.write("cup/games.jsonl", lines.concat() + torn);
        bench.line("verify cup")
    };
    let so_far = cut(&lines[..4], "").with_code(8);
    let begins = "cup: valid so far, 3 of 4 games of coup, head ";
    assert!(so_far.stdout.starts_with(begins), "{so_far:?}");
    let note = "error: cup is unfinished: its cards can be verified once the seed is revealed\n";
    assert_eq!(so_far.stderr, note);
    // A crash has cut off the last line.
    assert_eq!(cut(&lines[..4], "{\"game\":").code, Some(8));
    let told = bench.line("verify cup --json").with_code(8);
    let line = &told.json()[0];
    assert_eq!(
        [&line["verified"], &line["so_far"], &line["games"]],
        [&json!(false), &json!(true), &json!(3)]
    );
    // What is wrong in it is found.
    let changed = lines[2].replacen(':', ": ", 1);
    assert_eq!(cut(&[lines[0], lines[1], &changed], "").code, Some(3));
    assert_eq!(cut(&[lines[0], lines[1], lines[3]], "").code, Some(3));
    assert_eq!(cut(&lines, "").code, Some(0));
}

#[test]
fn suspect_games_are_replayed_unless_asked_otherwise() {
    let bench = Bench::new();
    let is = |name: &str, rule: &str| {
        let log = bench.text(&format!("{name}/games.jsonl"));
        assert!(log.contains(&format!("\"suspect_games\":\"{rule}\"")), "{name}");
    };
    play_cup(&bench, "no", 1, "--replay-suspect=no random greedy");
    is("no", "count");
    play_cup(&bench, "cup", 1, "random greedy");
    is("cup", "play-again");
    // A new plan without the key, and one that a tournament was begun with.
    let written = bench.text("no/plan.toml");
    let without = written.replace("replay-suspect = false\n", "");
    assert_ne!(without, written);
    bench.write("new.toml", &without);
    bench.ok("tournament new.toml --quiet");
    is("new", "play-again");
    bench.write("no/plan.toml", &without);
    bench.ok("verify no");
    let asked = bench.line(&cup("bad", 1, "--replay-suspect=x random"));
    assert!(asked.stderr.contains("must be yes or no"), "{asked:?}");
}
