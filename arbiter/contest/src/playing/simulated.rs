//! A simulation with a log: built-in players play in this process, and the log looks as if programs had played.
//!
//! The players of a game play it by themselves, typed and without requests. Then it is played again
//! under the referee, with the moves that they made as answers. So every request is made and every
//! answer judged as in a match, and a log says nothing that a match would not. Both happen on the
//! thread of the game; one thread alone writes. Nothing is measured, so that equal seeds give equal
//! bytes.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use std::{io, thread, vec};

use rules::{
    Answer, GameRecord, Measurements, Outcome, PerSeat, Prompt, Score, Seat, Seed, VoidCause,
};
use simulation::{GameText, SeatOrder, SimulatedGame, Simulation, TIME};

use super::series_runner::ContestState;
use super::{GameSetup, play_game};
use crate::playing::series_runner::{
    NoWatcher, SeriesEnd, SeriesError, SeriesGames, SeriesRunner, Watcher,
};
use crate::playing::{Player, Reply};
use record::{Line, LogWriter};
use series::header::CommittedSeed;
use series::progress::{NextGame, Progress};
use series::schedule::{Orders, ScheduleLine};
use series::{End, Header, PlayerLine, Series};
use standings::Mean;

/// Number of games that may wait to be written.
const WAITING: usize = 64;

/// Time to wait for a game before something else is checked.
const TICK: Duration = Duration::from_millis(100);

/// A simulation whose log can be written.
#[derive(Debug, Clone)]
pub struct LoggedSimulation {
    simulation: Simulation,
    series: Series,
}

/// A game and its record for the log; or why there is none.
type RecordedGame = Result<(SimulatedGame, GameRecord), String>;

impl LoggedSimulation {
    /// Creates a simulation of players with these commands.
    ///
    /// # Errors
    ///
    /// Says why a log cannot hold it, as the end of a sentence about the log.
    pub fn new(simulation: Simulation, commands: &[&str]) -> Result<LoggedSimulation, String> {
        let series = Series::new(header(&simulation, commands))?;
        Ok(LoggedSimulation { simulation, series })
    }

    /// Plays all games, and writes them to the log in order; then `each` gets each game. Once `stop` is set, no more
    /// are written.
    ///
    /// The bytes of the log are the same for every number of threads, unless a player's time limit
    /// cuts its search.
    pub fn play(
        &self,
        workers: NonZeroUsize,
        mut log: LogWriter,
        stop: &AtomicBool,
        each: &mut dyn FnMut(&SimulatedGame),
    ) -> Result<SeriesEnd, SeriesError> {
        let header = self.series.header().clone();
        log.append(&Line::Header(Box::new(header))).map_err(SeriesError::log)?;
        let mut runner = SimulationGames { games: self.begin(workers)?, log, made: None, each };
        let seed = &CommittedSeed(self.simulation.seed.clone());
        let state = &mut ContestState::of_match(self.series.clone());
        SeriesRunner { state, seed, stop, watcher: &mut NoWatcher }.play(&mut runner)
    }

    /// Starts threads that play the games, and end once the receiver is gone. They are not waited for: a game may
    /// take long.
    fn begin(&self, workers: NonZeroUsize) -> Result<Receiver<RecordedGame>, SeriesError> {
        let (sender, games) = mpsc::sync_channel(WAITING);
        let LoggedSimulation { simulation, series } = self.clone();
        let play = move || {
            let make = |played: SimulatedGame, moves: &dyn GameText| {
                let game = recorded(&series, &simulation.seed, &played, moves.moves())?;
                Ok((played, game))
            };
            let ended = simulation.run_each(workers, &make, &mut |made: RecordedGame| {
                let is_last = made.is_err();
                match sender.send(made) {
                    Ok(()) if !is_last => ControlFlow::Continue(()),
                    Ok(()) | Err(_) => ControlFlow::Break(()),
                }
            });
            if let Err(failed) = ended {
                let _ = sender.send(Err(failed.to_string()));
            }
        };
        let started = thread::Builder::new().spawn(play);
        started.map_err(|error| SeriesError::machine("cannot start a thread", error))?;
        Ok(games)
    }
}

