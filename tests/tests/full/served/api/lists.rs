//! Lists in pages, filters, and requests that are wrong.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tests::league::lively;
use tests::served::Served;
use tests::tournament::play_cup;

use super::{cup, error, get, read_to_its_end, served, value};

/// All rows of a list, in pages of at most this number.
fn all(served: &Served, list: &str, query: &str, limit: usize) -> Vec<Value> {
    let name = list.rsplit('/').next().expect("a name");
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
fn the_pages_of_a_list_make_the_whole_of_it_and_filters_give_a_part() {
    let bench = cup();
    let served = served(&bench, &["cup"]);
    read_to_its_end(&served, "/games");
    let games = |query: &str, limit: usize| all(&served, "/games", query, limit);
    let whole = games("", 100);
    assert_eq!(whole.len() as u64, value(&served, "/")["played"].as_u64().expect("a number"));
    for limit in [1, 7, 99] {
        assert_eq!(games("", limit), whole, "{limit}");
    }
    assert_eq!(all(&served, "/bots", "", 1), all(&served, "/bots", "", 100));
    // A filter gives those games in which the bot has a seat, or both of a pair have one.
    let names = value(&served, "/games?limit=1")["names"].clone();
    let names: Vec<String> = serde_json::from_value(names).expect("names");
    let names: Vec<String> = names.iter().map(|name| name.replace('Ž', "%C5%BD")).collect();
    let with = |seated: &[usize]| -> Vec<Value> {
        let has = |game: &&Value| {
            let seats = game["seats"].as_array().expect("seats");
            seated.iter().all(|place| seats.contains(&(*place).into()))
        };
        whole.iter().filter(has).cloned().collect()
    };
    assert!(!with(&[0]).is_empty() && with(&[0]).len() < whole.len());
    assert_eq!(games(&format!("&bot={}", names[0]), 2), with(&[0]));
    assert_eq!(games(&format!("&against={}", names[0]), 3), with(&[0]));
    for (one, name) in names.iter().enumerate() {
        for (other, against) in names.iter().enumerate() {
            let filter = format!("&bot={name}&against={against}");
            let expected = if one == other { Vec::new() } else { with(&[one, other]) };
            assert_eq!(games(&filter, 2), expected, "{filter}");
        }
    }
}

#[test]
fn the_games_of_a_league_are_listed_round_by_round() {
    let bench = lively();
    let served = served(&bench, &["class"]);
    let rounds = all(&served, "/rounds", "", 1);
    let mut expected = 0;
    for round in &rounds {
        read_to_its_end(&served, &format!("/rounds/{}/games", round["round"]));
        expected += round["played"].as_u64().expect("a number");
    }
    assert!(rounds.len() > 3, "{rounds:?}");
    for limit in [3, 100] {
        assert_eq!(all(&served, "/games", "", limit).len() as u64, expected);
    }
    let first = all(&served, "/games", "&round=0", 3);
    assert_eq!(first, all(&served, "/rounds/0/games", "", 100));
    // A bot without its version stands for all of its versions.
    let of = |bot: &str| all(&served, "/games", &format!("&bot={bot}"), 5).len();
    assert_eq!(of("ann"), of("ann@1") + of("ann@2"));
    assert!(of("ann@1") > 0 && of("ann@2") > 0);
    let between = |bot: &str, other: &str| of(&format!("{bot}&against={other}"));
    assert_eq!(between("ann", "greedy"), between("ann@1", "greedy") + between("ann@2", "greedy@1"));
    assert_eq!(between("greedy", "ann"), between("ann", "greedy"));
    assert_eq!(between("ann", "ann"), between("ann@1", "ann@2"));
    assert_eq!(between("greedy", "greedy"), 0);
    assert!(between("ann", "greedy") > 0);
    let bots = all(&served, "/bots", "", 2);
    let names: BTreeSet<&str> = bots.iter().filter_map(|bot| bot["bot"].as_str()).collect();
    assert_eq!(names, BTreeSet::from(["random@1", "greedy@1", "ann@1", "ann@2"]));
}

/// Paths of a tournament, and of a league, with the status of their answers.
const OF_CUP: [(i32, &str); 3] = [
    (
        400,
        "/games?limit=1000000 /games?limit=0 /games?limit=-1 /games?after=1-x \
        /games?after=99999999999999999999999 /games?after= /games?round=0 /games?bot=nobody \
        /games?bot=%00%0a /games?bots=random /games?bot=random&against=nobody /games?against= \
        /games?limit=1&limit=2 /standings?format=csv /bots?after=nobody \
        /games/0?attempt=4294967296 /bots/%ff",
    ),
    (
        404,
        "/games/2 /games/0?attempt=1 /games/18446744073709551615 /games/18446744073709551616 \
        /games/00 /games/-1 /games/0/review /bots/nobody /bots/..%2f..%2fplan.toml /rounds",
    ),
    (200, "/games?bot=random&against=random /"),
];
const OF_CLASS: [(i32, &str); 2] = [
    (
        400,
        "/games?round=99 /games?round=x /games?bot=nobody /games?bot=ann&against=nobody \
        /rounds/0/games?against=nobody /games?after=1-1-1-1 /rounds?after=x /stages?limit=101",
    ),
    (
        404,
        "/rounds/99 /rounds/99/games /rounds/00/games /rounds/x/standings /rounds/0/games/999 \
        /bots/ann@1 /games/0",
    ),
];

#[test]
fn wrong_requests_are_refused_in_a_line() {
    let bench = lively();
    play_cup(&bench, "cup", 1, "random greedy");
    let cup = served(&bench, &["cup"]);
    read_to_its_end(&cup, "/games");
    let class = served(&bench, &["class"]);
    read_to_its_end(&class, "/rounds/0/games");
    for (served, table) in [(&cup, &OF_CUP[..]), (&class, &OF_CLASS)] {
        for (status, paths) in table {
            for path in paths.split_whitespace() {
                let answer = get(served, path);
                assert_eq!(answer.status, *status, "{path}: {}", answer.text);
                if *status != 200 {
                    let why = error(&answer);
                    let is_line = !why.is_empty() && !why.contains('\n') && why.len() < 200;
                    assert!(is_line, "{path}: {why}");
                    assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
                }
            }
        }
    }
    // Far behind the end there is nothing, and that is no error.
    for (served, path) in [(&cup, "/games"), (&class, "/games"), (&class, "/rounds")] {
        let page = value(served, &format!("{path}?after={}", u64::MAX));
        assert!(page["next"].is_null(), "{path}: {page}");
    }
}

#[test]
fn a_torn_log_is_read_as_far_as_it_goes_and_a_forged_one_not_at_all() {
    let bench = cup();
    let log = bench.text("cup/games.jsonl");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    bench.write("cup/games.jsonl", lines[..=5].concat() + &lines[6][..30]);
    fs::remove_file(bench.path("cup/standings.json")).expect("it is there");
    let torn = served(&bench, &["cup"]);
    read_to_its_end(&torn, "/games");
    assert_eq!(all(&torn, "/games", "", 2).len(), 5);
    assert_eq!(get(&torn, "/games/5").status, 404);
    assert_eq!(value(&torn, "/")["state"], "not running");
    // The hands of a deal are hidden while games of it are to come, and nothing that bots wrote is there.
    let last = value(&torn, "/games/4");
    assert_eq!(last["played"]["hands"], "public", "{last}");
    assert!(!last.to_string().contains("secret-of-loud"), "{last}");
    let open = served(&bench, &["cup", "--open-hands"]);
    read_to_its_end(&open, "/games");
    assert!(value(&open, "/games/4")["played"]["hands"].is_null());
    // A server that takes bots shows no standard error of them at all.
    bench.write("cup/games.jsonl", &log);
    for (option, is_shown) in [("--with-stderr", true), ("--review", false), ("--submit", false)] {
        let served = served(&bench, &["cup", option]);
        read_to_its_end(&served, "/games");
        let games = all(&served, "/games", "&bot=loud", 100);
        let each = games.iter().map(|it| get(&served, &format!("/games/{}", it["number"])).text);
        let text = each.collect::<String>() + &get(&served, "/bots/loud").text;
        let has = text.contains("secret-of-loud") || text.contains("evaluation");
        assert_eq!(has, is_shown, "{option}");
    }
    bench.write("cup/games.jsonl", log.replacen("\"verdict\":\"ok\"", "\"verdict\":\"crash\"", 1));
    let forged = served(&bench, &["cup"]);
    for path in ["/", "/standings", "/games", "/games/0", "/bots/loud"] {
        let answer = get(&forged, path);
        assert_eq!(answer.status, 500, "{path}: {}", answer.text);
        let why = error(&answer);
        assert!(why.contains("line") && !why.contains(&*bench.path("").to_string_lossy()), "{why}");
    }
}
