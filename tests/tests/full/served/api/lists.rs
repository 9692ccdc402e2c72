//! Lists in pages, filters, and requests that are wrong.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tests::served::Served;

use super::{cup, get, read_to_its_end, value};
use tests::league::lively;

/// All rows of a list, in pages of at most this number.
fn all(served: &Served, list: &str, name: &str, query: &str, limit: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut after = String::new();
    for _ in 0..1000 {
        let page = value(served, &format!("{list}?limit={limit}{query}{after}"));
        let new = page[name].as_array().expect("rows");
        assert!(new.len() <= limit, "{page}");
        rows.extend(new.iter().cloned());
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return rows,
        }
    }
    panic!("{list} has no end");
}

#[test]
fn the_pages_of_a_list_make_the_whole_of_it() {
    let bench = cup();
    let served = Served::start(&bench, &["--host", "api.example", "cup"]);
    read_to_its_end(&served, "/games");
    let whole = all(&served, "/games", "games", "", 100);
    assert_eq!(whole.len() as u64, value(&served, "/")["played"].as_u64().expect("a number"));
    for limit in [1, 7, 99] {
        assert_eq!(all(&served, "/games", "games", "", limit), whole, "{limit}");
    }
    assert_eq!(all(&served, "/bots", "bots", "", 1), all(&served, "/bots", "bots", "", 100));
    // A filter gives those games in which the bot has a seat.
    let seated: Vec<Value> = whole
        .iter()
        .filter(|game| game["seats"].as_array().expect("seats").contains(&0.into()))
        .cloned()
        .collect();
    assert!(!seated.is_empty() && seated.len() < whole.len());
    assert_eq!(all(&served, "/games", "games", "&bot=%C5%BDofie", 2), seated);
}

/// The page of a round has this filter, too.
#[test]
fn the_games_of_a_pair_are_listed() {
    let bench = cup();
    let served = Served::start(&bench, &["--host", "api.example", "cup"]);
    read_to_its_end(&served, "/games");
    let whole = all(&served, "/games", "games", "", 100);
    let names = value(&served, "/games?limit=1")["names"].clone();
    let names: Vec<String> = serde_json::from_value(names).expect("names");
    let encoded = |name: &str| name.replace('Ž', "%C5%BD");
    let has = |game: &Value, place: usize| {
        game["seats"].as_array().expect("seats").contains(&place.into())
    };
    let mut in_pairs = 0;
    for (one, other) in
        (0..names.len()).flat_map(|one| (0..names.len()).map(move |other| (one, other)))
    {
        let filter = format!("&bot={}&against={}", encoded(&names[one]), encoded(&names[other]));
        let found = all(&served, "/games", "games", &filter, 2);
        let is_of_pair = |game: &&Value| one != other && has(game, one) && has(game, other);
        assert_eq!(found, whole.iter().filter(is_of_pair).cloned().collect::<Vec<_>>(), "{filter}");
        in_pairs += found.len();
    }
    assert!(in_pairs > 0);
    let against = all(&served, "/games", "games", &format!("&against={}", encoded(&names[0])), 3);
    assert_eq!(against, whole.iter().filter(|game| has(game, 0)).cloned().collect::<Vec<_>>());
}

#[test]
fn the_games_of_a_league_are_listed_round_by_round() {
    let bench = lively();
    let served = Served::start(&bench, &["--host", "api.example", "class"]);
    let rounds = all(&served, "/rounds", "rounds", "", 1);
    let mut expected = 0;
    for round in &rounds {
        read_to_its_end(&served, &format!("/rounds/{}/games", round["round"]));
        expected += round["played"].as_u64().expect("a number");
    }
    assert!(rounds.len() > 3, "{rounds:?}");
    for limit in [3, 100] {
        assert_eq!(all(&served, "/games", "games", "", limit).len() as u64, expected);
    }
    let first = all(&served, "/games", "games", "&round=0", 3);
    assert_eq!(first, all(&served, "/rounds/0/games", "games", "", 100));
    // A bot without its version stands for all of its versions.
    let of = |bot: &str| all(&served, "/games", "games", &format!("&bot={bot}"), 5).len();
    assert_eq!(of("ann"), of("ann@1") + of("ann@2"));
    assert!(of("ann@1") > 0 && of("ann@2") > 0);
    let between = |bot: &str, other: &str| of(&format!("{bot}&against={other}"));
    assert_eq!(between("ann", "greedy"), between("ann@1", "greedy") + between("ann@2", "greedy@1"));
    assert_eq!(between("greedy", "ann"), between("ann", "greedy"));
    assert_eq!(
        (between("ann", "ann"), between("greedy", "greedy")),
        (between("ann@1", "ann@2"), 0)
    );
    assert!(between("ann", "greedy") > 0);
    let bots = all(&served, "/bots", "bots", "", 2);
    let names: BTreeSet<&str> = bots.iter().filter_map(|bot| bot["bot"].as_str()).collect();
    assert_eq!(names, BTreeSet::from(["random@1", "greedy@1", "ann@1", "ann@2"]));
}

