//! The price of rules that are not compiled in, for an answer.

use std::path::Path;

use super::figures::{Most, Table, Turns, median, number};
use super::matches::{calls_of, run};
use super::workshop::Workshop;

/// Number of turns of each.
const TURNS: usize = 11;

/// A game, the number of games that comes to about 3,000 answers, its seats, and the most that an answer may cost.
struct Played {
    title: &'static str,
    folder: Option<&'static str>,
    games: &'static str,
    seats: usize,
    wanted: Option<Most>,
}

const PLAYED: [Played; 4] = [
    Played { title: "Coup, built in", folder: None, games: "370", seats: 2, wanted: None },
    Played {
        title: "hold'em, a module",
        folder: Some("holdem"),
        games: "330",
        seats: 2,
        wanted: Some(Most::Times(1.03)),
    },
    Played {
        title: "Leduc poker, a program in Python",
        folder: Some("leduc/python"),
        games: "750",
        seats: 2,
        wanted: Some(Most::Times(1.10)),
    },
    Played {
        title: "Hearts, a program in Python",
        folder: Some("hearts"),
        games: "60",
        seats: 4,
        wanted: Some(Most::Times(1.10)),
    },
];

/// Compares an answer in custom games with one in a built-in game, all by the same bot in C. A match of one
/// game is subtracted, since the rules of a match start once.
pub(crate) fn own_games(workshop: &Workshop) {
    let matches = PLAYED.map(|played| Match::new(workshop, &played));
    let mut turns = Turns::new(&PLAYED.map(|played| played.title));
    let mut starts = Vec::new();
    for _ in 0..TURNS {
        let timed = matches.each_ref().map(|one| one.timed(workshop));
        turns.add(&timed.map(|(answer, _)| answer));
        starts.push(timed.map(|(_, start)| start));
    }
    let mut table = Table::new(&["", "µs an answer", "above Coup", "of Coup", "wanted"]);
    turns.rows(&mut table, &PLAYED.map(|played| played.wanted));
    table.print();
    println!();
    for (place, Played { title, .. }) in PLAYED.iter().enumerate() {
        let start = number(median(starts.iter().map(|turn| turn[place] / 1e6)));
        println!("A match of one game of {title}: {start} ms.");
    }
}

/// The words of a match and of one with a single game, and the calls by which they differ.
struct Match {
    whole: Vec<String>,
    single: Vec<String>,
    calls: f64,
}

impl Match {
    fn new(workshop: &Workshop, played: &Played) -> Match {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/games");
        let game = match played.folder {
            None => "coup".to_owned(),
            Some(folder) => examples.join(folder).display().to_string(),
        };
        let bot = format!("{} second", workshop.first_move.display());
        let bots: Vec<String> = (0..played.seats).map(|seat| format!("b{seat}={bot}")).collect();
        let words = |games: &str| {
            let words = ["match", "--game", &game, "--games", games].map(str::to_owned);
            words.into_iter().chain(bots.clone()).collect::<Vec<String>>()
        };
        let (whole, single) = (words(played.games), words("1"));
        let calls = calls_of(workshop, &as_str(&whole)) - calls_of(workshop, &as_str(&single));
        Match { whole, single, calls }
    }

    /// Nanoseconds for an answer, and for a match of one game.
    fn timed(&self, workshop: &Workshop) -> (f64, f64) {
        let single = run(workshop, &as_str(&self.single)) * 1e9;
        let whole = run(workshop, &as_str(&self.whole)) * 1e9;
        ((whole - single) / self.calls, single)
    }
}

fn as_str(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
