//! One situation with all hands: what each choice is worth, and what can follow.

use bots::coup::expert::cards::{
    CARDS, Card, PAIR_CARDS, PAIRS, QUADS, count, exchanges, other, replaced,
};
use bots::coup::expert::situation::{Choice, Found, Next, Side, Situation, Stage};

use crate::coup::block::{Block, MOST, Shape, ZERO, normalise, turn};
use crate::coup::deck::Decks;
use crate::coup::store::Layout;
use crate::coup::table;

/// The most choices that do not depend on the cards.
pub const CHOICES: usize = 7;

/// The most numbers that a strategy has: those of an exchange.
pub const STRATEGY: usize = QUADS * 6;

/// Where the values of what follows come from.
pub trait Source {
    /// The values of a situation, for its actor; `turned` where the roles have changed on the way.
    fn values(&self, situation: &Situation, turned: Turned) -> Option<&[f32]>;
}

/// Whether the roles have changed between two situations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    /// The next turn has begun.
    Yes,
    /// It is the same turn.
    No,
}

/// Something that everyone sees happen in a situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The choice of this place.
    Chosen(usize),
    /// A challenge, the choice of this place, and what it found.
    Challenged(usize, Found),
    /// The loss of this card.
    Lost(Card),
    /// The end of an exchange.
    Exchanged,
}

/// A situation with the chance of each pair of hands, and what each choice is worth.
#[derive(Debug)]
pub struct Node {
    /// The situation.
    pub situation: Situation,
    /// How its numbers are laid out.
    pub layout: Layout,
    /// The chance of each pair of hands.
    pub joint: Block,
    /// The values of each choice; of an exchange, in the first, those of the hands that are kept.
    worth: [Block; CHOICES],
    /// In an exchange: the chance of all cards together with each hand of the other.
    together: Box<[f32; QUADS * 16]>,
    /// How likely each hand of the side that decides is.
    pub marginal: [f32; QUADS],
    /// For each choice and hand: its worth for the side that decides, times the hand's chance.
    pub gains: Box<[f32; STRATEGY]>,
}

impl Node {
    /// Room for a situation.
    pub fn new() -> Node {
        Node {
            situation: Situation::START,
            layout: Layout::new(&Situation::START),
            joint: ZERO,
            worth: [ZERO; CHOICES],
            together: Box::new([0.0; QUADS * 16]),
            marginal: [0.0; QUADS],
            gains: Box::new([0.0; STRATEGY]),
        }
    }

    fn shape(&self) -> Shape {
        self.layout.shape
    }

    fn decider(&self) -> Side {
        self.situation.stage.decides()
    }

    /// How many hands the side that decides may have.
    pub fn hands(&self) -> usize {
        self.situation.hands()
    }

    /// The place of a choice with a hand among the numbers of a strategy.
    pub fn place(&self, choice: usize, hand: usize) -> usize {
        table::place(&self.situation, &self.layout, choice, hand)
    }

    /// How many choices there are with this hand.
    pub fn options(&self, hand: usize) -> usize {
        self.situation.options(hand)
    }

    /// Takes a situation without looking ahead, which is enough for what can follow.
    pub fn put(&mut self, situation: &Situation, joint: &Block, decks: &Decks) {
        self.situation = *situation;
        self.layout = Layout::new(situation);
        self.joint = *joint;
        if situation.stage == Stage::Exchange {
            self.join(decks);
        }
    }

    /// Looks at a situation: what each choice is worth with each pair of hands.
    pub fn look(
        &mut self,
        situation: &Situation,
        joint: &Block,
        decks: &Decks,
        discount: f32,
        source: &impl Source,
    ) {
        self.put(situation, joint, decks);
        let looking = Looking { situation, shape: self.shape(), decks, discount, source };
        match situation.stage {
            Stage::Exchange => {
                looking.load(situation.after_exchange(), looking.shape.cards, &mut self.worth[0]);
                self.gain_of_exchange();
            }
            Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange => {
                let [low, high, ..] = &mut self.worth;
                looking.losses(low, high);
                self.gain();
            }
            _ => {
                for (choice, worth) in situation.choices().iter().zip(&mut self.worth) {
                    match choice {
                        Choice::Challenge => looking.challenge(worth),
                        choice => {
                            looking.load(situation.after(*choice), looking.shape.cards, worth)
                        }
                    }
                }
                self.gain();
            }
        }
    }

