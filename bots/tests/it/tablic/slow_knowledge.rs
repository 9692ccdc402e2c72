//! What `minimax` knows and assumes, once more, slowly and from the words of the rules alone: a card is its text, and
//! captures are found by trying every group.

use std::collections::BTreeSet;

use bots::tablic::classes::Class;
use bots::tablic::minimax::Knowledge;
use rules::CardSet;
use rules::tablic::Tablic;

use crate::decisions::{Decision, in_games};

/// The 15 classes of cards, in their order.
const CLASSES: [&str; 15] =
    ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "2C", "10D"];

fn class(card: &str) -> usize {
    let name = if ["2C", "10D"].contains(&card) { card } else { &card[..card.len() - 1] };
    CLASSES.iter().position(|class| *class == name).expect("a class")
}

fn points(class: usize) -> u64 {
    match class {
        14 => 2,
        13 | 0 | 9..=12 => 1,
        _ => 0,
    }
}

/// Number of cards of a class.
fn size(class: usize) -> usize {
    match class {
        1 | 9 => 3,
        13 | 14 => 1,
        _ => 4,
    }
}

/// Values of a card of a class.
fn values(class: usize) -> Vec<u64> {
    match class {
        0 => vec![1, 11],
        10..=12 => vec![class as u64 + 2],
        13 => vec![2],
        14 => vec![10],
        _ => vec![class as u64 + 1],
    }
}

/// The sets of cards of the table, as bits, that a card of this class can capture.
fn captures(table: &[&str], played: usize) -> BTreeSet<u64> {
    let mut groups: Vec<(u64, Vec<u64>)> = vec![(0, vec![0])];
    for (place, card) in table.iter().enumerate() {
        let values = values(class(card));
        let with = |(group, sums): &(u64, Vec<u64>)| {
            let sums = sums.iter().flat_map(|sum| values.iter().map(move |value| sum + value));
            let sums: Vec<u64> = sums.filter(|sum| *sum <= 14).collect();
            (!sums.is_empty()).then_some((group | 1 << place, sums))
        };
        let more: Vec<_> = groups.iter().filter_map(with).collect();
        groups.extend(more);
    }
    let fits = |sums: &[u64]| sums.iter().any(|sum| values(played).contains(sum));
    let mut sets = BTreeSet::from([0]);
    for (group, _) in groups.iter().filter(|(group, sums)| *group > 0 && fits(sums)) {
        let more: Vec<u64> =
            sets.iter().filter(|set| **set & group == 0).map(|set| set | group).collect();
        sets.extend(more);
    }
    sets.remove(&0);
    sets
}

/// The classes with which more points, or as many and more cards, could be had from this table.
fn better(table: &[&str], than: (u64, u32)) -> BTreeSet<usize> {
    let is_better = |played: &usize| {
        captures(table, *played).into_iter().any(|set| {
            let taken = table.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
            let taken: u64 = taken.map(|(_, card)| points(class(card))).sum();
            let tabla = u64::from(set.count_ones() as usize == table.len());
            (points(*played) + taken + tabla, set.count_ones()) > than
        })
    };
    (0..CLASSES.len()).filter(is_better).collect()
}

/// The cards that a seat has seen in its request, and for each seat the classes that it is assumed not to hold.
fn known(request: &str, own: usize, seats: usize) -> (BTreeSet<&str>, Vec<BTreeSet<usize>>) {
    let (_, rest) = request.split_once("\nhistory ").expect("a history");
    let (history, _) = rest.split_once("\nlegal ").expect("its end");
    let (mut table, mut seen) = (Vec::new(), BTreeSet::new());
    let (mut undealt, mut lacks) = (52, vec![BTreeSet::new(); seats]);
    for line in history.lines().skip(1) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["deal", to, ref cards @ ..] => {
                undealt -= cards.len();
                seen.extend(cards.iter().copied().filter(|card| *card != "??"));
                if to == "table" {
                    table.extend(cards);
                } else {
                    lacks.iter_mut().for_each(BTreeSet::clear);
                }
            }
            ["tabla" | "rest" | "score", ..] => {}
            [seat, card, ref captured @ ..] => {
                let seat: usize = seat.parse().expect("a seat");
                let tabla = !captured.is_empty() && captured.len() == table.len();
                let gained: u64 =
                    captured.iter().chain([&card]).map(|card| points(class(card))).sum();
                let worth = match captured {
                    [] => (0, 0),
                    _ => (gained + u64::from(tabla), captured.len() as u32),
                };
                if seat != own && undealt > 0 {
                    lacks[seat].extend(better(&table, worth));
                    lacks[seat].remove(&class(card));
                }
                seen.insert(card);
                let left =
                    |it: &usize| seen.iter().filter(|card| class(card) == *it).count() < size(*it);
                lacks.iter_mut().for_each(|lacks| lacks.retain(left));
                match captured {
                    [] => table.push(card),
                    _ => table.retain(|lying| !captured.contains(lying)),
                }
            }
            _ => unreachable!("{line}"),
        }
    }
    (seen, lacks)
}

#[test]
fn it_is_that_of_a_slow_computation() {
    for (options, bots) in
        [("seats=2", &["random", "greedy"][..]), ("seats=3", &["random", "greedy", "greedy"])]
    {
        let (mut compared, mut assumed) = (0, 0);
        for Decision { request, .. } in in_games::<Tablic>(options, bots, 8).iter().step_by(3) {
            let knowledge = Knowledge::read(request).expect("a request without contradictions");
            let text = request.to_string();
            let own = request.heading.seat;
            let (seen, lacks) = known(&text, own.index(), bots.len());
            let seen: CardSet =
                seen.into_iter().collect::<Vec<_>>().join(" ").parse().expect("cards");
            assert_eq!(knowledge.unseen(), CardSet::PACK - seen, "{text}");
            for seat in request.view.points.seats().filter(|seat| *seat != own) {
                let classes = Class::all().filter(|class| knowledge.assumed(seat).contains(*class));
                let found: BTreeSet<usize> = classes.map(Class::index).collect();
                assert_eq!(found, lacks[seat.index()], "seat {} in {text}", seat.index());
                assumed += found.len();
            }
            compared += 1;
        }
        assert!(compared >= 128 && assumed > 128, "{compared} decisions, {assumed} classes");
    }
}
