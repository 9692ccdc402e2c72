//! Time and memory to read a league of a million games and to continue it. They are printed; the results
//! are asserted.
//!
//! `cargo test --release -p arbiter --test machine league_speed -- --ignored --nocapture`

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use league::index::LeagueIndex;
use league::rounds::RoundSize;
use rules::GameKind;
use rules::coup::Coup;

use crate::made::MadeLeague;
use crate::played;

/// A round has 1,000 games.
const SIZE: RoundSize =
    RoundSize { deals: NonZeroU32::new(50).expect("not 0"), tables: NonZeroUsize::new(10) };

/// The numbers of rounds; the last one makes a million games.
const ROUNDS: [usize; 3] = [10, 90, 900];

/// The number of bots that enter; some are replaced along the way.
const BOTS: usize = 12;

#[test]
#[ignore = "minutes; it is for reading what it prints"]
fn a_league_of_up_to_a_million_games() {
    let _turn = crate::turn();
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut league = MadeLeague::new(&folder.path().join("class"), &GameKind::of::<Coup>());
    let commands = ["random", "greedy"];
    for bot in 0..BOTS {
        league.enter(&format!("bot{bot}"), commands[bot % 2]);
    }
    for (part, rounds) in ROUNDS.into_iter().enumerate() {
        league.enter("bot0", commands[part % 2]);
        let begun = Instant::now();
        drop(league.run(rounds, SIZE));
        let made = begun.elapsed();
        let state = league.league();
        let before = played::most_memory();
        let begun = Instant::now();
        let index = LeagueIndex::open(&state, &league.folder).expect("an index");
        let opened = begun.elapsed();
        let standings = index.standings();
        let shown = begun.elapsed();
        drop(index);
        let size = fs::metadata(league.folder.index()).expect("it is there").len();
        fs::remove_file(league.folder.index()).expect("it is ours");
        let begun = Instant::now();
        let anew = LeagueIndex::open(&state, &league.folder).expect("an index");
        println!(
            "{} games in {} rounds: played in {made:.1?}, index opened {opened:.1?}, standings with it \
             {shown:.1?}, index of {} MB made anew {:.1?}, memory {before:?} to {:?} KiB",
            anew.games(),
            state.rounds().len(),
            size / 1_000_000,
            begun.elapsed(),
            played::most_memory(),
        );
        assert_eq!(anew.standings(), standings);
        drop(anew);
        let last = state.rounds().len() as u64 - 1;
        println!("served: {}", served(league.folder.path(), last));
    }
}

/// Starts a server, asks for some pages, and ends it. The result has the time from its start to its first
/// page, the times of the page of a bot and of the report of a round, and its peak memory.
fn served(folder: &Path, last_round: u64) -> String {
    let begun = Instant::now();
    let mut server = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["serve", "--listen", "127.0.0.1:0"])
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let out = server.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut line).expect("it says where it listens");
    let host = line.trim_end().trim_end_matches('/').rsplit('/').next().expect("a host").to_owned();
    let page = |path: &str, begun: Instant| {
        let mut stream = TcpStream::connect(&host).expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{path}: {answer}");
        begun.elapsed()
    };
    let first_page = page("/", begun);
    let bot = page("/bots/1.html", Instant::now());
    let round = page(&format!("/rounds/{last_round}/"), Instant::now());
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let memory: Option<u64> = most.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    server.kill().expect("it is ours");
    server.wait().expect("it is ours");
    format!(
        "first page {first_page:.1?}, a bot {bot:.1?}, a round {round:.1?}, memory {memory:?} KiB"
    )
}
