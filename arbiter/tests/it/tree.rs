//! The crates and the folders of the sources are floors: what stands on one uses what is below it, never what is above.
//! The manifests of crates, and the `use` lines and paths of every file, say so.
//!
//! The test prints the rooms, arrows and circles that it has counted:
//! `cargo test -p arbiter tree -- --nocapture`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The packages of the workspace, from the lowest floor to the highest. Packages of one floor do not use each other.
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
    &["arbiter-games", "research", "tests"],
];

/// Packages that use no player, neither themselves nor through another one.
const WITHOUT_PLAYERS: [&str; 5] = ["bot", "games", "record", "sandbox", "series"];

/// The folders and files at the top of `arbiter/src`, from the lowest floor to the highest.
///
/// Folders of one floor do not use each other.
const FLOORS: [&[&str]; 4] = [&["disputes"], &["output"], &["commands"], &["cli"]];

/// The files of a crate as modules, and which of them names which.
struct Tree {
    /// The room of each module: the folder or the file at the top of the crate that it is in.
    rooms: BTreeMap<String, String>,
    /// The modules that are files at the top of the crate.
    at_top: BTreeSet<String>,
    /// Pairs of a module and another one that it names.
    arrows: BTreeSet<(String, String)>,
}

impl Tree {
    /// Reads all files below `src`.
    fn read(src: &Path) -> Tree {
        let files = files_below(src);
        let modules: BTreeMap<String, PathBuf> =
            files.into_iter().map(|file| (module(src, &file), file)).collect();
        let mut arrows = BTreeSet::new();
        for (from, file) in &modules {
            let text = fs::read_to_string(file).expect("a source");
            for path in paths(&without_comments(&text)) {
                if let Some(to) = named(&modules, from, &path).filter(|to| to != from) {
                    arrows.insert((from.clone(), to));
                }
            }
        }
        let room = |module: &String| {
            (module.clone(), module.split("::").next().unwrap_or_default().to_owned())
        };
        let at_top = modules.iter().filter(|(_, file)| file.parent() == Some(src));
        let at_top = at_top.map(|(module, _)| module.clone()).collect();
        // The roots declare every module, which is no use of it.
        let is_root = |module: &str| matches!(module, "lib" | "main" | "");
        arrows.retain(|(from, to)| !is_root(from) && !is_root(to));
        Tree { rooms: modules.keys().filter(|it| !is_root(it)).map(room).collect(), at_top, arrows }
    }

    /// The arrows between different rooms, as rooms, with the modules that they come from.
    fn between_rooms(&self) -> BTreeMap<(&str, &str), Vec<(&str, &str)>> {
        let mut between: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (from, to) in &self.arrows {
            let rooms = (self.rooms[from].as_str(), self.rooms[to].as_str());
            if rooms.0 != rooms.1 {
                between.entry(rooms).or_default().push((from.as_str(), to.as_str()));
            }
        }
        between
    }

    /// The sets of modules that reach each other and are not all files of one folder.
    fn circles_between_folders(&self) -> Vec<Vec<&str>> {
        let mut circles: BTreeSet<Vec<&str>> = BTreeSet::new();
        for module in self.rooms.keys() {
            let circle: Vec<&str> = self
                .reached(module)
                .into_iter()
                .filter(|other| self.reached(other).contains(module.as_str()))
                .collect();
            let folders: BTreeSet<&str> = circle.iter().map(|it| self.folder(it)).collect();
            if folders.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// The folder at the top of the crate that a module is in, if any.
    fn folder(&self, module: &str) -> &str {
        if self.at_top.contains(module) { "" } else { &self.rooms[module] }
    }

    /// All modules that are reached from this one, itself only through others.
    fn reached<'a>(&'a self, module: &str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut left = vec![module.to_owned()];
        while let Some(from) = left.pop() {
            let next = self.arrows.iter().filter(|(arrow, _)| *arrow == from);
            let new = next.map(|(_, to)| to.as_str()).filter(|to| reached.insert(*to));
            left.extend(new.map(str::to_owned).collect::<Vec<_>>());
        }
        reached
    }
}

/// All Rust files in a folder and those below it.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => files_below(&path),
            path if path.extension().is_some_and(|extension| extension == "rs") => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

/// The path of the module in a file, without `crate::`.
fn module(src: &Path, file: &Path) -> String {
    let path = file.strip_prefix(src).expect("a file below it").with_extension("");
    let mut parts: Vec<&str> = path.iter().map(|part| part.to_str().expect("UTF-8")).collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    parts.join("::")
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}

/// All paths that begin with `crate`, `self` or `super`, with lists in braces taken apart.
fn paths(text: &str) -> Vec<Vec<String>> {
    let starts = ["crate::", "super::", "self::"];
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':';
    let mut found = Vec::new();
    for start in starts {
        for (at, _) in text.match_indices(start) {
            if at == 0 || !is_word(text.as_bytes()[at - 1]) {
                found.extend(taken_apart(&text[at..]));
            }
        }
    }
    found
}

/// The paths at the beginning of a text: one, or several if a list in braces follows.
fn taken_apart(text: &str) -> Vec<Vec<String>> {
    let end = text.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':'));
    let (path, rest) = text.split_at(end.unwrap_or(text.len()));
    let parts: Vec<String> =
        path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let Some(list) = rest.strip_prefix('{').filter(|_| path.ends_with("::")) else {
        return vec![parts];
    };
    items(list)
        .iter()
        .flat_map(|item| taken_apart(item.trim()))
        .map(|item| [parts.clone(), item].concat())
        .collect()
}

