//! The chances of the player of [fixed chances](super::chances) as a table: they can be read from its
//! rules.

use bots::coup::expert::cards::{CARDS, Card, PAIR_CARDS, count, exchanges};
use bots::coup::expert::situation::{Choice, Situation, Stage, TurnSide};
use bots::coup::table::worth;
use rules::coup::Character;

use crate::coup::chances::{BLUFF, CHALLENGE, Chances, DOUBT, POOR, RICH};
use crate::coup::store::{Layout, Table, best, place};

impl Table for Chances {
    fn strategy(&self, situation: &Situation, to: &mut [f32]) {
        let layout = Layout::new(situation);
        to[..layout.strategy()].fill(0.0);
        for hand in 0..situation.hands() {
            for (choice, chance) in self.chances_of(situation, hand) {
                let choices = situation.choices().iter();
                if let Some(choice) =
                    choices.take(situation.options(hand)).position(|c| *c == choice)
                {
                    to[place(situation, &layout, choice, hand)] += chance;
                }
            }
        }
    }
}

impl Chances {
    fn chances_of(&self, situation: &Situation, hand: usize) -> Vec<(Choice, f32)> {
        let seen = Seen { situation, cards: situation.cards(situation.stage.decides()), hand };
        match situation.stage {
            Stage::Act => self.chances_of_actions(&seen),
            Stage::Exchange => vec![(best_exchange(situation, hand), 1.0)],
            Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange => {
                let [low, high] = PAIR_CARDS[hand];
                match (low == high, worth_of(high) < worth_of(low)) {
                    (false, true) => vec![(Choice::LoseHigh, 1.0)],
                    _ => vec![(Choice::LoseLow, 1.0)],
                }
            }
            _ => self.chances_of_answers(&seen),
        }
    }

    fn chances_of_actions(&self, seen: &Seen) -> Vec<(Choice, f32)> {
        if seen.may(Choice::Coup) {
            return vec![(Choice::Coup, 1.0)];
        }
        let first = if seen.situation.coins[0] < 3 { POOR } else { RICH + 2 };
        let mut left = 1.0;
        let mut chances = Vec::new();
        for (choice, place, claim) in [
            (Choice::Assassinate, RICH, Some(Character::Assassin)),
            (Choice::Tax, first, Some(Character::Duke)),
            (Choice::Steal, first + 2, Some(Character::Captain)),
            (Choice::Exchange, first + 4, Some(Character::Ambassador)),
            (Choice::ForeignAid, first + 6, None),
        ] {
            if seen.may(choice) {
                let lies = claim.is_some_and(|card| !seen.holds(card_of(card)));
                let chance = left * self.chance(place + usize::from(lies));
                chances.push((choice, chance));
                left -= chance;
            }
        }
        chances.push((Choice::Income, left));
        chances
    }

    fn chances_of_answers(&self, seen: &Seen) -> Vec<(Choice, f32)> {
        let stage = seen.situation.stage;
        let claimed = stage.claim().map(|(_, card)| card);
        if claimed.is_some_and(|card| seen.sees_all(card)) {
            return vec![(Choice::Challenge, 1.0)];
        }
        let blocks = seen.situation.choices().iter().filter_map(|choice| match choice {
            Choice::Block(card) => Some(*card),
            _ => None,
        });
        let blocks: Vec<Card> = blocks.collect();
        let honest = blocks.iter().filter(|card| seen.holds(**card));
        if let Some(card) = honest.min_by_key(|card| worth_of(**card)) {
            return vec![(Choice::Block(*card), 1.0)];
        }
        let (doubt, bluff) = match stage {
            Stage::AnswerTax => (Some(CHALLENGE), None),
            Stage::AnswerSteal => (Some(CHALLENGE + 1), Some(BLUFF + 1)),
            Stage::AnswerExchange => (Some(CHALLENGE + 2), None),
            Stage::AnswerAssassinate => (Some(CHALLENGE + 3), Some(BLUFF + 2)),
            Stage::AnswerForeignAid => (None, Some(BLUFF)),
            Stage::AcceptDuke => (Some(DOUBT), None),
            Stage::AcceptAmbassador | Stage::AcceptCaptain => (Some(DOUBT + 1), None),
            _ => (Some(DOUBT + 2), None),
        };
        let chance = |place: Option<usize>| place.map_or(0.0, |place| self.chance(place));
        let doubts = chance(doubt);
        let bluffs = (1.0 - doubts) * chance(bluff);
        let mut chances = vec![(Choice::Challenge, doubts)];
        let each = bluffs / blocks.len().max(1) as f32;
        chances.extend(blocks.into_iter().map(|card| (Choice::Block(card), each)));
        // To give up the last card is no answer at all.
        let gives_up = stage == Stage::AnswerAssassinate && seen.cards == 1;
        let rest = if gives_up { Choice::Challenge } else { Choice::Pass };
        chances.push((rest, 1.0 - doubts - bluffs));
        chances
    }

    fn chance(&self, place: usize) -> f32 {
        f32::from(self.0[place]) / 100.0
    }
}

/// The view of a seat that decides.
struct Seen<'a> {
    situation: &'a Situation,
    cards: usize,
    hand: usize,
}

impl Seen<'_> {
    fn may(&self, choice: Choice) -> bool {
        self.situation.choices().contains(&choice)
    }

    fn holds(&self, card: Card) -> bool {
        count(self.cards, self.hand, card) > 0
    }

    /// Returns true if all three copies of a card are in the hand or lost.
    fn sees_all(&self, card: Card) -> bool {
        let lost = self.situation.lost.iter().filter(|lost| **lost == card + 1).count();
        usize::from(count(self.cards, self.hand, card)) + lost >= 3
    }
}

/// Of the hands that an exchange can end with, the one of the best cards.
fn best_exchange(situation: &Situation, together: usize) -> Choice {
    let cards = situation.cards(TurnSide::Actor);
    let keeps = &exchanges(cards).keeps[together];
    let worth = |place: usize| {
        let hand = usize::from(keeps[place]);
        match cards {
            1 => worth_of(hand as Card),
            _ => {
                let [low, high] = PAIR_CARDS[hand];
                let worths = [worth_of(low), worth_of(high)];
                let (most, least) = (worths[0].max(worths[1]), worths[0].min(worths[1]));
                u32::from(low != high) * 100 + most * 10 + least
            }
        }
    };
    Choice::Keep(best(keeps.len(), |place| worth(place) as f32) as u8)
}

fn worth_of(card: Card) -> u32 {
    Character::ALL.get(usize::from(card)).map_or(0, |card| worth(*card))
}

/// The place of a character among all.
fn card_of(character: Character) -> Card {
    let place = Character::ALL.iter().position(|other| *other == character);
    place.unwrap_or(CARDS) as Card
}
