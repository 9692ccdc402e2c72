//! Void games that are played again.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use league::index::LeagueIndex;
use league::line::{
    LeagueLine, PairingReason, ReinstateLine, ReplayLine, RetireLine, RoundAbort, RoundEndLine,
    RoundLine, VoidLine,
};
use league::replay_line::ReplayedGame;
use league::rounds::{RoundSize, next_replay};
use league::verify::verify;
use record::verify::VerifyOptions;

use crate::made::MadeLeague;
use crate::{SMALL, small};

fn void_line(round: u64, games: &[u64]) -> LeagueLine {
    let reason = "a flood".to_owned();
    LeagueLine::Void(VoidLine { round: Some(round), games: games.to_vec(), bot: None, reason })
}

fn replay_line(round: u64, games: &[u64]) -> LeagueLine {
    let reason = "the cards were seen".to_owned();
    LeagueLine::Replay(ReplayLine { round, games: games.to_vec(), reason })
}

fn refused(league: &MadeLeague, line: LeagueLine) -> String {
    league.append(line).expect_err("a wrong line").to_string()
}

fn games(league: &MadeLeague) -> u64 {
    LeagueIndex::open(&league.league(), &league.folder).expect("an index").games()
}

fn next(league: &MadeLeague, size: RoundSize, most: Option<u64>) -> Option<RoundLine> {
    let now = league.league();
    let seed = league.seed(now.rounds().len() as u64).commitment();
    next_replay(&now, size, most.and_then(NonZeroU64::new), &|_| true, seed)
}

fn verified(league: &MadeLeague) {
    let work = VerifyOptions { jobs: NonZeroUsize::MIN, read: &|_| {} };
    verify(league.folder.path(), work, &mut |_| {}).expect("a league in order");
}

/// The names of the bots of all tables, and what they stand for.
fn tables(line: &RoundLine) -> Vec<(Vec<&str>, PairingReason)> {
    let name = |place: &usize| line.bots[*place].bot.as_str();
    line.tables.iter().map(|it| (it.bots.iter().map(name).collect(), it.why)).collect()
}

#[test]
fn void_games_are_played_again_where_they_would_have_counted() {
    let (_folder, mut league) = small();
    // Two tables of two deals: the first deal of the second table, and all of the first.
    league.append(void_line(0, &[0, 1, 2, 3, 4, 5])).expect("it fits");
    league.append(replay_line(0, &[0, 1, 2, 3, 4, 5])).expect("it fits");
    assert_eq!(games(&league), 10);
    let old = league.league().rounds()[0].line.clone();
    let first = next(&league, SMALL, None).expect("games wait");
    assert_eq!((first.deals, first.tables.len()), (2, 1), "tables of a round have as many deals");
    assert_eq!(tables(&first)[0].1, PairingReason::Replay { round: 0, game: 0 });
    assert_eq!(first.bots_of(0), old.bots_of(0));
    assert_eq!(first.first_deal, 4, "its cards are new");
    let first = league.lay_out(first);
    let correction = |league: &MadeLeague| league.league().corrections().all()[0].clone();
    assert_eq!(correction(&league).replays.waiting, 2);
    league.play(&first);
    let second = next(&league, SMALL, None).expect("a deal waits");
    assert_eq!(tables(&second)[0].1, PairingReason::Replay { round: 0, game: 2 });
    assert_eq!((second.deals, second.bots_of(0)), (1, old.bots_of(1)));
    let second = league.lay_out(second);
    league.play(&second);
    assert!(next(&league, SMALL, None).is_none());
    assert_eq!(games(&league), 16, "as many as before");
    let now = league.league();
    let (round, reason) = (2, "the cards were seen".to_owned());
    let there =
        |round, game, reason: &String| Some(ReplayedGame { round, game, reason: reason.clone() });
    assert_eq!(now.replay_of(0, 5), there(round, 3, &reason), "the second game of the second deal");
    assert_eq!(now.replayed_by(round, 3), there(0, 5, &reason));
    assert_eq!((now.replay_of(0, 6), now.replayed_by(1, 0)), (None, None));
    let told = correction(&league).in_words();
    assert_eq!(told, "games 0 to 5 in round 0: void (a flood), replayed in rounds 2, 3");
    verified(&league);
    let as_played = (*league.league()).clone().as_played();
    let index = LeagueIndex::build_in_memory(&as_played, &league.folder).expect("an index");
    assert_eq!(index.games(), 16, "with the void games, and without their replays");
    let void = correction(&league).digest;
    let why = refused(&league, LeagueLine::Reinstate(ReinstateLine { void, reason: "no".into() }));
    assert!(why.contains("reinstates game 0 of round 0, which was replayed"), "{why}");
}

#[test]
fn a_replay_keeps_to_the_size_of_rounds() {
    let (_folder, mut league) = small();
    league.append(void_line(0, &[])).expect("it fits");
    league.append(replay_line(0, &[])).expect("it fits");
    let line = next(&league, SMALL, None).expect("games wait");
    assert_eq!((line.tables.len(), line.deals), (2, 2));
    let one = RoundSize { tables: NonZeroUsize::new(1), ..SMALL };
    assert_eq!(next(&league, one, None).expect("games wait").tables.len(), 1);
    let short = RoundSize { deals: NonZeroU32::MIN, ..SMALL };
    assert_eq!(next(&league, short, None).expect("games wait").deals, 1);
    let few = next(&league, SMALL, Some(2)).expect("games wait");
    assert_eq!((few.tables.len(), few.deals), (1, 1));
    let few = league.lay_out(few);
    league.play(&few);
    let rest = next(&league, SMALL, None).expect("games wait");
    assert_eq!((rest.tables.len(), rest.deals), (1, 2), "{rest:?}");
    assert_eq!(tables(&rest)[0].1, PairingReason::Replay { round: 0, game: 2 });
    let rest = league.lay_out(rest);
    league.play(&rest);
    let last = next(&league, SMALL, None).expect("games wait");
    assert_eq!(tables(&last)[0].1, PairingReason::Replay { round: 0, game: 4 });
    verified(&league);
}