    /// Sums up, for each hand of the side that decides, what the choices are worth.
    fn gain(&mut self) {
        let Shape { rows, stride, .. } = self.shape();
        let lanes = self.layout.lanes;
        match self.decider() {
            Side::Actor => {
                self.marginal = [0.0; QUADS];
                for row in 0..rows {
                    self.marginal[row] = self.joint[row * stride..][..stride].iter().sum();
                }
                for choice in 0..self.layout.choices {
                    let gains = &mut self.gains[choice * lanes..][..lanes];
                    gains.fill(0.0);
                    for (row, gain) in gains.iter_mut().enumerate().take(rows) {
                        let joint = &self.joint[row * stride..][..stride];
                        let worth = &self.worth[choice][row * stride..][..stride];
                        *gain = dot(joint, worth);
                    }
                }
            }
            Side::Other => {
                self.marginal = [0.0; QUADS];
                for line in self.joint[..rows * stride].chunks_exact(stride) {
                    for (sum, chance) in self.marginal.iter_mut().zip(line) {
                        *sum += chance;
                    }
                }
                for choice in 0..self.layout.choices {
                    let gains = &mut self.gains[choice * lanes..][..lanes];
                    gains.fill(0.0);
                    let joint = self.joint[..rows * stride].chunks_exact(stride);
                    let worth = self.worth[choice][..rows * stride].chunks_exact(stride);
                    for (joint, worth) in joint.zip(worth) {
                        for ((gain, joint), worth) in gains.iter_mut().zip(joint).zip(worth) {
                            *gain -= joint * worth;
                        }
                    }
                }
            }
        }
    }

    /// Puts together the actor's cards and the drawn ones.
    fn join(&mut self, decks: &Decks) {
        let Shape { rows, stride, .. } = self.shape();
        let shares = decks.shares(&self.situation);
        let joined = &exchanges(self.shape().cards[0]).joined;
        self.together[..self.layout.lanes * stride].fill(0.0);
        for (row, joined) in joined.iter().enumerate().take(rows) {
            let joint = &self.joint[row * stride..][..stride];
            for (drawn, all) in joined.iter().enumerate() {
                let chance = drawn_chance(shares, drawn, row * stride, stride);
                let all = usize::from(*all);
                let sums = &mut self.together[all * stride..][..stride];
                for ((sum, joint), chance) in sums.iter_mut().zip(joint).zip(chance) {
                    *sum += joint * chance;
                }
            }
        }
    }

    fn gain_of_exchange(&mut self) {
        let stride = self.shape().stride;
        let choices = self.layout.choices;
        let keeps = &exchanges(self.shape().cards[0]).keeps;
        for (all, keeps) in keeps.iter().enumerate() {
            let together = &self.together[all * stride..][..stride];
            self.marginal[all] = together.iter().sum();
            let gains = &mut self.gains[all * choices..][..choices];
            gains.fill(0.0);
            for (gain, kept) in gains.iter_mut().zip(keeps) {
                let worth = &self.worth[0][usize::from(*kept) * stride..][..stride];
                *gain = dot(together, worth);
            }
        }
    }

    /// The value of each pair of hands under a strategy.
    pub fn values(&self, strategy: &[f32], decks: &Decks, to: &mut Block) {
        let Shape { rows, stride, cards, .. } = self.shape();
        let lanes = self.layout.lanes;
        to[..rows * stride].fill(0.0);
        match (self.situation.stage, self.decider()) {
            (Stage::Exchange, _) => self.values_of_exchange(strategy, decks, cards, to),
            (_, Side::Actor) => {
                for choice in 0..self.layout.choices {
                    let chances = &strategy[choice * lanes..][..rows];
                    for (row, chance) in chances.iter().enumerate() {
                        let worth = &self.worth[choice][row * stride..][..stride];
                        let values = &mut to[row * stride..][..stride];
                        for (value, worth) in values.iter_mut().zip(worth) {
                            *value += chance * worth;
                        }
                    }
                }
            }
            (_, Side::Other) => {
                for choice in 0..self.layout.choices {
                    let chances = &strategy[choice * lanes..][..stride];
                    let worth = self.worth[choice][..rows * stride].chunks_exact(stride);
                    let values = to[..rows * stride].chunks_exact_mut(stride);
                    for (values, worth) in values.zip(worth) {
                        for ((value, worth), chance) in values.iter_mut().zip(worth).zip(chances) {
                            *value += chance * worth;
                        }
                    }
                }
            }
        }
    }

