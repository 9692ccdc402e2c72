//! Speed of the players in one process, and of what they and the referee do most.
//!
//! `cargo bench -p bots` runs all of it; the items counted are games, nodes of the search, and
//! calls.

#[path = "../tests/it/in_process.rs"]
mod in_process;

use std::hint::black_box;
use std::num::NonZeroUsize;

use bots::options::{SearchSettings, TimeLimit};
use bots::tablic::minimax::Minimax;
use bots::tablic::{Tablic, best_move};
use divan::Bencher;
use divan::counter::ItemsCount;
use rules::coup::Coup;
use rules::durak::Durak;
use rules::tablic::capture::may_capture;
use rules::tablic::{Move, Options, captures};
use rules::{BotSeed, Card, CardSet, Game, GameKind, Request, Seed, Turn};
use search::alpha_beta::Unlimited;
use simulation::{BuiltInPlayer, SeatOrder, Simulation};

fn main() {
    divan::main();
}

/// Whole games of two seats, each of another deal.
const GAMES: u64 = 20;

#[divan::bench(args = [
    "random random",
    "greedy greedy",
    "greedy random",
    "minimax --depth 1 --time none greedy",
    "minimax --depth 2 --time none greedy",
    "minimax --depth 3 --time none greedy",
])]
fn games(bencher: Bencher, players: &str) {
    play(bencher, GameKind::of::<Tablic>(), players);
}

#[divan::bench(args = [
    "random random",
    "greedy greedy",
    "calculator greedy",
    "minimax --depth 1 --time none greedy",
    "minimax --depth 2 --time none greedy",
])]
fn games_of_coup(bencher: Bencher, players: &str) {
    play(bencher, GameKind::of::<Coup>(), players);
}

#[divan::bench(args = [
    "random random",
    "lowest lowest",
    "greedy greedy",
    "minimax --depth 1 --time none greedy",
    "minimax --time none greedy",
])]
fn games_of_durak(bencher: Bencher, players: &str) {
    play(bencher, GameKind::of::<Durak>(), players);
}

fn play(bencher: Bencher, kind: GameKind, players: &str) {
    let (one, other) = players.rsplit_once(' ').unwrap_or((players, players));
    let simulation = Simulation {
        kind,
        options: "seats=2".to_owned(),
        players: [one, other].map(built_in).into(),
        order: SeatOrder::Fixed,
        deals: GAMES,
        seed: Seed([7; 32]),
    };
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let played =
            simulation.run(NonZeroUsize::MIN, &mut |played| drop(black_box(played.clone())));
        played.expect("built-in players play on")
    });
}

/// A player by the words of its command.
fn built_in(command: &str) -> BuiltInPlayer {
    let mut words = command.split(' ').map(str::to_owned);
    let program = words.next().unwrap_or_default();
    BuiltInPlayer { name: program.clone(), program, options: words.collect() }
}

/// The requests of some games between greedy players that satisfy this.
fn requests(seats: usize, wanted: impl Fn(&Request<Tablic>) -> bool) -> Vec<Request<Tablic>> {
    let mut found = Vec::new();
    let mut players: Vec<_> = (0..seats).map(|_| in_process::player("greedy")).collect();
    for deal in 0..4 {
        in_process::play(deal, &mut players, |request| {
            if wanted(request) {
                found.push(request.clone());
            }
        });
    }
    found
}

/// Nodes of the search, on the first moves of deals before the last, and in the last one.
#[divan::bench(args = ["2 seats", "2 seats, last deal", "4 seats", "4 seats, last deal"])]
fn search(bencher: Bencher, of: &str) {
    let seats = if of.starts_with('2') { 2 } else { 4 };
    let is_last = of.ends_with("last deal");
    let requests = requests(seats, |request| {
        let begins = request.view.hand.len() == if seats == 4 && is_last { 3 } else { 6 };
        begins && (request.view.talon == 0) == is_last
    });
    let depth = if seats == 2 { 3 } else { 1 };
    let mut player = Minimax::new(SearchSettings { depth, time: TimeLimit::None });
    let mut all = || {
        let nodes = requests.iter().map(|request| {
            let decision = player.decide(request, &mut Unlimited).ok();
            decision.and_then(|decision| decision.outcome).map_or(0, |found| found.counts.nodes)
        });
        nodes.sum::<u64>()
    };
    let nodes = all();
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| black_box(all()));
}

const TABLE_SIZES: [usize; 7] = [2, 4, 8, 12, 16, 26, 51];

/// A game begins with four cards on the table.
const GAME_TABLE_SIZES: [usize; 6] = [4, 8, 12, 16, 26, 51];

/// Tables of this many cards, each with a card to play.
fn tables(cards: usize) -> Vec<(Card, CardSet)> {
    let mut nature = BotSeed([2; 8]).nature();
    let tables = (0..64).filter_map(|_| {
        let mut pack = CardSet::PACK;
        Some((nature.draw(&mut pack)?, nature.draw_many(&mut pack, cards)))
    });
    tables.collect()
}

/// The captures of one card as a request lists them, which is what listing moves takes.
#[divan::bench(args = TABLE_SIZES)]
fn list_captures(bencher: Bencher, cards: usize) {
    let tables = tables(cards);
    bencher.counter(ItemsCount::new(tables.len())).bench_local(|| {
        for (card, table) in &tables {
            black_box(captures(card.rank(), *table, 1000));
        }
    });
}

/// Checks that a card may capture the whole table, the hardest question to the rules.
#[divan::bench(args = TABLE_SIZES)]
fn capture_all(bencher: Bencher, cards: usize) {
    let tables = tables(cards);
    bencher.counter(ItemsCount::new(tables.len())).bench_local(|| {
        for (card, table) in &tables {
            black_box(may_capture(card.rank(), *table));
        }
    });
}

/// Games in which all cards were laid down until `cards` lay on the table.
fn games_with_table(cards: usize) -> Vec<Tablic> {
    let game = |deal| {
        let mut nature = Seed([5; 32]).nature(deal);
        let mut game = Tablic::new(&Options::default());
        let mut events = Vec::new();
        loop {
            match game.turn() {
                Turn::Nature => {
                    let deal = game.sample(&mut nature)?;
                    game.happen(&deal, &mut events).ok()?;
                }
                Turn::Seat(_) if game.table().len() == cards => return Some(game),
                Turn::Seat(seat) => {
                    game.play(&Move::lay_down(nature.draw(&mut game.hand(seat))?), &mut events)
                        .ok()?;
                }
                Turn::Over(_) => return None,
            }
        }
    };
    (0..16).filter_map(game).collect()
}

/// The list of legal moves for a request, all cards of the hand together.
#[divan::bench(args = GAME_TABLE_SIZES)]
fn legal_moves(bencher: Bencher, cards: usize) {
    let games = games_with_table(cards);
    let mut moves = Vec::new();
    bencher.counter(ItemsCount::new(games.len())).bench_local(|| {
        for game in &games {
            moves.clear();
            let _ = black_box(game.legal_moves(&mut moves));
        }
    });
}

/// Checks the move of greedy, whose capture grows with the table.
#[divan::bench(args = GAME_TABLE_SIZES)]
fn check(bencher: Bencher, cards: usize) {
    let games = games_with_table(cards);
    let moves: Vec<Move> = games
        .iter()
        .filter_map(|game| {
            let Turn::Seat(seat) = game.turn() else { return None };
            best_move(game.hand(seat), game.table())
        })
        .collect();
    bencher.counter(ItemsCount::new(games.len())).bench_local(|| {
        for (game, mv) in games.iter().zip(&moves) {
            black_box(game.check(mv).is_ok());
        }
    });
}
