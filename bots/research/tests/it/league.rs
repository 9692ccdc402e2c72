//! The program `league`: its pool, and what replays say about it.

use std::num::{NonZeroU32, NonZeroUsize};

use research::league::chooser::Rule;
use research::league::players::Mixture;
use research::league::pool::Pool;
use research::league::replay::{After, Setting, replay};
use research::league::scenario::Scenario;
use research::league::simulation::simulate;
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
    for rule in Rule::ALL {
        let afters = replay(&pool, &setting(12), rule, &SEED, two).expect("replays");
        assert_eq!(afters.len(), 12);
        assert_eq!(afters[11], After { right: 1.0, pairs: 1.0 }, "{rule}");
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

/// The choice of tables must not make intervals wrong. The rule before it held the truth in 61%.
#[test]
fn intervals_of_equal_bots_hold_the_truth_in_a_league() {
    let scenarios = Scenario::all();
    let equal = scenarios.into_iter().find(|it| it.name == "6 equal bots").expect("it is there");
    let equal = Scenario { games: equal.looks[1], ..equal };
    let last = |rule| {
        let two = NonZeroUsize::new(2).expect("it is not 0");
        let found = simulate(&equal, rule, number(24), &SEED, two).expect("a simulation");
        let look = found.looks[1];
        [look.coverage, look.called].map(|mean| mean.expect("there are pairs").value)
    };
    let is_right = |[coverage, called]: [f64; 2]| coverage >= 0.87 && called <= 0.15;
    for rule in [Rule::RoundRobin, Rule::HalfAndHalf] {
        assert!(is_right(last(rule)), "{rule}: {:?}", last(rule));
    }
    assert!(!is_right(last(Rule::Earlier)), "{:?}", last(Rule::Earlier));
}

#[test]
fn a_simulation_is_the_same_again_with_any_number_of_threads() {
    let scenarios = Scenario::all();
    let ordered = scenarios.into_iter().find(|it| it.seats == 3).expect("it is there");
    let few = Scenario { games: 600, strengths: vec![300.0, 0.0, -300.0, -700.0], ..ordered };
    let with = |workers| {
        let workers = NonZeroUsize::new(workers).expect("it is not 0");
        simulate(&few, Rule::HalfAndHalf, number(3), &SEED, workers).expect("a simulation")
    };
    let found = with(1);
    assert_eq!(found, with(3));
    assert!(found.until_sure.is_some_and(|sure| sure.right == Some(1.0)), "{found:?}");
}
