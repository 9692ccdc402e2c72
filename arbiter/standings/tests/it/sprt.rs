//! The sequential test of two bots: what it reads, what it computes, and how often it errs.

use standings::{PentanomialCounts, Sprt, SprtDecision};

use crate::tools::Chance;

fn error(text: &str) -> String {
    text.parse::<Sprt>().unwrap_err().to_string()
}

#[test]
fn settings_are_read_as_they_are_written() {
    let default = "elo0=0,elo1=10,alpha=0.05,beta=0.05";
    assert_eq!(Sprt::default().to_string(), default);
    for (text, written) in [
        ("", default),
        (default, default),
        ("beta=0.1, elo1=5", "elo0=0,elo1=5,alpha=0.05,beta=0.1"),
        ("elo0=-2.5,elo1=0", "elo0=-2.5,elo1=0,alpha=0.05,beta=0.05"),
    ] {
        let sprt: Sprt = text.parse().unwrap();
        assert_eq!(sprt.to_string(), written);
        assert_eq!(written.parse(), Ok(sprt));
    }
}

#[test]
fn errors_name_the_culprit() {
    for (text, expected) in [
        ("elo1", "invalid `elo1`: use KEY=VALUE"),
        ("elo1=5,", "invalid ``: use KEY=VALUE"),
        ("elo2=5", "unknown key `elo2`: use elo0, elo1, alpha or beta"),
        ("elo1=\u{1b}", "elo1: `\\u{1b}` is not a number"),
        ("elo1=5,elo1=5", "elo1 is given twice"),
        ("elo1=NaN", "elo1 must be from -1000 to 1000, not NaN"),
        ("elo0=-inf", "elo0 must be from -1000 to 1000, not -inf"),
        ("elo0=10", "elo0 (10) must be below elo1 (10)"),
        ("alpha=0", "alpha must be between 0 and 0.5, not 0"),
        ("beta=0.5", "beta must be between 0 and 0.5, not 0.5"),
    ] {
        assert_eq!(error(text), expected);
    }
}

#[test]
fn bounds_are_those_of_wald() {
    let state = Sprt::new(0.0, 10.0, 0.05, 0.1).unwrap().state(&PentanomialCounts::default());
    assert!((state.lower - (0.1f64 / 0.95).ln()).abs() < 1e-12);
    assert!((state.upper - (0.9f64 / 0.05).ln()).abs() < 1e-12);
    assert_eq!((state.llr, state.decision), (0.0, SprtDecision::Continue));
}

/// The figure comes from a test of chess programs, which publishes it with the counts. Its `elo1` is
/// rounded to three decimals.
#[test]
fn the_ratio_is_that_of_other_programs() {
    let sprt = Sprt::new(0.0, 2.716, 0.05, 0.05).unwrap();
    let llr = sprt.state(&PentanomialCounts([13, 37, 50, 25, 3])).llr;
    assert!((llr + 0.53772).abs() < 2e-4, "{llr}");
}

#[test]
fn the_ratio_is_that_of_results_of_two_kinds() {
    // With nothing between winning and losing both games, the shares follow from the mean.
    let sprt = Sprt::new(-20.0, 30.0, 0.05, 0.05).unwrap();
    let llr = sprt.state(&PentanomialCounts([40, 0, 0, 0, 60])).llr;
    let mean = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let (low, high) = (mean(-20.0), mean(30.0));
    let expected = 60.0 * (high / low).ln() + 40.0 * ((1.0 - high) / (1.0 - low)).ln();
    assert!((llr - expected).abs() < 0.01, "{llr}, {expected}");
}

#[test]
fn results_of_one_kind_are_decided_too() {
    let sprt = Sprt::default();
    let decision = |counts| sprt.state(&PentanomialCounts(counts)).decision;
    assert_eq!(decision([0, 0, 0, 0, 1]), SprtDecision::Continue);
    assert_eq!(decision([0, 0, 0, 0, 1000]), SprtDecision::AcceptH1);
    assert_eq!(decision([1000, 0, 0, 0, 0]), SprtDecision::AcceptH0);
    // Two copies of a deterministic bot.
    assert_eq!(decision([0, 0, 1000, 0, 0]), SprtDecision::AcceptH0);
    let llr = sprt.state(&PentanomialCounts([u64::MAX / 8; 5])).llr;
    assert!(llr.is_finite());
}

