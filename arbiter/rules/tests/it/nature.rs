//! The generator of chance against vectors of an independent implementation of ChaCha20, and what
//! must hold of its streams.
//!
//! The vectors use the original layout of ChaCha20: a block counter of 64 bits, then a number of
//! the stream of 64 bits.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use rules::tablic::{Deal, Options, SeatCount, Tablic};
use rules::{BotSeed, BotSeedKey, Game, GameId, Nature, Seat, Seed, Turn};
use serde::Deserialize;

const VECTORS: &str = include_str!("../vectors/nature.jsonl");

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Vector {
    Below { seed: Seed, deal: u64, bound: u32, numbers: Vec<u32> },
    Deals { seed: Seed, deal: u64, seats: usize, deals: Vec<String> },
    Bots { seed: Seed, deal: u64, key: BotSeedKey, seeds: Vec<(Seat, u32, BotSeed)> },
    Name { seed: Seed, game: u64, name: GameId },
    Choices { seed: BotSeed, bound: u32, numbers: Vec<u32> },
}

fn numbers(mut nature: Nature, bound: u32, count: usize) -> Vec<u32> {
    let bound = NonZeroU32::new(bound).unwrap();
    (0..count).map(|_| nature.below(bound)).collect()
}

/// The deals of one game, where the seats choose their moves by a rule.
fn deals(seats: usize, nature: &mut Nature, choose: impl Fn(usize) -> usize) -> Vec<Deal> {
    let mut game = Tablic::new(&Options { seats: SeatCount::new(seats).unwrap() });
    let mut deals = Vec::new();
    loop {
        match game.turn() {
            Turn::Nature => {
                let deal = game.sample(nature).unwrap();
                game.happen(&deal, &mut Vec::new()).unwrap();
                deals.push(deal);
            }
            Turn::Seat(_) => {
                let mut moves = Vec::new();
                let _ = game.legal_moves(&mut moves);
                game.play(&moves[choose(moves.len())], &mut Vec::new()).unwrap();
            }
            Turn::Over(_) => return deals,
        }
    }
}

#[test]
fn the_generator_gives_what_the_vectors_say() {
    for line in VECTORS.lines() {
        match serde_json::from_str(line).unwrap() {
            Vector::Below { seed, deal, bound, numbers: expected } => {
                assert_eq!(numbers(seed.nature(deal), bound, expected.len()), expected, "{line}");
            }
            Vector::Deals { seed, deal, seats, deals: expected } => {
                let deals = deals(seats, &mut seed.nature(deal), |_| 0);
                let texts: Vec<String> = deals.iter().map(Deal::to_string).collect();
                assert_eq!(texts, expected, "{line}");
            }
            Vector::Bots { seed, deal, key, seeds } => {
                let bots = seed.bots(deal);
                assert_eq!(bots, key, "{line}");
                for (seat, request, expected) in seeds {
                    assert_eq!(bots.seed(seat, request), expected, "{line}");
                }
            }
            Vector::Name { seed, game, name } => assert_eq!(seed.name(game), name, "{line}"),
            Vector::Choices { seed, bound, numbers: expected } => {
                assert_eq!(numbers(seed.nature(), bound, expected.len()), expected, "{line}");
            }
        }
    }
}

#[test]
fn streams_for_deals_bots_and_names_differ() {
    let seed = Seed([3; 32]);
    let mut first_bytes = BTreeSet::new();
    for number in 0..100 {
        let mut deal = seed.nature(number);
        let word = NonZeroU32::new(1 << 31).unwrap();
        let deal: Vec<u8> = (0..2).flat_map(|_| deal.below(word).to_le_bytes()).collect();
        let mut of_31_bits = |bytes: &[u8]| {
            let mut bytes = bytes[..8].to_vec();
            bytes[3] &= 0x7f;
            bytes[7] &= 0x7f;
            assert!(first_bytes.insert(bytes), "{number}");
        };
        of_31_bits(&deal);
        of_31_bits(&seed.bots(number).0);
        of_31_bits(&seed.name(number).0);
        for (seat, request) in [(0, 0), (0, 1), (1, 0)] {
            of_31_bits(&seed.bots(number).seed(Seat::new(seat).unwrap(), request).0);
        }
    }
}

#[test]
fn a_seed_deals_the_same_cards_in_the_same_places_in_every_game() {
    let seed = Seed([4; 32]);
    for seats in SeatCount::ALL.map(SeatCount::get) {
        for deal in 0..5 {
            let first = deals(seats, &mut seed.nature(deal), |_| 0);
            assert_eq!(deals(seats, &mut seed.nature(deal), |count| count - 1), first);
            assert_eq!(deals(seats, &mut seed.nature(deal), |count| count / 2), first);
            assert_ne!(deals(seats, &mut seed.nature(deal + 1), |_| 0), first);
        }
    }
}

#[test]
fn sampling_changes_nothing() {
    let game = Tablic::new(&Options::default());
    let seed = Seed([4; 32]);
    assert_eq!(game.sample(&mut seed.nature(0)), game.sample(&mut seed.nature(0)));
}

/// The chi-square statistic of counts that should all be equal.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

#[test]
fn numbers_below_a_bound_are_equally_likely() {
    // A bound with five standard deviations above the mean of the statistic.
    for bound in [2, 3, 6, 10, 52, 256] {
        let mut counts = vec![0; bound as usize];
        for number in numbers(Seed([6; 32]).nature(0), bound, 1000 * bound as usize) {
            counts[number as usize] += 1;
        }
        let freedom = f64::from(bound - 1);
        let statistic = chi_square(&counts);
        assert!(statistic < freedom + 5.0 * (2.0 * freedom).sqrt(), "{bound}: {statistic}");
    }
    // With a bound of three quarters of all words, a plain remainder would give a third twice.
    let bound = 3 << 30;
    let low = numbers(Seed([6; 32]).nature(0), bound, 30_000);
    let low = low.iter().filter(|number| **number < bound / 3).count();
    assert!((9_500..10_500).contains(&low), "{low}");
}

#[test]
fn every_card_is_equally_likely_in_every_place() {
    let seed = Seed([7; 32]);
    let mut on_table = vec![0; 52];
    let mut in_first_hand = vec![0; 52];
    for deal in 0..2000 {
        let mut game = Tablic::new(&Options::default());
        let mut nature = seed.nature(deal);
        for counts in [&mut on_table, &mut in_first_hand] {
            let deal = game.sample(&mut nature).unwrap();
            game.happen(&deal, &mut Vec::new()).unwrap();
            for card in deal.cards {
                counts[usize::from(card.place())] += 1;
            }
        }
    }
    // Five standard deviations above the mean with 51 degrees of freedom.
    assert!(chi_square(&on_table) < 101.5, "{on_table:?}");
    assert!(chi_square(&in_first_hand) < 101.5, "{in_first_hand:?}");
}

#[test]
fn a_match_seed_is_not_printed() {
    assert_eq!(format!("{:?}", Seed([9; 32])), "Seed(secret)");
}

#[test]
fn orders_of_players_have_a_stream_of_their_own() {
    let seed = Seed([5; 32]);
    let bound = 1_000_000.try_into().unwrap();
    let drawn = |mut nature: Nature| -> Vec<u32> { (0..4).map(|_| nature.below(bound)).collect() };
    assert_eq!(drawn(seed.order(3)), drawn(seed.order(3)));
    assert_ne!(drawn(seed.order(3)), drawn(seed.order(4)));
    assert_ne!(drawn(seed.order(3)), drawn(seed.nature(3)));
}
