//! Tournaments with the real programs: the same games however many play at once, and nothing written
//! where something is wrong.

use std::fs;

use serde_json::Value;
use tests::bench::Bench;
use tests::tournament::{SEED, coup, result, verify, words};
use tests::{log, processes};

fn bench() -> Bench {
    Bench::new()
}

/// Plays a tournament to its end, quietly.
fn play(bench: &Bench, words: &[&str], bots: &[&str]) {
    let shown = bench.succeed([words, &["--quiet"], bots].concat());
    assert_eq!(shown, "", "nothing is shown");
}

#[test]
fn the_same_games_with_any_number_of_workers() {
    let bench = bench();
    // One of them faults in every game, so it is out after some, and games are skipped.
    let bad = format!("bad={}", bench.faulty("crash"));
    let bots = ["random", "greedy", bad.as_str()];
    for workers in ["1", "2", "8"] {
        play(&bench, &[&coup(workers, "7")[..], &["--workers", workers]].concat(), &bots);
        verify(&bench, workers);
    }
    let expected = result(&bench.path("1"));
    assert!(expected.0.len() < 2 + 42, "games were skipped");
    assert_eq!(result(&bench.path("2")), expected);
    assert_eq!(result(&bench.path("8")), expected);
}

#[test]
fn more_workers_than_processors_are_warned_of() {
    let bench = bench();
    let begin = |folder, workers| {
        let words = [&coup(folder, "1")[..], &["--workers", workers, "--quiet"]].concat();
        bench.run([&words[..], &["random", "greedy"]].concat())
    };
    // More than any machine has.
    let ended = begin("many", "1024");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.starts_with("warning: 1024 workers on "), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    let ended = begin("one", "1");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
}

#[test]
fn every_game_has_tournaments() {
    let bench = bench();
    fn head<'a>(game: &'a str, folder: &'a str) -> [&'a str; 9] {
        ["tournament", "--game", game, "--dir", folder, "--seed", SEED, "--deals", "1"]
    }
    let tournaments: [(&str, &[&str], &[&str], usize); 5] = [
        ("tablic", &["--seats", "3"], &["a=random", "b=random", "c=greedy", "d=greedy"], 12),
        ("coup", &[], &["random", "greedy", "a=greedy"], 6),
        ("durak", &["--seats", "3", "--orders", "all"], &["random", "greedy", "a=random"], 6),
        ("coup", &["--format", "gauntlet"], &["greedy", "a=random", "b=random"], 4),
        ("coup", &["--tables", "4"], &["greedy", "a=random", "b=random", "c=random"], 8),
    ];
    for (game, options, bots, games) in tournaments {
        let folder = format!("{game}-{games}");
        play(&bench, &[&head(game, &folder)[..], options].concat(), bots);
        verify(&bench, &folder);
        assert_eq!(log::games(&bench.path(&folder).join("games.jsonl")).len(), games, "{game}");
    }
    let (lines, _) = result(&bench.path("coup-4"));
    let gauntlet = lines.iter().filter_map(|line| line["game"]["seats"].as_array());
    assert!(gauntlet.flatten().any(|name| name == "greedy"));
}

/// With the same seed for all bots and the same cards, whoever plays against itself has the same
/// game with the seats exchanged.
#[test]
fn a_bot_against_itself_has_no_margin_on_any_deal() {
    let bench = bench();
    play(&bench, &words("mirror", "5"), &["a=random", "b=random"]);
    let games = log::games(&bench.path("mirror").join("games.jsonl"));
    assert_eq!(games.len(), 10);
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["events"], pair[1]["events"]);
        assert_eq!(pair[0]["deal"], pair[1]["deal"]);
        assert_ne!(pair[0]["seats"], pair[1]["seats"]);
    }
    let standings: Value = serde_json::from_str(&result(&bench.path("mirror")).1).expect("JSON");
    for row in standings["all"]["rows"].as_array().expect("rows") {
        assert_eq!(row["margin"]["value"], 0.0, "{row}");
        assert_eq!(row["score"]["value"], 0.5, "{row}");
    }
}

