//! Alpha-beta over what two seats can do who know each other's hands.

use std::{iter, mem};

use rules::durak::Transfer;
use search::Clock;

use crate::durak::search::cards::Cards;
use crate::durak::search::policy::{RuleOfThumbPolicy, finish};
use crate::durak::search::position::{GameSetup, LegalPlays, Play, Position, PositionPhase, SEATS};

/// Number of positions visited between two looks at the clock.
const NODES_PER_LOOK: u64 = 1 << 10;

/// As how many positions one counts from which the policy plays to the end.
const PLAY_OUT: u64 = 16;

/// The hands and the attacker where a bout starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoutStart {
    pub hands: [Cards; SEATS],
    pub attacker: u8,
}

impl BoutStart {
    /// The start in a position whose first card is still to be led.
    pub fn new(position: &Position) -> BoutStart {
        BoutStart { hands: position.hands, attacker: position.attacker }
    }
}

/// Reason why a search stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchStopCause {
    Time,
    Positions,
}

pub struct TreeSearch<'a> {
    pub memory: &'a mut TranspositionTable,
    /// The starts of bouts that the game has seen twice.
    pub seen_twice: &'a [BoutStart],
    /// The rules, and what is left of the talon.
    pub world: &'a GameSetup,
    pub policy: &'a RuleOfThumbPolicy,
    pub seat: u8,
    /// Number of positions that may be visited yet.
    pub nodes_left: u64,
    pub clock: &'a mut dyn Clock,
    /// Reason why it has stopped, if it has; what it finds then has no meaning.
    pub stop: Option<SearchStopCause>,
    /// The starts of bouts on the line that is searched, where they may come again.
    pub path: Vec<BoutStart>,
}

/// The bounds between which a value matters.
type Window = (GameValue, GameValue);

impl TreeSearch<'_> {
    /// Value of a position after a move.
    pub fn value_after(
        &mut self,
        position: &Position,
        play: Play,
        horizon: Horizon,
        window: Window,
    ) -> Evaluation {
        let mut next = *position;
        next.play(play, self.world);
        let is_start = next.phase == PositionPhase::Lead;
        self.visit(&next, if is_start { horizon.after_bout() } else { horizon }, window)
    }

    /// Value of a position, if that lies between the bounds; else a bound on it.
    pub fn visit(&mut self, position: &Position, horizon: Horizon, window: Window) -> Evaluation {
        if let PositionPhase::Over(losers) = position.phase {
            return Evaluation::proven(GameValue::of_end(losers, self.seat));
        }
        self.spend(1);
        if self.stop.is_some() {
            return Evaluation { value: GameValue::Draw, grounds: ValueBasis::POLICY };
        }
        if position.phase != PositionPhase::Lead {
            return self.recall(position, horizon, window);
        }
        if horizon.is_reached() {
            self.spend(PLAY_OUT);
            let value = GameValue::of_end(finish(position, self.world, self.policy), self.seat);
            return Evaluation { value, grounds: ValueBasis::POLICY };
        }
        if self.world.options.transfer == Transfer::Off {
            if position.talon_left(self.world) == 0 && position.attack_is_won() {
                let is_own = position.turn == self.seat;
                return Evaluation::proven(if is_own { GameValue::Win } else { GameValue::Loss });
            }
            return self.recall(position, horizon, window);
        }
        let start = BoutStart::new(position);
        if self.seen_twice.contains(&start) {
            return Evaluation::proven(GameValue::Draw);
        }
        if self.path.contains(&start) {
            return Evaluation { value: GameValue::Draw, grounds: ValueBasis::LINE };
        }
        self.path.push(start);
        let found = self.recall(position, horizon, window);
        self.path.pop();
        found
    }

    /// Looks the value up in the memory, if that is enough.
    fn recall(&mut self, position: &Position, horizon: Horizon, window: Window) -> Evaluation {
        let (mut alpha, mut beta) = window;
        let key = key(position);
        let known = self.memory.recall(key);
        if let Some(known) = known {
            let is_proven = known.horizon == Horizon::END;
            if is_proven || known.horizon == horizon {
                let grounds = if is_proven { ValueBasis::PROVEN } else { ValueBasis::POLICY };
                if known.least >= beta || known.least == known.most {
                    return Evaluation { value: known.least, grounds };
                }
                if known.most <= alpha {
                    return Evaluation { value: known.most, grounds };
                }
                if is_proven {
                    alpha = alpha.max(known.least);
                    beta = beta.min(known.most);
                }
            }
        }
        let first = known.map(|known| known.best());
        let (found, best) = self.try_moves(position, first, horizon, (alpha, beta));
        if self.stop.is_none() && !found.grounds.contain(ValueBasis::LINE) {
            let bounds = match found.value {
                value if value >= beta => (value, GameValue::Win),
                value if value <= alpha => (GameValue::Loss, value),
                value => (value, value),
            };
            let is_proven = found.grounds == ValueBasis::PROVEN;
            let horizon = if is_proven { Horizon::END } else { horizon };
            self.memory.store(TranspositionEntry::new(key, bounds, horizon, best));
        }
        found
    }

    /// The best that the seat can do whose turn it is, and with which move; `first` is tried first.
    fn try_moves(
        &mut self,
        position: &Position,
        first: Option<Play>,
        horizon: Horizon,
        (mut alpha, mut beta): Window,
    ) -> (Evaluation, Play) {
        let is_own = position.turn == self.seat;
        let choices = position.choices(self.world);
        let first = first.filter(|play| choices.contain(*play));
        let others = cheap_first(choices).filter(|play| Some(*play) != first);
        let mut best: Option<(GameValue, Play)> = None;
        let mut grounds = ValueBasis::PROVEN;
        for play in first.into_iter().chain(others) {
            let found = self.value_after(position, play, horizon, (alpha, beta));
            if self.stop.is_some() {
                return (found, play);
            }
            let is_enough = if is_own {
                alpha = alpha.max(found.value);
                found.value == GameValue::Win || found.value >= beta
            } else {
                beta = beta.min(found.value);
                found.value == GameValue::Loss || found.value <= alpha
            };
            if is_enough {
                // The other moves do not matter for this bound.
                return (found, play);
            }
            let is_better = best.is_none_or(|(value, _)| match is_own {
                true => found.value > value,
                false => found.value < value,
            });
            if is_better {
                best = Some((found.value, play));
            }
            grounds = grounds.and(found.grounds);
        }
        let (value, play) = best.unwrap_or((GameValue::Draw, Play::Pass));
        (Evaluation { value, grounds }, play)
    }

    /// Counts positions, and looks at the clock from time to time.
    fn spend(&mut self, nodes: u64) {
        let looks = self.nodes_left / NODES_PER_LOOK;
        match self.nodes_left.checked_sub(nodes) {
            Some(left) => self.nodes_left = left,
            None => self.stop = self.stop.or(Some(SearchStopCause::Positions)),
        }
        if self.nodes_left / NODES_PER_LOOK < looks && self.clock.is_up() {
            self.stop = Some(SearchStopCause::Time);
        }
    }
}

