//! Waiting submissions are checked in their order; none blocks the others, and none is tried for ever.

use std::fs;

use serde_json::{Value, json};
use tests::archives::{stored, zip};
use tests::handing_in::{Server, bearer, bot, json as read, refusal, runs, script};
use tests::league::{league, states};
use tests::running::wait_until;

/// An archive with a bot that is built by this command.
fn built_by(command: &str) -> Vec<u8> {
    let manifest = format!("name = 'x'\ncommand = 'sh bot.sh'\nbuild = '{command}'\n");
    zip(&[stored("bot.toml", manifest.as_bytes()), stored("bot.sh", script("built").as_bytes())])
}

#[test]
fn a_build_that_hangs_ends_once_its_token_is_taken_back() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    // No other test sleeps for as long.
    let sleep = format!("sleep {}", 1_000_000 + std::process::id());
    assert_eq!(server.send(&anna, "bot.zip", &built_by(&sleep)).status_code, 202);
    wait_until("the build runs", || runs(&sleep));
    let told = read(&server.send(&ben, "bot.zip", &bot("ben's")));
    assert_eq!((&told["place"], &told["waiting"]), (&json!(2), &json!(2)), "{told}");
    server.bench.ok("league invite class anna --revoke");
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");
    let again = server.invite("anna");
    let told = server.decided(&again, 1);
    assert!(!runs(&sleep), "the build goes on");
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!("token")), "{told}");
    assert_eq!(states(&server.bench), ["random@1 active", "ben@1 active"]);
}

#[test]
fn a_build_has_the_time_that_the_league_gives_it() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let file = server.bench.path("class/league.toml");
    let settings = fs::read_to_string(&file).expect("ours");
    fs::write(&file, format!("build-time = \"2s\"\n{settings}")).expect("ours");
    let told = server.hand_in(&anna, "bot.zip", &built_by("sleep 1000000"));
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!("builds")), "{told}");
    let why = told["why"].as_str().expect("a reason");
    assert!(why.contains("timeout") || why.contains("2000 ms"), "{why}");
    fs::write(&file, format!("build-time = \"soon\"\n{settings}")).expect("ours");
    let wrong = server.bench.line("league add class greedy");
    wrong.assert_refused(2, &["build-time", "use a duration"]);
}

#[test]
fn failures_of_the_machine_are_tried_three_times_after_all_others() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    // Something that the league does not remove lies in the place for the copy of her bot.
    fs::write(server.bench.path("class/bots/anna@1"), "").expect("ours");
    assert_eq!(server.send(&anna, "bot.zip", &bot("anna's")).status_code, 202);
    let record = || {
        let text =
            fs::read_to_string(server.bench.path("class/submissions/anna/1/submission.json"));
        serde_json::from_str::<Value>(&text.expect("ours")).expect("JSON")
    };
    wait_until("it was tried in vain", || record()["failed"].as_u64() >= Some(1));
    // It waits, and those who come later have their turns before it is given up.
    assert_eq!(server.decided(&ben_sends(&server, &ben), 1)["bot"], "ben@1");
    let told = server.decided(&anna, 1);
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!("machine")), "{told}");
    let why = told["why"].as_str().expect("a reason");
    assert!(why.starts_with("the server failed 3 times (last: "), "{why}");
    assert!(!why.contains(server.bench.folder().to_str().expect("text")), "{why}");
    assert_eq!(record()["failed"], 3);
    // It is mended, and she hands it in again.
    fs::remove_file(server.bench.path("class/bots/anna@1")).expect("ours");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
}

/// The end of the server used to count as a try of what was checked just then, which came last afterwards.
#[test]
fn a_check_that_ctrl_c_breaks_off_keeps_its_turn() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    // No other test sleeps for as long.
    let sleep = format!("sleep {}", 2_000_000 + std::process::id());
    let manifest = format!("name = 'x'\ncommand = '{sleep}'\n");
    let sleeps = zip(&[stored("bot.toml", manifest.as_bytes())]);
    assert_eq!(server.send(&anna, "bot.zip", &sleeps).status_code, 202);
    wait_until("the check runs", || runs(&sleep));
    let bench = server.interrupted();
    let record = fs::read_to_string(bench.path("class/submissions/anna/1/submission.json"));
    let record: Value = serde_json::from_str(&record.expect("ours")).expect("JSON");
    assert_eq!((&record["verdict"], record.get("begun")), (&json!("waiting"), None), "{record}");
    wait_until("the bot is gone", || !runs(&sleep));
}

/// Ben sends his bot, and gives his token back.
fn ben_sends(server: &Server, token: &str) -> String {
    assert_eq!(server.send(token, "bot.zip", &bot("ben's")).status_code, 202);
    token.to_owned()
}