#[test]
fn a_test_of_two_bots_ends_the_tournament() {
    let bench = bench();
    let sprt = ["--sprt", "elo0=0,elo1=50"];
    play(&bench, &[&coup("sprt", "2000")[..], &sprt].concat(), &["greedy", "random"]);
    verify(&bench, "sprt");
    let games = log::games(&bench.path("sprt").join("games.jsonl")).len();
    assert!(games < 400 && games.is_multiple_of(2), "{games}");
    let standings: Value = serde_json::from_str(&result(&bench.path("sprt")).1).expect("JSON");
    assert_eq!(standings["all"]["sprt"]["decision"], "accept-h1", "{standings}");
    let status = bench.succeed(["tournament", "status", "sprt"]);
    let skipped = format!("\n{} games were skipped: sequential test decided\n", 4000 - games);
    assert!(status.contains(&skipped), "{status}");
    let words = [&coup("three", "9")[..], &sprt, &["random", "greedy", "a=greedy"]].concat();
    bench
        .run(words)
        .assert_refused(2, &["--sprt needs 2 bots and 2 seats, not 3 bots and 2 seats"]);
}

#[test]
fn a_bot_that_faults_too_often_is_out_and_the_others_go_on() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("crash"));
    let ended = bench.run([&coup("cup", "5")[..], &["random", "greedy", &bad]].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("bad: disqualified after game 11, too many faults"), "{ended:?}");
    assert!(ended.stdout.contains("verify: arbiter verify cup"), "{ended:?}");
    verify(&bench, "cup");
    let games = log::games(&bench.path("cup").join("games.jsonl"));
    let with_bad = games.iter().filter(|game| game["seats"].to_string().contains("bad"));
    assert_eq!(with_bad.count(), 8);
    assert_eq!(games.len(), 8 + 10);
    let never = ["--disqualify-after", "never", "--quiet"];
    bench.succeed([&coup("never", "5")[..], &never, &["random", "greedy", &bad]].concat());
    assert_eq!(log::games(&bench.path("never").join("games.jsonl")).len(), 30);
    processes::wait_for_none(bench.marker());
}

/// The games that are left when no bots can meet any more are not counted one by one: there may be
/// more of them than that.
#[test]
fn a_gauntlet_without_its_first_bot_is_over_at_once() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("crash"));
    let deals = (1_u32 << 28).to_string();
    let begin = [&coup("cup", &deals)[..], &["--format", "gauntlet", "--quiet"]].concat();
    bench.succeed([&begin[..], &[&bad, "random", "greedy"]].concat());
    verify(&bench, "cup");
    assert_eq!(log::games(&bench.path("cup/games.jsonl")).len(), 8);
    let more = (1_u32 << 29).to_string();
    let begin = [&coup("more", &more)[..], &["--format", "gauntlet"]].concat();
    let ended = bench.run([&begin[..], &[&bad, "random", "greedy"]].concat());
    ended.assert_refused(2, &["more than 1073741824 games"]);
}

#[test]
fn standings_are_written_in_every_format() {
    let bench = bench();
    play(&bench, &coup("cup", "2"), &["random", "greedy"]);
    for (format, word) in [("text", "greedy"), ("csv", "greedy,"), ("markdown", "| greedy")] {
        let shown = bench.succeed(["tournament", "standings", "cup", "--format", format]);
        assert!(shown.contains(word), "{format}: {shown}");
    }
    let json = bench.succeed(["tournament", "standings", "cup", "--format", "json"]);
    let (_, written) = result(&bench.path("cup"));
    assert_eq!(json, written, "what is shown is what is kept");
    let status = bench.succeed(["tournament", "status", "cup"]);
    assert!(status.contains("4 of 4 games") && status.contains("over"), "{status}");
}

