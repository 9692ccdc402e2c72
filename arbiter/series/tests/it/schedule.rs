//! Drawn tables: that they are balanced, those of docs/reference/tournaments.md, and the same for all who ask.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use rules::{Nature, Seed};
use series::schedule::{Format, Orders, Schedule, ScheduleLine};

/// A tournament with drawn tables, each of them in one order, that of the list.
#[derive(Debug, Clone, Copy)]
struct Case {
    format: Format,
    seats: usize,
    players: usize,
    tables: u64,
    deals: u64,
    first_deal: u64,
    key: u8,
}

impl Case {
    fn round_robin(seats: usize, players: usize, tables: u64, deals: u64) -> Case {
        Case { format: Format::RoundRobin, seats, players, tables, deals, first_deal: 0, key: 3 }
    }

    fn gauntlet(seats: usize, players: usize, tables: u64, deals: u64) -> Case {
        Case { format: Format::Gauntlet, ..Case::round_robin(seats, players, tables, deals) }
    }

    fn line(self) -> ScheduleLine {
        let Case { format, tables, deals, first_deal, .. } = self;
        let (orders, tables) = (Orders::Listed, Some(tables));
        let listed = Vec::new();
        ScheduleLine { format, orders, deals, tables, listed, shard: None, block: None, first_deal }
    }

    fn schedule(self) -> Result<Schedule, String> {
        Schedule::tournament(&self.line(), self.seats, self.players, [self.key; 32])
    }
}

fn table(schedule: &Schedule, number: u64) -> Vec<usize> {
    schedule.seating(number).players.values().to_vec()
}

/// The difference between the greatest and the least number.
fn range(numbers: impl Iterator<Item = u64> + Clone) -> u64 {
    numbers.clone().max().unwrap_or(0) - numbers.min().unwrap_or(0)
}

/// Number of times that each bot has sat, and met each other one.
struct Counts {
    sat: Vec<u64>,
    met: Vec<Vec<u64>>,
}

impl Counts {
    fn none(players: usize) -> Counts {
        Counts { sat: vec![0; players], met: vec![vec![0; players]; players] }
    }

    fn add(&mut self, table: &[usize]) {
        for player in table {
            self.sat[*player] += 1;
            table.iter().for_each(|other| self.met[*player][*other] += 1);
        }
    }

