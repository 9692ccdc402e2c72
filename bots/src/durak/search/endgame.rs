//! Two seats that know each other's hands: their game is searched to its end. Where nothing is searched, it is
//! played to its end.
//!
//! The search ([`TreeSearch`]) is alpha-beta over three values, with a memory of positions. Looking only
//! some bouts ahead, it takes what the [`RuleOfThumbPolicy`] makes of the positions there for their value. What
//! follows from ends of the game alone is *proven*, and stays so however far one looks.
//!
//! Only transfers let a start of a bout come again, and then the third time is a draw. A seat that
//! can force a win can do so without any start coming twice. So a start that the searched line
//! itself repeats counts as a draw at once, which is exact at the root; what hangs on it holds in
//! this line alone and is not remembered. A start that the game has seen twice is a draw for all
//! lines.

use search::Clock;
use search::alpha_beta::Unlimited;

use crate::durak::search::knowledge::RootKnowledge;
use crate::durak::search::policy::{MOST_MOVES, PlayoutPolicy, RuleOfThumbPolicy};
use crate::durak::search::position::{GameSetup, Play, Position, PositionPhase};
use crate::durak::search::tree::{
    BoutStart, GameValue, Horizon, MemorySize, SearchStopCause, TranspositionTable, TreeSearch,
    ValueBasis, WON, points,
};

/// Horizons of the passes of a search, in order. More passes between the third bout and the end
/// would cost more than they gain.
const PASSES: [Horizon; 4] =
    [Horizon::bouts(1), Horizon::bouts(2), Horizon::bouts(3), Horizon::END];

#[derive(Debug, Default)]
pub struct Endgame {
    memory: TranspositionTable,
    seen_twice: Vec<BoutStart>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndgameResult {
    /// The best move; `None` if not even the first pass was finished.
    pub best: Option<Play>,
    /// Its value by perfect play of both; `None` if the last pass was not finished.
    pub value: Option<GameValue>,
    /// Reason why it stopped before the end of the last pass, if it did.
    pub stop: Option<SearchStopCause>,
    pub positions: u64,
}

/// A first move, and what it was worth in the passes, the last of them first.
struct TriedMove {
    play: Play,
    values: [GameValue; PASSES.len()],
}

impl Endgame {
    pub fn new(size: MemorySize) -> Endgame {
        Endgame { memory: TranspositionTable::new(size), ..Endgame::default() }
    }

    /// Begins anew, in a game that has seen these starts of bouts twice.
    pub fn begin(&mut self, seen_twice: Vec<BoutStart>) {
        self.memory.forget();
        self.seen_twice = seen_twice;
    }

    /// Value of a position for a seat by perfect play, if it takes no more positions than these to
    /// know it.
    pub fn value(
        &mut self,
        position: &Position,
        world: &GameSetup,
        seat: u8,
        policy: &RuleOfThumbPolicy,
        positions: u64,
    ) -> Option<GameValue> {
        let mut clock = Unlimited;
        let mut tree = self.tree(world, policy, seat, positions, &mut clock);
        let found = tree.visit(position, Horizon::END, (GameValue::Loss, GameValue::Win));
        tree.stop.is_none().then_some(found.value)
    }

    /// The best of some moves for the seat whose turn it is, looking further ahead in every pass.
    ///
    /// Of moves that are worth the same, that is best which was worth more in the pass before, since
    /// it asks more of the other seat, and then the first.
    pub fn best(
        &mut self,
        position: &Position,
        world: &GameSetup,
        plays: &[Play],
        policy: &RuleOfThumbPolicy,
        positions: u64,
        clock: &mut dyn Clock,
    ) -> EndgameResult {
        let mut tree = self.tree(world, policy, position.turn, positions, clock);
        let mut tried: Vec<TriedMove> = plays
            .iter()
            .map(|play| TriedMove { play: *play, values: [GameValue::Loss; 4] })
            .collect();
        let mut decision = EndgameResult { best: None, value: None, stop: None, positions: 0 };
        for horizon in PASSES {
            let Some(grounds) = pass(&mut tree, position, &mut tried, horizon) else {
                decision.stop = tree.stop;
                break;
            };
            let best = tried.iter().rev().max_by_key(|tried| tried.values);
            decision.best = best.map(|best| best.play);
            if !grounds.contain(ValueBasis::POLICY) {
                decision.value = best.map(|best| best.values[0]);
                break;
            }
        }
        decision.positions = positions - tree.nodes_left;
        decision
    }

