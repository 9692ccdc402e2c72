//! Responses that are fixed: those of a table, and of a responder that has learned.

use bots::coup::expert::situation::{Side, Situation};

use crate::coup::node::{CHOICES, STRATEGY};
use crate::coup::responder::Responder;
use crate::coup::store::Layout;
use crate::coup::table::{Table, place};

/// The chances of a table, on either side.
pub fn by_table(table: &impl Table) -> impl Fn(&Situation, Side, usize) -> [f64; CHOICES] {
    |situation, _, hand| {
        let mut strategy = vec![0.0; STRATEGY];
        table.strategy(situation, &mut strategy);
        let layout = Layout::new(situation);
        let options = situation.options(hand);
        std::array::from_fn(|choice| match choice < options {
            true => f64::from(strategy[place(situation, &layout, choice, hand)]),
            false => 0.0,
        })
    }
}

/// What a responder takes to be best.
pub fn by_learning<T: Table>(
    responder: &Responder<'_, T>,
) -> impl Fn(&Situation, Side, usize) -> [f64; CHOICES] {
    |situation, side, hand| {
        let mut chances = [0.0; CHOICES];
        chances[responder.best(situation, side, hand, situation.options(hand))] = 1.0;
        chances
    }
}
