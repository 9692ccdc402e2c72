//! Bots that leave a stage: what becomes of their matches, by the rule of each format.

use std::num::NonZeroUsize;

use league::line::{LeagueLine, VoidLine, WithdrawLine};
use league::stage::{DecisionCause, GroupFormat, StageFormat, TableResult, output};
use serde_json::json;
use standings::pairing::knockout::ThirdPlace;

use super::paper::{PaperLeague, bot, result};

const KNOCKOUT: StageFormat = StageFormat::Knockout { third: ThirdPlace::Shared };

/// The better seed wins.
fn seeds(bots: [usize; 2]) -> TableResult {
    let won = if bots[0] < bots[1] { [3, 1] } else { [1, 3] };
    result(won, won.map(|won| won as i32), [0, 0])
}

fn groups(groups: usize, first: usize) -> StageFormat {
    let number = |number| NonZeroUsize::new(number).expect("not 0");
    let (groups, first) = (number(groups), number(first));
    StageFormat::Groups(GroupFormat { groups, first, third: ThirdPlace::Shared })
}

#[test]
fn before_the_first_round_the_next_seeds_move_up() {
    let mut league = PaperLeague::with_stage(5, KNOCKOUT, 0);
    league.leaves(1, None);
    while league.play(&mut seeds) {}
    let stage = league.stage();
    let tables = stage.rounds().iter().map(|round| round.tables.iter().map(|it| it.bots).collect());
    let tables: Vec<Vec<[usize; 2]>> = tables.collect();
    assert_eq!(tables, [vec![[0, 4], [2, 3]], vec![[0, 2]]]);
    let places = league.places();
    assert_eq!(places, [(0, [1, 1]), (2, [2, 2]), (3, [3, 4]), (4, [3, 4]), (1, [5, 5])]);
    // With one bot left there is nothing to play.
    let mut league = PaperLeague::with_stage(2, KNOCKOUT, 0);
    league.leaves(0, None);
    assert!(league.stage().is_over());
    assert_eq!(league.places(), [(1, [1, 1]), (0, [2, 2])]);
}

#[test]
fn in_a_knockout_the_opponent_advances_by_withdrawal() {
    // A bot leaves between the rounds, one while its match is played, and one that is out.
    let mut league = PaperLeague::with_stage(8, KNOCKOUT, 2);
    league.play(&mut seeds);
    league.leaves(7, None);
    league.leaves(3, Some("copied"));
    league.announce().expect("the other semifinal");
    assert_eq!(league.tables(), [[1, 2]]);
    league.leaves(1, None);
    league.end(vec![seeds([1, 2])]);
    league.play(&mut seeds);
    let stage = league.stage();
    assert!(stage.is_over());
    let decisions = stage.decisions();
    let by = |place: usize| decisions.all()[place].1;
    let names: Vec<String> = decisions
        .all()
        .iter()
        .map(|(table, it)| format!("{:?} {}", table.bots, output::decided(it)))
        .collect();
    let expected = [
        "[0, 7] won 3 : 1",
        "[3, 4] won 3 : 1",
        "[1, 6] won 3 : 1",
        "[2, 5] won 3 : 1",
        "[0, 3] won by withdrawal",
        "[1, 2] won by withdrawal",
        "[0, 2] won 3 : 1",
    ];
    assert_eq!(names, expected);
    assert_eq!((by(5).side, by(5).by), (Some(1), DecisionCause::Withdrawal));
    assert_eq!(stage.walkovers().iter().map(|it| it.bots).collect::<Vec<_>>(), [[0, 3]]);
    assert_eq!(league.places()[..2], [(0, [1, 1]), (2, [2, 2])]);
    let left = output::leavers(stage);
    let expected = [
        "bot-7@1 left after 1 round",
        "bot-3@1 was disqualified after 1 round: copied",
        "bot-1@1 left after 1 round",
    ];
    assert_eq!(left, expected);
    let value = output::value(stage);
    assert_eq!(value["walkovers"][0]["winner"], "bot-0@1", "{value}");
    let withdrawn = json!({"bot": "bot-7@1", "rounds": 1, "how": "withdrawn", "reason": null});
    assert_eq!(value["left"][0], withdrawn, "{value}");
    assert_eq!(value["left"][1]["how"], json!("disqualified"), "{value}");
    let lost = output::last_match(&decisions, 3);
    assert_eq!(lost.as_deref(), Some("semifinal: lost by withdrawal"));
}

