//! The player that looks its choices up: in the table, or in a response to the style that it suspects.

use std::num::NonZeroU32;

use rules::coup::{Coup, Move};
use rules::{Nature, Request};

use crate::coup::expert::packed::{Chances, Packed};
use crate::coup::expert::punishment::Punishment;
use crate::coup::expert::situation::{Choice, Situation};
use crate::coup::expert::speech::answer;
use crate::coup::expert::suspicion::Suspicion;
use crate::coup::greedy::Greedy;
use crate::player::{NoMove, Player};

/// Plays as often as a table says, by the randomness of its requests, or as it does well against
/// the style that the other seat seems to play in.
#[derive(Debug, Clone)]
pub struct Expert<'a> {
    table: Packed<'a>,
    punishment: Option<Punishment<'a>>,
}

impl<'a> Expert<'a> {
    /// The player of this table, who never departs from it.
    pub fn safe(table: Packed<'a>) -> Expert<'a> {
        Expert { table, punishment: None }
    }

    /// The player of this table, who punishes where it can.
    pub fn punishing(table: Packed<'a>, punishment: Punishment<'a>) -> Expert<'a> {
        Expert { table, punishment: Some(punishment) }
    }

    /// The answer to the style that the other seat most likely plays in; `None` if it plays like
    /// the table.
    fn response(&self, request: &Request<Coup>) -> Option<Packed<'a>> {
        let punishment = self.punishment.as_ref()?;
        let manners = punishment.manners(self.table);
        let suspect = Suspicion::new(request.heading.seat, manners)?.learn(request)?;
        punishment.response(suspect)
    }
}

/// A choice by its chances.
fn draw(
    chances: Chances,
    situation: &Situation,
    hand: usize,
    nature: &mut Nature,
) -> Option<Choice> {
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

impl Player<Coup> for Expert<'_> {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        let response = self.response(request);
        let found = answer(request, |situation, hand| {
            let chances = match response {
                Some(response) => response.chances(&situation.rough(), hand),
                None => self.table.chances(situation, hand),
            };
            draw(chances, situation, hand, &mut nature)
        });
        found.map_or_else(|| Greedy.choose(request), Ok)
    }
}
