//! The setup of a tournament: all that standings need before its first game.
//!
//! In their model a ranking comes about from the top: someone is chosen among all, then someone
//! among those who are left, and so on, each with a probability in proportion to its strength (Luce
//! 1959, *Individual Choice Behavior*; Plackett 1975, "The analysis of permutations"). The
//! likelihood depends on the rankings only through two kinds of counts: how often each bot was
//! chosen, and how often each set of bots was chosen from. The number of sets is bounded by the
//! bots, where that of different rankings is not in practice.
//!
//! If bots tie, the logarithm of the likelihood is averaged over all orders that the tie allows.
//! With `R` the bots behind a tied group `G`, each subset `S` of `G` is still there at some point
//! in one of `C(|G|, |S|)` orders, so `S ∪ R` is chosen from that part of a time. The average of
//! concave functions is concave. For two bots a draw is half a win and half a loss.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::estimate::BootstrapSeed;
use super::game::{Entrant, Game};
use super::pairing::tie_break::TieBreak;
use super::sprt::Sprt;

/// All that standings need to know of a tournament before its first game.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingsSetup {
    /// The names of the bots, none twice.
    pub names: Vec<String>,
    /// The bots that may have received help from outside, by name.
    pub helped: BTreeMap<String, OutsideHelp>,
    /// Number of seats of every game.
    pub seats: usize,
    /// Seed of the weights of the bootstrap.
    pub seed: BootstrapSeed,
    /// Number of replicates of the bootstrap.
    pub replicates: ReplicateCount,
    /// The widest margin that a game can have, where the rules bound it.
    pub widest: Option<f64>,
    /// The test that two bots are put to; with more bots, or with more seats, there is none.
    pub sprt: Option<Sprt>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first.
    pub tie_breaks: Vec<TieBreak>,
}

impl StandingsSetup {
    /// A tournament of these bots in games of this number of seats, with the replicates that suit
    /// its size, without a test and without tie-breaks.
    pub fn new(names: Vec<String>, seats: usize) -> StandingsSetup {
        let replicates = ReplicateCount::suited(names.len(), seats);
        let (helped, seed) = (BTreeMap::new(), BootstrapSeed::default());
        let (widest, sprt, tie_breaks) = (None, None, Vec::new());
        StandingsSetup { names, helped, seats, seed, replicates, widest, sprt, tie_breaks }
    }

    /// Returns true if games are counted in pairs, and can be tested.
    pub fn is_duel(&self) -> bool {
        self.names.len() == 2 && self.seats == 2
    }

    pub(super) fn model(&self) -> Model {
        Model::suited(self.names.len(), self.seats)
    }
}

/// The way in which a bot may have received help from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsideHelp {
    /// It was granted the network, if only in some of the games.
    Network,
    /// It ran on the machine of its author.
    Remote,
}

impl OutsideHelp {
    /// All of them, in the order of their marks.
    pub const ALL: [OutsideHelp; 2] = [OutsideHelp::Network, OutsideHelp::Remote];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            OutsideHelp::Network => "network",
            OutsideHelp::Remote => "remote",
        }
    }

    /// The mark behind the name of such a bot.
    pub fn mark(self) -> &'static str {
        match self {
            OutsideHelp::Network => " *",
            OutsideHelp::Remote => " †",
        }
    }

    /// The meaning of the mark.
    pub fn meaning(self) -> &'static str {
        match self {
            OutsideHelp::Network => "*: had network access, and may have received help",
            OutsideHelp::Remote => "†: ran on its author's machine (remote)",
        }
    }

    /// Serializes as a key that is true, or as nothing.
    pub fn as_key<S: Serializer>(help: &Option<OutsideHelp>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(usize::from(help.is_some())))?;
        if let Some(help) = help {
            map.serialize_entry(help.name(), &true)?;
        }
        map.end()
    }
}

