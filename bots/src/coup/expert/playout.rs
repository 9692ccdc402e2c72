//! Games that are played out by chances.

use crate::coup::expert::cards::{CARDS, Card};
use crate::coup::expert::packed::{CHOICES, Chances};
use crate::coup::expert::position::{End, Position};
use crate::coup::expert::situation::{Choice, Situation};
use crate::coup::luck::Luck;

/// A game that is played to its end.
pub(in crate::coup) struct Playout {
    position: Position,
    /// For what each seat chooses and for the cards that come, so that a choice more of one leaves
    /// the luck of the others as it is.
    choosing: [Luck; 2],
    drawing: Luck,
}

impl Playout {
    /// A game that goes on from here with this luck.
    pub(in crate::coup) fn new(position: Position, mut luck: Luck) -> Playout {
        let choosing = [luck.split(), luck.split()];
        Playout { position, choosing, drawing: luck }
    }

    /// Plays these choices, and then to the end by chances, given the seat that chooses, the situation
    /// and the hand.
    pub(in crate::coup) fn run(
        &mut self,
        choices: &[Choice],
        mut chances: impl FnMut(usize, &Situation, usize) -> Chances,
    ) {
        for choice in choices {
            self.play(*choice);
        }
        while self.position.end.is_none() {
            let (situation, hand) = (self.position.situation, self.position.hand());
            let options = situation.options(hand).min(situation.choices().len());
            let choice = match situation.choices().get(..options) {
                Some([only]) => *only,
                Some(choices @ [_, ..]) => {
                    let seat = self.position.seat();
                    let chances = chances(seat, &situation, hand);
                    choices[self.choosing[seat].place(&chances[..options.min(CHOICES)])]
                }
                // No hand is like this.
                _ => break,
            };
            self.play(choice);
        }
    }

    fn play(&mut self, choice: Choice) {
        let drawing = &mut self.drawing;
        self.position.play(choice, &mut |deck: [u8; CARDS]| drawing.place(&deck) as Card);
    }

    /// The part of a win that the seat has in the end.
    pub(in crate::coup) fn share(&self, seat: usize) -> f64 {
        match self.position.end {
            Some(End::Won(winner)) if winner == seat => 1.0,
            Some(End::Won(_)) => 0.0,
            _ => 0.5,
        }
    }
}

/// Chances that were looked up of late.
#[derive(Debug, Clone, Default)]
pub(in crate::coup) struct Known {
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    chances: Chances,
}

/// No situation and hand have this key.
const NONE: u64 = u64::MAX;

/// Number of bits of the place of a slot.
const BITS: u32 = 14;

impl Known {
    /// The chances in a situation with a hand, as they are known or else looked up.
    pub(in crate::coup) fn get(
        &mut self,
        situation: &Situation,
        hand: usize,
        look_up: impl FnOnce() -> Chances,
    ) -> Chances {
        if self.slots.is_empty() {
            self.slots = vec![Slot { key: NONE, chances: [0; CHOICES] }; 1 << BITS];
        }
        let key = situation.key() << 8 | hand as u64;
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS);
        let slot = &mut self.slots[place as usize];
        if slot.key != key {
            *slot = Slot { key, chances: look_up() };
        }
        slot.chances
    }

    /// Forgets everything.
    pub(in crate::coup) fn forget(&mut self) {
        self.slots.clear();
    }
}
