//! A chain of worlds, each of which differs from the one before by some cards that have changed places.
//!
//! With many seats it is of little use to draw one hand after another: few hands explain all moves of a seat,
//! and each takes cards away from the others. So two cards change places, and the change is kept as often
//! as the hands are likelier with it, or by the part by which they are less likely. In the long run worlds come
//! up as often as they are likely (N. Metropolis et al., "Equation of State Calculations by Fast Computing
//! Machines", 1953).

use std::num::NonZeroU32;

use rules::{Nature, Seat};

use crate::tablic::classes::{Class, ClassCounts};
use crate::tablic::expert::beliefs::Beliefs;

/// Number of changes that are tried before the first world.
const BEFORE_FIRST: u32 = 300;

/// Number of changes that are tried between worlds.
const BETWEEN: u32 = 32;

/// The parts in which chances are counted.
pub(super) const PARTS: NonZeroU32 = NonZeroU32::MIN.saturating_add((1 << 20) - 1);

/// A world, and how it changes.
#[derive(Debug)]
pub(super) struct MarkovChain<'a> {
    beliefs: &'a Beliefs,
    /// The cards in hands that the asked seat does not see, and whose they are.
    held: Vec<(Class, usize)>,
    /// The other cards that it has not seen.
    rest: Vec<Class>,
    hands: [ClassCounts; Seat::MOST],
    likelihoods: [f32; Seat::MOST],
}

impl<'a> MarkovChain<'a> {
    /// Begins with these hands of the other seats, and the rest of the unseen cards.
    pub(super) fn new(
        beliefs: &'a Beliefs,
        hands: [ClassCounts; Seat::MOST],
        rest: Vec<Class>,
        nature: &mut Nature,
    ) -> MarkovChain<'a> {
        let mut held = Vec::new();
        let mut likelihoods = [1.0; Seat::MOST];
        for (seat, hand) in hands.iter().enumerate().filter(|(_, hand)| !hand.is_empty()) {
            held.extend(hand.cards().map(|class| (class, seat)));
            likelihoods[seat] = beliefs.likelihood_of_any_manner(seat, *hand);
        }
        let mut chain = MarkovChain { beliefs, held, rest, hands, likelihoods };
        chain.change(BEFORE_FIRST, nature);
        chain
    }

    /// The hands of the other seats in the next world.
    pub(super) fn next(&mut self, nature: &mut Nature) -> &[ClassCounts; Seat::MOST] {
        self.change(BETWEEN, nature);
        &self.hands
    }

    fn change(&mut self, times: u32, nature: &mut Nature) {
        let number = |count: usize| NonZeroU32::new(count as u32);
        let all = number(self.held.len() + self.rest.len());
        let (Some(held), Some(all)) = (number(self.held.len()), all) else { return };
        for _ in 0..times {
            let one = nature.below(held) as usize;
            let other = nature.below(all) as usize;
            match other.checked_sub(self.held.len()) {
                Some(other) => self.swap_with_rest(one, other, nature),
                None => self.swap_held(one, other, nature),
            }
        }
    }

    /// Tries to give a seat a card that nobody holds for one of its own.
    fn swap_with_rest(&mut self, one: usize, other: usize, nature: &mut Nature) {
        let ((class, seat), drawn) = (self.held[one], self.rest[other]);
        if class == drawn {
            return;
        }
        let hand = swapped(self.hands[seat], class, drawn);
        let likelihood = self.beliefs.likelihood_of_any_manner(seat, hand);
        if is_kept(self.likelihoods[seat], likelihood, nature) {
            (self.hands[seat], self.likelihoods[seat]) = (hand, likelihood);
            (self.held[one].0, self.rest[other]) = (drawn, class);
        }
    }

    /// Tries to let two seats exchange a card.
    fn swap_held(&mut self, one: usize, other: usize, nature: &mut Nature) {
        let ((first, one_seat), (second, other_seat)) = (self.held[one], self.held[other]);
        if one_seat == other_seat || first == second {
            return;
        }
        let one_hand = swapped(self.hands[one_seat], first, second);
        let other_hand = swapped(self.hands[other_seat], second, first);
        let one_likelihood = self.beliefs.likelihood_of_any_manner(one_seat, one_hand);
        let other_likelihood = self.beliefs.likelihood_of_any_manner(other_seat, other_hand);
        let before = self.likelihoods[one_seat] * self.likelihoods[other_seat];
        if is_kept(before, one_likelihood * other_likelihood, nature) {
            (self.hands[one_seat], self.likelihoods[one_seat]) = (one_hand, one_likelihood);
            (self.hands[other_seat], self.likelihoods[other_seat]) = (other_hand, other_likelihood);
            (self.held[one].0, self.held[other].0) = (second, first);
        }
    }
}

fn swapped(hand: ClassCounts, given: Class, taken: Class) -> ClassCounts {
    hand.minus(ClassCounts::one(given)).plus(ClassCounts::one(taken))
}

fn is_kept(before: f32, after: f32, nature: &mut Nature) -> bool {
    after >= before || nature.below(PARTS) as f32 / PARTS.get() as f32 * before < after
}
