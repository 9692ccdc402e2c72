//! The statistics of simulations, on small cases that are worked out by hand.

use arbiter::output::simulation::SimulationReport;
use contest::playing::simulated::SimulationStatistics;
use rules::tablic::Tablic;
use rules::{GameKind, Score, Seed};
use simulation::{BuiltInPlayer, SeatOrder, SimulatedGame, Simulation};
use standings::Mean;

fn simulation(players: &[&str], order: SeatOrder, deals: u64) -> Simulation {
    let player = |name: &&str| BuiltInPlayer {
        name: (*name).to_owned(),
        program: "greedy".to_owned(),
        options: Vec::new(),
    };
    Simulation {
        kind: GameKind::of::<Tablic>(),
        options: format!("seats={}", players.len()),
        players: players.iter().map(player).collect(),
        order,
        deals,
        seed: Seed([0xab; 32]),
    }
}

/// A game: who sits where, the points and the tablas by seat; the first seat has the most cards.
fn game<const SEATS: usize>(
    seating: [usize; SEATS],
    points: [i32; SEATS],
    tablas: [u32; SEATS],
) -> SimulatedGame {
    let mut counts = tablas.map(|tablas| vec![tablas, 0]);
    counts[0][1] = 1;
    SimulatedGame {
        game: 0,
        deal: 0,
        seating: seating.to_vec().into(),
        scores: points.map(Score::points).to_vec().into(),
        counts: counts.to_vec().into(),
        cuts: [0; SEATS].to_vec().into(),
    }
}

/// Two deals, each in both orders. The first player has 15 and 13, then 8 and 11 points.
fn two_deals() -> (Simulation, SimulationStatistics) {
    let simulation = simulation(&["a", "b"], SeatOrder::Rotate, 2);
    let mut statistics = SimulationStatistics::new(&simulation);
    for game in [
        game([0, 1], [15, 10], [1, 0]),
        game([1, 0], [12, 13], [0, 2]),
        game([0, 1], [8, 17], [0, 3]),
        game([1, 0], [11, 11], [0, 0]),
    ] {
        statistics.add(&game);
    }
    (simulation, statistics)
}

#[track_caller]
fn is_near(mean: Mean, expected: f64, plus_minus: f64) {
    assert!((mean.mean() - expected).abs() < 1e-12, "{mean:?}");
    let half = mean.plus_minus().unwrap();
    assert!((half - plus_minus).abs() < 1e-3, "{half} instead of {plus_minus}");
}

/// The quantile of Student's distribution with one degree of freedom: tan(0.475 π).
const T1: f64 = 12.7062;

#[test]
fn a_deal_is_one_observation() {
    let (_, statistics) = two_deals();
    let [a, b] = statistics.players() else { panic!("two players") };
    assert_eq!((a.won, a.drawn, a.lost), (2, 1, 1));
    assert_eq!((b.won, b.drawn, b.lost), (1, 1, 2));
    assert_eq!((a.last, a.points), (Score::points(11), Score::points(47)));
    assert_eq!((b.last, b.points), (Score::points(11), Score::points(50)));
    // The deals' means are 14 and 9.5: a standard error of half their difference.
    is_near(a.mean_points, 11.75, T1 * 2.25);
    is_near(b.mean_points, 12.5, T1 * 1.5);
    // The deals' shares are 1 and 0.25, and the others' 0 and 0.75.
    is_near(a.win_share, 0.625, T1 * 0.375);
    is_near(b.win_share, 0.375, T1 * 0.375);
    assert_eq!((&a.counts[..], &b.counts[..]), (&[3, 2][..], &[3, 2][..]));
}

#[test]
fn players_may_share_a_game() {
    for (points, expected) in [
        ([9, 9, 4], [(0, 1, 0, 0.5), (0, 1, 0, 0.5), (0, 0, 1, 0.0)]),
        ([9, 9, 9], [(0, 1, 0, 1.0 / 3.0); 3]),
        ([9, 7, 7], [(1, 0, 0, 1.0), (0, 0, 1, 0.0), (0, 0, 1, 0.0)]),
    ] {
        let mut statistics =
            SimulationStatistics::new(&simulation(&["a", "b", "c"], SeatOrder::Fixed, 1));
        statistics.add(&game([0, 1, 2], points, [0, 0, 0]));
        let shares = statistics
            .players()
            .iter()
            .map(|player| (player.won, player.drawn, player.lost, player.win_share.mean()));
        assert_eq!(shares.collect::<Vec<_>>(), expected);
        let interval = statistics.players()[0].win_share.plus_minus();
        assert_eq!(interval, None, "one deal tells nothing");
    }
}

