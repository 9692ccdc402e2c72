//! A whole contest: invitations from a list, a rush before the deadline, a frozen board, groups, a final, certificates,
//! a backup, and kills on the way.

use std::fs;
use std::process::Stdio;
use std::thread;

use jiff::Timestamp;
use minreq::Method;
use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::handing_in::{Server, ahead, bot, json as read, last_time, set};
use tests::league::{league, states, status};
use tests::running::{Running, wait_until};

/// The size of a contest.
#[derive(Debug, Clone, Copy)]
struct Size {
    participants: usize,
    groups: usize,
    /// Number of kills of a run and of a server.
    kills: (usize, usize),
}

#[test]
fn a_small_contest_is_held_from_the_list_to_the_certificates() {
    held(Size { participants: 8, groups: 2, kills: (4, 2) });
}

#[test]
fn endurance_of_a_contest_of_40_participants() {
    held(Size { participants: 40, groups: 8, kills: (6, 4) });
}

fn held(size: Size) {
    let Size { participants, groups, kills: (of_run, of_server) } = size;
    let bench = league(&["random", "greedy"]);
    let list: String = (0..participants).map(|it| format!("p{it},Person {it}\n")).collect();
    bench.write("class.csv", format!("name,person\n{list}"));
    let told = bench.ok("league invite class --csv class.csv");
    let tokens: Vec<String> =
        told.lines().skip(1).map(|it| it.rsplit(',').next().expect("a token").to_owned()).collect();
    assert_eq!(tokens.len(), participants);

    // A third of all submissions comes early, while the league is played.
    set(&bench, &format!("deadline = {}\nfreeze = {}", ahead(36_000), ahead(36_000)));
    let server = Server::start(bench);
    sent(&server, &tokens, "early");
    let server = decided(server, &tokens, 1, of_server.div_ceil(2));
    let rounds = of_run / 2;
    for round in 0..rounds {
        killed_run(&server.bench, round, &["--games", "100000"]);
    }

    // The board is frozen as it is now.
    let at = last_time(&server.bench);
    let freeze = Timestamp::from_second(at).expect("a time");
    wait_until("the next second", || Timestamp::now().as_second() > at);
    let frozen = format!("freeze = {freeze}\nunfreeze = {}", ahead(36_000));
    set(&server.bench, &format!("{frozen}\ndeadline = {}", ahead(36_000)));

    // Two thirds come in the last minute: all at once, and again as soon as each is decided.
    sent(&server, &tokens, "late");
    let server = decided(server, &tokens, 2, of_server / 2);
    sent(&server, &tokens, "last");
    // The deadline passes while they wait.
    set(&server.bench, &format!("{frozen}\ndeadline = {}", ahead(-1)));
    let server = decided(server, &tokens, 3, 0);
    let late = read(&server.send(&tokens[0], "bot.zip", &bot("too late")));
    assert_eq!(late["verdict"], "late", "{late}");
    let active = states(&server.bench).iter().filter(|it| it.ends_with(" active")).count();
    assert_eq!(active, participants + 2);
    let newest = states(&server.bench).iter().filter(|it| it.ends_with("@3 active")).count();
    assert_eq!(newest, participants, "every submission has entered");

    killed_run(&server.bench, rounds, &["--games", "100000"]);
    let page = server.at(Method::Get, "").with_header("Accept", "text/html");
    let page = page.send().expect("an answer");
    let page = page.as_str().expect("text");
    assert!(page.contains("Standings frozen since"), "{page}");
    assert!(!page.contains("p0@3"), "{page}");

    let bench = server.ended();
    let (groups, top) = (groups.to_string(), participants.to_string());
    bench.succeed([
        "league",
        "stage",
        "class",
        // The killed run has left a round open.
        "--break-off",
        "--format",
        "groups",
        "--groups",
        &groups,
        "--first",
        "2",
        "--third-place",
        "--deals",
        "1",
        "--top",
        &top,
        "--name",
        "final",
    ]);
    for round in rounds + 1..of_run {
        killed_run(&bench, round, &["--stage"]);
    }
    bench.ok("league run class --stage");
    let stages = bench.ok("league stages class --json");
    let stage: Value = serde_json::from_str(&stages).expect("JSON");
    assert_eq!(stage["stage"]["state"], "over", "{stage}");

    let told = bench.ok("league certificates class -o all.html");
    assert_eq!(told, format!("all.html: {} certificates\n", participants + 2));
    let page = bench.text("all.html");
    for person in 0..participants {
        assert!(page.contains(&format!(">Person {person}<")), "Person {person}");
    }
    bench.ok("league backup class class.tar.gz");
    bench.ok("league restore class.tar.gz again");
    let [one, other] = ["class", "again"].map(|folder| {
        let verified = bench.succeed(["verify", folder]);
        let (_, verdict) = verified.split_once(": ok, ").expect("it verifies");
        verdict.to_owned()
    });
    assert_eq!(one, other);
    let events = bench.ok("league events class");
    let entered = events.lines().filter(|line| line.ends_with(" has entered")).count();
    assert!(entered >= 3 * participants + 2, "{events}");
}

/// Every participant sends a bot at the same time; each is taken in.
fn sent(server: &Server, tokens: &[String], comment: &str) {
    thread::scope(|scope| {
        for token in tokens {
            let send = move || {
                let content = bot(&format!("{comment} {token}"));
                let answer = server.send(token, "bot.zip", &content);
                assert_eq!(answer.status_code, 202, "{:?}", answer.as_str());
            };
            thread::Builder::new()
                .stack_size(256 << 10)
                .spawn_scoped(scope, send)
                .expect("a thread");
        }
    });
}

/// Waits until the submissions with this number have entered; the server is killed so many times meanwhile.
fn decided(mut server: Server, tokens: &[String], number: u64, kills: usize) -> Server {
    for kill in 0..kills {
        let done = tokens.len() * kill / (kills + 1);
        for token in &tokens[..done] {
            entered(&server, token, number);
        }
        server = Server::start(server.ended());
    }
    tokens.iter().for_each(|token| entered(&server, token, number));
    server
}

fn entered(server: &Server, token: &str, number: u64) {
    let told = server.decided(token, number);
    assert_eq!(told["verdict"], "entered", "{told}");
}

/// Plays until some games of a further round are played, and kills the run. The next one goes on.
fn killed_run(bench: &Bench, kill: usize, words: &[&str]) {
    let played = || {
        let status = status(bench);
        let open = status["open"]["games"].as_u64().unwrap_or_default();
        status["games"].as_u64().expect("a number") + open
    };
    let before = played();
    let mut run = bench.command(bench.program("arbiter"));
    run.args(["league", "run", "class"]).args(words);
    let mut run = Running::start(run.stdout(Stdio::null()).stderr(Stdio::null()));
    wait_until("games are played", || run.has_ended() || played() > before + kill as u64);
    run.signal(Signal::KILL);
    run.wait();
}
