//! A strategy for every situation, by whatever it is kept in.

use bots::coup::expert::situation::{Situation, Stage};

use crate::coup::store::{Layout, Store};

/// A strategy for every situation.
pub trait Table {
    /// The chances of the choices, laid out as the records are; of each hand they sum to 1.
    fn strategy(&self, situation: &Situation, to: &mut [f32]);
}

/// The average of a training run.
impl Table for Store {
    fn strategy(&self, situation: &Situation, to: &mut [f32]) {
        let layout = Layout::new(situation);
        let sums =
            |situation: &Situation| self.get(situation.key()).map(|record| layout.sums(record));
        let (known, coarse) = (sums(situation), sums(&situation.forgotten()));
        to[..layout.strategy()].fill(0.0);
        for hand in 0..situation.hands() {
            let options = situation.options(hand);
            let at = |choice| place(situation, &layout, choice, hand);
            let total = |sums: &[f32]| (0..options).map(|choice| sums[at(choice)]).sum::<f32>();
            let known = [known, coarse].into_iter().flatten().find(|sums| total(sums) > 0.0);
            for choice in 0..options {
                to[at(choice)] = match known {
                    Some(sums) => sums[at(choice)] / total(sums),
                    None => 1.0 / options as f32,
                };
            }
        }
    }
}

/// The place of a choice with a hand among the numbers of a strategy.
pub fn place(situation: &Situation, layout: &Layout, choice: usize, hand: usize) -> usize {
    match situation.stage {
        Stage::Exchange => hand * layout.choices + choice,
        _ => choice * layout.lanes + hand,
    }
}

/// The place of the choice of the greatest worth; of equals, the first.
pub fn best(options: usize, worth: impl Fn(usize) -> f32) -> usize {
    let best = (0..options)
        .max_by(|first, second| worth(*first).total_cmp(&worth(*second)).then(second.cmp(first)));
    best.unwrap_or(0)
}
