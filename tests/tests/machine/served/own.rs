//! Custom games at served pages in a browser: drawn by what their views say, and played by clicks and keys.

use std::fs;

use serde_json::{Value, json};
use tests::browser::{Browser, ENTER, Width};
use tests::installed::{bench_with, is_there};
use tests::look::{assert_fits, assert_named, assert_quiet, browser, browser_and_bench, keep_all};
use tests::own_games::{leduc_cup, play_cup, root};
use tests::served::Served;
use tests::table::{by_keys, play, sit_down};
use tests::texts::assert_says;

#[test]
fn a_game_of_ones_own_is_drawn_and_played_in_a_browser() {
    let Some(browser) = browser() else { return };
    let Some(bench) = leduc_cup() else { return };
    let served = Served::start(&bench, &["cup"]);
    browser.visit(&format!("{}game.html#game=0&step=2", served.address()));
    browser.wait("document.querySelectorAll('#board .card.named').length === 2");
    // The first move is a check or a raise.
    assert_eq!(browser.text("#board .own-game .figures"), "1");
    let lines = browser.text("#board .own-game dl");
    let pot = browser.text("#board .self .facts-line");
    match lines.as_str() {
        "first\ncheck" => assert_eq!(pot, "pot 1"),
        "first\nraise" => assert_eq!(pot, "pot 3"),
        _ => panic!("the view after the first move: {lines}"),
    }
    assert_says(&browser.text("#moves li:first-child .what"), &[" gets "]);
    keep_all(&browser, "viewer-own");
    assert_named(&browser);
    sit_down(&browser, &served, "", "leduc", &["random"]);
    browser.wait("document.querySelectorAll('.self .card.named').length === 1");
    keep_all(&browser, "table-own");
    assert_named(&browser);
    // The list of moves is open, and typing looks through it.
    assert_eq!(browser.run("return document.querySelector('#turn').open"), json!(true));
    play(&browser, &|browser, _| {
        browser.click("#moves button");
        browser.click("#play");
    });
    keep_all(&browser, "table-own-over");
    assert!(browser.text("#proof").starts_with("verified, head "));
    assert_eq!(
        browser.run("return document.querySelectorAll('.seats .card.named').length"),
        json!(2)
    );
    assert_quiet(&browser);
}

/// Hearts looks and is played like a card game by what its manifest says of its view: cards have the names of their
/// players, and penalties stand beside the seats.
#[test]
fn hearts_is_played_to_its_end_by_keys() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let hearts = root().join("examples/games/hearts");
    let Some(hearts) = hearts.to_str().filter(|_| is_there("python3")) else { return };
    play_cup(&bench, hearts, "random a=random b=random c=random");
    let served = Served::start(&bench, &["cup"]);
    browser.resize(Width::Phone);
    sit_down(&browser, &served, "", "hearts", &["random", "a", "b"]);
    // Three of 13 cards are passed, and no other hand is in the page.
    let count = |browser: &Browser, selector: &str| {
        let count = browser.run(&format!("return document.querySelectorAll('{selector}').length"));
        count.as_u64().expect("a number")
    };
    assert_eq!(count(&browser, "[data-card]"), 13);
    let turns = play(&browser, &|browser, turn| {
        if turn == 3 {
            assert_says(&browser.text(".self .facts-line"), &["penalty "]);
            // The hands of the others lie there from the back, and tricks beside those who took them.
            assert_eq!(count(browser, ".seat-box:not(.self) .backs"), 3);
            // Of three turns of a seat, two were in tricks that are over, each with one taker.
            assert!((1..=2).contains(&count(browser, ".seat-box .pile")));
            assert_says(&browser.text("#board"), &["leader", "turn play"]);
            keep_all(browser, "table-hearts");
            browser.resize(Width::Phone);
        }
        by_keys(browser, turn);
    });
    assert!(turns >= 12, "{turns}");
    assert_fits(&browser, Width::Phone);
    assert!(browser.text("#ending .why").starts_with("\tAna\t"), "{}", browser.text(".why"));
    browser.click("#viewer");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    keep_all(&browser, "viewer-hearts");
    browser.resize(Width::Desktop);
    assert_quiet(&browser);
}

/// Rules whose moves are numbers: each seat names one, and scores it.
const NUMBERS: &str = r#"import sys
picked = []
for call in sys.stdin:
    verb, _, rest = call.strip().partition(" ")
    lines = []
    if verb == "about":
        print("rules 1\nname numbers\ntitle Numbers\nabout name a number\nseats 2\nhelp Name one.\n", flush=True)
        continue
    if verb == "new":
        picked = []
    if verb == "play":
        lines.append(f"event {len(picked)} {rest}")
        picked.append(int(rest))
    if len(picked) == 2:
        lines.append(f"over {picked[0]} {picked[1]}")
    else:
        lines += [f"turn {len(picked)}", "move 3", "move 12", "move 120", "fallback 3"]
    print("\n".join([*lines, " ".join(["view * picked", *map(str, picked)]), ""]), flush=True)
"#;

/// A digit chose the move at this place in the list, even where it was a move itself.
#[test]
fn moves_that_are_numbers_have_these_as_keys() {
    let Some(browser) = browser() else { return };
    let Some(bench) = bench_with("python3") else { return };
    bench.write("numbers.py", NUMBERS);
    play_cup(&bench, "python3 numbers.py", "random other=random");
    let served = Served::start(&bench, &["cup"]);
    sit_down(&browser, &served, "", "numbers", &["random"]);
    let chosen = "const chosen = document.querySelector('#moves [aria-pressed=true]');
         return chosen ? chosen.dataset.move : null";
    // Where moves are numbers, no number but theirs stands beside them. They may be laid out anew meanwhile.
    browser.wait("document.querySelector('#moves .number')?.innerText === '3'");
    // However slow the machine is, the digits belong to one number.
    browser.run("Date.now = () => 0");
    browser.press("1");
    assert_eq!(browser.run(chosen), Value::Null);
    browser.press("2");
    assert_eq!(browser.run(chosen), json!("12"));
    browser.press(ENTER);
    browser.wait("document.querySelector('#ending').open");
    let ending = browser.text("#ending");
    assert!(ending.contains("12\tAna") || ending.contains("12\nAna"), "{ending}");
    let log = fs::read_dir(bench.path("cup/people")).expect("games").flatten().next();
    let game = tests::log::games(&log.expect("a game").path()).remove(0);
    assert_eq!(game["result"]["scores"][0], json!(12), "{game}");
    assert_quiet(&browser);
}
