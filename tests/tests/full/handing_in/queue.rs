//! Waiting submissions are checked in their order; none blocks the others, and none is tried for ever.

use std::fs;

use minreq::Method;
use serde_json::{Value, json};
use tests::handing_in::{
    Server, bearer, bot, built_by, endless, json as read, refusal, runs, with_script,
};
use tests::league::{league, states};
use tests::running::wait_until;
use tests::texts::assert_says;

fn assert_refused_at(told: &Value, step: &str) -> String {
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!(step)), "{told}");
    told["why"].as_str().expect("a reason").to_owned()
}

#[test]
fn a_build_ends_once_its_token_is_taken_back_or_its_time_is_up() {
    let server = Server::start(league(&["random"]));
    let bench = &server.bench;
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let sleep = endless();
    assert_eq!(server.send(&anna, "bot.zip", &built_by(&sleep)).status_code, 202);
    wait_until("the build runs", || runs(&sleep));
    let told = read(&server.send(&ben, "bot.zip", &bot("ben's")));
    assert_eq!((&told["place"], &told["waiting"]), (&json!(2), &json!(2)), "{told}");
    bench.ok("league invite class anna --revoke");
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");
    let again = server.invite("anna");
    let told = server.decided(&again, 1);
    assert!(!runs(&sleep), "the build goes on");
    assert_refused_at(&told, "token");
    assert_eq!(states(bench), ["random@1 active", "ben@1 active"]);

    let settings = bench.text("class/league.toml");
    bench.write("class/league.toml", format!("build-time = \"2s\"\n{settings}"));
    let why = assert_refused_at(&server.hand_in(&again, "bot.zip", &built_by(&sleep)), "builds");
    assert!(why.contains("timeout") || why.contains("2000 ms"), "{why}");
    bench.write("class/league.toml", format!("build-time = \"soon\"\n{settings}"));
    bench.line("league add class greedy").assert_refused(2, &["build-time", "use a duration"]);
}

#[test]
fn failures_of_the_machine_are_tried_three_times_after_all_others() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    // Something that the league does not remove lies in the place for the copy of her bot.
    server.bench.write("class/bots/anna@1", "");
    assert_eq!(server.send(&anna, "bot.zip", &bot("anna's")).status_code, 202);
    let failed = || {
        let text = server.bench.text("class/submissions/anna/1/submission.json");
        serde_json::from_str::<Value>(&text).expect("JSON")["failed"].as_u64()
    };
    wait_until("it was tried in vain", || failed() >= Some(1));
    // It waits, and those who come later have their turns before it is given up.
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    let why = assert_refused_at(&server.decided(&anna, 1), "machine");
    assert!(why.starts_with("the server failed 3 times (last: "), "{why}");
    assert!(!why.contains(server.bench.folder().to_str().expect("text")), "{why}");
    assert_eq!(failed(), Some(3));
    // It is mended, and she hands it in again.
    fs::remove_file(server.bench.path("class/bots/anna@1")).expect("ours");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
}

#[test]
fn a_mistake_in_the_settings_costs_those_that_wait_no_try() {
    let server = Server::start(league(&["random"]));
    let bench = &server.bench;
    let anna = server.invite("anna");
    assert_eq!(read(&server.get("", &anna))["queue"], json!([]));
    let settings = bench.text("class/league.toml");
    bench.write("class/league.toml", "retires = 1\n");
    let told = read(&server.send(&anna, "bot.zip", &bot("anna's")));
    assert_eq!((&told["verdict"], &told["place"]), (&json!("waiting"), &json!(1)), "{told}");
    let told = read(&server.get("", &anna));
    assert_eq!((&told["queue"], &told["own"][0]["place"]), (&json!(["anna"]), &json!(1)), "{told}");
    let page = server.page("", &anna);
    assert!(page.contains("queued</span>, position 1 of 1"), "{page}");
    assert!(page.contains("1 submission queued"), "{page}");
    bench.write("class/league.toml", settings);
    assert_eq!(server.decided(&anna, 1)["bot"], "anna@1");
    assert!(!bench.text("class/submissions/anna/1/submission.json").contains("failed"));
}

