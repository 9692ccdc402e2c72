//! Tie-breaks.

use standings::Entrant;
use standings::pairing::Outcome;
use standings::pairing::tie_break::{Entry, Meeting, Ranking, Tie, TieBreak, ranks};

use crate::tools::swiss::tournaments;

/// A meeting as `0+1 20:14`: the mark is of the first bot, and points may be left out.
fn meeting(text: &str) -> Meeting {
    let (pair, points) = text.split_once(' ').unwrap_or((text, "0:0"));
    let place = pair.find(['+', '=', '-']).expect("a mark");
    let outcome = match &pair[place..=place] {
        "+" => Outcome::One,
        "=" => Outcome::Draw,
        _ => Outcome::Other,
    };
    let bots = [&pair[..place], &pair[place + 1..]];
    let (one, other) = points.split_once(':').expect("points of both");
    let points = [one, other].map(|points| points.parse().expect("points"));
    Meeting { bots: bots.map(|bot| Entrant(bot.parse().expect("a bot"))), outcome, points }
}

/// Entries with the scores that follow from the meetings and from byes.
fn entries(bots: usize, meetings: &[Meeting], byes: &[usize]) -> Vec<Entry> {
    let entry = |bot: usize| {
        let byes = byes.iter().filter(|bye| **bye == bot).count() as u16;
        let won = meetings.iter().flat_map(|it| it.bots.into_iter().zip(it.outcome.half_points()));
        let own = won.filter(|(other, _)| other.0 == bot).map(|(_, points)| u64::from(points));
        Entry { bot: Entrant(bot), score: own.sum::<u64>() + 2 * u64::from(byes), byes }
    };
    (0..bots).map(entry).collect()
}

fn ranking(bots: usize, meetings: &str, byes: &[usize], list: &[TieBreak]) -> Ranking {
    let meetings: Vec<Meeting> = meetings.split(", ").map(meeting).collect();
    ranks(&entries(bots, &meetings, byes), &meetings, list).expect("a ranking")
}

fn places(ranking: &Ranking) -> Vec<(usize, usize)> {
    ranking.places.iter().map(|(bot, rank)| (bot.0, *rank)).collect()
}

fn tie(bots: &[usize], decided_by: Option<TieBreak>) -> Tie {
    Tie { bots: bots.iter().copied().map(Entrant).collect(), decided_by }
}

use TieBreak::{Buchholz, BuchholzCut1, DirectEncounter, Margin, Points, SonnebornBerger, Wins};

#[test]
fn without_tie_breaks_equal_scores_share_ranks() {
    let ranking = ranking(3, "0=1, 1=2, 0=2", &[], &[]);
    assert_eq!(places(&ranking), [(0, 1), (1, 1), (2, 1)]);
    assert_eq!(ranking.ties, [tie(&[0, 1, 2], None)]);
}

/// A circle of equals has no first one; and a bot that has beaten all others that are tied is before
/// them, but one that has not met all of them might not be.
#[test]
fn direct_encounters_decide_where_no_other_result_can() {
    let of = |meetings| {
        let found = ranking(8, meetings, &[], &[DirectEncounter]);
        found.ties.into_iter().next().expect("a tie")
    };
    assert_eq!(of("0+1, 1+2, 2+0"), tie(&[0, 1, 2], None));
    // 0 has beaten 1 and 2, which have not met.
    assert_eq!(of("0+1, 0+2, 1+5, 1+6, 2+5, 2+6"), tie(&[0, 1, 2], Some(DirectEncounter)));
    // 0 has beaten 1, and neither has met 2.
    assert_eq!(of("0+1, 1+5, 2+6"), tie(&[0, 1, 2], None));
}

#[test]
fn direct_encounters_are_applied_again_to_those_who_are_still_tied() {
    // Among all four, 0 and 1 have two wins each, 2 and 3 one each; then 1 has beaten 0, and 2 has
    // beaten 3.
    let found = ranking(6, "1+0, 0+2, 0+3, 1+2, 3+1, 2+3, 2+4, 3+4", &[], &[DirectEncounter]);
    assert_eq!(places(&found)[..4], [(1, 1), (0, 2), (2, 3), (3, 4)]);
    assert_eq!(found.ties[0], tie(&[1, 0, 2, 3], Some(DirectEncounter)));
}