    /// The meetings of all pairs of bots from this one on.
    fn pairs(&self, from: usize) -> impl Iterator<Item = u64> + Clone {
        let of = move |(player, met): (usize, &'_ Vec<u64>)| met[from..player].to_vec();
        self.met.iter().enumerate().skip(from).flat_map(of)
    }
}

/// Draws tables as docs/reference/tournaments.md says, taken literally: costs are counted anew for
/// each change.
fn by_the_page(case: Case) -> Vec<Vec<usize>> {
    let first = usize::from(case.format == Format::Gauntlet);
    let (n, all_seats) = (case.players - first, case.seats - first);
    let s = if 2 * all_seats > n { n - all_seats } else { all_seats };
    let every = subsets(n, all_seats);
    let is_most = 2 * case.tables > every.len() as u64;
    let t = if is_most { every.len() - case.tables as usize } else { case.tables as usize };
    let k = (32_768.max(3 * n)).div_ceil(t * s);
    let boundary = |cycle: usize| {
        let deal = case.first_deal + (cycle * k) as u64;
        let mut chance = Seed([case.key; 32]).order(deal);
        let order = shuffle((0..n).collect(), &mut chance);
        let cut = cycle * k * t * s % n;
        (order[..cut].to_vec(), order[cut..].to_vec(), chance)
    };
    let mut tables = Vec::new();
    for cycle in 0..(case.deals as usize).div_ceil(k) {
        let (_, mut begin, mut chance) = boundary(cycle);
        let (mut end, _, _) = boundary(cycle + 1);
        begin.sort_unstable();
        end.sort_unstable();
        let mut seats = vec![None; k * t * s];
        let mut met = vec![vec![0i64; n]; n];
        let last = seats.len() - end.len();
        for (seat, bot) in shuffle(end, &mut chance).into_iter().enumerate() {
            seats[last + seat] = Some(bot);
        }
        let (mut seat, mut bots) = (0, begin);
        loop {
            let before = seats.clone();
            for _ in 0..16 {
                let shuffled = shuffle(bots.clone(), &mut chance);
                for (index, bot) in shuffled.into_iter().enumerate() {
                    seats[seat + index] = Some(bot);
                }
                exchange(&mut seats, &before, seat..seat + bots.len(), (s, t), &met);
                if repeats(&seats, &before, seat..seat + bots.len(), (s, t)) == 0 {
                    break;
                }
            }
            for new in seat..seat + bots.len() {
                for old in (new / s * s..new / s * s + s)
                    .filter(|old| before[*old].is_some() || (seat..new).contains(old))
                {
                    let (one, other) = (seats[new].unwrap(), seats[old].unwrap());
                    met[one][other] += 1;
                    met[other][one] += 1;
                }
            }
            seat += bots.len();
            bots = (0..n).collect();
            if seat == last {
                break;
            }
        }
        for deal in seats.chunks(t * s) {
            let drawn: Vec<Vec<usize>> = deal
                .chunks(s)
                .map(|set| {
                    let set: BTreeSet<usize> = set.iter().map(|bot| bot.unwrap()).collect();
                    assert_eq!(set.len(), s, "{case:?}");
                    (0..n).filter(|bot| set.contains(bot) == (s == all_seats)).collect()
                })
                .collect();
            match is_most {
                true => tables.extend(every.iter().filter(|set| !drawn.contains(set)).cloned()),
                false => tables.extend(drawn),
            }
        }
    }
    tables.truncate((case.deals * case.tables) as usize);
    let with_first = |table: Vec<usize>| {
        let others = table.into_iter().map(|bot| bot + first);
        (0..first).chain(others).collect()
    };
    tables.into_iter().map(with_first).collect()
}

fn exchange(
    seats: &mut [Option<usize>],
    before: &[Option<usize>],
    round: std::ops::Range<usize>,
    (s, t): (usize, usize),
    met: &[Vec<i64>],
) {
    let cost = |seats: &[Option<usize>]| {
        let mut cost = repeats(seats, before, round.clone(), (s, t)) << 20;
        for table in round.start / s..=(round.end - 1) / s {
            for one in table * s..table * s + s {
                for other in one + 1..table * s + s {
                    if let (Some(bot), Some(with)) = (seats[one], seats[other]) {
                        cost += met[bot][with] + (i64::from(bot == with) << 26);
                    }
                }
            }
        }
        cost
    };
    let mut is_lower = true;
    while is_lower {
        is_lower = false;
        for one in round.clone() {
            for other in (one + 1..round.end).filter(|other| other / s != one / s) {
                let old = cost(seats);
                seats.swap(one, other);
                match cost(seats) < old {
                    true => is_lower = true,
                    false => seats.swap(one, other),
                }
            }
        }
    }
}

/// Number of full tables of a round that were full tables of the same deal before the round.
fn repeats(
    seats: &[Option<usize>],
    before: &[Option<usize>],
    round: std::ops::Range<usize>,
    (s, t): (usize, usize),
) -> i64 {
    let full = |seats: &[Option<usize>], table: usize| -> Option<Vec<usize>> {
        let mut bots: Vec<usize> =
            seats[table * s..][..s].iter().copied().collect::<Option<_>>()?;
        bots.sort_unstable();
        Some(bots)
    };
    let is_repeated = |table: &usize| {
        let deal = table / t * t..table / t * t + t;
        full(seats, *table).is_some_and(|bots| {
            deal.clone().any(|earlier| full(before, earlier).as_ref() == Some(&bots))
        })
    };
    (round.start / s..=(round.end - 1) / s).filter(is_repeated).count() as i64
}

fn shuffle(mut left: Vec<usize>, chance: &mut Nature) -> Vec<usize> {
    let mut order = Vec::new();
    while let Some(count) = NonZeroU32::new(left.len() as u32) {
        order.push(left.remove(chance.below(count) as usize));
    }
    order
}

fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let of = |bits: u32| (0..n).filter(|bot| bits >> bot & 1 == 1).collect::<Vec<_>>();
    let mut all: Vec<_> =
        (0..1u32 << n).filter(|bits| bits.count_ones() as usize == size).map(of).collect();
    all.sort();
    all
}