/// Shares of results in which the games of a pair go together, with the mean that so many points of
/// Elo have.
fn shares(elo: f64) -> [f64; 5] {
    // The luck of the cards decides most pairs 1 to 1, more than two independent games would be.
    let base = [0.04f64, 0.16, 0.56, 0.18, 0.06];
    let tilted = |tilt: f64| {
        let weights = [0, 1, 2, 3, 4].map(|result| base[result] * (tilt * result as f64).exp());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let mean = |tilt| {
        tilted(tilt)
            .iter()
            .enumerate()
            .map(|(result, share)| result as f64 * share / 4.0)
            .sum::<f64>()
    };
    let wanted = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        *(if mean(middle) < wanted { &mut low } else { &mut high }) = middle;
    }
    tilted(low)
}

/// Share of tests of bots `elo` apart that end with this decision, and the mean number of pairs
/// until a test ends.
fn ending(sprt: Sprt, elo: f64, decision: SprtDecision, tests: u64) -> (f64, f64) {
    let shares = shares(elo);
    let (mut ended, mut pairs) = (0u64, 0u64);
    for test in 0..tests {
        let mut chance = Chance::new(test);
        let mut counts = PentanomialCounts::default();
        let found = loop {
            counts.0[chance.one_of(&shares)] += 1;
            match sprt.state(&counts).decision {
                SprtDecision::Continue => {}
                found => break found,
            }
        };
        ended += u64::from(found == decision);
        pairs += counts.pairs();
    }
    (ended as f64 / tests as f64, pairs as f64 / tests as f64)
}

/// In what share of so many tests of the bots the wrong hypothesis was accepted.
fn errors(sprt: Sprt, elo: f64, wrong: SprtDecision, tests: u64) -> f64 {
    let (errors, pairs) = ending(sprt, elo, wrong, tests);
    println!("{sprt} at {elo}: {wrong:?} in {errors} of {tests}, {pairs} pairs a test");
    errors
}

#[test]
fn bots_that_are_as_good_are_seldom_taken_for_different() {
    assert!(errors(Sprt::default(), 0.0, SprtDecision::AcceptH1, 10_000) <= 0.05);
}

#[test]
fn bots_that_differ_are_seldom_taken_for_as_good() {
    assert!(errors(Sprt::default(), 10.0, SprtDecision::AcceptH0, 10_000) <= 0.05);
}

/// The rates are those of long tests. What chance does to so many short ones is allowed for: three
/// standard errors.
#[test]
fn each_rate_is_for_its_own_error() {
    let sprt = Sprt::new(-30.0, 20.0, 0.1, 0.02).unwrap();
    let allowed = |rate: f64, tests: f64| rate + 3.0 * (rate * (1.0 - rate) / tests).sqrt();
    assert!(errors(sprt, -30.0, SprtDecision::AcceptH1, 4000) <= allowed(0.1, 4000.0));
    assert!(errors(sprt, 20.0, SprtDecision::AcceptH0, 4000) <= allowed(0.02, 4000.0));
}

/// `cargo test --release -p standings sprt -- --ignored --nocapture`
#[test]
#[ignore = "100,000 tests of a thousand pairs and more"]
fn the_default_errs_no_more_often_than_it_may() {
    assert!(errors(Sprt::default(), 0.0, SprtDecision::AcceptH1, 50_000) <= 0.05);
    assert!(errors(Sprt::default(), 10.0, SprtDecision::AcceptH0, 50_000) <= 0.05);
}

/// docs/reference/tournaments.md, "The sequential test", taken at its word, with t by halving.
#[test]
fn the_ratio_is_that_of_the_text() {
    let likelihood = |elo: f64, counts: [u64; 5]| {
        let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let seen = counts.map(|count| if count == 0 { 0.001 } else { count as f64 });
        let parts = |t: f64| {
            let result = |(place, count): (usize, &f64)| {
                let distance = place as f64 / 4.0 - score;
                (*count, distance, 1.0 + t * distance)
            };
            seen.iter().enumerate().map(result).collect::<Vec<_>>()
        };
        let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
        for _ in 0..200 {
            let t = (low + high) / 2.0;
            let sum: f64 = parts(t).iter().map(|(count, it, share)| count * it / share).sum();
            *(if sum > 0.0 { &mut low } else { &mut high }) = t;
        }
        -parts(low).iter().map(|(count, _, share)| count * share.ln()).sum::<f64>()
    };
    for (elo0, elo1) in [(0.0, 10.0), (-5.0, 5.0), (20.0, 100.0)] {
        for counts in [[1, 0, 0, 0, 0], [0, 0, 7, 0, 0], [3, 8, 20, 11, 6], [0, 1, 5, 40, 200]] {
            let expected = likelihood(elo1, counts) - likelihood(elo0, counts);
            let state =
                Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().state(&PentanomialCounts(counts));
            let is_near = (state.llr - expected).abs() <= 1e-9 * (1.0 + expected.abs());
            assert!(is_near, "{counts:?}: {} instead of {expected}", state.llr);
        }
    }
}
