//! The running game of each worker, in memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rules::{Begun, Input, Referee, Seed};

use crate::playing::game::GameSetup;
use conditions::series::Series;

/// Most noted bytes of one game, including some for each input: a bot may print
/// much, and viewers could not follow it.
const MOST_OF_A_GAME: usize = 256 << 10;
/// Bytes that count for an input beside its text.
const INPUT: usize = 128;

/// The running game of each worker, in memory.
#[derive(Debug)]
pub struct Board {
    games: Vec<Mutex<Option<Begun>>>,
    /// Number of changes so far.
    changes: AtomicU64,
}

/// The game of one worker, shown while this value lives.
#[derive(Debug)]
pub struct Shown<'a> {
    board: &'a Board,
    worker: usize,
    /// Number of noted inputs.
    inputs: usize,
    bytes: usize,
}

impl Board {
    /// Creates a board for this number of workers, without games.
    pub fn new(workers: usize) -> Board {
        let games = (0..workers).map(|_| Mutex::new(None)).collect();
        Board { games, changes: AtomicU64::new(0) }
    }

    /// Shows a game that a worker begins.
    pub fn begin(
        &self,
        worker: usize,
        series: &Series,
        setup: &GameSetup,
        seed: &Seed,
    ) -> Shown<'_> {
        let terms = series.terms(setup.game, setup.attempt, seed);
        self.put(worker, |game| {
            *game = Some(Begun {
                game: setup.game,
                attempt: setup.attempt,
                deal: setup.deal,
                id: terms.id,
                seats: setup.seats.values().to_vec(),
                bot_seeds: terms.bot_seeds,
                inputs: Vec::new(),
            });
        });
        Shown { board: self, worker, inputs: 0, bytes: 0 }
    }

    /// Returns the number of changes so far.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Returns all games that are being played.
    pub fn games(&self) -> Vec<Begun> {
        let each = self.games.iter();
        each.filter_map(|game| game.lock().unwrap_or_else(PoisonError::into_inner).clone())
            .collect()
    }

    fn put(&self, worker: usize, change: impl FnOnce(&mut Option<Begun>)) {
        if let Some(game) = self.games.get(worker) {
            change(&mut game.lock().unwrap_or_else(PoisonError::into_inner));
            self.changes.fetch_add(1, Ordering::Release);
        }
    }
}

impl Shown<'_> {
    /// Shows the inputs of the referee since the last step.
    pub fn stepped(&mut self, referee: &Referee) {
        let new = &referee.inputs()[self.inputs.min(referee.inputs().len())..];
        self.inputs += new.len();
        self.bytes += new.iter().map(size).sum::<usize>();
        if !new.is_empty() && self.bytes <= MOST_OF_A_GAME {
            let add = |game: &mut Begun| game.inputs.extend_from_slice(new);
            self.board.put(self.worker, |game| game.iter_mut().for_each(add));
        }
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.board.put(self.worker, |game| *game = None);
    }
}

fn size(input: &Input) -> usize {
    INPUT
        + match input {
            Input::Chance(text) => text.len(),
            Input::Answer(answer) => {
                let printed = answer.classic.as_ref().map_or(0, |classic| classic.printed.0.len());
                answer.reply.0.len() + answer.detail.len() + printed
            }
        }
}