#[test]
fn wrong_requests_are_refused_in_a_line() {
    let bench = lively();
    bench.ok("tournament --game coup --dir cup --deals 1 --quiet random greedy");
    let cup = Served::start(&bench, &["--host", "api.example", "cup"]);
    read_to_its_end(&cup, "/games");
    let class = Served::start(&bench, &["--host", "api.example", "class"]);
    let cases = [
        (&cup, "/games?limit=1000000", 400),
        (&cup, "/games?limit=0", 400),
        (&cup, "/games?limit=-1", 400),
        (&cup, "/games?after=99999999999999999999999", 400),
        (&cup, "/games?after=1-x", 400),
        (&cup, "/games?after=", 400),
        (&cup, "/games?round=0", 400),
        (&cup, "/games?bot=nobody", 400),
        (&cup, "/games?bot=%00%0a", 400),
        (&cup, "/games?bots=random", 400),
        (&cup, "/games?bot=random&against=nobody", 400),
        (&cup, "/games?against=", 400),
        (&cup, "/games?bot=random&against=random", 200),
        (&cup, "/games?limit=1&limit=2", 400),
        (&cup, "/standings?format=csv", 400),
        (&cup, "/bots?after=nobody", 400),
        (&cup, "/games/2", 404),
        (&cup, "/games/0?attempt=1", 404),
        (&cup, "/games/0?attempt=4294967296", 400),
        (&cup, "/games/18446744073709551615", 404),
        (&cup, "/games/18446744073709551616", 404),
        (&cup, "/games/00", 404),
        (&cup, "/games/-1", 404),
        (&cup, "/games/0/review", 404),
        (&cup, "/bots/nobody", 404),
        (&cup, "/bots/..%2f..%2fplan.toml", 404),
        (&cup, "/bots/%ff", 400),
        (&cup, "/rounds", 404),
        (&cup, "/", 200),
        (&class, "/games?round=99", 400),
        (&class, "/games?round=x", 400),
        (&class, "/games?bot=nobody", 400),
        (&class, "/games?bot=ann&against=nobody", 400),
        (&class, "/rounds/0/games?against=nobody", 400),
        (&class, "/games?after=1-1-1-1", 400),
        (&class, "/rounds/99", 404),
        (&class, "/rounds/99/games", 404),
        (&class, "/rounds/00/games", 404),
        (&class, "/rounds/x/standings", 404),
        (&class, "/rounds/0/games/999", 404),
        (&class, "/rounds?after=x", 400),
        (&class, "/stages?limit=101", 400),
        (&class, "/bots/ann@1", 404),
        (&class, "/games/0", 404),
    ];
    for (served, path, status) in cases {
        let answer = get(served, path);
        assert_eq!(answer.status, status, "{path}: {}", answer.text);
        if status == 200 {
            continue;
        }
        let told: Value = serde_json::from_str(&answer.text).expect("JSON");
        let why = told["error"].as_str().expect("a reason");
        assert!(!why.is_empty() && !why.contains('\n') && why.len() < 200, "{path}: {why}");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
    }
    // Far behind the end there is nothing, and that is no error.
    let largest = u64::MAX;
    for (served, path) in [(&cup, "/games"), (&class, "/games"), (&class, "/rounds")] {
        let page = value(served, &format!("{path}?after={largest}"));
        assert!(page["next"].is_null(), "{path}: {page}");
    }
}

#[test]
fn a_torn_log_is_read_as_far_as_it_goes_and_a_forged_one_not_at_all() {
    let bench = cup();
    let path = bench.path("cup/games.jsonl");
    let log = fs::read_to_string(&path).expect("the log");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    fs::write(&path, lines[..=5].concat() + &lines[6][..30]).expect("the folder is ours");
    fs::remove_file(bench.path("cup/standings.json")).expect("it is there");
    let served = Served::start(&bench, &["--host", "api.example", "cup"]);
    read_to_its_end(&served, "/games");
    assert_eq!(all(&served, "/games", "games", "", 2).len(), 5);
    assert_eq!(get(&served, "/games/5").status, 404);
    assert_eq!(value(&served, "/")["state"], "not running");
    // The hands of a deal are hidden while games of it are to come, and nothing that bots wrote is there.
    let last = value(&served, "/games/4");
    assert_eq!(last["played"]["hands"], "public", "{last}");
    assert!(!last.to_string().contains("secret-of-loud"), "{last}");
    let open = Served::start(&bench, &["--host", "api.example", "cup", "--open-hands"]);
    read_to_its_end(&open, "/games");
    assert!(value(&open, "/games/4")["played"]["hands"].is_null());
    // A server that takes bots shows no standard error of them at all.
    fs::write(&path, &log).expect("the folder is ours");
    let shown = |options: &[&str]| {
        let served =
            Served::start(&bench, &[&["--host", "api.example", "cup"][..], options].concat());
        read_to_its_end(&served, "/games");
        let games = all(&served, "/games", "games", "&bot=loud", 100);
        let each =
            games.iter().map(|game| get(&served, &format!("/games/{}", game["number"])).text);
        let text = each.collect::<String>() + &get(&served, "/bots/loud").text;
        text.contains("secret-of-loud") || text.contains("evaluation")
    };
    assert!(shown(&["--with-stderr"]) && !shown(&[]) && !shown(&["--submit"]));
    let forged = log.replacen("\"verdict\":\"ok\"", "\"verdict\":\"crash\"", 1);
    fs::write(&path, forged).expect("the folder is ours");
    let served = Served::start(&bench, &["--host", "api.example", "cup"]);
    for path in ["/", "/standings", "/games", "/games/0", "/bots/loud"] {
        let answer = get(&served, path);
        assert_eq!(answer.status, 500, "{path}: {}", answer.text);
        let told: Value = serde_json::from_str(&answer.text).expect("JSON");
        let why = told["error"].as_str().expect("a reason");
        assert!(why.contains("line") && !why.contains(&*bench.path("").to_string_lossy()), "{why}");
    }
}
