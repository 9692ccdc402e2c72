//! Whole games of Tablić between players in this process, on the rules alone.

use bots::tablic::Tablic;
use bots::{AnyPlayer, Players};
use rules::tablic::{Event, Options, SeatCount};
use rules::{BotSeed, Entry, Game, GameId, PerSeat, Score, Seat, Seed, Turn, seen_by};
use rules::{Request, RequestHeading};

/// A player by its command line: `minimax --depth 2`.
pub(crate) fn player(text: &str) -> AnyPlayer<Tablic> {
    let mut words = text.split_ascii_whitespace().map(str::to_owned);
    let name = words.next().expect("a name");
    Tablic::player(&name, &words.collect::<Vec<_>>()).expect("a player")
}

/// Plays one game between as many players, and shows every request to `watch`.
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
                let request =
                    request_to(&game, options, seat, &events, bot_seeds.seed(seat, number));
                watch(&request);
                let mv = players[seat.index()].choose(&request).expect("a move");
                game.play(&mv, &mut events).expect("a legal move");
                number += 1;
            }
        }
    }
}

/// The request to this seat of this game after these events.
pub(crate) fn request_to(
    game: &Tablic,
    options: Options,
    seat: Seat,
    events: &[Event],
    seed: BotSeed,
) -> Request<Tablic> {
    let mut legal = Vec::new();
    let listing = game.legal_moves(&mut legal);
    let moves = events.iter().filter(|event| matches!(event, Event::Move { .. }));
    let number = moves.count() as u32;
    let (id, bank, retry) = (GameId([0; 16]), None, None);
    let heading = RequestHeading { id, seat, number, time: 1000, bank, seed, retry };
    let history = events.iter().filter_map(|event| seen_by(event, seat)).map(Entry::Event);
    let history = history.collect();
    Request { options, heading, view: game.view(seat), history, legal, listing }
}
