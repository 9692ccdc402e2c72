//! Resident bots.

use std::time::Instant;

use sandbox::isolation::Isolation;
use sandbox::{CallEnd, CallInput, EndOfAnswer, Limits, PonderPermission, SupervisedProgram};

use super::asking::supervised;
use super::figures::{Table, median, number};
use super::matches::games_a_second;
use super::workshop::{REQUEST, Workshop};

/// Number of turns of each, and of requests in a turn.
const TURNS: usize = 40;
const REQUESTS: u32 = 2000;

/// Number of matches of each pair of bots.
const MATCHES: usize = 3;

/// Requests a second of a bot that does next to nothing, and games a second of bots in C and Python.
pub(crate) fn residents(workshop: &Workshop) {
    let mut bots = [
        supervised(workshop, Isolation::Auto, PonderPermission::Never),
        supervised(workshop, Isolation::Off, PonderPermission::Never),
        supervised(workshop, Isolation::Auto, PonderPermission::Allowed),
    ];
    // The first requests pay for the start.
    bots.iter_mut().for_each(ask);
    let rates: Vec<[f64; 3]> = (0..TURNS).map(|_| bots.each_mut().map(rate)).collect();
    let mut table = Table::new(&["", "requests a second", "wanted"]);
    let rows = [
        ("with all layers", "at least 22,000"),
        ("without layers", ""),
        ("with all layers, pondering", ""),
    ];
    for (place, (name, wanted)) in rows.into_iter().enumerate() {
        table.add(&[&name, &number(median(rates.iter().map(|turn| turn[place]))), &wanted]);
    }
    table.print();
    languages(workshop);
}

/// Games a second of the same bots, started for each move and resident.
fn languages(workshop: &Workshop) {
    workshop.script("python/arbiter_bot.py");
    let python = format!("python3 {}", workshop.script("python/bot.py").display());
    let first_move = workshop.first_move.display().to_string();
    let bots = [("C, static", first_move.as_str(), 40, 400), ("Python", &python, 4, 100)];
    let mut table = Table::new(&["", "started for each move", "resident", "times as many"]);
    for (language, command, few, many) in bots {
        let rates: Vec<[f64; 2]> = (0..MATCHES)
            .map(|_| {
                [(few, ""), (many, "resident:")].map(|(games, mode)| {
                    let bots = ["a", "b"].map(|name| format!("{name}={mode}{command}"));
                    games_a_second(workshop, games, &bots)
                })
            })
            .collect();
        let [anew, resident] = [0, 1].map(|place| median(rates.iter().map(|turn| turn[place])));
        let gain = median(rates.iter().map(|[anew, resident]| resident / anew));
        table.add(&[&language, &number(anew), &number(resident), &number(gain)]);
    }
    println!("\nGames of Tablić a second:");
    table.print();
}

fn rate(bot: &mut SupervisedProgram) -> f64 {
    let begun = Instant::now();
    (0..REQUESTS).for_each(|_| ask(bot));
    f64::from(REQUESTS) / begun.elapsed().as_secs_f64()
}

fn ask(bot: &mut SupervisedProgram) {
    let seen = bot.ask(CallInput::Turn(REQUEST.as_bytes(), EndOfAnswer::Line), &Limits::default());
    assert!(seen.end == CallEnd::Answered && !seen.stdout.is_empty(), "{seen:?}");
}
