//! Bots that live for a whole game.

use std::time::Instant;

use sandbox::isolation::Isolation;
use sandbox::{End, Limits, Ponder, Request, Supervised};

use super::asking::supervised;
use super::figures::median;
use super::matches::games_a_second;
use super::workshop::{REQUEST, Workshop};

/// How many turns everyone has, and how many requests a turn is.
const TURNS: usize = 40;
const REQUESTS: u32 = 2000;

/// How many requests a second are the least.
const LEAST: f64 = 15_000.0;

/// Requests a second of a bot that does next to nothing, and games a second of one in Python.
pub(crate) fn residents(workshop: &Workshop) {
    let names = ["with all layers", "without layers", "with all layers, pondering"];
    let mut bots = [
        supervised(workshop, Isolation::Auto, Ponder::Never),
        supervised(workshop, Isolation::Off, Ponder::Never),
        supervised(workshop, Isolation::Auto, Ponder::Allowed),
    ];
    let mut rates = Vec::new();
    // The first requests pay for the start.
    bots.iter_mut().for_each(ask);
    for _ in 0..TURNS {
        rates.push(bots.each_mut().map(rate));
    }
    for (place, name) in names.iter().enumerate() {
        let rate = median(rates.iter().map(|turn| turn[place]));
        let target = if place == 0 { format!(", at least {LEAST}") } else { String::new() };
        println!("  {name:<44} {rate:>9.0} requests a second{target}");
    }
    workshop.script("python/arbiter_bot.py");
    let bot = workshop.script("python/bot.py");
    let python = format!("python3 {}", bot.display());
    let [anew, resident] = [(4, ""), (100, "resident:")].map(|(games, mode)| {
        let bots = ["a", "b"].map(|name| format!("{name}={mode}{python}"));
        games_a_second(workshop, games, &bots)
    });
    for (name, rate) in [("Python, started for each move", anew), ("Python, resident", resident)] {
        println!("  {name:<44} {rate:>9.2} games a second");
    }
    println!("  {:<44} {:>9.1} (at least 50)", "ratio of the two", resident / anew);
}

fn rate(bot: &mut Supervised) -> f64 {
    let begun = Instant::now();
    (0..REQUESTS).for_each(|_| ask(bot));
    f64::from(REQUESTS) / begun.elapsed().as_secs_f64()
}

fn ask(bot: &mut Supervised) {
    let seen = bot.ask(Request::Turn(REQUEST.as_bytes()), &Limits::default());
    assert!(seen.end == End::Answered && !seen.stdout.is_empty(), "{seen:?}");
}