/// Model that strengths of bots are fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Games of two seats by Bradley and Terry's, with draws and an advantage of the seat.
    BradleyTerry,
    /// Rankings of more seats by Plackett and Luce's.
    PlackettLuce,
    /// From this number of seats or bots on, rankings are taken apart into pairs: in Plackett and
    /// Luce's model either of two is ahead as in Bradley and Terry's, no matter who else plays.
    /// Such a fit gives the same strengths with more random error (Azari Soufiani and others 2013,
    /// "Generalized method-of-moments for rank aggregation").
    PlackettLucePairs,
}

impl Model {
    fn suited(entrants: usize, seats: usize) -> Model {
        match seats {
            ..=2 => Model::BradleyTerry,
            3..=MOST_SEATS if possible_sets(entrants, seats) <= MOST_SETS => Model::PlackettLuce,
            _ => Model::PlackettLucePairs,
        }
    }
}

/// Number of replicates of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicateCount(usize);

/// The bytes that the replicates of one tournament should fit in.
const MEMORY: usize = 64 << 20;

/// The bytes of one number of one replicate.
const NUMBER: usize = size_of::<i64>();

const FEWEST: usize = 200;
const WANTED: usize = 1000;

/// As many sets as fit in [`MEMORY`] with the fewest replicates.
const MOST_SETS: usize = MEMORY / NUMBER / FEWEST;

impl ReplicateCount {
    /// The fewest with which a 95% interval is of use.
    pub const LEAST: ReplicateCount = ReplicateCount(FEWEST);

    /// As many as fit in 64 MiB, at most 1,000 and at least [`ReplicateCount::LEAST`]: fewer than 1,000
    /// from about 50 bots on.
    pub fn suited(entrants: usize, seats: usize) -> ReplicateCount {
        let orders = entrants.saturating_mul(entrants.saturating_sub(1));
        let pairs = if seats == 2 { orders } else { orders / 2 };
        let sets = match Model::suited(entrants, seats) {
            Model::PlackettLuce => possible_sets(entrants, seats),
            Model::BradleyTerry | Model::PlackettLucePairs => 0,
        };
        let numbers = pairs.saturating_mul(4).saturating_add(sets).max(1);
        let fitting = MEMORY / NUMBER / numbers;
        ReplicateCount(fitting.clamp(FEWEST, WANTED))
    }

    /// The number of replicates.
    pub fn count(self) -> usize {
        self.0
    }
}

/// The bots among which one was chosen, in ascending order, two or more.
pub(super) type ChoiceSet = Box<[Entrant]>;

/// The most seats of a game whose ties are averaged over all orders: a group of this size has 2¹²
/// subsets.
const MOST_SEATS: usize = 12;

/// The parts that a choice is counted in, so that every average over orders is whole: the least
/// common multiple of 1 to 13, of which all `C(g, s)` for `g` up to 12 are divisors.
pub(super) const PARTS: i64 = 360_360;

/// Additions of a game to the counts of choices, in [`PARTS`].
#[derive(Debug, Default)]
pub(super) struct GameChoices {
    /// Number of times a bot was chosen where it could have been another.
    pub(super) chosen: Vec<(Entrant, i64)>,
    /// Number of times one of these bots was chosen.
    pub(super) among: Vec<(ChoiceSet, i64)>,
}

impl GameChoices {
    /// Choices of a game of at most [`MOST_SEATS`] seats.
    pub(super) fn new(game: &Game) -> GameChoices {
        let mut choices = GameChoices::default();
        let mut behind: Vec<Entrant> = Vec::new();
        for group in groups_from_the_last(game) {
            choices.add_group(&group, &behind);
            behind.extend(group);
        }
        choices
    }

    fn add_group(&mut self, group: &[Entrant], behind: &[Entrant]) {
        // The last bot of all is not a choice: in one of as many orders as there are bots in the
        // last group, that is this one.
        let size = group.len() as i64;
        let part = if behind.is_empty() { PARTS - PARTS / size } else { PARTS };
        self.chosen.extend(group.iter().filter(|_| part > 0).map(|bot| (*bot, part)));
        for subset in 1u32..1 << group.len() {
            let of_subset = (0..group.len()).filter(|place| subset & 1 << place != 0);
            let mut set: Vec<Entrant> = of_subset.map(|place| group[place]).collect();
            let part = PARTS / binomial(group.len(), set.len());
            set.extend(behind);
            if set.len() > 1 {
                set.sort();
                self.among.push((set.into(), part));
            }
        }
    }
}