/// Moves with the cheapest card first, and that without a card last: in nine of ten positions where
/// one move is enough, the first is.
fn cheap_first(mut choices: LegalPlays) -> impl Iterator<Item = Play> {
    iter::from_fn(move || {
        let LegalPlays { cards, transfers, may_pass } = &mut choices;
        if let Some(card) = transfers.lowest() {
            *transfers = transfers.without(Cards::one(card));
            return Some(Play::Transfer(card));
        }
        if let Some(card) = cards.lowest() {
            *cards = cards.without(Cards::one(card));
            return Some(Play::Card(card));
        }
        mem::take(may_pass).then_some(Play::Pass)
    })
}

/// Memory of positions, the latest in place of older ones.
#[derive(Debug, Default)]
pub struct TranspositionTable {
    size: MemorySize,
    entries: Vec<TranspositionEntry>,
    /// Tells the positions of one request from those of others.
    salt: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemorySize {
    /// Enough for one long search: four megabytes. More of them save hardly a node.
    #[default]
    Large,
    /// Enough for many short searches, one after the other: so few that a processor has them at hand.
    Small,
}

impl MemorySize {
    const fn entries(self) -> usize {
        match self {
            MemorySize::Large => 1 << 18,
            MemorySize::Small => 1 << 12,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TranspositionEntry {
    key: u64,
    pub least: GameValue,
    pub most: GameValue,
    /// Horizon of the search; the end of the game where the value holds for ever.
    pub horizon: Horizon,
    /// The move that was best, as a number.
    best: u8,
}

impl TranspositionEntry {
    pub fn new(
        key: u64,
        (least, most): (GameValue, GameValue),
        horizon: Horizon,
        best: Play,
    ) -> TranspositionEntry {
        TranspositionEntry { key, least, most, horizon, best: number(best) }
    }

    pub fn best(&self) -> Play {
        play(self.best)
    }
}

impl TranspositionTable {
    pub fn new(size: MemorySize) -> TranspositionTable {
        TranspositionTable { size, ..TranspositionTable::default() }
    }

    pub fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        if self.entries.is_empty() {
            let bounds = (GameValue::Loss, GameValue::Win);
            self.entries = vec![
                TranspositionEntry::new(0, bounds, Horizon::END, Play::Pass);
                self.size.entries()
            ];
        }
    }

    pub fn recall(&self, key: u64) -> Option<TranspositionEntry> {
        let key = key ^ self.salt;
        self.entries
            .get(key as usize % self.size.entries())
            .copied()
            .filter(|entry| entry.key == key)
    }

    pub fn store(&mut self, entry: TranspositionEntry) {
        let key = entry.key ^ self.salt;
        if let Some(slot) = self.entries.get_mut(key as usize % self.size.entries()) {
            *slot = TranspositionEntry { key, ..entry };
        }
    }
}

/// Everything that the rest of a game between two seats depends on, as one number: equal for equal
/// positions, and for others hardly ever.
pub fn key(position: &Position) -> u64 {
    let mut hands = Cards(u64::from(position.players)).map(|seat| position.hand_at(seat).0);
    let one = hands.next().unwrap_or_default();
    let other = hands.next().unwrap_or_default();
    let phase = match position.phase {
        PositionPhase::Lead => 0,
        PositionPhase::Defend => 1,
        PositionPhase::Throw => 2,
        PositionPhase::Load => 3,
        PositionPhase::Over(_) => 4,
    };
    let numbers = u64::from_le_bytes([
        phase,
        position.attacker,
        position.defender,
        position.first,
        position.attacks,
        position.limit,
        position.drawn,
        position.turn,
    ]);
    let key = fold(one ^ KEYS[0], other ^ KEYS[1]);
    let key = fold(key ^ position.table.0, u64::from(position.unbeaten.bits()) ^ KEYS[2]);
    fold(key ^ numbers, KEYS[3])
}

/// Numbers without a pattern: the first digits of π.
const KEYS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

/// The two halves of a product, one over the other.
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

fn number(play: Play) -> u8 {
    match play {
        Play::Card(place) => place,
        Play::Transfer(place) => 64 + place,
        Play::Pass => 128,
    }
}

fn play(number: u8) -> Play {
    match number {
        0..64 => Play::Card(number),
        64..128 => Play::Transfer(number - 64),
        _ => Play::Pass,
    }
}

/// Value of a game between two seats for the searching one, from bad to good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameValue {
    /// It is the durak.
    Loss,
    Draw,
    /// The other seat is.
    Win,
}

impl GameValue {
    /// The value for a seat of an end of the game in which these seats, a bit each, share the loss.
    pub fn of_end(losers: u8, seat: u8) -> GameValue {
        match losers.count_ones() {
            _ if losers >> seat & 1 == 0 => GameValue::Win,
            1 => GameValue::Loss,
            _ => GameValue::Draw,
        }
    }

