//! Standings of games that leave something open say nothing that they do not know.

use standings::{Estimate, Game, Row, StandingsSetup, StandingsView};

use crate::tools::{Chance, game, setup, tally};

fn view(setup: StandingsSetup, games: &[Game]) -> StandingsView {
    tally(setup, games).standings().all
}

fn row<'a>(view: &'a StandingsView, name: &str) -> &'a Row {
    view.rows.iter().find(|row| row.name == name).unwrap()
}

fn value(estimate: Option<Estimate>) -> f64 {
    estimate.unwrap().value
}

/// Games of two bots, one of each deal in either order, of which the first bot loses the last ones.
fn games_lost(deals: u64, lost: usize) -> Vec<Game> {
    let mut games: Vec<Game> = (0..deals)
        .flat_map(|deal| {
            [[0, 1], [1, 0]].map(|seats| game(deal, &seats, &seats.map(|bot| i32::from(bot == 0))))
        })
        .collect();
    for _ in 0..lost {
        games.pop();
    }
    let seats = [[1, 0], [0, 1]];
    let lost = seats.iter().take(lost);
    games.extend(lost.map(|seats| game(deals - 1, seats, &seats.map(|bot| bot as i32))));
    games
}

#[test]
fn twenty_to_nothing_is_surer_than_nineteen_to_one() {
    let all = |lost| view(setup(2, 2), &games_lost(10, lost));
    let (perfect, nearly) = (all(0), all(1));
    for view in [&perfect, &nearly] {
        let ranks = [0, 1].map(|row| view.rows[row].rank_interval.unwrap());
        assert_eq!(ranks.map(|ranks| (ranks.best, ranks.worst)), [(1, 1), (2, 2)]);
        assert!(view.crosstable[0].better.unwrap() > 0.99, "{:?}", view.crosstable);
    }
    let interval =
        |view: &StandingsView, row: usize| view.rows[row].rating.unwrap().interval.unwrap();
    // It wins all of 10 deals in one of 20 cases if it wins 74.1% of deals.
    let least = 200.0 * (0.05f64.powf(0.1) / (1.0 - 0.05f64.powf(0.1))).log10();
    let (best, worst) = (interval(&perfect, 0), interval(&perfect, 1));
    assert_eq!((best.high, worst.low), (None, None));
    // The prior is one game more for each, half won and half lost.
    assert!((least - 25.0..least).contains(&best.low.unwrap()), "{best:?}, {least}");
    assert!((best.low.unwrap() + worst.high.unwrap()).abs() < 1e-5);
    let nearly = interval(&nearly, 0);
    assert!(nearly.low < best.low && nearly.high.is_some_and(|high| high > 300.0), "{nearly:?}");
    let score = perfect.rows[0].score.unwrap();
    let low = score.interval.unwrap().low.unwrap();
    assert!((low - 0.05f64.powf(0.1)).abs() < 1e-6 && score.value == 1.0, "{score:?}");
}

#[test]
fn below_five_deals_ratings_have_no_interval() {
    for deals in 1..8 {
        for lost in 0..3 {
            let view = view(setup(2, 2), &games_lost(deals, lost));
            let rating = view.rows[0].rating;
            let has_interval = rating.is_some_and(|rating| rating.interval.is_some());
            assert_eq!(has_interval, deals >= 5, "{deals} deals, {lost} lost: {view:?}");
            assert_eq!(view.rows[0].rank_interval.is_some(), deals >= 5);
            assert_eq!(view.crosstable[0].better.is_some(), deals >= 5);
        }
    }
}

#[test]
fn bots_beside_a_perfect_one_are_relative_to_those_that_can_be_compared() {
    // `a` wins everything, `b` and `c` are even on the whole, `d` loses everything.
    let tournament = |bots: &[usize]| -> Vec<Game> {
        let mut chance = Chance::new(8);
        let mut games = Vec::new();
        for deal in 0..40 {
            for (place, first) in bots.iter().enumerate() {
                for second in &bots[place + 1..] {
                    for seats in [[*first, *second], [*second, *first]] {
                        let points = match seats {
                            [1, 2] | [2, 1] => [chance.below(9) as i32, 4],
                            [first, second] => [second as i32, first as i32],
                        };
                        games.push(game(deal, &seats, &points));
                    }
                }
            }
        }
        games
    };
    let whole = view(setup(4, 2), &tournament(&[0, 1, 2, 3]));
    let alone = view(setup(4, 2), &tournament(&[1, 2]));
    assert_eq!(whole.groups.len(), 1);
    assert_eq!((whole.groups[0].bots.len(), whole.groups[0].anchors.join(" ")), (4, "b c".into()));
    let interval = |view: &StandingsView, name| row(view, name).rating.unwrap().interval.unwrap();
    let (perfect, hopeless) = (interval(&whole, "a"), interval(&whole, "d"));
    assert!(perfect.high.is_none() && perfect.low.is_some_and(|low| low > 200.0), "{perfect:?}");
    assert!(hopeless.low.is_none() && hopeless.high.is_some_and(|high| high < -200.0));
    // The games against `a` and `d` say nothing of these two, and the games of each other are others.
    for name in ["b", "c"] {
        let width = |view| interval(view, name).high.unwrap() - interval(view, name).low.unwrap();
        assert!((0.7..1.4).contains(&(width(&whole) / width(&alone))), "{name}");
    }
    let ranks = |name| row(&whole, name).rank_interval.unwrap();
    assert_eq!(["a", "d"].map(|name| (ranks(name).best, ranks(name).worst)), [(1, 1), (4, 4)]);
}

