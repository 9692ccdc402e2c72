//! Choices of some out of many, and orders of some, by their numbers.

use std::num::NonZeroU32;

use rules::Nature;

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