    /// The value in parts of a point.
    pub const fn points(self) -> u64 {
        match self {
            GameValue::Loss => 0,
            GameValue::Draw => WON / 2,
            GameValue::Win => WON,
        }
    }
}

/// Value of a game that is not lost, in parts of a point: a number that every number of seats
/// divides.
pub const WON: u64 = 60;

/// Points of a seat where these, a bit each, share a loss, in parts of a point.
pub fn points(losers: u8, seat: u8) -> u64 {
    match losers >> seat & 1 {
        0 => WON,
        _ => WON - WON / u64::from(losers.count_ones()),
    }
}

/// Number of starts of bouts before a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Horizon(u8);

impl Horizon {
    /// A line goes on to the end of the game.
    pub const END: Horizon = Horizon(u8::MAX);

    /// A horizon of this number of bouts, the current one included.
    pub const fn bouts(count: u8) -> Horizon {
        Horizon(count)
    }

    pub const fn is_reached(self) -> bool {
        self.0 == 0
    }

    /// The horizon at the start of the next bout.
    pub const fn after_bout(self) -> Horizon {
        match self {
            Horizon::END => Horizon::END,
            Horizon(bouts) => Horizon(bouts.saturating_sub(1)),
        }
    }
}

/// Grounds of a value beside the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueBasis(u8);

impl ValueBasis {
    pub const PROVEN: ValueBasis = ValueBasis(0);
    /// On what the policy makes of a position.
    pub const POLICY: ValueBasis = ValueBasis(1);
    /// On the line that led to the position.
    pub const LINE: ValueBasis = ValueBasis(2);

    pub const fn and(self, other: ValueBasis) -> ValueBasis {
        ValueBasis(self.0 | other.0)
    }

    /// Returns true if the other one is among them.
    pub const fn contain(self, other: ValueBasis) -> bool {
        self.0 & other.0 != 0
    }
}

/// A value, or a bound on it, and what it hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluation {
    pub value: GameValue,
    pub grounds: ValueBasis,
}

impl Evaluation {
    /// A value that hangs on nothing but the rules.
    pub const fn proven(value: GameValue) -> Evaluation {
        Evaluation { value, grounds: ValueBasis::PROVEN }
    }
}
