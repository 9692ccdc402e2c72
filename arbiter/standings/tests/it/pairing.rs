//! Pairing in a league.

use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroUsize};

use proptest::prelude::*;
use rules::Seed;
use standings::Entrant;
use standings::pairing::{
    AvailableBot, ChosenTable, Meetings, OPEN, Reason, RoundSpec, Strength, Table, choose,
};

const SEED: Seed = Seed([7; 32]);

fn round(number: u64, seats: usize, tables: usize, deals: u32) -> RoundSpec {
    RoundSpec {
        number,
        seats: seats.try_into().expect("2 to 6 seats"),
        tables: NonZeroUsize::new(tables).expect("a table"),
        deals: NonZeroU32::new(deals).expect("a deal"),
    }
}

fn known(rating: f64, error: f64) -> Strength {
    Strength::new(rating, error).expect("a strength")
}

fn candidate(deals: u64, rating: f64, error: f64) -> AvailableBot {
    AvailableBot { deals, strength: Some(known(rating, error)) }
}

fn table(bots: &[usize]) -> Table {
    Table::new(bots.iter().copied().map(Entrant)).expect("a table")
}

/// The meetings of these pairs on these deals.
fn met(pairs: &[([usize; 2], u64)]) -> Meetings {
    let mut meetings = Meetings::default();
    pairs.iter().for_each(|(pair, deals)| meetings.add(&table(pair), *deals));
    meetings
}

fn pairs(bots: usize) -> impl Iterator<Item = [Entrant; 2]> + Clone {
    (0..bots).flat_map(move |one| (one + 1..bots).map(move |other| [one, other].map(Entrant)))
}

fn is_open(bots: &[AvailableBot], [one, other]: [Entrant; 2]) -> bool {
    match (bots[one.0].strength, bots[other.0].strength) {
        (Some(one), Some(other)) => one.wrong_order(other) > OPEN,
        _ => true,
    }
}

/// Bots with deals and perhaps a strength, and on how many deals pairs of them have met.
fn leagues() -> impl Strategy<Value = (Vec<AvailableBot>, Meetings)> {
    let strength = prop::option::weighted(0.8, (-300.0..300.0, 1.0..100.0));
    let bots = prop::collection::vec((0u64..200, strength), 6..9);
    (bots, prop::collection::vec(0u64..4, 36)).prop_map(|(bots, deals)| {
        let bots: Vec<AvailableBot> = bots
            .into_iter()
            .map(|(deals, it)| AvailableBot {
                deals,
                strength: it.map(|(rating, error)| known(rating, error)),
            })
            .collect();
        let mut meetings = Meetings::default();
        for (pair, deals) in pairs(bots.len()).zip(deals) {
            meetings.add(&Table::new(pair).expect("a table"), 10 * deals);
        }
        (bots, meetings)
    })
}

/// The same where all bots have strengths and have met, if only through others.
fn rated_leagues() -> impl Strategy<Value = (Vec<AvailableBot>, Meetings)> {
    leagues().prop_map(|(mut bots, mut meetings)| {
        for (place, bot) in bots.iter_mut().enumerate() {
            bot.strength.get_or_insert(known(10.0 * place as f64, 30.0));
            meetings.connect(Entrant(0), Entrant(place.max(1)));
        }
        (bots, meetings)
    })
}

