//! The games that are being played, for watchers.
//!
//! # Theory of operation
//!
//! **A file beside the log** holds the games that are being played, each with its inputs so far. As in a log, all
//! else follows from them: a reader replays the rules. A log holds a game once it is over, and this file proves
//! nothing.
//!
//! **Playing does not wait for it.** A worker notes each step of its game in memory ([`RunningGames`]). One thread
//! writes the file, a few times a second at most and only if something has changed ([`RunningGamesPublisher`]): to a file
//! beside it that takes its place. If it cannot be written, the next time may be better.
//!
//! **It is never stale.** It is removed at the end of a run. The file of a killed run is removed
//! by the next one, as soon as it has the lock; before that, the lock is free, and a reader sees that
//! nothing is played.
//!
//! **It holds hidden cards**, like the log and the plan beside it. So only the owner of the folder can read it,
//! and isolated bots find the folder hidden or empty.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rules::{GameInProgress, Referee, RefereeInput, Seed};
use serde::{Deserialize, Serialize};

use crate::playing::GameSetup;
use crate::tournament::folder::{self, PLAYING, TournamentFolder};
use sandbox::file::{self, LONGEST_TEXT};
use series::Series;

/// Most noted bytes of one game, including some for each input: a bot may print much, and viewers could not follow
/// it.
const MOST_OF_A_GAME: usize = 256 << 10;
/// Bytes that count for an input beside its text.
const INPUT: usize = 128;
/// Least time between two writes.
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GamesInProgressFile {
    games: Vec<GameInProgress>,
}

/// Returns the games that are being played in the folder of a tournament, by number.
pub fn read(path: &Path) -> io::Result<Vec<GameInProgress>> {
    if !folder::is_in_use(path) {
        return Ok(Vec::new());
    }
    let text = match file::text(&path.join(PLAYING), LONGEST_TEXT) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut found: GamesInProgressFile = serde_json::from_str(&text)?;
    found.games.sort_by_key(|game| game.game);
    Ok(found.games)
}

/// Returns the text of the file for these games, as many as fit into the longest that is read.
fn written(games: Vec<GameInProgress>) -> serde_json::Result<String> {
    let mut text = String::from("{\"games\":[");
    let mut is_first = true;
    for game in games {
        let game = serde_json::to_string(&game)?;
        if (text.len() + game.len()) as u64 + 10 > LONGEST_TEXT {
            continue;
        }
        if !is_first {
            text.push(',');
        }
        text.push_str(&game);
        is_first = false;
    }
    text.push_str("]}\n");
    Ok(text)
}

/// The running game of each worker, in memory.
#[derive(Debug)]
pub struct RunningGames {
    games: Vec<Mutex<Option<GameInProgress>>>,
    changes: AtomicU64,
}

/// The game of one worker, shown while this value lives.
#[derive(Debug)]
pub struct RunningGameGuard<'a> {
    board: &'a RunningGames,
    worker: usize,
    /// Number of noted inputs.
    inputs: usize,
    bytes: usize,
}

impl RunningGames {
    /// Creates a board for this number of workers, without games.
    pub fn new(workers: usize) -> RunningGames {
        let games = (0..workers).map(|_| Mutex::new(None)).collect();
        RunningGames { games, changes: AtomicU64::new(0) }
    }

    /// Shows a game that a worker begins.
    pub fn begin(
        &self,
        worker: usize,
        series: &Series,
        setup: &GameSetup,
        seed: &Seed,
    ) -> RunningGameGuard<'_> {
        let terms = series.terms(setup.game, setup.attempt, seed);
        self.update(worker, |game| {
            *game = Some(GameInProgress {
                game: setup.game,
                attempt: setup.attempt,
                deal: setup.deal,
                id: terms.id,
                seats: setup.seats.values().to_vec(),
                bot_seeds: terms.bot_seeds,
                inputs: Vec::new(),
                elapsed: Vec::new(),
            });
        });
        RunningGameGuard { board: self, worker, inputs: 0, bytes: 0 }
    }

    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    pub fn games(&self) -> Vec<GameInProgress> {
        let each = self.games.iter();
        each.filter_map(|game| game.lock().unwrap_or_else(PoisonError::into_inner).clone())
            .collect()
    }

    fn update(&self, worker: usize, change: impl FnOnce(&mut Option<GameInProgress>)) {
        if let Some(game) = self.games.get(worker) {
            change(&mut game.lock().unwrap_or_else(PoisonError::into_inner));
            self.changes.fetch_add(1, Ordering::Release);
        }
    }
}

impl RunningGameGuard<'_> {
    /// Shows the inputs of the referee since the last step.
    pub fn stepped(&mut self, referee: &Referee) {
        let new = &referee.inputs()[self.inputs.min(referee.inputs().len())..];
        self.inputs += new.len();
        self.bytes += new.iter().map(size).sum::<usize>();
        if !new.is_empty() && self.bytes <= MOST_OF_A_GAME {
            let add = |game: &mut GameInProgress| {
                game.inputs.extend_from_slice(new);
                game.elapsed = referee.elapsed().to_vec();
            };
            self.board.update(self.worker, |game| game.iter_mut().for_each(add));
        }
    }
}

impl Drop for RunningGameGuard<'_> {
    fn drop(&mut self) {
        self.board.update(self.worker, |game| *game = None);
    }
}

fn size(input: &RefereeInput) -> usize {
    INPUT
        + match input {
            RefereeInput::Chance(text) => text.len(),
            RefereeInput::Answer(answer) => {
                let printed = answer.classic.as_ref().map_or(0, |classic| classic.printed.0.len());
                answer.reply.0.len() + answer.detail.len() + printed
            }
        }
}

/// A thread that keeps the file up to date while this value lives, and then removes it.
#[derive(Debug)]
pub struct RunningGamesPublisher {
    _ends: Sender<()>,
}

impl RunningGamesPublisher {
    pub fn start<'scope, 'env>(
        folder: &'env TournamentFolder,
        board: &'env RunningGames,
        scope: &'scope thread::Scope<'scope, 'env>,
    ) -> io::Result<RunningGamesPublisher> {
        let (ends, ended) = channel();
        let publish = move || {
            let mut shown = 0;
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let now = board.changes();
                // No game depends on this file.
                if now != shown
                    && let Ok(text) = written(board.games())
                    && folder.show_playing(&text).is_ok()
                {
                    shown = now;
                }
            }
            folder.show_nothing();
        };
        thread::Builder::new().spawn_scoped(scope, publish)?;
        Ok(RunningGamesPublisher { _ends: ends })
    }
}
