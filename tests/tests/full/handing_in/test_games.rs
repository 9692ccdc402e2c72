//! Test games: a participant's bot against bots of the league, for nothing.

use std::fs;

use minreq::{Method, Response};
use serde_json::{Value, json};
use tests::archives::{stored, zip};
use tests::bench::Bench;
use tests::handing_in::{
    Server, ahead, bearer, bot, json as read, last_time, refusal, runs, script, set,
};
use tests::league::{league, status};
use tests::running::{wait_or_say, wait_until};

/// An archive with a bot that says this on standard error.
fn talkative(words: &str) -> Vec<u8> {
    zip(&[
        stored("bot.toml", b"name = \"x\"\ncommand = \"sh bot.sh\"\n"),
        stored("bot.sh", format!("echo {words} >&2\n{}", script(words)).as_bytes()),
    ])
}

/// Asks for a test game.
fn ask(server: &Server, token: &str, form: &str) -> Response {
    ask_for(server, token, "", form)
}

/// Asks for a test game of one of several bots, by a query.
fn ask_for(server: &Server, token: &str, query: &str, form: &str) -> Response {
    let request = server.request(Method::Post, &format!("test-games/{query}"));
    let request = request.with_header("Authorization", bearer(token));
    let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
    request.with_body(form).send().expect("an answer")
}

/// A test game once it is over.
fn over(server: &Server, token: &str, number: u64) -> Value {
    let mut told = Value::Null;
    wait_or_say(
        || {
            told = read(&server.get(&format!("test-games/{number}"), token));
            !matches!(told["state"].as_str(), Some("waiting" | "playing"))
        },
        || format!("test game {number} is over"),
    );
    told
}

fn quotas(bench: &Bench, quotas: &str) {
    let file = bench.path("class/league.toml");
    let text = fs::read_to_string(&file).expect("ours");
    let (settings, _) = text.split_once("\n[quotas]").unwrap_or((&text, ""));
    // A server may read it at any moment.
    let new = bench.write("class/league.toml.new", format!("{settings}\n[quotas]\n{quotas}\n"));
    fs::rename(new, file).expect("ours");
}

#[test]
fn a_test_game_shows_its_moves_and_the_own_standard_error_and_counts_for_nothing() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    assert_eq!(server.hand_in(&anna, "bot.zip", &talkative("old plan"))["bot"], "anna@1");
    assert_eq!(server.hand_in(&anna, "bot.zip", &talkative("new plan"))["bot"], "anna@2");
    assert_eq!(server.hand_in(&ben, "bot.zip", &talkative("bens secret"))["bot"], "ben@1");
    let log = || fs::read(server.bench.path("class/league.jsonl")).expect("ours");
    let events = || fs::read(server.bench.path("class/events.jsonl")).expect("ours");
    let before = (log(), events());

    let choices = read(&server.get("test-games/", &anna))["choices"].clone();
    assert_eq!(
        choices,
        json!({ "bots": ["anna@2", "anna@1"], "against": ["random@1", "ben@1", "anna@2"],
                "opponents": 1, "left": 10, "limited": null, "closed": null })
    );
    let begun = ask(&server, &anna, "against=ben@1");
    assert_eq!(begun.status_code, 202, "{:?}", begun.as_str());
    let begun = read(&begun);
    assert_eq!((&begun["number"], &begun["bot"]), (&json!(1), &json!("anna@2")), "{begun}");
    let told = over(&server, &anna, 1);
    assert_eq!(told["state"], "over", "{told}");
    let games = told["games"].as_array().expect("games");
    let seats: Vec<&Value> = games.iter().map(|game| &game["seats"]).collect();
    assert_eq!(seats, [&json!(["ben@1", "anna@2"]), &json!(["anna@2", "ben@1"])]);
    for game in games {
        let text = game["text"].as_str().expect("text");
        assert!(text.contains("anna@2") && text.contains("\nresult: "), "{text}");
        let answers = game["answers"].as_array().expect("answers");
        assert!(!answers.is_empty());
        assert!(answers.iter().all(|it| it["stderr"] == "new plan\n"), "{answers:?}");
    }
    assert!(!told.to_string().contains("bens secret"), "{told}");
    let page = |path: &str| {
        let page = server.request(Method::Get, path).with_header("Accept", "text/html");
        let page = page.with_header("Cookie", format!("token={anna}")).send().expect("an answer");
        page.as_str().expect("text").to_owned()
    };
    let shown = page("test-games/1");
    assert!(shown.contains("new plan") && shown.contains("result: "), "{shown}");
    assert!(!shown.contains("bens secret"), "{shown}");
    assert!(page("test-games/").contains("<option value=\"anna@1\""));

    // An older version plays, too, also against the newer one.
    assert_eq!(ask(&server, &anna, "bot=anna@1&against=anna@2").status_code, 202);
    let told = over(&server, &anna, 2);
    let answers = told["games"][0]["answers"].as_array().expect("answers");
    assert!(answers.iter().all(|it| it["stderr"] == "old plan\n"), "{told}");

    // Others do not see it, and it is no part of the league.
    refusal(&server.get("test-games/1", &ben), 404);
    assert_eq!(read(&server.get("test-games/", &ben))["test_games"], json!([]));
    assert_eq!(read(&server.get("games", &anna))["games"], json!([]));
    assert_eq!(status(&server.bench)["games"], 0);
    assert_eq!((log(), events()), before);
    let verified = server.bench.ok("verify class/test-games/anna/1/games.jsonl");
    assert!(verified.contains("2 games"), "{verified}");
}

