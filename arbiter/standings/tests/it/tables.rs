//! Standings of small tournaments that are worked out by hand, and of strange ones.

use rules::{Score, Seat, Verdict};
use standings::Mean;
use standings::{
    BootstrapSeed, Entrant, Estimate, Game, IntervalMethod, PentanomialCounts, ReplicateCount, Row,
    Sprt, SprtDecision, Standings, StandingsSetup, StandingsView,
};

use crate::tools::{Chance, Duels, game, setup, tally};

fn forfeit(deal: u64, seats: &[usize], points: &[i32], out: &[(usize, Verdict)]) -> Game {
    let seats: Vec<Entrant> = seats.iter().copied().map(Entrant).collect();
    let scores: Vec<Score> = points.iter().copied().map(Score::points).collect();
    let out: Vec<_> = out.iter().map(|(seat, why)| (Seat::new(*seat).unwrap(), *why)).collect();
    Game::new(deal, seats.into(), scores.into(), &out).unwrap()
}

fn standings<'a>(setup: StandingsSetup, games: impl IntoIterator<Item = &'a Game>) -> Standings {
    tally(setup, games).standings()
}

fn row<'a>(view: &'a StandingsView, name: &str) -> &'a Row {
    view.rows.iter().find(|row| row.name == name).unwrap()
}

fn value(estimate: Option<Estimate>) -> f64 {
    estimate.unwrap().value
}

fn some_tournament(bots: usize, deals: u64) -> Vec<Game> {
    let strengths = (0..bots).map(|bot| 1.0 - 0.4 * bot as f64).collect();
    let duels = Duels { strengths, seat: 0.2, draws: 0.4, luck: 1.0 };
    let mut games = duels.tournament(deals, &mut Chance::new(deals));
    // Some are forfeited, by either seat.
    for (number, game) in games.iter_mut().enumerate().filter(|(number, _)| number % 17 == 3) {
        let seats: Vec<usize> = game.seats().values().iter().map(|bot| bot.0).collect();
        let out = [(number % 2, if number % 3 == 0 { Verdict::Timeout } else { Verdict::Crash })];
        *game = forfeit(game.deal(), &seats, &[1, 0], &out);
    }
    games
}

#[test]
fn a_small_tournament_is_counted_right() {
    let games = [
        game(0, &[0, 1], &[10, 6]),
        game(0, &[1, 0], &[9, 9]),
        game(1, &[0, 1], &[4, 5]),
        forfeit(1, &[1, 0], &[3, 0], &[(1, Verdict::Timeout)]),
        game(2, &[0, 2], &[8, 8]),
    ];
    let Standings { all, without_forfeits, .. } = standings(setup(3, 2), &games);
    assert_eq!((all.games, all.forfeited, all.deals, all.method), (5, 1, 3, IntervalMethod::T));
    let a = row(&all, "a");
    assert_eq!((a.games, a.won, a.drawn, a.lost), (5, 1, 2, 2));
    assert_eq!((a.points_for, a.points_against), (31.0, 31.0));
    assert_eq!((value(a.score), value(a.margin)), (0.4, 0.0));
    assert_eq!(a.forfeits.iter().collect::<Vec<_>>(), [(&Verdict::Timeout, &1)]);
    let (place, other) = (row(&all, "a").rank - 1, row(&all, "b").rank - 1);
    let pairing = all.pairing(place, other).unwrap();
    assert_eq!((pairing.name.as_str(), pairing.opponent.as_str()), ("a", "b"));
    assert_eq!((pairing.games, pairing.won, pairing.drawn, pairing.lost), (4, 1, 1, 2));
    assert_eq!((pairing.points_for, pairing.points_against), (23.0, 23.0));
    assert_eq!(all.pairing(other, place).unwrap(), pairing.clone().reversed());
    assert_eq!(pairing.clone().reversed().reversed(), pairing);
    assert_eq!(all.pairing(0, 0), None);
    assert_eq!(all.pairing(0, 3), None);

    assert_eq!((without_forfeits.games, without_forfeits.forfeited), (4, 0));
    let a = row(&without_forfeits, "a");
    assert_eq!((a.games, a.won, a.drawn, a.lost), (4, 1, 2, 1));
    assert!(a.forfeits.is_empty());
}

#[test]
fn whoever_forfeits_is_behind_whatever_the_points() {
    let games = [forfeit(0, &[0, 1, 2], &[9, 0, 0], &[(0, Verdict::Illegal)])];
    let all = standings(setup(3, 3), &games).all;
    let result = |name| {
        let row = row(&all, name);
        (row.won, row.drawn, row.lost, value(row.score))
    };
    assert_eq!(result("a"), (0, 0, 1, 0.0));
    assert_eq!(result("b"), (0, 1, 0, 0.75));
    assert_eq!(value(row(&all, "b").margin), -4.5);
}

