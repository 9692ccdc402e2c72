//! Stages of leagues that are played in the process: their rounds follow from results, and forgeries show.

use std::num::NonZeroUsize;

use league::line::{
    LeagueLine, PairingReason, RoundAbort, RoundEndLine, RoundLine, StageEndedLine,
};
use league::rounds;
use league::stage::{GroupFormat, Stage, StageFormat, StageMatch};
use rules::GameKind;
use standings::pairing::knockout::ThirdPlace;
use tempfile::TempDir;

use super::forged::{copied, rewrite, verdict};
use super::made::MadeLeague;

/// A league of this many bots, all of them different.
fn league(bots: usize) -> (TempDir, MadeLeague) {
    let folder = TempDir::new().expect("a folder");
    let kind: GameKind = "tablic".parse().expect("a game");
    let mut league = MadeLeague::new(&folder.path().join("class"), &kind);
    for bot in 0..bots {
        let command = if bot % 2 == 0 { "greedy" } else { "random" };
        league.enter(&format!("bot-{bot}"), command);
    }
    (folder, league)
}

/// The number of matches of each bot, and the most of two bots with each other.
fn meetings(stage: &Stage, bots: usize) -> (Vec<usize>, usize) {
    let pairs: Vec<[usize; 2]> = stage
        .rounds()
        .iter()
        .flat_map(|round| &round.tables)
        .map(|table| {
            let [one, other] = table.bots;
            [one.min(other), one.max(other)]
        })
        .collect();
    let of_bot = |bot: usize| pairs.iter().filter(|pair| pair.contains(&bot)).count();
    let most = pairs.iter().map(|pair| pairs.iter().filter(|it| *it == pair).count()).max();
    ((0..bots).map(of_bot).collect(), most.unwrap_or(0))
}

#[test]
fn in_a_swiss_stage_all_play_all_rounds_and_nobody_meets_again() {
    for (bots, rounds) in [(8, 5), (7, 3), (2, 1)] {
        let (_folder, mut league) = league(bots);
        league.begin_stage(StageFormat::Swiss { rounds }).expect("a stage");
        let stage = league.play_stage();
        assert_eq!(stage.rounds().len(), rounds);
        let (matches, most) = meetings(&stage, bots);
        let byes = stage.rounds().iter().filter(|round| round.bye.is_some()).count();
        assert_eq!(matches.iter().sum::<usize>() + byes, bots * rounds, "{matches:?}");
        assert_eq!((most, byes), (1, if bots % 2 == 0 { 0 } else { rounds }));
        let places = stage.places();
        let sum: u64 = places.iter().filter_map(|place| place.half_points).sum();
        assert_eq!(sum as usize, 2 * (bots / 2) * rounds + 2 * byes, "two half points a match");
        let points: Vec<_> = places.iter().map(|place| place.half_points).collect();
        assert!(points.is_sorted_by(|one, next| one >= next), "{points:?}");
        assert_eq!(places.len(), bots);
        verdict(league.folder.path()).expect("it is in order");
    }
}

#[test]
fn in_a_knockout_the_winners_go_on_to_the_final() {
    let (_folder, mut league) = league(6);
    league.begin_stage(StageFormat::Knockout { third: ThirdPlace::Played }).expect("a stage");
    let stage = league.play_stage();
    let of: Vec<Vec<StageMatch>> = stage
        .rounds()
        .iter()
        .map(|round| round.tables.iter().map(|table| table.of).collect())
        .collect();
    let first = vec![StageMatch::Knockout(8); 2];
    let second = vec![StageMatch::Knockout(4); 2];
    assert_eq!(of, [first, second, vec![StageMatch::Knockout(2), StageMatch::Third]]);
    // The winner of each match plays in the next round.
    for (round, next) in stage.rounds().iter().zip(stage.rounds().iter().skip(1)) {
        for (table, _) in round.played() {
            let decision = stage.decisions().of_table(&table).copied().expect("a decided match");
            let winner = table.bots[decision.side.expect("a knockout has no draws")];
            let is_next = next.tables.iter().any(|table| table.bots.contains(&winner));
            assert!(is_next, "{winner} is not in {next:?}");
        }
    }
    let ranks: Vec<[usize; 2]> = stage.places().iter().map(|place| place.rank).collect();
    assert_eq!(ranks, [[1, 1], [2, 2], [3, 3], [4, 4], [5, 6], [5, 6]]);
    verdict(league.folder.path()).expect("it is in order");
}