proptest! {
    #[test]
    fn tables_are_different_full_and_the_same_again(
        (bots, meetings) in leagues(),
        seats in 2usize..=6,
        tables in 1usize..=7,
        number in 0u64..4,
    ) {
        let possible = if bots.len() == seats { 1 } else { tables.min(bots.len()) };
        let round = round(number, seats, possible, 10);
        let chosen = tables_of(&bots, &meetings, &round, &SEED);
        prop_assert_eq!(chosen.len(), possible);
        prop_assert_eq!(chosen.iter().collect::<BTreeSet<_>>().len(), possible);
        prop_assert!(chosen.iter().all(|table| table.bots().count() == seats));
        prop_assert!(chosen.iter().all(|table| table.bots().all(|bot| bot.0 < bots.len())));
        prop_assert_eq!(&tables_of(&bots, &meetings, &round, &SEED), &chosen);
    }

    /// With two seats: the first half are the least-met open pairs, the second the least-met of all. Where all bots have
    /// ratings and have met, nothing but deals decides between pairs that have met as often.
    #[test]
    fn a_round_is_half_open_pairs_and_half_least_met_ones(
        (bots, mut meetings) in rated_leagues(),
        tables in 1usize..=12,
        number in 0u64..4,
    ) {
        let round = round(number, 2, tables, 10);
        let chosen = choose(&bots, &meetings, &round, &SEED).expect("a round");
        let of_all = (number as usize + 1) * tables / 2 - number as usize * tables / 2;
        let mut left: BTreeSet<[Entrant; 2]> = pairs(bots.len()).collect();
        let mut deals: Vec<u64> = bots.iter().map(|bot| bot.deals).collect();
        for (place, ChosenTable { table, reason }) in chosen.iter().enumerate() {
            let open = || left.iter().copied().filter(|pair| is_open(&bots, *pair));
            let is_of_open = place < tables - of_all && open().next().is_some();
            let among: Vec<[Entrant; 2]> =
                if is_of_open { open().collect() } else { left.iter().copied().collect() };
            let pair: [Entrant; 2] =
                table.bots().collect::<Vec<_>>().try_into().expect("two seats");
            let rank = |pair: [Entrant; 2]| {
                let played: u64 = pair.iter().map(|bot| deals[bot.0]).sum();
                (meetings.deals(pair[0], pair[1]), played)
            };
            prop_assert!(among.contains(&pair));
            prop_assert!(among.iter().all(|other| rank(pair) <= rank(*other)), "{place}");
            match *reason {
                Reason::Open(of, probability) => {
                    prop_assert!(is_of_open && of == pair && probability > OPEN);
                }
                Reason::LeastMet(of, on) => {
                    prop_assert!(!is_of_open && of == pair && on == rank(pair).0);
                }
            }
            meetings.add(table, 10);
            pair.iter().for_each(|bot| deals[bot.0] += 10);
            left.remove(&pair);
        }
    }

    /// Newcomers meet those who are there, with any number of seats, and all are connected as soon as they can be.
    #[test]
    fn new_bots_meet_rated_ones_over_the_whole_ladder(
        rated in 1usize..12,
        new in 1usize..20,
        seats in 2usize..=4,
        seed in any::<u8>(),
    ) {
        prop_assume!(rated + new > seats);
        let mut bots: Vec<AvailableBot> =
            (0..rated).map(|it| candidate(500, 50.0 * it as f64, 10.0)).collect();
        bots.resize(rated + new, AvailableBot { deals: 0, strength: None });
        let mut meetings = Meetings::default();
        for [one, other] in pairs(rated) {
            meetings.add(&Table::new([one, other]).expect("a table"), 100);
        }
        let round = round(0, seats, bots.len(), 10);
        let tables = tables_of(&bots, &meetings, &round, &Seed([seed; 32]));
        let is_rated = |bot: Entrant| bot.0 < rated;
        for bot in (rated..bots.len()).map(Entrant) {
            let own: Vec<&Table> = tables.iter().filter(|table| table.seats(bot)).collect();
            let mixed = own.iter().filter(|table| table.bots().any(is_rated)).count();
            prop_assert!(!own.is_empty() && 2 * mixed >= own.len(), "{bot:?}: {own:?}");
            let thirds: BTreeSet<usize> = own
                .iter()
                .flat_map(|table| table.bots().filter(|other| is_rated(*other)))
                .map(|other| (rated - 1 - other.0) * 3 / rated)
                .collect();
            if seats == 2 {
                prop_assert!(thirds.len() >= mixed.min(3).min(rated), "{bot:?}: {own:?}");
            }
        }
    }

    /// With any results, each pair gets its share of the second halves: no order is settled for good.
    #[test]
    fn no_pair_stops_meeting(
        ratings in prop::collection::vec(-2000.0..2000.0, 5..8),
        tables in 1usize..=5,
    ) {
        const ROUNDS: u64 = 60;
        let mut meetings = Meetings::default();
        let mut deals = vec![0; ratings.len()];
        for number in 0..ROUNDS {
            let bots: Vec<AvailableBot> = ratings
                .iter()
                .zip(&deals)
                .map(|(rating, deals)| candidate(*deals, *rating, 10.0))
                .collect();
            for table in tables_of(&bots, &meetings, &round(number, 2, tables, 1), &SEED) {
                meetings.add(&table, 1);
                table.bots().for_each(|bot| deals[bot.0] += 1);
            }
        }
        let count = pairs(ratings.len()).count() as u64;
        let fair = ROUNDS * tables as u64 / 2 / count;
        for [one, other] in pairs(ratings.len()) {
            let deals = meetings.deals(one, other);
            prop_assert!(deals + 1 >= fair, "{} and {} met on {deals}, expected {fair}", one.0, other.0);
        }
    }
}

