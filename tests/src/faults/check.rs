//! Plays a match against one misbehaving bot, and looks at all that is left of it.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::bench::{Bench, Ended};
use crate::keeping::{Keeping, KeepingCommand};
use crate::{log, processes};
use serde_json::{Value, json};

use super::case::{Bot, Case, Want};

/// The seed of every match here: bots that do not read know the answers for it.
const SEED: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";

/// The points of the winner when the others are out and it has made no tabla.
const WALKOVER: u64 = 25;

/// Asserts everything about one case in a way of keeping bots, unless the same comes of it in all ways: then other tests
/// have told it.
pub fn unless_alike(keeping: Keeping, case: &Case) {
    if case.is_alike() {
        println!("not played: isolated and portable tell the same");
        return;
    }
    under(keeping, case);
}

/// Asserts everything about one case where bots are kept in one way.
///
/// The bot sits on seat 0 of the first game: where it is out of time on its first move, nobody
/// else is ever asked, so that a short limit makes no demands on the machine.
pub fn under(keeping: Keeping, case: &Case) {
    if matches!(case.wanted(keeping), Want::Anything) {
        return;
    }
    let bench = Bench::new();
    let log = bench.path("match.jsonl");
    if !keeping.can_be_had(&bench) {
        return;
    }
    let ended = play(&bench, keeping, case, &log);
    processes::wait_for_none(bench.marker());
    assert_eq!(entries(&bench.scratch()), Vec::<String>::new(), "scratch folders are left");
    (case.left)(&bench);
    if let Want::Refused(why) = case.wanted(keeping) {
        ended.assert_refused(4, &["bot `bad`", why]);
        assert!(!log.exists(), "a log was begun");
        return;
    }
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    bench.verify(&log);
    let (void, games): (Vec<Value>, _) = log::games(&log).into_iter().partition(log::is_void);
    void.iter().for_each(log::assert_nobody_is_charged);
    assert_eq!(games.len(), case.games);
    for game in &games {
        check_game(case, game, keeping);
        (case.also)(game);
    }
    let mut json = ended.json();
    json.iter_mut().for_each(take_excerpts);
    assert_eq!(json, expected_json(&log), "the JSON on standard output");
    check_shown(&bench, &log);
}

fn play(bench: &Bench, keeping: Keeping, case: &Case, log: &Path) -> Ended {
    let bad = match case.bot {
        Bot::Mode(mode) => bench.faulty(mode),
        Bot::Knowing(mode) => bench.faulty(&format!("{mode} {}", answers())),
        Bot::Made(make) => make(bench),
    };
    let (bad, good) = (format!("bad={bad}"), format!("good={}", bench.faulty("ok")));
    let limit = format!("{}ms", case.limit(keeping).as_millis());
    let games = case.games.to_string();
    let mut command = bench.arbiter(["match", "--game", "tablic", "--json", "--seed", SEED]);
    command.args(["--time-limit", &limit, "--games", &games]).args(case.options);
    command.arg("--log").arg(log).args([bad, good]);
    crate::bench::run(command.with_keeping(keeping))
}

/// Takes out of a line what is for people, which must be short and printable.
fn take_excerpts(line: &mut Value) {
    let players = line.pointer_mut("/result/players").and_then(Value::as_array_mut);
    let faults = players.into_iter().flatten().filter_map(|it| it["first_fault"].as_object_mut());
    for fault in faults {
        let hint = fault.remove("hint").expect("a hint, or none");
        assert!(hint.is_null() || hint.as_str().is_some_and(is_good_hint), "{hint}");
        for (key, most) in [("printed", 5), ("stderr", 21)] {
            let excerpt = fault.remove(key).expect("an excerpt");
            let lines = excerpt.as_array().expect("lines");
            assert!(lines.len() <= most, "{excerpt}");
            for line in lines {
                let line = line.as_str().expect("a text");
                assert!(line.len() < 1000 && !line.contains(char::is_control), "{line:?}");
            }
        }
    }
}

/// Whether a hint is one line for people; one that says what to type is as long as the bot's command.
fn is_good_hint(hint: &str) -> bool {
    let is_short = hint.len() <= 70 || hint.contains("`arbiter sandbox ");
    is_short && !hint.contains(char::is_control)
}

/// The answers of seat 0 when both players give the first legal move, as words of a shell.
fn answers() -> &'static str {
    static ANSWERS: OnceLock<String> = OnceLock::new();
    ANSWERS.get_or_init(|| {
        let bench = Bench::new();
        let log = bench.path("match.jsonl");
        let both = bench.faulty("ok");
        let words = ["match", "--game", "tablic", "--quiet", "--seed", SEED, "--log"];
        crate::bench::run(bench.arbiter(words).arg(&log).args([&both, &both])).with_code(0);
        let replies = log::replies(&log::games(&log)[0], 0);
        replies.iter().map(|reply| format!("'{reply}'")).collect::<Vec<_>>().join(" ")
    })
}

