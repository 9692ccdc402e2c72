//! Tournaments in which few bots met: sizes grow with the pairs that did.

use proptest::prelude::*;
use standings::output::{csv_crosstable, json};
use standings::{Game, ReplicateCount, StandingsSetup, Tally};

use crate::tools::{Chance, game, setup, tally};

/// Each bot meets those up to three places ahead, the last meet the first.
fn ring(bots: usize, deals: u64) -> Vec<Game> {
    let mut chance = Chance::new(bots as u64);
    let mut games = Vec::new();
    for deal in 0..deals {
        for bot in 0..bots {
            let other = (bot + 1 + deal as usize % 3) % bots;
            let points = [chance.below(9) as i32, chance.below(9) as i32];
            games.push(game(deal, &[bot, other], &points));
        }
    }
    games
}

#[test]
fn many_bots_have_as_many_pairs_as_met() {
    const BOTS: usize = 300;
    let names = (0..BOTS).map(|bot| format!("bot-{bot:04}")).collect();
    let tally = tally(StandingsSetup::new(names, 2), &ring(BOTS, 4));
    let standings = tally.standings();
    let all = &standings.all;
    assert_eq!(all.crosstable.len(), 3 * BOTS);
    let mut met = Vec::new();
    for row in 0..BOTS {
        for other in row + 1..BOTS {
            met.extend(all.pairing(row, other));
            let reversed = all.pairing(row, other).map(|pairing| pairing.reversed());
            assert_eq!(all.pairing(other, row), reversed);
        }
    }
    assert_eq!(met, all.crosstable);
    assert!(met.iter().all(|pairing| pairing.games > 0));
    // Those who play are all of them.
    assert_eq!(all.of_some(&|_| true), *all);
    let lines = csv_crosstable(&standings).unwrap().lines().count();
    assert_eq!(lines, 1 + 2 * 3 * BOTS);
    // With every two bots these would be about 14 and 2 MB.
    let (text, bytes) = (json(&standings).unwrap(), tally.to_bytes());
    assert!(text.len() < 1_200_000, "{}", text.len());
    assert!(bytes.len() < 200_000, "{}", bytes.len());
}

#[test]
fn bots_that_met_through_others_alone_are_compared() {
    let duels = [[0, 1], [1, 0], [1, 2], [2, 1]];
    let won = |seats: [usize; 2]| seats.map(|bot| -(bot as i32));
    let of_deal = |deal: u64| {
        // In one of five deals everything ends the other way round.
        let sign = if deal.is_multiple_of(5) { -1 } else { 1 };
        duels.map(|seats| game(deal, &seats, &won(seats).map(|points| sign * points)))
    };
    let games: Vec<Game> = (0..40).flat_map(of_deal).collect();
    let all = tally(setup(4, 2), &games).standings().all;
    let names: String = all.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, "abcd");
    assert_eq!(all.crosstable.len(), 2);
    assert_eq!(all.pairing(0, 2), None);
    assert_eq!(all.better(0, 1), all.crosstable[0].better);
    let better = all.better(0, 2).unwrap();
    assert!(better > 0.975, "{better}");
    assert_eq!(all.better(2, 0), Some(1.0 - better));
    assert_eq!(all.rows[0].rank_interval.unwrap().worst, 1);
    for (row, other) in [(0, 0), (0, 3), (3, 0), (0, 4), (usize::MAX, 0)] {
        assert_eq!((all.better(row, other), all.pairing(row, other)), (None, None));
    }
    // Two of them alone are still compared by all games.
    let some = all.of_some(&|name| name != "b");
    assert_eq!(some.crosstable, []);
    assert_eq!([some.better(0, 1), some.better(1, 0)], [Some(better), Some(1.0 - better)]);
    assert_eq!(some.rows[1].rank_interval.unwrap().best, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The number of deals is around those from which on replicates are kept instead, for some bots
    /// and not for others.
    #[test]
    fn neither_order_nor_a_pause_changes_standings(
        deals in 27u64..40,
        seats in 2usize..4,
        pauses in prop::collection::vec(0usize..200, 0..4),
        number in any::<u64>(),
    ) {
        let mut chance = Chance::new(number);
        let mut games = Vec::new();
        for deal in 0..deals {
            for first in 0..3 {
                let mut bots = [first, 3 + chance.below(2), (first + 1) % 3];
                chance.shuffle(&mut bots[..seats]);
                let points = [(); 3].map(|()| chance.below(5) as i32);
                games.push(game(deal * deal, &bots[..seats], &points[..seats]));
            }
        }
        let setup = StandingsSetup { replicates: ReplicateCount::LEAST, ..setup(5, seats) };
        let expected = tally(setup.clone(), &games).standings();
        chance.shuffle(&mut games);
        let mut tally = Tally::new(setup.clone());
        for (place, game) in games.iter().enumerate() {
            if pauses.contains(&place) {
                tally = Tally::from_bytes(setup.clone(), &tally.to_bytes()).unwrap();
            }
            tally.add(game).unwrap();
        }
        prop_assert_eq!(tally.standings(), expected);
    }
}

#[test]
fn damaged_bytes_are_refused_or_have_standings() {
    let setup = StandingsSetup { replicates: ReplicateCount::LEAST, ..setup(5, 3) };
    let mut chance = Chance::new(8);
    let mut games = Vec::new();
    for deal in 0..36 {
        let points = [(); 3].map(|()| chance.below(5) as i32);
        games.push(game(deal, &[0, 1, 2], &points));
        games.push(game(deal / 2, &[3, 1, 4], &points));
    }
    let bytes = tally(setup.clone(), &games).to_bytes();
    assert!(Tally::from_bytes(setup.clone(), &bytes).is_ok());
    let mut refused = 0;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let place = chance.below(damaged.len());
        damaged[place] ^= 1 << chance.below(7);
        match Tally::from_bytes(setup.clone(), &damaged) {
            Ok(tally) => assert_eq!(tally.standings().all.rows.len(), 5),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0);
    for length in 0..200 {
        assert!(Tally::from_bytes(setup.clone(), &bytes[..length]).is_err(), "{length}");
    }
}
