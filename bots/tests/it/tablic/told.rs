//! Requests of games that are told line by line: deals, and moves in turn.

use rules::tablic::{Deal, Move, Options, SeatCount, Tablic};
use rules::wire::Request;
use rules::{BotSeed, Game, Seat};

use crate::in_process::asked;

/// What this seat would be asked after these deals and moves: `deal table 3H …`, `7S 3H 4D`.
pub(crate) fn request(seats: usize, seat: usize, told: &[&str]) -> Request<Tablic> {
    let options = Options { seats: SeatCount::new(seats).expect("a number of seats") };
    let mut game = Tablic::new(&options);
    let mut events = Vec::new();
    for line in told {
        match line.strip_prefix("deal ") {
            Some(_) => {
                let deal: Deal = line.parse().expect("a deal");
                game.happen(&deal, &mut events).expect("cards to be dealt");
            }
            None => {
                let mv: Move = line.parse().expect("a move");
                game.play(&mv, &mut events).expect("a legal move");
            }
        }
    }
    asked(&game, options, Seat::new(seat).expect("a seat"), &events, BotSeed([1; 8]))
}
