//! Test games: a participant's bot against bots of the league, for nothing.

use std::fs;

use minreq::Response;
use serde_json::{Value, json};
use tests::handing_in::{
    Server, ahead, bot, endless, json as read, last_time, refusal, runs, script, set, set_table,
    with_script,
};
use tests::league::{league, status};
use tests::running::{wait_or_say, wait_until};
use tests::texts::assert_says;

/// An archive with a bot that says this on standard error.
fn talkative(words: &str) -> Vec<u8> {
    with_script(&format!("echo {words} >&2\n{}", script(words)))
}

/// Asks for a test game.
fn ask(server: &Server, token: &str, form: &str) -> Response {
    server.form("test-games/", token, form)
}

fn choices(server: &Server, token: &str) -> Value {
    read(&server.get("test-games/", token))["choices"].clone()
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

/// Enters a bot of anna's that hangs from now on, and begins a test game of it; gives what it runs.
fn hanging(server: &Server, anna: &str) -> String {
    let sleep = endless();
    let script = hangs_later(&sleep);
    assert_eq!(server.hand_in(anna, "bot.sh", script.as_bytes())["bot"], "anna@1");
    server.bench.write("class/bots/anna@1/slow", "");
    assert_eq!(ask(server, anna, "against=random").status_code, 202);
    wait_until("the bot thinks", || runs(&sleep));
    sleep
}

fn hangs_later(sleep: &str) -> String {
    format!("if [ -e \"${{0%/*}}/slow\" ]; then exec {sleep}; fi\n{}", script("hangs"))
}

#[test]
fn a_test_game_shows_its_moves_and_the_own_standard_error_and_counts_for_nothing() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    for (token, words, entered) in [
        (&anna, "old plan", "anna@1"),
        (&anna, "new plan", "anna@2"),
        (&ben, "bens secret", "ben@1"),
    ] {
        assert_eq!(server.hand_in(token, "bot.zip", &talkative(words))["bot"], entered);
    }
    let kept =
        || ["league", "events"].map(|name| server.bench.text(&format!("class/{name}.jsonl")));
    let before = kept();

    assert_eq!(
        choices(&server, &anna),
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
        assert_says(game["text"].as_str().expect("text"), &["anna@2", "\nresult: "]);
        let answers = game["answers"].as_array().expect("answers");
        assert!(!answers.is_empty());
        assert!(answers.iter().all(|it| it["stderr"] == "new plan\n"), "{answers:?}");
    }
    let shown = server.page("test-games/1", &anna);
    assert!(shown.contains("new plan") && shown.contains("result: "), "{shown}");
    assert!(!(told.to_string() + &shown).contains("bens secret"), "{told} {shown}");
    assert!(server.page("test-games/", &anna).contains("<option value=\"anna@1\""));

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
    assert_eq!(kept(), before);
    assert_says(&server.bench.ok("verify class/test-games/anna/1/games.jsonl"), &["2 games"]);

    // After the deadline only bots of the organiser are met.
    set(&server.bench, &format!("deadline = {}", ahead(-5)));
    let choices = choices(&server, &anna);
    assert_eq!(choices["against"], json!(["random@1", "anna@2"]), "{choices}");
    let limited = choices["limited"].as_str().expect("a reason");
    assert!(limited.starts_with("the deadline passed at "), "{limited}");
    let why = refusal(&ask(&server, &anna, "against=ben"), 400);
    let told = "`ben` is not one of the organiser's bots, and the deadline";
    assert!(why.starts_with(told), "{why}");
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    assert_eq!(over(&server, &anna, 3)["state"], "over");
}

#[test]
fn test_games_are_bounded_and_only_open_leagues_play_them() {
    let server = Server::start(league(&["random", "greedy"]));
    let bench = &server.bench;
    let anna = server.invite("anna");
    let wrong = |form: &str, why: &str| assert_eq!(refusal(&ask(&server, &anna, form), 400), why);
    wrong("against=random", "no bot `anna` in the league");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
    bench.ok("league retire class greedy");
    for (form, why) in [
        ("bot=random@1&against=anna", "not your bot: choose a version of anna"),
        ("against=greedy", "`greedy` is retired: choose an active bot"),
        ("against=random@7", "`random@7` does not play in the league: choose an active bot"),
        ("against=anna", "anna@1 cannot play against itself"),
        ("bot=anna", "0 bots for 2 seats: choose 1, one per other seat"),
        ("against=random&more=1", "unknown field: use `bot` and `against`"),
    ] {
        wrong(form, why);
    }
    refusal(&ask(&server, "0000", "against=random"), 401);

    let closed = |expected: &str| {
        let why = refusal(&ask(&server, &anna, "against=random"), 403);
        assert!(why.starts_with(&format!("test games are not available: {expected}")), "{why}");
    };
    bench.ok("league pause class");
    closed("the league is paused");
    bench.ok("league pause class --end");
    set(bench, &format!("opens = {}", ahead(3_600)));
    closed("the league opens at ");
    set(bench, &format!("ends = {}", ahead(-5)));
    closed("the league has ended, at ");
    let command = "league test-game class --bot anna --against random";
    bench.line(command).assert_refused(75, &["the league has ended, at "]);
    set(bench, "");
    let quota = |number: u64| set_table(bench, "quotas", &format!("test-games-a-day = {number}"));
    quota(0);
    closed("this league has no test games");
    assert!(!bench.path("class/test-games").exists());

    quota(1);
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    assert_eq!(over(&server, &anna, 1)["state"], "over");
    let second = ask(&server, &anna, "against=random");
    let why = refusal(&second, 429);
    assert!(why.starts_with("daily limit of 1 test games reached"), "{why}");
    assert!(second.headers.contains_key("retry-after"));
    // The organiser has no quota, and uses none up.
    bench.ok(command);
    assert_eq!(choices(&server, &anna)["left"], 0);
    quota(21);
    let range = "`class/league.toml`: quotas.test-games-a-day: 21 is out of range (0 to 20)";
    bench.refuses("league run class --games 4", range);
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
    let all = fs::read_dir(bench.path("class/test-games/greedy")).expect("ours").flatten();
    let number = |name: std::ffi::OsString| name.to_str()?.parse().ok();
    let mut kept: Vec<u32> = all.filter_map(|entry| number(entry.file_name())).collect();
    kept.sort_unstable();
    let expected: Vec<u32> = [1].into_iter().chain(7..=26).collect();
    assert_eq!(kept, expected, "one that counts for the quota of the day stays");
}

