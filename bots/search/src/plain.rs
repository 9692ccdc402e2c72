//! Minimax without pruning, as it stands in books: what faster searches are tested against.

use crate::position::{Line, Position, Trial};

/// The place of the best move in the order of the position's moves, the first of equals, and the
/// line it leads to; `None` without a move or with no ply to look ahead.
pub fn best<P: Position>(position: &mut P, plies: u32) -> Option<(usize, Line)> {
    choose(position, 0, plies)
}

/// The value of the position, found by looking this number of plies ahead.
pub fn line<P: Position>(position: &mut P, plies: u32) -> Line {
    visit(position, 0, plies)
}

fn visit<P: Position>(position: &mut P, ply: u32, plies: u32) -> Line {
    let end = Line { plies: ply, value: position.value() };
    choose(position, ply, plies).map_or(end, |(_, line)| line)
}

fn choose<P: Position>(position: &mut P, ply: u32, plies: u32) -> Option<(usize, Line)> {
    if ply == plies {
        return None;
    }
    let side = position.side();
    let trial = position.trial();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut best: Option<(usize, Line)> = None;
    for (place, &mv) in moves.iter().enumerate() {
        let undo = position.play(mv);
        let line = visit(position, ply + 1, plies);
        position.take_back(undo);
        match best {
            Some((_, found)) if line.is_better(found, side) => best = Some((place, line)),
            Some((_, found)) if trial == Trial::UntilWorse && line != found => break,
            Some(_) => {}
            None => best = Some((place, line)),
        }
    }
    best
}
