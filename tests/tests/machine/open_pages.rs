//! Measures the cost of a hundred open pages for a league that is being played. It prints, and is
//! for reading.
//!
//! `cargo test --release -p tests --test machine open_pages -- --ignored --nocapture`

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::running::Running;
use tests::served::Served;

const PAGES: usize = 100;
/// Time of each run.
const TIME: Duration = Duration::from_secs(20);
/// Number of pairs of runs, without pages and with them.
const PAIRS: usize = 4;

fn games(bench: &Bench) -> u64 {
    let line = bench.ok("league status class --json");
    let line: Value = serde_json::from_str(&line).expect("JSON");
    let (over, open) = (&line["status"]["games"], &line["status"]["open"]["games"]);
    over.as_u64().unwrap_or_default() + open.as_u64().unwrap_or_default()
}

/// Plays for a while, and gives how many games were played.
fn play(bench: &Bench) -> u64 {
    let before = games(bench);
    let mut run = Running::start(&mut bench.arbiter(["league", "run", "class", "--quiet"]));
    thread::sleep(TIME);
    run.signal(Signal::INT);
    run.wait();
    games(bench) - before
}

/// Behaves as a page does: it listens for changes, and asks for itself again after each.
fn page(host: &str, is_over: &AtomicBool, asked: &AtomicU64) {
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(1))).expect("a timeout");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        stream
    };
    let mut events = BufReader::new(ask("/events"));
    let mut line = String::new();
    while !is_over.load(Ordering::Relaxed) {
        line.clear();
        // Without a change nothing comes, and the time is over.
        if events.read_line(&mut line).is_ok_and(|_| line.starts_with("event: changed")) {
            std::io::copy(&mut ask("/"), &mut std::io::sink()).expect("a page");
            asked.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
#[ignore = "minutes; it is for reading what it prints"]
fn a_hundred_open_pages() {
    let bench = Bench::new();
    bench.ok("league new class --game tablic");
    bench.ok("league add class random greedy ann=greedy ben=random");
    play(&bench);
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let alone = play(&bench);
        let served = Served::start(&bench, &["class"]);
        let host = served.address().trim_start_matches("http://").trim_end_matches('/');
        let (is_over, asked) = (AtomicBool::new(false), AtomicU64::new(0));
        let watched = thread::scope(|scope| {
            for _ in 0..PAGES {
                scope.spawn(|| page(host, &is_over, &asked));
            }
            let games = play(&bench);
            is_over.store(true, Ordering::Relaxed);
            games
        });
        let ratio = watched as f64 / alone as f64;
        println!(
            "{alone} games alone, {watched} beside {PAGES} pages, which were asked for {} times: {ratio:.3}",
            asked.load(Ordering::Relaxed)
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!("ratios from {:.3} to {:.3}", ratios[0], ratios[ratios.len() - 1]);
}