#[test]
fn deals_that_all_come_to_the_same_give_no_interval() {
    let simulation = simulation(&["a", "b"], SeatOrder::Rotate, 2);
    let mut statistics = SimulationStatistics::new(&simulation);
    for points in [[15, 10], [14, 8]] {
        statistics.add(&game([0, 1], points, [0, 0]));
        statistics.add(&game([1, 0], points, [0, 0]));
    }
    let [a, _] = statistics.players() else { panic!("two players") };
    assert_eq!((a.win_share.mean(), a.win_share.plus_minus()), (0.5, None));
    assert!(a.mean_points.plus_minus().is_some());
    let commands = ["greedy", "greedy"];
    let report =
        SimulationReport { simulation: &simulation, commands: &commands, statistics: &statistics };
    let table = report.table();
    assert!(table.contains(" 50.0%  ") && !table.contains("50.0% ±"), "{table}");
    assert!(table.ends_with("\nno interval: all deals had the same result\n"), "{table}");
    let json = report.json().unwrap();
    assert!(json.contains(r#""win_share":{"mean":0.5,"plus_minus":null}"#), "{json}");
    // But for rounding.
    let mut thirds = Mean::default();
    [1.0 / 3.0, 1.0 - 2.0 / 3.0].into_iter().for_each(|third| thirds.add(third));
    assert_eq!(thirds.plus_minus(), None);
}

#[test]
fn intervals_are_students() {
    let mut mean = Mean::default();
    assert_eq!((mean.mean(), mean.plus_minus()), (0.0, None));
    [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| mean.add(value));
    // 32 squared deviations, 7 degrees of freedom: 2.3646 · √(32 / 7 / 8).
    is_near(mean, 5.0, 2.364_624 * (32.0_f64 / 56.0).sqrt());
    // Far from 0, where sums of squares would lose all digits.
    let mut far = Mean::default();
    [1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0].into_iter().for_each(|value| far.add(value));
    is_near(far, 1e9 + 2.0, 4.302_653 / 3.0_f64.sqrt());
}

#[test]
fn the_table_is_aligned() {
    let (simulation, statistics) = two_deals();
    let commands = ["greedy", "greedy"];
    let report =
        SimulationReport { simulation: &simulation, commands: &commands, statistics: &statistics };
    let expected = format!(
        "\
tablic seats=2: 4 games, 2 deals, every seat rotation
seed {}

player  last  points  won  drawn  lost  points per game      win share  tablas  most cards
a         11      47    2      1     1    11.75 ± 28.59  62.5% ± 476.5       3           2
b         11      50    1      1     2    12.50 ± 19.06  37.5% ± 476.5       3           2

± 95% confidence intervals over deals
",
        "ab".repeat(32)
    );
    assert_eq!(report.table(), expected);
}

#[test]
fn moves_that_time_has_cut_are_told() {
    let (simulation, mut statistics) = two_deals();
    for cuts in [[0, 1], [0, 2]] {
        statistics
            .add(&SimulatedGame { cuts: cuts.to_vec().into(), ..game([1, 0], [12, 13], [0, 0]) });
    }
    let commands = ["greedy", "greedy"];
    let report =
        SimulationReport { simulation: &simulation, commands: &commands, statistics: &statistics };
    let told = "a: hit its time limit in 3 moves; results might not be reproducible\n";
    assert!(report.table().ends_with(&format!("intervals over deals\n{told}")));
    assert!(report.json().unwrap().contains(r#""cuts":3}"#));
}

#[test]
fn json_has_the_same_figures() {
    let (simulation, statistics) = two_deals();
    let commands = ["greedy", "greedy"];
    let report =
        SimulationReport { simulation: &simulation, commands: &commands, statistics: &statistics };
    let json = report.json().unwrap();
    assert!(!json.contains('\n'), "{json}");
    let first = concat!(
        r#"{"name":"a","command":"greedy","last":11,"points":47,"won":2,"drawn":1,"lost":1,"#,
        r#""mean_points":{"mean":11.75,"plus_minus":28."#
    );
    assert!(json.contains(first), "{json}");
    assert!(json.contains(r#""counts":{"tablas":3,"most cards":2},"cuts":0}"#), "{json}");
    let heading =
        r#"{"game":"tablic","options":"seats=2","deals":2,"order":"rotate","games":4,"seed":"abab"#;
    assert!(json.starts_with(heading), "{json}");
}
