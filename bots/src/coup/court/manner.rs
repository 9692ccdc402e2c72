//! How a seat plays in games that are played out.

use crate::coup::court::table::{
    AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, Card, DUKE, Held, Table, worth,
};
use crate::coup::luck::Luck;

/// How often a seat claims what it does not hold, and doubts what can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Manner {
    /// Rate of claiming a character that it lacks for an action, each time that it looks for one.
    pub(super) claims: f64,
    /// Rate of blocking without the card.
    pub(super) blocks: f64,
    /// Rate of challenging a claim that can be true.
    pub(super) doubts: f64,
}

/// Claims what it holds and believes what can be: the manner of `greedy`.
pub(super) const HONEST: Manner = Manner { claims: 0.0, blocks: 0.0, doubts: 0.0 };

/// Bluffs and doubts.
pub(super) const BLUFFER: Manner = Manner { claims: 0.35, blocks: 0.35, doubts: 0.15 };

/// The seat that thinks: as it hopes to go on.
pub(super) const OWN: Manner = Manner { claims: 0.5, blocks: 0.5, doubts: 0.05 };

/// An action, with its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Income,
    Aid,
    Coup(usize),
    Tax,
    Assassinate(usize),
    Steal(usize),
    Exchange,
}

impl Act {
    /// The card that it claims.
    pub(super) fn claim(self) -> Option<Card> {
        match self {
            Act::Income | Act::Aid | Act::Coup(_) => None,
            Act::Tax => Some(DUKE),
            Act::Assassinate(_) => Some(ASSASSIN),
            Act::Steal(_) => Some(CAPTAIN),
            Act::Exchange => Some(AMBASSADOR),
        }
    }

    /// The seat that it is aimed at.
    pub(super) fn target(self) -> Option<usize> {
        match self {
            Act::Coup(seat) | Act::Assassinate(seat) | Act::Steal(seat) => Some(seat),
            _ => None,
        }
    }
}

/// The cards that block foreign aid, a theft, an assassination.
pub(super) fn blockers(act: Act) -> &'static [Card] {
    match act {
        Act::Aid => &[DUKE],
        Act::Assassinate(_) => &[CONTESSA],
        Act::Steal(_) => &[AMBASSADOR, CAPTAIN],
        Act::Income | Act::Coup(_) | Act::Tax | Act::Exchange => &[],
    }
}

impl Manner {
    /// The action of a turn: the first of the order of `greedy` that it dares.
    pub(super) fn act(self, table: &Table, seat: usize, luck: &mut Luck) -> Act {
        let coins = table.coins[seat];
        let target = |rank: &dyn Fn(usize) -> u32| {
            // Of equals, the next in the order of turns.
            let mut best: Option<(u32, usize)> = None;
            for other in table.others(seat) {
                let rank = rank(other);
                if best.is_none_or(|(most, _)| rank > most) {
                    best = Some((rank, other));
                }
            }
            best.map(|(_, other)| other)
        };
        let strength =
            |other: usize| u32::from(table.hands[other].len()) << 8 | u32::from(table.coins[other]);
        let strongest = || target(&strength);
        let hand = table.hands[seat];
        let mut dares = |card| {
            hand.holds(card)
                || (self.claims > 0.0 && !table.sees_all(seat, card) && luck.unit() < self.claims)
        };
        if coins >= 7
            && let Some(other) = strongest()
        {
            return Act::Coup(other);
        }
        if coins >= 3
            && dares(ASSASSIN)
            && let Some(other) = strongest()
        {
            return Act::Assassinate(other);
        }
        if dares(DUKE) {
            return Act::Tax;
        }
        let booty = |other: usize| match table.thwarted[seat] >> other & 1 {
            0 => u32::from(table.coins[other].min(2)) << 16 | strength(other),
            _ => 0,
        };
        if let Some(other) = target(&booty)
            && booty(other) >> 16 > 0
            && dares(CAPTAIN)
        {
            return Act::Steal(other);
        }
        if hand.holds(AMBASSADOR) {
            return Act::Exchange;
        }
        if table.aid_is_guarded(seat) { Act::Income } else { Act::Aid }
    }

    /// Returns true if the seat challenges a claim.
    pub(super) fn challenges(
        self,
        table: &Table,
        seat: usize,
        card: Card,
        luck: &mut Luck,
    ) -> bool {
        table.sees_all(seat, card) || (self.doubts > 0.0 && luck.unit() < self.doubts)
    }

    /// The card with which the seat blocks an action, if it does.
    pub(super) fn block(
        self,
        table: &Table,
        seat: usize,
        act: Act,
        luck: &mut Luck,
    ) -> Option<Card> {
        let hand = table.hands[seat];
        let held = blockers(act).iter().copied().filter(|card| hand.holds(*card));
        if let Some(card) = held.min_by_key(|card| worth(*card)) {
            return Some(card);
        }
        if self.blocks <= 0.0 || (act == Act::Aid && luck.unit() < 0.5) {
            return None;
        }
        let can = blockers(act).iter().copied().find(|card| !table.sees_all(seat, *card));
        can.filter(|_| luck.unit() < self.blocks)
    }

    /// Returns true if the seat challenges an assassination that would take its last card, for which it
    /// has no contessa: else it blocks in a bluff.
    pub(super) fn doubts_the_last(self, luck: &mut Luck) -> bool {
        self.blocks <= 0.0 || luck.unit() < 0.5
    }
}

/// The cards that a seat keeps of four or three: different ones of the greatest worth.
pub(super) fn best_cards(cards: &[Card], count: usize) -> Held {
    let mut left: Vec<Card> = cards.to_vec();
    left.sort_by_key(|card| std::cmp::Reverse(worth(*card)));
    let mut different = left.clone();
    different.dedup();
    if different.len() >= count {
        return Held::new(different.into_iter().take(count));
    }
    Held::new(left.into_iter().take(count))
}
