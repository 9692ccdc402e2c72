//! Stages by double elimination: their rounds, their ends and the bots that leave them.

use std::collections::BTreeMap;

use league::line::{LeagueLine, PairingReason};
use league::stage::{DecisionCause, StageFormat, StageMatch, TableResult, output};
use rules::GameKind;
use serde_json::json;
use tempfile::TempDir;

use super::forged::{copied, rewrite, verdict};
use super::made::MadeLeague;
use super::paper::{PaperLeague, result};

const DOUBLE: StageFormat = StageFormat::DoubleElimination;

/// The better seed wins.
fn seeds(bots: [usize; 2]) -> TableResult {
    if bots[0] < bots[1] { wins(0) } else { wins(1) }
}

fn wins(side: usize) -> TableResult {
    let won = if side == 0 { [3, 1] } else { [1, 3] };
    result(won, won.map(|won| won as i32), [0, 0])
}

/// Results and leavers are random.
#[test]
fn each_bot_but_the_winner_loses_twice_and_all_have_places() {
    let mut state = 1u64;
    let mut next = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for bots in 2..=33 {
        for (deciders, leaves) in [(0, false), (2, false), (1, true)] {
            let mut league = PaperLeague::with_stage(bots, DOUBLE, deciders);
            let mut gone = Vec::new();
            loop {
                let leaver = next(3 * bots as u64) as usize;
                if leaves && leaver < bots && !gone.contains(&leaver) && !league.stage().is_over() {
                    league.leaves(leaver, None);
                    gone.push(leaver);
                }
                if !league.play(&mut |_| result([next(3), next(3)], [0, next(2) as i32], [0, 0])) {
                    break;
                }
            }
            let stage = league.stage();
            let decisions = stage.decisions();
            let mut lost: BTreeMap<usize, usize> = BTreeMap::new();
            for (table, decision) in decisions.all() {
                let side = decision.side.expect("no match is a draw");
                *lost.entry(table.bots[1 - side]).or_default() += 1;
                if table.bots.iter().all(|bot| !gone.contains(bot)) {
                    assert_ne!(decision.by, DecisionCause::Withdrawal, "{table:?}");
                }
            }
            let places = league.places();
            let winner = places[0].0;
            assert_eq!((places.len(), places[0].1), (bots, [1, 1]), "{places:?}");
            // Those that left before the first round had no match.
            let drawn = |bot: &usize| decisions.all().iter().any(|(it, _)| it.bots.contains(bot));
            for bot in (0..bots).filter(drawn) {
                let lost = lost.get(&bot).copied().unwrap_or(0);
                assert!(if bot == winner { lost < 2 } else { lost == 2 }, "{bots}: {bot} {lost}");
            }
            let mut rank = 0;
            while let Some((_, [first, last])) = places.get(rank).copied() {
                assert_eq!(first, rank + 1, "{places:?}");
                assert!(places[rank..last].iter().all(|(_, of)| *of == [first, last]));
                rank = last;
            }
        }
    }
}

