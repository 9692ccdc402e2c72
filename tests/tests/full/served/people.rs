//! Games of people at served pages, over HTTP.

use std::fs;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::league::{folder, league};
use tests::look::cups;
use tests::served::Served;

/// A table over HTTP: what is wrong is refused, and nothing but the address leads to it.
#[test]
fn wrong_requests_are_refused() {
    let bench = Bench::new();
    cups(&bench);
    let served = Served::start(&bench, &["cups", "--tables", "1"]);
    let game = "game=durak&name=Ana&seat=1&bot=random&bot=random&bot=";
    assert_eq!(served.form("play/", game, &[("origin", "http://evil.example")]).status, 403);
    for (wrong, expected) in [
        ("game=chess&name=Ana&seat=0&bot=random", "expected a game that this build knows"),
        ("game=durak&name=Ana&seat=9&bot=random", "no seat 9"),
        ("game=durak&name=&seat=0&bot=random", "invalid name"),
        ("game=durak&name=Ana&seat=0&bot=%2Fbin%2Fsh", "no bot"),
        ("game=durak&name=Ana&seat=%3Cscript%3E&bot=random", "invalid seat `&lt;script&gt;`"),
    ] {
        let refused = served.form("play/", wrong, &[]);
        assert!(refused.status == 422 && refused.text.contains(expected), "{wrong}: {refused:?}");
    }
    let opened = served.form("play/", game, &[]);
    assert_eq!((opened.status, opened.header("set-cookie")), (303, ""), "{opened:?}");
    let secret = opened.header("location").trim_end_matches('/').to_owned();
    assert_eq!(secret.len(), 32, "{secret}");
    let taken = served.form("play/", game, &[]);
    assert!(taken.status == 503 && taken.text.contains("all tables are in use"), "{taken:?}");
    let get = |path: &str| served.get(path, &[]);
    let state = |query: &str| served.value(&format!("play/{secret}/state{query}"));
    let mut seen = state("");
    while seen["turn"].is_null() {
        seen = state(&format!("?after={}", seen["version"]));
    }
    // A bot can sit at several seats, and an empty seat is none.
    assert_eq!(seen["names"], json!(["random", "Ana", "random#2"]));
    let turn = seen["turn"]["number"].clone();
    let play = |body: &Value| {
        let path = format!("play/{secret}/move");
        served.submit(&path, "application/json", &body.to_string(), &[])
    };
    let wrong = play(&json!({"turn": turn, "move": "fly"}));
    assert!(wrong.status == 422 && wrong.text.contains("found `fly`"), "{wrong:?}");
    assert_eq!(play(&json!({"turn": 99, "move": "take"})).status, 409);
    assert_eq!(play(&json!({"turn": turn, "move": "9".repeat(10_000)})).status, 413);
    assert_eq!(play(&json!({"turn": turn})).status, 422);
    assert_eq!(get(&format!("play/{secret}/log")).status, 404, "the game is not over");
    assert_eq!(get(&format!("play/{secret}/game/index.html")).status, 404);
    let other = "0".repeat(32);
    for path in ["", "state", "log"] {
        assert_eq!(get(&format!("play/{other}/{path}")).status, 404);
        assert_eq!(get(&format!("play/..%2f..%2fetc/{path}")).status, 404);
    }
    assert_eq!(served.post(&format!("play/{secret}/leave"), &[]).status, 204);
    while seen["stage"] != "left" {
        seen = state(&format!("?after={}", seen["version"]));
    }
    assert_eq!((&seen["turn"], &seen["ending"]), (&Value::Null, &Value::Null));
    assert_eq!(get(&format!("play/{secret}/log")).status, 404, "the game has no end");
}

/// A folder without a league offers games against the built-in bots: what a page is sent are sentences,
/// with the text of the move beside each, and all hands are open in the end.
#[test]
fn an_empty_folder_offers_games_against_the_built_in_bots() {
    let bench = Bench::new();
    let served = Served::start(&bench, &["--review"]);
    let home = served.text("");
    assert!(home.contains("<a href=\"play/\">Play</a>"), "{home}");
    let page = served.text("play/");
    assert_eq!(page.matches("<option value=\"greedy\" selected>").count(), 3, "{page}");
    assert!(page.contains("href=\"rules/#coup\""), "{page}");
    let rules = served.text("play/rules/");
    for words in ["id=\"coup\"", "a contessa", "id=\"durak\"", "id=\"tablic\"", "most cards"] {
        assert!(rules.contains(words), "{words} in {rules}");
    }
    let at = served.sit_down("game=coup&name=you&seat=0&bot=greedy");
    assert!(served.text(&at).contains("href=\"../rules/#coup\" target=\"_blank\""));
    let seen = served.play_first_moves(&at, &|seen| {
        for each in seen["turn"]["moves"].as_array().into_iter().flatten() {
            let words = each["words"].as_str().expect("words");
            let is_sentence = words.starts_with(char::is_uppercase) && words.ends_with('.');
            assert!(is_sentence && each["move"].as_str().is_some_and(|it| it != words), "{each}");
        }
    });
    let first = seen["story"]["lines"][0].as_str().expect("a story");
    assert!(first.starts_with("You     are dealt "), "{first}");
    let verdict = seen["ending"]["verdict"].as_str().expect("a verdict");
    assert!(["You won.", "You lost."].contains(&verdict), "{verdict}");
    let hands = seen["ending"]["hands"].as_array().expect("hands");
    let held = |seat: usize| hands[seat].as_array().expect("a hand").len();
    assert_eq!((held(0) > 0, held(1) > 0), (verdict == "You won.", verdict == "You lost."));
    let logs = fs::read_dir(bench.path("people")).expect("logs").count();
    assert_eq!(logs, 1, "the log is kept in the folder that is served");
}

/// A bot that was handed in as a folder plays under the conditions of its league, and one that has left
/// does not.
#[test]
fn the_bots_of_a_league_can_be_played_against() {
    let bench = league(&["greedy"]);
    folder(&bench, "anna", "anna", "first");
    bench.ok("league add class ./anna");
    let served = Served::start(&bench, &["class"]);
    let page = served.text("play/");
    for bot in ["anna@1", "greedy@1", "expert"] {
        assert!(page.contains(&format!("<option value=\"{bot}\"")), "{bot} in {page}");
    }
    let form = "game=coup&name=Ana&seat=1&bot=anna%401";
    let at = served.sit_down(form);
    let seen = served.play_first_moves(&at, &|_| ());
    let text = Served::verified_log(&bench, "class", &seen);
    assert_eq!(served.text(&format!("{at}log")), text);
    let header: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
    let players = &header["header"]["players"];
    assert_eq!(players[0]["name"], "anna@1", "{header}");
    assert_eq!(players[0]["limits"]["time_ms"], 30_000, "{header}");
    assert_eq!(players[1]["name"], "Ana", "{header}");
    bench.ok("verify class");
    // It is played against as it has entered, or not at all.
    bench.write("class/bots/anna@1/bot.sh", "echo another\n");
    let changed = served.form("play/", form, &[]);
    let why = "bot `anna@1` has changed since it entered the league";
    assert!(changed.status == 422 && changed.text.contains(why), "{changed:?}");
    bench.ok("league retire class anna");
    let gone = served.form("play/", form, &[]);
    assert!(gone.status == 422 && gone.text.contains("no bot `anna@1`"), "{gone:?}");
}