    /// The value by perfect play of each of some moves for the seat whose turn it is, if it takes no
    /// more positions than these to know all of them.
    pub fn values(
        &mut self,
        position: &Position,
        world: &GameSetup,
        plays: &[Play],
        policy: &RuleOfThumbPolicy,
        positions: u64,
    ) -> Option<Vec<GameValue>> {
        let mut clock = Unlimited;
        let mut tree = self.tree(world, policy, position.turn, positions, &mut clock);
        let value = |play: &Play| {
            tree.path.clear();
            if position.phase == PositionPhase::Lead {
                tree.path.push(BoutStart::new(position));
            }
            let found =
                tree.value_after(position, *play, Horizon::END, (GameValue::Loss, GameValue::Win));
            tree.stop.is_none().then_some(found.value)
        };
        plays.iter().map(value).collect()
    }

    fn tree<'a>(
        &'a mut self,
        world: &'a GameSetup,
        policy: &'a RuleOfThumbPolicy,
        seat: u8,
        nodes_left: u64,
        clock: &'a mut dyn Clock,
    ) -> TreeSearch<'a> {
        let Endgame { memory, seen_twice } = self;
        let path = Vec::new();
        TreeSearch { memory, seen_twice, world, policy, seat, nodes_left, clock, stop: None, path }
    }
}

/// Values every move, and says what that hangs on; `None` if it was stopped, and the moves have
/// their old values then. A win for certain ends the pass: nothing can be better.
fn pass(
    tree: &mut TreeSearch<'_>,
    position: &Position,
    tried: &mut [TriedMove],
    horizon: Horizon,
) -> Option<ValueBasis> {
    let mut values = Vec::with_capacity(tried.len());
    let mut grounds = ValueBasis::PROVEN;
    for TriedMove { play, .. } in tried.iter() {
        tree.path.clear();
        if position.phase == PositionPhase::Lead {
            tree.path.push(BoutStart::new(position));
        }
        let found = tree.value_after(position, *play, horizon, (GameValue::Loss, GameValue::Win));
        if tree.stop.is_some() {
            return None;
        }
        values.push(found.value);
        if found.value == GameValue::Win && !found.grounds.contain(ValueBasis::POLICY) {
            grounds = ValueBasis::PROVEN;
            values = vec![GameValue::Loss; values.len() - 1];
            values.push(GameValue::Win);
            break;
        }
        grounds = grounds.and(found.grounds);
    }
    for (place, tried) in tried.iter_mut().enumerate() {
        tried.values.rotate_right(1);
        tried.values[0] = values.get(place).copied().unwrap_or(GameValue::Loss);
    }
    Some(grounds)
}

/// A game between two seats is searched from where they hold so few cards together.
const FEW_CARDS: u32 = 8;

/// Number of positions that this search may visit; where more are needed, the policy plays on.
const FEW_POSITIONS: u64 = 200;

#[derive(Debug)]
pub struct PlayoutRunner<'a, P> {
    pub start: &'a RootKnowledge,
    pub policy: &'a P,
    /// Policy beyond the horizon of a search of an end.
    pub beyond: &'a RuleOfThumbPolicy,
    pub endgame: &'a mut Endgame,
}

impl<P: PlayoutPolicy> PlayoutRunner<'_, P> {
    /// Value of a position for the asked seat: by the policy, and by perfect play once two seats
    /// are left with few cards.
    pub fn play_out(&mut self, position: Position, world: &GameSetup) -> u64 {
        let seat = self.start.position.turn;
        let mut at = position;
        for _ in 0..MOST_MOVES {
            if let PositionPhase::Over(losers) = at.phase {
                return points(losers, seat);
            }
            if at.phase == PositionPhase::Lead && at.talon_left(world) == 0 {
                if !at.is_in(seat) {
                    return WON;
                }
                if let Some(value) = self.searched(&at, world) {
                    return value.points();
                }
            }
            at.play(self.policy.choose(&at, world), world);
        }
        points(at.players, seat)
    }

    fn searched(&mut self, at: &Position, world: &GameSetup) -> Option<GameValue> {
        let held: u32 = at.hands.iter().map(|hand| hand.len()).sum();
        if at.players.count_ones() != 2 || held > FEW_CARDS {
            return None;
        }
        let seat = self.start.position.turn;
        self.endgame.value(at, world, seat, self.beyond, FEW_POSITIONS)
    }
}
