//! Games of Durak between built-in players.

use std::num::NonZeroUsize;

use bots::simulation::{BuiltIn, Order, Played, Simulation};
use rules::durak::Durak;
use rules::{GameKind, Seed};

/// Games between these players, each deal in every rotation of them. The seed is 32 times a byte.
pub(crate) fn simulate(seed: u8, options: &str, players: &[&str], deals: u64) -> Vec<Played> {
    let built_in = |command: &&str| {
        let mut words = command.split(' ').map(str::to_owned);
        let program = words.next().expect("a name");
        BuiltIn { name: (*command).to_owned(), program, options: words.collect() }
    };
    let simulation = Simulation {
        kind: GameKind::of::<Durak>(),
        options: options.to_owned(),
        players: players.iter().map(built_in).collect(),
        order: Order::Rotate,
        deals,
        seed: Seed([seed; 32]),
    };
    let mut games = Vec::new();
    let played = simulation.run(NonZeroUsize::MIN, &mut |game| games.push(game.clone()));
    played.expect("every player finds a legal move");
    games
}

/// What the first player has of all games, in points for each.
pub(crate) fn share(games: &[Played]) -> f64 {
    let of_first = |game: &Played| {
        let seat = game.seating.seats().find(|seat| game.seating[*seat] == 0).expect("a seat");
        game.scores[seat].as_f64()
    };
    games.iter().map(of_first).sum::<f64>() / games.len() as f64
}