/// A mistake in the settings used to be a failure of the server for every participant.
#[test]
fn a_mistake_in_the_settings_leaves_the_last_ones_to_participants() {
    let server = Server::start(league(&["random"]));
    let bench = &server.bench;
    let anna = server.invite("anna");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
    let organiser = server.organiser();
    let problem = || server.json_page("organiser/", &organiser)["settings_problem"].clone();
    assert_eq!(problem(), Value::Null);
    let settings = bench.text("class/league.toml");
    let quotas = "[quotas]\nsubmissions-a-day = 2\n[calendar]\ndeadline = 2100-01-01T00:00:00Z\n";
    let right = format!("{settings}\n{quotas}");
    bench.write("class/league.toml", &right);
    assert_eq!(problem(), Value::Null);
    for mistake in ["retires = 1\n", "[", "", &format!("{settings}\n[calendar]\ndeadline = 7\n")] {
        bench.write("class/league.toml", mistake);
        assert!(problem().as_str().is_some_and(|it| it.contains("league.toml")), "{}", problem());
        for path in ["", "submissions/1", "faults", "games", "test-games/"] {
            let answer = server.get(path, &anna);
            assert_eq!(answer.status_code, 200, "{mistake}: {path}: {:?}", answer.as_str());
        }
        let play = server.at(Method::Get, "play/").send().expect("an answer");
        assert_eq!(play.status_code, 200, "{mistake}: {:?}", play.as_str());
        assert!(read(&server.get("", &anna))["calendar"].to_string().contains("deadline"));
        let begun = server.form("test-games/", &anna, "bot=anna&against=random");
        assert_eq!(begun.status_code, 202, "{mistake}: {:?}", begun.as_str());
    }
    // The quota is that of the last settings that were right.
    assert_eq!(server.send(&anna, "bot.zip", &bot("second")).status_code, 202);
    bench.write("class/league.toml", &right);
    assert_eq!(server.decided(&anna, 2)["bot"], "anna@2");
    bench.write("class/league.toml", "[");
    refusal(&server.send(&anna, "bot.zip", &bot("third")), 429);
}

/// A folder on a disk that was not there used to look like a league without participants.
#[test]
fn a_league_that_is_away_says_nothing_of_tokens() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let (here, away) = (server.bench.path("class"), server.bench.path("away"));
    fs::rename(&here, &away).expect("ours");
    assert_says(&refusal(&server.get("", &anna), 410), &["its disk is unavailable"]);
    refusal(&server.send(&anna, "bot.zip", &bot("anna's")), 410);
    fs::rename(&away, &here).expect("ours");
    assert_eq!(server.get("", &anna).status_code, 200);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
}

/// The report was there only after the check. And the end of the server used to count as a try of what was checked just
/// then, which came last afterwards.
#[test]
fn the_report_of_a_check_grows_while_it_is_made_and_ctrl_c_costs_no_turn() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let [first, second] = [endless(), endless()];
    // It starts, and never answers.
    let hangs = |sleep: &str| with_script(&format!("cat > /dev/null\nexec {sleep}\n"));
    assert_eq!(server.send(&anna, "bot.zip", &hangs(&first)).status_code, 202);
    wait_until("it is asked", || runs(&first));
    // It may be asked a moment before the line about its start is written.
    let mut told = Value::Null;
    wait_until("its report begins", || {
        told = read(&server.get("submissions/1", &anna));
        told["report"].as_str().is_some_and(|report| report.contains("ok       starts"))
    });
    assert_eq!(told["verdict"], "checking", "{told}");
    assert!(!told["report"].to_string().contains("FAILED"), "{told}");
    let page = server.page("submissions/1", &anna);
    assert_says(&page, &["data-checking", "✓ passed", "running the next step"]);
    let withdrawn = server.request(Method::Delete, "submissions/1");
    let withdrawn = withdrawn.with_header("Authorization", bearer(&anna)).send();
    assert_eq!(withdrawn.expect("an answer").status_code, 200);

    assert_eq!(server.send(&anna, "bot.zip", &hangs(&second)).status_code, 202);
    wait_until("the check runs", || runs(&second));
    let bench = server.interrupted();
    let record = bench.text("class/submissions/anna/2/submission.json");
    let record: Value = serde_json::from_str(&record).expect("JSON");
    assert_eq!((&record["verdict"], record.get("begun")), (&json!("waiting"), None), "{record}");
    wait_until("the bot is gone", || !runs(&second));
}
