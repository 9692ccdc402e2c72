//! Stages from their announcement to their certificates.

use std::fs;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::league::{folder, league};

/// Enters a bot that plays the first move listed, and forfeits once it is broken.
fn enter(bench: &Bench, name: &str) {
    folder(bench, name, name, "first");
    let script = "test -e \"${0%/*}/broken\" && exit 1\nexec sed -n '/^legal /{n;p;q}'\n";
    bench.write(&format!("{name}/bot.sh"), script);
    bench.succeed(["league", "add", "class", &format!("./{name}")]);
}

fn breaks(bench: &Bench, name: &str) {
    bench.write(&format!("class/bots/{name}@1/broken"), "");
}

/// The last stage, as a value.
fn shown(bench: &Bench) -> Value {
    let all = bench.run(["league", "stages", "class", "--json"]).json();
    all.last().expect("a stage")["stage"].clone()
}

#[test]
fn a_tied_final_goes_on_with_extra_deals_and_every_page_says_how_it_was_decided() {
    let bench = league(&[]);
    ["ann", "ben"].iter().for_each(|name| enter(&bench, name));
    let stage = ["league", "stage", "class", "--format", "knockout", "--seeds", "entry"];
    bench.succeed([&stage[..], &["--deals", "3", "--deciders", "2"]].concat());
    let ended = bench.run(["league", "run", "class", "--stage"]);
    // The bots are the same program, so they win each deal once.
    let won = "stage 0 (stage 0): ann@1 is first, final: better seed";
    assert!(ended.stderr.contains(won), "{ended:?}");
    let told = shown(&bench);
    let rounds = told["rounds"].as_array().expect("rounds");
    let deciders: Vec<&Value> = rounds.iter().map(|it| &it["matches"][0]["decider"]).collect();
    assert_eq!(deciders, [&json!(null), &json!(1), &json!(2)], "{told}");
    for round in rounds {
        assert_eq!(round["matches"][0]["winner"], "ann@1", "{told}");
        assert_eq!(round["matches"][0]["decided"], "seed", "{told}");
    }
    assert_eq!(rounds[1]["matches"][0]["result"]["won"], json!([1, 1]), "{told}");
    let text = bench.succeed(["league", "stages", "class"]);
    for words in ["final, extra deal 2", "up to 2 extra deals", "better seed", "lost to the better"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let tables = bench.succeed(["league", "pairings", "class", "--round", "1"]);
    assert!(tables.contains("final was tied: extra deal 1"), "{tables}");
    bench.succeed(["report", "class", "-o", "pages"]);
    bench.succeed(["league", "certificates", "class", "-o", "all.html"]);
    for page in ["pages/stages.html", "pages/index.html", "all.html"] {
        let page = fs::read_to_string(bench.path(page)).expect("a page");
        assert!(page.contains("final: better seed"), "{page}");
    }
    bench.succeed(["verify", "class"]);
    // Another one is decided by the forfeits of the first seed.
    breaks(&bench, "ann");
    bench.succeed([&stage[..], &["--deals", "1"]].concat());
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    let told = shown(&bench);
    let last = &told["rounds"][0]["matches"][0];
    assert_eq!((&last["winner"], &last["decided"]), (&json!("ben@1"), &json!("forfeit")), "{told}");
    assert_eq!(last["result"]["forfeited"], json!([2, 0]), "{told}");
    breaks(&bench, "ben");
    bench.succeed([&stage[..], &["--deals", "1", "--deciders", "1"]].concat());
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    assert_eq!(shown(&bench)["rounds"][1]["matches"][0]["decided"], "neither-answered");
    bench.succeed(["verify", "class"]);
    bench
        .run(["league", "stage", "class", "--format", "swiss", "--deciders", "2"])
        .assert_refused(2, &["`--deciders` is for `--format knockout`"]);
}
