//! The sets of a cycle, round after round: players who sit once each change places as long as that lowers
//! the cost of their round.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use rules::Nature;

/// The most times that a round is drawn while it repeats a set of the same deal.
const DRAWS: usize = 16;

/// The sets of bots that are drawn, by their places among those who are not always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetSizes {
    /// The number of bots they are drawn from.
    pub(super) of: usize,
    /// The number of bots in a set: at most half of them.
    pub(super) size: usize,
    pub(super) per_deal: usize,
    pub(super) deals_of_cycle: usize,
}

/// Draws the sets of a cycle, each ascending, as far as this number of deals.
///
/// A round is cut at either end of the cycle. `first` sit after the cut where it begins, `last`
/// before the cut where it ends; both are ascending. The last round is drawn first and at random,
/// since the others have more choice and can take it as it is. Its meetings do not count: for the
/// deals before the last one, they are yet to come.
pub(super) fn draw(
    sets: SetSizes,
    first: &[usize],
    last: &[usize],
    deals: usize,
    chance: &mut Nature,
) -> Vec<Vec<usize>> {
    let count = sets.deals_of_cycle * sets.per_deal;
    let (wanted, end) = (deals * sets.per_deal, count * sets.size - last.len());
    let mut cycle = Cycle {
        sets,
        drawn: vec![Vec::with_capacity(sets.size); count],
        complete: BTreeSet::new(),
        meetings: Meetings::new(sets.of),
    };
    for (seat, player) in (end..).zip(shuffled(last.iter().copied(), chance)) {
        cycle.sit(seat, player);
    }
    cycle.draw_round(0, first, chance);
    let everyone: Vec<usize> = (0..sets.of).collect();
    let mut seat = first.len();
    while seat < end.min(wanted * sets.size) {
        cycle.draw_round(seat, &everyone, chance);
        seat += sets.of;
    }
    cycle.drawn.truncate(wanted);
    cycle.drawn.iter_mut().for_each(|set| set.sort_unstable());
    cycle.drawn
}

/// A cycle as far as it is drawn.
pub(super) struct Cycle {
    pub(super) sets: SetSizes,
    /// The players in each set so far.
    pub(super) drawn: Vec<Vec<usize>>,
    /// The complete sets, each after the number of its deal in the cycle.
    complete: BTreeSet<(usize, Vec<usize>)>,
    pub(super) meetings: Meetings,
}

impl Cycle {
    /// Draws the round that begins with this seat of the cycle, anew if it repeats a set.
    fn draw_round(&mut self, seat: usize, players: &[usize], chance: &mut Nature) {
        let mut draw = || {
            let players = shuffled(players.iter().copied(), chance);
            Round::new(self, seat, players).improved()
        };
        let mut round = draw();
        for _ in 1..DRAWS {
            if round.has_repeats() {
                round = draw();
            }
        }
        for (seat, player) in (seat..).zip(round.seated()) {
            let others = &self.drawn[seat / self.sets.size];
            others.iter().for_each(|other| self.meetings.add(player, *other));
            self.sit(seat, player);
        }
    }

    fn sit(&mut self, seat: usize, player: usize) {
        let number = seat / self.sets.size;
        let set = &mut self.drawn[number];
        set.push(player);
        if set.len() == self.sets.size {
            let mut complete = set.clone();
            complete.sort_unstable();
            self.complete.insert((number / self.sets.per_deal, complete));
        }
    }

    /// Returns true if the deal of the set with this number has a complete set of these players.
    pub(super) fn has(&self, number: usize, mut players: Vec<usize>) -> bool {
        players.sort_unstable();
        self.complete.contains(&(number / self.sets.per_deal, players))
    }
}

/// Number of times that each two have met.
pub(super) struct Meetings {
    of: usize,
    counts: Vec<i32>,
}

impl Meetings {
    fn new(of: usize) -> Meetings {
        Meetings { of, counts: vec![0; of * of] }
    }

    fn add(&mut self, one: usize, other: usize) {
        self.counts[one * self.of + other] += 1;
        self.counts[other * self.of + one] += 1;
    }

    /// Number of times that a player has met each: itself never.
    pub(super) fn counts_of(&self, player: usize) -> &[i32] {
        &self.counts[player * self.of..][..self.of]
    }
}

