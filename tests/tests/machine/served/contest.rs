//! A contest in a real browser, on a telephone and without scripts.

use std::fs;

use serde_json::json;
use tests::browser::{Browser, PageScripts, Width};
use tests::handing_in::{Server, bot};
use tests::league::{league, lively};
use tests::look::{self, assert_named, assert_quiet, browser, browser_and_bench};
use tests::served::Served;
use tests::table::{by_keys, play, sit_down};

/// A mark in a page that loading it anew would wipe out.
const MARK: &str = "window.isSamePage = true";
const IS_MARKED: &str = "window.isSamePage === true";

/// The page is no wider than the telephone.
fn assert_fits(browser: &Browser) {
    look::assert_fits(browser, Width::Phone);
}

#[test]
fn a_contest_is_followed_on_a_telephone() {
    let Some(browser) = browser() else { return };
    let server = Server::start(league(&["random", "greedy", "ben=greedy"]));
    let anna = server.invite("anna");
    let at = |path: &str| format!("http://{}/{path}", server.host());
    browser.resize(Width::Phone);
    // A bot is handed in, and its check watched.
    browser.visit(&at("hand-in/"));
    browser.type_into("#token", &anna);
    browser.click("#sign-in button");
    browser.wait("document.querySelector('#upload')");
    assert_fits(&browser);
    let file = server.bench.write("bot.zip", bot("anna's"));
    browser.type_into("#file", file.to_str().expect("text"));
    browser.click("#upload button");
    browser.wait("document.querySelector('#verdict .badge.good')");
    browser.wait("document.querySelectorAll('.steps .badge.good').length > 3");
    assert_fits(&browser);
    // A bracket is played while the page is open.
    server
        .bench
        .ok("league stage class --name cup --format knockout --deals 2 --third-place --with-house");
    browser.visit(&at("stages.html"));
    browser.run(MARK);
    let mut run = server.bench.start("league run class --stage --quiet");
    browser.wait("document.querySelectorAll('.bracket .tie').length > 0");
    run.wait();
    browser.wait("document.querySelectorAll('.podium > div').length > 2");
    browser.wait("document.querySelector('.bracket .tie.last .won')");
    browser.wait(IS_MARKED);
    assert_fits(&browser);
    // The own bot is on the first page, and each bot with a rating has its interval: one that lost every game has none.
    browser.visit(&at(""));
    browser.wait("!document.querySelector('#own').hidden");
    assert!(browser.text("#own").starts_with("My bot: anna"), "{}", browser.text("#own"));
    let rows = "[...document.querySelectorAll('#standings tbody tr')]";
    let is_rated = "(row) => row.querySelector('.strong').textContent !== '–'";
    let is_drawn =
        "(row) => row.querySelector('.range')?.getBoundingClientRect().width > 200 || false";
    // The last standings are shown until those of the stage are computed.
    browser.wait(&format!(
        "{rows}.length === 4 && {rows}.some({is_rated}) && {rows}.every((row) => ({is_rated})(row) === ({is_drawn})(row))"
    ));
    assert_fits(&browser);
    // The results are presented by a thumb alone.
    browser.visit(&at("ceremony.html"));
    browser.wait("!document.querySelector('#show').hidden");
    let is_more = "return !document.querySelector('#next').disabled";
    while browser.run(is_more) == json!(true) {
        browser.click("#next");
        assert_fits(&browser);
    }
    assert_eq!(browser.text("#words .nth"), "The winner");
    browser.resize(Width::Desktop);
    assert_quiet(&browser);
}

/// Each kind of page has its content without scripts, and loads nothing from elsewhere.
#[test]
fn pages_are_whole_without_scripts() {
    let Some(browser) = browser() else { return };
    let bench = lively();
    bench.ok("league add class xena=greedy yuri=greedy");
    bench.ok("league stage class --format knockout --deals 1");
    bench.ok("league run class --stage --quiet");
    let all = bench.path("all");
    fs::create_dir(&all).expect("ours");
    fs::rename(bench.path("class"), all.join("class")).expect("ours");
    let served = Served::start(&bench, &["all", "--submit"]);
    browser.run_scripts(PageScripts::Off);
    for (path, words) in [
        ("", "Play against greedy"),
        ("play/", "Tablić"),
        ("class/", "Standings"),
        ("class/statistics.html", "ranked by rating"),
        ("class/crosstable.html", "head-to-head scores"),
        ("class/versions.html", "ann@1"),
        ("class/stages.html", "final"),
        ("class/ceremony.html", "The decisive game"),
        ("class/bots/3.html", "Head-to-head"),
        ("class/rounds/", "Pairings with reasons"),
        ("class/rounds/0/", "Crosstable"),
        ("class/log.html", "arbiter verify"),
        ("class/hand-in/", "Your token"),
        ("class/organiser/", "Sign in"),
    ] {
        // A browser complains of a page whose standings are still being computed.
        served.get(path, &[]);
        browser.visit(&format!("{}{path}", served.address()));
        let text = browser.text("main");
        assert!(text.contains(words), "{path}: {text}");
        assert_named(&browser);
    }
    browser.run_scripts(PageScripts::On);
    assert_quiet(&browser);
}

/// The other tests in a browser ask for stillness.
#[test]
fn games_are_played_while_cards_move() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    look::cups(&bench);
    let served = Served::start(&bench, &["cups", "--tables", "9"]);
    browser.allow_motion();
    let is_still = browser.run("return matchMedia('(prefers-reduced-motion: reduce)').matches");
    assert_eq!(is_still, json!(false));
    for game in ["tablic", "coup", "durak"] {
        sit_down(&browser, &served, "", game, &["random"]);
        assert!(play(&browser, &by_keys) > 0, "{game}");
        assert!(browser.text("#proof").starts_with("verified, head "), "{game}");
    }
    assert_quiet(&browser);
}