#[test]
fn a_test_game_that_could_not_be_played_counts_for_no_quota() {
    let server = Server::start_with(league(&["random"]), &["--workers", "1"]);
    let anna = server.invite("anna");
    let sleep = hanging(&server, &anna);
    // With one worker, the next one waits, and is cut off as well.
    let told = read(&ask(&server, &anna, "against=random"));
    assert_eq!((&told["state"], &told["place"]), (&json!("waiting"), &json!(1)), "{told}");
    assert_eq!(choices(&server, &anna)["left"], 8);
    assert_eq!(read(&server.get("test-games/1", &anna))["state"], "playing");
    let server = Server::start(server.interrupted());
    assert!(!runs(&sleep), "the bot goes on");
    let told = read(&server.get("test-games/1", &anna));
    assert_eq!((&told["state"], &told["games"]), (&json!("cut-off"), &json!([])), "{told}");

    let changed = format!("{}# changed\n", hangs_later(&sleep));
    server.bench.write("class/bots/anna@1/bot.sh", changed);
    assert_eq!(ask(&server, &anna, "against=random").status_code, 202);
    assert_eq!(read(&server.get("test-games/2", &anna))["state"], "cut-off");
    let told = over(&server, &anna, 3);
    assert_eq!(told["state"], "not-started", "{told}");
    assert_eq!(told["why"], "bot `anna@1`: it has changed since it entered", "{told}");
    assert_eq!(choices(&server, &anna)["left"], 10, "neither counts");
    // A bot that fails as it is started leaves a log without a line.
    server.bench.write("class/test-games/anna/3/games.jsonl", "");
    assert_eq!(over(&server, &anna, 3)["games"], json!([]));
    // Files that are gone are said to be gone.
    fs::remove_dir_all(server.bench.path("class/bots/anna@1")).expect("ours");
    let why = refusal(&ask(&server, &anna, "against=random"), 400);
    assert_eq!(why, "the files of anna@1 are no longer stored: choose another version");
    assert_eq!(choices(&server, &anna)["bots"], json!([]));
}

/// A slow bot of one participant used to keep all others from test games for ten minutes.
#[test]
fn a_slow_test_game_keeps_no_other_participant_out() {
    let server = Server::start_with(league(&["random"]), &["--workers", "2"]);
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    let sleep = hanging(&server, &anna);
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
    set_table(&server.bench, "quotas", "bots = 2");
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let second = server.send(&anna, "bot.zip&bot=anna-2", &bot("second"));
    assert_eq!(second.status_code, 202);
    assert_eq!(server.decided(&anna, "1?bot=anna-2")["bot"], "anna-2@1");
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    let sleep = hanging(&server, &anna);
    let of_second = server.form("test-games/?bot=anna-2", &anna, "against=random");
    assert_eq!(of_second.status_code, 202);
    assert_eq!(ask(&server, &ben, "against=random").status_code, 202);
    assert_eq!(read(&server.get("test-games/1", &ben))["place"], 1);
    assert_eq!(read(&server.get("test-games/1?bot=anna-2", &anna))["place"], 2);
    server.interrupted();
    wait_until("the bot is gone", || !runs(&sleep));
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
    let against = |token: &str| choices(&server, token)["against"].clone();
    assert_eq!(against(&ben), json!(["random@1", "greedy@1", "anna@1", "ben@1"]));
    assert_eq!(against(&anna), json!(["random@1", "greedy@1", "anna@2"]), "her own is no secret");
    refusal(&ask(&server, &ben, "against=anna@2"), 400);
    assert_eq!(ask(&server, &ben, "against=anna").status_code, 202);
    let told = over(&server, &ben, 1);
    assert_eq!((&told["state"], &told["against"]), (&json!("over"), &json!(["anna@1"])), "{told}");
    let page = server.page_at("play/", "");
    assert!(page.contains("anna@1"), "{page}");
    assert!(!page.contains("anna@2") && !page.contains("ben@1"), "{page}");
}

#[test]
fn the_organiser_plays_a_test_game_by_a_command() {
    let bench = league(&["random", "greedy"]);
    let command = "league test-game class --bot random --against greedy";
    let told = bench.ok(command);
    assert_says(&told, &["random@1, greedy@1\n", "greedy@1, random@1\n", "\nresult: "]);
    let end = "2 test games, finished; `arbiter show class/test-games/random/1/games.jsonl` shows \
               each\n";
    assert!(told.ends_with(end), "{told}");
    let line = bench.line(&format!("{command} --json")).json().remove(0);
    assert_eq!(line["test_game"]["number"], 2, "{line}");
    assert_eq!(line["test_game"]["games"].as_array().map(Vec::len), Some(2), "{line}");
    assert_eq!(status(&bench)["games"], 0);
}
