//! The calendar of a league: opening, deadline, freeze, quiet hours, end and pauses.

use jiff::Timestamp;
use minreq::Method;
use serde_json::{Value, json};
use tests::bench::Bench;
use tests::handing_in::{Server, ahead, bot, json as read, last_time, refusal, set};
use tests::league::{folder, league, play, states, status};
use tests::running::wait_until;
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
    let entering = server.bench.lock("class/entering");
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
    assert!(server.page("submissions/1", &anna).contains(" late: stored"));
    let all = read(&server.get("", &ben))["all"].clone();
    assert_eq!((&all[0]["participant"], &all[0]["verdict"]), (&json!("anna"), &json!("late")));
    assert!(all[0]["received"].is_u64(), "{all}");

    let late = server.bench.ok("league accept class");
    assert!(late.starts_with("anna: submission 2, 1 h "), "{late}");
    server.bench.refuses("league accept class ben", "no late submission from `ben`");
    let accepted = server.bench.ok("league accept class anna");
    assert_eq!(accepted, "anna: submission 2 queued\n");
    assert_eq!(server.decided(&anna, 2)["bot"], "anna@1");
    assert_eq!(server.bench.ok("league accept class"), "no late submissions\n");
    server.bench.refuses("league accept class anna", "no late submission from `anna`");
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
fn an_own_deadline_and_an_accepted_submission_are_exceptions_that_everybody_sees() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    let bench = &server.bench;
    let extend = |words: &str| format!("league extend class {words} --reason 'ill that day'");
    bench.refuses(&extend("anna --until 2100-01-01T00:00:00Z"), "has no deadline");
    set(bench, &format!("deadline = {}", ahead(-3_600)));
    for (words, says) in [
        ("anna --until soon", "until: invalid time `soon`"),
        ("anna --until 2001-01-01T00:00:00Z", "must not be before the deadline"),
        ("nobody --until 2100-01-01T00:00:00Z", "no participant `nobody`"),
    ] {
        bench.refuses(&extend(words), says);
    }
    for token in [&anna, &ben] {
        assert_eq!(read(&server.send(token, "bot.zip", &bot("late")))["verdict"], "late");
    }
    let of_anna = "anna: deadline extended to 2100-01-01 00:00:00 UTC (ill that day)";
    let of_ben = "ben: late submission 1 accepted (the server was away)";
    let told = bench.ok(&extend("anna --until 2100-01-01T00:00:00Z"));
    assert_eq!(told.trim_end(), of_anna);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("in time"))["bot"], "anna@1");
    assert_eq!(read(&server.get("", &anna))["deadline"], "2100-01-01T00:00:00Z");
    assert_eq!(read(&server.get("", &ben))["deadline"], Value::Null);
    bench.ok("league accept class ben --reason 'the server was away'");
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");
    let exceptions = json!([
        { "participant": "anna", "until": "2100-01-01T00:00:00Z", "accepted": null, "reason": "ill that day" },
        { "participant": "ben", "until": null, "accepted": 1, "reason": "the server was away" },
    ]);
    assert_eq!(status(bench)["exceptions"], exceptions);
    for shown in [server.page_at("", ""), bench.ok("league status class")] {
        assert!(shown.contains(of_anna) && shown.contains(of_ben), "{shown}");
    }
    let events = bench.ok("league events class --bot ben");
    assert!(events.starts_with(of_ben), "{events}");
    bench.ok("verify class");
}

#[test]
fn pages_stand_still_while_the_standings_are_frozen() {
    let server = Server::start(league(&["random", "greedy"]));
    let bench = &server.bench;
    let page = |path: &str| server.page_at(path, "");
    let status_of =
        |path: &str| server.at(Method::Get, path).send().expect("an answer").status_code;
    let games = || {
        let told: Value = serde_json::from_str(&page("data/standings.json")).expect("JSON");
        told["all"]["games"].as_u64().expect("a number")
    };
    set(bench, &format!("freeze = {}", ahead(3_600)));
    play(bench, "4");
    wait_until("the games are on the page", || games() == 4);
    let freeze = freeze_now(bench);
    set(bench, &format!("freeze = {freeze}\nunfreeze = {}", ahead(3_600)));
    play(bench, "4");
    bench.ok("league add class late=random");
    wait_until("the page stands still", || page("").contains("Standings frozen since"));
    assert_eq!(games(), 4);
    assert_eq!((status_of("rounds/0/"), status_of("rounds/1/")), (200, 404));
    assert!(!page("versions.html").contains("late@1"));
    // A mistake in the settings ends no freeze, and a server that cannot know of one shows no results.
    let settings = bench.text("class/league.toml");
    bench.write("class/league.toml", format!("{settings}\n[quotas\n"));
    let other = Served::start(bench, &["class"]);
    let text = other.text("");
    assert!(text.contains("The league settings are unreadable"), "{text}");
    assert!(other.text("data/standings.json").contains("\"games\":0"), "no results");
    assert_eq!(other.get("rounds/0/", &[]).status, 404);
    assert_eq!(games(), 4);
    bench.write("class/league.toml", settings);
    // The organiser sees everything, and all of it is proved.
    assert_eq!(status(bench)["games"], 8);
    assert!(bench.ok("verify class").contains("8 games"));
    set(bench, &format!("freeze = {freeze}\nunfreeze = {}", ahead(0)));
    wait_until("the page goes on", || games() == 8);
    assert_eq!(status_of("rounds/1/"), 200);
    assert!(page("versions.html").contains("late@1"));
}

/// The time of the last line of the log; what comes from now on is later.
fn freeze_now(bench: &Bench) -> Timestamp {
    let at = last_time(bench);
    wait_until("the next second", || Timestamp::now().as_second() > at);
    Timestamp::from_second(at).expect("a time")
}

/// Participants saw the games of their own bots in frozen rounds.
#[test]
fn a_freeze_holds_back_the_log_and_the_games_of_ones_own_bot() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let talkative = format!("echo my plan >&2\n{}", tests::handing_in::script("anna's"));
    assert_eq!(server.hand_in(&anna, "bot.sh", talkative.as_bytes())["bot"], "anna@1");
    let set = |calendar: &str| {
        set(&server.bench, calendar);
        let settings = server.bench.text("class/league.toml");
        if !settings.contains("\n[pages]") {
            let offered = "\n[pages]\nlog-download = true\n\n[calendar]";
            let settings = settings.replacen("\n[calendar]", offered, 1);
            server.bench.write("class/league.toml", settings);
        }
    };
    set(&format!("freeze = {}", ahead(3_600)));
    play(&server.bench, "4");
    let freeze = freeze_now(&server.bench);
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
    let mut run = bench.start("league run class --games 4");
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
    let told = bench.line("league run class --games 4").with_code(0);
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
