//! The status of a game: it counts, it is played again, or the match stops.

use contest::playing::match_text::remarks;
use rules::{GameRecord, Outcome};
use serde_json::json;
use series::game_status::{GameStatus, Totals, culprit, game_status, is_suspect};
use series::progress::Progress;
use series::{Series, SuspectGames};

/// A match of two in which answers may take two seconds of the first player and one
/// of the second.
fn series(suspect_games: SuspectGames) -> Series {
    let player = |name: &str, time: u64| {
        json!({"name": name, "command": name, "files": [], "limits": {
            "time_ms": time, "memory_bytes": 1, "processes": 1, "file_bytes": 1, "open_files": 1,
            "answer_bytes": 1, "stderr_bytes": 1}})
    };
    let header = json!({"format": 1, "version": "0", "game": "tablic", "options": "seats=2",
        "games": 9, "players": [player("a", 2000), player("b", 1000)], "retries": 0,
        "suspect_games": suspect_games, "commitment": "00".repeat(32)});
    Series::new(serde_json::from_value(header).expect("a header")).expect("it makes sense")
}

/// A game, in which `a` sits at the even seats of even games, with one answer of seat 0.
fn game(number: u64, attempt: u32, verdict: &str, cpu: f64, waited: f64) -> GameRecord {
    let out = if verdict == "ok" { json!(null) } else { json!(verdict) };
    let result = match verdict {
        "void" => json!({"ending": "void", "reason": "no disk"}),
        _ => json!({"ending": "walkover", "scores": [0, 25], "out": [out, null]}),
    };
    let record = json!({"number": number, "attempt": attempt, "deal": number, "id": "00".repeat(16),
        "seats": ["x", "y"], "bot_seeds": "00".repeat(32),
        "inputs": [{"answer": {"seat": 0, "asked": "00".repeat(32), "reply": "",
            "verdict": verdict, "detail": "x"}}],
        "events": [], "result": result,
        "measured": [{"ms": 1.0, "cpu_ms": cpu, "waited_ms": waited}]});
    serde_json::from_value(record).expect("a game")
}

/// The numbers after the colon are games, even a single 0.
#[test]
fn suspect_games_are_named_as_games() {
    let series = series(SuspectGames::Count);
    let mut totals = Totals::new(&series);
    totals.add(&game(0, 0, "timeout", 10.0, 1000.0), GameStatus::Counts, &series);
    let why = "suspect (timeout under CPU contention)";
    assert_eq!(remarks(&totals), format!("1 game is {why}: game 0\n"));
    totals.add(&game(2, 0, "timeout", 10.0, 1000.0), GameStatus::Counts, &series);
    assert_eq!(remarks(&totals), format!("2 games are {why}: games 0, 2\n"));
}

#[test]
fn a_void_game_is_played_again_three_times() {
    let series = series(SuspectGames::Count);
    let statuses =
        [0, 1, 2, 3].map(|attempt| game_status(&game(0, attempt, "void", 0.0, 0.0), &series));
    assert_eq!(
        statuses,
        [GameStatus::Again, GameStatus::Again, GameStatus::Again, GameStatus::Stops]
    );
}

/// Rules that fail would fail again; rules that were ended may go on, and no seat is to blame for it.
#[test]
fn a_game_whose_rules_were_ended_is_played_again_three_times() {
    let series = series(SuspectGames::Count);
    let statuses = |why: &str| {
        [0, 1, 2, 3].map(|attempt| {
            let mut record = game(0, attempt, "void", 0.0, 0.0);
            record.result = Outcome::Void { reason: format!("the rules {why}: exit 1") };
            assert_eq!(culprit(&record), None, "{why}");
            game_status(&record, &series)
        })
    };
    assert_eq!(statuses("failed"), [GameStatus::Stops; 4]);
    let again = GameStatus::Again;
    assert_eq!(statuses("were ended"), [again, again, again, GameStatus::Stops]);
}

/// The referee's own wait counts, too; logs without it keep their rule.
#[test]
fn late_is_suspect_where_the_referee_had_to_wait() {
    let series = series(SuspectGames::Count);
    let table = [
        (Some(400.0), None, true),
        (None, Some(400.0), true),
        (Some(250.0), Some(150.0), true),
        (Some(250.0), Some(149.0), false),
        (Some(399.0), None, false),
        (None, Some(399.0), false),
        (None, None, false),
    ];
    for (bot, referee, suspect) in table {
        let mut record = game(0, 0, "timeout", 10.0, 0.0);
        (record.measured[0].waited_ms, record.measured[0].referee_waited_ms) = (bot, referee);
        let found = is_suspect(&record, &series.times(0));
        assert_eq!(found, suspect, "waited {bot:?} ms, the referee {referee:?} ms");
    }
}

#[test]
fn a_suspect_game_is_played_again_only_where_the_match_says_so() {
    let late = |attempt| game(0, attempt, "timeout", 10.0, 1900.0);
    assert_eq!(game_status(&late(0), &series(SuspectGames::Count)), GameStatus::Counts);
    let again = series(SuspectGames::PlayAgain);
    assert_eq!(
        [0, 2, 3].map(|attempt| game_status(&late(attempt), &again)),
        [GameStatus::Again, GameStatus::Again, GameStatus::Counts]
    );
}

