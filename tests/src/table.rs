//! A person at a table of a served folder, in a browser.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::browser::{Browser, ENTER};
use crate::served::Served;

const RIGHT: &str = "\u{e014}";
/// The most keys for one move: no hand has more cards.
const MOST_KEYS: usize = 120;

/// True once the person is asked, or the game is over and verified.
pub const ASKED_OR_OVER: &str = "document.querySelector('#proof') ||
    (document.querySelector('#turn:not([hidden])') && document.querySelector('.act.turn'))";

/// Begins a game of `Ana` on the first seat against these bots, in the folder with this way to it, and waits for the
/// first turn.
pub fn sit_down(browser: &Browser, served: &Served, way: &str, game: &str, bots: &[&str]) {
    browser.visit(&format!("{}{way}play/", served.address()));
    browser.run(&format!(
        "const form = document.createElement('form');
         Object.assign(form, {{ method: 'post', action: './' }});
         const fields = [['game', {}], ['name', 'Ana'], ['seat', 0], ...{}.map((bot) => ['bot', bot])];
         for (const [name, value] of fields) form.append(Object.assign(document.createElement('input'), {{ name, value }}));
         document.body.append(form);
         form.submit();",
        json!(game),
        json!(bots)
    ));
    browser.wait(ASKED_OR_OVER);
}

/// Plays to the end, each turn by what `act` does, and returns the number of turns.
pub fn play(browser: &Browser, act: &dyn Fn(&Browser, u64)) -> u64 {
    let mut turns = 0;
    loop {
        browser.wait(ASKED_OR_OVER);
        if is_over(browser) {
            browser.wait("document.querySelector('#ending').open");
            return turns;
        }
        let turn = turn(browser);
        act(browser, turns);
        turns += 1;
        browser.wait(&passed(&turn));
    }
}

/// Chooses and plays a move by keys alone: it goes through the cards or claims to the first that can be played, and
/// where none can, types the number of a move.
pub fn by_keys(browser: &Browser, _: u64) {
    let turn = turn(browser);
    let moved = format!("({})", passed(&turn));
    let is = |condition: &str| browser.run(&format!("return !!({condition})")) == json!(true);
    for _ in 0..MOST_KEYS {
        if is(&moved) {
            return;
        }
        if is("document.querySelector('#play:not([disabled])')") {
            browser.press(ENTER);
            browser.wait(&moved);
            return;
        }
        let can_be_chosen = "button:not([disabled], [aria-disabled=true], [aria-pressed=true])";
        if !is(&format!(
            "document.querySelector('#board :is(.card, .tiles button):is({can_be_chosen})')"
        )) {
            browser.press("1");
            continue;
        }
        browser.press(RIGHT);
        if is(&format!("document.activeElement.matches('{can_be_chosen}')")) {
            browser.press(" ");
            // It was a move, or is a part of one.
            let chosen = "document.querySelector('#play, #board [aria-pressed=true]')";
            browser.wait(&format!("{moved} || {chosen}"));
        }
    }
}

/// The number of the turn that the page shows.
fn turn(browser: &Browser) -> Value {
    browser.run("return document.querySelector('#turn').dataset.turn")
}

fn is_over(browser: &Browser) -> bool {
    browser.run("return document.querySelector('#proof') !== null") == json!(true)
}

/// True once a turn is over.
fn passed(turn: &Value) -> String {
    format!(
        "document.querySelector('#turn').dataset.turn !== {turn} || document.querySelector('#proof')"
    )
}

/// Checks that the page at the end of a game says what the command says of its log.
pub fn assert_verified(browser: &Browser, bench: &Bench, folder: &Path, game: &str) {
    let logs = fs::read_dir(folder.join("people")).expect("logs").flatten();
    let mut logs = logs.filter(|log| log.file_name().to_string_lossy().starts_with(game));
    let log = logs.next().expect("a log").path();
    assert!(logs.next().is_none(), "one log of {game}");
    let verified = bench.succeed([Path::new("verify"), &log]);
    let head = browser.text("#proof code");
    assert!(verified.contains(&format!("ok, 1 game of {game}, head {head}")), "{verified} {head}");
    assert!(browser.text("#proof").starts_with("verified, head "), "{head}");
    let shown = bench.succeed([Path::new("show"), &log]);
    let result = browser.text("#ending .result");
    assert!(shown.contains(&result), "{result} in {shown}");
}
