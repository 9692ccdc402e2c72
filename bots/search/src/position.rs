//! Positions of games that can be searched, and values of lines of moves.
//!
//! In such a world a search can go on as if all cards lay open. One world says little; a search
//! that samples draws many, from the seed of its request, and compares its moves in all of them.
//!
//! The rules can do this for every game ([`InformationState`]), which is what tests compare with. A
//! game may have a source of its own, as Durak has: a faster one, or one that weighs hands by how the
//! other seats have played.

use rules::{Game, Nature, Request, Resample};

/// A position of a game that can move on and back.
pub trait Position {
    /// A move.
    type Move: Copy;
    /// Data for taking a move back.
    type Undo;

    /// The side to move.
    fn side(&self) -> Side;

    /// Order of trying the moves.
    fn trial(&self) -> TrialExtent;

    /// Replaces the list by the moves here, the likely best first; none if a line ends.
    fn moves(&mut self, moves: &mut Vec<Self::Move>);

    /// Plays one of the [`moves`](Position::moves) listed last for this position.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes the last move back.
    fn take_back(&mut self, undo: Self::Undo);

    /// The value for [`Side::Max`], if the line ends here; not the least or greatest `i32`.
    fn value(&self) -> i32;

    /// The value after the best of all moves, if the line ends after it; `None` without a move.
    ///
    /// It is what [`moves`](Position::moves), [`play`](Position::play) and
    /// [`value`](Position::value) give, but most positions of a search are asked for nothing
    /// else, and a game may know a shorter way.
    fn value_after_best(&mut self) -> Option<i32>;

    /// Work that this position and its copies have done so far, in steps of a few
    /// nanoseconds. It decides how often the clock is read.
    fn work(&self) -> u64;

    /// Key of the rest of a search, as one number: positions whose lines gain the same
    /// from here on have equal numbers, and others hardly ever. It is compared between positions
    /// of one search alone.
    fn key(&self) -> u64;
}

/// One of two opposed sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The side that wants a high value.
    Max,
    /// The side that wants a low value.
    Min,
}

/// Order of trying the moves of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialExtent {
    /// All of them.
    All,
    /// In their order, until one is worse than the best before it.
    UntilWorse,
}

/// Result of a line of moves: its length in plies from the root, and the value at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineValue {
    /// Number of moves from the root to its end.
    pub plies: u32,
    /// The value at its end.
    pub value: i32,
}

impl LineValue {
    /// Returns true if this side takes the line rather than the other: the longer one, and of
    /// equally long ones that of the value it wants.
    #[inline]
    pub fn is_better(self, other: LineValue, side: Side) -> bool {
        if self.plies != other.plies {
            return self.plies > other.plies;
        }
        match side {
            Side::Max => self.value > other.value,
            Side::Min => self.value < other.value,
        }
    }
}

/// Mixes two numbers into one that depends on both, for the key of a position.
#[inline]
pub fn mixed_key(one: u64, other: u64) -> u64 {
    let product =
        u128::from(one.rotate_left(23) ^ other ^ 0xf39c_c060_5ced_c835) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// The place of the best move in the order of the position's moves, the first of equals, and the
/// line it leads to; `None` without a move or with no ply to look ahead.
///
/// This is minimax without pruning, as it stands in books: faster searches are tested against it.
pub fn plain_best<P: Position>(position: &mut P, plies: u32) -> Option<(usize, LineValue)> {
    choose(position, 0, plies)
}

/// The value of the position, found by looking this number of plies ahead.
pub fn plain_line<P: Position>(position: &mut P, plies: u32) -> LineValue {
    visit(position, 0, plies)
}

fn visit<P: Position>(position: &mut P, ply: u32, plies: u32) -> LineValue {
    let end = LineValue { plies: ply, value: position.value() };
    choose(position, ply, plies).map_or(end, |(_, line)| line)
}

fn choose<P: Position>(position: &mut P, ply: u32, plies: u32) -> Option<(usize, LineValue)> {
    if ply == plies {
        return None;
    }
    let side = position.side();
    let trial = position.trial();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut best: Option<(usize, LineValue)> = None;
    for (place, &mv) in moves.iter().enumerate() {
        let undo = position.play(mv);
        let line = visit(position, ply + 1, plies);
        position.take_back(undo);
        match best {
            Some((_, found)) if line.is_better(found, side) => best = Some((place, line)),
            Some((_, found)) if trial == TrialExtent::UntilWorse && line != found => break,
            Some(_) => {}
            None => best = Some((place, line)),
        }
    }
    best
}

/// Knowledge of a seat from which fitting worlds can be drawn.
pub trait WorldSampler {
    /// A state of the game in which nothing is hidden.
    type World;

    /// A world that fits, drawn from `nature`; `None` if there is none.
    fn draw(&self, nature: &mut Nature) -> Option<Self::World>;

    /// This number of worlds that fit, each drawn when it is asked for; none after one that fails.
    fn worlds(&self, count: u32, nature: &mut Nature) -> impl Iterator<Item = Self::World> {
        (0..count).map_while(|_| self.draw(nature))
    }
}

/// Knowledge from a request of any game; its worlds are states of the rules.
///
/// It needs the history of the request. A world does not show which seats are out.
#[derive(Debug, Clone)]
pub struct InformationState<'a, G: Game> {
    request: &'a Request<G>,
    events: Vec<G::Event>,
}

impl<'a, G: Game> InformationState<'a, G> {
    /// Reads a request.
    pub fn read(request: &'a Request<G>) -> InformationState<'a, G> {
        InformationState { request, events: request.events() }
    }
}

impl<G: Resample> WorldSampler for InformationState<'_, G> {
    type World = G;

    fn draw(&self, nature: &mut Nature) -> Option<G> {
        let Request { options, heading, view, .. } = self.request;
        G::resample(options, heading.seat, view, &self.events, nature)
    }
}
