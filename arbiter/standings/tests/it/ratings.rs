//! Ratings against formulas, and against a slow search that shares nothing with the fast one.

use std::cmp::Reverse;

use standings::output::notes;
use standings::{Game, Model, ReplicateCount, StandingsSetup, StandingsView};

use crate::tools::{self, Chance, game, setup, tally};

/// Points of Elo for a factor of e.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

fn view(setup: StandingsSetup, games: &[Game]) -> StandingsView {
    let setup = StandingsSetup { replicates: ReplicateCount::LEAST, ..setup };
    tally(setup, games).standings().all
}

/// By the bots' names, as strengths whose exponentials are odds.
fn strengths(view: &StandingsView) -> Vec<f64> {
    let mut rated: Vec<_> =
        view.rows.iter().map(|row| (&row.name, row.rating.unwrap().value / ELO)).collect();
    rated.sort_by_key(|(name, _)| *name);
    rated.into_iter().map(|(_, strength)| strength).collect()
}

/// So many games of each result: the first seat wins, draws, loses.
fn results(seats: [usize; 2], counts: [usize; 3]) -> Vec<Game> {
    let points = [[2, 1], [1, 1], [1, 2]];
    let games = points.iter().zip(counts);
    games.flat_map(|(points, count)| vec![game(0, &seats, points); count]).collect()
}

fn either_seat(counts: [usize; 3]) -> Vec<Game> {
    let [win, draw, loss] = counts;
    [results([0, 1], counts), results([1, 0], [loss, draw, win])].concat()
}

fn logistic(number: f64) -> f64 {
    1.0 / (1.0 + (-number).exp())
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 2e-6, "found {found}, expected {expected}");
}

#[test]
fn the_difference_of_two_bots_is_the_logarithm_of_their_odds() {
    for (won, lost) in [(3, 1), (50, 50), (400, 100), (999, 1)] {
        let found = strengths(&view(setup(2, 2), &either_seat([won, 0, lost])));
        let difference = found[0] - found[1];
        // Either bot has also won half a game against a bot between them and lost the other half.
        let games = 2.0 * (won + lost) as f64;
        let expected_wins = games * logistic(difference) + logistic(difference / 2.0);
        assert!((expected_wins - (2.0 * won as f64 + 0.5)).abs() < 1e-4, "{won} to {lost}");
        let odds = (won as f64 / lost as f64).ln();
        assert!((difference - odds).abs() < 1.0 / lost as f64, "{difference}, {odds}");
    }
}

#[test]
fn equal_results_are_equal_ratings_of_0() {
    let games = [[0, 1], [1, 0], [1, 2], [2, 1], [2, 0], [0, 2]];
    let games: Vec<Game> = games.into_iter().flat_map(|seats| results(seats, [7, 2, 4])).collect();
    let view = view(setup(3, 2), &games);
    assert!(view.rows.iter().all(|row| row.rating.unwrap().value == 0.0), "{view:?}");
    assert_eq!(view.rows.iter().map(|row| row.name.as_str()).collect::<String>(), "abc");
}

#[test]
fn the_draw_parameter_follows_from_the_share_of_draws_of_equals() {
    for (decided, drawn) in [(10, 1), (30, 40), (1, 300)] {
        let view = view(setup(2, 2), &either_seat([decided, drawn, decided]));
        // Half a game more was drawn, of one.
        let share = (2.0 * drawn as f64 + 0.5) / ((4 * decided + 2 * drawn) as f64 + 1.0);
        assert_near(view.draw_parameter.unwrap() / (2.0 * share / (1.0 - share)), 1.0);
    }
    let without_draws = view(setup(2, 2), &either_seat([10, 0, 5]));
    assert_eq!(without_draws.draw_parameter, Some(0.0));
}

#[test]
fn the_seat_advantage_of_equals_is_the_logarithm_of_its_odds() {
    let games = [results([0, 1], [30, 0, 10]), results([1, 0], [30, 0, 10])].concat();
    let view = view(setup(2, 2), &games);
    // The first seat has won half a game more, of one.
    assert_near(view.seat_advantage.unwrap().value / ELO, (60.5f64 / 20.5).ln());
    assert_eq!(strengths(&view), [0.0, 0.0]);
}

