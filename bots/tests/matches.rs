//! Whole games between the players, played in this process on the rules alone.

use bots::Player;
use bots::tablic::{Greedy, Random};
use rules::tablic::{Options, Tablic};
use rules::wire::{Heading, Request};
use rules::{Game, MatchId, PerSeat, Score, Seed, Turn};

/// Plays one game between players by seat, checking that every move is legal.
fn play(deal: u64, players: &mut [&mut dyn Player<Tablic>]) -> PerSeat<Score> {
    let seed = Seed([9; 32]);
    let (mut nature, bot_seeds) = (seed.nature(deal), seed.bots(deal));
    let options = Options::default();
    let mut game = Tablic::new(&options);
    let mut number = 0;
    let mut events = Vec::new();
    loop {
        match game.turn() {
            Turn::Over(scores) => return scores,
            Turn::Nature => {
                let deal = game.sample(&mut nature).expect("nature's turn");
                game.happen(&deal, &mut events).expect("what nature drew");
            }
            Turn::Seat(seat) => {
                let mut legal = Vec::new();
                let listing = game.legal_moves(&mut legal);
                let heading = Heading {
                    id: MatchId([0; 16]),
                    seat,
                    number,
                    time: 1000,
                    seed: bot_seeds.seed(seat, number),
                };
                let view = game.view(seat);
                let request = Request { options, heading, view, history: vec![], legal, listing };
                let mv = players[seat.index()].choose(&request).expect("a move");
                assert_eq!(players[seat.index()].choose(&request), Ok(mv), "not determined");
                game.play(&mv, &mut events).expect("a legal move");
                number += 1;
            }
        }
    }
}

#[test]
fn greedy_wins_clearly_against_random() {
    let mut wins = 0;
    let mut points = [0.0; 2];
    for deal in 0..100 {
        for seat in 0..2 {
            let mut players: [&mut dyn Player<Tablic>; 2] = [&mut Greedy, &mut Random];
            players.rotate_left(seat);
            let scores = play(deal, &mut players);
            let [greedy, random] = [seat, 1 - seat].map(|seat| scores.values()[seat]);
            wins += u32::from(greedy > random);
            points[0] += greedy.as_f64() / 200.0;
            points[1] += random.as_f64() / 200.0;
        }
    }
    println!("greedy won {wins} of 200 games, {:.1} : {:.1} points", points[0], points[1]);
    assert!(wins >= 190, "greedy won only {wins} of 200 games");
}
