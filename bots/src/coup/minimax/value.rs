//! Values of positions before their next turn, where both hands are known.
//!
//! The table solves a simpler game: both sides see all cards, but treat each
//! other as if they did not. The side to move takes the action that is best for it; the other side
//! answers by fixed chances, the constants of this module, so that to claim what is not there is
//! possible and has its price. A card that is shown is not replaced, and an exchange draws from a
//! whole pack. So a value takes in every plan of both sides to its end: who gets the coins faster,
//! whose assassin can be blocked, who may dare what.
//!
//! The chances were chosen by games against the other players.
//!
//! To solve it takes some 50 milliseconds, more than a move, so the table is a file: for each pair of
//! holdings, the own one first, and each pair of purses a `f32`, little-endian. After a change to this
//! module `UPDATE_TABLES=1 cargo test -p bots --test it the_values` makes it anew.

use std::borrow::Cow;
use std::sync::OnceLock;

use rules::coup::{Action, Character, Hand};

use crate::coup::minimax::belief::{UnorderedHand, legal_actions};
use crate::coup::table::best;

/// Rate of challenging true claims.
const TRUE_CHALLENGED: f64 = 0.05;
/// Rate of challenging false claims.
const FALSE_CHALLENGED: f64 = 0.3;
/// Rate of blocking foreign aid and steals without the card.
const FALSE_BLOCK: f64 = 0.12;
/// Rate of blocking assassinations without the card.
const FALSE_CONTESSA: f64 = 0.1;
/// The rate where it would take the last card: otherwise it is challenged.
const LAST_CONTESSA: f64 = 0.4;
/// Rate of challenging false blocks.
const BLOCK_CHALLENGED: f64 = 0.4;

/// Share of its lead that a side keeps in a turn: a sooner win is a surer one.
pub const HURRY: f64 = 0.985;

/// The purses that are told apart: at its turn a side has at most 12 coins.
const PURSES: usize = 13;

const SIZE: usize = UnorderedHand::COUNT * UnorderedHand::COUNT * PURSES * PURSES;

/// Sweeps over the states of as many cards end where none changes by more.
const CLOSE: f64 = 0.002;

/// They end here at the latest.
const SWEEPS: usize = 30;

/// Each side's holding and coins, the side to move first.
#[derive(Debug, Clone, Copy)]
pub struct WinTableKey {
    pub own: UnorderedHand,
    pub other: UnorderedHand,
    pub coins: u32,
    /// The coins of the other side.
    pub purse: u32,
}

static SOLVED: &[u8; 4 * SIZE] = include_bytes!("values.bin");

/// For every position the chance that the side to move wins.
#[derive(Debug)]
pub struct WinTable {
    wins: Cow<'static, [[u8; 4]]>,
    /// Results of an exchange for each holding, with their probabilities.
    exchanged: Vec<Vec<(UnorderedHand, f64)>>,
}

