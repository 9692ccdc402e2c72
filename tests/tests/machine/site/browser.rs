//! The site in a real browser.

use serde_json::json;
use tests::axe::assert_accessible;
use tests::bench::Bench;
use tests::browser::{Scheme, Width};
use tests::look::{assert_quiet, browser, keep};

use super::build;

/// Pages of every kind: text, pictures, cards, wide tables and a viewer.
const PAGES: [&str; 12] = [
    "index",
    "docs/first-bot",
    "docs/first-game",
    "docs/contest",
    "docs/games/tablic",
    "docs/games/coup",
    "docs/games/durak",
    "docs/statistics",
    "docs/own-game",
    "docs/reference/api",
    "docs/review",
    "protocol",
];

/// Pictures that are not there.
const BROKEN: &str = "return [...document.images]
  .filter((it) => it.complete && !it.naturalWidth).map((it) => it.src)";

#[test]
fn pages_can_be_read_on_a_phone() {
    let bench = Bench::new();
    let Some((book, _)) = build(&bench) else { return };
    let Some(browser) = browser() else { return };
    // A page opens its contents at the side where there is room, so it is opened at each width.
    for (width, size) in [(Width::Phone, "phone"), (Width::Desktop, "desktop")] {
        browser.resize(width);
        for page in PAGES {
            browser.open(&book.join(page).with_extension("html"), "");
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert!(
                wide.as_u64() <= Some(width.pixels().into()),
                "{page} at {size} is {wide} wide"
            );
            assert_eq!(browser.run(BROKEN), json!([]), "{page}");
            for (scheme, colours) in [(Scheme::Dark, "dark"), (Scheme::Light, "light")] {
                browser.prefer(scheme);
                // The colours are chosen when a page is opened.
                browser.open(&book.join(page).with_extension("html"), "");
                assert_accessible(&browser, &format!("{page}-{size}-{colours}"));
            }
            // The protocol is as high as a hundred screens.
            if page != "protocol" {
                keep(&browser, &format!("site-{}-{size}", page.replace('/', "-")));
            }
        }
    }
    assert_quiet(&browser);
}

#[test]
fn a_game_is_stepped_through_in_the_page_that_explains_it() {
    let bench = Bench::new();
    let Some((book, _)) = build(&bench) else { return };
    let Some(browser) = browser() else { return };
    for game in ["tablic", "coup", "durak"] {
        browser.resize(Width::Phone);
        browser.open(&book.join(format!("docs/games/{game}.html")), "");
        // Cards are drawn, and have a name for who does not see them.
        let drawn = "document.querySelectorAll('.cards [role=img][aria-label] .card').length > 4";
        browser.wait(drawn);
        browser.enter(".viewer iframe");
        browser.wait("document.querySelector('#stage:not([hidden])')");
        // The page stays where a reader is.
        browser.leave();
        assert_eq!(browser.run("return scrollY"), json!(0), "{game}");
        browser.run("document.querySelector('.viewer iframe').scrollIntoView()");
        browser.enter(".viewer iframe");
        let step = browser.run("return document.querySelector('#position').value");
        browser.click("#forward");
        browser.wait(&format!("document.querySelector('#position').value > {step}"));
        let is_fitting = "document.documentElement.scrollWidth <= innerWidth";
        browser.wait(is_fitting);
        browser.leave();
        keep(&browser, &format!("site-viewer-{game}-phone"));
    }
    browser.resize(Width::Desktop);
    assert_quiet(&browser);
}
