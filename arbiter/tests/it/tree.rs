//! The crates and the folders of the sources are levels: what stands on one uses what is below it, never what is above.
//! The manifests of crates, and the `use` lines and paths of every file, say so.
//!
//! The test prints the rooms and arrows that it has counted:
//! `cargo test -p arbiter tree -- --nocapture`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::sources::Sources;

/// The packages of the workspace, from the lowest level to the highest. Packages of one level do not use each other.
///
/// The players, `bots`, are not below the log of a game.
const CRATES: [&[&str]; 13] = [
    &["text"],
    &["rules", "sandbox", "workers"],
    &["bot", "search", "standings"],
    &["bots", "games", "series"],
    &["record", "simulation"],
    &["learning", "review"],
    &["contest"],
    &["check", "person"],
    &["league"],
    &["report"],
    &["web"],
    &["arbiter"],
    &["arbiter-games", "tests"],
];

/// Packages that use no player, neither themselves nor through another one.
const WITHOUT_PLAYERS: [&str; 5] = ["bot", "games", "record", "sandbox", "series"];

/// The folders and files at the top of `arbiter/src`, from the lowest level to the highest.
///
/// Folders of one level do not use each other.
const LEVELS: [&[&str]; 5] = [&["disputes"], &["output"], &["options"], &["commands"], &["cli"]];

/// The packages of the workspace, each with the packages that it uses.
fn packages() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join("Cargo.toml")).expect("a manifest");
    let members = text.lines().find_map(|line| line.strip_prefix("members = [")).expect("members");
    let folders: Vec<&str> = members.split('"').skip(1).step_by(2).collect();
    let manifests = folders.iter().map(|folder| root.join(folder).join("Cargo.toml"));
    let read: BTreeMap<String, BTreeSet<String>> = manifests.map(|path| package(&path)).collect();
    let names: BTreeSet<String> = read.keys().cloned().collect();
    let own = |uses: BTreeSet<String>| uses.intersection(&names).cloned().collect();
    read.into_iter().map(|(name, uses)| (name, own(uses))).collect()
}

/// The name of the package with this manifest, and what it uses outside of its tests.
fn package(manifest: &Path) -> (String, BTreeSet<String>) {
    let text = fs::read_to_string(manifest).expect("a manifest");
    let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let mut uses = BTreeSet::new();
    let mut is_of_program = false;
    for line in text.lines() {
        if line.starts_with('[') {
            is_of_program = line.ends_with("dependencies]") && !line.contains("dev-dependencies");
        } else if is_of_program {
            uses.extend(line.split([' ', '.', '=']).next().map(str::to_owned));
        }
    }
    (name.expect("a name").to_owned(), uses)
}

#[test]
fn no_crate_uses_one_above_it() {
    let packages = packages();
    let level = |name: &str| CRATES.iter().position(|level| level.contains(&name));
    let mut wrong = Vec::new();
    for (from, uses) in &packages {
        let Some(upper) = level(from) else {
            wrong.push(format!("{from} is on no level: give it one in CRATES"));
            continue;
        };
        let above = uses.iter().filter(|to| level(to).is_none_or(|lower| lower >= upper));
        wrong.extend(above.map(|to| format!("{from} uses {to}, not below it")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(CRATES.concat().iter().all(|name| packages.contains_key(*name)), "{packages:#?}");
}

#[test]
fn what_is_logged_depends_on_no_player() {
    let packages = packages();
    for from in WITHOUT_PLAYERS {
        let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(name) = left.pop() {
            let new = packages[name].iter().map(String::as_str).filter(|it| reached.insert(*it));
            left.extend(new.collect::<Vec<_>>());
        }
        assert!(!reached.contains("bots"), "{from}: {reached:?}");
    }
}

#[test]
fn no_arrow_goes_up() {
    // The folder or the file at the top; the root declares every module, which is no use of it.
    fn room(module: &str) -> Option<&str> {
        module.split("::").next().filter(|room| !room.is_empty())
    }

    let sources = Sources::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut between: BTreeMap<(&str, &str), Vec<(&str, &str)>> = BTreeMap::new();
    for (from, to) in sources.uses() {
        if let Some(rooms) = room(from).zip(room(to)).filter(|(from, to)| from != to) {
            between.entry(rooms).or_default().push((from, to));
        }
    }
    let level = |room: &str| LEVELS.iter().position(|level| level.contains(&room));
    let mut wrong = Vec::new();
    for ((from, to), modules) in &between {
        match (level(from), level(to)) {
            (Some(upper), Some(lower)) if upper > lower => {}
            (Some(_), Some(_)) => {
                wrong.push(format!("{from} uses {to}, not below it: {modules:?}"))
            }
            _ => wrong.push(format!("{from} or {to} is on no level: give it one in LEVELS")),
        }
    }
    let rooms: BTreeSet<&str> = sources.modules().filter_map(room).collect();
    println!(
        "{} rooms on {} levels, {} arrows between them, {} files",
        rooms.len(),
        LEVELS.len(),
        between.len(),
        sources.modules().count()
    );
    assert!(!between.is_empty(), "no `use` line was understood");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for name in LEVELS.concat() {
        assert!(rooms.contains(name), "no folder `{name}` is left");
    }
}
