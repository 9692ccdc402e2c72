//! Many who hand in at once, and some who take their time.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tests::archives::{stored, zip};
use tests::handing_in::{Server, ahead, bot, json, refusal, set};
use tests::league::league;

const RUSH: usize = 60;

/// A token, which nothing but this test makes.
fn token(number: usize) -> String {
    format!("{number:064}")
}

/// Participants with these tokens, as `arbiter league invite` writes them.
fn invite_many(server: &Server) {
    let digest = |number| {
        let bytes = Sha256::digest(token(number));
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let lines = (0..RUSH).map(|it| format!("\"p{it}\":{{\"token\":\"{}\"}}", digest(it)));
    let text = format!("{{{}}}", lines.collect::<Vec<_>>().join(","));
    fs::write(server.bench.path("class/participants.json"), text).expect("ours");
}

/// A bot of 2 MB.
fn large() -> Vec<u8> {
    zip(&[
        stored("bot.toml", b"name = 'x'\ncommand = 'sh bot.sh'\n"),
        stored("bot.sh", b"exit 1\n"),
        stored("weights", &vec![7; 2_000_000]),
    ])
}

/// Of 60 files of 2 MB in 3 seconds, 52 used to be cut off.
#[test]
fn sixty_files_at_once_are_all_taken_and_each_gets_its_place() {
    let server = Server::start(league(&["random"]));
    invite_many(&server);
    // While another program enters bots, everything waits.
    let entering = fs::File::create(server.bench.path("class/entering")).expect("ours");
    entering.lock().expect("a lock");
    let (large, begin) = (large(), Barrier::new(RUSH));
    let begun = Instant::now();
    let answers: Vec<(i32, Value)> = thread::scope(|scope| {
        let send = |number: usize| {
            let (server, large, begin) = (&server, &large, &begin);
            let sender = thread::Builder::new().stack_size(256 << 10);
            let sent = move || {
                begin.wait();
                let answer = server.send(&token(number), "bot.zip", large);
                (answer.status_code, json(&answer))
            };
            sender.spawn_scoped(scope, sent).expect("a thread")
        };
        let senders: Vec<_> = (0..RUSH).map(send).collect();
        senders.into_iter().map(|sender| sender.join().expect("no panic")).collect()
    });
    println!("{RUSH} files of {} bytes: {:?}, {} KiB", large.len(), begun.elapsed(), server.peak());
    for (status, told) in &answers {
        assert_eq!(*status, 202, "{told}");
        let (place, waiting) = (told["place"].as_u64(), told["waiting"].as_u64());
        assert!(Some(1) <= place && place <= waiting && waiting <= Some(60), "{told}");
    }
    let place = |number| {
        let told = json(&server.get("submissions/1", &token(number)));
        assert_eq!(told["waiting"], RUSH, "{told}");
        told["place"].as_u64().expect("a place")
    };
    let mut places: Vec<u64> = (0..RUSH).map(place).collect();
    places.sort_unstable();
    assert_eq!(places, (1..=RUSH as u64).collect::<Vec<_>>());
    let queue = json(&server.get("", &token(0)))["queue"].as_array().map(Vec::len);
    assert_eq!(queue, Some(RUSH));
    let left = fs::read_dir(server.bench.path("class/arriving")).expect("a folder").count();
    assert_eq!(left, 0);
    assert!(server.peak() < 100 << 10, "{} KiB", server.peak());
}

/// Eight slow senders used to keep all others out for two minutes.
#[test]
fn slow_senders_are_cut_off_and_block_no_other() {
    let server = Server::start(league(&["random"]));
    invite_many(&server);
    let address = server.host();
    let slow: Vec<TcpStream> = (1..RUSH)
        .map(|number| {
            let mut stream = TcpStream::connect(&address).expect("a connection");
            let head = format!(
                "POST /hand-in/?file=bot.zip HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
                 Content-Length: 8000000\r\n\r\nabc",
                token(number)
            );
            stream.write_all(head.as_bytes()).expect("it listens");
            stream
        })
        .collect();
    tests::running::wait_until("all files are on their way", || {
        let folder = server.bench.path("class/arriving");
        fs::read_dir(folder).is_ok_and(|entries| entries.count() == RUSH - 1)
    });
    let told = server.hand_in(&token(0), "bot.zip", &bot("quick"));
    assert_eq!(told["bot"], "p0@1", "{told}");
    for mut stream in slow {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("upload too slow (less than 64.0 KiB in 10 s)"), "{answer}");
    }
    // One that was cut off may send again at once.
    let told = server.hand_in(&token(1), "bot.zip", &bot("quick now"));
    assert_eq!(told["bot"], "p1@1", "{told}");
}

/// A client that still sends reads why its file is refused.
#[test]
fn a_refusal_is_read_by_those_who_still_send() {
    let server = Server::start(league(&["random"]));
    invite_many(&server);
    set(&server.bench, &format!("opens = {}", ahead(3_600)));
    let large = large();
    for _ in 0..5 {
        let why = refusal(&server.send(&token(0), "bot.zip", &large), 403);
        assert!(why.starts_with("submissions open at "), "{why}");
    }
}

/// A file that was refused used to cost a turn.
#[test]
fn only_files_that_were_taken_count_for_how_often_one_is_sent() {
    let server = Server::start(league(&["random"]));
    invite_many(&server);
    for _ in 0..25 {
        assert_eq!(server.send(&token(0), "bot.zip", b"").status_code, 400);
    }
    let mut taken = 0;
    let refused = loop {
        let answer = server.send(&token(0), "bot.zip", b"PK\x05\x06");
        if answer.status_code != 202 {
            break answer;
        }
        taken += 1;
        assert!(taken < 200, "each is taken");
        server.decided(&token(0), taken);
    };
    let why = refusal(&refused, 429);
    assert!(why.starts_with("too many requests: try again in "), "{why}");
    assert!(taken >= 20, "{taken}");
}
