//! Remote bots in a match and in a league: a client fetches requests over HTTP, and the server may end in the middle.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::Bench;
use tests::handing_in::set_table;
use tests::league::league;
use tests::running::{wait_for_no_scratch, wait_until};
use tests::served::Served;

/// A client that plays the first move that is listed, until it is dropped or the match has ended.
struct Client {
    stop: Arc<AtomicBool>,
    address: Arc<Mutex<String>>,
    answers: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl Client {
    fn start(address: &str, token: &str) -> Client {
        let stop = Arc::new(AtomicBool::new(false));
        let address = Arc::new(Mutex::new(address.to_owned()));
        let answers = Arc::new(AtomicUsize::new(0));
        let (stopped, current, counted) =
            (Arc::clone(&stop), Arc::clone(&address), Arc::clone(&answers));
        let token = token.to_owned();
        let thread = thread::spawn(move || {
            while !stopped.load(Ordering::SeqCst) {
                let address = current.lock().expect("no panic").clone();
                let poll = json!({ "wait": 0.2 });
                let Some((200, told)) = call(&address, &token, "next", &poll) else {
                    // The server may be down.
                    thread::sleep(Duration::from_millis(20));
                    continue;
                };
                if told["ended"] == true {
                    return;
                }
                for request in told["requests"].as_array().expect("a list") {
                    let answer = first_move(request["request"].as_str().expect("a text"));
                    let answer = json!({ "id": request["id"], "answer": answer });
                    call(&address, &token, "answer", &answer);
                    counted.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
        Client { stop, address, answers, thread: Some(thread) }
    }

    fn answers(&self) -> usize {
        self.answers.load(Ordering::SeqCst)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))), "the client fails");
    }
}

/// The first legal move of a request.
fn first_move(request: &str) -> String {
    let mut lines = request.lines().skip_while(|line| !line.starts_with("legal "));
    lines.nth(1).expect("a legal move").to_owned()
}

/// The address for the client of the one remote bot that a referee invites, and the file with its token.
fn invitation(bench: &Bench) -> (String, String) {
    let mut invited = None;
    wait_until("an invitation", || {
        let text = bench.text("errors");
        let mut words = text.split_whitespace().skip_while(|word| !word.starts_with("http://"));
        let address = words.next().map(str::to_owned);
        invited = address.zip(words.nth(1).map(str::to_owned));
        invited.is_some() && text.ends_with('\n')
    });
    invited.expect("an address and a file")
}

/// A client for that bot, with its token.
fn client(bench: &Bench) -> (Client, String) {
    let (address, file) = invitation(bench);
    let token = secret(&file);
    (Client::start(&address, &token), token)
}

/// The token in a file.
fn secret(file: &str) -> String {
    fs::read_to_string(file).expect("the file of the token").trim().to_owned()
}

/// Asserts that a log has a remote bot that made no fault, and no token.
fn assert_clean(log: &str, token: &str) {
    assert!(log.contains(r#""command":"remote:","files":[],"mode":"remote""#), "{log}");
    assert!(!log.contains(token), "the token stays out of the log");
    for verdict in ["crash", "timeout", "malformed", "illegal"] {
        assert!(!log.contains(&format!(r#""verdict":"{verdict}""#)), "{verdict}");
    }
}

/// Makes a call of the wire, and gives the status and the body; none if the server is not there.
fn call(address: &str, token: &str, path: &str, body: &Value) -> Option<(i32, Value)> {
    let request = minreq::post(format!("{address}remote/v1/{path}"))
        .with_header("authorization", format!("Bearer {token}"))
        .with_header("content-type", "application/json")
        .with_body(body.to_string())
        .with_timeout(60);
    let response = request.send().ok()?;
    Some((response.status_code, serde_json::from_str(response.as_str().ok()?).ok()?))
}

const MATCH: &str = "match --game tablic --games 4 --time-limit 60s --log log remote:anna greedy";

#[test]
fn a_match_that_is_killed_leaves_no_tokens_behind() {
    let bench = Bench::new();
    let mut playing = bench.start(MATCH);
    let (_, file) = invitation(&bench);
    assert!(fs::exists(&file).expect("it can be looked at"));
    playing.signal(Signal::KILL);
    playing.wait();
    wait_for_no_scratch(&bench);
}

#[test]
fn a_match_with_a_remote_bot_is_played_and_verified() {
    let bench = Bench::new();
    let mut playing = bench.start(MATCH);
    let (client, token) = client(&bench);
    assert!(playing.wait().success(), "{}", bench.text("errors"));
    assert!(client.answers() >= 4 * 12, "{}", client.answers());
    drop(client);
    bench.verify(&bench.path("log"));
    assert_clean(&bench.text("log"), &token);
    assert!(!bench.text("log").contains(r#""verdict":"void""#));
}

#[test]
fn a_tournament_goes_on_with_a_remote_bot_that_was_told_no_end() {
    let bench = Bench::new();
    let words = "--game coup --deals 40 --dir cup --time-limit 60s --workers 1 remote:anna greedy";
    let mut playing = bench.start(&format!("tournament {words}"));
    let (client, token) = client(&bench);
    wait_until("some answers", || client.answers() >= 10);
    playing.signal(Signal::INT);
    assert_eq!(playing.wait().code(), Some(130), "{}", bench.text("errors"));

    let mut playing = bench.start("tournament resume cup");
    let (address, file) = invitation(&bench);
    assert_eq!(secret(&file), token, "it follows from the seed");
    *client.address.lock().expect("no panic") = address;
    assert!(playing.wait().success(), "{}", bench.text("errors"));
    drop(client);
    bench.verify(&bench.path("cup"));
    let log = bench.text("cup/games.jsonl");
    assert_clean(&log, &token);
    assert_eq!(log.lines().count(), 82);
    assert!(!bench.text("cup/plan.toml").contains(&token));

    let standings = |more: &str| bench.ok(&format!("tournament standings cup {more}"));
    let text = standings("");
    assert!(text.contains("anna †") && text.contains("†: ran on its author's machine"), "{text}");
    assert!(!standings("--without-remote").contains("anna †"), "{text}");
    assert!(standings("--json").contains(r#""name":"anna","remote":true"#), "{text}");
    let csv = standings("--format csv");
    let helped: Vec<&str> = csv.lines().filter_map(|line| line.rsplit(',').next()).collect();
    assert!(helped.starts_with(&["help"]) && helped.contains(&"remote"), "{csv}");
    let again = bench.line("rerun cup").with_code(0);
    assert!(again.stderr.contains("note: anna is remote: there is nothing to run"), "{again:?}");
    let refused = bench.line("tournament plan shards --game coup --shards 2 remote:anna greedy");
    assert!(refused.stderr.contains("a tournament without shards"), "{refused:?}");
}

#[test]
fn a_person_plays_against_a_remote_bot() {
    let bench = Bench::new();
    let mut playing = bench.arbiter(["play", "--game", "coup", "--log", "log", "remote:anna"]);
    playing.stdin(Stdio::piped()).stdout(Stdio::piped());
    playing.stderr(fs::File::create(bench.path("errors")).expect("a file"));
    let mut playing = playing.spawn().expect("it starts");
    let (client, token) = client(&bench);
    // In Coup every prompt lists moves by numbers.
    let mut keys = playing.stdin.take().expect("it is piped");
    let typing = thread::spawn(move || while keys.write_all(b"1\n").is_ok() {});
    let ended = playing.wait_with_output().expect("it ends");
    assert!(ended.status.success(), "{ended:?}");
    typing.join().expect("it ends with the game");
    assert!(client.answers() > 0);
    drop(client);
    bench.verify(&bench.path("log"));
    let log = bench.text("log");
    assert!(log.contains(r#""mode":"remote""#) && !log.contains(&token), "{log}");
}

/// A league with this table for remote bots, and the token of the participant `anna`.
fn with_anna(table: &str) -> (Bench, String) {
    let bench = league(&["random", "greedy"]);
    if !table.is_empty() {
        set_table(&bench, "remote", table);
    }
    let told = bench.ok("league invite class anna");
    let token = told.trim_end().strip_prefix("anna: ").expect("a token").to_owned();
    (bench, token)
}

#[test]
fn a_league_with_a_remote_bot_outlives_a_restart_of_its_server() {
    let (bench, token) = with_anna("");
    let before = bench.text("class/league.toml");
    let served = Served::start(&bench, &["class", "--submit"]);
    let ask = |served: &Served, token: &str, path: &str| {
        call(served.address(), token, path, &json!({})).expect("an answer")
    };
    assert_eq!(ask(&served, &token, "enter").0, 403, "not allowed yet");
    set_table(&bench, "remote", "allowed = true");
    assert_eq!(ask(&served, &token, "next").0, 403);
    assert_eq!(ask(&served, "wrong", "next").0, 401);
    for _ in 0..2 {
        assert_eq!(ask(&served, &token, "enter"), (200, json!({ "bot": "anna@1" })));
    }

    let client = Client::start(served.address(), &token);
    let mut playing = bench.start("league run class --games 40 --quiet");
    wait_until("some answers", || client.answers() >= 10);
    // It is killed.
    drop(served);
    let served = Served::start(&bench, &["class", "--submit"]);
    *client.address.lock().expect("no panic") = served.address().to_owned();
    assert!(playing.wait().success());
    drop(client);

    bench.ok("verify class");
    let status = tests::league::status(&bench);
    assert!(status["games"].as_u64().expect("a number") >= 40, "{status}");
    let rounds = fs::read_dir(bench.path("class/rounds")).expect("rounds").flatten();
    let logs = rounds.filter_map(|it| fs::read_to_string(it.path().join("games.jsonl")).ok());
    assert_clean(&logs.collect::<String>(), &token);

    // The program of a bot that can play no more is told so.
    bench.write("class/league.toml", before);
    let why = json!({ "error": "this league takes no remote bots: ask the organiser" });
    assert_eq!(ask(&served, &token, "next"), (403, why));
    set_table(&bench, "remote", "allowed = 7");
    assert_eq!(ask(&served, &token, "next").0, 200, "a mistake in the settings is not the bot's");
}

#[test]
fn a_remote_bot_plays_test_games_and_against_people_while_it_is_connected() {
    let (bench, token) = with_anna("allowed = true\ntime = \"50s\"");
    let served = Served::start(&bench, &["class", "--submit"]);
    assert_eq!(call(served.address(), &token, "enter", &json!({})).expect("an answer").0, 200);

    let line = "league test-game class --bot anna --against greedy";
    let refused = bench.line(line);
    let why = "remote bot `anna@1` is not connected: start its client";
    assert!(refused.code != Some(0) && refused.stderr.contains(why), "{refused:?}");
    assert!(!served.text("play/").contains("anna@1"), "nobody can play against it");

    let client = Client::start(served.address(), &token);
    wait_until("it is connected", || served.text("play/").contains("<option value=\"anna@1\""));
    let told = bench.ok(line);
    assert!(told.contains("anna@1, greedy@1\n") && told.contains("\nresult: "), "{told}");
    assert!(client.answers() > 0, "{told}");

    let at = served.sit_down("game=coup&name=Boris&seat=1&bot=anna%401");
    let seen = served.play_first_moves(&at, &|_| ());
    drop(client);
    let text = Served::verified_log(&bench, "class", &seen);
    assert!(text.contains(r#""mode":"remote""#) && text.contains(r#""time_ms":50000"#), "{text}");
    assert!(!text.contains(&token), "{text}");
}
