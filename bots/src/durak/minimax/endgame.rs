//! Two seats that know each other's hands: their game is searched to its end.
//!
//! The search is alpha-beta over three values, with a memory of positions. It looks a number of
//! bouts ahead and takes what the [`Policy`] makes of the positions there for their value. What
//! follows from ends of the game alone is *proven*, and stays so however far one looks.
//!
//! Only transfers let a start of a bout come again, and then the third time is a draw. A seat that
//! can force a win can do so without any start coming twice. So a start that the searched line
//! itself repeats counts as a draw at once, which is exact at the root; what hangs on it
//! holds in this line alone and is not remembered. A start that the game has seen twice is
//! a draw for all lines.

use rules::durak::Transfer;

use crate::durak::minimax::cards::{Cards, Place};
use crate::durak::minimax::memory::{Memory, PROVEN};
use crate::durak::minimax::playout::finish;
use crate::durak::minimax::policy::Policy;
use crate::durak::minimax::position::{Phase, Play, Position, World};
use crate::search::Clock;

/// A lost game, from the view of the searching seat.
pub const LOSS: i8 = -1;
/// A drawn game.
pub const DRAW: i8 = 0;
/// A game that is won.
pub const WIN: i8 = 1;

/// How many positions are visited between two looks at the clock.
const NODES_PER_LOOK: u64 = 1 << 10;

/// The hands and the attacker where a bout starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Every seat's hand.
    pub hands: [Cards; 6],
    /// The seat that attacks.
    pub attacker: u8,
}

/// The search with the room it needs.
#[derive(Debug, Default)]
pub struct Endgame {
    memory: Memory,
    /// The starts of bouts that were seen twice in the game.
    drawn: Vec<Start>,
    /// Those of the line that is searched.
    path: Vec<Start>,
    nodes: u64,
    most_nodes: u64,
    is_stopped: bool,
}

/// What a value hangs on beside the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Grounds(u8);

impl Grounds {
    const PROVEN: Grounds = Grounds(0);
    /// On what the policy makes of a position.
    const POLICY: Grounds = Grounds(1);
    /// On the line that led there.
    const LINE: Grounds = Grounds(2);

    fn and(self, other: Grounds) -> Grounds {
        Grounds(self.0 | other.0)
    }

    fn has(self, other: Grounds) -> bool {
        self.0 & other.0 != 0
    }
}

/// A value, or a bound on it, and what it hangs on.
#[derive(Debug, Clone, Copy)]
struct Found {
    value: i8,
    grounds: Grounds,
}

/// What stays the same in a search.
struct Task<'a> {
    world: &'a World,
    policy: &'a Policy,
    hero: u8,
}

/// A first move and what it came to in each pass.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The move.
    pub play: Play,
    /// What it is worth, looking one more bout ahead each time.
    pub values: Vec<i8>,
}

/// What the search for a move found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best move, if a pass was finished.
    pub best: Option<Tried>,
    /// Whether the value of the best move is that of perfect play.
    pub is_exact: bool,
    /// Whether time was up before that.
    pub was_cut: bool,
}

impl Endgame {
    /// Begins anew, in a game that has seen these starts of bouts twice.
    pub fn begin(&mut self, drawn: Vec<Start>) {
        self.memory.forget();
        self.drawn = drawn;
        self.path.clear();
        self.nodes = 0;
    }

    /// How many positions it has visited since it began.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What the position is worth to a seat, if not more positions need be visited.
    pub fn value(
        &mut self,
        position: &Position,
        world: &World,
        hero: u8,
        policy: &Policy,
        most_nodes: u64,
    ) -> Option<i8> {
        self.is_stopped = false;
        self.most_nodes = self.nodes.saturating_add(most_nodes);
        self.path.clear();
        let task = Task { world, policy, hero };
        let found = self.visit(&task, position, PROVEN, (LOSS, WIN), &mut NoClock);
        (!self.is_stopped).then_some(found.value)
    }

