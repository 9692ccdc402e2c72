//! A match: some games between the same players, the order of turns rotating from game to game.

use std::sync::atomic::AtomicBool;

use rules::{GameKind, GameRecord};

use crate::bot::Contender;
use crate::bot::insider::Insiders;
use crate::log::LogWriter;
use crate::playing::driver::{Driver, Ended, Failed, tell};
use crate::playing::factory::{self, NotReady};
use crate::playing::in_turn::InTurn;
use crate::playing::player::{Bot, Player};
use crate::playing::stoppable::Stoppable;
use crate::playing::watcher::{SeriesEvent, Watched, Watcher};
use crate::process::Supervisor;
use crate::series::committed_seed::CommittedSeed;
use crate::series::game_status::GameStatus;
use crate::series::{Header, IsolationLine, PlayerLine, Series, SeriesState, SuspectGames};

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

impl Match {
    /// The first line of this match's log.
    pub fn header(&self) -> Header {
        let players = self.contenders.iter().map(PlayerLine::from).collect();
        Header {
            games: self.games,
            retries: self.retries,
            suspect_games: self.suspect_games,
            isolation: IsolationLine::new(self.supervisor),
            ponder: self.supervisor.ponder(),
            entropy: self.entropy.clone(),
            ..Header::new(self.kind, self.options.clone(), players, self.seed.commitment())
        }
    }

    /// Tries to start every bot, and kills it at once: to be done before anything is written.
    ///
    /// # Errors
    ///
    /// [`NotReady`], for the first bot that does not start.
    pub fn ready(&self) -> Result<Ready<'_>, NotReady> {
        let players = factory::all_ready(&self.contenders, self.supervisor)?;
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
    /// Has every bot find its surroundings as they are now: the log was not there before.
    pub fn renew(&mut self) -> Vec<String> {
        self.players.iter_mut().flat_map(|player| player.close()).collect()
    }

    /// Plays all games, writes them to the log and tells the watcher, as [`play`] does.
    ///
    /// # Errors
    ///
    /// [`Failed`], with everything before it in the log.
    pub fn play(
        self,
        insiders: Insiders,
        log: Option<LogWriter>,
        stop: &AtomicBool,
        watcher: &mut dyn Watcher<SeriesState>,
    ) -> Result<Ended, Failed> {
        let stoppable = |bot| Stoppable::new(bot, stop);
        let mut players: Vec<Stoppable<'_>> = self.players.into_iter().map(stoppable).collect();
        let players = players.iter_mut().map(|player| player as &mut dyn Player).collect();
        let series = Series::new(self.plan.header()).map_err(no_match)?;
        let state = SeriesState::new(series).with(insiders);
        play(state, &self.plan.seed, players, log, stop, watcher)
    }
}

/// What is said of a header that describes no match.
pub fn no_match(problem: String) -> Failed {
    Failed::machine("cannot set up a match", problem)
}

/// Plays all games of a match that was not begun, writes them to the log and tells the watcher.
/// `players` are in the order of the header. Once `stop` is set, the match stops as soon as no answer
/// of a player is awaited.
///
/// # Errors
///
/// [`Failed`], with everything before it in the log.
pub fn play(
    mut state: SeriesState,
    seed: &CommittedSeed,
    players: Vec<&mut dyn Player>,
    log: Option<LogWriter>,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher<SeriesState>,
) -> Result<Ended, Failed> {
    tell(watcher, SeriesEvent::Started(&state))?;
    let dealing = state.series.dealing(seed);
    let mut runner =
        InTurn::begin(&state.series, players, dealing, log, stop).map_err(Failed::log)?;
    let driver = Driver { state: &mut state, seed, stop, watcher: &mut *watcher };
    let ended = driver.play(&mut runner)?;
    runner.close(&state.series, watcher)?;
    let (state, found) = (&state, seed);
    let told = match ended {
        Ended::Over => SeriesEvent::Over { state, found },
        Ended::Stopped { .. } => SeriesEvent::Stopped { state, found },
    };
    tell(watcher, told)?;
    Ok(ended)
}

impl Watched for SeriesState {
    const NAME: &'static str = "match";

    /// The seed, which is no longer a secret.
    type Found = CommittedSeed;

    fn series(&self) -> &SeriesState {
        self
    }

    fn add(&mut self, game: &GameRecord) -> Result<GameStatus, String> {
        Ok(SeriesState::add(self, game))
    }
}

/// How far a match was when it was stopped, in words.
pub fn stopped_after(played: u64, games: u64) -> String {
    match played {
        0 => "stopped before the end of the first game".to_owned(),
        _ => format!("stopped after {played} of {games} games"),
    }
}