/// Cost of a player twice in a set, which must not be.
const TWICE: i32 = 1 << 26;

/// Cost of a set that is in its deal already: more than all meetings at a table.
const REPEATED: i32 = 1 << 20;

/// A round of a cycle, on seats in a row.
///
/// Its cost is that of its sets together. A set costs how often each two in it have met before the
/// round; what is written above comes on top.
pub(super) struct Round<'a> {
    cycle: &'a Cycle,
    players: Vec<usize>,
    /// For each seat the place of its player in `players`.
    sits: Vec<usize>,
    /// For each seat its set, counted from the first of the round.
    set_of: Vec<usize>,
    /// The number of the first set in the cycle.
    first_set: usize,
    /// For each set, what each player costs there: meetings with all others in it.
    cost: Vec<Vec<i32>>,
    /// For each set whether it is in its deal already.
    is_repeated: Vec<bool>,
}

impl<'a> Round<'a> {
    pub(super) fn new(cycle: &'a Cycle, seat: usize, players: Vec<usize>) -> Round<'a> {
        let first_set = seat / cycle.sets.size;
        let set_of: Vec<usize> =
            (0..players.len()).map(|index| (seat + index) / cycle.sets.size - first_set).collect();
        let sets = set_of.last().map_or(0, |last| last + 1);
        let sits = (0..players.len()).collect();
        let cost = vec![vec![0; players.len()]; sets];
        let is_repeated = vec![false; sets];
        let mut round = Round { cycle, players, sits, set_of, first_set, cost, is_repeated };
        for set in 0..sets {
            round.cost[set] = round.cost_of(set);
            round.is_repeated[set] = round.repeats(set);
        }
        round
    }

    /// The round when no two players can change places to lower the cost.
    fn improved(mut self) -> Round<'a> {
        let seats = self.sits.len();
        let mut is_better = true;
        while is_better {
            is_better = false;
            for one in 0..seats {
                for other in one + 1..seats {
                    is_better |= self.exchange(one, other);
                }
            }
        }
        self
    }

    /// Returns true if a set is in its deal already.
    fn has_repeats(&self) -> bool {
        self.is_repeated.contains(&true)
    }

    /// The players in the order of the seats.
    pub(super) fn seated(&self) -> Vec<usize> {
        self.sits.iter().map(|place| self.players[*place]).collect()
    }

    /// Lets the players of two seats change places if that lowers the cost.
    fn exchange(&mut self, one: usize, other: usize) -> bool {
        let (set, other_set) = (self.set_of[one], self.set_of[other]);
        if set == other_set {
            return false;
        }
        let (place, other_place) = (self.sits[one], self.sits[other]);
        let (cost, other_cost) = (&self.cost[set], &self.cost[other_set]);
        let met = self.cycle.meetings.counts_of(self.players[place])[self.players[other_place]];
        let repeated = |sets: [bool; 2]| sets.map(|is| if is { REPEATED } else { 0 }).iter().sum();
        let before: i32 = repeated([self.is_repeated[set], self.is_repeated[other_set]]);
        let change = (cost[other_place] - met + other_cost[place] - met)
            - (cost[place] + other_cost[other_place])
            - before;
        if change >= 0 {
            return false;
        }
        self.sits.swap(one, other);
        let repeats = [self.repeats(set), self.repeats(other_set)];
        if change + repeated(repeats) >= 0 {
            self.sits.swap(one, other);
            return false;
        }
        [self.is_repeated[set], self.is_repeated[other_set]] = repeats;
        self.replace(set, place, other_place);
        self.replace(other_set, other_place, place);
        true
    }

    /// Takes a player out of what a set costs, and another one in.
    fn replace(&mut self, set: usize, out: usize, new: usize) {
        let without = self.cycle.meetings.counts_of(self.players[out]);
        let with = self.cycle.meetings.counts_of(self.players[new]);
        for (cost, player) in self.cost[set].iter_mut().zip(&self.players) {
            *cost += with[*player] - without[*player];
        }
    }

