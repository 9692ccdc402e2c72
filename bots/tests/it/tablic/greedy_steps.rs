//! The work of the greedy player's search is bounded, however large the table is.

use bots::tablic::capture::best_from_many;
use rules::{BotSeed, CardSet, Rank};

/// Above the most steps that any table was found to take: about 74,000, some 1.3 milliseconds.
const MOST_STEPS: u64 = 150_000;

#[track_caller]
fn stays_within_bounds(table: CardSet) {
    for played in Rank::ALL {
        let steps = best_from_many(played, table).steps;
        assert!(steps < MOST_STEPS, "{steps} steps with {} on {table}", played.name());
    }
}

#[test]
fn tables_of_51_cards() {
    stays_within_bounds(CardSet::PACK);
    for card in CardSet::PACK {
        stays_within_bounds(CardSet::PACK - CardSet::one(card));
    }
}

#[test]
fn the_hardest_tables_found_by_hill_climbing() {
    let tables = [
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S 9D \
         9H 10S QC QD QH KC KD KH KS AC AD AH AS",
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 8C 8S JC JD JH JS \
         QD QH KC KD KH KS AC AD AH AS",
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6H 6S 7D 7H 7S 8H 8S 9C 9S JD JS QC \
         QD QH QS KC KD KH KS AC AD AH AS",
    ];
    tables.iter().for_each(|table| stays_within_bounds(table.parse().unwrap()));
}

#[test]
fn many_tables_at_random() {
    let mut nature = BotSeed([5; 8]).nature();
    for count in 13..=51 {
        for _ in 0..6 {
            stays_within_bounds(nature.draw_many(&mut CardSet::PACK.clone(), count));
        }
    }
}
