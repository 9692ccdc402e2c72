//! The games that are being played, as they were found at the last look.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rules::Begun;

use crate::log::Games;
use crate::report::now::{GameNow, Hands};
use crate::series::Series;
use crate::tournament::{folder, playing_now};

/// How long it is between two looks, at least.
const PAUSE: Duration = Duration::from_millis(300);
/// A look takes at most one part in this number of the time.
const SHARE: u32 = 20;

/// The tournament whose games are watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::serve) struct Source {
    /// Its folder.
    pub(in crate::serve) folder: PathBuf,
    /// The way from the root of the site to its pages: empty, or with a slash at its end.
    pub(in crate::serve) pages: String,
}

/// Finds the tournament whose games are watched: of a league the round that is being played.
type Find = dyn Fn() -> Option<Source> + Send + Sync;

/// The games that can be watched.
pub(in crate::serve) struct Watched {
    find: Box<Find>,
    hands: Hands,
    found: Mutex<Found>,
}

/// What was found at the last look.
#[derive(Default)]
struct Found {
    next: Option<Instant>,
    version: u64,
    source: Option<Source>,
    series: Option<Arc<Series>>,
    begun: Vec<Begun>,
    /// Those that were derived since.
    derived: BTreeMap<u64, Option<Arc<GameNow>>>,
}

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watched").field("hands", &self.hands).finish_non_exhaustive()
    }
}

impl Watched {
    /// The games of the tournament that is found whenever somebody looks.
    pub(in crate::serve) fn new(
        hands: Hands,
        find: impl Fn() -> Option<Source> + Send + Sync + 'static,
    ) -> Arc<Watched> {
        Arc::new(Watched { find: Box::new(find), hands, found: Mutex::default() })
    }

    /// Whose hands are shown.
    pub(super) fn hands(&self) -> Hands {
        self.hands
    }

    /// The number of changes that were seen. This may read files.
    pub(super) fn version(&self) -> u64 {
        self.found(|found| found.version)
    }

    /// All games, and what they belong to. This may read files.
    pub(super) fn all(&self) -> Option<(Arc<Series>, Vec<Arc<GameNow>>)> {
        self.found(|found| {
            let numbers: Vec<u64> = found.begun.iter().map(|game| game.game).collect();
            let games = numbers.iter().filter_map(|number| found.game(*number, self.hands));
            let games = games.collect();
            Some((found.series.clone()?, games))
        })
    }

    /// The game of this number, if it is being played. This may read files.
    pub(super) fn game(&self, number: u64) -> Option<Arc<GameNow>> {
        self.found(|found| found.game(number, self.hands))
    }

    /// The tournament that is watched. This may read files.
    pub(super) fn source(&self) -> Option<(Source, Arc<Series>)> {
        self.found(|found| found.source.clone().zip(found.series.clone()))
    }

    fn found<T>(&self, give: impl FnOnce(&mut Found) -> T) -> T {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if found.next.is_none_or(|next| next <= now) {
            found.look((self.find)());
            found.next = Some(Instant::now() + PAUSE.max(now.elapsed() * SHARE));
        }
        give(&mut found)
    }
}

impl Found {
    fn look(&mut self, source: Option<Source>) {
        if source != self.source {
            *self = Found { version: self.version + 1, source, ..Found::default() };
        }
        let Some(Source { folder, .. }) = &self.source else { return };
        // What cannot be read is not shown; the next look may find more.
        if self.series.is_none() {
            let log = Games::open(&folder::games(folder));
            self.series = log.ok().map(|log| Arc::new(log.series().clone()));
        }
        let begun = playing_now::read(folder).unwrap_or_default();
        if begun != self.begun {
            self.begun = begun;
            self.derived.clear();
            self.version += 1;
        }
    }

    fn game(&mut self, number: u64, hands: Hands) -> Option<Arc<GameNow>> {
        let Found { series, begun, derived, .. } = self;
        let derive = || {
            let begun = begun.iter().find(|game| game.game == number)?;
            GameNow::new(series.as_ref()?, begun, hands).ok().map(Arc::new)
        };
        if begun.iter().all(|game| game.game != number) {
            return None;
        }
        derived.entry(number).or_insert_with(derive).clone()
    }
}
