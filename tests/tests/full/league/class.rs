//! The standings of a league agree with those of a round robin, and it says why who met whom.

use serde_json::Value;
use tests::bench::Bench;
use tests::league::{league, play, round, status};

const BOTS: [&str; 5] = ["random", "greedy", "ann=random", "ben=greedy", "cem=random"];

/// Factor by which an interval is wider here than for 95%: only an error leaves it.
const WIDER: f64 = 2.0;

/// A rating with the ends of its interval.
struct Rating {
    name: String,
    value: f64,
    below: f64,
    above: f64,
}

/// The ratings of standings.
fn ratings(bench: &Bench, line: &str) -> Vec<Rating> {
    let standings = bench.line(line).json().remove(0);
    let one = |row: &Value| {
        let name = row["name"].as_str().expect("a name").split('@').next()?.to_owned();
        let value = row["rating"]["value"].as_f64()?;
        // An end that is not there is far away.
        let end = |key: &str, none| row["rating"]["interval"][key].as_f64().unwrap_or(none);
        let below = (value - end("low", f64::MIN)).min(4000.0);
        let above = (end("high", f64::MAX) - value).min(4000.0);
        Some(Rating { name, value, below, above })
    };
    standings["all"]["rows"].as_array().expect("rows").iter().filter_map(one).collect()
}

#[test]
fn a_league_rates_as_a_round_robin_does_and_every_pairing_is_explained() {
    let bench = league(&BOTS);
    play(&bench, "200");
    assert_every_pairing_is_explained(&bench);
    let league = ratings(&bench, "league standings class --format json");
    assert_eq!(league.len(), BOTS.len());
    let bots = BOTS.join(" ");
    bench.ok(&format!("tournament --game coup --dir cup --deals 8 --quiet {bots}"));
    let cup = ratings(&bench, "tournament standings cup --format json");
    // Both have a mean of 0 over their bots.
    for one in &league {
        let other = cup.iter().find(|it| it.name == one.name).expect("it has played");
        let difference = one.value - other.value;
        let (below, above) = (one.below + other.above, one.above + other.below);
        assert!(
            difference <= WIDER * below && -difference <= WIDER * above,
            "{}: {} in the league, {} in a round robin",
            one.name,
            one.value,
            other.value
        );
    }
}

/// Every table has a reason that names two who sit at it.
fn assert_every_pairing_is_explained(bench: &Bench) {
    let numbers = |list: &Value| -> Vec<u64> {
        list.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
    };
    let rounds = status(bench)["rounds"].as_u64().expect("a number");
    assert!(rounds > 0);
    for number in 0..rounds {
        let line = round(bench, &number.to_string());
        for table in line["tables"].as_array().expect("a list") {
            let (why, bots) = (&table["why"], numbers(&table["bots"]));
            let pair = [&why["uncertain"]["pair"], &why["least-met"]["pair"]].map(numbers).concat();
            assert!(pair.len() == 2 && pair.iter().all(|bot| bots.contains(bot)), "{table}");
        }
    }
}