/// The bots that tie, group by group, the last first.
fn groups_from_the_last(game: &Game) -> Vec<Vec<Entrant>> {
    let mut seats: Vec<_> = game.seats().seats().collect();
    seats.sort_by(|one, other| game.compare(*one, *other));
    let tied = seats.chunk_by(|one, other| game.compare(*one, *other) == Ordering::Equal);
    tied.map(|group| group.iter().map(|seat| game.seats()[*seat]).collect()).collect()
}

/// Number of subsets of `chosen` elements of a set of `of` elements.
fn binomial(of: usize, chosen: usize) -> i64 {
    (0..chosen).fold(1, |ways, next| ways * (of - next) as i64 / (next as i64 + 1))
}

/// Number of sets of two or more bots to choose from, where `seats` of `entrants` play.
fn possible_sets(entrants: usize, seats: usize) -> usize {
    let mut ways = 1usize;
    let mut sum = 0usize;
    for size in 1..=seats.min(entrants) {
        ways = ways.saturating_mul(entrants + 1 - size) / size;
        sum = if size > 1 { sum.saturating_add(ways) } else { 0 };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Score;

    fn game(points: &[i32]) -> Game {
        let seats = (0..points.len()).map(Entrant).collect::<Vec<_>>();
        let scores = points.iter().map(|points| Score::points(*points)).collect::<Vec<_>>();
        Game::new(0, seats.into(), scores.into(), &[]).unwrap()
    }

    fn among(choices: &GameChoices) -> Vec<(Vec<usize>, i64)> {
        let plain = |set: &ChoiceSet| set.iter().map(|bot| bot.0).collect();
        choices.among.iter().map(|(set, part)| (plain(set), *part)).collect()
    }

    #[test]
    fn every_average_over_orders_is_whole() {
        let all = (1..=MOST_SEATS).flat_map(|of| (1..=of).map(move |chosen| (of, chosen)));
        for (of, chosen) in all {
            assert_eq!(PARTS % binomial(of, chosen), 0, "C({of}, {chosen})");
        }
    }

    #[test]
    fn a_strict_ranking_is_a_choice_less_than_it_has_seats() {
        let choices = GameChoices::new(&game(&[5, 9, 1]));
        assert_eq!(choices.chosen, [(Entrant(0), PARTS), (Entrant(1), PARTS)]);
        assert_eq!(among(&choices), [(vec![0, 2], PARTS), (vec![0, 1, 2], PARTS)]);
    }

    #[test]
    fn a_draw_of_two_is_half_a_win_and_half_a_loss() {
        let choices = GameChoices::new(&game(&[3, 3]));
        assert_eq!(choices.chosen, [(Entrant(0), PARTS / 2), (Entrant(1), PARTS / 2)]);
        assert_eq!(among(&choices), [(vec![0, 1], PARTS)]);
    }

    #[test]
    fn a_tie_above_another_is_averaged_over_its_orders() {
        let choices = GameChoices::new(&game(&[3, 3, 1]));
        assert_eq!(choices.chosen, [(Entrant(0), PARTS), (Entrant(1), PARTS)]);
        let expected = [(vec![0, 2], PARTS / 2), (vec![1, 2], PARTS / 2), (vec![0, 1, 2], PARTS)];
        assert_eq!(among(&choices), expected);
    }

    #[test]
    fn the_number_of_sets_is_that_of_subsets() {
        assert_eq!(possible_sets(6, 6), (1 << 6) - 1 - 6);
        assert_eq!(possible_sets(10, 4), 45 + 120 + 210);
        assert_eq!(possible_sets(1, 4), 0);
        assert!(possible_sets(1000, 48) > 1 << 40);
    }
}
