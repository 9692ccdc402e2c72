//! Policies where nothing is searched, and the usual one: rules of thumb, from the own hand alone.

use rules::durak::Deck;

use crate::durak::search::cards::{Cards, Place, is_trump, rank};
use crate::durak::search::position::{GameSetup, Play, Position, PositionPhase};

/// The number of moves after which a game that goes round in circles is given up as a draw.
pub const MOST_MOVES: u32 = 600;

pub trait PlayoutPolicy {
    fn choose(&self, position: &Position, world: &GameSetup) -> Play;
}

/// The seats that lose, a bit each, if all play on by the policy.
pub fn finish(position: &Position, world: &GameSetup, policy: &impl PlayoutPolicy) -> u8 {
    let mut at = *position;
    for _ in 0..MOST_MOVES {
        if let PositionPhase::Over(losers) = at.phase {
            return losers;
        }
        at.play(policy.choose(&at, world), world);
    }
    at.players
}

/// A policy: what a card is worth keeping, and up to which worth cards are played.
///
/// Cards count from 0, the lowest of the pack, to 100, its ace; trumps more. Three numbers are for a
/// talon that is empty, short and long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RulesOfThumb {
    pub trump: i32,
    /// Bonus for leading a card for every other plain one of its rank.
    pub pair: i32,
    /// The most that a card is worth that is thrown in.
    pub throw: [i32; 3],
    /// The most that a card is worth that is given to a seat that takes.
    pub load: [i32; 3],
    /// The most that a card is worth that beats.
    pub beat: [i32; 3],
    /// Additional worth that is allowed for every other card on the table.
    pub beat_more: [i32; 3],
    /// Reduction for the worth of the cards on the table, in hundredths.
    pub beat_table: i32,
    /// Bonus for beating with a card whose rank lies on the table.
    pub same_rank: i32,
    /// The most that a card is worth that passes the attack on.
    pub transfer: [i32; 3],
    /// Up to how many cards a talon is short.
    pub short: u8,
}

#[derive(Debug, Clone)]
pub struct RuleOfThumbPolicy {
    thumb: RulesOfThumb,
    worth: [i16; 64],
}

impl RuleOfThumbPolicy {
    pub fn usual(deck: Deck) -> RuleOfThumbPolicy {
        RuleOfThumbPolicy::new(RulesOfThumb::default(), deck)
    }

    pub fn new(thumb: RulesOfThumb, deck: Deck) -> RuleOfThumbPolicy {
        let lowest = deck.lowest() as i32;
        let worth = |place: usize| {
            let place = place as Place;
            let height = (i32::from(rank(place)) - lowest) * 100 / (12 - lowest);
            (height + if is_trump(place) { thumb.trump } else { 0 }) as i16
        };
        RuleOfThumbPolicy { thumb, worth: std::array::from_fn(worth) }
    }

    fn worth(&self, card: Place) -> i32 {
        i32::from(self.worth[usize::from(card) % 64])
    }

    fn lead(&self, hand: Cards) -> Play {
        let plain = hand.plain();
        let cost = |card: Place| {
            let alike = plain.of_ranks(Cards::one(card)).len() as i32;
            let followed = if is_trump(card) { 0 } else { (alike - 1) * self.thumb.pair };
            self.worth(card) - followed
        };
        hand.min_by_key(|card| cost(*card)).map_or(Play::Pass, Play::Card)
    }

    fn throw(&self, cards: Cards, most: i32) -> Play {
        match cards.lowest() {
            Some(card) if self.worth(card) <= most => Play::Card(card),
            _ => Play::Pass,
        }
    }

    fn defend(&self, position: &Position, cards: Cards, stage: usize) -> Play {
        let table = position.table;
        let alike = cards.of_ranks(table);
        let cost = |card: Place| {
            let same = if alike.contains(card) { self.thumb.same_rank } else { 0 };
            self.worth(card) - same
        };
        let Some((cost, card)) = cards.map(|card| (cost(card), card)).min() else {
            return Play::Pass;
        };
        let worth: i32 = table.map(|card| self.worth(card)).sum();
        let most = self.thumb.beat[stage] + self.thumb.beat_more[stage] * (table.len() as i32 - 1)
            - worth * self.thumb.beat_table / 100;
        if cost <= most { Play::Card(card) } else { Play::Pass }
    }
}

impl PlayoutPolicy for RuleOfThumbPolicy {
    fn choose(&self, position: &Position, world: &GameSetup) -> Play {
        let stage = match position.talon_left(world) {
            0 => 0,
            left if left <= self.thumb.short => 1,
            _ => 2,
        };
        let choices = position.choices(world);
        if world.idle >> position.turn & 1 == 1 {
            return match position.phase {
                PositionPhase::Lead => choices.cards.lowest().map_or(Play::Pass, Play::Card),
                _ => Play::Pass,
            };
        }
        match position.phase {
            PositionPhase::Lead => self.lead(choices.cards),
            PositionPhase::Throw => self.throw(choices.cards, self.thumb.throw[stage]),
            PositionPhase::Load => self.throw(choices.cards, self.thumb.load[stage]),
            PositionPhase::Defend => {
                if let Some(card) = choices.transfers.lowest()
                    && self.worth(card) <= self.thumb.transfer[stage]
                {
                    return Play::Transfer(card);
                }
                self.defend(position, choices.cards, stage)
            }
            PositionPhase::Over(_) => Play::Pass,
        }
    }
}

impl Default for RulesOfThumb {
    /// Numbers that were found by small changes, each kept where it won more games against playing
    /// the lowest card and against the numbers before. So plain cards beat and are thrown,
    /// and trumps hardly, while the talon is long.
    fn default() -> Self {
        RulesOfThumb {
            trump: 100,
            pair: 36,
            throw: [380, 201, 101],
            load: [281, 111, 56],
            beat: [399, 246, 117],
            beat_more: [92, 60, 5],
            beat_table: 14,
            same_rank: 24,
            transfer: [300, 120, 100],
            short: 4,
        }
    }
}
