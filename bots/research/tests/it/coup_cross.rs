//! All pairs of players of Coup.

use research::coup::chances::Chances;
use research::coup::cross::{Cross, Entrant};
use research::program::seed;

fn entrants() -> Vec<Entrant> {
    let climbed = format!("climbed={}", Chances::START);
    let names = ["greedy", "random", &climbed];
    names.map(|name| name.parse().expect("a player")).to_vec()
}

#[test]
fn a_table_has_every_pair_from_both_sides() {
    let mut pairs = Vec::new();
    let cross = Cross::play(
        &entrants(),
        &seed("aa").expect("a seed"),
        [10, 5],
        &mut |one, other, tally| {
            pairs.push((one.to_string(), other.to_string(), tally.deals));
            assert!((tally.per_cent() + tally.mirrored().per_cent() - 100.0).abs() < 1e-9);
            assert!((tally.interval() - tally.mirrored().interval()).abs() < 1e-9);
        },
    );
    let named = |one: &str, other: &str, deals| (one.to_owned(), other.to_owned(), deals);
    assert_eq!(
        pairs,
        [
            named("greedy", "random", 10),
            named("greedy", "climbed", 10),
            named("random", "climbed", 5),
        ]
    );
    let table = cross.expect("whole games").markdown();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(" | ").collect()).collect();
    assert_eq!(rows.len(), 5, "{table}");
    assert!(rows[2][1].contains("greedy") && rows[2][3] == "-", "{table}");
    let share = |row: usize, column: usize| -> f64 {
        let (share, _) = rows[row][column].split_once(' ').expect("a share");
        share.parse().expect("a number")
    };
    assert!((share(2, 4) + share(3, 3) - 100.0).abs() < 0.11, "{table}");
    assert!(share(2, 4) > 60.0, "{table}");
}

#[test]
fn a_player_that_is_none_is_refused() {
    assert!("nobody".parse::<Entrant>().is_err());
    assert!("climbed=1,2".parse::<Entrant>().is_err());
}
