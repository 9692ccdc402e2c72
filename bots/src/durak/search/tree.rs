//! Alpha-beta over what two seats can do who know each other's hands.

use rules::durak::Transfer;
use search::Clock;

use crate::durak::search::cards::Cards;
use crate::durak::search::memory::{Entry, Memory, key};
use crate::durak::search::outcome::{Found, Grounds, Horizon, Value};
use crate::durak::search::policy::{Policy, finish};
use crate::durak::search::position::{Choices, Passing, Phase, Play, Position, SEATS, World};

/// Number of positions visited between two looks at the clock.
const NODES_PER_LOOK: u64 = 1 << 10;

/// As how many positions one counts from which the policy plays to the end.
const PLAY_OUT: u64 = 16;

/// The hands and the attacker where a bout starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Every seat's hand.
    pub hands: [Cards; SEATS],
    /// The seat that attacks.
    pub attacker: u8,
}

impl Start {
    /// The start in a position whose first card is still to be led.
    pub fn new(position: &Position) -> Start {
        Start { hands: position.hands, attacker: position.attacker }
    }
}

/// Reason why a search stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Time was up.
    Time,
    /// It had visited as many positions as it may.
    Positions,
}

/// One search.
pub struct Tree<'a> {
    /// Memory of positions.
    pub memory: &'a mut Memory,
    /// The starts of bouts that the game has seen twice.
    pub seen_twice: &'a [Start],
    /// The rules, and what is left of the talon.
    pub world: &'a World,
    /// Policy beyond the horizon.
    pub policy: &'a Policy,
    /// The seat that wants high values.
    pub seat: u8,
    /// Number of positions that may be visited yet.
    pub nodes_left: u64,
    /// Says when to stop.
    pub clock: &'a mut dyn Clock,
    /// Reason why it has stopped, if it has; what it finds then has no meaning.
    pub stop: Option<Stop>,
    /// The starts of bouts on the line that is searched, where they may come again.
    pub path: Vec<Start>,
}

/// The bounds between which a value matters.
type Window = (Value, Value);

impl Tree<'_> {
    /// Value of a position after a move.
    pub fn after(
        &mut self,
        position: &Position,
        play: Play,
        horizon: Horizon,
        window: Window,
    ) -> Found {
        let mut next = *position;
        next.play(play, self.world);
        let is_start = next.phase == Phase::Lead;
        self.visit(&next, if is_start { horizon.after_bout() } else { horizon }, window)
    }

    /// Value of a position, if that lies between the bounds; else a bound on it.
    pub fn visit(&mut self, position: &Position, horizon: Horizon, window: Window) -> Found {
        if let Phase::Over(losers) = position.phase {
            return Found::proven(Value::of_end(losers, self.seat));
        }
        self.spend(1);
        if self.stop.is_some() {
            return Found { value: Value::Draw, grounds: Grounds::POLICY };
        }
        if position.phase != Phase::Lead {
            return self.recall(position, horizon, window);
        }
        if horizon.is_reached() {
            self.spend(PLAY_OUT);
            let value = Value::of_end(finish(position, self.world, self.policy), self.seat);
            return Found { value, grounds: Grounds::POLICY };
        }
        if self.world.options.transfer == Transfer::Off {
            if position.left(self.world) == 0 && position.attack_is_won() {
                let is_own = position.turn == self.seat;
                return Found::proven(if is_own { Value::Win } else { Value::Loss });
            }
            return self.recall(position, horizon, window);
        }
        let start = Start::new(position);
        if self.seen_twice.contains(&start) {
            return Found::proven(Value::Draw);
        }
        if self.path.contains(&start) {
            return Found { value: Value::Draw, grounds: Grounds::LINE };
        }
        self.path.push(start);
        let found = self.recall(position, horizon, window);
        self.path.pop();
        found
    }

    /// Looks the value up in the memory, if that is enough.
    fn recall(&mut self, position: &Position, horizon: Horizon, window: Window) -> Found {
        let (mut alpha, mut beta) = window;
        let key = key(position);
        let known = self.memory.recall(key);
        if let Some(known) = known {
            let is_proven = known.horizon == Horizon::END;
            if is_proven || known.horizon == horizon {
                let grounds = if is_proven { Grounds::PROVEN } else { Grounds::POLICY };
                if known.least >= beta || known.least == known.most {
                    return Found { value: known.least, grounds };
                }
                if known.most <= alpha {
                    return Found { value: known.most, grounds };
                }
                if is_proven {
                    alpha = alpha.max(known.least);
                    beta = beta.min(known.most);
                }
            }
        }
        let first = known.map(|known| known.best());
        let (found, best) = self.try_moves(position, first, horizon, (alpha, beta));
        if self.stop.is_none() && !found.grounds.contain(Grounds::LINE) {
            let bounds = match found.value {
                value if value >= beta => (value, Value::Win),
                value if value <= alpha => (Value::Loss, value),
                value => (value, value),
            };
            let is_proven = found.grounds == Grounds::PROVEN;
            let horizon = if is_proven { Horizon::END } else { horizon };
            self.memory.store(Entry::new(key, bounds, horizon, best));
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
    ) -> (Found, Play) {
        let is_own = position.turn == self.seat;
        let choices = position.choices(self.world);
        let first = first.filter(|play| choices.contain(*play));
        let others = CheapFirst(choices).filter(|play| Some(*play) != first);
        let mut best: Option<(Value, Play)> = None;
        let mut grounds = Grounds::PROVEN;
        for play in first.into_iter().chain(others) {
            let found = self.after(position, play, horizon, (alpha, beta));
            if self.stop.is_some() {
                return (found, play);
            }
            let is_enough = if is_own {
                alpha = alpha.max(found.value);
                found.value == Value::Win || found.value >= beta
            } else {
                beta = beta.min(found.value);
                found.value == Value::Loss || found.value <= alpha
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
        let (value, play) = best.unwrap_or((Value::Draw, Play::Pass));
        (Found { value, grounds }, play)
    }

    /// Counts positions, and looks at the clock from time to time.
    fn spend(&mut self, nodes: u64) {
        let looks = self.nodes_left / NODES_PER_LOOK;
        match self.nodes_left.checked_sub(nodes) {
            Some(left) => self.nodes_left = left,
            None => self.stop = self.stop.or(Some(Stop::Positions)),
        }
        if self.nodes_left / NODES_PER_LOOK < looks && self.clock.is_up() {
            self.stop = Some(Stop::Time);
        }
    }
}

/// Moves with the cheapest card first, and that without a card last: in nine of ten positions where
/// one move is enough, the first is.
struct CheapFirst(Choices);

impl Iterator for CheapFirst {
    type Item = Play;

    fn next(&mut self) -> Option<Play> {
        let Choices { cards, transfers, pass } = &mut self.0;
        if let Some(card) = transfers.lowest() {
            *transfers = transfers.without(Cards::one(card));
            return Some(Play::Transfer(card));
        }
        if let Some(card) = cards.lowest() {
            *cards = cards.without(Cards::one(card));
            return Some(Play::Card(card));
        }
        let pass = std::mem::replace(pass, Passing::Forbidden);
        (pass == Passing::Allowed).then_some(Play::Pass)
    }
}
