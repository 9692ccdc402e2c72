//! The folders of the sources are floors: what stands on one uses what is below it, never what is
//! above. The `use` lines and paths of every file say so.
//!
//! The test prints the rooms and arrows that it has counted:
//! `cargo test -p arbiter tree -- --nocapture`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources::Sources;

/// The folders and files at the top of `arbiter/src`, from the lowest floor to the highest.
///
/// Folders of one floor do not use each other.
const FLOORS: [&[&str]; 4] = [&["disputes"], &["output"], &["commands"], &["cli"]];

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
    let floor = |room: &str| FLOORS.iter().position(|floor| floor.contains(&room));
    let mut wrong = Vec::new();
    for ((from, to), modules) in &between {
        match (floor(from), floor(to)) {
            (Some(upper), Some(lower)) if upper > lower => {}
            (Some(_), Some(_)) => {
                wrong.push(format!("{from} uses {to}, not below it: {modules:?}"))
            }
            _ => wrong.push(format!("{from} or {to} is on no floor: give it one in FLOORS")),
        }
    }
    let rooms: BTreeSet<&str> = sources.modules().filter_map(room).collect();
    println!(
        "{} rooms on {} floors, {} arrows between them, {} files",
        rooms.len(),
        FLOORS.len(),
        between.len(),
        sources.modules().count()
    );
    assert!(!between.is_empty(), "no `use` line was understood");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for name in FLOORS.concat() {
        assert!(rooms.contains(name), "no folder `{name}` is left");
    }
}