#[test]
fn test_games_are_bounded_and_only_open_leagues_play_them() {
    let server = Server::start(league(&["random", "greedy"]));
    let anna = server.invite("anna");
    let none = refusal(&ask(&server, &anna, "against=random"), 400);
    assert_eq!(none, "no bot `anna` in the league");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
    server.bench.ok("league retire class greedy");
    let wrong = [
        ("bot=random@1&against=anna", "not your bot: choose a version of anna"),
        ("against=greedy", "`greedy` is retired: choose an active bot"),
        ("against=random@7", "`random@7` does not play in the league: choose an active bot"),
        ("against=anna", "anna@1 cannot play against itself"),
        ("bot=anna", "0 bots for 2 seats: choose 1, one per other seat"),
        ("against=random&more=1", "unknown field: use `bot` and `against`"),
    ];
    for (form, expected) in wrong {
        assert_eq!(refusal(&ask(&server, &anna, form), 400), expected);
    }
    refusal(&ask(&server, "0000", "against=random"), 401);

    let closed = |expected: &str| {
        let why = refusal(&ask(&server, &anna, "against=random"), 403);
        assert!(why.starts_with(&format!("test games are not available: {expected}")), "{why}");
    };
    server.bench.ok("league pause class");
    closed("the league is paused");
    server.bench.ok("league pause class --end");
    set(&server.bench, &format!("opens = {}", ahead(3_600)));
    closed("the league opens at ");
    set(&server.bench, &format!("ends = {}", ahead(-5)));
    closed("the league has ended, at ");
    let command = ["league", "test-game", "class", "--bot", "anna", "--against", "random"];
    server.bench.run(command).assert_refused(75, &["the league has ended, at "]);
    set(&server.bench, "");
    quotas(&server.bench, "test-games-a-day = 0");
    closed("this league has no test games");
    assert!(!server.bench.path("class/test-games").exists());

    quotas(&server.bench, "test-games-a-day = 1");
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    assert_eq!(over(&server, &anna, 1)["state"], "over");
    let second = ask(&server, &anna, "against=random");
    let why = refusal(&second, 429);
    assert!(why.starts_with("daily limit of 1 test games reached"), "{why}");
    assert!(second.headers.contains_key("retry-after"));
    // The organiser has no quota, and uses none up.
    server.bench.succeed(command);
    assert_eq!(read(&server.get("test-games/", &anna))["choices"]["left"], 0);
    quotas(&server.bench, "test-games-a-day = 21");
    let wrong = server.bench.line("league run class --games 4");
    wrong.assert_refused(
        2,
        &["`class/league.toml`: quotas.test-games-a-day: 21 is out of range (0 to 20)"],
    );
}

#[test]
fn the_last_test_games_of_a_bot_and_those_of_its_quota_are_kept() {
    let bench = league(&["random", "greedy"]);
    let now = jiff::Timestamp::now().as_second();
    for number in 1..=25 {
        // The first two are of this day, and the second one of them did not start.
        let at = if number <= 2 { now } else { 0 };
        let outcome = if number == 2 { json!({ "not-started": "gone" }) } else { json!("over") };
        let record = json!({ "at": at, "by": "participant", "bot": "greedy@1", "against": ["random@1"], "outcome": outcome });
        let folder = format!("class/test-games/greedy/{number}");
        fs::create_dir_all(bench.path(&folder)).expect("ours");
        bench.write(&format!("{folder}/test-game.json"), record.to_string());
    }
    bench.ok("league test-game class --bot greedy --against random");
    let mut kept: Vec<u32> = fs::read_dir(bench.path("class/test-games/greedy"))
        .expect("ours")
        .map(|entry| {
            entry.expect("ours").file_name().to_str().expect("text").parse().expect("ours")
        })
        .collect();
    kept.sort_unstable();
    let expected: Vec<u32> = [1].into_iter().chain(7..=26).collect();
    assert_eq!(kept, expected, "one that counts for the quota of the day stays");
}

