//! How fast games are played, and how long the rest will take.

use std::time::{Duration, Instant};

use crate::text::counted;
use crate::tournament::run::Progress;

/// How fast a run goes, from its first game on.
#[derive(Debug)]
pub(super) struct Pace {
    since: Instant,
    /// How many games were there before it.
    before: u64,
}

impl Pace {
    pub(super) fn new(progress: &Progress) -> Pace {
        Pace { since: Instant::now(), before: done(progress) }
    }

    /// Games a second of this run; none before there is one.
    pub(super) fn per_second(&self, progress: &Progress) -> Option<f64> {
        let games = done(progress).saturating_sub(self.before);
        let time = self.since.elapsed().as_secs_f64();
        (games > 0 && time > 0.0).then(|| games as f64 / time)
    }

    /// How long the games that are left will take at this pace.
    pub(super) fn left(&self, progress: &Progress) -> Option<Duration> {
        let left = progress.series.schedule().own_games().saturating_sub(done(progress));
        Duration::try_from_secs_f64(left as f64 / self.per_second(progress)?).ok()
    }

    /// Games done of all, the time left and the pace, in one line.
    pub(super) fn line(&self, progress: &Progress) -> String {
        self.parts(progress).join(", ")
    }

    /// The same in parts, those first that are missed most.
    pub(super) fn parts(&self, progress: &Progress) -> Vec<String> {
        let games = progress.series.schedule().own_games();
        let left = self.left(progress).map(|left| {
            let whole = Duration::from_secs(left.as_secs());
            format!("{} left", humantime::format_duration(whole))
        });
        let pace = self.per_second(progress).map(|rate| format!("{rate:.1} a second"));
        let games = counted(games, "game", "games");
        [Some(format!("{} of {games}", done(progress))), left, pace].into_iter().flatten().collect()
    }
}

/// How many games need not be played any more.
pub(super) fn done(progress: &Progress) -> u64 {
    progress.course.played() + progress.course.given_up() + progress.course.skipped()
}
