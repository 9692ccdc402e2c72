//! The answer of a search whose time is up in the middle, on a game of a few numbers.

use search::alpha_beta::Unlimited;
use search::{Clock, Deepening, End, LineValue, Position, SearchOutcome, Side, TrialExtent};

/// A game of one choice: after each first move the values are given, ply by ply.
struct Toy {
    values: [[i32; 2]; 4],
    trial: TrialExtent,
    path: Vec<usize>,
    work: u64,
}

impl Toy {
    /// So much work that the clock is read after it.
    fn work(&mut self) {
        self.work += 1 << 24;
    }
}

impl Position for Toy {
    type Move = usize;
    type Undo = ();

    fn side(&self) -> Side {
        if self.path.len().is_multiple_of(2) { Side::Max } else { Side::Min }
    }

    fn trial(&self) -> TrialExtent {
        self.trial
    }

    fn moves(&mut self, moves: &mut Vec<usize>) {
        moves.clear();
        moves.extend(0..if self.path.is_empty() { self.values.len() } else { 1 });
    }

    fn play(&mut self, mv: usize) {
        self.path.push(mv);
    }

    fn take_back(&mut self, (): ()) {
        self.path.pop();
    }

    fn value(&self) -> i32 {
        self.path.first().map_or(0, |first| self.values[*first][self.path.len() - 1])
    }

    fn value_after_best(&mut self) -> Option<i32> {
        self.work();
        self.play(0);
        let value = self.value();
        self.take_back(());
        Some(value)
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn key(&self) -> u64 {
        self.path.iter().fold(1, |key, mv| 8 * key + *mv as u64)
    }
}

/// Time is up while this first move of the deeper search is looked at, counted from 1.
struct During(u32);

impl Clock for During {
    fn is_up(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

/// Outcome of a search of one ply and then of two, given the values of the first moves.
fn search(
    values: [[i32; 2]; 4],
    trial: TrialExtent,
    clock: &mut dyn Clock,
) -> SearchOutcome<usize> {
    let mut toy = Toy { values, trial, path: Vec::new(), work: 0 };
    Deepening::new().best(&mut toy, [1, 2], clock).expect("a move")
}

#[track_caller]
fn answers(outcome: SearchOutcome<usize>, best: usize, plies: u32, value: i32, end: End) {
    let found = (outcome.best, outcome.line, outcome.end);
    assert_eq!(found, (best, Some(LineValue { plies, value }), end));
    assert_eq!(outcome.complete, if end == End::Cut { 1 } else { 2 });
}

#[test]
fn a_better_move_of_a_cut_search_is_the_answer() {
    let values = [[5, 1], [7, 2], [6, 3], [0, 9]];
    let search = |clock: &mut dyn Clock| search(values, TrialExtent::All, clock);
    answers(search(&mut During(1)), 1, 1, 7, End::Cut);
    // The best of the shallow search comes first, then the others in their order.
    answers(search(&mut During(2)), 1, 2, 2, End::Cut);
    answers(search(&mut During(3)), 1, 2, 2, End::Cut);
    answers(search(&mut During(4)), 2, 2, 3, End::Cut);
    answers(search(&mut Unlimited), 3, 2, 9, End::Complete);
}

#[test]
fn a_cut_search_in_the_order_of_moves_answers_only_what_it_compared_with_the_best_before() {
    let values = [[1, -5], [2, -4], [3, 0], [0, 9]];
    let search = |values, clock: &mut dyn Clock| search(values, TrialExtent::UntilWorse, clock);
    for during in 1..=3 {
        answers(search(values, &mut During(during)), 2, 1, 3, End::Cut);
    }
    answers(search(values, &mut During(4)), 2, 2, 0, End::Cut);
    answers(search(values, &mut Unlimited), 3, 2, 9, End::Complete);
    // A later move is not looked at once one is worse.
    let worse = [[1, 4], [2, 3], [0, 9], [0, 9]];
    answers(search(worse, &mut Unlimited), 0, 2, 4, End::Complete);
}