/// Ranks by Buchholz, Sonneborn-Berger and the others are those of another implementation.
#[test]
fn ranks_are_those_of_another_implementation() {
    let mut different = Vec::new();
    let mut compared = 0;
    for (number, played) in tournaments().iter().enumerate() {
        let tables = played.rounds.iter().flat_map(|round| &round.tables);
        let meetings: Vec<Meeting> = tables
            .map(|it| Meeting { bots: [it.one, it.other], outcome: it.outcome, points: [0, 0] })
            .collect();
        let byes: Vec<usize> =
            played.rounds.iter().filter_map(|round| Some(round.bye?.0)).collect();
        let entries = entries(played.stage.players(), &meetings, &byes);
        for (name, expected) in &played.ranks {
            let tie_break = match name.as_str() {
                "DE" => DirectEncounter,
                "BH" => Buchholz,
                "BH/C1" => BuchholzCut1,
                "SB" => SonnebornBerger,
                _ => Wins,
            };
            let ranking = ranks(&entries, &meetings, &[tie_break]).expect("a ranking");
            let mut found = vec![0; expected.len()];
            ranking.places.iter().for_each(|(bot, rank)| found[bot.0] = *rank);
            compared += 1;
            if found != *expected {
                different.push(format!("line {}, {name}: {found:?}, not {expected:?}", number + 1));
            }
        }
    }
    println!("{} of {compared} rankings are different", different.len());
    assert!(compared > 0 && different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn ties_that_one_leaves_go_to_the_next() {
    let meetings = "0+1 3:1, 1+2 5:0, 2+0 9:8, 3+0 1:0, 3+1 1:0, 3+2 1:0";
    let found = ranking(4, meetings, &[], &[DirectEncounter, Wins, Margin, Points]);
    // Margins: 0 has 2 − 1 − 1, 1 has −2 + 5 − 1, 2 has −5 + 1 − 1.
    assert_eq!(places(&found), [(3, 1), (1, 2), (0, 3), (2, 4)]);
    assert_eq!(found.ties, [tie(&[1, 0, 2], Some(Margin))]);
}

#[test]
fn a_bye_is_a_meeting_with_oneself_for_buchholz() {
    // One round of three bots: 0 beats 1, and 2 has a bye. The opponent of 0 has nothing, and the dummy
    // of 2 has half a point, since a dummy has half a point a round at most.
    let found = ranking(3, "0+1", &[2], &[Buchholz]);
    assert_eq!(places(&found), [(2, 1), (0, 2), (1, 3)]);
    let found = ranking(3, "0+1", &[2], &[Wins]);
    assert_eq!(places(&found), [(0, 1), (2, 1), (1, 3)]);
}

#[test]
fn entries_and_meetings_must_fit() {
    let entry = |bot| Entry { bot: Entrant(bot), score: 0, byes: 0 };
    let cases = [
        (vec![entry(0), entry(0)], "", "bot 0 has two scores, expected one"),
        (vec![entry(0)], "0+1", "bot 1 has met a bot without a score"),
        (vec![entry(0)], "0+0", "bot 0 has met itself, expected two bots"),
    ];
    for (entries, met, expected) in cases {
        let meetings: Vec<Meeting> =
            met.split(", ").filter(|it| !it.is_empty()).map(meeting).collect();
        let refused = ranks(&entries, &meetings, &[]).expect_err("no ranking");
        assert_eq!(refused.to_string(), expected);
    }
}

#[test]
fn names_are_read_as_they_are_written() {
    for tie_break in TieBreak::ALL {
        assert_eq!(tie_break.to_string().parse(), Ok(tie_break));
        let json = serde_json::to_string(&tie_break).unwrap();
        assert_eq!(json, format!("\"{tie_break}\""));
        assert_eq!(serde_json::from_str::<TieBreak>(&json).unwrap(), tie_break);
    }
    let told = "unknown tie-break `bucholz`: use one of direct-encounter, buchholz, \
                buchholz-cut-1, sonneborn-berger, wins, points, margin";
    assert_eq!("bucholz".parse::<TieBreak>().unwrap_err().to_string(), told);
    assert!(
        serde_json::from_str::<TieBreak>("\"bucholz\"").unwrap_err().to_string().contains(told)
    );
}
