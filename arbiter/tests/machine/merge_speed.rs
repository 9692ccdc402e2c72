//! Time and memory to merge a thousand shards, with each game derived again and without. They are printed;
//! the results are asserted.
//!
//! `cargo test --release -p arbiter --test machine merge_speed -- --ignored --nocapture`

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use contest::tournament::folder::{self, Entrants, TournamentFolder};
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::{self, ReadPurpose};
use contest::tournament::read;
use contest::tournament::sharded::Sharding;
use contest::tournament::sharded::merging::{MergeResult, Merger};
use contest::tournament::sharded::survey::{self, all_pieces, planned_players};
use contest::tournament::verify::verify;
use record::verify::VerifyOptions;
use rules::Seed;
use series::PlayerLine;
use series::header::CommittedSeed;

use crate::played;
use crate::verify_speed::Within;

const SHARDS: u64 = 1_000;

/// The numbers of deals, of two games each; the last one makes a million games.
const DEALS: [u64; 3] = [5_000, 50_000, 500_000];

/// The planned tournament in a folder, with no games yet.
fn planned(path: &Path, deals: u64) -> (Plan, Sharding) {
    let seed = Seed([3; 32]);
    let text = format!(
        "game = 'coup'\ndeals = {deals}\nshards = {SHARDS}\nseed = '{seed}'\n\
         [[bots]]\nname = 'one'\ncommand = 'greedy'\n[[bots]]\nname = 'other'\ncommand = 'random'\n"
    );
    let plan = plan_file::read(&text, ReadPurpose::Looks).expect("a plan");
    let players: Vec<PlayerLine> = [("one", "greedy"), ("other", "random")]
        .map(|(name, command)| PlayerLine::in_process(name, command, 5_000))
        .into();
    TournamentFolder::create(path, &text, &Entrants::new(&players, Vec::new()), None)
        .expect("a new folder");
    let sharding = plan.settings().sharding.expect("it has shards");
    (plan, sharding)
}

/// Plays all shards with built-in players that are no programs.
fn play(path: &Path, plan: &Plan, sharding: Sharding, seed: &CommittedSeed) {
    let players = planned_players(path, plan).expect("the bots of the plan");
    let entrants = read::entrants(path).expect("the list");
    for piece in all_pieces(plan, sharding) {
        let own = piece.plan(plan, None);
        let text = plan_file::write(&own).expect("it is TOML");
        let folder = TournamentFolder::create(&piece.folder(path), &text, &entrants, None)
            .expect("a new folder");
        let header = series::Header { players: players.clone(), ..own.header(&[]) };
        let mut within = ["greedy", "random"]
            .map(|name| Within(bots::programs::player(plan.kind(), name, &[]).expect("a player")));
        played::write(&folder.games(), header, seed, &mut within);
    }
}

fn merge(
    path: &Path,
    plan: &Plan,
    sharding: Sharding,
    work: Option<VerifyOptions<'_>>,
) -> Duration {
    let folder = TournamentFolder::open(path).expect("it is ours");
    let seed = plan.settings().seed.known_seed().expect("it is in the plan");
    let begun = Instant::now();
    let merged = Merger { folder: &folder, plan, sharding, seed, work }.merge();
    assert!(matches!(merged, Ok(MergeResult::Over(..))), "{merged:?}");
    begun.elapsed()
}

#[test]
#[ignore = "half an hour; it is for reading what it prints"]
fn a_thousand_shards_of_up_to_a_million_games() {
    let _turn = crate::turn();
    let jobs = NonZeroUsize::new(2).expect("not 0");
    for deals in DEALS {
        let folder = tempfile::TempDir::new().expect("a folder");
        let cup = folder.path().join("cup");
        let (plan, sharding) = planned(&cup, deals);
        let seed = plan.settings().seed.known_seed().expect("it is in the plan").clone();
        play(&cup, &plan, sharding, &seed);
        let before = played::most_memory();
        let begun = Instant::now();
        survey::tournament_state(&cup).expect("it can be read").standings();
        let shown = begun.elapsed();
        let chained = merge(&cup, &plan, sharding, None);
        fs::remove_file(folder::games(&cup)).expect("it is ours");
        let derived = merge(&cup, &plan, sharding, Some(VerifyOptions { jobs, read: &|_| {} }));
        let begun = Instant::now();
        let verified = verify(&cup, VerifyOptions { jobs, read: &|_| {} }).expect("it is in order");
        assert_eq!(verified[0].games, 2 * deals);
        let size = fs::metadata(folder::games(&cup)).expect("it is there").len();
        let after = played::most_memory();
        println!(
            "{} games in {SHARDS} shards, {} MB: standings of all shards {shown:.1?}, merged {chained:.1?}, \
             merged and derived {derived:.1?}, verified {:.1?}, memory {before:?} to {after:?} KiB",
            2 * deals,
            size / 1_000_000,
            begun.elapsed()
        );
        if let Some((before, after)) = before.zip(after) {
            let grown = (after - before) << 10;
            assert!(grown < size / 4 + (64 << 20), "{size} bytes of logs took {grown} bytes");
        }
    }
}
