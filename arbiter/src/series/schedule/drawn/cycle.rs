//! The sets of a cycle, round after round.

use std::collections::BTreeSet;

use rules::Nature;

use super::Sets;
use super::round::Round;
use crate::series::schedule::shuffled::shuffled;

/// Draws the sets of a cycle, each ascending, as far as this number of deals.
///
/// A round is cut at either end of the cycle. `first` sit after the cut where it begins, `last`
/// before the cut where it ends; both are ascending. The last round is drawn first, since it has
/// the least choice, and the others take it as it is.
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
    cycle.draw_round(end, last, chance);
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
    /// Draws the round that begins with this seat of the cycle.
    fn draw_round(&mut self, seat: usize, players: &[usize], chance: &mut Nature) {
        let players = shuffled(players.iter().copied(), chance);
        let players = Round::new(self, seat, players).improved();
        for (seat, player) in (seat..).zip(players) {
            let number = seat / self.sets.size;
            let set = &mut self.drawn[number];
            set.iter().for_each(|other| self.meetings.add(player, *other));
            set.push(player);
            if set.len() == self.sets.size {
                let mut complete = set.clone();
                complete.sort_unstable();
                self.complete.insert((number / self.sets.per_deal, complete));
            }
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
