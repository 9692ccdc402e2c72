//! Served pages in a real browser.

use serde_json::json;
use tests::browser::END;
use tests::league::{league, lively};
use tests::look::{assert_named, assert_quiet, browser, browser_and_bench, keep_all};
use tests::published::{ARCHIVE, offer};
use tests::served::Served;
use tests::tournament::cup;

/// A mark in a page that loading it anew would wipe out.
const MARK: &str = "window.isSamePage = true";
const IS_MARKED: &str = "window.isSamePage === true";
const ARROW_RIGHT: &str = "\u{e014}";

#[test]
fn standings_change_while_games_are_played_and_nothing_is_loaded_anew() {
    let Some(browser) = browser() else { return };
    let bench = league(&["random", "greedy", "ann=greedy"]);
    let served = Served::start(&bench, &["class"]);
    browser.visit(served.address());
    browser.run(MARK);
    assert!(browser.text("#standings").contains("0 games"), "{}", browser.text("#standings"));
    let mut run = bench.start("league run class --games 60 --quiet");
    browser.wait(
        "Number(document.querySelector('#standings caption').innerText.match(/[0-9]+/)[0]) > 0",
    );
    run.wait();
    browser.wait(
        "Number(document.querySelector('#standings caption').innerText.match(/[0-9]+/)[0]) >= 60",
    );
    // A part that a reader has opened stays open.
    browser.visit(&format!("{}crosstable.html", served.address()));
    browser.wait("document.querySelector('#crosstable details')");
    browser.run("document.querySelector('#crosstable details').open = true");
    browser.run(MARK);
    let first = browser.text("#crosstable");
    bench.ok("league run class --games 60 --quiet");
    browser.wait(&format!("document.querySelector('#crosstable').innerText !== {}", json!(first)));
    assert_eq!(
        browser.run("return document.querySelector('#crosstable details').open"),
        json!(true)
    );
    browser.wait(IS_MARKED);
    browser.visit(served.address());
    browser.run(MARK);
    browser.wait(IS_MARKED);
    // A bot that enters is there, too.
    bench.ok("league add class late=random");
    browser.wait("document.querySelector('#standings').innerText.includes('late@1')");
    browser.wait(IS_MARKED);
    assert_quiet(&browser);
}

#[test]
fn a_downloaded_log_is_checked_in_the_page() {
    let Some(browser) = browser() else { return };
    let bench = league(&["random", "greedy"]);
    bench.ok("league run class --games 8 --quiet");
    offer(&bench);
    let head = bench.ok("head class");
    let served = Served::start(&bench, &["class"]);
    let archive = served.get(ARCHIVE, &[]).bytes;
    let right = bench.write("league.tar", &archive);
    bench.ok("compress class");
    let compressed = bench.write("compressed.tar", served.get(ARCHIVE, &[]).bytes);
    let mut bytes = archive;
    let key = b"\"verdict\":\"ok\"";
    let at = bytes.windows(key.len()).position(|it| it == key).expect("an answer");
    bytes[at + 11] = b'O';
    let changed = bench.write("changed.tar", bytes);
    browser.visit(&format!("{}log.html", served.address()));
    keep_all(&browser, "log");
    assert_named(&browser);
    let check = |file: &std::path::Path| {
        browser.type_into("#log-file", file.to_str().expect("text"));
        browser.click("#check-log button");
        browser.wait("document.querySelector('#check-state').innerText.startsWith('The log is')");
        (browser.text("#check-state"), browser.text("#checks"))
    };
    for file in [&right, &compressed] {
        browser.run(&format!(
            "document.querySelector('#log-head').value = {}",
            json!(head.trim_end())
        ));
        let (state, found) = check(file);
        assert_eq!(state, "The log is valid, as far as this page checks it.", "{found}");
        assert!(found.contains("Your head is in this log"), "{found}");
        browser.run("document.querySelector('#check-state').innerText = ''");
    }
    let (state, found) = check(&changed);
    assert_eq!(state, "The log is invalid.");
    assert!(found.contains("was changed"), "{found}");
    keep_all(&browser, "log-changed");
    assert_quiet(&browser);
}

#[test]
fn the_list_of_games_grows_while_a_tournament_is_played() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let mut run = bench.start(&cup("cup", 60, "--quiet random greedy"));
    tests::running::wait_until("a log", || bench.path("cup/games.jsonl").exists());
    let served = Served::start(&bench, &["cup"]);
    browser.visit(served.address());
    browser.wait("document.querySelectorAll('#game-rows tr').length > 0");
    browser.run(MARK);
    browser.wait("document.querySelectorAll('#game-rows tr').length === 100");
    run.wait();
    browser.wait("document.querySelector('.status .badge').innerText === 'finished'");
    browser.wait("document.querySelector('#page-label').innerText.includes('120 games')");
    browser.click("#page-after");
    browser.wait("document.querySelectorAll('#game-rows tr').length === 20");
    browser.wait(IS_MARKED);
    // The shorter list may begin below the bar.
    browser.run("document.querySelector('#game-rows a').click()");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    assert!(browser.address().contains("game.html#game=100"), "{}", browser.address());
    assert_quiet(&browser);
}

#[test]
fn pages_of_a_league_can_be_read_on_every_screen() {
    let Some(browser) = browser() else { return };
    let bench = lively();
    bench.ok("league add class xena=greedy yuri=greedy");
    bench.ok("league stage class --name final --format groups --groups 2 --deals 1 --third-place");
    bench.ok("league run class --stage --quiet");
    let served = Served::start(&bench, &["class"]);
    for (path, name) in [
        ("", "league"),
        ("statistics.html", "league-statistics"),
        ("bots/3.html", "league-bot"),
        ("crosstable.html", "league-crosstable"),
        ("rounds/", "league-rounds"),
        ("versions.html", "league-versions"),
        ("stages.html", "league-stages"),
        ("ceremony.html", "league-ceremony"),
    ] {
        browser.visit(&format!("{}{path}", served.address()));
        keep_all(&browser, name);
        assert_named(&browser);
    }
    // The ceremony reveals the places from the last to the first.
    browser.visit(&format!("{}ceremony.html", served.address()));
    browser.wait("!document.querySelector('#show').hidden");
    assert_eq!(browser.text("#words h2"), "?");
    browser.press(ARROW_RIGHT);
    browser.wait("document.querySelector('#words h2').innerText !== '?'");
    browser.press(END);
    browser.wait("document.querySelector('#next').disabled");
    assert_eq!(browser.text("#words .nth"), "The winner");
    assert!(browser.text("#words p").starts_with("final: "), "{}", browser.text("#words"));
    // From the crosstable it is one click to the games that a bot has lost, and another one to such a game. The first
    // bot may have lost none.
    browser.visit(&format!("{}statistics.html", served.address()));
    browser.click("a[href='crosstable.html']");
    browser.click("#crosstable tbody tr:last-child td.cell a");
    browser.wait("location.pathname.startsWith('/bots/') && location.hash.startsWith('#against-')");
    browser.wait("document.querySelector(location.hash)");
    browser.click("#opponents a[href*='game.html']");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    assert_quiet(&browser);
}
