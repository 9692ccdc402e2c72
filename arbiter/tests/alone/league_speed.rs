//! How long it takes to look at a league of a million games and to go on with it, and how much memory.
//! It prints, and asserts what does not depend on the machine.
//!
//! `cargo test --release -p arbiter league_speed -- --ignored --nocapture`

use std::fs;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Instant;

use contest::league::index::LeagueIndex;
use contest::league::rounds::RoundSize;
use rules::GameKind;
use rules::coup::Coup;

use crate::made::MadeLeague;
use crate::{played, served_league};

/// A round has 1,000 games.
const SIZE: RoundSize =
    RoundSize { deals: NonZeroU32::new(50).expect("not 0"), tables: NonZeroUsize::new(10) };

/// How many rounds there are; the last number makes a million games.
const ROUNDS: [usize; 3] = [10, 90, 900];

/// How many bots enter, of which some are replaced along the way.
const BOTS: usize = 12;

#[test]
#[ignore = "minutes; it is for reading what it prints"]
fn a_league_of_up_to_a_million_games() {
    let _turn = crate::turn();
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut league = MadeLeague::new(&folder.path().join("class"), &GameKind::of::<Coup>());
    let commands = ["random", "greedy"];
    for bot in 0..BOTS {
        league.enter(&format!("bot{bot}"), commands[bot % 2]);
    }
    for (part, rounds) in ROUNDS.into_iter().enumerate() {
        league.enter("bot0", commands[part % 2]);
        let begun = Instant::now();
        drop(league.run(rounds, SIZE));
        let made = begun.elapsed();
        let state = league.league();
        let before = played::most_memory();
        let begun = Instant::now();
        let index = LeagueIndex::of(&state, &league.folder).expect("an index");
        let opened = begun.elapsed();
        let standings = index.standings();
        let shown = begun.elapsed();
        drop(index);
        let size = fs::metadata(league.folder.index()).expect("it is there").len();
        fs::remove_file(league.folder.index()).expect("it is ours");
        let begun = Instant::now();
        let anew = LeagueIndex::of(&state, &league.folder).expect("an index");
        println!(
            "{} games in {} rounds: played in {made:.1?}, index opened {opened:.1?}, standings with it \
             {shown:.1?}, index of {} MB made anew {:.1?}, memory {before:?} to {:?} KiB",
            anew.games(),
            state.rounds().len(),
            size / 1_000_000,
            begun.elapsed(),
            played::most_memory(),
        );
        assert_eq!(anew.standings(), standings);
        drop(anew);
        let last = state.rounds().len() as u64 - 1;
        println!("served: {}", served_league::measure(league.folder.path(), last));
    }
}
