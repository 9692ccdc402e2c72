//! Orders that are drawn.

use std::num::NonZeroU32;

use rules::Nature;

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