#[test]
fn a_disqualified_bot_does_not_win_the_final_that_is_played() {
    for tied in [false, true] {
        let mut league = PaperLeague::with_stage(2, KNOCKOUT, 3);
        if tied {
            league.play(&mut |_| result([2, 2], [0, 0], [0, 0]));
        }
        league.announce().expect("a round");
        league.leaves(0, Some("copied"));
        league.end(vec![result([2, 0], [2, 0], [0, 0])]);
        assert!(league.stage().is_over());
        assert_eq!(league.places(), [(1, [1, 1]), (0, [2, 2])]);
    }
    // If both leave, the one that left later is first.
    let mut league = PaperLeague::with_stage(2, KNOCKOUT, 3);
    league.announce().expect("a round");
    league.leaves(0, Some("copied"));
    league.leaves(1, None);
    league.aborts();
    assert!(league.stage().is_over());
    assert_eq!(league.stage().rounds().len(), 0);
}

#[test]
fn a_tied_match_whose_bot_leaves_has_no_further_extra_deals() {
    let mut league = PaperLeague::with_stage(4, KNOCKOUT, 3);
    league.play(&mut |_| result([2, 2], [0, 0], [0, 0]));
    league.leaves(3, None);
    league.announce().expect("an extra deal of the other match");
    assert_eq!(league.tables(), [[1, 2]]);
    league.end(vec![result([2, 0], [0, 0], [0, 0])]);
    league.announce().expect("the final");
    assert_eq!(league.tables(), [[0, 1]]);
}

#[test]
fn in_a_swiss_stage_a_bot_that_left_is_paired_no_more() {
    let mut league = PaperLeague::with_stage(6, StageFormat::Swiss { rounds: 4 }, 0);
    league.play(&mut seeds);
    league.announce().expect("a round");
    let [one, other] = league.tables()[0];
    league.leaves(one, None);
    let results = league.tables().into_iter().map(seeds).collect();
    league.end(results);
    let decisions = league.stage().decisions();
    let broken =
        decisions.of_table(&league.stage().rounds()[1].tables[0]).copied().expect("decided");
    assert_eq!((broken.side, broken.by), (Some(1), DecisionCause::Withdrawal));
    let points = |league: &PaperLeague, bot: usize| {
        let places = league.stage().places();
        places.iter().find(|place| place.seed == bot).and_then(|place| place.half_points)
    };
    assert_eq!(points(&league, one), Some(2), "it keeps the point of the first round");
    assert_eq!(points(&league, other), Some(4), "the opponent has a point");
    while league.play(&mut seeds) {}
    let stage = league.stage();
    assert_eq!(stage.rounds().len(), 4);
    for round in &stage.rounds()[2..] {
        assert_eq!((round.tables.len(), round.bye.is_some()), (2, true));
        assert!(
            round.tables.iter().all(|table| !table.bots.contains(&one)) && round.bye != Some(one)
        );
    }
    assert_eq!(points(&league, one), Some(2));
    assert_eq!(stage.places().len(), 6);
}

#[test]
fn matches_in_groups_are_void_before_their_end_and_count_afterwards() {
    // The groups are 0, 3, 4 and 1, 2, 5.
    let mut league = PaperLeague::with_stage(6, groups(2, 1), 0);
    league.announce().expect("the groups");
    league.leaves(3, None);
    let results = league.tables().into_iter().map(seeds).collect();
    league.end(results);
    let told = |league: &PaperLeague, group: usize| -> Vec<(usize, Option<u64>, String)> {
        let rows = league.stage().groups()[group].clone();
        rows.iter().map(|row| (row.seed, row.half_points, output::separated_by(row))).collect()
    };
    let points = "match points".to_owned();
    let left = (3, None, "left the stage".to_owned());
    assert_eq!(
        told(&league, 0),
        [(0, Some(2), points.clone()), (4, Some(0), points.clone()), left]
    );
    // The first of the other group leaves: its matches count, and the second one advances.
    league.leaves(1, None);
    let all = [(1, Some(4)), (2, Some(2)), (5, Some(0))];
    assert_eq!(
        told(&league, 1),
        all.map(|(seed, half)| (seed, Some(half.unwrap_or(0)), points.clone()))
    );
    league.announce().expect("the final");
    assert_eq!(league.tables(), [[0, 2]]);
    league.end(vec![seeds([0, 2])]);
    assert_eq!(league.places()[..2], [(0, [1, 1]), (2, [2, 2])]);
    assert_eq!(league.places().len(), 6);
}