/// The same player wins each deal of a match against itself once.
#[test]
fn extra_deals_have_cards_of_their_own_and_verify() {
    let folder = TempDir::new().expect("a folder");
    let kind: GameKind = "tablic".parse().expect("a game");
    let mut league = MadeLeague::new(&folder.path().join("class"), &kind);
    ["ann", "ben"].iter().for_each(|name| drop(league.enter(name, "greedy")));
    let format = StageFormat::Knockout { third: ThirdPlace::Shared };
    league.begin_stage_with(format, 3).expect("a stage");
    let stage = league.play_stage();
    let rounds = league.league();
    let rounds = rounds.rounds();
    let deals: Vec<(u64, u64)> =
        rounds.iter().map(|it| (it.line.first_deal, it.line.deals)).collect();
    assert!(deals.len() > 1, "the match is tied");
    assert!(deals.iter().zip(0..).all(|(deal, number)| *deal == (number, 1)), "{deals:?}");
    let mut commitments: Vec<_> = rounds.iter().map(|round| round.line.commitment).collect();
    commitments.dedup();
    assert_eq!(commitments.len(), deals.len());
    let decision = *stage.decisions().of_table(&stage.rounds()[0].tables[0]).expect("decided");
    assert!(decision.side.is_some());
    verdict(league.folder.path()).expect("it is in order");
    let (_copy, path) = copied(&league);
    rewrite(&path, |lines| {
        let last = lines.iter_mut().rev().find_map(|line| match line {
            LeagueLine::Round(round) => Some(&mut round.tables[0].why),
            _ => None,
        });
        let Some(PairingReason::Decider(decider)) = last else { panic!("{last:?}") };
        decider.pair += 1;
    });
    let why = verdict(&path).expect_err("another extra deal");
    assert!(why.contains("do not follow the rule of the stage"), "{why}");
}

#[test]
fn a_round_of_a_stage_that_was_broken_off_is_played_again() {
    let (_folder, mut league) = league(4);
    league.begin_stage(StageFormat::Knockout { third: ThirdPlace::Shared }).expect("a stage");
    let before = league.league();
    let stage = before.open_stage().expect("it was begun");
    let seed = league.seed(0);
    let line = rounds::next_of_stage(&before, stage, seed.commitment()).expect("a round");
    let line = league.lay_out(line);
    let broken = Some(RoundAbort { why: "the rules failed".to_owned(), seed });
    let over = RoundEndLine { round: 0, games: 0, head: None, broken, results: Vec::new() };
    let after = league.append(LeagueLine::Over(Box::new(over))).expect("it fits");
    let stage = after.open_stage().expect("it goes on");
    assert_eq!((stage.rounds().len(), stage.next()), (0, before.open_stage().expect("it").next()));
    let stage = league.play_stage();
    let numbers: Vec<u64> = stage.rounds().iter().map(|round| round.round).collect();
    assert_eq!(numbers, [1, 2], "two semifinals with deals of their own, and a final");
    assert_eq!(stage.rounds()[0].tables.len(), line.tables.len());
    verdict(league.folder.path()).expect("it is in order");
}

#[test]
fn after_groups_the_first_of_each_play_a_knockout() {
    let (_folder, mut league) = league(9);
    let two = NonZeroUsize::MIN.saturating_add(1);
    let groups = GroupFormat { groups: two, first: two, third: ThirdPlace::Shared };
    league.begin_stage(StageFormat::Groups(groups)).expect("a stage");
    let stage = league.play_stage();
    let tables: Vec<usize> = stage.rounds().iter().map(|round| round.tables.len()).collect();
    assert_eq!(tables, [10 + 6, 2, 1], "groups of five and four, semifinals and a final");
    let places = stage.places();
    let ranks: Vec<[usize; 2]> = places.iter().map(|place| place.rank).collect();
    assert_eq!(ranks[..4], [[1, 1], [2, 2], [3, 4], [3, 4]]);
    // The others share the ranks behind, those with equal ranks in their groups the same.
    let mut behind = &ranks[4..];
    let mut next = 5;
    while let Some([first, last]) = behind.first().copied() {
        let shared = behind.iter().take_while(|rank| **rank == [first, last]).count();
        assert_eq!((first, last), (next, next + shared - 1), "{ranks:?}");
        (behind, next) = (&behind[shared..], last + 1);
    }
    assert_eq!(next, 10, "{ranks:?}");
    let semifinals = &stage.rounds()[1].tables;
    let group =
        |seed: usize| places.iter().find(|place| place.seed == seed).expect("a place").group;
    assert!(semifinals.iter().all(|it| group(it.bots[0]) != group(it.bots[1])), "{semifinals:?}");
    verdict(league.folder.path()).expect("it is in order");
}

