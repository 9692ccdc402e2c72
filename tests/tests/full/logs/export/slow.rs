//! The features once more, slowly and from the words of the rules alone: a game is its lines of
//! events, a card is its text, and captures are found by trying every group.

use std::collections::BTreeSet;

use serde_json::Value;

/// The 15 classes of cards, in the order of the columns.
const CLASSES: [&str; 15] =
    ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "2C", "10D"];

/// A seat's knowledge before a move, and the move.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub(super) seat: usize,
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) points: Vec<u64>,
    cards: Vec<u64>,
    last: Option<usize>,
    hand: Vec<String>,
    table: Vec<String>,
    known: Vec<String>,
    /// For every other seat, in the order of seats, the classes it is assumed not to hold.
    lacks: Vec<BTreeSet<usize>>,
}

/// A game as far as it was gone through.
struct Course {
    table: Vec<String>,
    hands: Vec<Vec<String>>,
    points: Vec<u64>,
    cards: Vec<u64>,
    last: Option<usize>,
    undealt: usize,
    out: BTreeSet<usize>,
    /// Cards that each seat has seen, and classes that it assumes each other not to hold.
    seen: Vec<BTreeSet<String>>,
    lacks: Vec<Vec<BTreeSet<usize>>>,
}

fn class(card: &str) -> usize {
    let rank = &card[..card.len() - 1];
    let name = if ["2C", "10D"].contains(&card) { card } else { rank };
    CLASSES.iter().position(|class| *class == name).expect("a class")
}

fn points(card: &str) -> u64 {
    match (card, class(card)) {
        ("10D", _) => 2,
        ("2C", _) | (_, 0 | 9..=12) => 1,
        _ => 0,
    }
}

/// Number of cards of a class.
fn size(class: usize) -> u64 {
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
fn captures(table: &[String], played: usize) -> BTreeSet<u64> {
    let mut groups: Vec<(u64, Vec<u64>)> = vec![(0, vec![0])];
    for (place, card) in table.iter().enumerate() {
        let with = groups.clone().into_iter().filter_map(|(group, sums)| {
            let sums =
                sums.iter().flat_map(|sum| values(class(card)).into_iter().map(move |it| sum + it));
            let sums: Vec<u64> = sums.filter(|sum| *sum <= 14).collect();
            (!sums.is_empty()).then_some((group | 1 << place, sums))
        });
        let with: Vec<_> = with.collect();
        groups.extend(with);
    }
    let fits = |sums: &[u64]| sums.iter().any(|sum| values(played).contains(sum));
    let groups = groups.iter().filter(|(group, sums)| *group > 0 && fits(sums));
    let mut sets = BTreeSet::from([0]);
    for (group, _) in groups {
        let more: Vec<u64> =
            sets.iter().filter(|set| **set & group == 0).map(|set| set | group).collect();
        sets.extend(more);
    }
    sets.remove(&0);
    sets
}

/// The classes with which more points, or as many and more cards, could be had from this table.
fn better(table: &[String], than: (u64, u32)) -> BTreeSet<usize> {
    let is_better = |played: &usize| {
        let own = match CLASSES[*played] {
            special @ ("2C" | "10D") => points(special),
            rank => points(&format!("{rank}H")),
        };
        captures(table, *played).into_iter().any(|set| {
            let taken = table.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
            let taken: u64 = taken.map(|(_, card)| points(card)).sum();
            let tabla = u64::from(set.count_ones() as usize == table.len());
            (own + taken + tabla, set.count_ones()) > than
        })
    };
    (0..15).filter(is_better).collect()
}

fn counts<'a>(cards: impl IntoIterator<Item = &'a String>) -> Vec<u64> {
    let mut counts = vec![0; 15];
    cards.into_iter().for_each(|card| counts[class(card)] += 1);
    counts
}

/// Every move of a game that a bot made, with what its seat could know.
pub(super) fn moments(game: &Value) -> Vec<Moment> {
    let seats = game["seats"].as_array().expect("seats").len();
    let mut course = Course {
        table: Vec::new(),
        hands: vec![Vec::new(); seats],
        points: vec![0; seats],
        cards: vec![0; seats],
        last: None,
        undealt: 52,
        out: BTreeSet::new(),
        seen: vec![BTreeSet::new(); seats],
        lacks: vec![vec![BTreeSet::new(); seats]; seats],
    };
    let mut moments = Vec::new();
    let mut number = 0;
    for event in game["events"].as_array().expect("events") {
        let words: Vec<String> =
            event.as_str().expect("text").split(' ').map(str::to_owned).collect();
        match words[0].as_str() {
            "deal" => course.deal(&words[1], &words[2..]),
            "out" => drop(course.out.insert(words[1].parse().expect("a seat"))),
            "tabla" => course.points[words[1].parse::<usize>().expect("a seat")] += 1,
            "rest" | "score" => {}
            seat => {
                let seat = seat.parse().expect("a seat");
                if !course.out.contains(&seat) {
                    moments.push(course.moment(seat, number, &words[1..]));
                }
                course.play(seat, &words[1], &words[2..]);
                number += 1;
            }
        }
    }
    moments
}

