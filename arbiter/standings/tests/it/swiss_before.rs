//! Swiss stages pair as they always did: logs of leagues are verified by pairing again.
//!
//! The file `pairings.txt` was written by the first version, which searched with weights that had room for all
//! preferences.

use std::fmt::Write;

use standings::Entrant;
use standings::pairing::Outcome;
use standings::pairing::swiss::{
    AbsoluteColourRule, PlayedRound, PlayedTable, RoundPairing, StageSize, pair,
};

/// How tables end.
#[derive(Debug, Clone, Copy)]
enum Results {
    /// By chance, one in five is a draw.
    Chance,
    /// The better seed wins three of four.
    Seeds,
    /// Four of five are draws.
    Draws,
}

/// Numbers of 31 bits.
struct Generator(u64);

impl Generator {
    fn below(&mut self, count: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn outcome(&mut self, results: Results, [one, other]: [Entrant; 2]) -> Outcome {
        let either = |is_one| if is_one { Outcome::One } else { Outcome::Other };
        match (results, self.below(20)) {
            (Results::Chance, 0..4) | (Results::Draws, 0..16) => Outcome::Draw,
            (Results::Chance | Results::Draws, number) => either(number.is_multiple_of(2)),
            (Results::Seeds, number) => either((one < other) == (number < 15)),
        }
    }
}

/// The rounds of a stage until there is no pairing, at most this many.
fn rounds(players: usize, most: usize, results: Results) -> Vec<RoundPairing> {
    let stage = StageSize::new(players, most.min(players - 1)).expect("a stage");
    let mut generator = Generator(players as u64 * 3 + results as u64);
    let mut played: Vec<PlayedRound> = Vec::new();
    let mut pairings = Vec::new();
    while let Ok(pairing) = pair(stage, &played) {
        let tables = pairing.tables.iter().map(|&[one, other]| PlayedTable {
            one,
            other,
            outcome: generator.outcome(results, [one, other]),
        });
        played.push(PlayedRound {
            tables: tables.collect(),
            bye: pairing.bye,
            ..PlayedRound::default()
        });
        pairings.push(pairing);
    }
    pairings
}

/// A line with the number of rounds and a digest (FNV-1a) of all of their tables.
fn line(players: usize, most: usize, results: Results) -> String {
    let rounds = rounds(players, most, results);
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for round in &rounds {
        let seats = round.tables.iter().flatten().chain(&round.bye).map(|bot| bot.0 as u64);
        for number in seats.chain([u64::from(round.colours == AbsoluteColourRule::Waived)]) {
            digest = (digest ^ number).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{players} {results:?} {} {digest:016x}", rounds.len())
}

#[test]
fn pairings_are_those_of_earlier_versions() {
    let sizes =
        (2..=40).map(|players| (players, 39)).chain([(64, 12), (101, 9), (150, 5), (256, 4)]);
    let mut lines = String::new();
    for (players, most) in sizes {
        for results in [Results::Chance, Results::Seeds, Results::Draws] {
            let _ = writeln!(lines, "{}", line(players, most, results));
        }
    }
    assert_eq!(lines, include_str!("../swiss/pairings.txt"));
}

#[test]
fn a_thousand_bots_are_paired() {
    let rounds = rounds(1000, 2, Results::Chance);
    let seated: std::collections::BTreeSet<Entrant> =
        rounds[1].tables.iter().flatten().copied().collect();
    assert_eq!((rounds.len(), seated.len()), (2, 1000));
}