#[test]
fn the_score_is_the_share_of_the_others_beaten() {
    let games = [game(0, &[2, 0, 3, 1], &[7, 7, 1, 0])];
    let all = standings(setup(4, 4), &games).all;
    let scores: Vec<f64> = ["a", "b", "c", "d"].map(|name| value(row(&all, name).score)).into();
    assert_eq!(scores, [0.833333, 0.0, 0.833333, 0.333333]);
    assert_eq!(row(&all, "a").points_against, 2.666667);
}

#[test]
fn the_order_of_games_does_not_matter() {
    let mut chance = Chance::new(5);
    for (bots, seats, deals) in
        [(4, 2, 12), (4, 2, 50), (2, 2, 40), (5, 3, 20), (5, 3, 50), (15, 13, 33)]
    {
        let mut games = if seats == 2 { some_tournament(bots, deals) } else { Vec::new() };
        for deal in 0..deals * u64::from(seats > 2) {
            let mut bots: Vec<usize> = (0..bots).collect();
            chance.shuffle(&mut bots);
            let points: Vec<i32> = (0..seats).map(|_| chance.below(4) as i32).collect();
            games.push(forfeit(
                deal,
                &bots[..seats],
                &points,
                &[(0, Verdict::Crash)][..usize::from(deal % 5 == 0)],
            ));
        }
        let setup = StandingsSetup { sprt: Some(Sprt::default()), ..setup(bots, seats) };
        let expected = standings(setup.clone(), &games);
        for _ in 0..3 {
            chance.shuffle(&mut games);
            let found = standings(setup.clone(), &games);
            assert_eq!(found, expected);
            let json = |standings| serde_json::to_string(standings).unwrap();
            assert_eq!(json(&found), json(&expected));
        }
        let seed = BootstrapSeed(1);
        let other = standings(StandingsSetup { seed, ..setup.clone() }, &games).all;
        assert_eq!(other == expected.all, deals < IntervalMethod::MANY_DEALS);
    }
}

#[test]
fn forfeited_games_leave_no_trace_in_the_view_without_them() {
    for (bots, deals) in [(2, 12), (4, 29), (2, 60), (4, 40)] {
        let games = some_tournament(bots, deals);
        let setup = StandingsSetup { sprt: Some(Sprt::default()), ..setup(bots, 2) };
        let all = standings(setup.clone(), &games);
        let clean = standings(setup, games.iter().filter(|game| !game.is_forfeited()));
        assert!(all.all.forfeited > 0 && all.all.rows != clean.all.rows);
        assert_eq!(all.without_forfeits, clean.all);
        assert_eq!(clean.without_forfeits, clean.all);
    }
}

/// With few deals that were all played by everybody, the interval of a score is that of the mean of
/// its scores in each deal.
#[test]
fn few_deals_have_the_intervals_of_student() {
    let games = some_tournament(3, 9);
    let all = standings(setup(3, 2), &games).all;
    for row in &all.rows {
        let bot = Entrant(usize::from(row.name.as_bytes()[0] - b'a'));
        let [mut score, mut margin] = [Mean::default(); 2];
        for deal in 0..9 {
            let (mut points, mut ahead) = (0.0, 0.0);
            for game in games.iter().filter(|game| game.deal() == deal) {
                let seats: Vec<Seat> = game.seats().seats().collect();
                for (seat, other) in [(seats[0], seats[1]), (seats[1], seats[0])] {
                    if game.seats()[seat] == bot {
                        points += (game.compare(seat, other) as i32 + 1) as f64 / 2.0;
                        ahead += game.scores()[seat].as_f64() - game.scores()[other].as_f64();
                    }
                }
            }
            score.add(points / 4.0);
            margin.add(ahead / 4.0);
        }
        for (found, expected) in [(row.score, score), (row.margin, margin)] {
            assert!((value(found) - expected.mean()).abs() < 1e-6);
            let half = found.unwrap().plus_minus().unwrap() - expected.plus_minus().unwrap();
            assert!(half.abs() < 1e-5, "{half}");
        }
    }
}

#[test]
fn both_methods_agree_where_one_takes_over() {
    let width = |deals| {
        let games = some_tournament(3, 30);
        let games = games.iter().filter(|game| game.deal() < deals);
        let all = standings(setup(3, 2), games).all;
        assert_eq!(all.method == IntervalMethod::T, deals == 29);
        ["a", "b", "c"].map(|name| {
            let row = row(&all, name);
            [row.score, row.rating, row.margin].map(|it| it.unwrap().plus_minus().unwrap())
        })
    };
    for (few, many) in width(29).into_iter().flatten().zip(width(30).into_iter().flatten()) {
        assert!((0.8..1.25).contains(&(few / many)), "{few}, {many}");
    }
}