/// The items of a list, up to its closing brace.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut from, mut items) = (0, 0, Vec::new());
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                items.push(&list[from..at]);
                from = at + 1;
                if character == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    items
}

/// The module that a path in another module names, or names something of.
fn named(modules: &BTreeMap<String, PathBuf>, from: &str, path: &[String]) -> Option<String> {
    let mut at: Vec<&str> = from.split("::").collect();
    let mut parts = path.iter().map(String::as_str).peekable();
    match parts.next()? {
        "crate" => at.clear(),
        "super" => drop(at.pop()),
        _ => {}
    }
    while parts.next_if_eq(&"super").is_some() {
        at.pop();
    }
    at.extend(parts);
    (1..=at.len()).rev().map(|length| at[..length].join("::")).find(|it| modules.contains_key(it))
}

fn sources(of: &str) -> Tree {
    Tree::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(of))
}

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
    let floor = |name: &str| CRATES.iter().position(|floor| floor.contains(&name));
    let mut wrong = Vec::new();
    for (from, uses) in &packages {
        let Some(upper) = floor(from) else {
            wrong.push(format!("{from} is on no floor: give it one in CRATES"));
            continue;
        };
        let above = uses.iter().filter(|to| floor(to).is_none_or(|lower| lower >= upper));
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
    let tree = sources("src");
    let floor = |room: &str| FLOORS.iter().position(|floor| floor.contains(&room));
    let mut wrong = Vec::new();
    for ((from, to), modules) in tree.between_rooms() {
        match (floor(from), floor(to)) {
            (Some(upper), Some(lower)) if upper > lower => {}
            (Some(_), Some(_)) => {
                wrong.push(format!("{from} uses {to}, not below it: {modules:?}"))
            }
            _ => wrong.push(format!("{from} or {to} is on no floor: give it one in FLOORS")),
        }
    }
    let rooms: BTreeSet<&String> = tree.rooms.values().collect();
    println!(
        "{} rooms on {} floors, {} arrows between them, {} files",
        rooms.len(),
        FLOORS.len(),
        tree.between_rooms().len(),
        tree.rooms.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for name in FLOORS.concat() {
        assert!(rooms.iter().any(|room| *room == name), "no folder `{name}` is left");
    }
}

#[test]
fn no_circle_goes_through_two_folders() {
    let own = ["src", "../bots/src"];
    let crates =
        ["bot", "check", "contest", "games", "rules", "series"].map(|it| format!("{it}/src"));
    for of in own.into_iter().chain(crates.iter().map(String::as_str)) {
        let tree = sources(of);
        assert!(!tree.arrows.is_empty(), "{of}: no `use` line was understood");
        let circles = tree.circles_between_folders();
        println!("{of}: {} circles between folders", circles.len());
        assert!(circles.is_empty(), "{of}: {circles:#?}");
    }
}

#[test]
fn lists_in_braces_are_taken_apart() {
    let text = "use crate::a::{self, b::{C, D}, E};\nfn f() { super::g::h() }";
    let found: Vec<String> = paths(text).iter().map(|path| path.join("::")).collect();
    let expected = ["crate::a::self", "crate::a::b::C", "crate::a::b::D", "crate::a::E"];
    assert_eq!(found[..4], expected);
    assert_eq!(found[4], "super::g::h");
}