#[test]
fn groups_that_never_met_are_not_compared() {
    let mut chance = Chance::new(11);
    let mut games = Vec::new();
    for deal in 0..40 {
        for pair in [[0, 3], [1, 2], [2, 4]] {
            let mut points = || chance.below(9) as i32;
            games.push(game(deal, &pair, &[points(), points()]));
            games.push(game(deal, &[pair[1], pair[0]], &[points(), points()]));
        }
    }
    let all = view(setup(6, 2), &games);
    let bots: Vec<String> = all.groups.iter().map(|group| group.bots.join("")).collect();
    assert_eq!(bots, ["bce", "ad"]);
    let group = |name: &str| bots.iter().position(|bots| bots.contains(name));
    let order: Vec<_> = all.rows.iter().map(|row| group(&row.name)).collect();
    assert_eq!(order, [Some(0), Some(0), Some(0), Some(1), Some(1), None]);
    for row in 0..6 {
        for other in 0..6 {
            let is_one = row != other && order[row].is_some() && order[row] == order[other];
            assert_eq!(all.better(row, other).is_some(), is_one, "{row} {other}");
        }
    }
    for bots in &bots {
        let ratings = all.rows.iter().filter(|row| bots.contains(&row.name));
        let sum: f64 = ratings.map(|row| value(row.rating)).sum();
        assert!(sum.abs() < 1e-5, "{bots}: {sum}");
    }
    assert!(all.rows[0].rank_interval.is_some_and(|ranks| ranks.worst == 5), "{:?}", all.rows[0]);
    assert_eq!(row(&all, "f").rating, None);
}

#[test]
fn bots_of_which_games_say_nothing_have_no_rating() {
    // Each wins everything against the next.
    let chain = [[0, 1], [1, 0], [1, 2], [2, 1]];
    let games: Vec<Game> = (0..20)
        .flat_map(|deal| chain.map(|seats| game(deal, &seats, &seats.map(|bot| -(bot as i32)))))
        .collect();
    let all = view(setup(3, 2), &games);
    let names: String = all.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, "abc");
    assert_eq!(all.rows[1].rating, None);
    let ends = |row: usize| all.rows[row].rating.unwrap().interval.unwrap();
    assert!(ends(0).high.is_none() && ends(2).low.is_none());
    // Two that only won against the same third one are not told apart.
    let star = [[0, 2], [2, 0], [1, 2], [2, 1]];
    let games: Vec<Game> = (0..20)
        .flat_map(|deal| star.map(|seats| game(deal, &seats, &seats.map(|bot| -(bot as i32)))))
        .collect();
    let all = view(setup(3, 2), &games);
    assert_eq!(all.better(0, 1), None);
    assert!(all.better(0, 2).unwrap() > 0.99);
}

#[test]
fn an_infinite_advantage_of_the_seat_has_one_end_or_none() {
    let of = |result: fn(u64, usize) -> [i32; 2]| {
        let both = |deal| [[0, 1], [1, 0]].map(|seats| game(deal, &seats, &result(deal, seats[0])));
        let games: Vec<Game> = (0..20).flat_map(both).collect();
        view(setup(2, 2), &games).seat_advantage
    };
    let first_wins = of(|_, _| [1, 0]).unwrap().interval.unwrap();
    assert!(first_wins.high.is_none() && first_wins.low.unwrap() > 200.0, "{first_wins:?}");
    let second_wins = of(|_, _| [0, 1]).unwrap().interval.unwrap();
    assert_eq!(second_wins.high, first_wins.low.map(|low| -low));
    assert_eq!(second_wins.low, None);
    // One bot wins everything, and so in either seat.
    assert_eq!(of(|_, first| if first == 0 { [1, 0] } else { [0, 1] }), None);
    // The first seat loses in a game of one of the bots, so what it is worth is finite.
    let nearly = of(|deal, first| if deal == 3 && first == 0 { [0, 1] } else { [1, 0] });
    let nearly = nearly.unwrap().interval.unwrap();
    assert!(nearly.high.is_none() && nearly.low.is_some(), "{nearly:?}");
    let nearly = of(|deal, _| if deal == 3 { [0, 1] } else { [1, 0] }).unwrap().interval.unwrap();
    assert!(nearly.high.is_some() && nearly.low.is_some(), "{nearly:?}");
}
