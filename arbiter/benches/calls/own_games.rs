//! The price of rules that are not compiled in, for an answer.

use std::path::Path;

use super::figures::{Most, Table, Turns};
use super::matches::{calls_of, run};
use super::workshop::Workshop;

/// Number of turns of each.
const TURNS: usize = 15;

/// The games, with the number of them that comes to about a thousand answers, the seats and the most that an
/// answer may cost.
const GAMES: [(&str, &str, &str, usize, Option<Most>); 4] = [
    ("Coup, built in", "coup", "40", 2, None),
    ("hold'em, a module", "holdem", "300", 2, Some(Most::Times(1.03))),
    ("Leduc poker, a program in Python", "leduc/python", "300", 2, Some(Most::Times(1.10))),
    ("Hearts, a program in Python", "hearts", "20", 4, Some(Most::Times(1.10))),
];

/// Compares an answer in games of one's own with one in a built-in game, all by the same bot in C.
pub(crate) fn own_games(workshop: &Workshop) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/games");
    let bot = workshop.first_move.display().to_string();
    let matches: Vec<Vec<String>> = GAMES
        .iter()
        .map(|(_, game, number, seats, _)| {
            let game = match *game {
                "coup" => "coup".to_owned(),
                own => examples.join(own).display().to_string(),
            };
            let words = ["match", "--game", &game, "--games", number].map(str::to_owned);
            let bots = (0..*seats).map(|seat| format!("b{seat}={bot}"));
            words.into_iter().chain(bots).collect()
        })
        .collect();
    let words: Vec<Vec<&str>> =
        matches.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
    let calls: Vec<f64> = words.iter().map(|words| calls_of(workshop, words)).collect();
    let mut turns = Turns::new(&GAMES.iter().map(|game| game.0).collect::<Vec<_>>());
    for _ in 0..TURNS {
        let taken =
            words.iter().zip(&calls).map(|(words, calls)| run(workshop, words) * 1e9 / calls);
        turns.add(&taken.collect::<Vec<_>>());
    }
    let mut table = Table::new(&["", "µs an answer", "above the first", "of the first", "wanted"]);
    turns.rows(&mut table, &GAMES.iter().map(|game| game.4).collect::<Vec<_>>());
    table.print();
    let counted: Vec<String> =
        GAMES.iter().zip(&calls).map(|(game, calls)| format!("{} {calls}", game.0)).collect();
    println!("\nAnswers in a turn: {}.", counted.join(", "));
}
