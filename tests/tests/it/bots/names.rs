//! Names of bots that are refused.

use tests::bench::{Bench, Ended};

fn bench() -> Bench {
    Bench::new()
}

fn play(bench: &Bench, bots: &[&str]) -> Ended {
    let head = ["match", "--game", "tablic", "--json", "--log", "log"];
    bench.run([&head, bots].concat())
}

#[test]
fn odd_names_are_refused() {
    for name in ["../a", "a\u{202e}b", "", &"n".repeat(300)] {
        let bench = bench();
        let ended = play(&bench, &["--", &format!("{name}=random"), "greedy"]);
        ended.assert_refused(2, &["invalid bot name"]);
        assert!(!ended.stderr.contains('\u{202e}'), "{ended:?}");
        assert!(!bench.path("log").exists(), "{name:?}");
    }
}

#[test]
fn a_name_given_twice_is_refused() {
    let bench = bench();
    play(&bench, &["a=random", "a=greedy"]).assert_refused(2, &["two bots are named `a`"]);
}
