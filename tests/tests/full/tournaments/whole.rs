//! Seats, tests and gauntlets of whole tournaments.

use serde_json::Value;
use tests::bench::Bench;
use tests::log;
use tests::tournament::{cup, games, play_cup, standings, verify};

const TABLIC: &str = "tournament --game tablic --quiet --seed 7";

/// With the same seed for all bots and the same cards, whoever plays against itself has the same
/// game with the seats exchanged.
#[test]
fn a_bot_against_itself_has_no_margin_on_any_deal() {
    let bench = Bench::new();
    bench.ok(&format!("{TABLIC} --dir mirror --deals 5 a=random b=random"));
    let games = games(&bench, "mirror");
    assert_eq!(games.len(), 10);
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["events"], pair[1]["events"]);
        assert_eq!(pair[0]["deal"], pair[1]["deal"]);
        assert_ne!(pair[0]["seats"], pair[1]["seats"]);
    }
    for row in standings(&bench, "mirror")["all"]["rows"].as_array().expect("rows") {
        assert_eq!(row["margin"]["value"], 0.0, "{row}");
        assert_eq!(row["score"]["value"], 0.5, "{row}");
    }
}

#[test]
fn a_test_of_two_bots_ends_the_tournament() {
    let bench = Bench::new();
    play_cup(&bench, "sprt", 2000, "--sprt elo0=0,elo1=50 greedy random");
    verify(&bench, "sprt");
    let games = games(&bench, "sprt").len();
    assert!(games < 400 && games.is_multiple_of(2), "{games}");
    let standings = standings(&bench, "sprt");
    assert_eq!(standings["all"]["sprt"]["decision"], "accept-h1", "{standings}");
    let status = bench.ok("tournament status sprt");
    let skipped = format!("\n{} games were skipped: sequential test decided\n", 4000 - games);
    assert!(status.contains(&skipped), "{status}");
    let three = cup("three", 9, "--sprt elo0=0,elo1=50 random greedy a=greedy");
    bench.refuses(&three, "--sprt needs 2 bots and 2 seats, not 3 bots and 2 seats");
}

/// The games that are left when no bots can meet any more are not counted one by one: there may be
/// more of them than that.
#[test]
fn a_gauntlet_without_its_first_bot_is_over_at_once() {
    let bench = Bench::new();
    let more = format!("--format gauntlet {} random greedy", bench.bad("bad", "crash"));
    play_cup(&bench, "cup", 1 << 28, &more);
    verify(&bench, "cup");
    assert_eq!(games(&bench, "cup").len(), 8);
    bench.refuses(&cup("more", 1 << 29, &more), "more than 1073741824 games");
}

/// Three bots of which two are the same: rotations alone had one of these always after the strong
/// one, and the other always before it.
#[test]
fn neighbours_at_the_table_are_drawn() {
    let bench = Bench::new();
    // A game is short where these two are out at once.
    let [a, b] = ["a", "b"].map(|name| bench.bad(name, "exit-1"));
    let more = format!("--seats 3 --disqualify-after never greedy {a} {b}");
    bench.ok(&format!("{TABLIC} --dir cup --deals 20 {more}"));
    let games = games(&bench, "cup");
    let follows = |game: &&Value| {
        let seat = |name: &str| log::seat_of(game, name);
        (seat("greedy") + 1) % 3 == seat("a")
    };
    let followed = games.iter().filter(follows).count();
    assert_eq!(games.len(), 60);
    assert!((12..48).contains(&followed), "{followed} of 60");
    assert_eq!(followed % 3, 0, "every rotation of a table keeps its neighbours");
}
