//! How fast games are played, and how long the rest will take.

use std::time::{Duration, Instant};

use contest::playing::state::State;
use text::counted;

/// How fast a run goes, from its first game on.
#[derive(Debug)]
pub(super) struct Pace {
    since: Instant,
    /// How many games were there before it.
    before: u64,
}

impl Pace {
    pub(super) fn new(state: &State) -> Pace {
        Pace { since: Instant::now(), before: done(state) }
    }

    /// Games a second of this run; none before there is one.
    pub(super) fn per_second(&self, state: &State) -> Option<f64> {
        let games = done(state).saturating_sub(self.before);
        let time = self.since.elapsed().as_secs_f64();
        (games > 0 && time > 0.0).then(|| games as f64 / time)
    }

    /// How long the games that are left will take at this pace.
    pub(super) fn left(&self, state: &State) -> Option<Duration> {
        let left = state.games.series.schedule().own_games().saturating_sub(done(state));
        Duration::try_from_secs_f64(left as f64 / self.per_second(state)?).ok()
    }

    /// Games done of all, the time left and the pace, in one line.
    pub(super) fn line(&self, state: &State) -> String {
        let games = state.games.series.schedule().own_games();
        let left = self.left(state).map(|left| {
            let whole = Duration::from_secs(left.as_secs());
            format!("{} left", humantime::format_duration(whole))
        });
        let pace = self.per_second(state).map(|rate| format!("{rate:.1} a second"));
        let games = counted(games, "game", "games");
        let parts = [Some(format!("{} of {games}", done(state))), left, pace];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// How many games are no longer to be played.
pub(super) fn done(state: &State) -> u64 {
    state.games.progress.played() + state.games.progress.given_up() + state.games.progress.skipped()
}
