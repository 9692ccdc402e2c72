//! Alpha-beta search, as deep as is asked or as time allows.

use std::time::Instant;

use crate::position::{LineValue, Position, Side, TrialExtent};

/// Steps of work between two looks at the clock: some hundred microseconds.
const WORK_PER_LOOK: u64 = 1 << 14;

/// No bound on the value from below, or from above.
const NO_LOWER: i32 = i32::MIN;
const NO_UPPER: i32 = i32::MAX;

/// The search, with the room it needs; one serves many positions of the same game.
#[derive(Debug)]
pub struct AlphaBeta<P: Position> {
    /// Room for the moves of each ply.
    moves: Vec<Vec<P::Move>>,
    memory: TranspositionTable,
    counts: Counts,
    plies: u32,
    work_at_look: u64,
    is_up: bool,
}

/// Work of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Number of positions that it visited, not counting those at the ends of full lines.
    pub nodes: u64,
    /// Number of plies that the longest line had.
    pub deepest: u32,
}

/// The best first move found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BestMove {
    /// The place of the move in the order of the root's moves.
    pub(super) place: usize,
    pub(super) line: LineValue,
}

/// End of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With all moves searched.
    Complete,
    /// With time up before.
    Cut,
}

impl<P: Position> AlphaBeta<P> {
    /// A search that has done nothing yet.
    pub fn new() -> Self {
        AlphaBeta {
            moves: Vec::new(),
            memory: TranspositionTable::new(),
            counts: Counts::default(),
            plies: 0,
            work_at_look: 0,
            is_up: false,
        }
    }

    /// Work since the search began with this root.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Begins anew with another root.
    fn begin(&mut self) {
        self.memory.forget();
        self.counts = Counts::default();
    }

    /// The best of these first moves, looking at least one ply ahead: the first of equals.
    ///
    /// The move at the place `known_best`, from a search that looked less far, is searched first
    /// unless the order of moves matters, which changes only what is known when time is up. Then
    /// there is a best only if that move was searched too, since otherwise it may be better still.
    pub(super) fn best(
        &mut self,
        position: &mut P,
        moves: &[P::Move],
        plies: u32,
        known_best: usize,
        clock: &mut dyn Clock,
    ) -> (Option<BestMove>, End) {
        self.start(position, plies);
        let until_worse = position.trial() == TrialExtent::UntilWorse;
        let first = if until_worse { 0 } else { known_best };
        let mut known_is_searched = false;
        let mut best: Option<BestMove> = None;
        for place in in_order(first, moves.len()) {
            let alpha = match best {
                Some(BestMove { line, .. }) if until_worse || line.plies < plies => NO_LOWER,
                // An equal move that stands before the best one is to be recognised.
                Some(found) if place < found.place => found.line.value - 1,
                Some(found) => found.line.value,
                None => NO_LOWER,
            };
            let undo = position.play(moves[place]);
            let line = self.visit(position, 1, alpha, NO_UPPER, clock);
            position.take_back(undo);
            if self.is_up {
                return (best.filter(|_| known_is_searched), End::Cut);
            }
            known_is_searched |= place == known_best;
            match best {
                Some(found) if line.is_better(found.line, Side::Max) => {
                    best = Some(BestMove { place, line });
                }
                Some(found) if line == found.line => {
                    best = Some(BestMove { place: place.min(found.place), line });
                }
                Some(_) if until_worse => break,
                Some(_) => {}
                None => best = Some(BestMove { place, line }),
            }
        }
        (best, End::Complete)
    }

    /// The value at the end of the best line after each of these first moves, looking this number of
    /// plies ahead, at least one; `None` if time was up before.
    pub fn values(
        &mut self,
        position: &mut P,
        moves: &[P::Move],
        plies: u32,
        clock: &mut dyn Clock,
    ) -> Option<Vec<i32>> {
        self.begin();
        let mut value = |mv: &P::Move| match self.best(position, &[*mv], plies, 0, clock) {
            (Some(best), End::Complete) => Some(best.line.value),
            _ => None,
        };
        moves.iter().map(&mut value).collect()
    }

    fn start(&mut self, position: &P, plies: u32) {
        self.plies = plies;
        self.is_up = false;
        self.work_at_look = position.work();
        self.moves.resize_with(self.moves.len().max(plies as usize), Vec::new);
    }

