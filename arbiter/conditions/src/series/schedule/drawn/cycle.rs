//! The sets of a cycle, round after round.

use std::collections::BTreeSet;

use rules::Nature;

use super::Sets;
use super::round::Round;
use crate::series::schedule::shuffled::shuffled;

/// How often a round is drawn at most, while it repeats a set of the same deal.
const DRAWS: usize = 16;

/// Draws the sets of a cycle, each ascending, as far as this number of deals.
///
/// A round is cut at either end of the cycle. `first` sit after the cut where it begins, `last`
/// before the cut where it ends; both are ascending. The last round is drawn first and at random,
/// since the others have more choice and can take it as it is. Its meetings do not count: for the
/// deals before the last one, they are yet to come.
pub(super) fn draw(
    sets: Sets,
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
        meetings: Meetings::none(sets.of),
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
    pub(super) sets: Sets,
    /// Who is in each set so far.
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

    /// Whether the deal of the set with this number has a complete set of these players.
    pub(super) fn has(&self, number: usize, mut players: Vec<usize>) -> bool {
        players.sort_unstable();
        self.complete.contains(&(number / self.sets.per_deal, players))
    }
}

/// How often each two have met.
pub(super) struct Meetings {
    of: usize,
    counts: Vec<i32>,
}

impl Meetings {
    fn none(of: usize) -> Meetings {
        Meetings { of, counts: vec![0; of * of] }
    }

    fn add(&mut self, one: usize, other: usize) {
        self.counts[one * self.of + other] += 1;
        self.counts[other * self.of + one] += 1;
    }

    /// How often a player has met each: itself never.
    pub(super) fn of(&self, player: usize) -> &[i32] {
        &self.counts[player * self.of..][..self.of]
    }
}
