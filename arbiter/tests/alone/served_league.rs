//! How a real server of a league answers: the time to its first page, and its memory.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Starts a server, asks for some pages, and ends it; says what was measured: the time from its start to its
/// first page, that of the page of a bot and of the report of a round, and the most memory that it had.
pub(super) fn measure(folder: &Path, last_round: u64) -> String {
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