#[test]
fn they_are_those_of_the_page() {
    let cases = [
        Case::round_robin(3, 7, 2, 20),
        // Over the cut between two cycles.
        Case::round_robin(3, 7, 2, 5_470),
        Case::round_robin(2, 5, 4, 100),
        // Absent players are drawn, the tables that are left out, and both.
        Case::round_robin(4, 6, 3, 100),
        Case::round_robin(3, 6, 15, 2_200),
        Case::round_robin(4, 5, 4, 20),
        Case::gauntlet(3, 6, 4, 50),
        Case::gauntlet(2, 6, 2, 16_500),
        Case { first_deal: 40, key: 9, ..Case::gauntlet(4, 8, 5, 60) },
    ];
    for case in cases {
        let schedule = case.schedule().expect("a schedule");
        let tables: Vec<_> = (0..schedule.games()).map(|game| table(&schedule, game)).collect();
        assert_eq!(tables, by_the_page(case), "{case:?}");
    }
}

#[test]
fn they_stay_as_they_are() {
    let schedule = Case::round_robin(3, 7, 3, 4).schedule().expect("a schedule");
    let tables: Vec<_> = (0..12).map(|game| table(&schedule, game)).collect();
    let of_deals = [
        [[1, 2, 5], [0, 3, 4], [1, 3, 6]],
        [[2, 4, 6], [0, 5, 6], [0, 1, 2]],
        [[3, 4, 5], [0, 2, 3], [1, 4, 6]],
        [[2, 3, 5], [0, 5, 6], [1, 4, 5]],
    ];
    assert_eq!(tables, of_deals.concat());
}

#[test]
fn games_and_pairs_are_balanced_after_every_deal_and_no_table_is_there_twice() {
    // The measured range of meetings of a pair, over more numbers of bots and tables.
    for (seats, widest) in [(2, 2), (3, 3), (4, 4), (6, 6), (8, 6)] {
        for players in [seats + 1, 2 * seats + 1, 25] {
            for tables in [1, 5, 28] {
                for format in Format::OF_COMMAND_LINE {
                    let deals = 500u64.div_ceil(tables);
                    let case = Case { format, ..Case::round_robin(seats, players, tables, deals) };
                    if case.line().spelt(seats, players).tables.is_some() {
                        check_balance(case, widest);
                    }
                }
            }
        }
    }
}

fn check_balance(case: Case, widest: u64) {
    let schedule = case.schedule().expect("a schedule");
    let from = usize::from(case.format == Format::Gauntlet);
    let mut counts = Counts::none(case.players);
    for deal in 0..case.deals {
        let numbers = deal * case.tables..(deal + 1) * case.tables;
        let tables: BTreeSet<_> = numbers.map(|game| table(&schedule, game)).collect();
        assert_eq!(tables.len() as u64, case.tables, "twice in deal {deal} of {case:?}");
        for table in &tables {
            assert!(table.len() == case.seats && table.is_sorted_by(|one, other| one < other));
            assert!(from == 0 || table[0] == 0, "{table:?} in {case:?}");
            counts.add(table);
        }
        assert!(range(counts.sat[from..].iter().copied()) <= 1, "deal {deal} of {case:?}");
        let pairs = range(counts.pairs(from));
        assert!(pairs <= widest, "a range of {pairs} in deal {deal} of {case:?}");
    }
}

