//! A match: some games between the same players, the order of turns rotating from game to game.

use std::sync::atomic::AtomicBool;

use rules::GameKind;

use crate::playing::Player;
use crate::playing::background::Background;
use crate::playing::bot::{Bot, NotReady};
use crate::playing::in_turn::InTurn;
use crate::playing::series_runner::{SeriesEnd, SeriesError, SeriesRunner, tell};
use crate::playing::state::State;
use crate::playing::watcher::{SeriesEvent, Watcher};
use bot::Contender;
use record::LogWriter;
use sandbox::Supervisor;
use series::Conditions;
use series::committed_seed::CommittedSeed;
use series::{Header, IsolationLine, PlayerLine, Series};

#[derive(Debug)]
pub struct Match {
    pub kind: GameKind,
    /// Options of the game, which include the number of seats.
    pub options: String,
    pub games: u64,
    /// Seed of all deals.
    pub seed: CommittedSeed,
    pub conditions: Conditions,
    /// The players, one for each seat, in the order of turns of the first game.
    pub contenders: Vec<Contender>,
    /// Starts the programs.
    pub supervisor: Supervisor,
}

impl Match {
    /// Returns the first line of this match's log.
    pub fn header(&self) -> Header {
        let players = self.contenders.iter().map(PlayerLine::from).collect();
        Header {
            games: self.games,
            isolation: IsolationLine::new(self.supervisor),
            ..Header::new(&self.kind, self.options.clone(), players, self.seed.commitment())
        }
        .under(&self.conditions)
    }

    /// Starts every bot for a moment, and kills it at once. Call it before anything is written.
    pub fn ready(&self) -> Result<Ready<'_>, NotReady> {
        let players = Bot::all_ready(&self.contenders, self.supervisor)?;
        Ok(Ready { plan: self, players })
    }
}

/// A match whose bots can be started.
#[derive(Debug)]
pub struct Ready<'a> {
    plan: &'a Match,
    players: Vec<Bot>,
}

impl Ready<'_> {
    /// Restarts every bot in its present surroundings: the log did not exist before. Returns warnings.
    pub fn renew(&mut self) -> Vec<String> {
        self.players.iter_mut().flat_map(|player| player.close()).collect()
    }

    /// Plays all games, writes them to the log and tells the watcher, as [`play`] does.
    pub fn play(
        self,
        log: Option<LogWriter>,
        stop: &AtomicBool,
        watcher: &mut dyn Watcher,
    ) -> Result<SeriesEnd, SeriesError> {
        let stoppable = |bot| Background::new(bot, stop);
        let mut players: Vec<Background<_>> = self.players.into_iter().map(stoppable).collect();
        let players = players.iter_mut().map(|player| player as &mut dyn Player).collect();
        let series = Series::new(self.plan.header()).map_err(no_match)?;
        let state = State::of_match(series);
        play(state, &self.plan.seed, players, log, stop, watcher)
    }
}

/// Makes the failure for a header that describes no match.
pub fn no_match(problem: String) -> SeriesError {
    SeriesError::machine("cannot set up a match", problem)
}

/// Plays all games of a match from its first, writes them to the log and tells the watcher. `players` are in the order
/// of the header. Once `stop` is set, the match stops as soon as no answer of a player is awaited.
///
/// A match that printed the commitment to its seed also prints the seed, even if it fails.
pub fn play(
    mut state: State,
    seed: &CommittedSeed,
    players: Vec<&mut dyn Player>,
    log: Option<LogWriter>,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<SeriesEnd, SeriesError> {
    tell(watcher, &state.games.series, SeriesEvent::Started(&state))?;
    let play_games = || {
        let dealing = state.games.series.dealing(seed);
        let mut runner = InTurn::begin(&state.games.series, players, dealing, log, stop)
            .map_err(SeriesError::log)?;
        let series_runner = SeriesRunner { state: &mut state, seed, stop, watcher: &mut *watcher };
        let ended = series_runner.play(&mut runner)?;
        runner.close(&state.games.series, &mut *watcher)?;
        Ok(ended)
    };
    let ended = play_games();
    let (state, series) = (&state, &state.games.series);
    match ended {
        Ok(SeriesEnd::Over) => tell(watcher, series, SeriesEvent::Over { state, seed })?,
        Ok(SeriesEnd::Stopped { .. }) => {
            tell(watcher, series, SeriesEvent::Stopped { state, seed })?
        }
        // The first failure is the one to report.
        Err(_) => drop(watcher.on(SeriesEvent::Stopped { state, seed })),
    }
    ended
}

/// Says how far a match was when it was stopped.
pub fn stopped_after(played: u64, games: u64) -> String {
    match played {
        0 => "stopped before the end of the first game".to_owned(),
        _ => format!("stopped after {played} of {games} games"),
    }
}
