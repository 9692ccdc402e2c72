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
    let long = "n".repeat(300);
    let longer = "n".repeat(33);
    let names = [
        "a,b",
        "<b>a</b>",
        "a&b",
        "../a",
        "a/b",
        "/a",
        "..\\a",
        "a#2",
        "a:b",
        "a;b",
        "a*",
        "a\u{200b}b",
        "a\u{200d}b",
        "\u{feff}a",
        "\u{3164}",
        "a\u{301}\u{302}\u{303}\u{304}\u{305}",
        "=a",
        "-a",
        "..",
        "NUL",
        "a\nb",
        "a\x1b[2J",
        "a\u{202e}b",
        "`a`",
        "$a",
        "..",
        ".",
        "...",
        "a.",
        "NUL",
        "nul.txt",
        "Con",
        "aux",
        "COM1",
        "lpt9.a.b",
        "a\\b",
        "a\u{7f}b",
        "",
        &long,
        &longer,
    ];
    for name in names {
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
