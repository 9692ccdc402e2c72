//! Reviews of games on served pages: for all once their deal is over, for the author of a bot at once.

use std::fs;

use serde_json::Value;
use tests::bench::Bench;
use tests::look::browser_and_bench;
use tests::running::wait_until;
use tests::served::{Answer, Served};
use tests::texts::assert_says;

fn cup(bench: &Bench, game: &str, folder: &str) {
    let words = format!("tournament --game {game} --dir {folder} --deals 1 --seed 7");
    bench.ok(&format!("{words} --quiet random greedy"));
}

fn served(bench: &Bench) -> Served {
    let served = Served::start(bench, &["cup", "--review"]);
    served.text_with("data/index.js", "\"games\":2");
    served
}

/// The value in the script with the review of game 0.
fn review(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let begin = "arbiter.takeReview(0, 0, ";
    let value = answer.text.strip_prefix(begin).and_then(|it| it.trim_end().strip_suffix(");"));
    serde_json::from_str(value.unwrap_or_else(|| panic!("{}", answer.text))).expect("JSON")
}

#[test]
fn a_served_review_is_the_one_of_a_report() {
    for game in ["tablic", "coup", "durak"] {
        let bench = Bench::new();
        cup(&bench, game, "cup");
        bench.ok("report cup -o report --review");
        let kept = bench.path("cup/games.jsonl.review");
        fs::remove_file(&kept).expect("the report has kept it");
        let text = bench.text("report/data/games-0.js");
        let first = text.lines().nth(1).expect("a game").trim_end_matches(',');
        let written: Value = serde_json::from_str(first).expect("JSON");
        let served = served(&bench);
        assert_says(&served.text("data/index.js"), &["\"reviews\":{\"own\":null}"]);
        let asked = served.get("data/review-0-0.js", &[]);
        let review = review(&asked);
        let steps = review["steps"].as_object().expect("steps");
        assert!(steps.len() > 2, "{game}: {review}");
        for (place, step) in written["steps"].as_array().expect("steps").iter().enumerate() {
            let mut pair =
                [&step["answer"]["review"], &review["steps"][place.to_string()]].map(Value::clone);
            // Habits are learnt from other games, which a server does not read for it.
            for mv in pair.iter_mut().filter_map(|it| it["moves"].as_array_mut()).flatten() {
                mv.as_object_mut().expect("a move").remove("habits");
            }
            assert_eq!(pair[0], pair[1], "{game}, step {place}");
        }
        assert_eq!(review["luck"], written["luck"], "{game}");
        assert_eq!(review["luck"].is_null(), game != "tablic");
        assert_eq!(served.get("data/review-0-0.js", &[]).text, asked.text);
        assert!(!kept.exists(), "a server keeps none on the disk");
    }
}

#[test]
fn addresses_without_a_game_have_no_review_nor_has_a_server_without_the_option() {
    let bench = Bench::new();
    cup(&bench, "tablic", "cup");
    let with = served(&bench);
    for name in
        ["2-0", "0-1", "0", "00-0", "0-00", "-0-0", "0-99999999999", "99999999999999999999-0", ""]
    {
        assert_eq!(with.get(&format!("data/review-{name}.js"), &[]).status, 404, "{name}");
    }
    let without = Served::start(&bench, &["cup"]);
    let index = without.text_with("data/index.js", "\"games\":2");
    assert!(!index.contains("reviews"), "{index}");
    assert_eq!(without.get("data/review-0-0.js", &[]).status, 404);

    // Games have the same name in all tournaments of one seed.
    fs::create_dir(bench.path("site")).expect("ours");
    fs::rename(bench.path("cup"), bench.path("site/one")).expect("ours");
    cup(&bench, "coup", "site/two");
    let both = Served::start(&bench, &["site", "--review"]);
    for (folder, is_of_tablic) in [("one", true), ("two", false)] {
        both.text_with(&format!("{folder}/data/index.js"), "\"games\":2");
        let review = review(&both.get(&format!("{folder}/data/review-0-0.js"), &[]));
        let steps = review["steps"].as_object().expect("steps");
        let phase = steps.values().next().expect("a decision")["phase"].to_string();
        assert_eq!(phase.starts_with("\"deal"), is_of_tablic, "{phase}");
    }
}