#[test]
fn a_test_game_that_could_not_be_played_counts_for_no_quota() {
    let server = Server::start_with(league(&["random"]), &["--workers", "1"]);
    let anna = server.invite("anna");
    // No other test sleeps for as long.
    let sleep = format!("sleep {}", 2_000_000 + std::process::id());
    let hangs_later =
        format!("if [ -e \"${{0%/*}}/slow\" ]; then exec {sleep}; fi\n{}", script("hangs"));
    let bot = zip(&[
        stored("bot.toml", b"name = \"x\"\ncommand = \"sh bot.sh\"\n"),
        stored("bot.sh", hangs_later.as_bytes()),
    ]);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot)["bot"], "anna@1");
    server.bench.write("class/bots/anna@1/slow", "");
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    wait_until("the bot thinks", || runs(&sleep));
    // With one worker, the next one waits, and is cut off as well.
    let told = read(&ask(&server, &anna, "against=random"));
    assert_eq!((&told["state"], &told["place"]), (&json!("waiting"), &json!(1)), "{told}");
    assert_eq!(read(&server.get("test-games/", &anna))["choices"]["left"], 8);
    assert_eq!(read(&server.get("test-games/1", &anna))["state"], "playing");
    let server = Server::start(server.interrupted());
    assert!(!runs(&sleep), "the bot goes on");
    let told = read(&server.get("test-games/1", &anna));
    assert_eq!((&told["state"], &told["games"]), (&json!("cut-off"), &json!([])), "{told}");

    let copy = server.bench.path("class/bots/anna@1/bot.sh");
    fs::write(&copy, format!("{hangs_later}# changed\n")).expect("ours");
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    assert_eq!(read(&server.get("test-games/2", &anna))["state"], "cut-off");
    let told = over(&server, &anna, 3);
    assert_eq!(told["state"], "not-started", "{told}");
    assert_eq!(told["why"], "bot `anna@1`: it has changed since it entered", "{told}");
    assert_eq!(read(&server.get("test-games/", &anna))["choices"]["left"], 10, "neither counts");
    // A bot that fails as it is started leaves a log without a line.
    server.bench.write("class/test-games/anna/3/games.jsonl", "");
    assert_eq!(over(&server, &anna, 3)["games"], json!([]));
    // Files that are gone are said to be gone.
    fs::remove_dir_all(server.bench.path("class/bots/anna@1")).expect("ours");
    let why = refusal(&ask(&server, &anna, "against=random"), 400);
    assert_eq!(why, "the files of anna@1 are no longer stored: choose another version");
    assert_eq!(read(&server.get("test-games/", &anna))["choices"]["bots"], json!([]));
}

/// A slow bot of one participant used to keep all others from test games for ten minutes.
#[test]
fn a_slow_test_game_keeps_no_other_participant_out() {
    let server = Server::start_with(league(&["random"]), &["--workers", "2"]);
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let sleep = format!("sleep {}", 4_000_000 + std::process::id());
    let hangs_later =
        format!("if [ -e \"${{0%/*}}/slow\" ]; then exec {sleep}; fi\n{}", script("hangs"));
    assert_eq!(server.hand_in(&anna, "bot.sh", hangs_later.as_bytes())["bot"], "anna@1");
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    server.bench.write("class/bots/anna@1/slow", "");
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    wait_until("the bot thinks", || runs(&sleep));
    for number in 1..=3 {
        assert_eq!(ask(&server, &ben, "against=random").status_code, 202);
        assert_eq!(over(&server, &ben, number)["state"], "over");
    }
    assert_eq!(read(&server.get("test-games/1", &anna))["state"], "playing");
    server.interrupted();
    wait_until("the bot is gone", || !runs(&sleep));
}