#[test]
fn a_bot_that_enters_again_plays_the_stage_with_its_frozen_version() {
    let (_folder, mut league) = league(4);
    league.begin_stage(StageFormat::Knockout { third: ThirdPlace::Shared }).expect("a stage");
    for bot in 0..4 {
        league.enter(&format!("bot-{bot}"), "random");
    }
    let stage = league.play_stage();
    assert!(stage.line.bots.iter().all(|bot| bot.version == 1), "{:?}", stage.line.bots);
    let rounds = league.league();
    assert!(rounds.rounds().iter().flat_map(|it| &it.line.bots).all(|bot| bot.version == 1));
    verdict(league.folder.path()).expect("it is in order");
    // Afterwards the league goes on with the newest versions.
    let standings = league::index::LeagueIndex::open(&rounds, &league.folder);
    let line = league.announce(&standings.expect("an index").standings(), super::SMALL);
    assert!(line.bots.iter().all(|bot| bot.version == 2), "{:?}", line.bots);
}

#[test]
fn a_stage_that_cannot_be_is_refused() {
    let (_folder, league) = league(3);
    let refused = |format| league.begin_stage(format).expect_err("no stage").to_string();
    assert!(refused(StageFormat::Swiss { rounds: 4 }).contains("4 Swiss rounds for 3 bots"));
    let third = StageFormat::Knockout { third: ThirdPlace::Played };
    assert!(refused(third).contains("a third-place match needs at least 4 bots, not 3"));
    let many = NonZeroUsize::new(2).expect("it is not 0");
    let groups = GroupFormat { groups: many, first: many, third: ThirdPlace::Shared };
    assert!(refused(StageFormat::Groups(groups)).contains("use at least two bots"));
    let all = NonZeroUsize::MIN;
    let groups = GroupFormat {
        groups: all,
        first: NonZeroUsize::new(4).expect("4"),
        third: ThirdPlace::Shared,
    };
    assert!(refused(StageFormat::Groups(groups)).contains("than the 3 bots of the smallest group"));
    league.begin_stage(StageFormat::Swiss { rounds: 2 }).expect("a stage");
    let again = league.begin_stage(StageFormat::Swiss { rounds: 2 }).expect_err("one is open");
    assert!(again.to_string().contains("before the end of stage 0"), "{again}");
}

#[test]
fn tables_and_results_of_a_stage_that_were_written_again_do_not_fit() {
    let (_folder, mut league) = league(4);
    league.begin_stage(StageFormat::Swiss { rounds: 2 }).expect("a stage");
    league.play_stage();
    fn last_round(lines: &mut [LeagueLine]) -> &mut RoundLine {
        let found = lines.iter_mut().rev().find_map(|line| match line {
            LeagueLine::Round(round) => Some(&mut **round),
            _ => None,
        });
        found.expect("a round")
    }
    fn last_over(lines: &mut [LeagueLine]) -> &mut RoundEndLine {
        let found = lines.iter_mut().rev().find_map(|line| match line {
            LeagueLine::Over(over) => Some(&mut **over),
            _ => None,
        });
        found.expect("an end")
    }
    type Change = fn(&mut Vec<LeagueLine>);
    let changes: [(&str, Change, &str); 7] = [
        (
            "other bots meet",
            |lines| {
                let round = last_round(lines);
                let bot = round.tables[0].bots[0];
                round.tables[0].bots[0] = round.tables[1].bots[0];
                round.tables[1].bots[0] = bot;
            },
            "they do not follow the rule of the stage",
        ),
        (
            "another reason",
            |lines| last_round(lines).tables[0].why = PairingReason::Stage(StageMatch::Third),
            "they do not follow the rule of the stage",
        ),
        (
            "outside of the stage",
            |lines| last_round(lines).stage = None,
            "a round of no stage, expected one of stage 0",
        ),
        (
            "a result turned round",
            |lines| {
                let result = &mut last_over(lines).results[0];
                result.won.reverse();
                result.points[0] += rules::Score::points(1);
            },
            "its table results differ",
        ),
        (
            "ended twice",
            |lines| lines.push(LeagueLine::StageEnded(StageEndedLine::Stage(0))),
            "has an invalid stage: stage 0 is not open",
        ),
        (
            "no results",
            |lines| last_over(lines).results.clear(),
            "with 0 results of tables, expected 2",
        ),
        (
            "a stage more",
            |lines| {
                let stage = lines.iter().find(|line| matches!(line, LeagueLine::Stage(_)));
                let stage = stage.expect("a stage").clone();
                lines.push(stage);
            },
            "expected stage 1, found stage 0",
        ),
    ];
    for (what, change, expected) in changes {
        let (_copy, path) = copied(&league);
        rewrite(&path, change);
        let problem = verdict(&path).expect_err(what);
        assert!(problem.contains(expected), "{what}: {problem}");
    }
}

