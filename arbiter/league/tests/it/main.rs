//! Leagues: their log, their index, and what is found where either was changed.

mod compressed;
mod corrections;
mod decided;
mod double_elimination;
mod forged;
mod further_bots;
mod index;
mod leaving;
mod lost_events;
mod made;
mod new_rules;
mod newcomers;
mod paper;
mod read_on;
mod replays;
mod stages;

use std::num::{NonZeroU32, NonZeroUsize};

use league::rounds::RoundSize;
use rules::GameKind;
use rules::tablic::Tablic;
use tempfile::TempDir;

use made::MadeLeague;

/// Small rounds: two tables of two deals.
const SMALL: RoundSize =
    RoundSize { deals: NonZeroU32::new(2).expect("not 0"), tables: NonZeroUsize::new(2) };

/// A league with three bots and two rounds.
fn small() -> (TempDir, MadeLeague) {
    let folder = TempDir::new().expect("a folder");
    let mut league = MadeLeague::new(&folder.path().join("class"), &GameKind::of::<Tablic>());
    for (name, command) in [("ann", "greedy"), ("ben", "random"), ("cem", "greedy")] {
        league.enter(name, command);
    }
    league.run(2, SMALL);
    (folder, league)
}
