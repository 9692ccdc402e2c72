//! A match with remote bots whose connections are cut at any place of a call, and whose clients are killed: each game
//! counts once, and no fault is charged that the rules of `docs/reference/remote.md` do not charge.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use tests::bench::Bench;
use tests::installed::is_there;
use tests::log;
use tests::running::{Running, wait_until};

use super::proxied::{CuttingProxy, root};

/// Games of the match, the least number of cuts in them, and kills of a client.
const GAMES: usize = 60;
const CUTS: usize = 200;
const KILLS: usize = 5;

/// The most pieces that the proxy passes on between two cuts: the games have many more in all.
const BETWEEN_CUTS: u32 = 30;

/// Starts a match with a remote bot, and gives the port of its server and the file with the token.
fn started(bench: &Bench) -> (Running, String, PathBuf) {
    let said = bench.path("said");
    let games = GAMES.to_string();
    let words = ["match", "--game", "tablic", "--time-limit", "60s", "--log", "log"];
    let bots = ["--games", &games, "remote:anna", "greedy"];
    let mut command = bench.arbiter([&words[..], &bots].concat());
    command.stdout(Stdio::null()).stderr(fs::File::create(&said).expect("a file"));
    let playing = Running::start(&mut command);
    let mut invited = None;
    wait_until("an invitation", || {
        let text = fs::read_to_string(&said).expect("it is there");
        let mut words = text.split_whitespace().skip_while(|word| !word.starts_with("http://"));
        let port = words.next().and_then(|url| url.trim_end_matches('/').rsplit_once(':'));
        let port = port.map(|(_, port)| port.to_owned());
        invited = port.zip(words.nth(1).map(PathBuf::from));
        invited.is_some() && text.ends_with('\n')
    });
    let (port, token) = invited.expect("a port and a file");
    (playing, port, token)
}

#[test]
fn cuts_and_kills_of_clients_charge_no_bot() {
    let bench = Bench::new();
    if !is_there("python3") || !is_there("openssl") {
        return;
    }
    let (mut playing, port, file) = started(&bench);
    let token = bench.path("token");
    fs::copy(file, &token).expect("a copy");
    let proxy = CuttingProxy::start(&bench, &port, BETWEEN_CUTS, 7);
    let start = || proxy.client(&bench, &token, &[], [root().join("examples/bots/python")]);
    let mut own = start();
    for kill in 1..=KILLS {
        let games = kill * GAMES / (KILLS + 2);
        let log = bench.path("log");
        wait_until("games are over", || log.exists() && log::whole_games(&log) >= games);
        drop(own);
        own = start();
    }
    assert!(playing.wait().success(), "{:?}", fs::read_to_string(bench.path("said")));
    drop(own);
    let cuts = proxy.end();
    assert!(cuts >= CUTS, "{cuts} cuts");
    bench.verify(&bench.path("log"));
    let games = log::games(&bench.path("log"));
    assert_eq!(games.len(), GAMES, "every game counts, and once");
    for game in games {
        assert_eq!(game["result"]["out"], serde_json::json!([null, null]), "{game}");
    }
}
