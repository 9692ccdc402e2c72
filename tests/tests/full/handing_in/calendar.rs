//! The calendar of a league: opening, deadline, freeze, quiet hours, end and pauses.

use std::fs;
use std::process::Stdio;

use jiff::Timestamp;
use minreq::Method;
use serde_json::{Value, json};
use tests::handing_in::{Server, ahead, bot, json as read, last_time, refusal, set};
use tests::league::{folder, league, play, states, status};
use tests::running::{Running, wait_until};
use tests::served::Served;

#[test]
fn a_late_submission_is_kept_and_enters_once_it_is_accepted() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    set(&server.bench, &format!("opens = {}", ahead(3_600)));
    let why = refusal(&server.send(&anna, "bot.zip", &bot("early")), 403);
    assert!(why.starts_with("submissions open at "), "{why}");
    assert!(!server.bench.path("class/submissions/anna").exists());

    // One that came in time is checked after the deadline.
    set(&server.bench, &format!("deadline = {}", ahead(3_600)));
    let entering = fs::File::create(server.bench.path("class/entering")).expect("ours");
    entering.lock().expect("a lock");
    assert_eq!(server.send(&ben, "bot.zip", &bot("ben's")).status_code, 202);
    set(&server.bench, &format!("deadline = {}", ahead(-5_400)));
    drop(entering);
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");

    let taken = server.send(&anna, "bot.zip", &bot("anna's"));
    assert_eq!(taken.status_code, 202, "{:?}", taken.as_str());
    let told = read(&taken);
    assert_eq!(told["verdict"], "late", "{told}");
    let why = told["why"].as_str().expect("a reason");
    assert!(why.contains(" late: stored, and enters"), "{why}");
    // The last one is the one that can be accepted.
    assert_eq!(read(&server.send(&anna, "bot.zip", &bot("anna's last")))["number"], 2);
    let page = server.request(Method::Get, "submissions/1").with_header("Accept", "text/html");
    let page = page.with_header("Cookie", format!("token={anna}")).send().expect("an answer");
    assert!(page.as_str().expect("text").contains(" late: stored"));
    let all = read(&server.get("", &ben))["all"].clone();
    assert_eq!((&all[0]["participant"], &all[0]["verdict"]), (&json!("anna"), &json!("late")));
    assert!(all[0]["received"].is_u64(), "{all}");

    let late = server.bench.ok("league accept class");
    assert!(late.starts_with("anna: submission 2, 1 h "), "{late}");
    let refused = server.bench.line("league accept class ben");
    refused.assert_refused(2, &["no late submission of `ben`"]);
    let accepted = server.bench.ok("league accept class anna");
    assert_eq!(accepted, "anna: submission 2 queued\n");
    assert_eq!(server.decided(&anna, 2)["bot"], "anna@1");
    assert_eq!(server.bench.ok("league accept class"), "no late submissions\n");
    let older = server.bench.line("league accept class anna");
    older.assert_refused(2, &["no late submission of `anna`"]);
}

#[test]
fn a_watched_folder_keeps_to_the_deadline() {
    let bench = league(&["random"]);
    folder(&bench, "in/anna", "anna", "first");
    let look = || bench.line("league watch class in --once");
    set(&bench, &format!("opens = {}", ahead(3_600)));
    let early = look();
    assert!(early.stderr.contains("warning: submissions open at "), "{early:?}");
    assert_eq!(early.stdout, "");
    set(&bench, &format!("deadline = {}", ahead(3_600)));
    assert!(look().stdout.contains("entered as anna@1"));
    folder(&bench, "in/ben", "ben", "late");
    set(&bench, &format!("deadline = {}", ahead(-5)));
    let late = look().stdout;
    assert!(late.starts_with("in/ben: rejected: submitted "), "{late}");
    assert!(late.contains(" after the deadline, "), "{late}");
    assert_eq!(late.lines().count(), 1, "anna has not changed: {late}");
    // The deadline is put off, and the organiser may enter any bot at any time.
    set(&bench, &format!("deadline = {}", ahead(3_600)));
    assert!(look().stdout.contains("entered as ben@1"));
    set(&bench, &format!("deadline = {}", ahead(-5)));
    folder(&bench, "eve", "eve", "organiser's");
    bench.ok("league add class ./eve");
    assert_eq!(states(&bench).len(), 4);
}