    /// The best of these moves for the seat whose turn it is, looking one bout further in every
    /// pass until that changes nothing or time is up.
    ///
    /// Of moves that are worth the same, that is best which was worth more in the pass before: it
    /// asks more of the other seat.
    pub fn best(
        &mut self,
        position: &Position,
        world: &World,
        plays: &[Play],
        policy: &Policy,
        clock: &mut dyn Clock,
    ) -> Outcome {
        self.is_stopped = false;
        self.most_nodes = u64::MAX;
        let task = Task { world, policy, hero: position.turn };
        let mut tried: Vec<Tried> =
            plays.iter().map(|play| Tried { play: *play, values: Vec::new() }).collect();
        let mut is_exact = false;
        for bouts in 1..PROVEN {
            let mut values = Vec::with_capacity(plays.len());
            let mut grounds = Grounds::PROVEN;
            for play in plays {
                self.path.clear();
                if position.phase == Phase::Lead {
                    self.path.push(start(position));
                }
                let found = self.after(&task, position, *play, bouts, (LOSS, WIN), clock);
                if self.is_stopped {
                    break;
                }
                values.push(found.value);
                grounds = grounds.and(found.grounds);
                if found.value == WIN && !found.grounds.has(Grounds::POLICY) {
                    // Nothing can be better, so the others need not be looked at.
                    let best = Tried { play: *play, values: vec![WIN] };
                    return Outcome { best: Some(best), is_exact: true, was_cut: false };
                }
            }
            if self.is_stopped {
                break;
            }
            for (tried, value) in tried.iter_mut().zip(values) {
                tried.values.push(value);
            }
            if !grounds.has(Grounds::POLICY) {
                is_exact = true;
                break;
            }
        }
        // The first of equals: the policy's order is that of cheap cards first.
        let best = tried
            .into_iter()
            .rev()
            .max_by(|one, other| one.values.iter().rev().cmp(other.values.iter().rev()));
        let best = best.filter(|best| !best.values.is_empty());
        Outcome { best, is_exact, was_cut: self.is_stopped }
    }

    /// What a position is worth after a move.
    fn after(
        &mut self,
        task: &Task<'_>,
        position: &Position,
        play: Play,
        bouts: u8,
        window: (i8, i8),
        clock: &mut dyn Clock,
    ) -> Found {
        let mut next = *position;
        next.play(play, task.world);
        let ends_bout = next.phase == Phase::Lead && bouts != PROVEN;
        self.visit(task, &next, bouts - u8::from(ends_bout), window, clock)
    }

    fn visit(
        &mut self,
        task: &Task<'_>,
        position: &Position,
        bouts: u8,
        (mut alpha, mut beta): (i8, i8),
        clock: &mut dyn Clock,
    ) -> Found {
        if let Phase::Over(losers) = position.phase {
            return Found { value: value_of(losers, task.hero), grounds: Grounds::PROVEN };
        }
        self.nodes += 1;
        self.look(clock);
        if self.is_stopped {
            return Found { value: DRAW, grounds: Grounds::POLICY };
        }
        let is_start = position.phase == Phase::Lead;
        if is_start && bouts == 0 {
            let value = value_of(finish(position, task.world, task.policy), task.hero);
            return Found { value, grounds: Grounds::POLICY };
        }
        let may_repeat = is_start && task.world.options.transfer == Transfer::On;
        if may_repeat {
            let start = start(position);
            if self.drawn.contains(&start) {
                return Found { value: DRAW, grounds: Grounds::PROVEN };
            }
            if self.path.contains(&start) {
                return Found { value: DRAW, grounds: Grounds::LINE };
            }
        }
        let key = key(position);
        let mut first = None;
        if let Some(known) = self.memory.recall(key) {
            first = read(known.best);
            if known.bouts == PROVEN || known.bouts == bouts {
                let grounds = if known.bouts == PROVEN { Grounds::PROVEN } else { Grounds::POLICY };
                if known.least >= beta || known.least == known.most {
                    return Found { value: known.least, grounds };
                }
                if known.most <= alpha {
                    return Found { value: known.most, grounds };
                }
                if known.bouts == PROVEN {
                    alpha = alpha.max(known.least);
                    beta = beta.min(known.most);
                }
            }
        }
        if may_repeat {
            self.path.push(start(position));
        }
        let (found, best) = self.try_moves(task, position, first, bouts, (alpha, beta), clock);
        if may_repeat {
            self.path.pop();
        }
        if !self.is_stopped && !found.grounds.has(Grounds::LINE) {
            let bounds = match found.value {
                value if value >= beta => (value, WIN),
                value if value <= alpha => (LOSS, value),
                value => (value, value),
            };
            let bouts = if found.grounds == Grounds::PROVEN { PROVEN } else { bouts };
            self.memory.store(key, bounds, bouts, written(best));
        }
        found
    }