    /// Cost of each player in a set with its players so far.
    fn cost_of(&self, set: usize) -> Vec<i32> {
        let mut costs = vec![0; self.players.len()];
        for other in self.members(set) {
            let met = self.cycle.meetings.counts_of(other);
            costs.iter_mut().zip(&self.players).for_each(|(cost, player)| *cost += met[*player]);
        }
        for other in &self.cycle.drawn[self.first_set + set] {
            let same = self.players.iter().position(|player| player == other);
            same.into_iter().for_each(|place| costs[place] += TWICE);
        }
        costs
    }

    fn repeats(&self, set: usize) -> bool {
        let members = self.members(set);
        members.len() == self.cycle.sets.size && self.cycle.has(self.first_set + set, members)
    }

    /// The players in a set: from earlier rounds and from this one.
    fn members(&self, set: usize) -> Vec<usize> {
        let begin = self.set_of.partition_point(|of| *of < set);
        let end = self.set_of.partition_point(|of| *of <= set);
        let here = self.sits[begin..end].iter().map(|place| self.players[*place]);
        self.cycle.drawn[self.first_set + set].iter().copied().chain(here).collect()
    }
}

/// Number of choices of `count` out of `of`, if they can be counted.
pub(super) fn combinations(of: usize, count: usize) -> Option<u64> {
    let mut choices = 1u128;
    for chosen in 0..count as u128 {
        // Exact at every step: the product of k numbers in a row is divided by k!.
        choices = choices.checked_mul((of as u128).checked_sub(chosen)?)? / (chosen + 1);
    }
    u64::try_from(choices).ok()
}

/// The choice with this number, in lexicographic order: `count` places below `of`, ascending.
pub(super) fn combination(mut number: u64, of: usize, count: usize) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count);
    for place in 0..of {
        let missing = count - chosen.len();
        if missing == 0 {
            break;
        }
        // This number of choices continues with this place.
        let with = combinations(of - place - 1, missing - 1).unwrap_or(u64::MAX);
        if number < with {
            chosen.push(place);
        } else {
            number -= with;
        }
    }
    chosen
}

/// The number of a choice: its places are below `of`, ascending, and choices can be counted.
pub(super) fn number_of(chosen: &[usize], of: usize) -> u64 {
    let mut number = 0;
    let mut from = 0;
    for (index, place) in chosen.iter().enumerate() {
        let missing = chosen.len() - index - 1;
        let before = (from..*place).filter_map(|place| combinations(of - place - 1, missing));
        number += before.sum::<u64>();
        from = place + 1;
    }
    number
}

/// Number of orders of `count` things: of at most 12, since more are never asked for.
pub(super) fn orders(count: usize) -> u64 {
    (1..=count.min(12) as u64).product()
}

pub(super) fn ordered(mut number: u64, items: &[usize]) -> Vec<usize> {
    let mut left = items.to_vec();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let rest = orders(left.len() - 1);
        let place = (number / rest) as usize % left.len();
        number %= rest;
        ordered.push(left.remove(place));
    }
    ordered
}

/// The items in an order that is drawn: one after the other is drawn from those that are left.
pub(super) fn shuffled(items: impl IntoIterator<Item = usize>, chance: &mut Nature) -> Vec<usize> {
    let mut left: Vec<usize> = items.into_iter().collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        order.push(left.remove(below(chance, left.len())));
    }
    order
}

/// A place below `count`, which is at least 1.
fn below(chance: &mut Nature, count: usize) -> usize {
    let bound = u32::try_from(count).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN);
    chance.below(bound) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_combination_has_its_number() {
        assert_eq!(combinations(5, 2), Some(10));
        assert_eq!(combinations(5, 0), Some(1));
        assert_eq!(combinations(2, 3), Some(0));
        assert_eq!(combinations(200, 100), None);
        let all: Vec<_> = (0..10).map(|number| combination(number, 5, 2)).collect();
        assert_eq!(all[0], [0, 1]);
        assert_eq!(all[9], [3, 4]);
        assert!(all.is_sorted(), "{all:?}");
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 10);
        let numbers: Vec<_> = all.iter().map(|chosen| number_of(chosen, 5)).collect();
        assert_eq!(numbers, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn every_order_has_its_number() {
        let all: BTreeSet<_> = (0..24).map(|number| ordered(number, &[7, 8, 9, 6])).collect();
        assert_eq!(all.len(), 24);
        assert_eq!(ordered(0, &[7, 8, 9, 6]), [7, 8, 9, 6]);
    }
}
