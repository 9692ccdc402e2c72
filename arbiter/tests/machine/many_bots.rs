//! The time that each page of a league takes with 1,000 bots and 5,000 submissions while bots leave it. The times are
//! printed, and each is held against ten times what pages may take on a quiet machine.
//!
//! `cargo test --release --workspace --test machine many_bots -- --nocapture`

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use league::folder::LeagueFolder;
use league::line::{LeagueLine, PairingReason, RoundLine, TableLine};
use league::rejections::{self, Rejection};
use league::rounds::RoundSize;
use league::stage::{ForfeitRule, StageFormat, StageLine, TIE_BREAKS};
use rules::coup::Coup;
use rules::{Digest, GameKind};
use standings::pairing::knockout::ThirdPlace;

use crate::made::MadeLeague;
use crate::played;

const BOTS: usize = 1_000;
/// Submissions of each participant, of which the last one has entered.
const EACH: usize = 5;
/// Bots of the stage.
const FINALISTS: usize = 4;
/// Each bot plays in each round. With five deals, the standings of so many bots take minutes, and pages show the last ones
/// meanwhile.
const ROUNDS: usize = 2;
/// The longest time for a page: ten times what it may take on a quiet machine, and more without optimisation.
const MOST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
/// Number of times that each page is asked for, each time after a bot has left.
const TIMES: usize = 3;
/// The time after which a server looks for changes again.
const PAUSE: Duration = Duration::from_millis(700);

