//! The program `league`: its pool, and what replays say about it.

use std::num::{NonZeroU32, NonZeroUsize};

use research::league::players::Mixture;
use research::league::pool::Pool;
use research::league::replay::{After, Chooser, Setting, replay};
use research::league::table::games_until;
use rules::Seed;

const SEED: Seed = Seed([7; 32]);

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("it is not 0")
}

fn setting(rounds: u32) -> Setting {
    let tables = NonZeroUsize::MIN;
    Setting { tables, deals: number(15), rounds: number(rounds), runs: number(4) }
}

#[test]
fn players_far_apart_are_soon_in_order() {
    let players = ["random", "greedy", "greedy with 50% random"];
    let players: Vec<Mixture> =
        players.iter().map(|text| text.parse().expect("a player")).collect();
    let two = NonZeroUsize::new(2).expect("it is not 0");
    let pool = Pool::play(&players, number(40), &SEED, two).expect("a pool");
    assert_eq!(pool, Pool::play(&players, number(40), &SEED, NonZeroUsize::MIN).expect("a pool"));
    let order: Vec<usize> =
        pool.order().expect("an order").into_iter().map(|(player, _)| player).collect();
    assert_eq!(order, [1, 2, 0]);
    for chooser in [Chooser::League, Chooser::RoundRobin] {
        let afters = replay(&pool, &setting(12), chooser, &SEED, two).expect("replays");
        assert_eq!(afters.len(), 12);
        assert_eq!(afters[11], After { right: 1.0, pairs: 1.0 }, "{chooser:?}");
    }
}

#[test]
fn games_count_from_when_the_order_stays_right() {
    let afters: Vec<After> =
        [0.2, 0.96, 0.9, 0.95, 1.0].map(|right| After { right, pairs: 1.0 }).to_vec();
    assert_eq!(games_until(0.95, &afters, &setting(5)), Some(4 * 30));
    assert_eq!(games_until(0.1, &afters, &setting(5)), Some(30));
    assert_eq!(games_until(0.97, &afters, &setting(5)), Some(5 * 30));
    assert_eq!(games_until(0.97, &afters[..4], &setting(5)), None);
}
