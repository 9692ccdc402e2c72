//! A match: some games between the same players, the order of turns rotating from game to game.

use std::io;

use rules::{GameKind, GameRecord, Outcome, PerSeat, Referee, Seat, Seed, Terms};
use thiserror::Error;

use crate::bot::Contender;
use crate::digest::Digest;
use crate::log::{End, FORMAT, Header, LimitsLine, Line, LogWriter, PlayerLine};
use crate::player::{Player, ProcessPlayer};
use crate::process::{Limits, StartError, Supervisor};
use crate::runner::{self, GameSetup};
use crate::totals::Totals;

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
    pub seed: Seed,
    /// The players, as many as there are seats, in the order of turns of the first game.
    pub contenders: Vec<Contender>,
    /// What every answer may take.
    pub limits: Limits,
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
    GameOver(&'a GameRecord),
    /// The match is over.
    MatchOver {
        /// What the games add up to.
        totals: &'a Totals,
        /// The seed, which is no secret any more.
        seed: &'a Seed,
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
    /// A bot cannot be started.
    #[error("bot `{name}` cannot be started: {why}")]
    Start {
        /// The bot.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A game is void: the referee or the machine failed.
    #[error("game {game} is void, and the match stops: {reason}")]
    Void {
        /// The number of the game, from 0.
        game: u64,
        /// What failed.
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
        let player = |contender: &Contender| PlayerLine {
            name: contender.name.clone(),
            command: contender.command.clone(),
            files: contender.files.clone(),
        };
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: self.kind.name().to_owned(),
            options: self.options.clone(),
            games: self.games,
            players: self.contenders.iter().map(player).collect(),
            limits: LimitsLine {
                time_ms: self.time_ms(),
                answer_bytes: self.limits.answer_bytes as u64,
                stderr_bytes: self.limits.stderr_bytes as u64,
            },
            commitment: Digest::commitment(&self.seed),
        }
    }

    /// Tries to start every bot, and kills it at once: to be done before anything is written.
    ///
    /// # Errors
    ///
    /// [`Stopped::Start`] for the first bot that does not start.
    pub fn ready(&self) -> Result<Ready<'_>, Stopped> {
        let mut players = Vec::new();
        for contender in &self.contenders {
            let player = ProcessPlayer::new(contender, self.supervisor, self.limits)
                .map_err(|source| machine("cannot make a scratch folder", source))?;
            let name = contender.name.clone();
            player.probe().map_err(|error| match error {
                StartError::Program(why) => Stopped::Start { name, why },
                StartError::Referee(why) => machine("cannot start programs", io::Error::other(why)),
            })?;
            players.push(player);
        }
        Ok(Ready { plan: self, players })
    }

    fn time_ms(&self) -> u64 {
        u64::try_from(self.limits.time.as_millis()).unwrap_or(u64::MAX)
    }

    /// The player of a seat: turns rotate by one seat from game to game.
    fn player_at(&self, game: u64, seat: Seat) -> usize {
        player_at(game, seat, self.contenders.len())
    }
}

/// The place in the list of players of the one who takes this seat in this game.
pub fn player_at(game: u64, seat: Seat, players: usize) -> usize {
    let turn = (game % players.max(1) as u64) as usize;
    (seat.index() + turn) % players.max(1)
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
    /// A game counts only when it is in the log.
    ///
    /// # Errors
    ///
    /// [`Stopped`], with everything before it in the log.
    pub fn play(
        mut self,
        mut log: Option<LogWriter>,
        watcher: &mut dyn Watcher,
    ) -> Result<Totals, Stopped> {
        let header = self.plan.header();
        let names: Vec<String> = header.players.iter().map(|player| player.name.clone()).collect();
        let mut totals = Totals::new(&names);
        watcher.on(Event::MatchStarted(&header)).map_err(Stopped::Watcher)?;
        append(&mut log, &Line::Header(header))?;
        for game in 0..self.plan.games {
            let record = self.play_game(game, watcher)?;
            append(&mut log, &Line::Game(Box::new(record.clone())))?;
            watcher.on(Event::GameOver(&record)).map_err(Stopped::Watcher)?;
            if let Outcome::Void { reason } = record.result {
                return Err(Stopped::Void { game, reason });
            }
            totals.add(&record);
        }
        let end =
            End { games: self.plan.games, points: totals.points(), seed: self.plan.seed.clone() };
        append(&mut log, &Line::End(end))?;
        let over = Event::MatchOver { totals: &totals, seed: &self.plan.seed };
        watcher.on(over).map_err(Stopped::Watcher)?;
        Ok(totals)
    }

    fn play_game(&mut self, game: u64, watcher: &mut dyn Watcher) -> Result<GameRecord, Stopped> {
        let plan = self.plan;
        let seats = PerSeat::new(plan.contenders.len(), |seat| {
            plan.contenders[plan.player_at(game, seat)].name.clone()
        });
        let setup = GameSetup { game, deal: game, seats };
        let terms = Terms {
            id: plan.seed.name(game),
            time: plan.time_ms(),
            bot_seeds: plan.seed.bots(setup.deal),
        };
        let mut referee = Referee::new(plan.kind, &plan.options, terms.clone())
            .map_err(|error| machine("cannot set up a game", io::Error::other(error)))?;
        watcher.on(Event::GameStarted(&setup)).map_err(Stopped::Watcher)?;
        for player in &mut self.players {
            player.new_game().map_err(|source| machine("cannot make a scratch folder", source))?;
        }
        let mut by_player: Vec<Option<&mut dyn Player>> =
            self.players.iter_mut().map(|player| Some(player as &mut dyn Player)).collect();
        let mut seated: PerSeat<&mut dyn Player> = Seat::first(by_player.len())
            .filter_map(|seat| by_player[plan.player_at(game, seat)].take())
            .collect::<Vec<_>>()
            .into();
        let mut told = 0;
        let mut watched = Ok(());
        let played = runner::play(
            &mut referee,
            &mut plan.seed.nature(setup.deal),
            &mut seated,
            &mut |referee| {
                if watched.is_ok() {
                    watched = watcher.on(Event::Stepped { setup: &setup, referee, from: told });
                }
                told = referee.told();
            },
        );
        watched.map_err(Stopped::Watcher)?;
        Ok(setup.record(&referee, &terms, played))
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
