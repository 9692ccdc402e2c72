//! Bots with equal ratings and scores: shared ranks, and tie-breaks.

use standings::output::{csv_rows, json, text};
use standings::pairing::tie_break::TieBreak;
use standings::{Game, Standings, StandingsSetup};

use crate::tools::{game, setup, tally};

/// Games of every two bots in both seats, where a letter names the winner of both games, or a stroke says
/// that each bot won the game in which it moved first.
fn round_robin(results: &[(&str, [i32; 2])]) -> Vec<Game> {
    let of_pair = |(deal, (result, points)): (u64, &(&str, [i32; 2]))| {
        let [one, other] = [0, 1].map(|place| usize::from(result.as_bytes()[place] - b'a'));
        let [high, low] = *points;
        match &result[2..] {
            ">" => {
                [game(deal, &[one, other], &[high, low]), game(deal, &[other, one], &[low, high])]
            }
            _ => [game(deal, &[one, other], &[high, low]), game(deal, &[other, one], &[high, low])],
        }
    };
    (0..).zip(results).flat_map(of_pair).collect()
}

/// Four bots: a has beaten b, b has beaten c, and c has beaten d; a lost to c, and drew with d.
///
/// Games won: a 2 + 0 + 1, b 0 + 2 + 1, c 0 + 2 + 2, d 0 + 1 + 1.
fn four() -> Vec<Game> {
    round_robin(&[
        ("ab>", [14, 11]),
        ("bc>", [25, 0]),
        ("cd>", [13, 12]),
        ("ca>", [15, 10]),
        ("ad=", [13, 12]),
        ("bd=", [13, 12]),
    ])
}

fn standings(games: &[Game], tie_breaks: &[TieBreak]) -> Standings {
    tally(StandingsSetup { tie_breaks: tie_breaks.to_vec(), ..setup(4, 2) }, games).standings()
}

fn ranks(standings: &Standings) -> Vec<(&str, usize, Option<TieBreak>)> {
    let rows = standings.all.rows.iter();
    rows.map(|row| (row.name.as_str(), row.rank, row.tie_break)).collect()
}

use TieBreak::{DirectEncounter, Margin, Points, Wins};

#[test]
fn bots_with_equal_ratings_and_scores_share_a_rank() {
    let standings = standings(&four(), &[]);
    let ranked = [("c", 1, None), ("a", 2, None), ("b", 2, None), ("d", 4, None)];
    assert_eq!(ranks(&standings), ranked);
    let text = text(&standings);
    assert!(text.contains("\nranked by rating, then score; ties share a rank\n"), "{text}");
    assert!(!text.contains("tie-break"), "{text}");
}

#[test]
fn the_first_tie_break_that_orders_them_decides() {
    let games = four();
    let order = |tie_breaks: &[TieBreak]| {
        let standings = standings(&games, tie_breaks);
        let ranks = ranks(&standings);
        assert_eq!((ranks[0], ranks[3]), (("c", 1, None), ("d", 4, None)));
        ranks[1..3]
            .iter()
            .map(|(name, rank, by)| ((*name).to_owned(), *rank, *by))
            .collect::<Vec<_>>()
    };
    let decided = |names: [&str; 2], by: TieBreak| {
        [(names[0].to_owned(), 2, Some(by)), (names[1].to_owned(), 3, Some(by))].to_vec()
    };
    // a has beaten b; b has 50 − 0 from c, and so the wider margin.
    assert_eq!(order(&[DirectEncounter, Margin]), decided(["a", "b"], DirectEncounter));
    assert_eq!(order(&[Margin, DirectEncounter]), decided(["b", "a"], Margin));
    // Each has won one match.
    assert_eq!(order(&[Wins, Points]), decided(["b", "a"], Points));
    assert_eq!(order(&[Wins]), [("a".to_owned(), 2, None), ("b".to_owned(), 2, None)]);
}

#[test]
fn every_format_says_which_one_decided() {
    let standings = standings(&four(), &[DirectEncounter, Margin]);
    let text = text(&standings);
    let note = "ranked by rating, then score; ties broken by direct-encounter, margin, then shared";
    assert!(text.contains(&format!("\n{note}\n")), "{text}");
    let row = |name: &str| text.lines().find(|line| line.split_whitespace().nth(1) == Some(name));
    assert!(row("a").is_some_and(|row| row.contains(" direct-encounter ")), "{text}");
    let csv = csv_rows(&standings).expect("text");
    let ends: Vec<&str> = csv.lines().take(5).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(ends, ["tie_break", "", "direct-encounter", "direct-encounter", ""]);
    let json: serde_json::Value =
        serde_json::from_str(&json(&standings).expect("text")).expect("JSON");
    assert_eq!(json["all"]["tie_breaks"], serde_json::json!(["direct-encounter", "margin"]));
    assert_eq!(json["all"]["rows"][1]["tie_break"], "direct-encounter");
    assert!(json["all"]["rows"][0].get("tie_break").is_none());
}

/// Before the first game all bots are tied, and no tie-break orders them.
#[test]
fn without_games_all_share_the_first_rank() {
    let standings = standings(&[], &TieBreak::ALL);
    assert!(ranks(&standings).iter().all(|(_, rank, by)| (*rank, *by) == (1, None)));
}