#[test]
fn the_author_of_a_bot_sees_its_moves_while_the_deal_goes_on() {
    let bench = Bench::new();
    bench.ok("league new class --game tablic --round-deals 1");
    bench.ok("league add class anna=random ben=greedy cleo=random");
    let [anna, cleo, dora] = ["anna", "cleo", "dora"].map(|name| {
        let told = bench.ok(&format!("league invite class {name}"));
        format!("Bearer {}", told.trim_end().rsplit(' ').next().expect("a token"))
    });
    bench.ok("league run class --games 2 --quiet --workers 1");
    // The second game of the deal is taken away, as if it were still to come.
    let text = bench.text("class/rounds/0/games.jsonl");
    let lines: Vec<&str> = text.lines().take(2).collect();
    bench.write("class/rounds/0/games.jsonl", lines.join("\n") + "\n");
    let game: Value = serde_json::from_str(lines[1]).expect("JSON");
    let seats = game["game"]["seats"].as_array().expect("seats").clone();
    let served = Served::start(&bench, &["class", "--submit", "--review"]);
    let own = |path: &str, token: &str| {
        served.get(&format!("hand-in/review/{path}"), &[("Authorization", token)])
    };
    for (name, token) in [("anna@1", &anna), ("cleo@1", &cleo)] {
        let answer = own("0/0", token);
        let Some(seat) = seats.iter().position(|seat| seat == name) else {
            assert_eq!(answer.status, 404, "{}", answer.text);
            continue;
        };
        assert_eq!(answer.status, 200, "{}", answer.text);
        let told: Value = serde_json::from_str(&answer.text).expect("JSON");
        let decisions = told["decisions"].as_array().expect("decisions");
        assert!(decisions.len() > 4, "{told}");
        assert!(decisions.iter().all(|decision| decision["seat"] == seat), "{told}");
    }
    for (path, token, status) in [
        ("0/0", &*dora, 404),
        ("0/9", &anna, 404),
        ("7/0", &anna, 404),
        ("x/0", &anna, 404),
        ("0/0", "Bearer nothing", 401),
    ] {
        assert_eq!(own(path, token).status, status, "{path}");
    }
    // A browser is led to the form.
    let form = served.get("hand-in/review/0/0", &[("Accept", "text/html")]);
    assert!(form.status == 401 && form.text.contains("href=\"../../\""), "{}", form.text);
    assert_eq!(served.get("hand-in/review/0/0", &[("Accept", "application/json")]).status, 401);
    // All others wait for the end of the deal.
    assert_eq!(served.get("rounds/0/data/review-0-0.js", &[]).status, 404);
    assert_says(&served.text("rounds/0/data/index.js"), &["\"own\":\"../../hand-in/review/0/\""]);
    // Without the option there is no review for authors either.
    drop(served);
    let served = Served::start(&bench, &["class", "--submit"]);
    let answer = served.get("hand-in/review/0/0", &[("Authorization", &anna)]);
    assert_eq!(answer.status, 404, "{}", answer.text);
}

#[test]
fn one_click_in_the_viewer_asks_for_a_review() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    cup(&bench, "tablic", "cup");
    let served = served(&bench);
    browser.visit(&format!("{}game.html#game=1", served.address()));
    browser.wait("document.querySelector('#graph:not([hidden]) button')");
    assert_eq!(browser.text("#graph"), "Review this game");
    // Once a page that came late had emptied the sections that scripts fill.
    let foreign = "main section[id]:not([data-own])";
    let foreign = browser.run(&format!("return document.querySelectorAll('{foreign}').length"));
    assert_eq!(foreign, 0);
    browser.click("#graph button");
    browser.wait("document.querySelector('#graph svg .chance')");
    browser.wait("document.querySelector('#luck:not([hidden]) table')");
    wait_until("a move has bars", || {
        browser.click("#forward");
        browser.run("return document.querySelectorAll('.values tr.played').length") == 1
    });
    browser.click("#game-before");
    browser.wait("document.querySelector('#graph button')?.textContent === 'Review this game'");
    browser.click("#game-after");
    browser.wait("document.querySelector('#graph svg .chance')");
}
