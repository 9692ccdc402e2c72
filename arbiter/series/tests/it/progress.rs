//! Tournaments after games that were void too often.

use rules::GameRecord;
use serde_json::{Value, json};
use series::Series;
use series::game_status::GameStatus;
use series::progress::{NextGame, Progress};

/// A tournament of some bots with so many deals, on each of which two meet in both orders.
fn series(bots: &[&str], deals: u64, more: Value) -> Series {
    let player = |name: &&str| {
        json!({"name": name, "command": name, "files": [], "limits": {
            "time_ms": 1000, "memory_bytes": 1, "processes": 1, "file_bytes": 1, "open_files": 1,
            "answer_bytes": 1, "stderr_bytes": 1}})
    };
    let mut tournament = json!({"schedule":
        {"format": "round-robin", "orders": "rotations", "deals": deals}});
    for (key, value) in more.as_object().expect("an object") {
        match key.as_str() {
            "shard" => tournament["schedule"]["shard"] = value.clone(),
            _ => tournament[key] = value.clone(),
        }
    }
    let tables = (bots.len() * (bots.len() - 1)) as u64;
    let shards = if more.get("shard").is_some() { 2 } else { 1 };
    let header = json!({"format": 1, "version": "0", "game": "tablic", "options": "seats=2",
        "games": tables * deals / shards, "players": bots.iter().map(player).collect::<Vec<_>>(),
        "tournament": tournament, "retries": 0, "suspect_games": "count",
        "commitment": "00".repeat(32)});
    Series::new(serde_json::from_value(header).expect("a header")).expect("it makes sense")
}

/// The next game of a series, which ends with these points or is void while a seat was asked.
fn game(series: &Series, place: NextGame, end: Result<[u32; 2], u8>) -> GameRecord {
    let (verdict, result) = match end {
        Ok(scores) => ("ok", json!({"ending": "played", "scores": scores, "out": [null, null]})),
        Err(_) => ("void", json!({"ending": "void", "reason": "no disk"})),
    };
    let seat = end.err().unwrap_or(0);
    let seating = series.seating(place.game);
    let names = series.players(place.game).map(|_, player| player.name.clone());
    let record = json!({"number": place.game, "attempt": place.attempt, "deal": seating.deal,
        "id": "00".repeat(16), "seats": names.values(), "bot_seeds": "00".repeat(32),
        "inputs": [{"answer": {"seat": seat, "asked": "00".repeat(32), "reply": "",
            "verdict": verdict, "detail": "x"}}],
        "events": [], "result": result, "measured": [{"ms": 1.0}]});
    serde_json::from_value(record).expect("a game")
}

/// Plays the next game, and says which one it was: void ones until they are given up.
fn play(series: &Series, progress: &mut Progress, end: Result<[u32; 2], u8>) -> u64 {
    let first = progress.next().expect("there is one");
    loop {
        let place = progress.next().expect("it is played again");
        match progress.add(series, &game(series, place, end)) {
            GameStatus::Again => {
                assert_eq!(progress.next().map(|next| next.game), Some(first.game))
            }
            status => {
                let expected = if end.is_ok() { GameStatus::Counts } else { GameStatus::GivenUp };
                assert_eq!(status, expected);
                return first.game;
            }
        }
    }
}

const DRAW: Result<[u32; 2], u8> = Ok([9, 9]);

/// Games 0 and 1 are those of `a` and `b`, 2 and 3 those of `a` and `c`, 4 and 5 of `b` and `c`.
#[test]
fn a_bot_with_two_games_in_a_row_given_up_is_out() {
    let series = series(&["a", "b", "c"], 4, json!({}));
    let mut progress = Progress::new(&series);
    // Of `a` on seat 0, of `b` on seat 0, and of `a` again: what came through others does not count.
    assert_eq!(play(&series, &mut progress, Err(0)), 0);
    assert_eq!(play(&series, &mut progress, Err(0)), 1);
    assert_eq!([0, 1, 2].map(|bot| progress.out_after(bot)), [None; 3]);
    assert_eq!(play(&series, &mut progress, Err(0)), 2);
    assert_eq!([0, 1, 2].map(|bot| progress.out_after(bot)), [Some(2), None, None]);
    // A game that counts ends the row of `b`.
    assert_eq!(play(&series, &mut progress, DRAW), 4, "game 3 is skipped");
    assert_eq!(play(&series, &mut progress, Err(1)), 5);
    assert_eq!(progress.out_after(1), None);
    assert_eq!(play(&series, &mut progress, DRAW), 10);
    assert_eq!(play(&series, &mut progress, Err(1)), 11);
    assert_eq!(play(&series, &mut progress, Err(0)), 16);
    assert_eq!(progress.out_after(1), Some(16), "two in a row");
    assert!(progress.is_over() && progress.next().is_none());
    assert_eq!((progress.played(), progress.given_up(), progress.skipped()), (2, 6, 16));
}

