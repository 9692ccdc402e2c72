//! The sources of a game's players do not name another game.

use std::fs;
use std::path::{Path, PathBuf};

use rules::GameKind;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(|entry| below(entry.path())).collect()
}

/// The words of a source, as of a path in code.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

#[track_caller]
fn names_none_of(folder: &str, games: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let sources = sources(&folder);
    assert!(!sources.is_empty(), "{}", folder.display());
    let programs =
        sources.into_iter().filter(|source| source.extension().is_some_and(|kind| kind == "rs"));
    for source in programs {
        let text = fs::read_to_string(&source).expect("a source");
        let named: Vec<&str> = words(&text).filter(|word| games.contains(word)).collect();
        assert!(named.is_empty(), "{} names {named:?}", source.display());
    }
}

#[test]
fn no_game_names_another() {
    let games = GameKind::ALL.iter().map(GameKind::name);
    for game in games.clone() {
        let others: Vec<&str> = games.clone().filter(|other| *other != game).collect();
        names_none_of(game, &others);
    }
}

#[test]
fn common_parts_of_searches_name_no_game() {
    let games: Vec<&str> = GameKind::ALL.iter().map(GameKind::name).collect();
    names_none_of("../search/src", &games);
}
