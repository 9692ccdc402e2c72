//! Several submissions are checked at once, those of one participant one after another.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::handing_in::{Server, bot, json as read, runs, script, with_script};
use tests::league::{folder, league, states};
use tests::log;
use tests::running::wait_until;

/// A bench with a league in which a move has more time than any test takes.
fn patient_league() -> Bench {
    let bench = league(&["random"]);
    bench.replace("class/league.toml", "\"30s\"", "\"1h\"");
    bench
}

/// An archive with a bot that waits until there is a file `go` beside it: see [`go`].
fn waiting_bot() -> Vec<u8> {
    let script =
        format!("while [ ! -e \"${{0%/*}}/go\" ]; do sleep 0.1; done\n{}", script("it has waited"));
    with_script(&script)
}

/// A file of a version of a bot, as the league has it.
fn file(server: &Server, bot: &str, name: &str) -> PathBuf {
    server.bench.path("class/bots").join(bot).join(name)
}

/// Waits until this version is asked for a move.
fn wait_until_asked(server: &Server, bot: &str) {
    wait_until(&format!("{bot} is asked for a move"), || {
        // No other test has a file at this path.
        let script = fs::canonicalize(file(server, bot, "bot.sh"));
        script.is_ok_and(|script| runs(script.to_str().expect("text")))
    });
}

/// Lets this version answer.
fn go(server: &Server, bot: &str) {
    fs::write(file(server, bot, "go"), "").expect("ours");
}

