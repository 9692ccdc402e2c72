//! Served folders with a custom game: their pages, and people who play it.

use std::fs;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::own_games::{self, leduc_cup};
use tests::served::Served;
use tests::texts::assert_says;

/// Plays a game to its end over HTTP, always the first move, and gives what was seen last. Its log is verified later, too,
/// with the copy of the game in the folder.
fn play(bench: &Bench, folder: &str, served: &Served, form: &str) -> Value {
    let at = served.sit_down(form);
    assert!(served.text(&at).contains("/own.js"), "it is drawn by the lines of its view");
    let seen = served.play_first_moves(&at, &|seen| {
        if let Some(turn) = seen["turn"]["number"].as_u64() {
            let hint = served.get(&format!("{at}hint?turn={turn}"), &[]);
            // The turn may be over by now: what was seen is as old as its version.
            assert!(matches!(hint.status, 409 | 422), "{hint:?}");
        }
    });
    Served::verified_log(bench, folder, &seen);
    seen
}

#[test]
fn the_game_of_a_tournament_is_played_against_random() {
    let Some(bench) = leduc_cup() else { return };
    // The copy in the folder is enough.
    fs::remove_dir_all(bench.path("game")).expect("the folder is ours");
    let served = Served::start(&bench, &["cup"]);
    let page = served.text("play/");
    for words in ["<option value=\"random\"", "<option value=\"other\"", "a program, digest"] {
        assert!(page.contains(words), "{words} in {page}");
    }
    assert!(!page.contains("greedy"), "it does not know the game: {page}");
    assert!(served.text("play/rules/").contains("There are six cards"));
    let refused = served.form("play/", "game=leduc&name=Ana&seat=0&bot=greedy", &[]);
    assert!(refused.status == 422 && refused.text.contains("no bot `greedy`"));
    let seen = play(&bench, "cup", &served, "game=leduc&name=Ana&seat=1&bot=random");
    assert_eq!(seen["names"], json!(["random", "Ana"]));
    assert_eq!(seen["own"]["hand"], json!(["card", "shown"]));
    for hand in seen["ending"]["hands"].as_array().expect("hands") {
        assert_eq!(hand.as_array().map(Vec::len), Some(1), "{seen}");
    }
}

#[test]
fn the_game_of_a_league_is_played_against_its_bots() {
    let bench = Bench::new();
    let Some(leduc) = own_games::leduc_beside_logs(&bench) else { return };
    bench.succeed(["league", "new", "class", "--game", leduc, "--time-limit", "30s"]);
    bench.ok("league add class random");
    let served = Served::start(&bench, &["class"]);
    assert!(served.text("statistics.html").contains("a program, digest"));
    let seen = play(&bench, "class", &served, "game=leduc&name=Ana&seat=0&bot=random%401");
    assert_eq!(seen["names"], json!(["Ana", "random@1"]));
}

/// What needs the rules says what is missing, and all other pages are there.
#[test]
fn a_folder_without_the_copy_of_its_game_says_what_is_missing() {
    let Some(bench) = leduc_cup() else { return };
    bench.ok("league new class --game game --time-limit 30s");
    bench.ok("league add class random other=random");
    bench.ok("league run class --games 4 --quiet");
    for copy in ["game", "cup/game", "class/game"] {
        fs::remove_dir_all(bench.path(copy)).expect("the folder is ours");
    }
    let served = Served::start(&bench, &["cup"]);
    for path in ["", "play/"] {
        let page = served.get(path, &[]);
        let says = "tournaments and leagues keep a copy of a custom game in their folder `game`";
        assert!(page.text.contains(says), "{path}: {page:?}");
    }
    drop(served);
    let served = Served::start(&bench, &["class"]);
    let page = served.text("statistics.html");
    assert_says(&page, &["other@1", "a program, digest", "; missing: no folder"]);
    assert!(served.text("bots/2.html").contains("other@1"));
    let page = served.get("play/", &[]);
    assert!(page.text.contains("the rules of leduc (a program with digest"), "{page:?}");
}
