//! A match: some games between the same players, the order of turns rotating from game to game.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::text::system_error;
use rules::{GameKind, GameRecord, Outcome, PerSeat, Referee};
use thiserror::Error;

use crate::bot::Contender;
use crate::log::{Line, LogWriter};
use crate::playing::factory::{self, NotReady};
use crate::playing::game::{self, GameSetup};
use crate::playing::pause;
use crate::playing::player::{Bot, Player};
use crate::playing::stoppable::{self, Stoppable};
use crate::process::Supervisor;
use crate::series::committed_seed::CommittedSeed;
use crate::series::game_status::{AGAIN, GameStatus, left_by, who_left};
use crate::series::progress::{Place, Progress};
use crate::series::totals::Totals;
use crate::series::{End, Header, PlayerLine, Series, SuspectGames};

/// A match that can be played.
#[derive(Debug)]
pub struct Match {
    /// The game.
    pub kind: GameKind,
    /// Its options, which say how many seats there are.
    pub options: String,
    /// How many games.
    pub games: u64,
    /// What every deal follows from.
    pub seed: CommittedSeed,
    /// Words that are mixed into it.
    pub entropy: Vec<String>,
    /// The players, as many as there are seats, in the order of turns of the first game.
    pub contenders: Vec<Contender>,
    /// How many more chances a seat has after an answer that is illegal or malformed.
    pub retries: u32,
    /// What becomes of games that an overloaded machine may have decided.
    pub suspect_games: SuspectGames,
    /// How programs are started.
    pub supervisor: Supervisor,
}

/// Something that happened in a match, for whoever watches.
pub enum Event<'a> {
    /// The match begins.
    MatchStarted(&'a Header),
    /// A game begins.
    GameStarted(&'a GameSetup),
    /// A step was made; the lines of the history from `from` on are new.
    Stepped {
        /// The game.
        setup: &'a GameSetup,
        /// Its state.
        referee: &'a Referee,
        /// The first line that is new.
        from: usize,
    },
    /// A game is over, and in the log.
    GameOver {
        /// What was played.
        game: &'a GameRecord,
        /// What becomes of it.
        status: GameStatus,
        /// What the games so far add up to, this one included.
        totals: &'a Totals,
    },
    /// Something that no game depends on went wrong with what a bot left behind.
    Warned {
        /// The name of the bot.
        name: &'a str,
        /// What went wrong, one line.
        text: &'a str,
    },
    /// The match was stopped before its end; the game that was being played counts for nothing.
    MatchStopped {
        /// How many games count.
        played: u64,
        /// How many there should have been.
        games: u64,
        /// What those that count add up to.
        totals: &'a Totals,
        /// The seed, which is of no more use.
        seed: &'a CommittedSeed,
    },
    /// The match is over.
    MatchOver {
        /// What the games add up to.
        totals: &'a Totals,
        /// The seed, which is no secret any more.
        seed: &'a CommittedSeed,
    },
}

/// Whoever watches a match.
pub trait Watcher {
    /// Learns of an event.
    ///
    /// # Errors
    ///
    /// Fails where it cannot tell others: then the match stops.
    fn on(&mut self, event: Event<'_>) -> io::Result<()>;
}

/// Why a match stopped before its end.
#[derive(Debug, Error)]
pub enum Stopped {
    /// A bot will answer nothing.
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// A game is void again and again: the referee or the machine fails.
    #[error("game {game} is void {AGAIN} times more, and the match stops: {reason}")]
    Void {
        /// The number of the game, from 0.
        game: u64,
        /// What failed at last.
        reason: String,
    },
    /// It was told to stop.
    #[error("{}", stopped_after(*.played, *.games))]
    Told {
        /// How many games count.
        played: u64,
        /// How many there should have been.
        games: u64,
    },
    /// A person has left a game.
    #[error("{}", left_by(.0))]
    Left(String),
    /// The machine failed outside a game.
    #[error("{doing}: {}", system_error(source))]
    Machine {
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Whoever watches cannot be told.
    #[error("cannot write to standard output: {}; the match stops", system_error(.0))]
    Watcher(io::Error),
}

impl Match {
    /// The first line of this match's log.
    pub fn header(&self) -> Header {
        let players = self.contenders.iter().map(PlayerLine::from).collect();
        Header {
            games: self.games,
            retries: self.retries,
            suspect_games: self.suspect_games,
            entropy: self.entropy.clone(),
            ..Header::new(self.kind, self.options.clone(), players, self.seed.commitment())
        }
    }

    /// Tries to start every bot, and kills it at once: to be done before anything is written.
    ///
    /// # Errors
    ///
    /// [`Stopped::NotReady`] for the first bot that does not start.
    pub fn ready(&self) -> Result<Ready<'_>, Stopped> {
        let ready = |contender| factory::ready(contender, self.supervisor);
        let players = self.contenders.iter().map(ready).collect::<Result<_, _>>()?;
        Ok(Ready { plan: self, players })
    }
}

/// A match whose bots can be started.
#[derive(Debug)]
pub struct Ready<'a> {
    plan: &'a Match,
    players: Vec<Box<dyn Bot>>,
}

impl Ready<'_> {
    /// Plays all games, writes them to the log and tells the watcher, as [`play`] does.
    ///
    /// # Errors
    ///
    /// [`Stopped`], with everything before it in the log.
    pub fn play(
        self,
        log: Option<LogWriter>,
        stop: &AtomicBool,
        watcher: &mut dyn Watcher,
    ) -> Result<Totals, Stopped> {
        let stoppable = |bot| Stoppable::new(bot, stop);
        let mut players: Vec<Stoppable<'_>> = self.players.into_iter().map(stoppable).collect();
        let players = players.iter_mut().map(|player| player as &mut dyn Player).collect();
        play(self.plan.header(), &self.plan.seed, players, log, stop, watcher)
    }
}