impl WinTable {
    pub fn get() -> &'static WinTable {
        static VALUES: OnceLock<WinTable> = OnceLock::new();
        VALUES.get_or_init(|| WinTable::with(Cow::Borrowed(SOLVED.as_chunks().0)))
    }

    fn with(wins: Cow<'static, [[u8; 4]]>) -> WinTable {
        WinTable { wins, exchanged: UnorderedHand::all().map(after_exchange).collect() }
    }

    pub fn rate(&self, sides: WinTableKey) -> f64 {
        f64::from(f32::from_le_bytes(self.wins[place(sides)]))
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.wins.concat()
    }

    pub fn solve() -> WinTable {
        let mut values = WinTable::with(Cow::Owned(vec![0.5_f32.to_le_bytes(); SIZE]));
        // Cards never come back, so positions with fewer are solved first.
        for cards in 2..=4 {
            for _ in 0..SWEEPS {
                if values.sweep(cards) < CLOSE {
                    break;
                }
            }
        }
        values
    }

    /// Looks again at every position with these numbers of cards, and gives the greatest change.
    fn sweep(&mut self, cards: usize) -> f64 {
        let mut change: f64 = 0.0;
        for own in UnorderedHand::all() {
            for other in UnorderedHand::all().filter(|other| own.size() + other.size() == cards) {
                for coins in (0..PURSES as u32).rev() {
                    for purse in (0..PURSES as u32).rev() {
                        let sides = WinTableKey { own, other, coins, purse };
                        let wins = self.best(sides);
                        change = change.max((wins - self.rate(sides)).abs());
                        self.wins.to_mut()[place(sides)] = (wins as f32).to_le_bytes();
                    }
                }
            }
        }
        change
    }

    /// The chance to win after the end of a turn of `sides.own`.
    fn win_chance_after(&self, sides: WinTableKey) -> f64 {
        let WinTableKey { own, other, coins, purse } = sides;
        let wins =
            1.0 - self.rate(WinTableKey { own: other, other: own, coins: purse, purse: coins });
        0.5 + HURRY * (wins - 0.5)
    }

    /// The value once the other side has given up a card.
    fn other_loses(&self, sides: WinTableKey) -> f64 {
        let left = sides.other.different().filter_map(|card| sides.other.without(card));
        left.map(|other| self.win_chance_after(WinTableKey { other, ..sides })).fold(1.0, f64::min)
    }

    /// The value once the side to move has given up a card.
    fn own_loses(&self, sides: WinTableKey) -> f64 {
        let left = sides.own.different().filter_map(|card| sides.own.without(card));
        left.map(|own| self.win_chance_after(WinTableKey { own, ..sides })).fold(0.0, f64::max)
    }

    fn best(&self, sides: WinTableKey) -> f64 {
        let WinTableKey { coins, purse, .. } = sides;
        let actions = legal_actions(coins, purse);
        actions.map(|action| self.of_action(sides, action)).fold(0.0, f64::max)
    }

    /// The chance to win by an action, which is legal.
    pub fn of_action(&self, sides: WinTableKey, action: Action) -> f64 {
        let coins = sides.coins;
        match action {
            Action::Income => self.win_chance_after(WinTableKey { coins: coins + 1, ..sides }),
            Action::ForeignAid => self.foreign_aid(sides),
            Action::Coup(_) => {
                self.other_loses(WinTableKey { coins: coins.saturating_sub(7), ..sides })
            }
            Action::Tax => self.tax(sides),
            Action::Assassinate(_) => self.assassinate(sides),
            Action::Steal(_) => self.steal(sides),
            Action::Exchange => self.exchange(sides),
        }
    }

    /// A claimed action that cannot be blocked or was not.
    fn claimed(&self, sides: WinTableKey, claim: Character, done: WinTableKey) -> f64 {
        if sides.own.contains(claim) {
            mix(TRUE_CHALLENGED, self.other_loses(done), self.win_chance_after(done))
        } else {
            mix(FALSE_CHALLENGED, self.own_loses(sides), self.win_chance_after(done))
        }
    }

    fn tax(&self, sides: WinTableKey) -> f64 {
        self.claimed(sides, Character::Duke, WinTableKey { coins: sides.coins + 3, ..sides })
    }

    fn foreign_aid(&self, sides: WinTableKey) -> f64 {
        if sides.other.contains(Character::Duke) {
            return self.win_chance_after(sides);
        }
        let done = WinTableKey { coins: sides.coins + 2, ..sides };
        mix(FALSE_BLOCK, self.false_block(sides, done), self.win_chance_after(done))
    }

    fn steal(&self, sides: WinTableKey) -> f64 {
        let other = sides.other;
        if other.contains(Character::Captain) || other.contains(Character::Ambassador) {
            return self.win_chance_after(sides);
        }
        let stolen = sides.purse.min(2);
        let done =
            WinTableKey { coins: sides.coins + stolen, purse: sides.purse - stolen, ..sides };
        let blocked = self.false_block(sides, done);
        mix(FALSE_BLOCK, blocked, self.claimed(sides, Character::Captain, done))
    }

    /// A block without the card, which may fall.
    fn false_block(&self, sides: WinTableKey, done: WinTableKey) -> f64 {
        mix(BLOCK_CHALLENGED, self.other_loses(done), self.win_chance_after(sides))
    }

    fn assassinate(&self, sides: WinTableKey) -> f64 {
        let paid = WinTableKey { coins: sides.coins.saturating_sub(3), ..sides };
        if sides.other.contains(Character::Contessa) {
            return self.win_chance_after(paid);
        }
        // A false contessa that is caught takes both cards.
        let blocked = mix(BLOCK_CHALLENGED, 1.0, self.win_chance_after(paid));
        let challenged = match sides.own.contains(Character::Assassin) {
            true => 1.0,
            false => self.own_loses(sides),
        };
        if sides.other.size() == 1 {
            return mix(LAST_CONTESSA, blocked, challenged);
        }
        let often = match sides.own.contains(Character::Assassin) {
            true => TRUE_CHALLENGED,
            false => FALSE_CHALLENGED,
        };
        mix(FALSE_CONTESSA, blocked, mix(often, challenged, self.other_loses(paid)))
    }

    fn exchange(&self, sides: WinTableKey) -> f64 {
        let ends = self.exchanged[sides.own.index()].iter();
        let done = ends.map(|(own, chance)| {
            chance * self.win_chance_after(WinTableKey { own: *own, ..sides })
        });
        let done = done.sum();
        match sides.own.contains(Character::Ambassador) {
            true => mix(TRUE_CHALLENGED, self.other_loses(sides), done),
            false => mix(FALSE_CHALLENGED, self.own_loses(sides), done),
        }
    }
}

/// The mean of two values, the first so likely.
fn mix(chance: f64, one: f64, other: f64) -> f64 {
    chance * one + (1.0 - chance) * other
}

fn place(sides: WinTableKey) -> usize {
    let purse = |coins: u32| (coins as usize).min(PURSES - 1);
    let cards = sides.own.index() * UnorderedHand::COUNT + sides.other.index();
    (cards * PURSES + purse(sides.coins)) * PURSES + purse(sides.purse)
}

/// Results of an exchange with a whole pack.
fn after_exchange(own: UnorderedHand) -> Vec<(UnorderedHand, f64)> {
    let mut after = vec![0.0; UnorderedHand::COUNT];
    for drawn in UnorderedHand::of_size(2) {
        let cards = [drawn.cards(), own.cards()].concat();
        let kept = Hand::new(&cards).and_then(|cards| UnorderedHand::new(best(cards, own.size())));
        let chance = if drawn.different().count() == 1 { 3.0 } else { 9.0 } / 105.0;
        if let Some(kept) = kept {
            after[kept.index()] += chance;
        }
    }
    UnorderedHand::all().zip(after).filter(|(_, chance)| *chance > 0.0).collect()
}