/// Each bot of a participant used to have turns of its own.
#[test]
fn test_games_of_several_bots_of_one_participant_share_its_turns() {
    let server = Server::start_with(league(&["random"]), &["--workers", "1"]);
    quotas(&server.bench, "bots = 2");
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let sleep = format!("sleep {}", 5_000_000 + std::process::id());
    let hangs_later =
        format!("if [ -e \"${{0%/*}}/slow\" ]; then exec {sleep}; fi\n{}", script("hangs"));
    assert_eq!(server.hand_in(&anna, "bot.sh", hangs_later.as_bytes())["bot"], "anna@1");
    let second = server.send(&anna, "bot.zip&bot=anna-2", &bot("second"));
    assert_eq!(second.status_code, 202);
    assert_eq!(server.decided(&anna, "1?bot=anna-2")["bot"], "anna-2@1");
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    server.bench.write("class/bots/anna@1/slow", "");
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    wait_until("the bot thinks", || runs(&sleep));
    assert_eq!(ask_for(&server, &anna, "?bot=anna-2", "against=random").status_code, 202);
    assert_eq!(ask(&server, &ben, "against=random").status_code, 202);
    assert_eq!(read(&server.get("test-games/1", &ben))["place"], 1);
    assert_eq!(read(&server.get("test-games/1?bot=anna-2", &anna))["place"], 2);
    server.interrupted();
    wait_until("the bot is gone", || !runs(&sleep));
}

#[test]
fn after_the_deadline_only_bots_of_the_organiser_are_met() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    for (token, name) in [(&anna, "anna"), (&ben, "ben")] {
        assert_eq!(server.hand_in(token, "bot.zip", &bot(name))["bot"], format!("{name}@1"));
    }
    set(&server.bench, &format!("deadline = {}", ahead(-5)));
    let choices = read(&server.get("test-games/", &anna))["choices"].clone();
    assert_eq!(choices["against"], json!(["random@1", "anna@1"]), "{choices}");
    let limited = choices["limited"].as_str().expect("a reason");
    assert!(limited.starts_with("the deadline passed at "), "{limited}");
    let why = refusal(&ask(&server, &anna, "against=ben"), 400);
    assert!(why.starts_with("`ben` is not a bot of the organiser, and the deadline"), "{why}");
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    assert_eq!(over(&server, &anna, 1)["state"], "over");
}

/// Test games and the page for people used to play versions that the frozen pages hide.
#[test]
fn what_is_frozen_is_frozen_in_test_games_and_on_the_page_for_people() {
    let bench = league(&["random", "greedy"]);
    set(&bench, &format!("freeze = {}", ahead(3_600)));
    let server = Server::start(bench);
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("first"))["bot"], "anna@1");
    let frozen = last_time(&server.bench);
    wait_until("the next second", || jiff::Timestamp::now().as_second() > frozen);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("second"))["bot"], "anna@2");
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    let at = jiff::Timestamp::from_second(frozen).expect("a time");
    set(&server.bench, &format!("freeze = {at}"));
    let against =
        |token: &str| read(&server.get("test-games/", token))["choices"]["against"].clone();
    assert_eq!(against(&ben), json!(["random@1", "greedy@1", "anna@1", "ben@1"]));
    assert_eq!(against(&anna), json!(["random@1", "greedy@1", "anna@2"]), "her own is no secret");
    refusal(&ask(&server, &ben, "against=anna@2"), 400);
    assert_eq!(ask(&server, &ben, "against=anna").status_code, 202);
    let told = over(&server, &ben, 1);
    assert_eq!((&told["state"], &told["against"]), (&json!("over"), &json!(["anna@1"])), "{told}");
    let page = server.at(Method::Get, "play/").with_header("Accept", "text/html");
    let page = page.send().expect("an answer");
    let page = page.as_str().expect("text");
    assert!(page.contains("anna@1"), "{page}");
    assert!(!page.contains("anna@2") && !page.contains("ben@1"), "{page}");
}

#[test]
fn the_organiser_plays_a_test_game_by_a_command() {
    let bench = league(&["random", "greedy"]);
    let told = bench.ok("league test-game class --bot random --against greedy");
    assert!(
        told.contains("random@1, greedy@1\n") && told.contains("greedy@1, random@1\n"),
        "{told}"
    );
    assert!(told.contains("\nresult: "), "{told}");
    assert!(
        told.ends_with(
            "2 test games, finished; `arbiter show class/test-games/random/1/games.jsonl` shows \
             each\n"
        ),
        "{told}"
    );
    let line = bench.ok("league test-game class --bot random --against greedy --json");
    let line: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(line["test_game"]["number"], 2, "{line}");
    assert_eq!(line["test_game"]["games"].as_array().map(Vec::len), Some(2), "{line}");
    assert_eq!(status(&bench)["games"], 0);
}