    /// Value of a position, if it comes from a full line and lies between the bounds; else a bound
    /// on it. Without meaning once time is up.
    fn visit(
        &mut self,
        position: &mut P,
        ply: u32,
        alpha: i32,
        beta: i32,
        clock: &mut dyn Clock,
    ) -> LineValue {
        if ply == self.plies {
            self.counts.deepest = self.counts.deepest.max(ply);
            return LineValue { plies: ply, value: position.value() };
        }
        self.counts.nodes += 1;
        if ply + 1 == self.plies {
            let line = match position.value_after_best() {
                Some(value) => LineValue { plies: ply + 1, value },
                None => LineValue { plies: ply, value: position.value() },
            };
            self.counts.deepest = self.counts.deepest.max(line.plies);
            self.look(position, clock);
            return line;
        }
        let (key, here) = (position.key(), position.value());
        let known = self.memory.recall(key);
        if let Some(known) = known
            && u32::from(known.plies) == self.plies - ply
        {
            let value = here + known.gain;
            let is_enough = match known.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if is_enough {
                return LineValue { plies: self.plies, value };
            }
        }
        let mut moves = std::mem::take(&mut self.moves[ply as usize]);
        position.moves(&mut moves);
        self.look(position, clock);
        let first = known.map_or(0, |known| usize::from(known.best));
        let best = self.try_moves(position, &moves, first, ply, (alpha, beta), clock);
        self.moves[ply as usize] = moves;
        let Some(BestMove { place, line }) = best else {
            self.counts.deepest = self.counts.deepest.max(ply);
            return LineValue { plies: ply, value: here };
        };
        // A shorter line is not remembered: it is no bound, and it is rare.
        if line.plies == self.plies && !self.is_up {
            let bound = match line.value {
                value if value >= beta => Bound::Lower,
                value if value <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            self.memory.store(key, line.value - here, self.plies - ply, bound, place);
        }
        line
    }

    /// The best of these moves, the one at the place `first` tried first; none if there is none or
    /// time is up.
    fn try_moves(
        &mut self,
        position: &mut P,
        moves: &[P::Move],
        first: usize,
        ply: u32,
        (mut alpha, mut beta): (i32, i32),
        clock: &mut dyn Clock,
    ) -> Option<BestMove> {
        let side = position.side();
        let until_worse = position.trial() == TrialExtent::UntilWorse;
        let mut best: Option<BestMove> = None;
        for place in in_order(if until_worse { 0 } else { first }, moves.len()) {
            if self.is_up {
                break;
            }
            // To see which of two moves is worse, both values must be known, not bounded.
            let (lower, upper) = match side {
                Side::Max if until_worse => (NO_LOWER, beta),
                Side::Min if until_worse => (alpha, NO_UPPER),
                _ => (alpha, beta),
            };
            let undo = position.play(moves[place]);
            let line = self.visit(position, ply + 1, lower, upper, clock);
            position.take_back(undo);
            match best {
                Some(found) if line.is_better(found.line, side) => {
                    best = Some(BestMove { place, line });
                }
                Some(found) if until_worse && line != found.line => break,
                Some(_) => continue,
                None => best = Some(BestMove { place, line }),
            }
            if line.plies == self.plies {
                match side {
                    Side::Max => alpha = alpha.max(line.value),
                    Side::Min => beta = beta.min(line.value),
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    fn look(&mut self, position: &P, clock: &mut dyn Clock) {
        let work = position.work();
        if work - self.work_at_look >= WORK_PER_LOOK {
            self.work_at_look = work;
            self.is_up = self.is_up || clock.is_up();
        }
    }
}

/// The places below `count`, with one of them first.
#[inline]
fn in_order(first: usize, count: usize) -> impl Iterator<Item = usize> {
    let first = if first < count { first } else { 0 };
    let others = (0..count).filter(move |place| *place != first);
    std::iter::once(first).chain(others).take(count)
}

impl<P: Position> Default for AlphaBeta<P> {
    fn default() -> Self {
        AlphaBeta::new()
    }
}

/// Number of positions remembered: one megabyte, which the caches of processors hold.
const ENTRIES: usize = 1 << 16;

/// Memory of positions, the latest in place of older ones.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
    /// Tells the positions of one search from those of others.
    salt: u64,
}

/// Knowledge of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// Gain of its full line over the value of the position itself.
    pub(super) gain: i32,
    /// Number of plies looked ahead.
    pub(super) plies: u16,
    pub(super) bound: Bound,
    /// The place of the best move in the order of its moves.
    pub(super) best: u8,
}

/// Relation of a value to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// At least as great.
    Lower,
    /// At most as great.
    Upper,
    /// Equal.
    Exact,
}

impl TranspositionTable {
    pub(super) fn new() -> TranspositionTable {
        TranspositionTable { entries: Vec::new(), salt: 0 }
    }

    fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        if self.entries.is_empty() {
            let nothing = Entry { key: 0, gain: 0, plies: 0, bound: Bound::Lower, best: 0 };
            self.entries = vec![nothing; ENTRIES];
        }
    }

    /// Looks a position up by its key.
    #[inline]
    fn recall(&self, key: u64) -> Option<Entry> {
        let key = key ^ self.salt;
        self.entries.get(key as usize % ENTRIES).copied().filter(|entry| entry.key == key)
    }

    /// Remembers the position with this key.
    #[inline]
    fn store(&mut self, key: u64, gain: i32, plies: u32, bound: Bound, best: usize) {
        let key = key ^ self.salt;
        if let Some(entry) = self.entries.get_mut(key as usize % ENTRIES) {
            let plies = plies as u16;
            // A place beyond the first 255 is only a worse hint.
            let best = u8::try_from(best).unwrap_or_default();
            *entry = Entry { key, gain, plies, bound, best };
        }
    }
}

/// Says when a search has to stop.
pub trait Clock {
    /// Returns true if time is up. It is asked about every hundred microseconds.
    fn is_up(&mut self) -> bool;
}

/// Time is never up.
#[derive(Debug, Clone, Copy)]
pub struct Unlimited;

impl Clock for Unlimited {
    #[inline]
    fn is_up(&mut self) -> bool {
        false
    }
}

/// Time is up at an instant, if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(
    /// The instant.
    pub Option<Instant>,
);