/// Plays all games of the match that a header describes, writes them to the log and tells the
/// watcher. `players` are in the order of the header.
///
/// A game counts only when it is in the log. One that is void is played again, up to [`AGAIN`]
/// times, and so is a suspect one where the match says so. Once `stop` is set, the match stops as
/// soon as no player is waited for any more.
///
/// # Errors
///
/// [`Stopped`], with everything before it in the log.
pub fn play(
    header: Header,
    seed: &CommittedSeed,
    players: Vec<&mut dyn Player>,
    mut log: Option<LogWriter>,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<Totals, Stopped> {
    let series = Series::new(header)
        .map_err(|problem| machine("cannot set up a match", io::Error::other(problem)))?;
    let mut playing = Playing { series: &series, seed, players, watcher };
    let mut totals = Totals::new(&series);
    let mut progress = Progress::new(&series);
    let is_stopped = || stop.load(Ordering::Relaxed);
    playing.tell(Event::MatchStarted(series.header()))?;
    append(&mut log, &Line::Header(Box::new(series.header().clone())))?;
    while let Some(place) = progress.next() {
        let game = if is_stopped() { None } else { Some(playing.game(place)?) };
        let is_cut_off =
            |game: &GameRecord| is_stopped() && matches!(game.result, Outcome::Void { .. });
        let Some(game) = game.filter(|game| !is_cut_off(game)) else {
            let (played, games) = (progress.played(), series.header().games);
            playing.tell(Event::MatchStopped { played, games, totals: &totals, seed })?;
            return Err(Stopped::Told { played, games });
        };
        append(&mut log, &Line::Game(Box::new(game.clone())))?;
        let status = progress.add(&series, &game);
        if let Some(name) = who_left(&game, &series) {
            playing.tell(Event::GameOver { game: &game, status, totals: &totals })?;
            return Err(Stopped::Left(name.to_owned()));
        }
        totals.add(&game, &series);
        playing.tell(Event::GameOver { game: &game, status, totals: &totals })?;
        match (status, game.result) {
            (GameStatus::Stops, Outcome::Void { reason }) => {
                return Err(Stopped::Void { game: game.game, reason });
            }
            (GameStatus::Again, _) => stoppable::sleep(pause(place.attempt), stop),
            (GameStatus::Counts | GameStatus::GivenUp | GameStatus::Stops, _) => {}
        }
    }
    let end = End { games: progress.played(), points: totals.points(), seed: Some(seed.clone()) };
    append(&mut log, &Line::End(end))?;
    playing.tell(Event::MatchOver { totals: &totals, seed })?;
    Ok(totals)
}

/// A match that is being played.
struct Playing<'a, 'b> {
    series: &'a Series,
    seed: &'a CommittedSeed,
    players: Vec<&'b mut dyn Player>,
    watcher: &'a mut dyn Watcher,
}

impl Playing<'_, '_> {
    fn tell(&mut self, event: Event<'_>) -> Result<(), Stopped> {
        self.watcher.on(event).map_err(Stopped::Watcher)
    }

    fn game(&mut self, place: Place) -> Result<GameRecord, Stopped> {
        let series = self.series;
        let setup = GameSetup::new(series, place);
        self.tell(Event::GameStarted(&setup))?;
        let mut free: Vec<Option<&mut dyn Player>> =
            self.players.iter_mut().map(|player| Some(&mut **player as &mut dyn Player)).collect();
        let seating = series.seating(place.game).players;
        let seated = seating.values().iter().filter_map(|player| free[*player].take());
        let mut seated: PerSeat<&mut dyn Player> = seated.collect::<Vec<_>>().into();
        let mut told = 0;
        let mut watched = Ok(());
        let watcher = &mut *self.watcher;
        let played = game::play_game(
            series,
            &setup,
            &series.dealing(self.seed),
            &mut seated,
            &mut |referee| {
                if watched.is_ok() {
                    watched = watcher.on(Event::Stepped { setup: &setup, referee, from: told });
                }
                told = referee.told();
            },
        );
        watched.map_err(Stopped::Watcher)?;
        for place in 0..self.players.len() {
            let name = &series.header().players[place].name;
            for text in self.players[place].take_warnings() {
                self.tell(Event::Warned { name, text: &text })?;
            }
        }
        played.map_err(|error| machine("cannot set up a game", io::Error::other(error)))
    }
}

/// How far a match was when it was stopped, in words.
pub fn stopped_after(played: u64, games: u64) -> String {
    match played {
        0 => "stopped before the end of the first game".to_owned(),
        _ => format!("stopped after {played} of {games} games"),
    }
}

fn append(log: &mut Option<LogWriter>, line: &Line) -> Result<(), Stopped> {
    match log {
        Some(log) => log.append(line).map_err(|source| machine("cannot write to the log", source)),
        None => Ok(()),
    }
}

fn machine(doing: &'static str, source: io::Error) -> Stopped {
    Stopped::Machine { doing, source }
}
