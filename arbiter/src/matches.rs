//! A match: some games between the same players, the order of turns rotating from game to game.

use std::io;
use std::thread;

use rules::{GameKind, GameRecord, Outcome, PerSeat, Referee};
use thiserror::Error;

use crate::bot::Contender;
use crate::committed_seed::CommittedSeed;
use crate::course::{Course, Place};
use crate::fate::{AGAIN, Fate};
use crate::log::{End, FORMAT, Header, Line, LogWriter, SuspectGames};
use crate::player::{NotReady, Player, ProcessPlayer};
use crate::process::Supervisor;
use crate::runner::{self, GameSetup};
use crate::series::Series;
use crate::totals::Totals;
use crate::tournament::workers::pause;

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
        fate: Fate,
    },
    /// Something that no game depends on went wrong with what a bot left behind.
    Warned {
        /// The name of the bot.
        name: &'a str,
        /// What went wrong, one line.
        text: &'a str,
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
    /// The machine failed outside a game.
    #[error("{doing}: {source}")]
    Machine {
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Whoever watches cannot be told.
    #[error("cannot write to standard output: {0}; the match stops")]
    Watcher(io::Error),
}

impl Match {
    /// The first line of this match's log.
    pub fn header(&self) -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: self.kind.name().to_owned(),
            options: self.options.clone(),
            games: self.games,
            players: self.contenders.iter().map(Contender::line).collect(),
            tournament: None,
            retries: self.retries,
            suspect_games: self.suspect_games,
            commitment: self.seed.commitment(),
            entropy: self.entropy.clone(),
        }
    }

    /// Tries to start every bot, and kills it at once: to be done before anything is written.
    ///
    /// # Errors
    ///
    /// [`Stopped::NotReady`] for the first bot that does not start.
    pub fn ready(&self) -> Result<Ready<'_>, Stopped> {
        let ready = |contender| ProcessPlayer::ready(contender, self.supervisor);
        let players = self.contenders.iter().map(ready).collect::<Result<_, _>>()?;
        Ok(Ready { plan: self, players })
    }
}

/// A match whose bots can be started.
#[derive(Debug)]
pub struct Ready<'a> {
    plan: &'a Match,
    players: Vec<ProcessPlayer>,
}

impl Ready<'_> {
    /// Plays all games, writes them to the log and tells the watcher.
    ///
    /// A game counts only when it is in the log. One that is void is played again, up to
    /// [`AGAIN`] times, and so is a suspect one where the match says so.
    ///
    /// # Errors
    ///
    /// [`Stopped`], with everything before it in the log.
    pub fn play(
        mut self,
        mut log: Option<LogWriter>,
        watcher: &mut dyn Watcher,
    ) -> Result<Totals, Stopped> {
        let series = Series::new(self.plan.header())
            .map_err(|problem| machine("cannot set up a match", io::Error::other(problem)))?;
        let mut totals = Totals::new(&series);
        let mut course = Course::new(&series);
        watcher.on(Event::MatchStarted(series.header())).map_err(Stopped::Watcher)?;
        append(&mut log, &Line::Header(Box::new(series.header().clone())))?;
        while let Some(place) = course.next() {
            let game = self.play_game(&series, place, watcher)?;
            append(&mut log, &Line::Game(Box::new(game.clone())))?;
            totals.add(&game, &series);
            let fate = course.add(&series, &game);
            watcher.on(Event::GameOver { game: &game, fate }).map_err(Stopped::Watcher)?;
            match (fate, game.result) {
                (Fate::Stops, Outcome::Void { reason }) => {
                    return Err(Stopped::Void { game: game.game, reason });
                }
                (Fate::Again, _) => thread::sleep(pause(place.attempt)),
                (Fate::Counts | Fate::Stops, _) => {}
            }
        }
        let seed = self.plan.seed.clone();
        let end = End { games: course.played(), points: totals.points(), seed: Some(seed) };
        append(&mut log, &Line::End(end))?;
        let over = Event::MatchOver { totals: &totals, seed: &self.plan.seed };
        watcher.on(over).map_err(Stopped::Watcher)?;
        Ok(totals)
    }

    fn play_game(
        &mut self,
        series: &Series,
        place: Place,
        watcher: &mut dyn Watcher,
    ) -> Result<GameRecord, Stopped> {
        let setup = GameSetup::new(series, place);
        watcher.on(Event::GameStarted(&setup)).map_err(Stopped::Watcher)?;
        let mut free: Vec<Option<&mut dyn Player>> =
            self.players.iter_mut().map(|player| Some(player as &mut dyn Player)).collect();
        let seating = series.seating(place.game).players;
        let seated = seating.values().iter().filter_map(|player| free[*player].take());
        let mut seated: PerSeat<&mut dyn Player> = seated.collect::<Vec<_>>().into();
        let mut told = 0;
        let mut watched = Ok(());
        let played = runner::play_game(
            series,
            &setup,
            &series.dealing(&self.plan.seed),
            &mut seated,
            &mut |referee| {
                if watched.is_ok() {
                    watched = watcher.on(Event::Stepped { setup: &setup, referee, from: told });
                }
                told = referee.told();
            },
        );
        watched.map_err(Stopped::Watcher)?;
        for (contender, player) in self.plan.contenders.iter().zip(&mut self.players) {
            for text in player.take_warnings() {
                let warned = Event::Warned { name: &contender.name, text: &text };
                watcher.on(warned).map_err(Stopped::Watcher)?;
            }
        }
        played.map_err(|error| machine("cannot set up a game", io::Error::other(error)))
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