/// The tables of a round, without why they are there.
fn tables_of(
    bots: &[AvailableBot],
    meetings: &Meetings,
    round: &RoundSpec,
    seed: &Seed,
) -> Vec<Table> {
    let chosen = choose(bots, meetings, round, seed).expect("a round");
    chosen.into_iter().map(|chosen| chosen.table).collect()
}

#[test]
fn a_pair_is_open_up_to_two_and_a_half_standard_errors() {
    let first = |apart: f64| {
        let bots = [candidate(100, apart, 30.0), candidate(100, 0.0, 40.0)];
        choose(&bots, &met(&[([0, 1], 20)]), &round(0, 2, 1, 10), &SEED).expect("a round").remove(0)
    };
    let pair = [Entrant(0), Entrant(1)];
    // The difference has a standard error of 50.
    let open = first(124.9);
    assert!(
        matches!(open.reason, Reason::Open(of, wrong) if of == pair && (wrong - OPEN).abs() < 1e-4),
        "{open:?}"
    );
    assert_eq!(first(125.1).reason, Reason::LeastMet(pair, 20));
}

#[test]
fn of_open_pairs_the_least_met_is_first_and_not_the_least_certain() {
    let bots = [candidate(90, 10.0, 30.0), candidate(90, 0.0, 30.0), candidate(90, -70.0, 30.0)];
    let meetings = met(&[([0, 1], 30), ([0, 2], 20), ([1, 2], 30)]);
    let first = tables_of(&bots, &meetings, &round(0, 2, 1, 10), &SEED);
    assert_eq!(first, [table(&[0, 2])]);
}

#[test]
fn of_pairs_that_have_met_as_often_those_with_fewer_deals_are_first_and_then_the_seed_decides() {
    let bots = |last| [90, 90, 90, last].map(|deals| candidate(deals, 0.0, 30.0));
    let first = |last, seed| {
        tables_of(&bots(last), &Meetings::default(), &round(0, 2, 1, 10), &Seed([seed; 32]))
            .remove(0)
    };
    assert!((0..20).all(|seed| first(80, seed).seats(Entrant(3))));
    let drawn: BTreeSet<Table> = (0..60).map(|seed| first(90, seed)).collect();
    assert_eq!(drawn.len(), 6);
}

#[test]
fn a_bot_that_has_met_no_other_comes_first() {
    let mut bots = vec![candidate(500, 0.0, 5.0); 4];
    bots.push(AvailableBot { deals: 0, strength: None });
    let meetings = met(&[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|pair| (pair, 200)));
    let tables = tables_of(&bots, &meetings, &round(1, 2, 4, 10), &SEED);
    assert!(tables.iter().all(|table| table.seats(Entrant(4))), "{tables:?}");
}

