//! Answers requests for players that know situations only: their choices become moves.

use rules::coup::{Action, Character, Coup, Hand, Move};
use rules::{Request, Seat};

use crate::coup::expert::cards::{Card, PAIR_CARDS, exchanges};
use crate::coup::expert::read::Reading;
use crate::coup::expert::situation::{Choice, Next, Side, Situation, Stage};

/// The move that a way to choose comes to, given the situation and the number of the hand; nothing
/// where the request makes no sense to it.
///
/// A coup that wins is made without asking.
pub fn answer(
    request: &Request<Coup>,
    mut choose: impl FnMut(&Situation, usize) -> Option<Choice>,
) -> Option<Move> {
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
    let choice = choose(&situation, hand)?;
    let mv = if choice == Choice::Pass && situation.stage == Stage::AnswerAssassinate {
        // To pass is to give up a card, and the rules ask at once for which.
        let lost = match situation.after(choice) {
            Next::Same(loses) => lost(choose(&loses, hand)?, hand)?,
            _ => hand as Card,
        };
        Move::Lose(character(lost)?)
    } else {
        spoken(choice, &situation, hand, other)?
    };
    request.legal.contains(&mv).then_some(mv)
}

/// A choice as a move.
fn spoken(choice: Choice, situation: &Situation, hand: usize, other: Seat) -> Option<Move> {
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

fn character(card: Card) -> Option<Character> {
    Character::ALL.get(usize::from(card)).copied()
}

/// The card of a pair that a choice gives up.
fn lost(choice: Choice, hand: usize) -> Option<Card> {
    let [low, high] = *PAIR_CARDS.get(hand)?;
    Some(if choice == Choice::LoseHigh { high } else { low })
}
