//! Games that are void and reinstated; bots that are disqualified.

use std::sync::Arc;

use league::index::{LeagueIndex, RoundGame};
use league::line::{ChooseLine, ExceptionLine, LeagueLine, ReinstateLine, RetireLine, VoidLine};
use league::stage::StageFormat;
use league::verify::verify;
use league::{BotVersion, League};
use record::verify::VerifyOptions;
use standings::pairing::knockout::ThirdPlace;
use standings::{Entrant, Standings};

use crate::made::MadeLeague;
use crate::{SMALL, small};

fn void_line(round: Option<u64>, games: &[u64], bot: Option<BotVersion>) -> VoidLine {
    VoidLine { round, games: games.to_vec(), bot, reason: "a flood".to_owned() }
}

fn standings(league: &MadeLeague) -> Standings {
    index(league).standings()
}

fn index(league: &MadeLeague) -> LeagueIndex {
    LeagueIndex::open(&league.league(), &league.folder).expect("an index")
}

fn verified(league: &MadeLeague) -> Arc<League> {
    let work = VerifyOptions { jobs: std::num::NonZeroUsize::MIN, read: &|_| {} };
    verify(league.folder.path(), work, &mut |_| {}).expect("a league in order")
}

fn refused(league: &MadeLeague, line: LeagueLine) -> String {
    league.append(line).expect_err("a wrong line").to_string()
}

#[test]
fn void_games_leave_the_standings_and_come_back() {
    let (_folder, league) = small();
    let before = standings(&league);
    assert_eq!(before.all.games, 16);
    league.append(LeagueLine::Void(void_line(Some(0), &[1, 3], None))).expect("it fits");
    let without = standings(&league);
    assert_eq!(without.all.games, 14);
    league.append(LeagueLine::Void(void_line(Some(1), &[], None))).expect("it fits");
    assert_eq!(standings(&league).all.games, 6);
    let played = (*league.league()).clone().as_played();
    let as_played = LeagueIndex::build_in_memory(&played, &league.folder).expect("an index");
    assert_eq!(as_played.standings(), before, "anybody can see the result without corrections");
    let now = verified(&league);
    for correction in [1, 0] {
        let void = now.corrections().all()[correction].digest;
        let line = ReinstateLine { void, reason: "it was dry".to_owned() };
        league.append(LeagueLine::Reinstate(line)).expect("it fits");
    }
    assert_eq!(standings(&league), before);
    verified(&league);
}

#[test]
fn void_games_stay_in_the_list_of_a_bot_and_are_marked() {
    let (_folder, league) = small();
    let bots: Vec<Entrant> = (0..3).map(Entrant).collect();
    let seats = |league: &MadeLeague| index(league).seats(&bots, None, 100).expect("seats");
    let before = seats(&league);
    league.append(LeagueLine::Void(void_line(Some(1), &[2], None))).expect("it fits");
    let after = seats(&league);
    assert_eq!(after.len(), before.len());
    let void: Vec<RoundGame> = after.iter().filter(|it| it.is_void).map(|it| it.game).collect();
    assert_eq!(void, [RoundGame { round: 1, game: 2 }; 2], "at both seats");
}

#[test]
fn the_games_of_a_bot_are_void_in_the_rounds_so_far() {
    let (_folder, mut league) = small();
    let ben = BotVersion { bot: "ben".to_owned(), version: 1 };
    let now = league.league();
    let with_ben = now
        .rounds()
        .iter()
        .flat_map(|round| round.line.tables.iter().map(move |table| (&round.line, table)))
        .filter(|(line, table)| table.bots.iter().any(|place| line.bots[*place] == ben))
        .count();
    assert!(with_ben > 0);
    league.append(LeagueLine::Void(void_line(None, &[], Some(ben)))).expect("it fits");
    let games = standings(&league).all.games;
    assert_eq!(games, 16 - 4 * with_ben as u64);
    league.run(1, SMALL);
    assert_eq!(standings(&league).all.games, games + 8, "later games count");
    verified(&league);
}