fn record(server: &Server, submission: &str) -> Value {
    let text = server.bench.text(&format!("class/submissions/{submission}/submission.json"));
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn several_are_checked_at_once_and_the_others_wait_with_their_places() {
    let server = Server::start_with(patient_league(), &["--workers", "2"]);
    let [anna, ben, carl] = ["anna", "ben", "carl"].map(|name| server.invite(name));
    assert_eq!(server.send(&anna, "bot.zip", &waiting_bot()).status_code, 202);
    wait_until_asked(&server, "anna@1");
    assert_eq!(server.send(&ben, "bot.zip", &waiting_bot()).status_code, 202);
    wait_until_asked(&server, "ben@1");
    // Neither has answered, since both wait for a file. Another one has no place.
    let told = read(&server.send(&carl, "bot.zip", &bot("carl's")));
    let place =
        |told: &Value| [&told["verdict"], &told["place"], &told["waiting"]].map(Value::clone);
    assert_eq!(place(&told), [json!("waiting"), json!(3), json!(3)], "{told}");
    for (token, number) in [(&anna, 1), (&ben, 2)] {
        let told = read(&server.get("submissions/1", token));
        assert_eq!(place(&told), [json!("checking"), json!(number), json!(3)], "{told}");
    }
    let told = read(&server.get("", &carl));
    assert_eq!(told["queue"], json!(["anna", "ben", "carl"]));
    assert_eq!(told["checking"], json!(["anna", "ben"]));
    let all = [("carl", "waiting"), ("ben", "checking"), ("anna", "checking")];
    let all = all.map(|(name, verdict)| json!({ "participant": name, "verdict": verdict }));
    let public = told["all"].as_array().expect("a list").iter();
    let public =
        public.map(|it| json!({ "participant": it["participant"], "verdict": it["verdict"] }));
    assert_eq!(json!(public.collect::<Vec<_>>()), json!(all));
    let page = server.page("", &carl);
    for words in [
        "2 submissions are being checked, 1 queued.",
        "Up to 2 submissions are checked at once",
        "queued</span>, position 3 of 3",
        "<li>ben <span class=\"badge\">checking</span></li><li>carl</li>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let overview = server.json_page("organiser/", &server.organiser());
    assert_eq!(overview["queue"], json!(["anna", "ben", "carl"]));
    assert_eq!(overview["checking"], json!(["anna", "ben"]));

    // The second one ends first, and the third one takes its place.
    go(&server, "ben@1");
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");
    assert_eq!(server.decided(&carl, 1)["bot"], "carl@1");
    assert_eq!(read(&server.get("submissions/1", &anna))["verdict"], "checking");
    // A test game needs no place.
    let game = server.form("test-games/", &carl, "against=random");
    assert_eq!(game.status_code, 202, "{:?}", game.as_str());
    wait_until("the test game is over", || {
        read(&server.get("test-games/1", &carl))["state"] == "over"
    });
    go(&server, "anna@1");
    assert_eq!(server.decided(&anna, 1)["bot"], "anna@1");
    let expected = ["random@1 active", "ben@1 active", "carl@1 active", "anna@1 active"];
    assert_eq!(states(&server.bench), expected);
    server.bench.ok("verify class");
    wait_until("no unpacked file is left", || !server.bench.path("class/unpacking").exists());
}

#[test]
fn submissions_of_one_participant_are_checked_one_after_another() {
    let server = Server::start_with(patient_league(), &["--workers", "3"]);
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    assert_eq!(server.send(&anna, "bot.zip", &waiting_bot()).status_code, 202);
    wait_until_asked(&server, "anna@1");
    // The server takes no second file of Anna while one waits, so the test writes two. They come before the one of Ben.
    let own = server.bench.path("class/submissions/anna");
    let mut waits = record(&server, "anna/1");
    waits.as_object_mut().expect("an object").remove("begun");
    for number in ["3", "2"] {
        fs::create_dir(own.join(number)).expect("ours");
        fs::write(own.join(number).join("upload"), bot(number)).expect("ours");
        fs::write(own.join(number).join("submission.json"), waits.to_string()).expect("ours");
    }
    wait_until("the server has seen them", || {
        read(&server.get("", &anna))["queue"] == json!(["anna", "anna", "anna"])
    });
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    // There were places for them before there was one for Ben.
    for submission in ["anna/2", "anna/3"] {
        assert_eq!(record(&server, submission), waits, "{submission}");
    }
    assert_eq!(read(&server.get("", &anna))["checking"], json!(["anna"]));
    go(&server, "anna@1");
    for (number, version) in [(1, "anna@1"), (2, "anna@2"), (3, "anna@3")] {
        assert_eq!(server.decided(&anna, number)["bot"], version);
    }
}

#[test]
fn another_program_that_enters_bots_has_its_turn_before_those_that_come_later() {
    let server = Server::start_with(patient_league(), &["--workers", "2"]);
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    assert_eq!(server.send(&anna, "bot.zip", &waiting_bot()).status_code, 202);
    wait_until_asked(&server, "anna@1");
    // As `arbiter league add` does, while it waits.
    let next = server.bench.lock("class/entering-next");
    assert_eq!(server.send(&ben, "bot.zip", &bot("ben's")).status_code, 202);
    go(&server, "anna@1");
    let entering = server.bench.lock("class/entering");
    assert_eq!(read(&server.get("submissions/1", &anna))["bot"], "anna@1");
    let told = read(&server.get("submissions/1", &ben));
    assert_eq!(told["verdict"], "waiting", "{told}");
    assert_eq!(record(&server, "ben/1").get("begun"), None);
    drop((next, entering));
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");
}

/// A queue that was never empty once kept `watch` waiting until it gave up.
#[test]
fn watch_has_its_turn_beside_a_busy_page() {
    let server = Server::start_with(patient_league(), &["--workers", "2"]);
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    assert_eq!(server.send(&anna, "bot.zip", &waiting_bot()).status_code, 202);
    wait_until_asked(&server, "anna@1");
    folder(&server.bench, "in/carl", "carl", "first");
    let mut watch = server.bench.start("league watch class in --once");
    let next = server.bench.path("class/entering-next");
    wait_until("it waits for its turn", || {
        fs::File::open(&next).is_ok_and(|file| file.try_lock().is_err())
    });
    assert_eq!(server.send(&ben, "bot.zip", &bot("ben's")).status_code, 202);
    go(&server, "anna@1");
    assert!(watch.wait().success());
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");
    let entered = log::lines(&server.bench.path("class/league.jsonl"));
    let entered: Vec<&str> = entered.iter().filter_map(|it| it["enter"]["bot"].as_str()).collect();
    assert_eq!(entered, ["random@1", "anna@1", "carl@1", "ben@1"]);
}

#[test]
fn all_checks_that_ctrl_c_breaks_off_are_made_again_by_the_next_server() {
    let server = Server::start_with(patient_league(), &["--workers", "2"]);
    let tokens = ["anna", "ben"].map(|name| server.invite(name));
    for (token, bot) in tokens.iter().zip(["anna@1", "ben@1"]) {
        assert_eq!(server.send(token, "bot.zip", &waiting_bot()).status_code, 202);
        wait_until_asked(&server, bot);
    }
    let server = Server::start_with(server.interrupted(), &["--workers", "1"]);
    for (token, bot) in tokens.iter().zip(["anna@1", "ben@1"]) {
        // Not before: a file that appears in the folder while it is made anew is a failure of the machine, and the
        // check is made once more.
        wait_until_asked(&server, bot);
        go(&server, bot);
        assert_eq!(server.decided(token, 1)["bot"], bot);
    }
    for submission in ["anna/1", "ben/1"] {
        let record = record(&server, submission);
        // A machine with too much to do may fail at a check, which is made again and says so.
        let failed = record.get("failed").map_or(0, |failed| failed.as_u64().expect("a number"));
        assert_eq!(record["begun"], 1 + failed, "the first try does not count: {record}");
    }
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active", "ben@1 active"]);
}
