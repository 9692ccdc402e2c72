//! Tables of a league: bots that are new, and games that do not count.

use std::num::NonZeroU32;

use league::choice;
use league::index::LeagueIndex;
use league::line::{LeagueLine, RetireLine, RoundLine, VoidLine};
use league::participants::{self, InvitationRequest};
use league::rounds::RoundSize;
use rules::GameKind;
use rules::tablic::Tablic;
use tempfile::TempDir;

use crate::made::MadeLeague;
use crate::{SMALL, small};

/// Five deals, after which bots have ratings with intervals.
const RATING: RoundSize = RoundSize { deals: NonZeroU32::new(5).expect("not 0"), tables: None };

/// The next round, which is not played.
fn next(league: &MadeLeague, size: RoundSize) -> RoundLine {
    let index = LeagueIndex::open(&league.league(), &league.folder).expect("an index");
    let seed = league.seed(9).commitment();
    let next = league::rounds::next_round;
    next(&league.league(), &index.standings(), size, None, &|_| true, seed).expect("a round")
}

fn names(line: &RoundLine) -> Vec<Vec<&str>> {
    let name = |place: &usize| line.bots[*place].bot.as_str();
    line.tables.iter().map(|table| table.bots.iter().map(name).collect()).collect()
}

#[test]
fn a_batch_of_new_bots_plays_those_who_are_there() {
    let folder = TempDir::new().expect("a folder");
    let mut league = MadeLeague::new(&folder.path().join("class"), &GameKind::of::<Tablic>());
    for name in ["ann", "ben", "cem", "dan"] {
        league.enter(name, "random");
    }
    league.run(2, RATING);
    for new in 0..8 {
        league.enter(&format!("new-{new}"), "random");
    }
    let line = next(&league, RATING);
    let is_new = |name: &&str| name.starts_with("new-");
    for table in names(&line) {
        assert_eq!(table.iter().copied().filter(|name| is_new(name)).count(), 1, "{line:?}");
    }
}

/// Bots with few games have no rating yet, and are there all the same.
#[test]
fn new_bots_of_a_young_league_have_half_of_their_tables_with_the_others() {
    let folder = TempDir::new().expect("a folder");
    let mut league = MadeLeague::new(&folder.path().join("class"), &GameKind::of::<Tablic>());
    for old in 0..12 {
        league.enter(&format!("old-{old}"), "random");
    }
    let one_deal = RoundSize { deals: NonZeroU32::MIN, tables: None };
    league.run(2, one_deal);
    for new in 0..6 {
        league.enter(&format!("new-{new}"), "random");
    }
    let line = next(&league, one_deal);
    for new in 0..6 {
        let name = format!("new-{new}");
        let tables = names(&line).into_iter().filter(|table| table.contains(&name.as_str()));
        let (mut mixed, mut all) = (0, 0);
        for table in tables {
            all += 1;
            mixed += usize::from(table.iter().any(|bot| bot.starts_with("old-")));
        }
        assert!(all > 0 && 2 * mixed >= all, "{name}: {mixed} of {all}, {line:?}");
    }
}

#[test]
fn house_bots_are_alone_until_a_participant_has_a_bot() {
    let (_folder, mut league) = small();
    let are_alone = |league: &MadeLeague| {
        choice::are_alone(&league.folder, &league.league()).expect("it is read")
    };
    assert!(!are_alone(&league), "without participants, all bots are those of a participant");
    let anna = InvitationRequest { name: "anna", member: None, person: None };
    participants::invite(&league.folder, &anna).expect("a new name");
    assert!(are_alone(&league));
    league.enter("dan", "random");
    assert!(!are_alone(&league), "a new one has not played");
    league.run(2, SMALL);
    assert!(are_alone(&league));
    league.enter("anna", "random");
    league.run(2, SMALL);
    assert!(!are_alone(&league));
}

#[test]
fn bots_that_met_only_one_that_has_left_count_as_connected() {
    let (_folder, mut league) = small();
    league.run(2, RATING);
    let left = RetireLine::Bot(league.league().members()[0].entry.bot.clone());
    league.append(LeagueLine::Retire(left)).expect("it plays");
    league.enter("eve", "random");
    // Two groups: the two that are left, and the new one.
    let line = next(&league, RoundSize { tables: std::num::NonZeroUsize::new(1), ..RATING });
    assert!(names(&line)[0].contains(&"eve"), "{line:?}");
}

#[test]
fn void_games_are_no_meetings_when_tables_are_chosen() {
    let (_folder, league) = small();
    let played = league.league();
    let line = played.rounds()[1].line.clone();
    let met = |table: &[usize]| table.iter().map(|it| line.bots[*it].clone()).collect::<Vec<_>>();
    let gone = met(&line.tables[0].bots);
    // A table has every second deal of a round with two of them, in both orders.
    let void = |games: &[u64], round| VoidLine {
        round: Some(round),
        games: games.to_vec(),
        bot: None,
        reason: "a flood".to_owned(),
    };
    let least = |line: &RoundLine| match line.tables[1].why {
        league::line::PairingReason::LeastMet { pair, deals } => {
            (pair.map(|place| line.bots[place].clone()).to_vec(), deals)
        }
        ref other => panic!("{other:?}"),
    };
    league.append(LeagueLine::Void(void(&[], 0))).expect("it fits");
    league.append(LeagueLine::Void(void(&[0, 1, 4, 5], 1))).expect("it fits");
    let chosen = next(&league, SMALL);
    let mut pairs: Vec<Vec<String>> = names(&chosen)
        .into_iter()
        .map(|table| table.into_iter().map(str::to_owned).collect())
        .collect();
    pairs.iter_mut().for_each(|pair| pair.sort());
    let mut gone: Vec<String> = gone.into_iter().map(|bot| bot.bot).collect();
    gone.sort();
    assert!(pairs.contains(&gone), "{gone:?} have met in no game that counts: {pairs:?}");
    assert_eq!(least(&chosen).1, 0);
}