fn header(simulation: &Simulation, commands: &[&str]) -> Header {
    let Simulation { kind, options, players, order, deals, seed } = simulation;
    let names = players.iter().map(|player| player.name.as_str()).zip(commands);
    let players = names.map(|(name, command)| PlayerLine::in_process(name, command, TIME));
    let orders = match order {
        SeatOrder::Fixed => Orders::Listed,
        SeatOrder::Reversed => Orders::Reversed,
        SeatOrder::Rotate => Orders::ListedRotations,
        SeatOrder::Random => Orders::Drawn,
    };
    let schedule = ScheduleLine::round_robin(orders, *deals);
    let commitment = CommittedSeed(seed.clone()).commitment();
    let (options, players) = (options.clone(), players.collect());
    Header::in_process(kind, options, players, commitment, schedule, simulation.games())
}

/// Makes the record of a game with these moves.
fn recorded(
    series: &Series,
    seed: &Seed,
    played: &SimulatedGame,
    moves: Vec<String>,
) -> Result<GameRecord, String> {
    let setup = GameSetup::new(series, NextGame { game: played.game, attempt: 0 });
    let moves = RefCell::new(moves.into_iter());
    let mut seats: Vec<ReplayingPlayer<'_>> = series
        .seating(played.game)
        .players
        .values()
        .iter()
        .map(|_| ReplayingPlayer { moves: &moves })
        .collect();
    let players: Vec<&mut dyn Player> =
        seats.iter_mut().map(|seat| seat as &mut dyn Player).collect();
    let game = play_game(series, &setup, seed, &mut PerSeat::from(players), &mut |_| {})
        .map_err(|error| error.to_string())?;
    match &game.result {
        Outcome::Played { scores, .. }
            if *scores == played.scores && game.result.faults().is_empty() =>
        {
            Ok(game)
        }
        _ => Err(format!("game {} played out differently under the referee", played.game)),
    }
}

/// A seat that repeats recorded moves, in the order of the whole game.
struct ReplayingPlayer<'a> {
    moves: &'a RefCell<vec::IntoIter<String>>,
}

impl Player for ReplayingPlayer<'_> {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, _: &Prompt, _: Option<Duration>) -> Reply {
        match self.moves.borrow_mut().next() {
            Some(mv) => {
                let answer = Answer::Output(mv.into_bytes());
                Reply { answer, measured: Measurements::default() }
            }
            None => Reply::void(VoidCause::worded("the players made fewer moves")),
        }
    }
}

/// Takes the games as they are played, and writes the log.
struct SimulationGames<'a> {
    games: Receiver<RecordedGame>,
    log: LogWriter,
    /// A game that is not in the log yet.
    made: Option<(SimulatedGame, GameRecord)>,
    each: &'a mut dyn FnMut(&SimulatedGame),
}

impl SeriesGames for SimulationGames<'_> {
    fn play_on(&mut self, _: &ContestState, _: &mut dyn Watcher) -> Result<(), SeriesError> {
        let failed = |problem: &str| Err(SeriesError::machine("cannot play on", problem));
        match self.games.recv_timeout(TICK) {
            Ok(Ok(made)) => self.made = Some(made),
            Ok(Err(problem)) => return failed(&problem),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return failed("the threads have ended"),
        }
        Ok(())
    }

    fn commit(&mut self, _: &Progress) -> io::Result<Option<Vec<GameRecord>>> {
        let Some((played, game)) = self.made.take() else { return Ok(None) };
        // It is large, so the line is taken apart again rather than the game copied.
        let line = Line::Game(Box::new(game));
        self.log.append(&line)?;
        (self.each)(&played);
        Ok(match line {
            Line::Game(game) => Some(vec![*game]),
            Line::Header(_) | Line::End(_) => None,
        })
    }

    /// Always none to wait for: a simulation may stop in the middle of its games.
    fn busy(&self) -> usize {
        0
    }

    /// A simulation cannot be resumed, so there is no need to wait for the disk.
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, end: End) -> io::Result<()> {
        self.log.append(&Line::End(end))
    }
}