#[test]
fn the_balance_of_games_goes_on_over_the_ends_of_cycles() {
    for case in [Case::round_robin(3, 8, 7, 6_000), Case::gauntlet(6, 40, 9, 2_500)] {
        let schedule = case.schedule().expect("a schedule");
        let from = usize::from(case.format == Format::Gauntlet);
        let mut counts = Counts::none(case.players);
        for game in 0..schedule.games() {
            counts.add(&table(&schedule, game));
            assert!(range(counts.sat[from..].iter().copied()) <= 1, "game {game} of {case:?}");
        }
        let (most, least) = (counts.pairs(from).max().unwrap(), counts.pairs(from).min().unwrap());
        assert!(most * 100 <= least * 105, "{least} to {most} meetings in {case:?}");
    }
}

#[test]
fn a_hundred_bots_meet_two_to_five_times_at_a_thousand_tables_of_six() {
    for key in 0..5 {
        let case = Case { key, ..Case::round_robin(6, 100, 20, 50) };
        let schedule = case.schedule().expect("a schedule");
        let mut counts = Counts::none(100);
        (0..1_000).for_each(|game| counts.add(&table(&schedule, game)));
        assert!(counts.sat.iter().all(|sat| *sat == 60), "{:?}", counts.sat);
        let (least, most) = (counts.pairs(0).min().unwrap(), counts.pairs(0).max().unwrap());
        assert!(least == 2 && (4..=5).contains(&most), "{least} to {most} with key {key}");
    }
}

#[test]
fn they_are_the_same_in_any_order_and_from_any_thread() {
    let case = Case::round_robin(3, 9, 40, 2_000);
    let schedule = case.schedule().expect("a schedule");
    let games = schedule.games();
    let asked: Vec<u64> = (0..200).map(|number| number * 7_919 % games).collect();
    let expected: Vec<_> = {
        let mut sorted = asked.clone();
        sorted.sort_unstable();
        let schedule = case.schedule().expect("a schedule");
        sorted.into_iter().map(|game| (game, table(&schedule, game))).collect()
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (schedule, asked, expected) = (schedule.clone(), &asked, &expected);
            scope.spawn(move || {
                for game in asked.iter().cycle().skip(thread * 50).take(asked.len()) {
                    let place = expected.binary_search_by_key(game, |(game, _)| *game).unwrap();
                    assert_eq!(table(&schedule, *game), expected[place].1, "game {game}");
                }
            });
        }
    });
    assert_eq!(
        schedule,
        case.schedule().expect("a schedule"),
        "what was asked for is no part of it"
    );
}

#[test]
fn a_game_far_into_a_large_tournament_has_its_tables_at_once() {
    // 2³⁰ games at most: what is before this one would take hours.
    let schedule = Case::round_robin(6, 1_000, 1_000, 1_000_000).schedule().expect("a schedule");
    let last = table(&schedule, schedule.games() - 1);
    assert!(last.len() == 6 && last[5] < 1_000, "{last:?}");
}

#[test]
fn too_many_are_refused() {
    let bots = Case::round_robin(2, 5_000, 10, 10).schedule().unwrap_err();
    assert_eq!(bots, "cannot draw tables from 5000 bots: at most 4096");
    let tables = Case::round_robin(4, 1_000, 40_000, 10).schedule().unwrap_err();
    let expected = "40000 tables per deal: there are only 32768 different ones";
    assert_eq!(tables, expected);
}

/// A tournament of these tables, on two deals in all rotations.
fn listed(tables: &[&[usize]]) -> ScheduleLine {
    ScheduleLine {
        format: Format::Listed,
        orders: Orders::Rotations,
        deals: 2,
        tables: None,
        listed: tables.iter().map(|table| table.to_vec()).collect(),
        shard: None,
        block: None,
        first_deal: 5,
    }
}