/// A bot that is out of a round would give those that it has not met yet a draw, and itself points.
#[test]
fn no_bot_is_disqualified_in_a_stage() {
    let (_folder, mut league) = league(4);
    league.begin_stage(StageFormat::Swiss { rounds: 1 }).expect("a stage");
    league.play_stage();
    let header = |round: u64| {
        let series = contest::tournament::read::series(&league.folder.round(round));
        series.expect("it was played").header().clone()
    };
    assert!(header(0).tournament.expect("a round").disqualify_after.is_none());
    let standings = league::index::LeagueIndex::open(&league.league(), &league.folder);
    let line = league.announce(&standings.expect("an index").standings(), super::SMALL);
    league.play(&line);
    let series = contest::tournament::read::series(&league.folder.round(1)).expect("it was played");
    let tournament = series.header().tournament.as_ref().expect("a round");
    assert!(tournament.disqualify_after.is_some(), "other rounds have a share of faults");
}

#[test]
fn a_stage_can_be_ended_and_the_league_goes_on() {
    let (_folder, mut league) = league(4);
    league.begin_stage(StageFormat::Swiss { rounds: 3 }).expect("a stage");
    let first = league.league();
    let stage = first.open_stage().expect("a stage");
    let seed = league.seed(0);
    let line = rounds::next_of_stage(&first, stage, seed.commitment());
    let line = league.lay_out(line.expect("a round"));
    // It ends while its round is played, whose results still count.
    league.append(LeagueLine::StageEnded(StageEndedLine::Stage(0))).expect("it is open");
    league.play(&line);
    let ended = league.league();
    assert!(ended.open_stage().is_none());
    let stage = &ended.stages()[0];
    assert_eq!((stage.rounds().len(), stage.places().len()), (1, 4));
    let standings = league::index::LeagueIndex::open(&ended, &league.folder);
    let line = league.announce(&standings.expect("an index").standings(), super::SMALL);
    assert_eq!(line.stage, None);
    league.play(&line);
    verdict(league.folder.path()).expect("it is in order");
}

#[test]
fn verify_finds_a_swiss_round_that_was_paired_by_another_rule() {
    let (_folder, mut league) = league(8);
    league.begin_stage(StageFormat::Swiss { rounds: 2 }).expect("a stage");
    let stage = league.play_stage();
    let met = |pair: [usize; 2]| {
        let mut tables = stage.rounds()[0].tables.iter();
        tables.any(|table| table.bots == pair || table.bots == [pair[1], pair[0]])
    };
    // Two tables exchange opponents, so that nobody meets again.
    let tables = &stage.rounds()[1].tables;
    let exchanged = (0..4).flat_map(|one| (one + 1..4).map(move |other| (one, other))).find(|it| {
        let [a, b] = [tables[it.0].bots, tables[it.1].bots];
        !met([a[0], b[1]]) && !met([b[0], a[1]])
    });
    let (one, other) = exchanged.expect("two tables");
    let exchange = |line: &mut RoundLine| {
        let [a, b] = [line.tables[one].bots[1], line.tables[other].bots[1]];
        (line.tables[one].bots[1], line.tables[other].bots[1]) = (b, a);
    };
    // All bots are listed in the order of their seeds.
    let meet_again = |line: &mut RoundLine| {
        for (table, before) in line.tables.iter_mut().zip(&stage.rounds()[0].tables) {
            table.bots = before.bots.to_vec();
        }
    };
    type Change<'a> = (&'a dyn Fn(&mut RoundLine), bool);
    let changes: [Change<'_>; 2] = [(&exchange, true), (&meet_again, false)];
    for (change, reads) in changes {
        let (_copy, path) = copied(&league);
        rewrite(&path, |lines| {
            let last = lines.iter_mut().rev().find_map(|line| match line {
                LeagueLine::Round(round) => Some(round),
                _ => None,
            });
            change(last.expect("a round"));
        });
        let read = league::folder::LeagueFolder::open(&path).and_then(|folder| folder.read());
        assert_eq!(read.is_ok(), reads, "{:?}", read.err());
        let why = verdict(&path).expect_err("the pairing was changed");
        assert!(why.contains("do not follow the rule of the stage"), "{why}");
    }
}
