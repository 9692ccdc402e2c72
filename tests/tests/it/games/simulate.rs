//! `arbiter simulate` as a program: what it prints, and what it refuses.

use bots::programs;
use serde_json::Value;
use tests::bench::{Bench, Ended, SEED};

fn simulate(arguments: &[&str]) -> Ended {
    Bench::new().run([&["simulate", "--game", "tablic"], arguments].concat())
}

/// Output of a simulation, with nothing beside it.
fn printed(arguments: &[&str]) -> String {
    let ended = simulate(arguments).without_error();
    ended.stdout
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [&["--json", "--seed", SEED][..], arguments].concat();
    serde_json::from_str(&printed(&arguments)).expect("JSON")
}

#[test]
fn an_order_decides_how_many_games_there_are_and_who_begins() {
    for (order, games) in [("fixed", 20), ("reversed", 20), ("random", 20), ("rotate", 60)] {
        let report = json(&["--deals", "20", "--order", order, "a=greedy", "random", "random"]);
        let row = (&report["order"], &report["deals"], &report["games"]);
        assert_eq!(row, (&order.into(), &20.into(), &games.into()));
        let names = ["a", "random", "random#2"].map(Value::from);
        assert_eq!([0, 1, 2].map(|place| report["players"][place]["name"].clone()), names);
        let greedy = &report["players"][0];
        assert_eq!(greedy["command"], "greedy");
        assert!(greedy["win_share"]["mean"].as_f64() > Some(0.6), "{greedy}");
    }
    // The same cards from the other side.
    let order = |order, first, second| {
        let report = json(&["--deals", "20", "--order", order, first, second]);
        [report["players"][0]["points"].clone(), report["players"][1]["points"].clone()]
    };
    let [greedy, random] = order("fixed", "greedy", "random");
    assert_eq!(order("reversed", "random", "greedy"), [random, greedy]);
}

#[test]
fn a_drawn_seed_is_shown_and_repeats_the_simulation() {
    let arguments = ["--deals", "3", "greedy", "random"];
    let first = printed(&arguments);
    let seed = first.lines().find_map(|line| line.strip_prefix("seed ")).expect("a seed");
    assert_eq!(printed(&[&["--seed", seed][..], &arguments].concat()), first);
    assert_ne!(printed(&arguments), first);
}

#[test]
fn wrong_usage_is_refused() {
    let known = programs::ALL.map(|program| program.name).join(", ");
    let only = format!("simulate supports only built-in bots ({known})");
    let found = |found: &str| format!("{only}, not `{found}`: `arbiter match` plays any bot\n");
    let unknown = |option| {
        format!("bot `a`: unknown argument `{option}`, `arbiter bots` lists the options\n")
    };
    let seats = "2 bots for 3 seats: give one bot per seat\n".to_owned();
    let five = "expected 2, 3, 4, 6, 8, 12, 16, 24 or 48 seats for tablic, found `5`\n";
    let cases: [(&[&str], String); 13] = [
        (&["greedy", "python3 my_bot.py"], found("python3")),
        (&["greedy", "./greedy"], found("./greedy")),
        (&["greedy", "x=Greedy"], found("Greedy")),
        (&["a=greedy --depth 3", "random"], unknown("--depth")),
        (&["a=minimax --help", "random"], unknown("--help")),
        (&["a=greedy", "a=random"], "two bots are named `a`".to_owned()),
        (&["--seats", "3", "greedy", "random"], seats),
        (&["greedy"; 5], five.to_owned()),
        (&["--order", "shuffled", "greedy", "random"], "invalid value 'shuffled'".to_owned()),
        (&["--workers", "0", "greedy", "random"], "invalid value '0'".to_owned()),
        (&["--deals", "0", "greedy", "random"], "invalid value '0'".to_owned()),
        (&["--seed", "012", "greedy", "random"], "invalid value '012'".to_owned()),
        (&["greedy"], "2 values required".to_owned()),
    ];
    for (arguments, problem) in cases {
        let ended = simulate(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}: {ended:?}");
        assert!(ended.stderr.starts_with(&format!("error: {problem}")), "{arguments:?}: {ended:?}");
    }
    // A bad bot is refused as in a match.
    for bot in ["", " ", "x=", "a/b=greedy", "a b'", "\x1b[31mx=greedy", "a\nb=greedy", "'\x07 "] {
        let simulated = simulate(&[bot, "greedy"]);
        simulated.assert_refused(2, &[]);
        assert_eq!(Bench::new().run(["match", "--game", "tablic", bot, "greedy"]), simulated);
    }
}

#[test]
fn moves_cut_by_a_time_limit_are_reported() {
    let of = |bots: [&str; 2]| printed(&[&["--deals", "1", "--seed", SEED][..], &bots].concat());
    let told = |text: &str| text.contains("minimax: hit its time limit in ");
    assert!(told(&of(["minimax --time 0s", "greedy"])));
    assert!(!told(&of(["minimax --depth 1 --time none", "greedy"])));
    assert!(!told(&of(["minimax --depth 1 --time 10m", "greedy"])));
    let report = json(&["--deals", "1", "minimax --time=0s", "greedy"]);
    assert!(report["players"][0]["cuts"].as_u64() > Some(0), "{report}");
    assert_eq!(report["players"][1]["cuts"], 0);
}
