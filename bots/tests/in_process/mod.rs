//! Whole games between players in this process, on the rules alone.

use bots::tablic::Tablic;
use bots::{AnyPlayer, Players};
use rules::tablic::{Options, SeatCount};
use rules::wire::{Heading, Request};
use rules::{Entry, Game, MatchId, PerSeat, Score, Seed, Turn, seen_by};

/// A player by its command line: `minimax --depth 2`.
pub(crate) fn player(text: &str) -> AnyPlayer<Tablic> {
    let mut words = text.split_ascii_whitespace().map(str::to_owned);
    let name = words.next().expect("a name");
    Tablic::player(&name, &words.collect::<Vec<_>>()).expect("a player")
}

/// Plays one game between as many players; those of the requests for which `watch` is called.
pub(crate) fn play(
    deal: u64,
    players: &mut [AnyPlayer<Tablic>],
    mut watch: impl FnMut(&Request<Tablic>),
) -> PerSeat<Score> {
    let seed = Seed([9; 32]);
    let (mut nature, bot_seeds) = (seed.nature(deal), seed.bots(deal));
    let options = Options { seats: SeatCount::new(players.len()).expect("a number of seats") };
    let mut game = Tablic::new(&options);
    let mut events = Vec::new();
    let mut number = 0;
    loop {
        match game.turn() {
            Turn::Over(scores) => return scores,
            Turn::Nature => {
                let deal = game.sample(&mut nature).expect("nature's turn");
                game.happen(&deal, &mut events).expect("what nature drew");
            }
            Turn::Seat(seat) => {
                // Only the random player reads the list, and only from it needs all moves.
                let mut legal = Vec::new();
                let listing = game.legal_moves(&mut legal);
                let heading = Heading {
                    id: MatchId([0; 16]),
                    seat,
                    number,
                    time: 1000,
                    seed: bot_seeds.seed(seat, number),
                };
                let history = events.iter().filter_map(|event| seen_by(event, seat));
                let history = history.map(Entry::Event).collect();
                let view = game.view(seat);
                let request = Request { options, heading, view, history, legal, listing };
                watch(&request);
                let mv = players[seat.index()].choose(&request).expect("a move");
                game.play(&mv, &mut events).expect("a legal move");
                number += 1;
            }
        }
    }
}