impl Course {
    fn deal(&mut self, to: &str, cards: &[String]) {
        self.undealt -= cards.len();
        if to == "table" {
            self.table.extend_from_slice(cards);
            self.seen.iter_mut().for_each(|seen| seen.extend(cards.iter().cloned()));
        } else {
            let seat: usize = to.parse().expect("a seat");
            self.hands[seat] = cards.to_vec();
            self.seen[seat].extend(cards.iter().cloned());
            self.lacks.iter_mut().flatten().for_each(BTreeSet::clear);
        }
    }

    fn moment(&self, seat: usize, number: usize, words: &[String]) -> Moment {
        let others = (0..self.hands.len()).filter(|other| *other != seat);
        Moment {
            seat,
            number,
            text: words.join(" "),
            points: self.points.clone(),
            cards: self.cards.clone(),
            last: self.last,
            hand: self.hands[seat].clone(),
            table: self.table.clone(),
            known: self.seen[seat].iter().cloned().collect(),
            lacks: others.map(|other| self.lacks[seat][other].clone()).collect(),
        }
    }

    fn play(&mut self, seat: usize, card: &String, captured: &[String]) {
        let tabla = !captured.is_empty() && captured.len() == self.table.len();
        let gained: u64 = captured.iter().chain([card]).map(|card| points(card)).sum();
        let worth = match captured {
            [] => (0, 0),
            _ => (gained + u64::from(tabla), captured.len() as u32),
        };
        let better = match self.out.contains(&seat) || self.undealt == 0 {
            true => BTreeSet::new(),
            false => better(&self.table, worth),
        };
        for observer in (0..self.hands.len()).filter(|observer| *observer != seat) {
            // Classes of which all cards were seen are left out below.
            if self.undealt > 0 {
                let lacks = &mut self.lacks[observer][seat];
                lacks.extend(&better);
                lacks.remove(&class(card));
            }
            self.seen[observer].insert(card.clone());
            let seen = counts(&self.seen[observer]);
            for lacks in &mut self.lacks[observer] {
                lacks.retain(|class| seen[*class] < size(*class));
            }
        }
        self.hands[seat].retain(|held| held != card);
        if captured.is_empty() {
            self.table.push(card.clone());
        } else {
            self.table.retain(|lying| !captured.contains(lying));
            self.cards[seat] += 1 + captured.len() as u64;
            self.points[seat] += gained;
            self.last = Some(seat);
        }
    }
}

impl Moment {
    /// The columns of the features `greedy`.
    pub(super) fn greedy(&self) -> Vec<String> {
        let hand = counts(&self.hand).into_iter().map(|count| count.min(1));
        let table = counts(&self.table);
        texts(hand.chain(table).chain([self.played()]))
    }

    /// The columns of the features `minimax`.
    pub(super) fn minimax(&self) -> Vec<String> {
        let mut row = texts([self.points.len() as u64, self.seat as u64]);
        row.extend(texts(self.points.iter().chain(&self.cards).copied()));
        row.push(self.last.map(|seat| seat.to_string()).unwrap_or_default());
        row.extend(texts(counts(&self.known)));
        for lacks in &self.lacks {
            row.extend(texts((0..15).map(|class| u64::from(lacks.contains(&class)))));
        }
        row.extend(texts(counts(&self.hand)));
        row.extend(texts(counts(&self.table)));
        row.push(self.played().to_string());
        let captured: Vec<String> = self.text.split(' ').skip(1).map(str::to_owned).collect();
        row.extend(texts(counts(&captured)));
        row
    }

    /// Number of legal moves: every card can be laid down.
    pub(super) fn legal_moves(&self) -> usize {
        let with = |card: &String| 1 + captures(&self.table, class(card)).len();
        self.hand.iter().map(with).sum()
    }

    fn played(&self) -> u64 {
        class(self.text.split(' ').next().expect("a card")) as u64
    }
}

fn texts(numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    numbers.into_iter().map(|number| number.to_string()).collect()
}