#[test]
fn every_page_with_a_thousand_bots() {
    let _turn = crate::turn();
    let folder = tempfile::TempDir::new().expect("a folder");
    let begun = Instant::now();
    let class = make_league(&folder.path().join("class"));
    println!("made in {:.1?}", begun.elapsed());
    let server = Server::start(folder.path());
    server.open("class/");
    let organiser = league::keys::new_organiser(&class, None).expect("a token").to_string();
    let participant = token(7);
    let (mut slow, mut left) = (Vec::new(), 0);
    for (path, token) in [
        ("", None),
        ("class/", None),
        ("class/statistics.html", None),
        ("class/crosstable.html", None),
        ("class/versions.html", None),
        ("class/stages.html", None),
        ("class/ceremony.html", None),
        ("class/bots/1.html", None),
        ("class/bots/1000.html", None),
        ("class/rounds/", None),
        ("class/live/", None),
        ("class/log.html", None),
        ("class/feed.atom", None),
        ("class/data/standings.json", None),
        ("class/api/v1/", None),
        ("class/api/v1/standings", None),
        ("class/api/v1/bots", None),
        ("class/api/v1/bots/p7", None),
        ("class/api/v1/rounds/1", None),
        ("class/api/v1/stages", None),
        ("class/hand-in/", None),
        ("class/hand-in/", Some(&participant)),
        ("class/hand-in/submissions/1", Some(&participant)),
        ("class/hand-in/games", Some(&participant)),
        ("class/hand-in/games/1/6", Some(&participant)),
        ("class/hand-in/faults", Some(&participant)),
        ("class/hand-in/test-games/", Some(&participant)),
        ("class/organiser/", Some(&organiser)),
        ("class/organiser/?find=p99", Some(&organiser)),
        ("class/organiser/retire?name=p7", Some(&organiser)),
        ("class/organiser/void?rounds=1", Some(&organiser)),
        ("class/organiser/audit", Some(&organiser)),
        ("class/organiser/ceremony", Some(&organiser)),
    ] {
        // The first time, an index or a log is read, and standings are computed.
        let begun = Instant::now();
        let bytes = server.page(path, token.map(String::as_str));
        let first = begun.elapsed();
        let mut times = Vec::new();
        for _ in 0..TIMES {
            // The last ones leave one by one: all that is shown of the league follows from its bots.
            left += 1;
            class.retire(&[format!("p{}", BOTS - 1 - left)], None).expect("it plays");
            thread::sleep(PAUSE);
            let begun = Instant::now();
            server.page(path, token.map(String::as_str));
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        println!(
            "{:>9.1?} median, {:>9.1?} at most, {first:>9.1?} the first time, {:>5} kB: {path}{}",
            times[TIMES / 2],
            times[TIMES - 1],
            bytes / 1_000,
            if token.is_some() { " (signed in)" } else { "" },
        );
        if times[TIMES / 2] > MOST {
            slow.push(path);
        }
    }
    // The report of a round has standings of its own.
    for path in [
        "class/rounds/1/",
        "class/rounds/1/bots/1.html",
        "class/rounds/1/game.html",
        "class/rounds/1/data/index.js",
        "class/rounds/1/data/list-0.js",
    ] {
        server.open(path);
        let times = [(); 4].map(|()| {
            let begun = Instant::now();
            server.page(path, None);
            begun.elapsed()
        });
        let [first, again @ ..] = times;
        let most = again.into_iter().max().unwrap_or_default();
        println!("{most:>9.1?} at most, {first:>9.1?} the first time: {path}");
        if most > MOST {
            slow.push(path);
        }
    }
    println!("memory of this process: {:?} KiB", played::most_memory());
    assert!(slow.is_empty(), "{slow:?}");
}

/// The first page of a league, with its styles.
#[test]
fn the_first_page_is_light() {
    let _turn = crate::turn();
    for bots in [30, 100] {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("class");
        let mut class = MadeLeague::new(&path, &GameKind::of::<Coup>());
        let names: Vec<String> = (0..bots).map(|bot| format!("participant-{bot}")).collect();
        class.enter_all(names.iter().map(|name| (name.as_str(), "random")));
        let tables = NonZeroUsize::new(bots / 2);
        drop(class.run(2, RoundSize { deals: NonZeroU32::MIN, tables }));
        let server = Server::start(folder.path());
        let bytes = ["class/", "class/assets/style.css"].map(|path| server.page(path, None));
        println!("{bots} bots: {bytes:?} bytes of HTML and CSS");
        assert!(bytes.iter().sum::<usize>() <= 40_000, "{bots} bots: {bytes:?}");
    }
}

/// A league of bots that play, with what was submitted for them.
fn make_league(path: &Path) -> LeagueFolder {
    let mut class = MadeLeague::new(path, &GameKind::of::<Coup>());
    let names: Vec<String> = (0..BOTS).map(|bot| format!("p{bot}")).collect();
    class.enter_all(names.iter().map(|name| (name.as_str(), "random")));
    (0..ROUNDS).for_each(|round| play_round(&mut class, round));
    play_stage(&mut class);
    // Bots of strangers are taken in with isolation alone.
    fs::write(path.join("league.toml"), "game = 'coup'\n").expect("room");
    let participants = names.iter().enumerate().map(|(bot, name)| {
        let digest = Digest::hash(token(bot).as_bytes());
        format!("\"{name}\":{{\"token\":\"{digest}\",\"person\":\"Person {bot} Example\"}}")
    });
    let participants = participants.collect::<Vec<_>>().join(",");
    fs::write(path.join("participants.json"), format!("{{{participants}}}")).expect("room");
    for (bot, name) in names.iter().enumerate() {
        for number in 1..=EACH {
            let folder = path.join(format!("submissions/{name}/{number}"));
            fs::create_dir_all(&folder).expect("room");
            let verdict = match number == EACH {
                true => format!("{{\"entered\":\"{name}@1\"}}"),
                false => "{\"refused\":{\"step\":\"builds\",\"why\":\"exit 1\"}}".to_owned(),
            };
            let received = 1_700_000_000 + bot * EACH + number;
            let record =
                format!("{{\"file\":\"bot.zip\",\"received\":{received},\"verdict\":{verdict}}}");
            fs::write(folder.join("submission.json"), record).expect("room");
            if number < EACH && bot % 4 == 0 {
                let refused = Rejection::new(name.clone(), None, "build failed");
                rejections::keep(&class.folder, &refused, b"exit 1\n").expect("room");
            }
        }
    }
    class.folder
}

/// Plays a round in which each bot meets a neighbour, another one in each round: to choose tables for so many bots takes
/// minutes.
fn play_round(class: &mut MadeLeague, round: usize) {
    let league = class.league();
    let table = |table: usize| {
        let pair = [2 * table + round, 2 * table + round + 1].map(|bot| bot % BOTS);
        TableLine { bots: pair.to_vec(), why: PairingReason::LeastMet { pair, deals: 0 } }
    };
    let line = RoundLine {
        round: round as u64,
        bots: league.members().iter().map(|member| member.entry.bot.clone()).collect(),
        tables: (0..BOTS / 2).map(table).collect(),
        deals: 1,
        first_deal: league.next_deal(),
        commitment: class.seed(round as u64).commitment(),
        stage: None,
    };
    let line = class.lay_out(line);
    class.play(&line);
}

/// Plays a knockout of the first bots.
fn play_stage(class: &mut MadeLeague) {
    let league = class.league();
    let line = StageLine {
        stage: 0,
        name: "final".to_owned(),
        format: StageFormat::Knockout { third: ThirdPlace::Played },
        bots: league.members().iter().take(FINALISTS).map(|it| it.entry.bot.clone()).collect(),
        deals: 1,
        tie_breaks: TIE_BREAKS.to_vec(),
        deciders: 0,
        forfeits: ForfeitRule::Listed,
    };
    class.append(LeagueLine::Stage(Box::new(line))).expect("it fits");
    class.play_stage();
}

/// The token of a participant.
fn token(number: usize) -> String {
    format!("{number:064}")
}

/// A server, killed when it is dropped.
struct Server {
    process: Child,
    host: String,
}

impl Server {
    fn start(folder: &Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_arbiter"))
            .args(["serve", "--submit", "--listen", "127.0.0.1:0"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = process.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("it says where it listens");
        let host = line.trim_end().trim_end_matches('/').rsplit('/').next().expect("a host");
        Server { process, host: host.to_owned() }
    }

    /// Asks for a league until it is open. Every answer comes soon, the first one with the standings takes long.
    fn open(&self, path: &str) {
        let begun = Instant::now();
        loop {
            let asked = Instant::now();
            let text = self.answer(path, None);
            let (waited, whole) = (asked.elapsed(), begun.elapsed());
            assert!(waited < MOST + Duration::from_secs(3), "{path}: {waited:?}");
            match text.starts_with("HTTP/1.1 503 ") {
                true => assert!(text.contains("standings are being computed"), "{text}"),
                false => return println!("{whole:.1?} until it is open: {path}"),
            }
            thread::sleep(PAUSE);
        }
    }

    /// Asks for a page, and gives its length in bytes.
    fn page(&self, path: &str, token: Option<&str>) -> usize {
        let text = self.answer(path, token);
        assert!(text.starts_with("HTTP/1.1 200 OK"), "{path}: {text}");
        text.split_once("\r\n\r\n").map_or(0, |(_, body)| body.len())
    }

    fn answer(&self, path: &str, token: Option<&str>) -> String {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let cookie = token.map(|token| format!("cookie: token={token}\r\n")).unwrap_or_default();
        let request = format!(
            "GET /{path} HTTP/1.1\r\nhost: {}\r\naccept: text/html\r\n{cookie}connection: close\r\n\r\n",
            self.host
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
