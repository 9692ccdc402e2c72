//! Pages in the room that there is: several sources, long names, charts.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tests::browser::Width;
use tests::look::{
    assert_named, assert_quiet, browser_and_bench, examples, keep_all, open_list, report, reported,
};
use tests::texts::assert_says;
use tests::tournament::SEED;

const LONG: &str = "a-bot-whose-name-has-32-letters-";

/// Words and cells that are cut off: wider than what they are in, or out of the window, where they
/// cannot be scrolled to.
const CUT_OFF: &str = "
const scrolls = (it) => it.closest('.scroll, nav[aria-label=Sections], nav[aria-label=Pages], .bracket, pre');
return [...document.querySelectorAll('h1, h2, p, li, dd, dt, th, td, code, a')]
  .filter((it) => it.getClientRects().length && !it.closest('.hidden, .skip') && !scrolls(it))
  .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth + 1 || it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0)
  .map((it) => it.outerHTML.slice(0, 200));";

#[test]
fn several_sources_can_be_read_at_any_width() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let deep = bench
        .path("a-folder-with-a-rather-long-name/and-another-one-inside-of-it-for-good-measure");
    fs::create_dir_all(&deep).expect("a folder");
    let bots = [&format!("{LONG}=greedy"), &format!("another-{}=random", &LONG[8..]), "random"];
    bench.play("durak", &["--games", "3"], &bots);
    let name = "games-of-the-spring-cup-of-the-club-for-card-games-first-round.jsonl";
    let long = deep.join(name);
    fs::copy(bench.path("log"), &long).expect("a copy");
    let sources =
        [examples("tournaments/coup"), long, examples("matches/tablic-4-seats-one-out.jsonl")];
    let folder = bench.path("report");
    let words =
        [Path::new("report"), &sources[0], &sources[1], &sources[2], Path::new("-o"), &folder];
    bench.succeed(words);
    browser.open(&folder.join("index.html"), "");
    let text = browser.text("main");
    for told in
        ["coup", name, "and-another-one-inside", "seats=3", "finished", "highest rating", LONG]
    {
        assert!(text.contains(told), "{told} in {text}");
    }
    keep_all(&browser, "several");
    for page in ["index.html", "logs/2/index.html", "logs/2/bots/1.html", "logs/2/game.html"] {
        browser.open(&folder.join(page), "");
        browser.wait("document.readyState === 'complete'");
        for width in [Width::Phone, Width::Desktop] {
            browser.resize(width);
            assert_eq!(browser.run(CUT_OFF), json!([]), "{page} at {width:?}");
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert!(
                wide.as_u64() <= Some(width.pixels().into()),
                "{page} at {width:?} is {wide} wide"
            );
        }
        assert_named(&browser);
    }
    open_list(&browser, &folder.join("logs/2/index.html"), "", 3);
    keep_all(&browser, "long-names");
    // A name is on the screen without any scrolling.
    browser.resize(Width::Phone);
    let right = browser
        .run("return document.querySelector('#standings tbody a').getBoundingClientRect().right");
    assert!(right.as_f64() < Some(f64::from(Width::Phone.pixels())), "{right}");
    browser.resize(Width::Desktop);
    // Each leads to its report, and back.
    browser.open(&folder.join("index.html"), "");
    browser.click("#source-2-title a");
    browser.wait("document.querySelectorAll('#game-rows tr').length === 3");
    browser.click(".site nav a");
    browser.wait("document.querySelectorAll('.sources section').length === 3");
    assert_quiet(&browser);
}

#[test]
fn charts_are_as_wide_as_their_column() {
    let Some((browser, _bench, folder)) = reported("tournaments/coup") else { return };
    for (page, id) in [("index.html", "standings"), ("bots/1.html", "times")] {
        for width in [Width::Desktop, Width::Phone] {
            browser.resize(width);
            browser.open(&folder.join(page), "");
            let shown = browser.run(&format!(
                "const style = getComputedStyle(document.querySelector('#{id}'));
                 const room = document.querySelector('#{id}').clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
                 return [...document.querySelectorAll('#{id} svg')].filter((it) => it.getClientRects().length)
                   .map((it) => [it.getBoundingClientRect().width, room])"
            ));
            let [drawing] = &shown.as_array().expect("drawings")[..] else {
                unreachable!("one drawing is shown: {shown}")
            };
            let [drawn, room] = [0, 1].map(|at| drawing[at].as_f64().expect("pixels"));
            assert!((drawn - room).abs() < 1.0, "{page} at {width:?}: {drawing}");
            assert!(room > 0.8 * f64::from(width.pixels()), "{page} at {width:?}: {drawing}");
        }
    }
    assert_quiet(&browser);
}

#[test]
fn bots_that_do_not_play_are_shown() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let quits = format!("{LONG}={}", bench.faulty("silent"));
    let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "6", "--seed", SEED];
    bench.succeed([&words[..], &["--quiet", "random", "greedy", &quits]].concat());
    let entrants = bench.path("cup/entrants.json");
    let text = fs::read_to_string(&entrants).expect("a list");
    let mut list: Value = serde_json::from_str(&text).expect("JSON");
    let evil = "<img src=x onerror=document.title=1>";
    list["refused"] = json!([
        {"folder": format!("handed-in/{}", "long-name-".repeat(12)), "why": evil.repeat(8)},
    ]);
    fs::write(&entrants, list.to_string()).expect("the folder is ours");
    let folder = report(&bench, &bench.path("cup"), "report");
    browser.open(&folder.join("index.html"), "");
    browser.wait("document.querySelectorAll('#game-rows tr').length > 8");
    let told = browser.text("#out");
    assert_says(&told, &["Disqualified and rejected", LONG, "no-answer 8", evil]);
    assert_eq!(browser.run("return document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.run(CUT_OFF), json!([]));
    assert_named(&browser);
    keep_all(&browser, "who-does-not-play");
    browser.open(&folder.join("bots/3.html"), "");
    assert!(browser.text(".top .status").starts_with("disqualified after game"));
    keep_all(&browser, "bot-disqualified");
    browser.click(".top .status a");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    assert!(browser.text("h1").contains(LONG), "{}", browser.text("h1"));
    keep_all(&browser, "viewer-walkover");
    assert_quiet(&browser);
}
