//! Games that are played out turn by turn.

use crate::coup::court::manner::{Act, Manner, best_cards};
use crate::coup::court::table::{Card, SEATS, Table};
use crate::coup::luck::Luck;

/// After this number of turns a game is given up as a draw: hardly any lasts so long.
const MOST_TURNS: usize = 200;

/// A game that is played out.
pub(super) struct Playout<'a> {
    pub(super) table: Table,
    pub(super) manners: &'a [Manner; SEATS],
    pub(super) luck: Luck,
}

impl Playout<'_> {
    /// Plays on from the turn of a seat, or of the next that is in; returns the winner, if that is not clear
    /// to be another seat than `own` before.
    pub(super) fn run(&mut self, first: usize, own: usize) -> Option<usize> {
        let seats = usize::from(self.table.seats);
        let mut actor = first;
        for _ in 0..MOST_TURNS {
            if let Some(winner) = self.table.winner() {
                return Some(winner);
            }
            if !self.table.is_in(own) {
                return None;
            }
            if self.table.is_in(actor) {
                self.turn(actor);
            }
            actor = (actor + 1) % seats;
        }
        None
    }

    /// Plays a turn as a whole.
    fn turn(&mut self, actor: usize) {
        let act = self.manners[actor].act(&self.table, actor, &mut self.luck);
        let coins = &mut self.table.coins[actor];
        match act {
            Act::Coup(_) => *coins = coins.saturating_sub(7),
            Act::Assassinate(_) => *coins = coins.saturating_sub(3),
            _ => {}
        }
        if self.is_stopped(actor, act) {
            return;
        }
        self.take_effect(actor, act);
    }

    /// Asks the others, and returns true if the action has no effect.
    fn is_stopped(&mut self, actor: usize, act: Act) -> bool {
        if act == Act::Aid {
            let blocker = self.table.others(actor).find_map(|other| {
                let block = self.manners[other].block(&self.table, other, act, &mut self.luck);
                block.map(|card| (other, card))
            });
            return blocker.is_some_and(|(other, card)| self.stands(actor, act, other, card));
        }
        let Some(claim) = act.claim() else { return false };
        let target = act.target();
        let doubting =
            self.table.others(actor).filter(|other| Some(*other) != target).find(|other| {
                self.manners[*other].challenges(&self.table, *other, claim, &mut self.luck)
            });
        if let Some(doubting) = doubting {
            return self.falls(actor, act, claim, doubting)
                || target.is_some_and(|target| self.is_blocked(actor, act, target));
        }
        let Some(target) = target else { return false };
        let manner = self.manners[target];
        if manner.challenges(&self.table, target, claim, &mut self.luck) {
            return self.falls(actor, act, claim, target) || self.is_blocked(actor, act, target);
        }
        if let Some(card) = manner.block(&self.table, target, act, &mut self.luck) {
            return self.stands(actor, act, target, card);
        }
        let is_last = matches!(act, Act::Assassinate(_)) && self.table.hands[target].len() == 1;
        // A seat that is about to be gone has nothing to lose by a challenge.
        is_last && manner.doubts_the_last(&mut self.luck) && self.falls(actor, act, claim, target)
    }

    /// A target may block an action whose claim was proven.
    fn is_blocked(&mut self, actor: usize, act: Act, target: usize) -> bool {
        if !self.table.is_in(target) {
            return true;
        }
        let block = self.manners[target].block(&self.table, target, act, &mut self.luck);
        block.is_some_and(|card| self.stands(actor, act, target, card))
    }

    /// Settles a challenge of an action; returns true if its claim was false.
    fn falls(&mut self, actor: usize, act: Act, claim: Card, doubting: usize) -> bool {
        if self.is_proven(actor, claim) {
            self.give_up(doubting);
            return false;
        }
        if matches!(act, Act::Assassinate(_)) {
            self.table.coins[actor] = self.table.coins[actor].saturating_add(3);
        }
        self.give_up(actor);
        true
    }

    /// Settles a block; returns true if it stands.
    fn stands(&mut self, actor: usize, act: Act, blocker: usize, card: Card) -> bool {
        let doubting = self.table.others(blocker).find(|other| {
            self.manners[*other].challenges(&self.table, *other, card, &mut self.luck)
        });
        if let Some(doubting) = doubting {
            if !self.is_proven(blocker, card) {
                self.give_up(blocker);
                return false;
            }
            self.give_up(doubting);
        }
        match act {
            Act::Aid => self.table.guards |= 1 << blocker,
            Act::Steal(_) => self.table.thwarted[actor] |= 1 << blocker,
            _ => {}
        }
        true
    }

    /// Shows a card, if it is there, for another one.
    fn is_proven(&mut self, seat: usize, card: Card) -> bool {
        let holds = self.table.hands[seat].holds(card);
        if holds {
            let luck = &mut self.luck;
            self.table.replace(seat, card, |deck| luck.place(&deck) as Card);
        }
        holds
    }

    fn give_up(&mut self, seat: usize) {
        if let Some(card) = self.table.hands[seat].least() {
            self.table.lose(seat, card);
        }
    }

    fn take_effect(&mut self, actor: usize, act: Act) {
        let Table { coins, .. } = &mut self.table;
        match act {
            Act::Income => coins[actor] += 1,
            Act::Aid => coins[actor] += 2,
            Act::Tax => coins[actor] += 3,
            Act::Coup(target) | Act::Assassinate(target) => self.give_up(target),
            Act::Steal(target) => {
                let booty = coins[target].min(2);
                coins[target] -= booty;
                coins[actor] += booty;
            }
            Act::Exchange => {
                let mut cards = [0; 4];
                let own = self.table.hands[actor];
                let mut deck = self.table.deck();
                for place in &mut cards[..2] {
                    let card = self.luck.place(&deck);
                    deck[card] = deck[card].saturating_sub(1);
                    *place = card as Card;
                }
                let count = own.cards().len();
                cards[2..2 + count].copy_from_slice(own.cards());
                self.table.hands[actor] = best_cards(&cards[..2 + count], count);
            }
        }
    }
}
