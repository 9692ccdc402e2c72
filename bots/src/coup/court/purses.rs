//! The coins of all seats, as the moves move them.

use rules::coup::Action;

use crate::coup::court::table::SEATS;

/// The coins of all seats, and what the last action is yet to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Purses {
    coins: [u32; SEATS],
    /// Number of cards of each seat, without which it has no coins.
    cards: [u8; SEATS],
    effect: Effect,
}

/// What the last action is yet to change; the seat is that which acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    /// It takes effect at the end of the turn.
    Open(usize, Action),
    /// A block stops it, unless that is challenged and false.
    Blocked(usize, Action),
}

impl Purses {
    /// The coins at the start of a game of this number of seats at a court.
    pub(super) fn new(seats: usize) -> Purses {
        let mut coins = [2; SEATS];
        if seats == 2 {
            coins[0] = 1;
        }
        Purses { coins, cards: [2; SEATS], effect: Effect::None }
    }

    /// The coins of a seat between two turns; the turn before has ended.
    pub(super) fn at_turn(&mut self, seat: usize) -> u32 {
        if let Effect::Open(actor, action) = self.effect {
            self.take_effect(actor, action);
        }
        self.effect = Effect::None;
        self.coins(seat)
    }

    /// A seat pays its action, which is open now.
    pub(super) fn act(&mut self, seat: usize, action: Action) {
        self.put(seat, self.coins(seat).saturating_sub(action.cost()));
        self.effect = Effect::Open(seat, action);
    }

    /// The action is blocked.
    pub(super) fn block(&mut self) {
        if let Effect::Open(actor, action) = self.effect {
            self.effect = Effect::Blocked(actor, action);
        }
    }

    /// The claim of a seat, for its action or for a block, has turned out to be false.
    pub(super) fn caught(&mut self, seat: usize) {
        self.effect = match self.effect {
            Effect::Open(actor, action) if actor == seat => {
                self.put(seat, self.coins(seat).saturating_add(action.cost()));
                Effect::None
            }
            Effect::Blocked(actor, action) => Effect::Open(actor, action),
            other => other,
        };
    }

    /// A seat loses a card, and its coins with the last one.
    pub(super) fn lose(&mut self, seat: usize) {
        let Some(cards) = self.cards.get_mut(seat) else { return };
        *cards = cards.saturating_sub(1);
        if *cards == 0 {
            self.put(seat, 0);
        }
    }

    fn take_effect(&mut self, actor: usize, action: Action) {
        let target = action.target().map(|target| target.index());
        let gain = action.brings(target.map_or(0, |target| self.coins(target)));
        if let (Action::Steal(_), Some(target)) = (action, target) {
            self.put(target, self.coins(target).saturating_sub(gain));
        }
        self.put(actor, self.coins(actor).saturating_add(gain));
    }

    fn coins(&self, seat: usize) -> u32 {
        self.coins.get(seat).copied().unwrap_or_default()
    }

    fn put(&mut self, seat: usize, coins: u32) {
        if let Some(purse) = self.coins.get_mut(seat) {
            *purse = coins;
        }
    }
}