    fn values_of_exchange(
        &self,
        strategy: &[f32],
        decks: &Decks,
        cards: [usize; 2],
        to: &mut Block,
    ) {
        let Shape { rows, stride, .. } = self.shape();
        let choices = self.layout.choices;
        let all_exchanges = exchanges(cards[0]);
        let shares = decks.shares(&self.situation);
        let mut after = [0.0; QUADS * 16];
        for (all, keeps) in all_exchanges.keeps.iter().enumerate() {
            let values = &mut after[all * stride..][..stride];
            let chances = &strategy[all * choices..][..choices];
            for (chance, kept) in chances.iter().zip(keeps) {
                let worth = &self.worth[0][usize::from(*kept) * stride..][..stride];
                for (value, worth) in values.iter_mut().zip(worth) {
                    *value += chance * worth;
                }
            }
        }
        for (row, joined) in all_exchanges.joined.iter().enumerate().take(rows) {
            for (drawn, all) in joined.iter().enumerate() {
                let chance = drawn_chance(shares, drawn, row * stride, stride);
                let all = usize::from(*all);
                let after = &after[all * stride..][..stride];
                let values = &mut to[row * stride..][..stride];
                for ((value, after), chance) in values.iter_mut().zip(after).zip(chance) {
                    *value += after * chance;
                }
            }
        }
    }

    /// The chance of each pair of hands and this choice.
    fn chosen(&self, choice: usize, strategy: &[f32], to: &mut Block) {
        let Shape { rows, stride, .. } = self.shape();
        let chances = &strategy[choice * self.layout.lanes..][..self.layout.lanes];
        for row in 0..rows {
            let joint = &self.joint[row * stride..][..stride];
            let sums = &mut to[row * stride..][..stride];
            match self.decider() {
                Side::Actor => {
                    for (sum, joint) in sums.iter_mut().zip(joint) {
                        *sum += joint * chances[row];
                    }
                }
                Side::Other => {
                    for ((sum, joint), chance) in sums.iter_mut().zip(joint).zip(chances) {
                        *sum += joint * chance;
                    }
                }
            }
        }
    }

    /// What can follow, each with its chance under a strategy.
    pub fn outcomes(&self, strategy: &[f32], to: &mut Vec<(Outcome, f32)>) {
        to.clear();
        let Shape { rows, stride, cards, .. } = self.shape();
        let lanes = self.layout.lanes;
        match self.situation.stage {
            Stage::Exchange => to.push((Outcome::Exchanged, 1.0)),
            Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange => {
                let mut chances = [0.0; CARDS];
                for hand in 0..PAIRS {
                    for (choice, card) in PAIR_CARDS[hand].into_iter().enumerate() {
                        chances[usize::from(card)] +=
                            self.marginal[hand] * strategy[choice * lanes + hand];
                    }
                }
                let chances = chances.into_iter().enumerate();
                to.extend(chances.map(|(card, chance)| (Outcome::Lost(card as Card), chance)));
            }
            _ => {
                for (place, choice) in self.situation.choices().iter().enumerate() {
                    let chances = &strategy[place * lanes..][..lanes];
                    let total = dot(chances, &self.marginal[..lanes]);
                    if *choice != Choice::Challenge {
                        to.push((Outcome::Chosen(place), total));
                        continue;
                    }
                    let Some((claimer, card)) = self.situation.stage.claim() else { continue };
                    let mut both = ZERO;
                    self.chosen(place, strategy, &mut both);
                    let mut there = 0.0;
                    for row in 0..rows {
                        for column in 0..stride.min(self.shape().columns) {
                            let hand = [row, column][claimer.index()];
                            if count(cards[claimer.index()], hand, card) > 0 {
                                there += both[row * stride + column];
                            }
                        }
                    }
                    to.push((Outcome::Challenged(place, Found::There), there));
                    to.push((Outcome::Challenged(place, Found::Missing), (total - there).max(0.0)));
                }
            }
        }
    }

    /// What lies open after an outcome.
    pub fn next(&self, outcome: Outcome) -> Next {
        match outcome {
            Outcome::Chosen(place) => self.situation.after(self.situation.choices()[place]),
            Outcome::Challenged(_, found) => self.situation.after_challenge(found),
            Outcome::Lost(card) => self.situation.after_loss(card),
            Outcome::Exchanged => self.situation.after_exchange(),
        }
    }

