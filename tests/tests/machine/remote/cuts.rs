//! A match with remote bots whose connections are cut at any place of a call, and whose clients are killed: each game
//! counts once, and no fault is charged that the rules of `docs/reference/remote.md` do not charge.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tests::bench::{Bench, CEILING, PAUSE};
use tests::installed::is_there;
use tests::log;

/// Games of the match, the least number of cuts in them, and kills of a client.
const GAMES: usize = 60;
const CUTS: usize = 200;
const KILLS: usize = 5;

/// The longest time between two cuts, in seconds.
const BETWEEN_CUTS: &str = "0.4";

/// The time in which a client plays between two kills: enough to connect and to answer.
const LIFE: Duration = Duration::from_secs(3);

/// A program that is killed in the end.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A match with a remote bot, and the way to it.
struct Match {
    playing: Killed,
    port: String,
    token: PathBuf,
}

impl Match {
    fn start(bench: &Bench) -> Match {
        let said = bench.path("said");
        let games = GAMES.to_string();
        let words = [
            "match",
            "--game",
            "tablic",
            "--log",
            "log",
            "--games",
            &games,
            "remote:anna",
            "greedy",
        ];
        let file = fs::File::create(&said).expect("a file");
        let mut command = bench.arbiter(words);
        command.stdout(Stdio::null()).stderr(file);
        let playing = Killed(command.spawn().expect("the match starts"));
        let invitation = || {
            let text = fs::read_to_string(&said).ok()?;
            let mut words = text.split_whitespace().skip_while(|word| !word.starts_with("http://"));
            let url = words.next()?.trim_end_matches('/');
            let (_, port) = url.rsplit_once(':')?;
            Some((port.to_owned(), PathBuf::from(words.nth(1)?)))
        };
        let until = Instant::now() + CEILING;
        loop {
            if let Some((port, token)) = invitation() {
                return Match { playing, port, token };
            }
            assert!(Instant::now() < until, "no invitation: {:?}", fs::read_to_string(&said));
            std::thread::sleep(PAUSE);
        }
    }

    fn is_over(&mut self) -> bool {
        self.playing.0.try_wait().expect("it is ours").is_some()
    }
}

fn client(bench: &Bench, port: &str, token: &Path) -> Killed {
    let package = root().join("python/arbiter_bot");
    let mut command = bench.command("python3");
    command.args(["-B", "-m", "arbiter_bot.connect"]).arg(format!("https://localhost:{port}/"));
    command.arg("--token-file").arg(token).arg("--").arg(root().join("examples/bots/python"));
    command.env("PYTHONPATH", package).env("SSL_CERT_FILE", bench.path("cert.pem"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Killed(command.spawn().expect("the client starts"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A certificate for this machine.
fn certificate(bench: &Bench) {
    let mut command = bench.command("openssl");
    command.args([
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
    ]);
    command.args([
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
    ]);
    let made = command.output().expect("openssl runs");
    assert!(made.status.success(), "{made:?}");
}

fn proxy(bench: &Bench, port: &str) -> Child {
    let mut command: Command = bench.command("python3");
    command.arg(root().join("tests/remote/cutting_proxy.py")).arg(port);
    command.args(["cert.pem", "key.pem", BETWEEN_CUTS, "7"]).stdout(Stdio::piped());
    command.stderr(Stdio::null());
    command.spawn().expect("the proxy starts")
}

#[test]
fn cuts_and_kills_of_clients_charge_no_bot() {
    let bench = Bench::new();
    if !is_there("python3") || !is_there("openssl") {
        return;
    }
    certificate(&bench);
    let mut playing = Match::start(&bench);
    let mut proxy = proxy(&bench, &playing.port);
    let mut told = BufReader::new(proxy.stdout.take().expect("it is piped"));
    let proxy = Killed(proxy);
    let mut port = String::new();
    told.read_line(&mut port).expect("a port");
    let token = playing.token.clone();
    let started = || client(&bench, port.trim(), &token);
    let (mut own, mut since, mut kills) = (started(), Instant::now(), 0);
    let until = Instant::now() + CEILING * 3;
    while !playing.is_over() {
        assert!(Instant::now() < until, "the match hangs");
        if kills < KILLS && since.elapsed() > LIFE {
            drop(own);
            (own, since, kills) = (started(), Instant::now(), kills + 1);
        }
        std::thread::sleep(PAUSE);
    }
    drop(own);
    drop(proxy);
    let mut cuts = String::new();
    told.read_to_string(&mut cuts).expect("lines");
    assert_eq!(kills, KILLS);
    assert!(cuts.lines().count() >= CUTS, "{} cuts", cuts.lines().count());
    bench.verify(&bench.path("log"));
    let games = log::games(&bench.path("log"));
    assert_eq!(games.len(), GAMES, "every game counts, and once");
    for game in games {
        assert_eq!(game["result"]["out"], serde_json::json!([null, null]), "{game}");
    }
}
