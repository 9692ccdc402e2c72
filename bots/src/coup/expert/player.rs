//! The player itself: it asks the table, and draws.

use std::num::NonZeroU32;

use rules::coup::{Action, Character, Coup, Hand, Move};
use rules::{Nature, Request, Seat};

use crate::coup::expert::cards::{Card, PAIR_CARDS, exchanges};
use crate::coup::expert::packed::Packed;
use crate::coup::expert::read::Reading;
use crate::coup::expert::situation::{Choice, Next, Side, Situation, Stage};
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

    /// Its move; nothing where the request makes no sense to it.
    fn find(&self, request: &Request<Coup>) -> Option<Move> {
        let other = Seat::first(2).find(|seat| *seat != request.heading.seat)?;
        let coup = Move::Act(Action::Coup(other));
        let reading = Reading::read(request)?;
        let situation = reading.situation;
        if situation.stage == Stage::Act
            && situation.cards(Side::Other) == 1
            && request.legal.contains(&coup)
        {
            return Some(coup);
        }
        let hand = reading.hand(request.view.hand)?;
        let mut nature = request.heading.seed.nature();
        let choice = self.draw(&situation, hand, &mut nature)?;
        if choice == Choice::Pass && situation.stage == Stage::AnswerAssassinate {
            // To pass is to give up a card, and the rules ask at once for which.
            let lost = match situation.after(choice) {
                Next::Same(loses) => lost(self.draw(&loses, hand, &mut nature)?, hand)?,
                _ => hand as Card,
            };
            return Some(Move::Lose(character(lost)?));
        }
        self.spoken(choice, &situation, hand, other)
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

    /// A choice as a move.
    fn spoken(
        &self,
        choice: Choice,
        situation: &Situation,
        hand: usize,
        other: Seat,
    ) -> Option<Move> {
        Some(match choice {
            Choice::Income => Move::Act(Action::Income),
            Choice::ForeignAid => Move::Act(Action::ForeignAid),
            Choice::Coup => Move::Act(Action::Coup(other)),
            Choice::Tax => Move::Act(Action::Tax),
            Choice::Assassinate => Move::Act(Action::Assassinate(other)),
            Choice::Steal => Move::Act(Action::Steal(other)),
            Choice::Exchange => Move::Act(Action::Exchange),
            Choice::Pass => Move::Pass,
            Choice::Challenge => Move::Challenge,
            Choice::Block(card) => Move::Block(character(card)?),
            Choice::LoseLow | Choice::LoseHigh => Move::Lose(character(lost(choice, hand)?)?),
            Choice::Keep(place) => {
                let cards = situation.cards(Side::Actor);
                let kept = *exchanges(cards).keeps.get(hand)?.get(usize::from(place))?;
                let kept = match cards {
                    1 => Hand::new(&[character(kept)?])?,
                    _ => {
                        let [low, high] = *PAIR_CARDS.get(usize::from(kept))?;
                        Hand::new(&[character(low)?, character(high)?])?
                    }
                };
                Move::Keep(kept)
            }
        })
    }
}

fn character(card: Card) -> Option<Character> {
    Character::ALL.get(usize::from(card)).copied()
}

/// The card of a pair that a choice gives up.
fn lost(choice: Choice, hand: usize) -> Option<Card> {
    let [low, high] = *PAIR_CARDS.get(hand)?;
    Some(if choice == Choice::LoseHigh { high } else { low })
}

impl Player<Coup> for Expert<'_> {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let found = self.find(request).filter(|mv| request.legal.contains(mv));
        found.map_or_else(|| Greedy.choose(request), Ok)
    }
}
