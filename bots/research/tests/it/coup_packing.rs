//! The packed table says what was learnt, and its player plays by it.

use bots::coup::Coup;
use bots::coup::expert::Expert;
use bots::coup::expert::packed::{LEVELS, PackedTable};
use bots::coup::expert::situation::Situation;
use bots::{AnyPlayer, Players};
use research::coup::node::STRATEGY;
use research::coup::pack::pack;
use research::coup::store::{Layout, Store, Table, place};
use rules::coup::Options;
use rules::{GameTerms, Seed};
use simulation::{TIME, play};

use crate::coup_training::trained;

/// Compares what a packed table says with what was learnt, and counts the hands.
fn compare(packed: &PackedTable, store: &Store) -> usize {
    let mut strategy = vec![0.0; STRATEGY];
    let mut hands = 0;
    for (key, record) in store.shards.iter().flat_map(|shard| shard.iter()) {
        let situation = Situation::of_key(key).expect("a situation");
        let layout = Layout::new(&situation);
        let sums = layout.sums(record);
        let whole: f32 = sums.iter().sum();
        store.strategy(&situation, &mut strategy);
        for (hand, chances) in packed.all_chances(&situation).into_iter().enumerate() {
            let options = situation.options(hand);
            let at = |choice| place(&situation, &layout, choice, hand);
            let own: f32 = (0..options).map(|choice| sums[at(choice)]).sum();
            assert_eq!(packed.chances(&situation, hand), chances, "{situation:?} hand {hand}");
            let total: u8 = chances.iter().sum();
            if options < 2 || own < 2e-4 * whole {
                continue;
            }
            assert_eq!(total, LEVELS, "{situation:?} hand {hand}");
            hands += 1;
            for choice in 0..options {
                let chance = f32::from(chances[choice]) / f32::from(LEVELS);
                let difference = (chance - strategy[at(choice)]).abs();
                assert!(difference < 1.01 / f32::from(LEVELS), "{situation:?} hand {hand}");
            }
        }
    }
    hands
}

#[test]
fn a_packed_table_says_what_was_learnt() {
    let training = trained(20, 1);
    let bytes = pack(&training.store, usize::MAX, 0.0);
    let packed = PackedTable::new(&bytes).expect("a table");
    assert!(compare(&packed, &training.store) > 1000);
}

#[test]
fn a_smaller_table_keeps_to_its_size_and_knows_every_situation() {
    let training = trained(20, 1);
    let most = 90_000;
    let bytes = pack(&training.store, most, 0.0);
    assert!(bytes.len() <= most, "{}", bytes.len());
    let packed = PackedTable::new(&bytes).expect("a table");
    let unknown = Situation { coins: [12, 12], ..Situation::START };
    assert!(packed.chances(&unknown, 14).iter().sum::<u8>() > 0);
}

#[test]
fn bytes_that_are_no_table_or_end_early_do_no_harm() {
    assert!(PackedTable::new(b"coupexp").is_none());
    assert!(PackedTable::new(b"coupexp1\xff\xff\xff\xff").is_none());
    let training = trained(4, 1);
    let bytes = pack(&training.store, usize::MAX, 0.0);
    for len in (0..bytes.len()).step_by(997) {
        if let Some(packed) = PackedTable::new(&bytes[..len]) {
            let options = Situation::START.options(3);
            let chances = packed.chances(&Situation::START, 3);
            assert!(chances[..options].iter().sum::<u8>() > 0);
        }
    }
}

#[test]
fn the_player_plays_whole_games() {
    let training = trained(150, 2);
    let bytes: &'static [u8] = pack(&training.store, usize::MAX, 0.0).leak();
    let packed = PackedTable::new(bytes).expect("a table");
    let seed = Seed([0xaa; 32]);
    for (deal, name) in
        ["random", "greedy", "calculator", "challenger"].repeat(50).iter().enumerate()
    {
        let deal = deal as u64;
        let terms = GameTerms::even(seed.name(deal), 2, TIME, seed.bots(deal));
        let other = Coup::player(name, &[]).expect("a player");
        let expert: AnyPlayer<Coup> = Box::new(Expert::safe(packed));
        let players = if deal % 8 < 4 { vec![expert, other] } else { vec![other, expert] };
        let played = play(&Options::default(), &terms, &mut seed.nature(deal), players);
        assert!(played.is_ok(), "{:?}", played.err());
    }
}
