//! Served pages and reports of leagues.

use std::fs;

use tests::league::{OVER, league, lively, loud, play};
use tests::running::wait_or_say;
use tests::served::Served;

#[test]
fn the_report_of_a_league_has_all_that_is_served() {
    let bench = lively();
    bench.ok("league stage class --format knockout --deals 1 --deciders 0");
    bench.ok("league run class --stage --quiet");
    let told = bench.ok("report class -o report");
    assert!(told.starts_with("report/index.html: 8"), "{told}");
    let served = Served::start(&bench, &["class"]);
    let body = |text: String| text.split_once("<main").expect("a page").1.to_owned();
    let file = |name: &str| fs::read_to_string(bench.path("report").join(name)).expect("a file");
    for name in [
        "index.html",
        "statistics.html",
        "crosstable.html",
        "versions.html",
        "stages.html",
        "ceremony.html",
        "bots/1.html",
        "bots/3.html",
        "rounds/index.html",
    ] {
        assert_eq!(body(served.text(name)), body(file(name)), "{name}");
    }
    for name in ["index.html", "stages.html"] {
        assert!(file(name).contains("Stage 0"), "{name}");
    }
    assert_eq!(served.text("data/standings.json"), file("data/standings.json"));
    // Every round is a report, and its games are those of its log.
    assert!(served.text_with("rounds/0/", OVER).contains("href=\"../../index.html\">League</a>"));
    assert_eq!(served.text("rounds/0/data/list-0.js"), file("rounds/0/data/list-0.js"));
    let statistics = served.text("statistics.html");
    for word in ["ann@2", "retired", "bad", "crash: exit 1", "arbiter verify --head"] {
        assert!(statistics.contains(word), "{word} in {statistics}");
    }
    let ann = served.text("bots/3.html");
    for word in ["ann@1", "replaced", "active", "Rating history", "<svg"] {
        assert!(ann.contains(word), "{word} in {ann}");
    }
    assert!(served.text("rounds/").contains("undecided pair: "));
    for path in ["bots/4.html", "rounds/index-2.html", "rounds/99/", "rounds/00/", "rounds/x/"] {
        assert_eq!(served.get(path, &[]).status, 404, "{path}");
    }
    // A report takes the place of a former one.
    bench.ok("report class -o report");
}

#[test]
fn each_group_of_a_stage_has_a_table() {
    let bench = league(&["random", "greedy", "ann=random", "ben=greedy", "eve=random"]);
    let groups = ["--format", "groups", "--groups", "2", "--first", "1", "--deals", "1"];
    bench.ok("league stage class --format groups --groups 2 --first 1 --deals 1");
    let tables = || {
        bench.ok("report class -o report");
        let page = bench.text("report/stages.html");
        let tables: Vec<String> = page.split("<h3>Group ").skip(1).map(str::to_owned).collect();
        tables.iter().map(|it| it.split("</table>").next().unwrap_or_default().to_owned()).collect()
    };
    let rows = |table: &String| table.matches("<th scope=\"row\"").count();
    let before: Vec<String> = tables();
    assert_eq!(before.iter().map(rows).collect::<Vec<_>>(), [3, 2], "{before:?}");
    assert!(before.iter().all(|table| !table.contains(">advances<")), "{before:?}");
    bench.ok("league run class --stage --quiet");
    let after: Vec<String> = tables();
    assert_eq!(after.iter().map(rows).collect::<Vec<_>>(), [3, 2], "{after:?}");
    assert!(after.iter().all(|table| table.matches(">advances<").count() == 1), "{after:?}");
}

#[test]
fn a_served_league_follows_its_run() {
    let bench = league(&["random", "greedy"]);
    let served = Served::start(&bench, &["class"]);
    assert!(served.text("").contains("No games yet"));
    let shown = |served: &Served| {
        let standings: serde_json::Value =
            serde_json::from_str(&served.text("data/standings.json")).expect("JSON");
        standings["all"]["games"].as_u64().expect("a number")
    };
    assert_eq!(shown(&served), 0);
    let played = play(&bench, "10");
    wait_or_say(|| shown(&served) == played, || shown(&served).to_string());
    bench.ok("league add class late=greedy");
    wait_or_say(|| served.text("").contains("late@1"), || served.text(""));
    let played = play(&bench, "10");
    wait_or_say(|| shown(&served) == played, || shown(&served).to_string());
    bench.ok("verify class");
}

/// A league whose settings cannot be read used to count as one that takes no bots, and its pages showed the standard error
/// of all bots until the server was started again.
#[test]
fn a_typo_in_the_settings_of_a_league_discloses_nothing_and_is_mended_without_a_restart() {
    let bench = loud();
    fs::create_dir(bench.path("all")).expect("the folder is ours");
    fs::rename(bench.path("class"), bench.path("all/class")).expect("the folder is ours");
    let file = bench.path("all/class/league.toml");
    let settings = fs::read_to_string(&file).expect("the folder is ours");
    let served = Served::start(&bench, &["all", "--submit"]);
    let game = "class/rounds/0/data/games-0.js";
    let disclosed = || {
        served.text_with("class/rounds/0/", OVER);
        served.text_with(game, "takeGames").contains("secret-of-mine")
    };
    let off = format!("isolation = \"off\"\n{settings}");
    for wrong in ["retires = 1\n", "not TOML\n", "", &*off] {
        fs::write(&file, wrong).expect("the folder is ours");
        let first = served.text("class/");
        assert!(first.contains("loud@1") && first.contains("href=\"hand-in/\""), "{first}");
        assert!(!disclosed(), "with {wrong:?} as league.toml");
        let closed = served.get("class/hand-in/", &[("accept", "application/json")]);
        assert_eq!(closed.status, 503, "{}", closed.text);
        assert!(closed.text.contains("does not accept submissions now"), "{}", closed.text);
        assert!(!closed.header("retry-after").is_empty());
    }
    fs::write(&file, settings).expect("the folder is ours");
    served.text_with("class/hand-in/", "Your token");
    assert!(!disclosed());
    // Settings spoilt while bots are taken go on taking them, and disclose no more.
    fs::write(&file, "retires = 1\n").expect("the folder is ours");
    served.text_with("class/hand-in/", "Your token");
    assert!(!disclosed());
}

#[test]
fn standard_error_of_submitted_bots_is_for_their_authors() {
    let bench = loud();
    let game = "rounds/0/data/games-0.js";
    let open = Served::start(&bench, &["class", "--with-stderr"]);
    open.text_with("rounds/0/", OVER);
    let shown = open.text_with(game, "secret-of-mine");
    assert!(shown.contains(r#""notes":[["noted-by-mine","7",7.0]]"#), "{shown}");
    let pages = ["rounds/0/bots/1.html", "rounds/0/bots/2.html"];
    let has_note =
        |served: &Served| pages.iter().any(|it| served.text(it).contains("noted-by-mine"));
    assert!(has_note(&open), "its numbers");
    for options in [&["class"][..], &["class", "--submit"]] {
        let closed = Served::start(&bench, options);
        closed.text_with("rounds/0/", OVER);
        let shown = closed.text_with(game, "takeGames");
        assert!(!shown.contains("secret-of-mine") && !shown.contains("noted-by-mine"), "{shown}");
        assert!(!has_note(&closed), "its numbers are standard error, too");
    }
    let both = bench.line("serve class --submit --with-stderr");
    assert!(both.stderr.contains("'--submit' cannot be used with '--with-stderr'"), "{both:?}");
}