    /// The situation after an outcome with the chances of all pairs of hands there; nothing where
    /// the game is over.
    pub fn child(
        &self,
        outcome: Outcome,
        strategy: &[f32],
        decks: &Decks,
    ) -> Option<(Situation, Turned, Block)> {
        let (next, turned) = match self.next(outcome) {
            Next::Won(_) | Next::Coup(_) => return None,
            Next::Same(next) => (next, Turned::No),
            Next::Turned(next) => (next, Turned::Yes),
        };
        let Shape { rows, columns, stride, cards } = self.shape();
        let mut joint = ZERO;
        let mut shape = self.shape();
        match outcome {
            Outcome::Chosen(place) => self.chosen(place, strategy, &mut joint),
            Outcome::Challenged(place, found) => {
                let mut both = ZERO;
                self.chosen(place, strategy, &mut both);
                let (claimer, card) = self.situation.stage.claim()?;
                let side = claimer.index();
                let replaces = self.situation.stage != Stage::AnswerExchange;
                let shares = decks.shares(&self.situation);
                for row in 0..rows {
                    for column in 0..columns {
                        let hand = [row, column][side];
                        let from = row * stride + column;
                        let has = count(cards[side], hand, card) > 0;
                        match found {
                            Found::Missing if !has => joint[from] = both[from],
                            Found::There if has && !replaces => joint[from] = both[from],
                            Found::There if has => {
                                for (new, share) in shares.iter().enumerate() {
                                    let hand = replaced(cards[side], hand, card, new as Card);
                                    let [row, column] = match claimer {
                                        Side::Actor => [hand, column],
                                        Side::Other => [row, hand],
                                    };
                                    joint[row * stride + column] += both[from] * share[from];
                                }
                            }
                            _ => {}
                        }
                    }
                }
            }
            Outcome::Lost(card) => {
                let loser = self.decider();
                let mut left = cards;
                left[loser.index()] = 1;
                shape = Shape::new(left);
                for row in 0..rows {
                    for column in 0..columns {
                        let hand = [row, column][loser.index()];
                        if count(2, hand, card) == 0 {
                            continue;
                        }
                        let [low, high] = PAIR_CARDS[hand];
                        let chances = [low, high].into_iter().enumerate();
                        let chance: f32 = chances
                            .filter(|(_, lost)| *lost == card)
                            .map(|(choice, _)| strategy[choice * self.layout.lanes + hand])
                            .sum();
                        let hand = usize::from(other(hand, card));
                        let to = match loser {
                            Side::Actor => [hand, column],
                            Side::Other => [row, hand],
                        };
                        joint[to[0] * shape.stride + to[1]] +=
                            self.joint[row * stride + column] * chance;
                    }
                }
            }
            Outcome::Exchanged => {
                let choices = self.layout.choices;
                let keeps = &exchanges(cards[0]).keeps;
                for (all, keeps) in keeps.iter().enumerate() {
                    let together = &self.together[all * stride..][..stride];
                    let chances = &strategy[all * choices..][..choices];
                    for (chance, kept) in chances.iter().zip(keeps) {
                        let sums = &mut joint[usize::from(*kept) * stride..][..stride];
                        for (sum, together) in sums.iter_mut().zip(together) {
                            *sum += chance * together;
                        }
                    }
                }
            }
        }
        if !normalise(&mut joint[..shape.len()]) {
            return None;
        }
        Some(match turned {
            Turned::No => (next, turned, joint),
            Turned::Yes => {
                let mut other = ZERO;
                turn(&joint, shape, 1.0, &mut other);
                (next, turned, other)
            }
        })
    }
}

impl Default for Node {
    fn default() -> Self {
        Node::new()
    }
}

/// What is needed to look ahead by one step.
struct Looking<'a, S> {
    situation: &'a Situation,
    shape: Shape,
    decks: &'a Decks,
    discount: f32,
    source: &'a S,
}