#[test]
fn probabilities_and_ranks_are_sure_where_bots_are_far_apart_and_not_where_they_are_close() {
    for deals in [20, 100] {
        let duels =
            Duels { strengths: vec![1.5, 0.0, 0.0, -1.5], seat: 0.0, draws: 0.3, luck: 0.5 };
        let games = duels.tournament(deals, &mut Chance::new(3));
        let all = standings(setup(4, 2), &games).all;
        let names: Vec<&str> = all.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((names[0], names[3]), ("a", "d"));
        let ranks = |row: usize| {
            let interval = all.rows[row].rank_interval.unwrap();
            (interval.best, interval.worst)
        };
        assert_eq!([ranks(0), ranks(1), ranks(2), ranks(3)], [(1, 1), (2, 3), (2, 3), (4, 4)]);
        let better = |row, other| all.better(row, other).unwrap();
        assert!(better(0, 3) > 0.999 && (0.5..0.975).contains(&better(1, 2)), "{all:?}");
    }
}

#[test]
fn a_bot_against_its_copy_is_exactly_even() {
    // It is deterministic: in the second game of a deal the points are exchanged with the seats.
    for deals in [1, 10, 100] {
        let mut chance = Chance::new(deals);
        let mut games = Vec::new();
        for deal in 0..deals {
            let points = [chance.below(20) as i32, chance.below(20) as i32];
            games.extend([game(deal, &[0, 1], &points), game(deal, &[1, 0], &points)]);
        }
        let all =
            standings(StandingsSetup { sprt: Some(Sprt::default()), ..setup(2, 2) }, &games).all;
        for row in &all.rows {
            assert_eq!(row.margin, Some(Estimate { value: 0.0, interval: None }), "{row:?}");
            assert_eq!((value(row.score), value(row.rating)), (0.5, 0.0));
            // Although no deal went otherwise, one may.
            let widest = [0.35, 120.0].map(|most| most * 10.0 / deals as f64);
            for (estimate, most) in [row.score, row.rating].into_iter().zip(widest) {
                let half = estimate.unwrap().plus_minus();
                assert_eq!(half.is_some(), deals > 1);
                assert!(half.is_none_or(|half| (most / 10.0..most).contains(&half)), "{row:?}");
            }
        }
        assert_eq!(all.pairs.unwrap().counts, PentanomialCounts([0, 0, deals, 0, 0]));
        assert_eq!(all.crosstable[0].better, (deals > 1).then_some(0.5));
    }
}

/// No number of these is infinite or NaN, which JSON has no form for, but for `null`.
fn assert_is_plain(standings: &Standings) {
    fn assert_finite(value: &serde_json::Value) {
        match value {
            serde_json::Value::Number(number) => {
                assert!(number.as_f64().is_some_and(f64::is_finite));
            }
            serde_json::Value::Array(values) => values.iter().for_each(assert_finite),
            serde_json::Value::Object(values) => values.values().for_each(assert_finite),
            _ => {}
        }
    }
    let value = serde_json::to_value(standings).unwrap();
    assert_finite(&value);
    for name in ["value", "llr", "points_for"] {
        let text = value.to_string();
        assert!(!text.contains(&format!("\"{name}\":null")), "{text}");
    }
}

#[test]
fn a_tournament_without_games_has_standings() {
    for (bots, seats) in [(0, 2), (1, 2), (2, 2), (3, 2), (4, 3), (60, 48), (2, 0)] {
        let setup = StandingsSetup { sprt: Some(Sprt::default()), ..setup(bots, seats) };
        let standings = standings(setup, &[]);
        assert_is_plain(&standings);
        assert_eq!(standings.all.rows.len(), bots);
        assert_eq!(standings.all.crosstable, []);
        for row in &standings.all.rows {
            assert_eq!(
                (row.score, row.rating, row.margin, row.rank_interval),
                (None, None, None, None)
            );
        }
    }
}

#[test]
fn strange_tournaments_have_standings() {
    let all_out = [(0, Verdict::Crash), (1, Verdict::Timeout)];
    let tournaments = [
        vec![game(u64::MAX, &[0, 1], &[1, 0])],
        vec![game(0, &[0, 1], &[0, 0]), game(1, &[0, 1], &[0, 0])],
        // Two groups that never met, and a bot that never played.
        vec![game(0, &[0, 1], &[1, 0]), game(0, &[3, 2], &[1, 0]), game(1, &[2, 3], &[1, 0])],
        (0..60).map(|deal| forfeit(deal, &[0, 1], &[0, 0], &all_out)).collect(),
        (0..60).map(|deal| forfeit(deal % 7, &[2, 1], &[0, 0], &all_out[..1])).collect(),
        (0..100).map(|deal| game(deal, &[0, 1], &[i32::MAX, i32::MIN])).collect(),
        // A bot that was there for one of many deals only.
        (0..100)
            .map(|deal| game(deal, &[0, if deal == 50 { 4 } else { 1 }], &[1, (deal % 3) as i32]))
            .collect(),
    ];
    for games in tournaments {
        let standings = standings(setup(5, 2), &games);
        assert_is_plain(&standings);
        assert_eq!(standings.all.games, games.len() as u64);
    }
}

