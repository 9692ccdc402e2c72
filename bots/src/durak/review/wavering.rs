//! Play that strays from habits, for ends that are known but too long to be searched.

use std::cell::RefCell;
use std::num::NonZeroU32;

use rules::Nature;

use crate::durak::expert::habits::Habits;
use crate::durak::search::policy::PlayOutPolicy;
use crate::durak::search::position::{Play, Position, World};

/// One move in so many is any that is legal.
const STRAYS: NonZeroU32 = NonZeroU32::MIN.saturating_add(7);

/// Plays by habits, but now and then any legal move.
///
/// Where all cards are known there is one world, and all its trials by fixed habits are the same: a
/// single line would pass for a value without an error.
pub(super) struct Wavering<'a> {
    habits: &'a Habits,
    nature: RefCell<Nature>,
}

impl Wavering<'_> {
    pub(super) fn new(habits: &Habits, nature: Nature) -> Wavering<'_> {
        Wavering { habits, nature: RefCell::new(nature) }
    }
}

impl PlayOutPolicy for Wavering<'_> {
    fn choose(&self, position: &Position, world: &World) -> Play {
        let mut nature = self.nature.borrow_mut();
        if nature.below(STRAYS) == 0 {
            let plays: Vec<Play> = position.choices(world).plays().collect();
            if let Some(play) = nature.choose(&plays) {
                return *play;
            }
        }
        self.habits.choose(position, world)
    }
}
