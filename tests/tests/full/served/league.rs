//! Served pages and reports of leagues.

use std::fs;

use tests::bench::Bench;
use tests::league::{OVER, league, lively, loud, play};
use tests::running::wait_or_say;
use tests::served::Served;
use tests::texts::assert_says;

#[test]
fn the_report_of_a_league_has_all_that_is_served() {
    let bench = lively();
    bench.ok("league stage class --format knockout --deals 1 --deciders 0");
    bench.ok("league run class --stage --quiet");
    let told = bench.ok("report class -o report");
    assert!(told.starts_with("report/index.html: 8"), "{told}");
    let served = Served::start(&bench, &["class"]);
    let body = |text: String| text.split_once("<main").expect("a page").1.to_owned();
    let file = |name: &str| bench.text(&format!("report/{name}"));
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
    assert_eq!(served.text("data/standings.json"), file("data/standings.json"));
    // Every round is a report, and its games are those of its log.
    served.text_with("rounds/0/", OVER);
    assert_eq!(served.text("rounds/0/data/list-0.js"), file("rounds/0/data/list-0.js"));
    for (page, words) in [
        ("", &["Stage 0"][..]),
        ("stages.html", &["Stage 0"]),
        ("rounds/0/", &["href=\"../../index.html\">League</a>"]),
        ("rounds/", &["undecided pair: "]),
        ("statistics.html", &["ann@2", "retired", "bad", "crash: exit 1", "arbiter verify --head"]),
        ("bots/3.html", &["ann@1", "replaced", "active", "Rating history", "<svg"]),
    ] {
        let page = served.text(page);
        assert_says(&page, words);
    }
    for path in ["bots/4.html", "rounds/index-2.html", "rounds/99/", "rounds/00/", "rounds/x/"] {
        assert_eq!(served.get(path, &[]).status, 404, "{path}");
    }
    // A report takes the place of a former one.
    bench.ok("report class -o report");
}

/// The tables of the groups on the page of stages.
fn tables_of_groups(bench: &Bench) -> Vec<String> {
    bench.ok("report class -o report");
    let page = bench.text("report/stages.html");
    let tables = page.split("<h3>Group ").skip(1);
    tables.map(|it| it.split("</table>").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn each_group_of_a_stage_has_a_table() {
    let bench = league(&["random", "greedy", "ann=random", "ben=greedy", "eve=random"]);
    bench.ok("league stage class --format groups --groups 2 --first 1 --deals 1");
    for advancing in [0, 1] {
        let tables = tables_of_groups(&bench);
        let rows = tables.iter().map(|table| table.matches("<th scope=\"row\"").count());
        assert_eq!(rows.collect::<Vec<_>>(), [3, 2], "{tables:?}");
        let advance = |table: &String| table.matches(">advances<").count();
        assert!(tables.iter().all(|table| advance(table) == advancing), "{tables:?}");
        bench.line("league run class --stage --quiet");
    }
}

#[test]
fn a_served_league_follows_its_run() {
    let bench = league(&["random", "greedy"]);
    let served = Served::start(&bench, &["class"]);
    assert!(served.text("").contains("No games yet"));
    let shown = || served.value("data/standings.json")["all"]["games"].as_u64();
    assert_eq!(shown(), Some(0));
    for newcomer in ["late@1", "later@1"] {
        let played = play(&bench, "10");
        wait_or_say(|| shown() == Some(played), || format!("{:?}", shown()));
        let name = newcomer.trim_end_matches("@1");
        bench.ok(&format!("league add class {name}=greedy"));
        served.text_with("", newcomer);
    }
    bench.ok("verify class");
}

/// A league whose settings cannot be read used to count as one that takes no bots, and its pages showed the standard error
/// of all bots until the server was started again.
#[test]
fn a_typo_in_the_settings_of_a_league_discloses_nothing_and_is_mended_without_a_restart() {
    let bench = loud();
    fs::create_dir(bench.path("all")).expect("the folder is ours");
    fs::rename(bench.path("class"), bench.path("all/class")).expect("the folder is ours");
    let file = "all/class/league.toml";
    let settings = bench.text(file);
    let served = Served::start(&bench, &["all", "--submit"]);
    let disclosed = || {
        served.text_with("class/rounds/0/", OVER);
        let game = served.text_with("class/rounds/0/data/games-0.js", "takeGames");
        game.contains("secret-of-mine")
    };
    let off = format!("isolation = \"off\"\n{settings}");
    for wrong in ["retires = 1\n", "not TOML\n", "", &*off] {
        bench.write(file, wrong);
        assert_says(&served.text("class/"), &["loud@1", "href=\"hand-in/\""]);
        assert!(!disclosed(), "with {wrong:?} as league.toml");
        let closed = served.get("class/hand-in/", &[("accept", "application/json")]);
        assert_eq!(closed.status, 503, "{}", closed.text);
        assert!(closed.text.contains("does not accept submissions now"), "{}", closed.text);
        assert!(!closed.header("retry-after").is_empty());
    }
    // Settings spoilt while bots are taken go on taking them, and disclose no more.
    for text in [&*settings, "retires = 1\n"] {
        bench.write(file, text);
        served.text_with("class/hand-in/", "Your token");
        assert!(!disclosed());
    }
}

#[test]
fn standard_error_of_submitted_bots_is_for_their_authors() {
    let bench = loud();
    for (options, is_shown) in
        [(&["--with-stderr"][..], true), (&[], false), (&["--submit"], false)]
    {
        let words = [&["--host", "api.example", "class"], options].concat();
        let served = Served::start(&bench, &words);
        served.text_with("rounds/0/", OVER);
        let shown = served.text_with("rounds/0/data/games-0.js", "takeGames");
        let is_in = |text: &str, words: &str| {
            assert_eq!(text.contains(words), is_shown, "{options:?}: {words}: {text}");
        };
        is_in(&shown, "secret-of-mine");
        is_in(&shown, r#""notes":[["noted-by-mine","7",7.0]]"#);
        // The numbers of a bot are standard error, too.
        let bots = [1, 2].map(|bot| served.text(&format!("rounds/0/bots/{bot}.html"))).concat();
        is_in(&bots, "noted-by-mine");
        let interface = ["games/0", "bots/loud@1"]
            .map(|path| served.text(&format!("api/v1/rounds/0/{path}")))
            .concat();
        is_in(&interface, "secret-of-mine");
        is_in(&interface, "noted-by-mine");
        assert!(is_shown || !(shown + &bots).contains("noted-by-mine"), "{options:?}");
    }
    let both = bench.line("serve class --submit --with-stderr");
    assert!(both.stderr.contains("'--submit' cannot be used with '--with-stderr'"), "{both:?}");
}
