//! A whole state of the game in a few bytes, a situation with both hands, and games played out from it by chances.

use crate::coup::expert::cards::{
    CARDS, Card, PAIR, PAIR_CARDS, PAIRS, count, exchanges, other_card, replaced,
};
use crate::coup::expert::packed::{CHOICES, Chances};
use crate::coup::expert::situation::{
    ChallengeResult, Choice, NextStep, Situation, Stage, TurnSide,
};
use crate::coup::table::FastRng;

/// After this number of decisions without a winner, the game is a draw.
const MOST_DECISIONS: u32 = 200;

/// A state in which someone has a choice, or the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The open part, as seen from the turn.
    pub situation: Situation,
    /// The hands of the actor and of the other, by their numbers.
    pub hands: [u8; 2],
    /// In an exchange: the number of the actor's cards together with those drawn.
    pub together: u8,
    pub actor: usize,
    /// Number of decisions, those included that the rules left no choice in.
    pub decisions: u32,
    pub end: Option<GameEnd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEnd {
    Won(usize),
    Draw,
}

/// Draws a card: given how many there are of each, gives one of those that are there.
pub trait CardSource {
    fn draw(&mut self, deck: [u8; CARDS]) -> Card;
}

impl<F: FnMut([u8; CARDS]) -> Card> CardSource for F {
    fn draw(&mut self, deck: [u8; CARDS]) -> Card {
        self(deck)
    }
}

impl Position {
    /// The start with these hands, seat 0 to act.
    pub fn new(hands: [[Card; 2]; 2]) -> Position {
        let hands = hands.map(|[first, second]| PAIR[usize::from(first)][usize::from(second)]);
        Position {
            situation: Situation::START,
            hands,
            together: 0,
            actor: 0,
            decisions: 0,
            end: None,
        }
    }

    pub fn dealt(drawing: &mut impl CardSource) -> Position {
        let mut deck = [3; CARDS];
        let mut draw = || {
            let card = drawing.draw(deck);
            deck[usize::from(card)] -= 1;
            card
        };
        Position::new([[draw(), draw()], [draw(), draw()]])
    }

    pub fn decides(&self) -> TurnSide {
        self.situation.stage.decides()
    }

    pub fn seat(&self) -> usize {
        match self.decides() {
            TurnSide::Actor => self.actor,
            TurnSide::Other => 1 - self.actor,
        }
    }

    /// The hand of the side that decides; in an exchange, all cards together.
    pub fn hand(&self) -> usize {
        match self.situation.stage {
            Stage::Exchange => usize::from(self.together),
            _ => usize::from(self.hands[self.decides().index()]),
        }
    }

    /// Number of first choices of the situation that the hand has.
    pub fn options(&self) -> usize {
        self.situation.options(self.hand())
    }

    pub fn deck(&self) -> [u8; CARDS] {
        std::array::from_fn(|card| {
            let card = card as Card;
            let lost = self.situation.lost.iter().filter(|lost| **lost == card + 1).count() as u8;
            let held = |side: TurnSide| {
                let cards = self.situation.cards(side);
                count(cards, usize::from(self.hands[side.index()]), card)
            };
            3u8.saturating_sub(lost + held(TurnSide::Actor) + held(TurnSide::Other))
        })
    }

    /// Makes a choice; nature draws what is to be drawn.
    pub fn play(&mut self, choice: Choice, drawing: &mut impl CardSource) {
        let loses = |position: &mut Position, high: usize| {
            let side = position.decides();
            let hand = &mut position.hands[side.index()];
            let card = PAIR_CARDS[usize::from(*hand).min(PAIRS - 1)][high];
            *hand = other_card(usize::from(*hand), card);
            let cost = if position.situation.stage == Stage::OtherLoses { 2 } else { 1 };
            (position.situation.after_loss(card), cost)
        };
        let (next, cost) = match choice {
            Choice::Challenge => self.challenge(drawing),
            Choice::LoseLow => loses(self, 0),
            Choice::LoseHigh => loses(self, 1),
            Choice::Keep(place) => {
                let cards = self.situation.cards(TurnSide::Actor);
                let keeps = &exchanges(cards).keeps[usize::from(self.together)];
                self.hands[0] = keeps.get(usize::from(place)).copied().unwrap_or(self.hands[0]);
                (self.situation.after_exchange(), 1)
            }
            _ => (self.situation.after(choice), self.cost(choice)),
        };
        self.go_on(next, cost, drawing);
    }

