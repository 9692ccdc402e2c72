//! Games of people at served pages in a browser: by clicks and keys to their end, by keys on a telephone, and by one
//! click on the first page.

use serde_json::json;
use tests::browser::{Browser, END, ENTER, Width};
use tests::look::{assert_fits, assert_named, assert_quiet, browser_and_bench, cups, keep_all};
use tests::served::Served;
use tests::table::{ASKED_OR_OVER, assert_verified, by_keys, play, sit_down};
use tests::texts::assert_says;

/// The first card of the hand with what it is proposed to take, or another card of the table that it can take.
fn by_cards(browser: &Browser, turn: u64) {
    browser.click(".self .fan button");
    if turn % 2 == 1
        && browser.run("return document.querySelector('.middle .card.can') !== null") == json!(true)
    {
        browser.click(".middle .card.can");
    }
    if browser.run("return document.querySelector('#play') === null") == json!(true) {
        // The marked cards are not a legal move.
        browser.press("1");
    }
    browser.click("#play");
}

#[test]
fn a_game_of_each_kind_is_played_to_its_end_and_verified() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let folder = cups(&bench);
    let served = Served::start(&bench, &["cups", "--review"]);
    // The way there leads over the pages of a tournament, whose game is the only one.
    // By scripts: if the page moves just then, another link is in this place.
    browser.visit(&format!("{}coup/", served.address()));
    browser.run("document.querySelector(\"a[href='play/']\").click()");
    browser.wait("document.querySelectorAll('form.choose').length === 1");
    browser.visit(served.address());
    browser.run("document.querySelector(\"a[href='play/']\").click()");
    browser.wait("document.querySelectorAll('form.choose').length === 3");
    keep_all(&browser, "play");
    assert_named(&browser);
    sit_down(&browser, &served, "", "tablic", &["random"]);
    keep_all(&browser, "table-tablic");
    assert_named(&browser);
    assert_eq!(browser.text("h1"), "Tablić against random");
    // The list of all moves is folded, since the cards show them.
    assert_eq!(browser.run("return document.querySelector('#turn').open"), json!(false));
    let offered = "[...document.querySelectorAll('.self .fan button')].map((it) => it.ariaLabel)";
    let offered = browser.run(&format!("return {offered}"));
    let says = |words: &str| offered.to_string().contains(words);
    assert!(says("of ") && (says(", can take ") || says(", can only be laid down")), "{offered}");
    let before = browser.run("return document.querySelector('#turn').dataset.turn");
    // Loading the page again continues the game.
    browser.run("location.reload()");
    browser.wait(ASKED_OR_OVER);
    assert_eq!(browser.run("return document.querySelector('#turn').dataset.turn"), before);
    assert_eq!(play(&browser, &by_cards), 24);
    assert_verified(&browser, &bench, &folder, "tablic");
    keep_all(&browser, "table-tablic-over");
    let rows = browser.text("#ending .why");
    assert_says(&rows, &["points in the cards", "tablas", "Ana", "random"]);
    browser.click("#viewer");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    // The review of a game that was played just now is one click away.
    browser.wait("document.querySelector('#graph svg .chance')");
    keep_all(&browser, "table-reviewed");
    assert_named(&browser);
    browser.press(END);
    browser.wait("document.querySelector('#result')");

    sit_down(&browser, &served, "", "coup", &["random"]);
    keep_all(&browser, "table-coup");
    assert_named(&browser);
    let turns = play(&browser, &|browser, _| {
        browser.press("1");
        browser.wait("document.querySelector('#play:not([disabled])')");
        browser.press(ENTER);
    });
    assert!(turns > 0);
    assert_verified(&browser, &bench, &folder, "coup");
    assert!(["You won.", "You lost."].contains(&browser.text("#verdict").as_str()));
    // The hand that was hidden is turned over.
    assert_eq!(
        browser.run("return document.querySelectorAll('.seat-box .card.back').length"),
        json!(0)
    );

    sit_down(&browser, &served, "", "durak", &["random"]);
    keep_all(&browser, "table-durak");
    browser.run("document.querySelector('#turn').open = true");
    let turns = play(&browser, &|browser, turn| {
        let moves = browser.run("return document.querySelectorAll('#moves button').length");
        let place = turn % moves.as_u64().expect("a number") + 1;
        browser.click(&format!("#moves li:nth-child({place}) button"));
        browser.click("#play");
    });
    assert!(turns > 2, "{turns}");
    assert_verified(&browser, &bench, &folder, "durak");
    assert_quiet(&browser);
}

/// Each game by keys alone, on a telephone; after it one click deals the next one.
#[test]
fn a_game_of_each_kind_is_played_by_keys_and_again_by_one_click() {
    let Some((browser, bench)) = browser_and_bench() else { return };
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
    let Some((browser, bench)) = browser_and_bench() else { return };
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