#[test]
fn a_game_that_was_given_up_is_one_with_a_fault() {
    let share = json!({"disqualify_after": {"percent": 25, "games": 8}});
    let series = series(&["a", "b", "c"], 9, share);
    let mut progress = Progress::new(&series);
    let mut own = 0;
    // Every second of its games is given up through `c`, never two in a row.
    while progress.out_after(2).is_none() {
        let next = progress.next().expect("it is not over");
        let seat = series.players(next.game).iter().find(|(_, it)| it.name == "c").map(|it| it.0);
        own += u64::from(seat.is_some());
        let end = match seat {
            Some(seat) if own % 2 == 0 => Err(seat.index() as u8),
            Some(_) | None => DRAW,
        };
        play(&series, &mut progress, end);
    }
    assert_eq!(own, 8);
    assert_eq!([0, 1].map(|bot| progress.out_after(bot)), [None; 2]);
}

/// A game in which the bot on seat 0 was late, after so many milliseconds in which others had the
/// processors; its limit is one second.
fn late(series: &Series, place: NextGame, waited: f64) -> GameRecord {
    let mut record = serde_json::to_value(game(series, place, DRAW)).expect("JSON");
    record["inputs"][0]["answer"]["verdict"] = json!("timeout");
    record["result"] = json!({"ending": "walkover", "scores": [0, 1], "out": ["timeout", null]});
    record["measured"] = json!([{"ms": 1000.0, "cpu_ms": 10.0, "waited_ms": waited}]);
    serde_json::from_value(record).expect("a game")
}

/// After which game the first of three bots is out that is late in each of its games.
fn out_after(disqualify_after: &Value, suspect_games: &str, waited: f64) -> Option<u64> {
    let share = json!({"disqualify_after": disqualify_after});
    let series = series(&["a", "b", "c"], 9, share);
    let mut header = serde_json::to_value(series.header()).expect("JSON");
    header["suspect_games"] = json!(suspect_games);
    let series = Series::new(serde_json::from_value(header).expect("a header")).expect("a series");
    let mut progress = Progress::new(&series);
    while let Some(place) = progress.next() {
        let first = series.players(place.game).iter().next().map(|(_, it)| it.name.clone());
        let record = match first.as_deref() == Some("a") {
            true => late(&series, place, waited),
            false => game(&series, place, DRAW),
        };
        progress.add(&series, &record);
    }
    assert_eq!([1, 2].map(|bot| progress.out_after(bot)), [None; 2]);
    progress.out_after(0)
}

#[test]
fn a_suspect_fault_does_not_count_towards_disqualification() {
    let share = json!({"percent": 25, "games": 8, "suspect": "ignored"});
    for suspect_games in ["count", "play-again"] {
        assert_eq!(out_after(&share, suspect_games, 300.0), None, "{suspect_games}");
        assert!(out_after(&share, suspect_games, 100.0).is_some(), "{suspect_games}");
    }
}

/// A log of which the header says nothing of suspect faults was played by the older rule.
#[test]
fn an_older_log_counts_suspect_faults_as_before() {
    let share = json!({"percent": 25, "games": 8});
    assert!(out_after(&share, "count", 300.0).is_some());
}

#[test]
fn nobody_is_out_of_a_shard() {
    let series = series(&["a", "b"], 8, json!({"shard": "0/2"}));
    let mut progress = Progress::new(&series);
    for _ in 0..8 {
        play(&series, &mut progress, Err(0));
    }
    assert!(progress.is_over());
    assert_eq!((progress.played(), progress.given_up(), progress.skipped()), (0, 8, 0));
    assert_eq!([0, 1].map(|bot| progress.out_after(bot)), [None; 2]);
}

/// A game that was given up does not shift the pairs: the test ends just where it would have ended
/// without the whole pair.
#[test]
fn a_test_of_two_bots_leaves_out_pairs_with_a_game_given_up() {
    let series = series(&["a", "b"], 200, json!({"sprt": "elo0=0,elo1=200,alpha=0.05,beta=0.05"}));
    let wins = |game: u64| if game.is_multiple_of(2) { Ok([9, 1]) } else { Ok([1, 9]) };
    let games = |given_up: &[u64]| {
        let mut progress = Progress::new(&series);
        while let Some(next) = progress.next() {
            let end = if given_up.contains(&next.game) { Err(0) } else { wins(next.game) };
            play(&series, &mut progress, end);
        }
        assert!(progress.is_over());
        progress.played()
    };
    let whole = games(&[]);
    assert!(whole > 2 && whole < 100 && whole.is_multiple_of(2), "{whole}");
    assert_eq!(games(&[0]), whole + 1);
    assert_eq!(games(&[1]), whole + 1);
    assert_eq!(games(&[0, 3]), whole + 2);
}

/// Without a question, no bot can have brought it about.
#[test]
fn a_void_game_without_an_answer_stops_the_tournament() {
    let series = series(&["a", "b"], 8, json!({}));
    let mut progress = Progress::new(&series);
    for expected in [GameStatus::Again, GameStatus::Again, GameStatus::Again, GameStatus::Stops] {
        let place = progress.next().expect("it is played again");
        let mut record = game(&series, place, Err(0));
        record.inputs.clear();
        assert_eq!(progress.add(&series, &record), expected);
    }
    assert!(progress.is_void() && progress.next().is_none());
}