#[test]
fn a_round_of_a_stage_is_void_with_those_after_it_and_is_played_again() {
    let (_folder, mut league) = small();
    league.enter("dan", "random");
    let knockout = StageFormat::Knockout { third: ThirdPlace::Shared };
    league.begin_stage(knockout).expect("it fits");
    let stage = league.play_stage();
    let rounds: Vec<u64> = stage.rounds().iter().map(|it| it.round).collect();
    assert_eq!(rounds, [2, 3]);
    let why = refused(&league, LeagueLine::Void(void_line(Some(2), &[], None)));
    assert!(why.contains("not the last one"), "{why}");
    let why = refused(&league, LeagueLine::Void(void_line(Some(3), &[0], None)));
    assert!(why.contains("as a whole"), "{why}");
    for round in [3, 2] {
        league.append(LeagueLine::Void(void_line(Some(round), &[], None))).expect("it fits");
    }
    assert!(league.league().open_stage().is_some(), "the stage goes on");
    let games = standings(&league).all.games;
    assert_eq!(games, 16);
    let again = league.play_stage();
    assert_eq!(again.rounds().iter().map(|it| it.round).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(standings(&league).all.games, 16 + 4 + 2);
    let void = verified(&league).corrections().all()[0].digest;
    let line = ReinstateLine { void, reason: "again".to_owned() };
    let why = refused(&league, LeagueLine::Reinstate(line));
    assert!(why.contains("a round of a stage"), "{why}");
}

#[test]
fn wrong_corrections_are_refused() {
    let (_folder, mut league) = small();
    let line = league.announce(&standings(&league), SMALL);
    let nobody = BotVersion { bot: "eve".to_owned(), version: 1 };
    let empty = VoidLine { reason: String::new(), ..void_line(Some(0), &[], None) };
    let first = league.league().rounds()[0].line.clone();
    // A table has all deals in turn with the other tables, in both orders.
    let without = first.tables.iter().position(|table| !table.bots.contains(&0));
    let without = without.expect("a table without the first bot") as u64 * 2;
    let greedy = first.bots[0].clone();
    let cases = [
        (void_line(Some(9), &[], None), "round 9, which is not over"),
        (void_line(Some(line.round), &[], None), "which is not over"),
        (void_line(Some(0), &[8], None), "not the games of round 0"),
        (void_line(Some(0), &[2, 1], None), "in order"),
        (void_line(Some(0), &[1, 1], None), "in order"),
        (void_line(None, &[], None), "names no round"),
        (void_line(None, &[1], Some(nobody.clone())), "names no round"),
        (void_line(Some(0), &[], Some(nobody)), "has not entered"),
        (empty, "reason has 0 characters"),
        (void_line(Some(0), &[without], Some(greedy)), "did not play in game"),
    ];
    for (line, says) in cases {
        let why = refused(&league, LeagueLine::Void(line.clone()));
        assert!(why.contains(says), "{line:?}: {why}");
    }
    let unknown = ReinstateLine { void: league.league().head(), reason: "no".to_owned() };
    let why = refused(&league, LeagueLine::Reinstate(unknown));
    assert!(why.contains("no line declares void"), "{why}");
    league.play(&line);
    verified(&league);
}

#[test]
fn a_disqualified_bot_enters_no_more() {
    let (_folder, mut league) = small();
    let ben = BotVersion { bot: "ben".to_owned(), version: 1 };
    league.append(LeagueLine::Retire(RetireLine::Bot(ben.clone()))).expect("it plays");
    let why = RetireLine::Reason { bot: ben, reason: "copied".to_owned(), disqualified: true };
    league.append(LeagueLine::Retire(why.clone())).expect("it has left");
    let twice = refused(&league, LeagueLine::Retire(why));
    assert!(twice.contains("does not play"), "{twice}");
    let member = league.league().newest("ben").cloned().expect("a bot");
    assert!(member.left.is_some_and(|left| left.disqualified && left.reason == "copied"));
    let entry = LeagueLine::Enter(Box::new(league::line::EnterLine {
        bot: BotVersion { bot: "ben".to_owned(), version: 2 },
        ..member.entry
    }));
    let why = refused(&league, entry);
    assert!(why.contains("which is disqualified"), "{why}");
    league.enter("dan", "greedy");
    verified(&league);
}

#[test]
fn a_version_that_was_chosen_plays_until_the_next_one_enters() {
    let (_folder, mut league) = small();
    let version = |version| BotVersion { bot: "ben".to_owned(), version };
    let choose = |version_number, reason: Option<&str>| {
        let (bot, reason) = (version(version_number), reason.map(str::to_owned));
        LeagueLine::Choose(ChooseLine { bot, reason })
    };
    let playing = |league: &League| league.current("ben").map(|it| it.entry.bot.version);
    let first = league.league().newest("ben").expect("a bot").entry.bot.version;
    league.enter("ben", "greedy");
    league.append(choose(first, None)).expect("it fits");
    assert_eq!(playing(&league.league()), Some(first));
    for (line, says) in [
        (choose(first, None), "the version that already plays"),
        (choose(9, None), "has not entered"),
        (choose(first + 1, Some("")), "its reason has 0 characters"),
    ] {
        let why = refused(&league, line);
        assert!(why.contains(says), "{why}");
    }
    verified(&league);
    // A new version plays in its place, and a bot that has left stays away.
    league.enter("ben", "random");
    assert_eq!(playing(&league.league()), Some(first + 2));
    league.append(choose(first + 1, Some("a flood"))).expect("it fits");
    let chosen = league.league().current("ben").and_then(|it| it.chosen.clone());
    assert_eq!(chosen.and_then(|it| it.reason).as_deref(), Some("a flood"));
    league.append(LeagueLine::Retire(RetireLine::Bot(version(first + 1)))).expect("it plays");
    assert!(refused(&league, choose(first, None)).contains("has left"));
    verified(&league);
}

#[test]
fn exceptions_are_lines_that_say_who_was_treated_differently() {
    let (_folder, league) = small();
    let line = |participant: &str, until, accepted, reason: &str| {
        let (participant, reason) = (participant.to_owned(), reason.to_owned());
        LeagueLine::Exception(ExceptionLine { participant, until, accepted, reason })
    };
    for (until, accepted) in [(Some(2_000), None), (None, Some(3)), (Some(1_000), None)] {
        league.append(line("ben", until, accepted, "ill")).expect("it fits");
    }
    for (wrong, says) in [
        (line("ben", None, None, "ill"), "either a valid time or a submission"),
        (line("ben", Some(1), Some(1), "ill"), "either a valid time or a submission"),
        (line("ben", Some(i64::MAX), None, "ill"), "either a valid time or a submission"),
        (line("ben", Some(1), None, ""), "its reason has 0 characters"),
        (line("a/b", Some(1), None, "ill"), "no valid name"),
    ] {
        let why = refused(&league, wrong);
        assert!(why.contains(says), "{why}");
    }
    let now = verified(&league);
    let deadline = |name| now.exceptions().deadline(name).map(|it| it.as_second());
    assert_eq!((deadline("ben"), deadline("random")), (Some(1_000), None), "the last line holds");
    assert_eq!(now.exceptions().of_participant("ben").count(), 3);
}