#[test]
fn an_aborted_replay_has_the_games_wait_that_it_has_not_played() {
    let (_folder, league) = small();
    league.append(void_line(0, &[])).expect("it fits");
    league.append(replay_line(0, &[])).expect("it fits");
    league.append(void_line(1, &[0, 1])).expect("it fits");
    league.append(replay_line(1, &[0, 1])).expect("it fits");
    let line = next(&league, SMALL, None).expect("games wait");
    let line = league.lay_out(line);
    let broken = RoundAbort { why: "a flood".to_owned(), seed: league.seed(line.round) };
    let over = RoundEndLine {
        round: line.round,
        games: 0,
        head: None,
        broken: Some(broken),
        results: Vec::new(),
    };
    let waiting = |league: &MadeLeague| {
        let now = league.league();
        now.corrections().all().iter().map(|it| it.replays.waiting).collect::<Vec<_>>()
    };
    assert_eq!(waiting(&league), [0, 2]);
    league.append(LeagueLine::Over(Box::new(over))).expect("it is open");
    assert_eq!(waiting(&league), [8, 2]);
    let again = next(&league, SMALL, None).expect("games wait");
    assert_eq!(again.tables, line.tables);
    verified(&league);
}

#[test]
fn tables_whose_bots_have_left_are_not_replayed() {
    let (_folder, league) = small();
    league.append(void_line(0, &[])).expect("it fits");
    league.append(replay_line(0, &[])).expect("it fits");
    let line = next(&league, SMALL, None).expect("games wait");
    let gone = line.bots_of(0)[0].clone();
    league.append(LeagueLine::Retire(RetireLine::Bot(gone.clone()))).expect("it plays");
    let rest = next(&league, SMALL, None);
    let is_without = |line: &RoundLine| !line.bots.contains(&gone);
    assert!(rest.is_none_or(|line| line.tables.len() == 1 && is_without(&line)));
}

#[test]
fn games_that_count_again_are_not_replayed() {
    let (_folder, league) = small();
    league.append(void_line(0, &[])).expect("it fits");
    league.append(replay_line(0, &[])).expect("it fits");
    let void = league.league().corrections().all()[0].digest;
    let line = ReinstateLine { void, reason: "it was dry".to_owned() };
    league.append(LeagueLine::Reinstate(line)).expect("nothing was replayed");
    assert!(next(&league, SMALL, None).is_none());
}

#[test]
fn wrong_replays_are_refused() {
    let (_folder, league) = small();
    league.append(void_line(0, &[0, 2, 3])).expect("it fits");
    let cases: [(u64, &[u64], &str); 5] = [
        (9, &[], "round 9, which is not over"),
        (0, &[8], "not the games of round 0"),
        (0, &[1, 0], "in order"),
        (0, &[0], "games 0 to 1, which are not all void"),
        (1, &[], "no game of round 1 is void"),
    ];
    for (round, games, says) in cases {
        let why = refused(&league, replay_line(round, games));
        assert!(why.contains(says), "{games:?}: {why}");
    }
    league.append(replay_line(0, &[2, 3])).expect("it fits");
    let why = refused(&league, replay_line(0, &[2]));
    assert!(why.contains("game 2, which has a replay"), "{why}");
    let why = refused(&league, replay_line(0, &[]));
    assert!(why.contains("no game of round 0 is void and not replayed"), "{why}");
}

/// What a log may not say of a round that replays games.
#[test]
fn a_round_that_replays_other_games_than_it_should_is_refused() {
    let (_folder, league) = small();
    league.append(void_line(0, &[])).expect("it fits");
    league.append(replay_line(0, &[])).expect("it fits");
    let line = next(&league, SMALL, None).expect("games wait");
    let replays = |round, game| PairingReason::Replay { round, game };
    let changed = |change: &dyn Fn(&mut RoundLine)| {
        let mut line = line.clone();
        change(&mut line);
        LeagueLine::Round(Box::new(line))
    };
    let least = PairingReason::LeastMet { pair: [0, 1], deals: 0 };
    type Change = Box<dyn Fn(&mut RoundLine)>;
    let cases: [(Change, &str); 6] = [
        (Box::new(|line| line.deals = 3), "of which only 2 deals are waiting for a replay"),
        (Box::new(move |line| line.tables[1].why = least), "only some of its tables"),
        (Box::new(move |line| line.tables[0].why = replays(0, 1)), "is not waiting for a replay"),
        (Box::new(move |line| line.tables[0].why = replays(0, 4)), "is not waiting for a replay"),
        (Box::new(move |line| line.tables[0].why = replays(1, 0)), "is not waiting for a replay"),
        (Box::new(|line| line.tables[0].bots.reverse()), "whose bots differ"),
    ];
    for (change, says) in cases {
        let why = refused(&league, changed(&*change));
        assert!(why.contains(says), "{why}");
    }
}