#[test]
fn each_match_has_a_name_and_says_how_it_was_decided() {
    let mut league = PaperLeague::with_stage(5, DOUBLE, 1);
    let mut matches = Vec::new();
    // The winner of the losers' bracket wins the first final on an extra deal.
    while league.announce().is_some() {
        let round = league.stage().rounds().last().expect("a round").clone();
        let results = round.tables.iter().map(|table| match (table.of, table.decider) {
            (StageMatch::Final, None) => result([2, 2], [0, 0], [0, 0]),
            (StageMatch::Final, Some(_)) => result([0, 2], [0, 0], [0, 0]),
            _ => seeds(table.bots),
        });
        league.end(results.collect());
        let names =
            round.tables.iter().map(|it| format!("{} {:?}", output::table_name(it), it.bots));
        let byes = league.stage().byes(&round).into_iter().map(|bot| format!("bye {bot}"));
        matches.push(names.chain(byes).collect::<Vec<_>>());
    }
    let expected: [&[&str]; 7] = [
        &["winners' round of 8 [3, 4]", "bye 0", "bye 1", "bye 2"],
        &["winners' semifinal [0, 3]", "winners' semifinal [1, 2]", "bye 4"],
        &["losers' round 2 [4, 2]", "bye 3"],
        &["winners' final [0, 1]", "losers' round 3 [2, 3]"],
        &["losers' final [2, 1]"],
        &["grand final [0, 1]"],
        &["grand final, extra deal 1 [0, 1]"],
    ];
    assert_eq!(matches[..7], expected);
    assert_eq!(matches[7..], [["second final [0, 1]"]]);
    let stage = league.stage();
    let decisions = stage.decisions();
    let last = |seed: usize| output::last_match(&decisions, seed).expect("a match");
    let told = [0, 1, 2, 4].map(last);
    let expected = [
        "second final: won 3 : 1",
        "second final: lost 1 : 3",
        "losers' final: lost 1 : 3",
        "losers' round 2: lost 1 : 3",
    ];
    assert_eq!(told, expected);
    let places = [(0, [1, 1]), (1, [2, 2]), (2, [3, 3]), (3, [4, 4]), (4, [5, 5])];
    assert_eq!(league.places(), places);
    let value = output::value(stage);
    assert_eq!(value["format"], "double-elimination");
    let of = |round: usize, table: usize| value["rounds"][round]["matches"][table]["match"].clone();
    assert_eq!(of(3, 0), json!({ "winners": 2 }));
    assert_eq!(of(3, 1), json!({ "losers": { "round": 3, "of": 4 } }));
    assert_eq!((of(5, 0), of(7, 0)), (json!("final"), json!("second-final")));
    assert_eq!(value["rounds"][5]["matches"][0]["decided"], "deciders");
}

#[test]
fn a_bot_that_leaves_loses_its_match_and_all_later_ones() {
    let mut league = PaperLeague::with_stage(4, DOUBLE, 0);
    league.play(&mut seeds);
    league.announce().expect("a round");
    let warning = output::if_it_leaves(league.stage(), 0);
    let expected = "concedes the current match to bot-1@1, and all later ones";
    assert!(warning.ends_with(expected), "{warning}");
    league.leaves(0, Some("copied"));
    let results = league.tables().into_iter().map(seeds).collect();
    league.end(results);
    assert!(output::if_it_leaves(league.stage(), 1).ends_with("concedes all of its matches"));
    while league.play(&mut seeds) {}
    let stage = league.stage();
    let decisions = stage.decisions();
    let lost = decisions.all().iter().filter(|(_, it)| it.by == DecisionCause::Withdrawal);
    let lost: Vec<String> = lost.map(|(table, _)| output::match_name(table.of)).collect();
    assert_eq!(lost, ["winners' final", "losers' final"]);
    assert_eq!(stage.walkovers().len(), 1);
    assert_eq!(league.places(), [(1, [1, 1]), (2, [2, 2]), (0, [3, 3]), (3, [4, 4])]);
}

#[test]
fn a_stage_that_was_played_verifies_and_other_tables_do_not() {
    let folder = TempDir::new().expect("a folder");
    let kind: GameKind = "tablic".parse().expect("a game");
    let mut league = MadeLeague::new(&folder.path().join("class"), &kind);
    for (bot, command) in [("ann", "greedy"), ("ben", "random"), ("cem", "greedy")] {
        league.enter(bot, command);
    }
    league.begin_stage_with(DOUBLE, 1).expect("a stage");
    let stage = league.play_stage();
    assert_eq!(stage.places().len(), 3);
    verdict(league.folder.path()).expect("it is in order");
    let (_copy, path) = copied(&league);
    rewrite(&path, |lines| {
        let last = lines.iter_mut().rev().find_map(|line| match line {
            LeagueLine::Round(round) => Some(&mut round.tables[0].why),
            _ => None,
        });
        *last.expect("a round") = PairingReason::Stage(StageMatch::Losers { round: 1, of: 2 });
    });
    let why = verdict(&path).expect_err("another match");
    assert!(why.contains("do not follow the rule of the stage"), "{why}");
}