    /// The best that the seat whose turn it is can do, and with which move.
    fn try_moves(
        &mut self,
        task: &Task<'_>,
        position: &Position,
        first: Option<Play>,
        bouts: u8,
        (mut alpha, mut beta): (i8, i8),
        clock: &mut dyn Clock,
    ) -> (Found, Play) {
        let is_own = position.turn == task.hero;
        let mut best: Option<(i8, Play)> = None;
        let mut grounds = Grounds::PROVEN;
        let choices = position.choices(task.world);
        let others = Ordered::new(choices).filter(|play| Some(*play) != first);
        for play in first.into_iter().chain(others) {
            let found = self.after(task, position, play, bouts, (alpha, beta), clock);
            if self.is_stopped {
                return (found, play);
            }
            let is_better = match best {
                None => true,
                Some((value, _)) if is_own => found.value > value,
                Some((value, _)) => found.value < value,
            };
            if is_better {
                best = Some((found.value, play));
            }
            let is_enough = if is_own {
                alpha = alpha.max(found.value);
                found.value == WIN || found.value >= beta
            } else {
                beta = beta.min(found.value);
                found.value == LOSS || found.value <= alpha
            };
            if is_enough {
                // The other moves do not matter for this bound.
                return (found, play);
            }
            grounds = grounds.and(found.grounds);
        }
        let (value, play) = best.unwrap_or((DRAW, Play::Pass));
        (Found { value, grounds }, play)
    }

    fn look(&mut self, clock: &mut dyn Clock) {
        let is_time = self.nodes.is_multiple_of(NODES_PER_LOOK) && clock.is_up();
        if is_time || self.nodes > self.most_nodes {
            self.is_stopped = true;
        }
    }
}

/// A clock for searches that are bounded by their nodes.
struct NoClock;

impl Clock for NoClock {
    fn is_up(&mut self) -> bool {
        false
    }
}

/// Moves with the cheapest card first, and that without a card last.
struct Ordered {
    cards: Cards,
    transfers: Cards,
    pass: bool,
}

impl Ordered {
    fn new(choices: crate::durak::minimax::position::Choices) -> Ordered {
        use crate::durak::minimax::position::Passing;
        Ordered {
            cards: choices.cards,
            transfers: choices.transfers,
            pass: choices.pass == Passing::Allowed,
        }
    }
}

impl Iterator for Ordered {
    type Item = Play;

    fn next(&mut self) -> Option<Play> {
        if let Some(card) = self.transfers.lowest() {
            self.transfers = self.transfers.without(Cards::one(card));
            return Some(Play::Transfer(card));
        }
        if let Some(card) = self.cards.lowest() {
            self.cards = self.cards.without(Cards::one(card));
            return Some(Play::Card(card));
        }
        std::mem::take(&mut self.pass).then_some(Play::Pass)
    }
}

/// What an end of the game is worth to a seat.
fn value_of(losers: u8, hero: u8) -> i8 {
    if losers >> hero & 1 == 0 {
        WIN
    } else if losers.count_ones() == 1 {
        LOSS
    } else {
        DRAW
    }
}

/// The start of a bout.
pub fn start(position: &Position) -> Start {
    Start { hands: position.hands, attacker: position.attacker }
}

/// The position as one number.
fn key(position: &Position) -> u64 {
    let mut seats = Cards(u64::from(position.players)).map(|seat| position.of(seat).0);
    let one = seats.next().unwrap_or_default();
    let other = seats.next().unwrap_or_default();
    let phase = match position.phase {
        Phase::Lead => 0,
        Phase::Defend => 1,
        Phase::Throw => 2,
        Phase::Load => 3,
        Phase::Over(_) => 4,
    };
    let bytes = [
        phase,
        position.attacker,
        position.defender,
        position.first,
        position.attacks,
        position.limit,
        position.drawn,
        position.turn,
    ];
    let parts = [
        one,
        other,
        position.table.0,
        u64::from(position.unbeaten.bits()),
        u64::from_le_bytes(bytes),
    ];
    parts.into_iter().fold(0x243f_6a88_85a3_08d3, |key, part| {
        let mixed = (key ^ part).wrapping_mul(0x9fb2_1c65_1e98_df25);
        mixed ^ mixed >> 29
    })
}

/// A move as a number.
fn written(play: Play) -> u8 {
    match play {
        Play::Card(place) => place,
        Play::Transfer(place) => 64 + place,
        Play::Pass => 255,
    }
}

/// The move behind a number.
fn read(number: u8) -> Option<Play> {
    match number {
        0..64 => Some(Play::Card(number as Place)),
        64..128 => Some(Play::Transfer(number - 64)),
        255 => Some(Play::Pass),
        _ => None,
    }
}
