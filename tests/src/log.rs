//! A match log as plain JSON: read without the types that wrote it.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The games of a log, in order, without what stands around them.
pub fn games(log: &Path) -> Vec<Value> {
    lines(log).iter_mut().filter_map(|line| line.get_mut("game").map(Value::take)).collect()
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