impl Clock for Deadline {
    #[inline]
    fn is_up(&mut self) -> bool {
        self.0.is_some_and(|instant| Instant::now() >= instant)
    }
}

/// Time is up by another clock, or after a number of looks at this one.
///
/// A search looks after equal amounts of work, so that looks limit it in the same way on every machine.
pub struct LookLimit<'a> {
    /// Number of looks that are left.
    pub left: u64,
    /// The other clock.
    pub clock: &'a mut dyn Clock,
}

impl Clock for LookLimit<'_> {
    fn is_up(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0 || self.clock.is_up()
    }
}

/// Searches a position to one depth after another.
///
/// Each search begins with the move that the one before found best, unless the order of moves
/// matters. So when time is up in the middle of a search, what it has found so far takes more into
/// account than the one before, and is the answer if that move is among those it compared. A
/// search that is not cut answers exactly as [`plain_best`](crate::position::plain_best) does.
#[derive(Debug)]
pub struct Deepening<P: Position> {
    search: AlphaBeta<P>,
    moves: Vec<P::Move>,
}

/// Result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOutcome<M> {
    /// The best move.
    pub best: M,
    /// Line that it leads to; `None` if time was up before anything was known.
    pub line: Option<LineValue>,
    /// Number of plies that the last search that was not cut looked ahead, 0 if there was none.
    pub complete: u32,
    /// End of the last search.
    pub end: End,
    /// Work of all searches together.
    pub counts: Counts,
}

impl<P: Position> Deepening<P> {
    /// A search that has done nothing yet.
    pub fn new() -> Self {
        Deepening { search: AlphaBeta::new(), moves: Vec::new() }
    }

    /// The best move, looking ahead these numbers of plies in turn, each at least 1, until time is
    /// up; `None` if there is no move.
    pub fn best(
        &mut self,
        position: &mut P,
        depths: impl IntoIterator<Item = u32>,
        clock: &mut dyn Clock,
    ) -> Option<SearchOutcome<P::Move>> {
        self.search.begin();
        position.moves(&mut self.moves);
        let mut outcome = SearchOutcome {
            best: *self.moves.first()?,
            line: None,
            complete: 0,
            end: End::Complete,
            counts: Counts::default(),
        };
        let mut known_best = 0;
        for plies in depths {
            let (best, end) = self.search.best(position, &self.moves, plies, known_best, clock);
            if let Some(BestMove { place, line }) = best {
                known_best = place;
                outcome.best = self.moves[place];
                outcome.line = Some(line);
            }
            outcome.end = end;
            if end == End::Cut {
                break;
            }
            outcome.complete = plies;
        }
        outcome.counts = self.search.counts();
        Some(outcome)
    }
}

impl<P: Position> Default for Deepening<P> {
    fn default() -> Self {
        Deepening::new()
    }
}