#[test]
fn a_plan_is_written_out_and_can_be_repeated() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("only-on 4 0 crash"));
    let options = ["--retries", "2", "--time-limit", "7s", "--time-limit", "greedy=1500ms"];
    let begin = [&coup("cup", "2")[..], &options, &["--disqualify-after", "40%"]].concat();
    play(&bench, &begin, &["random", "greedy", "random", &bad]);
    fs::copy(bench.path("cup/plan.toml"), bench.path("again.toml")).expect("a plan");
    bench.succeed(["tournament", "again.toml", "--quiet"]);
    assert_eq!(result(&bench.path("again")), result(&bench.path("cup")));
    let plan = |name: &str| fs::read_to_string(bench.path(name).join("plan.toml")).expect("a plan");
    assert_eq!(plan("again"), plan("cup"));
    bench
        .run(["tournament", "again.toml"])
        .assert_refused(2, &["`again` already holds a tournament"]);
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let bench = bench();
    fs::create_dir(bench.path("full")).expect("a folder");
    bench.write("full/file", "");
    let refused = |words: &[&str], code: i32, found: &[&str]| {
        bench.run(words).assert_refused(code, found);
        let left = fs::read_dir(bench.folder()).expect("it is ours").flatten();
        let mut left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        left.retain(|name| !name.to_string_lossy().ends_with(".toml"));
        left.sort();
        assert_eq!(left, ["full", "tmp"], "{words:?} left something");
    };
    let with = |more: &[&'static str]| [&words("cup", "2")[..], more].concat();
    refused(&with(&["random"]), 2, &["1 bot for 2 seats"]);
    refused(&with(&["--seats", "3", "random", "greedy"]), 2, &["2 bots for 3 seats"]);
    refused(&with(&["--seats", "5", "random", "greedy"]), 2, &["48 seats for tablic, found `5`"]);
    refused(&with(&["--options", "deck=24", "random", "greedy"]), 2, &["`deck=24`"]);
    refused(&with(&["a=random", "a=greedy"]), 2, &["two bots are named `a`"]);
    refused(&with(&["random", "nowhere"]), 4, &["bot `nowhere`", "not found"]);
    refused(
        &with(&["--time-limit", "x=1s", "random", "greedy"]),
        2,
        &["limit for unknown bot `x`"],
    );
    refused(&with(&["--disqualify-after", "200%", "random", "greedy"]), 2, &["`200%`"]);
    refused(&["tournament", "--game", "tablic", "random", "greedy"], 2, &["pass --dir DIR"]);
    refused(&["tournament", "--dir", "cup", "random", "greedy"], 2, &["pass --game GAME"]);
    refused(&[&words("full", "2")[..], &["random", "greedy"]].concat(), 2, &["is not empty"]);
    refused(&["tournament", "resume", "full"], 2, &["no tournament in `full`"]);
    refused(&["tournament", "status", "nowhere"], 2, &["`nowhere`"]);
    refused(&["tournament", "standings", "full"], 2, &["no tournament in `full`"]);
    for (plan, found) in [
        ("game = 'tablic'\nbots = []\ncolour = 'red'", &["line 3", "colour"][..]),
        ("game = 'tablic'\nbots = []", &["0 bots for 2 seats"]),
        ("game = 'whist'\nbots = []", &["`game`", "whist"]),
        ("game = 'tablic'", &["0 bots for 2 seats"]),
        ("bots = []", &["missing key `game`"]),
        (
            "game = 'tablic'\ndeals = 0\nbots = [{command='random'},{command='greedy'}]",
            &["0 deals"],
        ),
        ("game = 'tablic'\nseed = 'x'\nbots = [{command='random'}]", &["`seed`", "`x`"]),
        ("game = 'tablic'\nshard = '3/2'\nbots = []", &["line 2", "3/2"]),
        (
            "game = 'tablic'\nshard = '0/2'\nbots = []",
            &["`shard`", "`arbiter tournament run-shard`"],
        ),
        ("game = 'tablic'\nsprt = 'elo=1'\nbots = []", &["`sprt`", "elo"]),
        (
            "game = 'tablic'\nbots = [{command='random', limits={time-limit='x'}}]",
            &["`time-limit`", "use a duration"],
        ),
        ("game = 'tablic'\nlimits = {colour='x'}\nbots = []", &["line 2", "colour"]),
        ("game = 'tablic'\nretries = 101\nbots = []", &["`retries`", "at most 100"]),
        ("game = 'tablic'\nseats = 3\noptions = 'seats=2'\nbots = []", &["`seats`"]),
        ("game = 'tablic'\nbots = [{name='a b', command='random'}]", &["invalid bot name `a b`"]),
        (
            "game = 'tablic'\nformat = 'listed'\nlisted = [['random', 'ann']]\n\
             bots = [{command='random'}, {command='greedy'}]",
            &["`listed`: unknown bot `ann`: use one of random, greedy"],
        ),
        (
            "game = 'tablic'\nlisted = [['random', 'greedy']]\n\
             bots = [{command='random'}, {command='greedy'}]",
            &["listed tables need the format `listed`"],
        ),
        ("what is this", &["line 1"]),
        ("\u{1b}[2J = 1", &["line 1"]),
    ] {
        bench.write("plan.toml", plan);
        refused(&["tournament", "plan.toml"], 2, &[&["`plan.toml`: "], found].concat());
    }
    bench.write("plan.toml", "game = 'tablic'\nbots = []");
    refused(
        &["tournament", "plan.toml", "--deals", "3"],
        2,
        &["--deals and a plan cannot be combined"],
    );
    refused(
        &["tournament", "plan.toml", "--format", "gauntlet"],
        2,
        &["--format and a plan cannot be combined"],
    );
    let beside = "--time-limit and a plan cannot be combined";
    refused(&["tournament", "plan.toml", "--time-limit", "1s"], 2, &[beside]);
    refused(&["tournament", "plan.toml", "random"], 2, &["bots and a plan cannot be combined"]);
    refused(&["tournament", "missing.toml"], 2, &["cannot read `missing.toml`"]);
}

