//! The viewer's sentences about a player called `you`.

use std::path::Path;
use std::process::Command;

use tests::bench::run;
use tests::installed::is_there;

/// Events of seat 0, with what is said of them.
const TOLD: [(&str, &str); 16] = [
    ("coup deal 0 duke captain", "You are dealt duke, captain"),
    ("coup draw 0 duke", "You draw duke"),
    ("coup 0 tax", "You claim duke: tax"),
    ("coup 0 pass", "You pass"),
    ("coup 0 challenge", "You challenge"),
    ("coup lost 0 duke", "You also lose duke"),
    ("coup winner 0", "You win"),
    ("durak deal 0 6C", "You are dealt 6♣"),
    ("durak first 0 10S", "You attack first, with the lowest trump: 10♠"),
    ("durak 0 transfer 6C", "You transfer with 6♣"),
    ("durak pick-up 0 6C", "You pick up 6♣"),
    ("durak gone 0", "You have no cards left"),
    ("durak durak 0", "You are the durak"),
    ("tablic 0 KS KD", "You play K♠ king of spades and take K♦"),
    ("tablic tabla 0", "You make a tabla"),
    ("tablic rest 0 3C", "You take the remaining cards: 3♣"),
];

#[test]
fn the_viewer_speaks_of_you_as_a_person_would() {
    if !is_there("node") {
        return;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let told = |name: &str| {
        let mut node = Command::new("node");
        node.arg(tests.join("tests/full/reports/told.js"));
        node.arg(tests.join("../arbiter/report/src/assets")).arg(name);
        let told = run(node.args(TOLD.map(|(event, _)| event))).without_error();
        told.stdout
    };
    for (line, (event, expected)) in told("you").lines().zip(TOLD) {
        assert!(line.starts_with(&format!("{event}|{expected}")), "{line}");
    }
    for (line, (event, second)) in told("Ana").lines().zip(TOLD) {
        assert!(line.starts_with(&format!("{event}|Ana ")), "{line}");
        assert_ne!(line, format!("{event}|{}", second.replacen("You", "Ana", 1)), "{event}");
    }
}
