//! Equal bots share a rank, and no interval goes beyond what is possible.

use standings::output::{csv_rows, text};
use standings::{Estimate, Interval, Row, StandingsSetup, StandingsView};

use crate::tools::{game, setup, tally};

/// A game of which margins lie between -1 and 1.
fn of_one_point(bots: usize) -> StandingsSetup {
    StandingsSetup { widest: Some(1.0), ..setup(bots, 2) }
}

/// The games of a round robin, in which the first of each two bots wins in both seats.
fn round_robin(orders: &[(usize, usize)], deals: u64) -> Vec<standings::Game> {
    let deal = |deal| {
        orders.iter().flat_map(move |(winner, loser)| {
            [game(deal, &[*winner, *loser], &[1, 0]), game(deal, &[*loser, *winner], &[0, 1])]
        })
    };
    (0..deals).flat_map(deal).collect()
}

fn ranks(view: &StandingsView) -> Vec<(usize, &str)> {
    view.rows.iter().map(|row| (row.rank, row.name.as_str())).collect()
}

#[test]
fn equal_bots_share_a_rank_and_the_next_one_has_the_rank_that_it_would_have() {
    // `a` beats `b`, which beats `c`, which beats `a`, and all beat `d`.
    let games = round_robin(&[(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)], 6);
    let standings = tally(of_one_point(4), &games).standings();
    assert_eq!(ranks(&standings.all), [(1, "a"), (1, "b"), (1, "c"), (4, "d")]);
    let rows = csv_rows(&standings).expect("text");
    let told: Vec<&str> = rows.lines().skip(1).take(4).map(|line| &line[..6]).collect();
    assert_eq!(told, ["all,1,", "all,1,", "all,1,", "all,4,"]);
    let shown = text(&standings);
    for line in
        ["\n1     a ", "\n1     b ", "\n1     c ", "\n4     d ", "\nrank  bot      1      1"]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    // A single game more, and they are not equal any more.
    let more = [&games[..], &[game(9, &[1, 3], &[1, 0])]].concat();
    let ranks: Vec<usize> =
        tally(of_one_point(4), &more).standings().all.rows.iter().map(|row| row.rank).collect();
    assert_eq!(ranks.first(), Some(&1));
    assert_ne!(ranks, [1, 1, 1, 4]);
}

#[test]
fn bots_that_did_not_play_share_the_last_rank() {
    let games = round_robin(&[(0, 1)], 1);
    let standings = tally(of_one_point(4), &games).standings();
    assert_eq!(ranks(&standings.all), [(1, "a"), (2, "b"), (3, "c"), (3, "d")]);
}

#[test]
fn some_of_equal_bots_share_a_rank_too() {
    let games = round_robin(&[(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)], 6);
    let all = tally(of_one_point(4), &games).standings().all;
    assert_eq!(ranks(&all.of_some(&|name| name != "b")), [(1, "a"), (1, "c"), (3, "d")]);
    assert_eq!(ranks(&all.of_some(&|name| name > "b")), [(1, "c"), (2, "d")]);
}

fn is_within(estimate: Option<Estimate>, low: f64, high: f64) -> bool {
    let Some(Interval { low: least, high: most }) = estimate.and_then(|it| it.interval) else {
        return true;
    };
    least.is_none_or(|end| end >= low) && most.is_none_or(|end| end <= high)
}

#[test]
fn intervals_are_within_what_is_possible() {
    for deals in 1..40 {
        let mut games = round_robin(&[(0, 1)], deals);
        games.extend(round_robin(&[(1, 0)], deals / 3));
        let standings = tally(of_one_point(2), &games).standings();
        let mut shown = Vec::new();
        for Row { score, margin, .. } in &standings.all.rows {
            assert!(is_within(*score, 0.0, 1.0), "{deals} deals: {score:?}");
            assert!(is_within(*margin, -1.0, 1.0), "{deals} deals: {margin:?}");
            shown.push((*score, *margin));
        }
        // Neither does the form with ± lead beyond.
        for cell in text(&standings).split("  ").filter(|cell| cell.contains(" ± ")) {
            let (value, half) = cell.trim().split_once(" ± ").expect("two numbers");
            let (percent, most) =
                (value.strip_suffix('%'), if value.ends_with('%') { 100.0 } else { 1.0 });
            let least = if percent.is_some() { 0.0 } else { -1.0 };
            let value: f64 = percent.unwrap_or(value).parse().expect("a number");
            let half: f64 = half.parse().expect("a number");
            let rounding = 0.11;
            assert!(value + half <= most + rounding && value - half >= least - rounding, "{cell}");
        }
        assert_eq!(shown.len(), 2);
    }
}

#[test]
fn there_is_no_interval_where_it_would_say_nothing() {
    // Two deals, of which each bot won one: all of what is possible is still possible.
    let games = [round_robin(&[(0, 1)], 1), vec![game(1, &[0, 1], &[0, 1])]].concat();
    let standings = tally(of_one_point(2), &games).standings();
    for Row { score, margin, .. } in &standings.all.rows {
        assert!(score.is_some_and(|it| it.interval.is_none()), "{score:?}");
        assert!(margin.is_some_and(|it| it.interval.is_none()), "{margin:?}");
    }
    let note = "\nno interval: all deals had the same result, or there is too little data\n";
    assert!(text(&standings).contains(note), "{}", text(&standings));
    // One deal says nothing either.
    let one = tally(of_one_point(2), &round_robin(&[(0, 1)], 1)).standings();
    assert!(one.all.rows.iter().all(|row| row.score.is_some_and(|it| it.interval.is_none())));
}
