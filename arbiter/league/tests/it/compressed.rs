//! The logs of a league's rounds once they are compressed: everything that follows from them stays the same.

use std::fs;

use contest::tournament::folder::games;
use league::compression::{CompressionOutcome, compress_all};
use league::index::LeagueIndex;
use league::verify::{bytes, verify};
use record::verify::VerifyOptions;

use crate::{SMALL, small};

#[test]
fn the_rounds_that_are_over_are_compressed_and_the_open_one_is_not() {
    let (_folder, mut league) = small();
    let path = league.folder.path().to_owned();
    let standings = league.run(1, SMALL).standings();
    // One more round is announced, and none of its games is played yet.
    let open = league.announce(&standings, SMALL);
    fs::write(games(&league.folder.round(open.round)), "").expect("it is ours");
    assert!(bytes(&path).is_some());
    let mut outcomes = Vec::new();
    compress_all(&path, &mut |outcome| outcomes.push(outcome)).expect("finished rounds");
    let done = outcomes.iter().filter(|it| matches!(it, CompressionOutcome::Done(_))).count();
    assert_eq!((done, outcomes.len()), (3, 4), "{outcomes:?}");
    assert_eq!(outcomes[3], CompressionOutcome::Open(league.folder.round(open.round)));
    assert!(games(&league.folder.round(open.round)).ends_with("games.jsonl"));
    assert_eq!(league.folder.begun_rounds().len(), 4);
    assert!(bytes(&path).is_none());
    let mut played = 0;
    verify(&path, VerifyOptions::QUIET, &mut |round| played += round.games)
        .expect("it is in order");
    assert_eq!(played, standings.all.games);
    fs::remove_file(league.folder.index()).expect("it is there");
    let anew = LeagueIndex::open(&league.league(), &league.folder).expect("an index");
    assert_eq!(anew.standings(), standings);
    outcomes.clear();
    compress_all(&path, &mut |outcome| outcomes.push(outcome)).expect("the same again");
    assert_eq!(
        outcomes.iter().filter(|it| matches!(it, CompressionOutcome::Already(_))).count(),
        3
    );
}