/// A list of tables takes the place of a round robin, in the plan by names.
#[test]
fn listed_tables_are_played() {
    let bench = bench();
    let bots = "bots = [{name='ann', command='random'}, {command='greedy'}, {name='ben', command='random'}]";
    let list = "format = 'listed'\nlisted = [['ben', 'ann'], ['greedy', 'ben']]";
    let plan = format!("game = 'coup'\ndeals = 3\nseed = '{SEED}'\n{list}\n{bots}\n");
    bench.write("cup.toml", &plan);
    bench.succeed(["tournament", "cup.toml", "--quiet"]);
    let lines = log::lines(&bench.path("cup/games.jsonl"));
    let header = &lines[0]["header"];
    assert_eq!(header["tournament"]["schedule"]["listed"], serde_json::json!([[2, 0], [1, 2]]));
    let seats = lines.iter().filter_map(|line| line["game"]["seats"].as_array());
    let seats: Vec<_> = seats.map(|names| (names[0].as_str(), names[1].as_str())).collect();
    let of_deal = [("ben", "ann"), ("ann", "ben"), ("greedy", "ben"), ("ben", "greedy")];
    assert_eq!(seats, of_deal.map(|(one, other)| (Some(one), Some(other))).repeat(3));
    verify(&bench, "cup");
    // Its own plan is one that can be played again.
    let written = fs::read_to_string(bench.path("cup/plan.toml")).expect("a text");
    bench.write("again.toml", written);
    bench.succeed(["tournament", "again.toml", "--quiet"]);
    assert_eq!(result(&bench.path("again")), result(&bench.path("cup")));
    bench.run(["tournament", "extend", "cup", "--deals", "2"]).assert_refused(
        2,
        &["a tournament with listed tables cannot be extended: start a new one"],
    );
}

