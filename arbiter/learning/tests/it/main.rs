//! Tests of episodes, their observations and actions, and of batches.

mod against;
mod batch;
mod decoded;
mod episodes;

use learning::{Deal, Episode, begin};
use rules::{GameKind, Nature, Seed};

/// Games with options that differ in columns or actions.
pub(crate) const GAMES: [(&str, &str); 10] = [
    ("tablic", "seats=2"),
    ("tablic", "seats=4"),
    ("coup", "seats=2 rules=contest"),
    ("coup", "seats=2 rules=court"),
    ("coup", "seats=3 rules=court"),
    ("coup", "seats=6 rules=court"),
    ("durak", "seats=2 deck=36 transfer=off first-limit=6 throwers=all"),
    ("durak", "seats=4 deck=52 transfer=on first-limit=5 throwers=neighbours"),
    ("durak", "seats=2 deck=24 transfer=on first-limit=6 throwers=all"),
    ("durak", "seats=6 deck=36 transfer=off first-limit=6 throwers=all"),
];

/// An episode of a game, named by a failure as `deal` of this seed.
pub(crate) fn episode(game: &str, options: &str, deal: u64) -> Box<dyn Episode> {
    let kind: GameKind = game.parse().expect("a game");
    begin(&kind, options, Deal { seed: seed(), number: deal }).expect("an episode")
}

pub(crate) fn seed() -> Seed {
    Seed([3; 32])
}

/// Chance of a test, apart from that of its games.
pub(crate) fn chance(number: u64) -> Nature {
    Seed([9; 32]).order(number)
}

/// Plays a legal action, each equally likely.
pub(crate) fn step(episode: &mut dyn Episode, nature: &mut Nature) {
    let action = *nature.choose(episode.legal_actions()).expect("a legal action");
    episode.act(usize::from(action)).expect("it is legal");
}