/// Statistics of a simulation, updated game by game: how strong its players are.
///
/// The unit is the deal. Games of one deal share their cards, so they are not independent observations, and their mean
/// counts as one. With duplicate deals the luck of the cards cancels out in that mean, which makes intervals narrower
/// for the same number of games.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulationStatistics {
    games_per_deal: u64,
    /// Number of games of the current deal so far.
    in_deal: u64,
    players: Vec<PlayerStatistics>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlayerStatistics {
    /// Its points in the last game.
    pub last: Score,
    /// Its points over all games.
    pub points: Score,
    /// Number of games that it won alone.
    pub won: u64,
    /// Number of games that it won together with others.
    pub drawn: u64,
    /// Number of games that others won.
    pub lost: u64,
    pub mean_points: Mean,
    /// Games won as a share of all, from 0 to 1; one with several winners is shared evenly among
    /// them, so that all players together have 1.
    pub win_share: Mean,
    /// Totals of [`COUNTS`](rules::Game::COUNTS).
    pub counts: Vec<u64>,
    /// Number of its moves that a time limit cut short.
    pub cuts: u64,
    /// Its points in the games of the current deal.
    points_in_deal: Score,
    /// Its wins in them; one with several winners is shared evenly.
    wins_in_deal: f64,
}

impl SimulationStatistics {
    /// Returns the statistics before the first game of a simulation.
    pub fn new(simulation: &Simulation) -> SimulationStatistics {
        let player = PlayerStatistics {
            last: Score::ZERO,
            points: Score::ZERO,
            won: 0,
            drawn: 0,
            lost: 0,
            mean_points: Mean::default(),
            win_share: Mean::default(),
            counts: vec![0; simulation.kind.about().counts.len()],
            cuts: 0,
            points_in_deal: Score::ZERO,
            wins_in_deal: 0.0,
        };
        SimulationStatistics {
            games_per_deal: simulation.games_per_deal(),
            in_deal: 0,
            players: vec![player; simulation.players.len()],
        }
    }

    /// Adds a game. Games come in the order of their numbers, so the games of a deal come together.
    pub fn add(&mut self, game: &SimulatedGame) {
        for (seat, place) in game.seating.iter() {
            if let Some(player) = self.players.get_mut(*place) {
                player.add(seat, game);
            }
        }
        self.in_deal += 1;
        if self.in_deal == self.games_per_deal {
            self.in_deal = 0;
            self.players.iter_mut().for_each(|player| player.end_deal(self.games_per_deal));
        }
    }

    pub fn players(&self) -> &[PlayerStatistics] {
        &self.players
    }
}

impl PlayerStatistics {
    fn add(&mut self, seat: Seat, game: &SimulatedGame) {
        match winners(&game.scores) {
            (best, winners) if game.scores[seat] == best => {
                *(if winners == 1 { &mut self.won } else { &mut self.drawn }) += 1;
                self.wins_in_deal += 1.0 / winners as f64;
            }
            _ => self.lost += 1,
        }
        self.cuts += u64::from(game.cuts[seat]);
        self.last = game.scores[seat];
        self.points += self.last;
        self.points_in_deal += self.last;
        for (sum, count) in self.counts.iter_mut().zip(&game.counts[seat]) {
            *sum += u64::from(*count);
        }
    }

    fn end_deal(&mut self, games: u64) {
        self.mean_points.add(self.points_in_deal.as_f64() / games as f64);
        self.win_share.add(self.wins_in_deal / games as f64);
        (self.points_in_deal, self.wins_in_deal) = (Score::ZERO, 0.0);
    }
}

/// Returns the highest score, and the number of seats that have it.
fn winners(scores: &PerSeat<Score>) -> (Score, usize) {
    let scores = scores.values();
    let best = scores.iter().copied().max().unwrap_or(Score::ZERO);
    (best, scores.iter().filter(|score| **score == best).count())
}
