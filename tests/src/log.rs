//! A match log as plain JSON: read without the types that wrote it.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde_json::{Value, json};

/// The games of a log, in order, without what stands around them, with the standard error that lies beside a log of a
/// tournament.
pub fn games(log: &Path) -> Vec<Value> {
    let mut lines = lines(log);
    let mut games: Vec<Value> =
        lines.iter_mut().filter_map(|line| line.get_mut("game").map(Value::take)).collect();
    let private = fs::read_to_string(log.with_file_name("private.jsonl")).unwrap_or_default();
    for line in private.lines() {
        let texts: Value = serde_json::from_str(line).expect("every line is JSON");
        let is_it = |game: &&mut Value| {
            let attempt = |of: &Value| of["attempt"].as_u64().unwrap_or(0);
            game["number"] == texts["game"] && attempt(game) == attempt(&texts)
        };
        let Some(game) = games.iter_mut().find(is_it) else { continue };
        let measured = game["measured"].as_array_mut().expect("measurements");
        let private = measured.iter_mut().filter(|it| it["stderr"].is_object());
        for (measured, text) in private.zip(texts["stderr"].as_array().expect("texts")) {
            measured["stderr"] = text.clone();
        }
    }
    games
}

/// Returns true if a game does not count. On a busy machine that happens, and the game is played
/// again.
pub fn is_void(game: &Value) -> bool {
    game["result"]["ending"] == "void"
}

/// Number of games in a log that have their line end; the last line may be cut off.
pub fn whole_games(log: &Path) -> usize {
    let text = fs::read_to_string(log).expect("the log can be read");
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.filter(|line| line.starts_with("{\"game\"")).count()
}

/// All lines of a log.
pub fn lines(log: &Path) -> Vec<Value> {
    let text = fs::read_to_string(log).expect("the log can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// The answers of one game, in order.
pub fn answers(game: &Value) -> Vec<&Value> {
    let inputs = game["inputs"].as_array().expect("a game has inputs");
    inputs.iter().filter_map(|input| input.get("answer")).collect()
}

/// The replies of one seat in a game, in order.
pub fn replies(game: &Value, seat: usize) -> Vec<String> {
    let own = |answer: &&&Value| answer["seat"] == seat;
    let reply = |answer: &&Value| answer["reply"].as_str().unwrap_or_default().to_owned();
    answers(game).iter().filter(own).map(reply).collect()
}

/// The seat of a player in a game.
pub fn seat_of(game: &Value, name: &str) -> usize {
    let seats = game["seats"].as_array().expect("a game has seats");
    seats.iter().position(|seat| seat == name).expect("the player has a seat")
}

/// The numbers of the games in which a bot was late and the machine may be to blame: it used less
/// than half of its time on a processor, and it and the referee waited for one for a fifth of it or
/// more.
pub fn suspect(lines: &[Value]) -> Vec<u64> {
    let players = lines[0]["header"]["players"].as_array().expect("a log names its players");
    let is_suspect = |game: &&Value| {
        let measured = game["measured"].as_array().expect("a game is measured");
        answers(game).iter().zip(measured).any(|(answer, measured)| {
            let name = &game["seats"][answer["seat"].as_u64().expect("a seat") as usize];
            let player = players.iter().find(|player| player["name"] == *name).expect("a player");
            let time = player["limits"]["time_ms"].as_f64().expect("a limit");
            let waited = ["waited_ms", "referee_waited_ms"].map(|key| measured[key].as_f64());
            answer["verdict"] == "timeout"
                && measured["cpu_ms"].as_f64().is_some_and(|ms| ms < time * 0.5)
                && waited.into_iter().flatten().sum::<f64>() >= time * 0.2
        })
    };
    let games = lines.iter().filter_map(|line| line.get("game")).filter(is_suspect);
    games.map(|game| game["number"].as_u64().expect("a number")).collect()
}

/// Asserts that no answer of a game was a fault of its bot.
pub fn assert_nobody_is_charged(game: &Value) {
    for answer in answers(game) {
        assert!(["ok", "void"].iter().any(|fine| answer["verdict"] == *fine), "{game}");
    }
}

/// A game of a script with what the script leaves out of answers.
pub fn completed(mut game: Value) -> Value {
    for step in game["steps"].as_array_mut().expect("steps") {
        let event = step["events"][0].clone();
        let Some(answer) = step.get_mut("answer").and_then(Value::as_object_mut) else { continue };
        let asked = answer["asked"].as_str().expect("a digest");
        let asked = STANDARD_NO_PAD.decode(asked).expect("base64");
        let digits: String = asked.iter().map(|byte| format!("{byte:02x}")).collect();
        answer.insert("asked".to_owned(), json!(digits));
        answer.entry("verdict").or_insert(json!("ok"));
        if !answer.contains_key("reply") {
            // A text, or a list that begins with it.
            let event = event.as_str().or_else(|| event[0].as_str()).expect("a text");
            let (seat, reply) = event.split_once(' ').expect("a reply");
            answer.insert("seat".to_owned(), json!(seat.parse::<u8>().expect("a seat")));
            answer.insert("reply".to_owned(), json!(reply));
        }
    }
    game
}