#[test]
fn a_batch_of_newcomers_does_not_play_among_itself() {
    let mut bots: Vec<AvailableBot> =
        (0..12).map(|it| candidate(400, 30.0 * f64::from(it), 20.0)).collect();
    bots.resize(32, AvailableBot { deals: 0, strength: None });
    let mut meetings = Meetings::default();
    for [one, other] in pairs(12) {
        meetings.add(&table(&[one.0, other.0]), 40);
    }
    let tables = tables_of(&bots, &meetings, &round(3, 2, 32, 10), &SEED);
    let is_mixed = |table: &&Table| table.bots().filter(|bot| bot.0 < 12).count() == 1;
    assert_eq!(tables.iter().filter(is_mixed).count(), 32, "{tables:?}");
}

#[test]
fn groups_without_a_chain_of_games_are_joined_first() {
    // Two pairs of bots have met, and 4 has met 0 through a bot that has left.
    let bots = vec![candidate(90, 0.0, 30.0); 5];
    let mut meetings = met(&[([0, 1], 30), ([2, 3], 30)]);
    meetings.connect(Entrant(0), Entrant(4));
    let joins = |seed| {
        let first = tables_of(&bots, &meetings, &round(0, 2, 1, 10), &Seed([seed; 32])).remove(0);
        first.seats(Entrant(2)) != first.seats(Entrant(3))
    };
    assert!((0..40).all(joins));
    // A first round connects all that it can.
    let bots = vec![AvailableBot { deals: 0, strength: None }; 9];
    let tables = tables_of(&bots, &Meetings::default(), &round(0, 2, 8, 10), &SEED);
    let mut reached = BTreeSet::from([Entrant(0)]);
    for _ in 0..8 {
        let next = |table: &&Table| table.bots().any(|bot| reached.contains(&bot));
        let found: Vec<Entrant> = tables.iter().filter(next).flat_map(|it| it.bots()).collect();
        reached.extend(found);
    }
    assert_eq!(reached.len(), 9, "{tables:?}");
}

#[test]
fn the_halves_have_the_odd_table_in_turn() {
    let bots = vec![candidate(90, 0.0, 30.0); 6];
    let open = |number| {
        let chosen = choose(&bots, &Meetings::default(), &round(number, 2, 3, 10), &SEED);
        let chosen = chosen.expect("a round");
        chosen.iter().filter(|it| matches!(it.reason, Reason::Open(..))).count()
    };
    assert_eq!([0, 1, 2, 3, u64::MAX].map(open), [2, 1, 2, 1, 1]);
}

#[test]
fn a_further_seat_goes_to_the_bot_that_has_met_those_at_the_table_least() {
    // 0 and 1 have met least; 4 has met both together less than 2 and 3 have, but it is far ahead.
    let bots = [0.0, 0.0, 0.0, 0.0, 900.0].map(|rating| candidate(90, rating, 10.0));
    let meetings = met(&[
        ([0, 2], 40),
        ([0, 3], 30),
        ([0, 4], 10),
        ([1, 2], 20),
        ([1, 3], 40),
        ([1, 4], 10),
        ([2, 3], 50),
        ([2, 4], 50),
        ([3, 4], 50),
    ]);
    let tables = tables_of(&bots, &meetings, &round(0, 3, 2, 10), &SEED);
    assert_eq!(tables[0], table(&[0, 1, 2]), "open pairs are joined by a bot that is open to both");
    assert_eq!(tables[1], table(&[0, 1, 4]), "of all pairs, only meetings count");
}

#[test]
fn what_cannot_be_a_round_is_refused() {
    let bots = [candidate(50, 0.0, 10.0), candidate(50, 1.0, 10.0), candidate(50, 2.0, 10.0)];
    let refused = |seats, tables, meetings: &Meetings| {
        let chosen = choose(&bots, meetings, &round(0, seats, tables, 1), &SEED);
        chosen.expect_err("no round").to_string()
    };
    let none = Meetings::default();
    assert_eq!(refused(4, 1, &none), "3 bots for tables of 4: add bots");
    let many = "4 tables per round: only 3 different ones exist";
    assert_eq!(refused(2, 4, &none), many);
    let gone = met(&[([1, 3], 5)]);
    let stranger = "bot 3 has met an unknown bot, expected one of 3 bots counted from 0";
    assert_eq!(refused(2, 1, &gone), stranger);
}