#[test]
fn pairs_are_the_games_of_a_deal_in_either_order() {
    let mut games = vec![
        // 2 points of `a`, then 1½, 1, ½ and 0.
        game(0, &[0, 1], &[5, 1]),
        game(0, &[1, 0], &[1, 5]),
        game(1, &[0, 1], &[5, 1]),
        game(1, &[1, 0], &[3, 3]),
        game(2, &[0, 1], &[5, 1]),
        game(2, &[1, 0], &[5, 1]),
        game(3, &[0, 1], &[3, 3]),
        game(3, &[1, 0], &[5, 1]),
        forfeit(4, &[0, 1], &[5, 1], &[(0, Verdict::NoAnswer)]),
        game(4, &[1, 0], &[5, 1]),
        // This one is not complete.
        game(5, &[1, 0], &[5, 1]),
    ];
    for _ in 0..2 {
        let standings = standings(setup(2, 2), &games);
        assert_eq!(standings.all.pairs.unwrap().counts, PentanomialCounts([1, 1, 1, 1, 1]));
        assert_eq!(
            standings.without_forfeits.pairs.unwrap().counts,
            PentanomialCounts([0, 1, 1, 1, 1])
        );
        games.reverse();
    }
    assert_eq!(standings(setup(3, 2), &games).all.pairs, None);
}

#[test]
fn a_test_goes_on_until_it_is_decided() {
    let mut tally = tally(StandingsSetup { sprt: Some(Sprt::default()), ..setup(2, 2) }, &[]);
    let mut deal = 0;
    while tally.sprt().unwrap().decision == SprtDecision::Continue {
        tally.add(&game(deal, &[0, 1], &[2, 1])).unwrap();
        tally.add(&game(deal, &[1, 0], &[1, 1 + (deal % 2) as i32])).unwrap();
        deal += 1;
    }
    let state = tally.sprt().unwrap();
    assert_eq!(state.decision, SprtDecision::AcceptH1);
    assert!((10..500).contains(&deal), "{deal}");
    let shown = tally.standings().all.sprt.unwrap();
    assert!((shown.llr - state.llr).abs() < 1e-6 && shown.decision == state.decision);
}

#[test]
fn what_is_no_game_of_the_tournament_is_refused() {
    let of = |seats: &[usize], points: &[i32], out: &[(Seat, Verdict)]| {
        let seats: Vec<Entrant> = seats.iter().copied().map(Entrant).collect();
        let scores: Vec<Score> = points.iter().copied().map(Score::points).collect();
        Game::new(0, seats.into(), scores.into(), out)
    };
    let seat = Seat::new(2).unwrap();
    let refused = |seats: &[usize], points: &[i32], out: &[(Seat, Verdict)]| {
        of(seats, points, out).expect_err("no game").to_string()
    };
    assert_eq!(refused(&[0], &[1], &[]), "a game has 1 seats, expected 2 or more");
    assert_eq!(refused(&[0, 1], &[1], &[]), "a game of 2 seats has 1 scores");
    let twice = refused(&[0, 1, 0], &[1, 2, 3], &[]);
    assert_eq!(twice, "bot 0 sits at two seats of one game");
    let no_seat = refused(&[0, 1], &[1, 2], &[(seat, Verdict::Crash)]);
    assert_eq!(no_seat, "a fault is recorded for seat 2, which the game does not have");

    let mut tally = tally(setup(2, 2), &[]);
    let three = tally.add(&game(0, &[0, 1, 2], &[1, 2, 3]));
    assert_eq!(three.expect_err("refused").to_string(), "a game has 3 seats, expected 2");
    let stranger = tally.add(&game(0, &[0, 2], &[1, 2]));
    let expected = "bot 2 plays in a game, expected one of 2 bots counted from 0";
    assert_eq!(stranger.expect_err("refused").to_string(), expected);
    assert_eq!(tally.games(), 0);
}

#[test]
fn the_number_of_replicates_suits_the_tournament() {
    let count = |bots, seats| ReplicateCount::suited(bots, seats).count();
    assert_eq!((count(2, 2), count(10, 2), count(10, 4), count(6, 6)), (1000, 1000, 1000, 1000));
    assert!((800..1000).contains(&count(50, 2)), "{}", count(50, 2));
    assert_eq!((count(500, 2), count(usize::MAX, 48)), (200, 200));
}