#[test]
fn a_mistake_in_the_settings_costs_those_that_wait_no_try() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    assert_eq!(read(&server.get("", &anna))["queue"], json!([]));
    let file = server.bench.path("class/league.toml");
    let settings = fs::read_to_string(&file).expect("ours");
    fs::write(&file, "retires = 1\n").expect("ours");
    let told = read(&server.send(&anna, "bot.zip", &bot("anna's")));
    assert_eq!((&told["verdict"], &told["place"]), (&json!("waiting"), &json!(1)), "{told}");
    let told = read(&server.get("", &anna));
    assert_eq!((&told["queue"], &told["own"][0]["place"]), (&json!(["anna"]), &json!(1)), "{told}");
    let page = server.request(minreq::Method::Get, "").with_header("Accept", "text/html");
    let page = page.with_header("Cookie", format!("token={anna}")).send().expect("an answer");
    let page = page.as_str().expect("text");
    assert!(page.contains("queued</span>, position 1 of 1"), "{page}");
    assert!(page.contains("1 submission queued"), "{page}");
    fs::write(&file, settings).expect("ours");
    assert_eq!(server.decided(&anna, 1)["bot"], "anna@1");
    let record = fs::read_to_string(server.bench.path("class/submissions/anna/1/submission.json"));
    assert!(!record.expect("ours").contains("failed"));
}

/// A mistake in the settings used to be a failure of the server for every participant.
#[test]
fn a_mistake_in_the_settings_leaves_the_last_ones_to_participants() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
    let organiser = server.bench.ok("league organiser class");
    let overview = || {
        let request = server.at(minreq::Method::Get, "organiser/");
        let request = request.with_header("Authorization", bearer(organiser.trim_end()));
        read(&request.send().expect("an answer"))
    };
    assert_eq!(overview()["settings_problem"], Value::Null);
    let file = server.bench.path("class/league.toml");
    let settings = fs::read_to_string(&file).expect("ours");
    let quotas = "[quotas]\nsubmissions-a-day = 2\n[calendar]\ndeadline = 2100-01-01T00:00:00Z\n";
    let right = format!("{settings}\n{quotas}");
    fs::write(&file, &right).expect("ours");
    assert_eq!(overview()["settings_problem"], Value::Null);
    for mistake in ["retires = 1\n", "[", "", &format!("{settings}\n[calendar]\ndeadline = 7\n")] {
        fs::write(&file, mistake).expect("ours");
        let problem = overview()["settings_problem"].as_str().expect("a mistake").to_owned();
        assert!(
            problem.starts_with("`…/league.toml`") || problem.contains("league.toml"),
            "{problem}"
        );
        for path in ["", "submissions/1", "faults", "games", "test-games/"] {
            let answer = server.get(path, &anna);
            assert_eq!(answer.status_code, 200, "{mistake}: {path}: {:?}", answer.as_str());
        }
        let play = server.at(minreq::Method::Get, "play/").send().expect("an answer");
        assert_eq!(play.status_code, 200, "{mistake}: {:?}", play.as_str());
        assert!(read(&server.get("", &anna))["calendar"].to_string().contains("deadline"));
        let request = server.request(minreq::Method::Post, "test-games/");
        let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
        let request = request.with_header("Authorization", bearer(&anna));
        let begun = request.with_body("bot=anna&against=random").send().expect("an answer");
        assert_eq!(begun.status_code, 202, "{mistake}: {:?}", begun.as_str());
    }
    // The quota is that of the last settings that were right.
    assert_eq!(server.send(&anna, "bot.zip", &bot("second")).status_code, 202);
    fs::write(&file, &right).expect("ours");
    assert_eq!(server.decided(&anna, 2)["bot"], "anna@2");
    fs::write(&file, "[").expect("ours");
    refusal(&server.send(&anna, "bot.zip", &bot("third")), 429);
}

/// A folder on a disk that was not there used to look like a league without participants.
#[test]
fn a_league_that_is_away_says_nothing_of_tokens() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let (here, away) = (server.bench.path("class"), server.bench.path("away"));
    fs::rename(&here, &away).expect("ours");
    let why = refusal(&server.get("", &anna), 410);
    assert!(why.contains("its disk is unavailable"), "{why}");
    refusal(&server.send(&anna, "bot.zip", &bot("anna's")), 410);
    fs::rename(&away, &here).expect("ours");
    assert_eq!(server.get("", &anna).status_code, 200);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
}

/// The report was there only after the check.
#[test]
fn the_report_of_a_check_grows_while_it_is_made() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    // It starts, and never answers.
    let sleep = format!("sleep {}", 2_000_000 + std::process::id());
    let hangs = format!("cat > /dev/null\nexec {sleep}\n");
    assert_eq!(server.send(&anna, "bot.sh", hangs.as_bytes()).status_code, 202);
    wait_until("it is asked", || runs(&sleep));
    // It may be asked a moment before the line about its start is written.
    let mut told = Value::Null;
    wait_until("its report begins", || {
        told = read(&server.get("submissions/1", &anna));
        told["report"].as_str().is_some_and(|report| report.contains("ok       starts"))
    });
    assert_eq!(told["verdict"], "checking", "{told}");
    assert!(!told["report"].to_string().contains("FAILED"), "{told}");
    let page = server.request(minreq::Method::Get, "submissions/1");
    let page = page.with_header("Cookie", format!("token={anna}"));
    let page = page.with_header("Accept", "text/html").send().expect("an answer");
    let page = page.as_str().expect("text").to_owned();
    assert!(page.contains("data-checking") && page.contains("✓ passed"), "{page}");
    assert!(page.contains("running the next step"), "{page}");
    let withdrawn = server.request(minreq::Method::Delete, "submissions/1");
    let withdrawn = withdrawn.with_header("Authorization", bearer(&anna)).send();
    assert_eq!(withdrawn.expect("an answer").status_code, 200);
}
