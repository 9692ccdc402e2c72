//! The games that are being played, as they were found at the last look.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rules::{GameInProgress, NotText};

use crate::changes::LookThrottle;
use contest::tournament::{folder, playing_now};
use record::GameReader;
use report::game_line::HandVisibility;
use report::steps::LiveGame;
use series::Series;

/// The shortest time between two looks.
const PAUSE: Duration = Duration::from_millis(300);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WatchedTournament {
    pub(crate) folder: PathBuf,
    /// The number of the round, if it is one of a league.
    pub(crate) round: Option<u64>,
}

impl WatchedTournament {
    /// The way from the root of the site to its pages: empty, or with a slash at its end.
    pub(super) fn pages(&self) -> String {
        self.round.map_or_else(String::new, |round| format!("rounds/{round}/"))
    }

    pub(super) fn address(&self, game: u64) -> GameAddress {
        GameAddress { round: self.round, game }
    }
}

/// The address of a game: `5`, or `3-5` in round 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameAddress {
    pub(crate) round: Option<u64>,
    pub(crate) game: u64,
}

impl fmt::Display for GameAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.round {
            None => write!(f, "{}", self.game),
            Some(round) => write!(f, "{round}-{}", self.game),
        }
    }
}

impl FromStr for GameAddress {
    type Err = NotText;

    fn from_str(text: &str) -> Result<GameAddress, NotText> {
        let number = |text: &str| text.parse().ok();
        let address = match text.split_once('-') {
            None => number(text).map(|game| GameAddress { round: None, game }),
            Some((round, game)) => number(round)
                .zip(number(game))
                .map(|(round, game)| GameAddress { round: Some(round), game }),
        };
        // There is one address for each game.
        let address = address.filter(|address| address.to_string() == text);
        address.ok_or_else(|| NotText::new("a game, or a round and a game", text))
    }
}

pub(crate) struct LiveGames {
    find: Box<dyn Fn() -> Option<WatchedTournament> + Send + Sync>,
    pub(super) hands: HandVisibility,
    /// The games at the last look.
    seen: Mutex<(LookThrottle, LiveGamesSnapshot)>,
}

#[derive(Default)]
struct LiveGamesSnapshot {
    version: u64,
    source: Option<WatchedTournament>,
    series: Option<Arc<Series>>,
    begun: Vec<GameInProgress>,
    /// The games that were derived since.
    derived: BTreeMap<u64, Option<Arc<LiveGame>>>,
}

impl fmt::Debug for LiveGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("hands", &self.hands).finish_non_exhaustive()
    }
}

impl LiveGames {
    /// The games of the tournament that `find` gives at each look.
    pub(crate) fn new(
        hands: HandVisibility,
        find: impl Fn() -> Option<WatchedTournament> + Send + Sync + 'static,
    ) -> Arc<LiveGames> {
        let seen = (LookThrottle::every(PAUSE), LiveGamesSnapshot::default());
        Arc::new(LiveGames { find: Box::new(find), hands, seen: Mutex::new(seen) })
    }

    /// The number of changes. This may read files.
    pub(super) fn version(&self) -> u64 {
        self.with_games(|found| found.version)
    }

    /// All games, and their tournament. This may read files.
    pub(crate) fn all(&self) -> Option<(WatchedTournament, Arc<Series>, Vec<Arc<LiveGame>>)> {
        self.with_games(|found| {
            let numbers: Vec<u64> = found.begun.iter().map(|game| game.game).collect();
            let games = numbers.iter().filter_map(|number| found.game(*number, self.hands));
            let games = games.collect();
            Some((found.source.clone()?, found.series.clone()?, games))
        })
    }

    /// The game at this address, if it is being played. This may read files.
    pub(crate) fn game(&self, address: GameAddress) -> Option<Arc<LiveGame>> {
        self.with_games(|found| {
            let is_played = found.source.as_ref()?.round == address.round;
            if is_played { found.game(address.game, self.hands) } else { None }
        })
    }

    /// The tournament that is watched. This may read files.
    pub(crate) fn source(&self) -> Option<(WatchedTournament, Arc<Series>)> {
        self.with_games(|found| found.source.clone().zip(found.series.clone()))
    }

    fn with_games<T>(&self, give: impl FnOnce(&mut LiveGamesSnapshot) -> T) -> T {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (looks, found) = &mut *seen;
        looks.look(|| found.look((self.find)()));
        give(found)
    }
}

impl LiveGamesSnapshot {
    fn look(&mut self, source: Option<WatchedTournament>) {
        if source != self.source {
            *self = LiveGamesSnapshot {
                version: self.version + 1,
                source,
                ..LiveGamesSnapshot::default()
            };
        }
        let Some(WatchedTournament { folder, .. }) = &self.source else { return };
        // Unreadable files are not shown; the next look may find more.
        if self.series.is_none() {
            let log = GameReader::open(&folder::games(folder));
            self.series = log.ok().map(|log| Arc::new(log.series().clone()));
        }
        let begun = playing_now::read(folder).unwrap_or_default();
        if begun != self.begun {
            self.begun = begun;
            self.derived.clear();
            self.version += 1;
        }
    }

    fn game(&mut self, number: u64, hands: HandVisibility) -> Option<Arc<LiveGame>> {
        let LiveGamesSnapshot { series, begun, derived, .. } = self;
        let derive = || {
            let begun = begun.iter().find(|game| game.game == number)?;
            LiveGame::new(series.as_ref()?, begun, hands).ok().map(Arc::new)
        };
        if begun.iter().all(|game| game.game != number) {
            return None;
        }
        derived.entry(number).or_insert_with(derive).clone()
    }
}
