//! Many who hand in at once, and some who take their time.

use std::fs;
use std::io::Read;
use std::net::TcpStream;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use serde_json::Value;
use tests::archives::{stored, zip};
use tests::handing_in::{
    Server, ahead, bot, invite_many, json, numbered_token as token, refusal, set,
};
use tests::league::league;

const RUSH: usize = 60;

/// A server of a league with many participants.
fn server() -> Server {
    let server = Server::start(league(&["random"]));
    invite_many(&server.bench, RUSH);
    server
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
    let server = server();
    // While another program enters bots, everything waits.
    let _entering = server.bench.lock("class/entering");
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

/// Eight slow senders used to keep all others out for two minutes. A participant takes one place of those who send files,
/// however many are begun.
#[test]
fn slow_senders_are_cut_off_and_block_no_other() {
    let server = server();
    let slow: Vec<TcpStream> =
        (1..RUSH).map(|it| server.begins_to_send(&token(it), b"abc")).collect();
    tests::running::wait_until("all files are on their way", || {
        let folder = server.bench.path("class/arriving");
        fs::read_dir(folder).is_ok_and(|entries| entries.count() == RUSH - 1)
    });
    let why = refusal(&server.send(&token(1), "bot.zip", &bot("second")), 409);
    assert_eq!(why, "you already have an upload in progress");
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

/// A file that was refused used to cost a turn, and a client that still sends reads why its file is refused.
#[test]
fn only_files_that_were_taken_count_for_how_often_one_is_sent() {
    let server = server();
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

    set(&server.bench, &format!("opens = {}", ahead(3_600)));
    let large = large();
    for _ in 0..5 {
        let why = refusal(&server.send(&token(1), "bot.zip", &large), 403);
        assert!(why.starts_with("submissions open at "), "{why}");
    }
}

#[test]
fn an_upload_that_breaks_off_leaves_nothing() {
    let server = server();
    for sent in [0, 10, 5 << 20] {
        let mut stream = server.begins_to_send(&token(0), &vec![0; sent]);
        stream.shutdown(std::net::Shutdown::Write).expect("ours");
        let _ = stream.read_to_end(&mut Vec::new());
    }
    tests::running::wait_until("nothing is left", || {
        let folder = server.bench.path("class/arriving");
        fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
    });
    let mut taken = None;
    tests::running::wait_until("another file is taken", || {
        let answer = server.send(&token(0), "bot.zip", &bot("whole"));
        let is_taken = answer.status_code != 409;
        taken = is_taken.then(|| json(&answer)["number"].as_u64().expect("a number"));
        is_taken
    });
    let told = server.decided(&token(0), taken.expect("a submission"));
    assert_eq!(told["bot"], "p0@1", "{told}");
}