#[test]
fn listed_tables_meet_on_every_deal_in_every_order() {
    let line = listed(&[&[0, 1], &[3, 2], &[2, 0]]);
    let schedule = Schedule::tournament(&line, 2, 4, [0; 32]).expect("a schedule");
    let seatings: Vec<_> = (0..schedule.games()).map(|game| schedule.seating(game)).collect();
    let shown: Vec<_> = seatings.iter().map(|it| (it.deal, it.players.values())).collect();
    let of_deal = [[0, 1], [1, 0], [3, 2], [2, 3], [2, 0], [0, 2]];
    let expected = [5, 6].into_iter().flat_map(|deal| of_deal.map(|players| (deal, players)));
    assert!(shown.into_iter().eq(expected.collect::<Vec<_>>().iter().map(|(d, p)| (*d, &p[..]))));
    // Every shard has whole tables.
    let shard = Some("1/3".parse().expect("a shard"));
    let schedule = Schedule::tournament(&ScheduleLine { shard, ..line }, 2, 4, [0; 32]);
    let schedule = schedule.expect("a schedule");
    assert_eq!((schedule.own_games(), schedule.own_from(0)), (4, Some(4)));
}

#[test]
fn what_is_no_list_of_tables_is_refused() {
    let refused = |line: ScheduleLine, expected: &str| {
        let problem = Schedule::tournament(&line, 2, 3, [0; 32]).expect_err(expected);
        assert!(problem.contains(expected), "{problem}");
    };
    refused(listed(&[]), "no tables listed");
    refused(listed(&[&[0, 1], &[2]]), "table 2: 1 player for 2 seats");
    refused(listed(&[&[0, 1], &[1, 3]]), "table 2: unknown player 3 (0 to 2)");
    refused(listed(&[&[0, 1], &[2, 2]]), "table 2: player 2 is listed twice");
    refused(listed(&[&[0, 1], &[1, 2], &[1, 0]]), "table 3 repeats table 1");
    refused(listed(&[&[0, 1]]), "player 2 is at no table");
    let drawn = ScheduleLine { tables: Some(1), ..listed(&[&[0, 1], &[1, 2]]) };
    refused(drawn, "drawn and listed tables cannot be combined");
    let other = ScheduleLine { format: Format::RoundRobin, ..listed(&[&[0, 1], &[1, 2]]) };
    refused(other, "listed tables need the format `listed`");
}

/// docs/reference/tournaments.md, "The schedule", taken at its word: tables are numbered over all deals from deal 0, so the
/// first deal of an extension or of a round of a league counts.
#[test]
fn the_seats_of_later_parts_follow_the_text() {
    const SEATS: usize = 3;
    let key = [5; 32];
    for first_deal in [0, 7] {
        let line = ScheduleLine {
            format: Format::RoundRobin,
            orders: Orders::Rotations,
            deals: 3,
            tables: None,
            listed: Vec::new(),
            shard: None,
            block: None,
            first_deal,
        };
        let schedule = Schedule::tournament(&line, SEATS, 4, key).unwrap();
        let tables = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let (t, r) = (tables.len() as u64, SEATS as u64);
        assert_eq!(schedule.games(), 3 * t * r);
        for game in 0..schedule.games() {
            let deal = first_deal + game / (t * r);
            let table = (game % (t * r)) / r;
            let order = (game % r) as usize;
            let mut chance = Seed(rules::Digest::hash(&key).bytes()).order(deal * t + table);
            let mut left = tables[table as usize].to_vec();
            let mut start = Vec::new();
            while let Some(count) = NonZeroU32::new(left.len() as u32) {
                start.push(left.remove(chance.below(count) as usize));
            }
            let seats: Vec<usize> = (0..SEATS).map(|seat| start[(seat + order) % SEATS]).collect();
            let seating = schedule.seating(game);
            assert_eq!((seating.deal, seating.players.values()), (deal, &seats[..]), "game {game}");
        }
    }
}