fn check_game(case: &Case, game: &Value, keeping: Keeping) {
    let seat = log::seat_of(game, "bad");
    let answers = log::answers(game);
    let (last, before) = answers.split_last().expect("somebody was asked");
    assert!(before.iter().all(|answer| answer["verdict"] == "ok"), "{game}");
    let Want::Fault(verdict, detail) = case.wanted_on(seat, keeping) else {
        assert_eq!(last["verdict"], "ok", "{game}");
        assert_eq!(game["result"]["ending"], "played", "{game}");
        assert_eq!(game["result"]["out"], json!([null, null]), "{game}");
        return;
    };
    assert_eq!((&last["seat"], &last["verdict"]), (&json!(seat), &json!(verdict)), "{last}");
    assert!(last["detail"].as_str().is_some_and(|found| found.contains(detail)), "{last}");
    if let Some(after) = case.answers_before(keeping) {
        assert_eq!(before.len(), after, "{game}");
    }
    let by_seat = |bad: Value, good: Value| if seat == 0 { [bad, good] } else { [good, bad] };
    let result = json!({
        "ending": "walkover",
        "scores": by_seat(json!(0), json!(WALKOVER)),
        "out": by_seat(json!(verdict), Value::Null),
    });
    assert_eq!(game["result"], result, "{game}");
    assert!(has_event(game, &format!("out {seat} {verdict}")), "{game}");
}

fn has_event(game: &Value, event: &str) -> bool {
    game["events"].as_array().is_some_and(|events| events.iter().any(|it| it == event))
}

/// What `--json` must have said of the match in a log.
fn expected_json(log: &Path) -> Vec<Value> {
    let lines = log::lines(log);
    let header = &lines[0]["header"];
    let mut told = vec![json!({"start": {
        "game": "tablic",
        "options": "seats=2",
        "games": header["games"],
        "commitment": header["commitment"],
        "entropy": [],
    }})];
    let games = log::games(log);
    told.extend(games.iter().map(|game| {
        let seat = |place: usize| {
            let of = |list: &str| game["result"][list][place].clone();
            json!({"name": game["seats"][place], "points": of("scores"), "fault": of("out")})
        };
        let seats = [seat(0), seat(1)];
        let ending = &game["result"]["ending"];
        json!({"game": {
            "number": game["number"],
            "attempt": game["attempt"].as_u64().unwrap_or_default(),
            "seats": seats,
            "ending": ending,
            "counts": !log::is_void(game),
        }})
    }));
    // A game that was void, since the machine was too busy, is played again and counts for nothing.
    let games_void = games.iter().filter(|game| log::is_void(game)).count();
    let counted: Vec<Value> = games.into_iter().filter(|game| !log::is_void(game)).collect();
    told.push(totals(&counted, games_void, &log::suspect(&lines)));
    told
}

/// The last line of `--json`. Bots that answer lay down every card, so a game that is played to
/// its end is drawn, and one that is not is lost by `bad`.
fn totals(games: &[Value], void: usize, suspect: &[u64]) -> Value {
    let faults = games.iter().filter(|game| game["result"]["ending"] == "walkover").count() as u64;
    let drawn = games.len() as u64 - faults;
    let player = |name: &str, won: u64, lost: u64| {
        let first_fault = if lost > 0 { first_fault(games) } else { Value::Null };
        json!({
            "name": name,
            "points": won * WALKOVER,
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "faults": lost,
            "escaped": escaped(games, name),
            "first_fault": first_fault,
        })
    };
    let winner = if faults > 0 { json!("good") } else { Value::Null };
    let players = [player("bad", 0, faults), player("good", faults, 0)];
    json!({"result": {
        "players": players,
        "winner": winner,
        "played_again": void,
        "suspect": suspect,
        "seed": SEED,
    }})
}

/// How many processes of a player had escaped, by all answers together.
fn escaped(games: &[Value], name: &str) -> u64 {
    let of_game = |game: &Value| -> u64 {
        let seat = log::seat_of(game, name);
        let measured = game["measured"].as_array().expect("a list");
        let answers = log::answers(game);
        let own = answers.iter().zip(measured).filter(|(answer, _)| answer["seat"] == seat);
        own.filter_map(|(_, measured)| measured.get("escaped")?.as_u64()).sum()
    };
    games.iter().map(of_game).sum()
}

/// Whatever a bot printed, the terminal gets lines of printable text.
fn check_shown(bench: &Bench, log: &Path) {
    let text = bench.succeed([Path::new("show"), log]);
    let odd = text.chars().find(|&c| c != '\n' && !matches!(c, ' '..='~'));
    assert_eq!(odd, None, "{text:?}");
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// What is said of the first answer that was a fault.
fn first_fault(games: &[Value]) -> Value {
    let fault = |game: &Value| {
        let answers = log::answers(game);
        let last = answers.last().filter(|answer| answer["verdict"] != "ok")?;
        let (verdict, detail) = (&last["verdict"], &last["detail"]);
        Some(json!({"game": game["number"], "verdict": verdict, "detail": detail}))
    };
    games.iter().find_map(fault).expect("a fault")
}