#[test]
fn a_game_that_was_merely_lost_counts() {
    let again = series(SuspectGames::PlayAgain);
    for verdict in ["ok", "crash", "timeout", "memory", "illegal"] {
        assert_eq!(
            game_status(&game(0, 0, verdict, 0.0, 0.0), &again),
            GameStatus::Counts,
            "{verdict}"
        );
    }
}

/// The limit of seat 0 is 2000 ms in even games and 1000 ms in odd ones.
#[test]
fn late_is_suspect_with_little_cpu_time_after_a_long_wait() {
    let table = [
        (0, "timeout", 999.0, 400.0, true),
        (0, "timeout", 1000.0, 400.0, false),
        (0, "timeout", 999.0, 399.0, false),
        (1, "timeout", 499.0, 200.0, true),
        (1, "timeout", 500.0, 200.0, false),
        (1, "timeout", 499.0, 199.0, false),
        (0, "crash", 0.0, 2000.0, false),
        (0, "ok", 0.0, 2000.0, false),
    ];
    let series = series(SuspectGames::Count);
    for (number, verdict, cpu, waited, suspect) in table {
        let record = game(number, 0, verdict, cpu, waited);
        let case = format!("game {number}, {verdict}, {cpu} ms of CPU time, {waited} ms waited");
        assert_eq!(is_suspect(&record, &series.times(number)), suspect, "{case}");
    }
}

/// Seat 0 had a bank of ten seconds. The numbers of an answer are its time, its CPU time and its wait.
#[test]
fn a_bank_that_the_machine_used_up_is_suspect() {
    let header = series(SuspectGames::PlayAgain).header().clone();
    let mut header = serde_json::to_value(header).expect("JSON");
    for player in [0, 1] {
        header["players"][player]["limits"]["game_time"] =
            json!({"bank_ms": 10_000, "increment_ms": 0});
    }
    let series = Series::new(serde_json::from_value(header).expect("a header")).expect("it is one");
    let record = |left: u64, answers: &[(f64, f64, f64)]| {
        let mut record = serde_json::to_value(game(0, 0, "timeout", 0.0, 0.0)).expect("JSON");
        let last = record["inputs"][0].clone();
        record["inputs"] = answers.iter().map(|_| last.clone()).collect();
        let place = answers.len() - 1;
        record["inputs"][place]["answer"]["detail"] = json!(format!(
            "its time for the game was used up: {left} ms were left for this answer"
        ));
        let measured = |(ms, cpu, waited): &(f64, f64, f64)| json!({"ms": ms, "cpu_ms": cpu, "waited_ms": waited});
        record["measured"] = answers.iter().map(measured).collect();
        serde_json::from_value::<GameRecord>(record).expect("a game")
    };
    type Answers<'a> = &'a [(f64, f64, f64)];
    let cases: [(&str, u64, Answers<'_>, bool); 7] = [
        ("starved at last", 1000, &[(9000.0, 9000.0, 0.0), (1000.0, 400.0, 300.0)], true),
        ("slow by itself", 1000, &[(9000.0, 9000.0, 0.0), (1000.0, 900.0, 300.0)], false),
        ("asleep", 1000, &[(9000.0, 10.0, 0.0), (1000.0, 1.0, 1.0)], false),
        ("a short wait at last", 10, &[(9990.0, 9000.0, 0.0), (10.0, 1.0, 9.0)], false),
        ("starved by and by", 10, &[(9990.0, 4000.0, 2000.0), (10.0, 1.0, 0.0)], true),
        ("not for long enough", 10, &[(9990.0, 4000.0, 1990.0), (10.0, 1.0, 0.0)], false),
        ("too busy itself", 10, &[(9990.0, 5000.0, 4000.0), (10.0, 1.0, 0.0)], false),
    ];
    for (what, left, answers, suspect) in cases {
        let record = record(left, answers);
        assert_eq!(is_suspect(&record, &series.times(0)), suspect, "{what}");
        let expected = if suspect { GameStatus::Again } else { GameStatus::Counts };
        assert_eq!(game_status(&record, &series), expected, "{what}");
    }
}

/// The reason alone is not enough: the name must belong to a person.
#[test]
fn a_game_that_a_person_has_left_is_the_last_one() {
    let bots = series(SuspectGames::Count);
    let mut header = serde_json::to_value(bots.header()).expect("JSON");
    header["players"][1]["command"] = json!("(person)");
    let with_b = Series::new(serde_json::from_value(header).expect("a header")).expect("it is one");
    let void = |reason: &str| {
        let mut record = serde_json::to_value(game(0, 0, "void", 0.0, 0.0)).expect("JSON");
        record["result"]["reason"] = json!(reason);
        serde_json::from_value::<GameRecord>(record).expect("a game")
    };
    for (reason, expected) in [
        ("b left the game", GameStatus::Stops),
        ("a left the game", GameStatus::Again),
        ("c left the game", GameStatus::Again),
        ("no disk", GameStatus::Again),
    ] {
        assert_eq!(game_status(&void(reason), &with_b), expected, "{reason}");
        assert_eq!(game_status(&void(reason), &bots), GameStatus::Again, "{reason}");
        let mut progress = Progress::new(&with_b);
        progress.add(&with_b, &void(reason));
        assert_eq!(progress.next().is_none(), expected == GameStatus::Stops, "{reason}");
        assert!(!progress.is_void(), "{reason}: nothing was void too often");
    }
}
