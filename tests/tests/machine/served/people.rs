//! Games of people at served pages in a browser: by keys on a telephone, and by one click on the first page.

use serde_json::json;
use tests::bench::Bench;
use tests::browser::Width;
use tests::look::{assert_fits, assert_quiet, browser, cups};
use tests::served::Served;
use tests::table::{ASKED_OR_OVER, assert_verified, by_keys, play, sit_down};

/// Each game by keys alone, on a telephone; after it one click deals the next one.
#[test]
fn a_game_of_each_kind_is_played_by_keys_and_again_by_one_click() {
    let Some(browser) = browser() else { return };
    let bench = Bench::new();
    let folder = cups(&bench);
    let served = Served::start(&bench, &["cups", "--review", "--tables", "9"]);
    browser.resize(Width::Phone);
    for (game, bots) in
        [("tablic", &["random"][..]), ("coup", &["random", "random"]), ("durak", &["random"])]
    {
        sit_down(&browser, &served, "", game, bots);
        let turns = play(&browser, &by_keys);
        assert!(turns > 0, "{game}");
        assert_verified(&browser, &bench, &folder, game);
        // Without a sideways scroll, and with the focus in the card that lies over the table.
        assert_fits(&browser, Width::Phone);
        let is_inside = "document.querySelector('#ending').contains(document.activeElement)";
        browser.wait(is_inside);
        let says = if game == "coup" { "Replay the game" } else { "Review this game" };
        assert_eq!(browser.text("#viewer"), says, "{game}");
        let before = browser.address();
        browser.click("#ending form[method=post] button");
        // The page that is left satisfies the next condition, too.
        browser.wait(&format!("location.href !== {}", json!(before)));
        browser.wait(ASKED_OR_OVER);
        let against = browser.text("h1").replace("random#2", "random");
        assert!(against.ends_with(&format!(" against {}", bots.join(", "))), "{against}");
        browser.run("window.confirm = () => true");
        browser.click("#leave");
        browser.wait("document.querySelector('#ending[open]')");
        assert!(browser.text("#ending").contains("you left the game"), "{game}");
    }
    browser.resize(Width::Desktop);
    assert_quiet(&browser);
}

/// The first page had a policy by which browsers did not send its forms.
#[test]
fn one_click_on_the_first_page_deals_a_game() {
    let Some(browser) = browser() else { return };
    let bench = Bench::new();
    let served = Served::start(&bench, &["--tables", "9"]);
    for (width, game) in
        [(Width::Phone, "tablic"), (Width::Desktop, "coup"), (Width::Phone, "durak")]
    {
        browser.resize(width);
        browser.visit(served.address());
        browser.click(&format!("#{game} button.main"));
        browser.wait(ASKED_OR_OVER);
        assert!(browser.text("h1").ends_with(" against greedy"), "{}", browser.text("h1"));
        // A person has some time for a move, which passes.
        browser
            .wait("/^[0-9]+:[0-5][0-9]$/.test(document.querySelector('.self .clock').innerText)");
        browser.wait("document.querySelector('.self .clock').innerText.startsWith('9:')");
        assert_fits(&browser, width);
    }
    browser.resize(Width::Desktop);
    assert_quiet(&browser);
}