#[test]
fn it_verifies_anywhere_and_without_its_bots() {
    let bench = bench();
    fs::create_dir(bench.path("bots")).expect("the folder is ours");
    bench.succeed(["new", "bots/mine", "--language", "shell", "--game", "coup"]);
    play(&bench, &coup("cup", "2"), &["--no-copies", "random", "./bots/mine", "random"]);
    fs::remove_dir_all(bench.path("bots")).expect("it is ours");
    verify(&bench, "cup");
    let mut command = bench.arbiter(["verify", &bench.path("cup").display().to_string()]);
    let ended = tests::bench::run(command.current_dir("/"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for what in ["standings", "status"] {
        bench.succeed(["tournament", what, "cup"]);
    }
    let ended = bench.run(["tournament", "resume", "cup"]);
    assert_eq!(ended.code, Some(4), "its bot is gone: {ended:?}");
}

/// The seed of zeros is one that everybody knows.
#[test]
fn a_tournament_without_its_seed_is_not_gone_on_with() {
    let bench = bench();
    play(&bench, &coup("cup", "2"), &["random", "greedy"]);
    let plan = bench.path("cup/plan.toml");
    let text = fs::read_to_string(&plan).expect("a plan");
    let unseeded: String =
        text.lines().filter(|it| !it.starts_with("seed")).map(|it| format!("{it}\n")).collect();
    fs::write(&plan, unseeded).expect("it is ours");
    for words in [["tournament", "resume"], ["tournament", "status"]] {
        bench.run([&words[..], &["cup"]].concat()).assert_refused(2, &["`seed`: missing"]);
    }
}

/// Three bots of which two are the same: rotations alone had one of these always after the strong
/// one, and the other always before it.
#[test]
fn neighbours_at_the_table_are_drawn() {
    let bench = bench();
    let three = ["--seats", "3", "--disqualify-after", "never", "--quiet"];
    // A game is short where these two are out at once.
    let [a, b] = ["a", "b"].map(|name| format!("{name}={}", bench.faulty("exit-1")));
    let bots = ["greedy", &a, &b];
    bench.succeed([&words("cup", "20")[..], &three, &bots].concat());
    let games = log::games(&bench.path("cup/games.jsonl"));
    let follows = |game: &&Value| {
        let seat = |name: &str| log::seat_of(game, name);
        (seat("greedy") + 1) % 3 == seat("a")
    };
    let followed = games.iter().filter(follows).count();
    assert_eq!(games.len(), 60);
    assert!((12..48).contains(&followed), "{followed} of 60");
    assert_eq!(followed % 3, 0, "every rotation of a table keeps its neighbours");
}

/// One changed character in the log, the plan or the standings is found.
#[test]
fn edited_files_do_not_verify() {
    let bench = bench();
    play(&bench, &coup("cup", "2"), &["random", "greedy"]);
    let edited = |file: &str, from: &str, to: &str, found: &[&str]| {
        let path = bench.path("cup").join(file);
        let before = fs::read_to_string(&path).expect("a file");
        assert!(before.contains(from), "{file} has no {from}");
        fs::write(&path, before.replacen(from, to, 1)).expect("it is ours");
        bench.run(["verify", "cup"]).assert_refused(3, found);
        fs::write(&path, before).expect("it is ours");
        verify(&bench, "cup");
    };
    edited("plan.toml", "deals = 2", "deals = 3", &["contradicts its plan: its schedule"]);
    edited("plan.toml", "\"random\"", "\"minimax\"", &["its plan: its bots"]);
    edited("plan.toml", "seed = \"00", "seed = \"01", &["its plan: its seed"]);
    edited("standings.json", "\"won\":", "\"won\":1", &["its standings do not match"]);
    edited("standings.json", "{\"format\":5,", "{", &["its standings.json has format 1, not 5"]);
    edited("entrants.json", "\"random\"", "\"rendom\"", &["its entrants.json does not list"]);
    edited("games.jsonl", "\"deal\":1", "\"deal\":0", &["its log: line "]);
    fs::remove_file(bench.path("cup/standings.json")).expect("it is ours");
    bench.run(["verify", "cup"]).assert_refused(3, &["standings missing"]);
    bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    verify(&bench, "cup");
}

#[test]
fn in_a_gauntlet_of_several_the_first_bots_meet_all_but_each_other() {
    let bench = bench();
    let bots = ["a=random", "b=greedy", "c=random", "d=random", "e=greedy"];
    let asked = [&coup("cup", "1")[..], &["--format", "gauntlet", "--gauntlets", "2"]].concat();
    play(&bench, &asked, &bots);
    verify(&bench, "cup");
    let games = log::games(&bench.path("cup/games.jsonl"));
    let seated = |game: &Value| -> Vec<String> {
        let seats = game["seats"].as_array().expect("a list").iter();
        let mut seats: Vec<String> =
            seats.map(|it| it.as_str().expect("a name").to_owned()).collect();
        seats.sort_unstable();
        seats
    };
    let mut pairs: Vec<String> = games.iter().map(|game| seated(game).concat()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs, ["ac", "ad", "ae", "bc", "bd", "be"]);
    assert_eq!(games.len(), 12, "each pair in both orders of the seats");
    let refused = |more: &[&str], why: &str| {
        let words = [&coup("other", "1")[..], more, &bots].concat();
        bench.run(words).assert_refused(2, &[why]);
    };
    refused(&["--gauntlets", "2"], "`--gauntlets` needs `--format gauntlet`");
    refused(&["--format", "gauntlet", "--gauntlets", "5"], "leaves no opponents among 5 bots");
}

/// A log without its end is no forgery: everything in it but the cards can be verified.
#[test]
fn a_tournament_that_is_not_over_is_genuine_so_far() {
    let bench = bench();
    play(&bench, &coup("cup", "3"), &["random", "greedy"]);
    let log = bench.path("cup/games.jsonl");
    let whole = fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let cut = |lines: &[&str], torn: &str| {
        fs::write(&log, lines.concat() + torn).expect("it is ours");
        bench.run(["verify", "cup"])
    };
    let so_far = cut(&lines[..4], "");
    assert_eq!(so_far.code, Some(8), "{so_far:?}");
    assert!(
        so_far.stdout.starts_with("cup: valid so far, 3 of 6 games of coup, head "),
        "{so_far:?}"
    );
    assert_eq!(
        so_far.stderr,
        "error: cup is unfinished: its cards can be verified once the seed is revealed\n"
    );
    // A crash has cut off the last line.
    let torn = cut(&lines[..4], "{\"game\":");
    assert_eq!(torn.code, Some(8), "{torn:?}");
    let told = bench.run(["verify", "cup", "--json"]);
    assert_eq!(told.code, Some(8), "{told:?}");
    let line: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert_eq!((&line["verified"], &line["so_far"]), (&Value::from(false), &Value::from(true)));
    assert_eq!(line["games"], 3);
    // What is wrong in it is found.
    let changed = lines[2].replacen(':', ": ", 1);
    let forged = cut(&[lines[0], lines[1], &changed], "");
    assert_eq!(forged.code, Some(3), "{forged:?}");
    let skipped = cut(&[lines[0], lines[1], lines[3]], "");
    assert_eq!(skipped.code, Some(3), "{skipped:?}");
    assert_eq!(cut(&lines, "").code, Some(0));
}

#[test]
fn suspect_games_are_replayed_unless_asked_otherwise() {
    let bench = bench();
    let log = |name: &str| fs::read_to_string(bench.path(name).join("games.jsonl")).expect("a log");
    play(&bench, &coup("cup", "1"), &["random", "greedy"]);
    assert!(log("cup").contains("\"suspect_games\":\"play-again\""));
    play(&bench, &[&coup("no", "1")[..], &["--replay-suspect=no"]].concat(), &["random", "greedy"]);
    assert!(log("no").contains("\"suspect_games\":\"count\""));
    // A new plan without the key, and one that a tournament was begun with.
    let written = fs::read_to_string(bench.path("no/plan.toml")).expect("a plan");
    let without = written.replace("replay-suspect = false\n", "");
    assert_ne!(without, written);
    fs::write(bench.path("new.toml"), &without).expect("the folder is ours");
    bench.succeed(["tournament", "new.toml", "--quiet"]);
    assert!(log("new").contains("\"suspect_games\":\"play-again\""));
    fs::write(bench.path("no/plan.toml"), &without).expect("the folder is ours");
    bench.succeed(["verify", "no"]);
    let asked = bench.run([&coup("bad", "1")[..], &["--replay-suspect=x", "random"]].concat());
    assert!(asked.stderr.contains("must be yes or no"), "{asked:?}");
}
