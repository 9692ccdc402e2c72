//! The player itself: it asks the table, and draws.

use std::num::NonZeroU32;

use rules::coup::{Coup, Move};
use rules::{Nature, Request};

use crate::coup::expert::packed::Packed;
use crate::coup::expert::situation::{Choice, Situation};
use crate::coup::expert::speech::answer;
use crate::coup::greedy::Greedy;
use crate::player::{NoMove, Player};

/// Plays as often as a table says, by the randomness of its requests.
#[derive(Debug, Clone, Copy)]
pub struct Expert<'a> {
    table: Packed<'a>,
}

impl<'a> Expert<'a> {
    /// The player of this table.
    pub fn new(table: Packed<'a>) -> Expert<'a> {
        Expert { table }
    }

    fn draw(&self, situation: &Situation, hand: usize, nature: &mut Nature) -> Option<Choice> {
        let chances = self.table.chances(situation, hand);
        let options = situation.choices().get(..situation.options(hand))?;
        let total: u32 = chances.iter().map(|chance| u32::from(*chance)).sum();
        let mut place = nature.below(NonZeroU32::new(total)?);
        for (choice, chance) in options.iter().zip(chances) {
            match place.checked_sub(u32::from(chance)) {
                Some(rest) => place = rest,
                None => return Some(*choice),
            }
        }
        None
    }
}

impl Player<Coup> for Expert<'_> {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        let found = answer(request, |situation, hand| self.draw(situation, hand, &mut nature));
        found.map_or_else(|| Greedy.choose(request), Ok)
    }
}