impl<S: Source> Looking<'_, S> {
    /// The values of what follows, as the actor of now sees them, for so many cards.
    fn load(&self, next: Next, cards: [usize; 2], to: &mut Block) {
        let shape = Shape::new(cards);
        match next {
            Next::Won(Side::Actor) => to[..shape.len()].fill(1.0),
            Next::Won(Side::Other) => to[..shape.len()].fill(-1.0),
            Next::Coup(_) => to[..shape.len()].fill(-self.discount),
            Next::Same(next) => match self.found(&next, Turned::No) {
                Some(values) => to[..shape.len()].copy_from_slice(&values[..shape.len()]),
                None => to[..shape.len()].fill(0.0),
            },
            Next::Turned(next) => match self.found(&next, Turned::Yes) {
                Some(values) => turn(values, shape.turned(), -self.discount, to),
                None => to[..shape.len()].fill(0.0),
            },
        }
    }

    /// The values of a situation, or of the same without claims where it is new.
    fn found(&self, next: &Situation, turned: Turned) -> Option<&[f32]> {
        let forgotten = || self.source.values(&next.forgotten(), turned);
        self.source.values(next, turned).or_else(forgotten)
    }

    fn challenge(&self, to: &mut Block) {
        let Shape { rows, columns, stride, cards } = self.shape;
        let Some((claimer, card)) = self.situation.stage.claim() else { return };
        let side = claimer.index();
        let (mut there, mut missing) = (ZERO, ZERO);
        self.load(self.situation.after_challenge(Found::There), cards, &mut there);
        self.load(self.situation.after_challenge(Found::Missing), cards, &mut missing);
        to[..rows * stride].copy_from_slice(&missing[..rows * stride]);
        let replaces = self.situation.stage != Stage::AnswerExchange;
        let shares = self.decks.shares(self.situation);
        match claimer {
            Side::Actor => {
                for row in (0..rows).filter(|row| count(cards[0], *row, card) > 0) {
                    let values = &mut to[row * stride..][..stride];
                    if !replaces {
                        values.copy_from_slice(&there[row * stride..][..stride]);
                        continue;
                    }
                    values.fill(0.0);
                    for (new, share) in shares.iter().enumerate() {
                        let share = &share[row * stride..][..stride];
                        let after = replaced(cards[0], row, card, new as Card);
                        let after = &there[after * stride..][..stride];
                        for ((value, share), after) in values.iter_mut().zip(share).zip(after) {
                            *value += share * after;
                        }
                    }
                }
            }
            Side::Other => {
                for column in (0..columns).filter(|hand| count(cards[side], *hand, card) > 0) {
                    let after: [usize; CARDS] =
                        std::array::from_fn(|new| replaced(cards[side], column, card, new as Card));
                    for row in 0..rows {
                        let place = row * stride;
                        let after = after.iter().zip(shares);
                        let values = after
                            .map(|(after, share)| share[place + column] * there[place + after]);
                        to[place + column] = values.sum();
                    }
                }
            }
        }
    }

    /// The values of losing the lower and the higher card.
    fn losses(&self, low: &mut Block, high: &mut Block) {
        let Shape { rows, columns, stride, cards } = self.shape;
        let loser = self.situation.stage.decides();
        let mut left = cards;
        left[loser.index()] = 1;
        let shape = Shape::new(left);
        let mut after = [ZERO; CARDS];
        for (card, after) in after.iter_mut().enumerate() {
            self.load(self.situation.after_loss(card as Card), left, after);
        }
        low[..rows * stride].fill(0.0);
        high[..rows * stride].fill(0.0);
        for row in 0..rows {
            for column in 0..columns {
                let [first, second] = PAIR_CARDS[[row, column][loser.index()]].map(usize::from);
                let value = |lost: usize, kept: usize| match loser {
                    Side::Actor => after[lost][kept * shape.stride + column],
                    Side::Other => after[lost][row * shape.stride + kept],
                };
                low[row * stride + column] = value(first, second);
                high[row * stride + column] = value(second, first);
            }
        }
    }
}

/// The chance that these two cards are drawn, for each hand of the other in a row.
fn drawn_chance(shares: &[Block; CARDS], drawn: usize, from: usize, stride: usize) -> [f32; 16] {
    // Of 11 cards, 110 ordered pairs can be drawn.
    const SQUARE: f32 = 121.0;
    let [low, high] = PAIR_CARDS[drawn].map(usize::from);
    let first = &shares[low][from..][..stride];
    let second = &shares[high][from..][..stride];
    let mut chances = [0.0; 16];
    for ((chance, first), second) in chances.iter_mut().zip(first).zip(second) {
        *chance = match low == high {
            true => first * (first * SQUARE - 11.0).max(0.0) / 110.0,
            false => 2.0 * SQUARE / 110.0 * first * second,
        };
    }
    chances
}

/// The sum of the products, in four parts that the processor adds up at once.
fn dot(first: &[f32], second: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let pairs = first.chunks_exact(8).zip(second.chunks_exact(8));
    for (first, second) in pairs {
        for lane in 0..8 {
            sums[lane] += first[lane] * second[lane];
        }
    }
    (sums[0] + sums[4]) + (sums[1] + sums[5]) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

const _: () = assert!(MOST == 240, "rows of whole vectors");
