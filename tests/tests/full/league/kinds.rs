//! Limits for bots that have not entered yet: by their kind, and by groups.

use serde_json::Value;
use tests::bench::Bench;
use tests::league::{folder, play};
use tests::log;

/// The time for an answer of each player in a round, in seconds, by name.
fn times(bench: &Bench, round: &str) -> Vec<(String, u64)> {
    let path = bench.path("class/rounds").join(round).join("games.jsonl");
    let header = log::lines(&path).swap_remove(0);
    let players = header["header"]["players"].as_array().expect("players").clone();
    let time = |player: &Value| {
        let ms = player["limits"]["time_ms"].as_u64().expect("a time");
        (player["name"].as_str().expect("a name").to_owned(), ms / 1000)
    };
    players.iter().map(time).collect()
}

#[test]
fn a_kind_has_its_limits_before_any_bot_has_entered() {
    let bench = Bench::new();
    let new = "league new class --game coup --round-deals 1 --time-limit 30s";
    bench.refuses(&format!("{new} --time-limit ann=40s"), "limit for unknown runtime `ann`");
    bench.ok(&format!("{new} --time-limit sh=40s"));
    let text = bench.text("class/league.toml");
    assert!(text.contains("[limits-of.sh]\ntime-limit = \"40s\"\n"), "{text}");
    folder(&bench, "mine", "ann", "in shell");
    // One that takes the name of the kind is not of it.
    bench.ok("league add class ./mine sh=random");
    play(&bench, "2");
    let named = |name: &str, time| (name.to_owned(), time);
    assert_eq!(times(&bench, "0"), [named("ann@1", 40), named("sh@1", 30)]);
    let more = "\n[groups]\nslow = [\"sh\"]\n[limits-of.slow]\ntime-limit = \"50s\"\n";
    bench.write("class/league.toml", text + more);
    play(&bench, "2");
    assert_eq!(times(&bench, "1"), [named("ann@1", 50), named("sh@1", 30)]);
    bench.ok("verify class");
}