/// At the maximum every bot has as many points as the model expects, and as many games are drawn as it
/// expects (Davidson 1970), whoever sat first.
#[test]
fn the_model_of_draws_expects_what_was_seen() {
    let mut chance = Chance::new(1);
    let mut games = Vec::new();
    for first in 0..5 {
        for second in (0..5).filter(|second| *second != first) {
            let counts = [0, 1, 2].map(|_| chance.below(30));
            games.extend(results([first, second], counts));
        }
    }
    let view = view(setup(5, 2), &games);
    let (strengths, draws) = (strengths(&view), view.draw_parameter.unwrap());
    let mut missing = [0.0; 6];
    for game in &games {
        let [first, second] = [game.seats().values()[0].0, game.seats().values()[1].0];
        let points = game.scores().values();
        let ahead = (strengths[first] - strengths[second]).exp().sqrt();
        let all = ahead + draws + 1.0 / ahead;
        let expected = (ahead + draws / 2.0) / all;
        let seen = f64::from(points[0] > points[1]) + f64::from(points[0] == points[1]) / 2.0;
        missing[first] += seen - expected;
        missing[second] -= seen - expected;
        missing[5] += f64::from(points[0] == points[1]) - draws / all;
    }
    // The prior is about strengths before their mean is made 0, by which all of them are shifted.
    let shift = (0..1000).fold(0.0, |shift, _| {
        shift + strengths.iter().map(|strength| 0.5 - logistic(strength + shift)).sum::<f64>()
    });
    for (missing, strength) in missing.iter_mut().zip(&strengths) {
        *missing += 0.5 - logistic(strength + shift);
    }
    missing[5] += 0.5 - draws / (2.0 + draws);
    assert!(missing.iter().all(|missing| missing.abs() < 1e-3), "{missing:?}");
}

/// The most likely strengths in the model of Plackett and Luce by Hunter's algorithm, with every
/// order that a tie allows as a ranking of its own.
fn by_minorisation(bots: usize, games: &[Game]) -> Vec<f64> {
    let mut rankings: Vec<(Vec<usize>, f64)> = Vec::new();
    for game in games {
        let mut seats: Vec<_> = game.seats().seats().collect();
        seats.sort_by_key(|seat| Reverse(game.scores()[*seat]));
        let groups = seats.chunk_by(|one, other| game.scores()[*one] == game.scores()[*other]);
        let mut orders = vec![Vec::new()];
        for group in groups {
            let group: Vec<usize> = group.iter().map(|seat| game.seats()[*seat].0).collect();
            let tails = permutations(&group);
            orders = orders
                .iter()
                .flat_map(|head| tails.iter().map(move |tail| [head.as_slice(), tail].concat()))
                .collect();
        }
        let weight = 1.0 / orders.len() as f64;
        rankings.extend(orders.into_iter().map(|order| (order, weight)));
    }
    let mut odds = vec![1.0; bots];
    for _ in 0..20_000 {
        // Half a game won, and one played, against a bot of odds 1.
        let mut chosen = vec![0.5; bots];
        let mut rates: Vec<f64> = odds.iter().map(|odds| 1.0 / (odds + 1.0)).collect();
        for (ranking, weight) in &rankings {
            for place in 0..ranking.len() - 1 {
                chosen[ranking[place]] += weight;
                let all: f64 = ranking[place..].iter().map(|bot| odds[*bot]).sum();
                ranking[place..].iter().for_each(|bot| rates[*bot] += weight / all);
            }
        }
        let next: Vec<f64> =
            chosen.iter().zip(&rates).map(|(chosen, rate)| chosen / rate).collect();
        let moved = next.iter().zip(&odds).map(|(next, odds)| (next / odds - 1.0).abs());
        let is_there = moved.fold(0.0, f64::max) < 1e-13;
        odds = next;
        if is_there {
            break;
        }
    }
    let strengths: Vec<f64> = odds.iter().map(|odds| odds.ln()).collect();
    let mean = strengths.iter().sum::<f64>() / bots as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |first: usize| {
        let others: Vec<usize> = items.iter().copied().filter(|item| *item != first).collect();
        permutations(&others).into_iter().map(move |tail| [vec![first], tail].concat())
    };
    items.iter().copied().flat_map(with_first).collect()
}

/// Games of so many seats in which lower numbers do better on the whole, with points up to `most`.
fn table_games(bots: usize, seats: usize, count: u64, most: usize) -> Vec<Game> {
    let mut chance = Chance::new(seats as u64);
    let mut order: Vec<usize> = (0..bots).collect();
    (0..count)
        .map(|deal| {
            chance.shuffle(&mut order);
            let points = |bot: &usize| (chance.below(most) + chance.below(bots - bot + 1)) as i32;
            let points: Vec<i32> = order[..seats].iter().map(points).collect();
            game(deal, &order[..seats], &points)
        })
        .collect()
}

