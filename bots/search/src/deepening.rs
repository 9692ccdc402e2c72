//! A search in growing depths, so that there is an answer whenever time is up.

use crate::alpha_beta::{AlphaBeta, Best, Counts, End};
use crate::clock::Clock;
use crate::position::{Line, Position};

/// Searches a position to one depth after another.
///
/// Each search begins with the move that the one before found best, unless the order of moves
/// matters. So when time is up in the middle of a search, what it has found so far takes more into
/// account than the one before, and is the answer if that move is among those it compared. A
/// search that is not cut answers exactly as [`plain`](crate::plain) does.
#[derive(Debug)]
pub struct Deepening<P: Position> {
    search: AlphaBeta<P>,
    moves: Vec<P::Move>,
}

/// Result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome<M> {
    /// The best move.
    pub best: M,
    /// Line that it leads to; `None` if time was up before anything was known.
    pub line: Option<Line>,
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
    ) -> Option<Outcome<P::Move>> {
        self.search.begin();
        position.moves(&mut self.moves);
        let mut outcome = Outcome {
            best: *self.moves.first()?,
            line: None,
            complete: 0,
            end: End::Complete,
            counts: Counts::default(),
        };
        let mut known_best = 0;
        for plies in depths {
            let (best, end) = self.search.best(position, &self.moves, plies, known_best, clock);
            if let Some(Best { place, line }) = best {
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