#[test]
fn a_group_that_too_many_have_left_sends_fewer() {
    let mut league = PaperLeague::with_stage(6, groups(2, 2), 0);
    league.announce().expect("the groups");
    league.leaves(3, None);
    league.leaves(4, None);
    let results = league.tables().into_iter().map(seeds).collect();
    league.end(results);
    league.announce().expect("a semifinal");
    assert_eq!(league.tables(), [[1, 2]], "the first seed has a bye");
    // Before the groups begin, they are drawn without those that left.
    let mut league = PaperLeague::with_stage(4, groups(2, 1), 0);
    league.leaves(0, None);
    league.announce().expect("one group");
    assert_eq!(league.tables().len(), 3);
    assert!(league.tables().iter().all(|bots| !bots.contains(&0)));
}

#[test]
fn a_round_that_is_played_again_is_played_without_those_that_left() {
    for is_void in [false, true] {
        let mut league = PaperLeague::with_stage(4, KNOCKOUT, 0);
        league.announce().expect("a round");
        assert_eq!(league.tables(), [[0, 3], [1, 2]]);
        match is_void {
            false => {
                league.leaves(2, None);
                league.aborts();
            }
            true => {
                league.end(vec![seeds([0, 3]), seeds([1, 2])]);
                league.leaves(2, None);
                let void = VoidLine {
                    round: Some(0),
                    games: Vec::new(),
                    bot: None,
                    reason: "a flood".to_owned(),
                };
                league.take(LeagueLine::Void(void)).expect("it fits");
            }
        }
        league.announce().expect("a round");
        assert_eq!(league.tables(), [[1, 3]], "three bots are left, and the first has a bye");
    }
}

#[test]
fn a_bot_can_leave_the_stage_alone_and_not_twice() {
    let mut league = PaperLeague::with_stage(4, KNOCKOUT, 0);
    let line = |stage: u64, number: usize| {
        let reason = "its files are gone".to_owned();
        LeagueLine::Withdraw(WithdrawLine { stage, bot: bot(number), reason })
    };
    league.take(line(0, 1)).expect("it plays");
    assert_eq!(league.0.active().count(), 4);
    for (stage, number) in [(0, 1), (1, 2), (0, 9)] {
        let problem = league.take(line(stage, number)).expect_err("wrong");
        assert!(problem.contains("where it does not play"), "{problem}");
    }
    assert_eq!(
        output::leavers(league.stage()),
        ["bot-1@1 left after 0 rounds: its files are gone"]
    );
}

/// Logs of earlier versions go on with bots that have left.
#[test]
fn bots_stay_in_stages_of_earlier_versions() {
    let mut league = PaperLeague::of_bots(3);
    let old = json!({
        "stage": { "stage": 0, "name": "final", "format": { "swiss": { "rounds": 2 } },
            "bots": ["bot-0@1", "bot-1@1", "bot-2@1"], "deals": 4, "tie_breaks": [] }
    });
    league.take(serde_json::from_value(old).expect("a line")).expect("a stage");
    let rule = league.stage().line.forfeits;
    league.play(&mut |bots| seeds(bots).with_rule(rule));
    league.leaves(0, Some("copied"));
    league.announce().expect("a round");
    let round = &league.stage().rounds()[1];
    assert!(round.bye == Some(0) || round.tables[0].bots.contains(&0), "{round:?}");
    assert!(league.stage().leavers().all().is_empty());
}

#[test]
fn the_warning_says_what_follows() {
    let warning = |league: &PaperLeague, number| output::if_it_leaves(league.stage(), number);
    let mut league = PaperLeague::with_stage(4, KNOCKOUT, 0);
    assert!(warning(&league, 0).contains("bot-0@1 leaves before the first round"));
    league.announce().expect("a round");
    assert!(warning(&league, 0).ends_with("concedes the current match to bot-3@1"));
    league.end(vec![seeds([0, 3]), seeds([1, 2])]);
    assert!(warning(&league, 0).ends_with("concedes its next match"));
    assert!(warning(&league, 3).ends_with("no result changes"));
    let mut league = PaperLeague::with_stage(4, StageFormat::Swiss { rounds: 2 }, 0);
    league.announce().expect("a round");
    assert!(warning(&league, 0).contains("bot-2@1 gets the point"), "{}", warning(&league, 0));
    let results = league.tables().into_iter().map(seeds).collect();
    league.end(results);
    assert!(warning(&league, 0).ends_with("bot-0@1 keeps its points and is no longer paired"));
    let mut league = PaperLeague::with_stage(4, groups(2, 1), 0);
    league.announce().expect("a round");
    assert!(warning(&league, 0).ends_with("all of its matches are void"));
    let results = league.tables().into_iter().map(seeds).collect();
    league.end(results);
    assert!(warning(&league, 0).ends_with("the next bot in its group advances"));
}