#[test]
fn pages_stand_still_while_the_standings_are_frozen() {
    let server = Server::start(league(&["random", "greedy"]));
    let page = |path: &str| {
        let request = server.at(Method::Get, path);
        request.with_header("Accept", "text/html").send().expect("an answer")
    };
    let games = || {
        let told = page("data/standings.json");
        let told: Value = serde_json::from_str(told.as_str().expect("text")).expect("JSON");
        told["all"]["games"].as_u64().expect("a number")
    };
    set(&server.bench, &format!("freeze = {}", ahead(3_600)));
    play(&server.bench, "4");
    wait_until("the games are on the page", || games() == 4);
    let at = last_time(&server.bench);
    let freeze = Timestamp::from_second(at).expect("a time");
    set(&server.bench, &format!("freeze = {freeze}\nunfreeze = {}", ahead(3_600)));
    wait_until("the next second", || Timestamp::now().as_second() > at);
    play(&server.bench, "4");
    folder(&server.bench, "late", "late", "a bot");
    server.bench.ok("league add class ./late");
    wait_until("the page stands still", || {
        page("").as_str().expect("text").contains("Standings frozen since")
    });
    assert_eq!(games(), 4);
    assert_eq!(page("rounds/0/").status_code, 200);
    assert_eq!(page("rounds/1/").status_code, 404);
    assert!(!page("versions.html").as_str().expect("text").contains("late@1"));
    // A mistake in the settings ends no freeze, and a server that cannot know of one shows no results.
    let file = server.bench.path("class/league.toml");
    let settings = fs::read_to_string(&file).expect("ours");
    fs::write(&file, format!("{settings}\n[quotas\n")).expect("ours");
    let other = Served::start(&server.bench, &["class"]);
    let text = other.text("");
    assert!(text.contains("The league settings are unreadable"), "{text}");
    assert!(other.text("data/standings.json").contains("\"games\":0"), "no results");
    assert_eq!(other.get("rounds/0/", &[]).status, 404);
    assert_eq!(games(), 4);
    fs::write(&file, settings).expect("ours");
    // The organiser sees everything, and all of it is proved.
    assert_eq!(status(&server.bench)["games"], 8);
    assert!(server.bench.ok("verify class").contains("8 games"));
    set(&server.bench, &format!("freeze = {freeze}\nunfreeze = {}", ahead(0)));
    wait_until("the page goes on", || games() == 8);
    assert_eq!(page("rounds/1/").status_code, 200);
    assert!(page("versions.html").as_str().expect("text").contains("late@1"));
}

/// Participants saw the games of their own bots in frozen rounds.
#[test]
fn a_freeze_holds_back_the_log_and_the_games_of_ones_own_bot() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let talkative = format!("echo my plan >&2\n{}", tests::handing_in::script("anna's"));
    assert_eq!(server.hand_in(&anna, "bot.sh", talkative.as_bytes())["bot"], "anna@1");
    let offered = "\n[pages]\nlog-download = true\n\n[calendar]";
    let set = |calendar: &str| {
        set(&server.bench, calendar);
        let file = server.bench.path("class/league.toml");
        let text = fs::read_to_string(&file).expect("ours");
        if !text.contains("\n[pages]") {
            fs::write(file, text.replacen("\n[calendar]", offered, 1)).expect("ours");
        }
    };
    set(&format!("freeze = {}", ahead(3_600)));
    play(&server.bench, "4");
    let at = last_time(&server.bench);
    let freeze = Timestamp::from_second(at).expect("a time");
    wait_until("the next second", || Timestamp::now().as_second() > at);
    play(&server.bench, "4");
    let seen = || {
        let games = read(&server.get("games", &anna))["games"].as_array().map(Vec::len);
        let texts = server.get("stderr.jsonl", &anna);
        let texts = texts.as_str().expect("text").lines().count();
        let last = server.get("games/1/0", &anna).status_code;
        let archive = server.at(Method::Get, "api/v1/log.tar").send().expect("an answer");
        server.bench.write("league.tar", archive.as_bytes());
        let listed = tests::bench::run(server.bench.command("tar").args(["tf", "league.tar"]));
        (games, texts, last, listed.stdout.contains("league/rounds/1/"))
    };
    assert_eq!(seen(), (Some(8), 8, 200, true));
    set(&format!("freeze = {freeze}\nunfreeze = {}", ahead(3_600)));
    assert_eq!(seen(), (Some(4), 4, 404, false));
    set(&format!("freeze = {freeze}\nunfreeze = {}", ahead(0)));
    assert_eq!(seen(), (Some(8), 8, 200, true));
}

#[test]
fn no_game_begins_in_quiet_hours_in_a_pause_or_after_the_end() {
    let bench = league(&["random", "greedy"]);
    bench.ok("league pause class");
    let words = ["league", "run", "class", "--games", "4"];
    let mut run = bench.command(bench.program("arbiter"));
    let mut run = Running::start(run.args(words).stdout(Stdio::null()).stderr(Stdio::null()));
    wait_until("the league is being run", || status(&bench)["state"] == "running");
    assert!(!run.has_ended());
    assert_eq!(status(&bench)["games"], 0);
    bench.ok("league pause class --end");
    assert!(run.wait().success());
    assert_eq!(status(&bench)["games"], 4);

    // All hours but one minute are quiet, and that minute was half a day ago.
    let minute = |seconds: i64| ahead(seconds)[11..16].to_owned();
    let half_a_day = 12 * 60 * 60;
    let quiet = format!("quiet = [\"{}-{}\"]", minute(60 - half_a_day), minute(-half_a_day));
    set(&bench, &quiet);
    let told = bench.line("league run class --games 4 --for 1s");
    assert!(told.stderr.contains("quiet hours until "), "{told:?}");
    assert_eq!(status(&bench)["games"], 4);

    set(&bench, &format!("ends = {}", ahead(-60)));
    let told = bench.line("league run class --games 4");
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.stderr.contains("the league has ended, at "), "{told:?}");
    assert_eq!(status(&bench)["games"], 4);
    // A stage is still played.
    bench.ok("league stage class --format knockout --deals 2 --deciders 0");
    bench.ok("league run class --stage");
    assert_eq!(status(&bench)["games"], 8);
}

#[test]
fn a_wrong_calendar_is_named_by_its_key() {
    let bench = league(&["random", "greedy"]);
    set(&bench, "deadline = 2026-12-20");
    for words in [&["league", "run", "class"][..], &["league", "status", "class"]] {
        bench.run(words).assert_refused(2, &["calendar.deadline: invalid time `2026-12-20`"]);
    }
    set(&bench, "closes = 2026-12-20T12:00:00");
    bench.refuses("league run class", "closes");
}
