//! Matches of a knockout are decided by play, and every result says how.

use league::line::{LeagueLine, PairingReason};
use league::stage::{Decider, DecisionCause, StageFormat, StageMatch, TableResult, output};
use serde_json::json;
use standings::pairing::knockout::ThirdPlace;

use super::paper::{PaperLeague, result};

const KNOCKOUT: StageFormat = StageFormat::Knockout { third: ThirdPlace::Shared };

/// The results of a final: of the match and of pairs on extra deals, in the order of the table.
type Results = Vec<TableResult>;

/// A pair of games on an extra deal.
fn pair(won: [u64; 2]) -> TableResult {
    result(won, [0, 0], [0, 0])
}

#[test]
fn a_tied_match_goes_on_with_extra_deals_until_one_leads() {
    let tied = || result([4, 4], [30, 30], [0, 0]);
    let even = || pair([1, 1]);
    let cases: [(&str, Results, usize, DecisionCause, &str); 12] = [
        ("games", vec![result([5, 3], [20, 30], [0, 0])], 0, DecisionCause::Games, "won 5 : 3"),
        (
            "one deal",
            vec![tied(), pair([0, 2])],
            1,
            DecisionCause::Deciders,
            "won 2 : 0 in extra deals",
        ),
        (
            "two deals",
            vec![tied(), even(), pair([0, 2])],
            1,
            DecisionCause::Deciders,
            "won 3 : 1 in extra deals",
        ),
        (
            "a win and a draw",
            vec![tied(), TableResult { drawn: 1, ..pair([1, 0]) }],
            0,
            DecisionCause::Deciders,
            "won 1 : 0 in extra deals, 1 drawn",
        ),
        (
            "points of the match",
            vec![result([4, 4], [30, 31], [0, 0]), even(), even()],
            1,
            DecisionCause::Points,
            "won on points",
        ),
        (
            "points of an extra deal",
            vec![tied(), even(), result([1, 1], [9, 8], [0, 0])],
            0,
            DecisionCause::Points,
            "won on points",
        ),
        ("the seed", vec![tied(), even(), even()], 0, DecisionCause::Seed, "better seed"),
        (
            "forfeits",
            vec![result([5, 3], [5, 3], [0, 2])],
            0,
            DecisionCause::Forfeit,
            "won by forfeit",
        ),
        (
            "a lead without forfeits",
            vec![result([6, 2], [6, 2], [0, 1])],
            0,
            DecisionCause::Games,
            "won 6 : 2",
        ),
        (
            "a forfeit in an extra deal",
            vec![tied(), result([0, 2], [0, 0], [2, 0])],
            1,
            DecisionCause::Forfeit,
            "won by forfeit",
        ),
        (
            "neither answered",
            vec![
                result([4, 4], [3, 4], [4, 4]),
                result([1, 1], [0, 0], [1, 1]),
                result([1, 1], [0, 0], [1, 1]),
            ],
            0,
            DecisionCause::NeitherAnswered,
            "better seed, neither answered",
        ),
        (
            "no game counts",
            vec![pair([0, 0]), pair([0, 0]), pair([0, 0])],
            0,
            DecisionCause::Seed,
            "better seed",
        ),
    ];
    for (what, results, winner, by, words) in cases {
        let mut league = PaperLeague::with_stage(2, KNOCKOUT, 2);
        for (pair, result) in results.iter().enumerate() {
            let line = league.announce().expect(what);
            let (deals, why) = match pair {
                0 => (4, PairingReason::Stage(StageMatch::Knockout(2))),
                pair => {
                    let (r#match, pair) = (StageMatch::Knockout(2), pair as u64);
                    (1, PairingReason::Decider(Decider { r#match, pair }))
                }
            };
            assert_eq!((line.deals, line.tables[0].why), (deals, why), "{what}");
            league.end(vec![*result]);
        }
        let stage = league.stage();
        assert!(stage.is_over(), "{what}");
        for round in stage.rounds() {
            let decision = *stage.decisions().of_table(&round.tables[0]).expect(what);
            assert_eq!((decision.side, decision.by), (Some(winner), by), "{what}");
            assert_eq!(output::decided(&decision), words, "{what}");
        }
        assert_eq!(stage.places()[0].seed, winner, "{what}");
    }
}

/// A stage of an earlier version has no key for extra deals, and its results list no forfeits.
#[test]
fn stages_of_earlier_versions_go_on_by_points_and_seeds() {
    for (points, winner, by) in
        [([3, 4], 1, DecisionCause::Points), ([3, 3], 0, DecisionCause::Seed)]
    {
        let old = json!({
            "stage": { "stage": 0, "name": "final", "format": { "knockout": { "third": "shared" } },
                "bots": ["bot-0@1", "bot-1@1"], "deals": 4, "tie_breaks": [] }
        });
        let line: LeagueLine = serde_json::from_value(old.clone()).expect("a line");
        assert_eq!(serde_json::to_value(&line).expect("JSON"), old);
        let mut league = PaperLeague::of_bots(2);
        league.take(line).expect("a stage");
        let played = result([4, 4], points, [4, 4]);
        let rule = league.stage().line.forfeits;
        assert!(league.play(&mut |_| played.with_rule(rule)));
        let stage = league.stage();
        assert!(stage.is_over());
        let decision = *stage.decisions().of_table(&stage.rounds()[0].tables[0]).expect("decided");
        assert_eq!((decision.side, decision.by), (Some(winner), by));
        let over = serde_json::to_value(&league.0.rounds()[0].over).expect("JSON");
        assert!(over["results"][0].get("forfeited").is_none(), "{over}");
    }
}

/// Whatever the results are: no match has more extra deals than the stage allows, each has a winner, and it goes on.
#[test]
fn every_knockout_ends_and_its_winners_go_on() {
    let mut state = 1u64;
    let mut next = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for bots in 2..12 {
        for deciders in [0, 1, 3] {
            let third = if bots > 3 { ThirdPlace::Played } else { ThirdPlace::Shared };
            let mut league =
                PaperLeague::with_stage(bots, StageFormat::Knockout { third }, deciders);
            while league.play(&mut |_| {
                let won = [next(3), next(3)];
                result(won, [next(2) as i32, next(2) as i32], [next(won[1] + 1), next(won[0] + 1)])
            }) {}
            let stage = league.stage();
            let decisions = stage.decisions();
            let mut losers = Vec::new();
            for table in stage.rounds().iter().flat_map(|round| &round.tables) {
                assert!(table.decider.is_none_or(|pair| pair <= deciders), "{table:?}");
                let decision = decisions.of_table(table).expect("decided");
                let side = decision.side.expect("no match of a knockout is a draw");
                if table.of != StageMatch::Third && table.decider.is_none() {
                    assert!(!table.bots.iter().any(|bot| losers.contains(bot)), "{table:?}");
                    losers.push(table.bots[1 - side]);
                }
            }
            let places = stage.places();
            assert_eq!(places.len(), bots, "{places:?}");
            assert_eq!(places[0].rank, [1, 1]);
        }
    }
}

#[test]
fn each_row_of_a_group_says_what_separates_it() {
    let two = std::num::NonZeroUsize::new(2).expect("not 0");
    let one = std::num::NonZeroUsize::MIN;
    let format = league::stage::GroupFormat { groups: two, first: one, third: ThirdPlace::Shared };
    let mut league = PaperLeague::with_stage(6, StageFormat::Groups(format), 1);
    // The bots of the first group are 0, 3 and 4, each of which beats one; those of the second 1, 2 and 5.
    league.play(&mut |bots| match bots {
        [0, 3] | [3, 0] if bots[0] == 0 => result([3, 1], [3, 1], [0, 0]),
        [3, 0] => result([1, 3], [1, 3], [0, 0]),
        [3, 4] => result([3, 1], [3, 1], [0, 0]),
        [4, 3] => result([1, 3], [1, 3], [0, 0]),
        [4, 0] => result([3, 1], [3, 1], [0, 0]),
        [0, 4] => result([1, 3], [1, 3], [0, 0]),
        bots if bots[0] < bots[1] => result([3, 1], [3, 1], [0, 0]),
        _ => result([1, 3], [1, 3], [0, 0]),
    });
    let groups = league.stage().groups();
    let told = |group: usize| {
        let rows = groups[group].iter().map(output::separated_by);
        rows.collect::<Vec<_>>()
    };
    assert_eq!(told(0), ["better seed", "better seed", "better seed"]);
    assert_eq!(told(1), ["match points", "match points", "match points"]);
    let value = output::value(league.stage());
    assert_eq!(value["places"][0]["separated_by"], json!(["seed"]), "{value}");
    // The first of two groups have the same points there, and the final separates them.
    let mut text = Vec::new();
    output::tell(league.stage(), &mut text).expect("text");
    let text = String::from_utf8(text).expect("UTF-8");
    for words in ["group points", "separated in the group by", "the knockout ranks those"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