    /// Number of decisions that a choice takes with those that follow by themselves.
    fn cost(&self, choice: Choice) -> u32 {
        match (choice, self.situation.stage) {
            // To give up a card is the answer, and decided in the next situation.
            (Choice::Pass, Stage::AnswerAssassinate) => match self.situation.cards(TurnSide::Other)
            {
                1 => 1,
                _ => 0,
            },
            (Choice::Pass, Stage::AnswerForeignAid | Stage::AnswerTax | Stage::AnswerSteal) => 2,
            _ => 1,
        }
    }

    fn challenge(&mut self, drawing: &mut impl CardSource) -> (NextStep, u32) {
        let Some((claimer, card)) = self.situation.stage.claim() else {
            return (NextStep::Same(self.situation), 0);
        };
        let cards = self.situation.cards(claimer);
        let hand = usize::from(self.hands[claimer.index()]);
        let found = match count(cards, hand, card) {
            0 => ChallengeResult::Missing,
            _ => ChallengeResult::There,
        };
        if found == ChallengeResult::There && self.situation.stage != Stage::AnswerExchange {
            let new = drawing.draw(self.deck());
            self.hands[claimer.index()] = replaced(cards, hand, card, new) as u8;
        }
        let next = self.situation.after_challenge(found);
        let cost = match (found, matches!(next, NextStep::Won(_))) {
            (ChallengeResult::There, false) | (ChallengeResult::Missing, true) => 2,
            (ChallengeResult::There, true) => 3,
            (ChallengeResult::Missing, false) => 1,
        };
        (next, cost)
    }

    fn go_on(&mut self, next: NextStep, cost: u32, drawing: &mut impl CardSource) {
        let (next, forced) = match next {
            NextStep::Won(side) => {
                let seat = if side == TurnSide::Actor { self.actor } else { 1 - self.actor };
                return self.won(seat, cost);
            }
            // The coup and the loss of the last card.
            NextStep::Coup(_) => return self.won(1 - self.actor, cost + 2),
            NextStep::Same(next) => (next, 0),
            NextStep::Turned(next) => {
                self.actor = 1 - self.actor;
                self.hands.reverse();
                (next, u32::from(next.stage != Stage::Act))
            }
        };
        self.situation = next;
        self.decisions += cost + forced;
        if self.decisions >= MOST_DECISIONS {
            self.end = Some(GameEnd::Draw);
        } else if next.stage == Stage::Exchange {
            self.draw_two(drawing);
        }
    }

    fn won(&mut self, seat: usize, cost: u32) {
        self.decisions += cost;
        // The last decision wins even where it is the last that there can be.
        let late = self.decisions > MOST_DECISIONS;
        self.end = Some(if late { GameEnd::Draw } else { GameEnd::Won(seat) });
    }

    fn draw_two(&mut self, drawing: &mut impl CardSource) {
        let mut deck = self.deck();
        let first = drawing.draw(deck);
        deck[usize::from(first)] = deck[usize::from(first)].saturating_sub(1);
        let second = drawing.draw(deck);
        let drawn = usize::from(PAIR[usize::from(first)][usize::from(second)]);
        let cards = self.situation.cards(TurnSide::Actor);
        self.together = exchanges(cards).joined[usize::from(self.hands[0])][drawn];
    }
}

pub(in crate::coup) struct Playout {
    position: Position,
    /// For what each seat chooses and for the cards that come, so that a choice more of one leaves
    /// the luck of the others as it is.
    choosing: [FastRng; 2],
    drawing: FastRng,
}

impl Playout {
    /// A game that goes on from here with this luck.
    pub(in crate::coup) fn new(position: Position, mut luck: FastRng) -> Playout {
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
            Some(GameEnd::Won(winner)) if winner == seat => 1.0,
            Some(GameEnd::Won(_)) => 0.0,
            _ => 0.5,
        }
    }
}

/// Chances that were looked up of late.
#[derive(Debug, Clone, Default)]
pub(in crate::coup) struct ChanceCache {
    /// Each with the key of its situation and hand.
    slots: Vec<(u64, Chances)>,
}

/// No situation and hand have this key.
const NONE: u64 = u64::MAX;

/// Number of bits of the place of a slot.
const BITS: u32 = 14;

impl ChanceCache {
    /// The chances in a situation with a hand, as they are known or else looked up.
    pub(in crate::coup) fn get(
        &mut self,
        situation: &Situation,
        hand: usize,
        look_up: impl FnOnce() -> Chances,
    ) -> Chances {
        if self.slots.is_empty() {
            self.slots = vec![(NONE, [0; CHOICES]); 1 << BITS];
        }
        let key = situation.key() << 8 | hand as u64;
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS);
        let slot = &mut self.slots[place as usize];
        if slot.0 != key {
            *slot = (key, look_up());
        }
        slot.1
    }

    pub(in crate::coup) fn forget(&mut self) {
        self.slots.clear();
    }
}