#[test]
fn rankings_are_fitted_as_by_minorisation() {
    for (bots, seats, most) in [(5, 3, 4), (6, 4, 3), (6, 6, 5)] {
        let games = table_games(bots, seats, 40, most);
        let view = view(setup(bots, seats), &games);
        assert_eq!(view.model, Model::PlackettLuce);
        let found = strengths(&view);
        for (found, expected) in found.iter().zip(by_minorisation(bots, &games)) {
            assert_near(*found, expected);
        }
    }
}

#[test]
fn two_seats_without_draws_are_fitted_as_rankings_of_two() {
    let mut chance = Chance::new(2);
    let mut games = Vec::new();
    for (first, second) in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)] {
        let [won, lost] = [(); 2].map(|()| 1 + chance.below(20));
        // Both seats do as well, so that they have no part in it.
        games.extend(results([first, second], [won, 0, lost]));
        games.extend(results([second, first], [lost, 0, won]));
    }
    let view = view(setup(4, 2), &games);
    let found = strengths(&view);
    let mirrored = view.seat_advantage.unwrap().value;
    for (found, expected) in found.iter().zip(by_minorisation(4, &games)) {
        assert!(
            mirrored.abs() < 1e-6 && (found - expected).abs() < 2e-6,
            "{mirrored}, {found}, {expected}"
        );
    }
}

#[test]
fn tables_that_are_too_large_are_fitted_by_pairs() {
    let games = table_games(16, 14, 10, 3);
    let view = view(setup(16, 14), &games);
    assert_eq!(view.model, Model::PlackettLucePairs);
    let mut pairs = Vec::new();
    for game in &games {
        let seats: Vec<_> = game.seats().seats().collect();
        for (place, one) in seats.iter().enumerate() {
            for other in &seats[place + 1..] {
                let points = [*one, *other].map(|seat| game.compare(seat, *one) as i32);
                let bots = [*one, *other].map(|seat| game.seats()[seat].0);
                pairs.push(tools::game(0, &bots, &points));
            }
        }
    }
    for (found, expected) in strengths(&view).iter().zip(by_minorisation(16, &pairs)) {
        assert_near(*found, expected);
    }
}

#[test]
fn estimates_are_the_ratings_of_the_standings() {
    let duels = tools::Duels { strengths: vec![0.5, 0.1, -0.6], seat: 0.3, draws: 0.5, luck: 1.0 };
    for deals in [3, 10, 50] {
        let games = duels.tournament(deals, &mut Chance::new(deals));
        let tally = tally(setup(4, 2), &games);
        let rows = tally.standings().all.rows;
        for (name, estimate) in ["a", "b", "c", "d"].iter().zip(tally.estimates()) {
            let row = rows.iter().find(|row| row.name == *name).expect("a row");
            assert_eq!(row.rating, estimate, "{name} after {deals} deals");
        }
    }
}

/// The distance of bots far apart rests on so few games that it is no more than a bound.
#[test]
fn gaps_that_rest_on_few_games_are_named() {
    let gaps = |lost: usize, games: usize| {
        let results =
            [results([0, 1], [games - lost, 0, lost]), results([1, 2], [60, 0, 40])].concat();
        let gaps = view(setup(3, 2), &results).wide_gaps();
        gaps.into_iter().map(|it| (it.above, it.below, it.upsets, it.games)).collect::<Vec<_>>()
    };
    let wide = |upsets, games| vec![("a".to_owned(), "b".to_owned(), upsets, games)];
    assert_eq!(gaps(1, 100), wide(1, 100));
    let results = [results([0, 1], [99, 0, 1]), results([1, 2], [60, 0, 40])].concat();
    let note = "bots from b down scored against bots from a up in only 1 of 100 games: the rating \
                gap is a lower bound";
    assert!(notes(&view(setup(3, 2), &results)).iter().any(|it| it == note));
    assert_eq!(gaps(4, 400), wide(4, 400));
    // An open end says it itself, and enough upsets are a measure.
    assert_eq!(gaps(0, 100), []);
    assert_eq!(gaps(5, 400), []);
    assert_eq!(gaps(2, 100), []);
}
