//! The source files of a crate as modules, and which of them uses which: read from their text, without a compiler.
//!
//! A module uses what its paths lead to, in `use` lines and in code: paths that begin with `crate`, `self` or `super`,
//! or with the name of a module inside it. A name that a module re-exports leads to the module that defines it, and a
//! `pub use` is no use of its own unless the module names what it re-exports once more. Tests inside a file do not
//! count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a crate, which are its files; the root has the name `""`.
pub(crate) struct Sources {
    modules: BTreeMap<String, Module>,
}

/// What one file says.
#[derive(Default)]
struct Module {
    /// What it re-exports: each name, with the path from the root of the crate that it stands for.
    exports: BTreeMap<String, Vec<String>>,
    /// The paths in it, from the root of the crate.
    paths: Vec<Vec<String>>,
}

/// A path as it stands in a list, and the name that it gets there.
struct Named {
    path: Vec<String>,
    name: String,
}

impl Sources {
    /// Reads all files below `src`; programs beside a library have modules of their own and are left out.
    pub(crate) fn read(src: &Path) -> Sources {
        let has_library = src.join("lib.rs").exists();
        let is_of_program = |file: &PathBuf| {
            file.starts_with(src.join("bin")) || has_library && *file == src.join("main.rs")
        };
        let files = files_below(src).into_iter().filter(|file| !is_of_program(file));
        let files: Vec<(String, PathBuf)> =
            files.map(|file| (module_of(src, &file), file)).collect();
        let names: BTreeSet<String> = files.iter().map(|(module, _)| module.clone()).collect();
        let read = |(module, file): (String, PathBuf)| {
            let text = fs::read_to_string(file).expect("a source");
            let said = Module::read(&words(&text), &module, &names);
            (module, said)
        };
        Sources { modules: files.into_iter().map(read).collect() }
    }

    /// The names of all modules.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &str> {
        self.modules.keys().map(String::as_str)
    }

    /// Pairs of a module and another one that it uses.
    pub(crate) fn uses(&self) -> BTreeSet<(&str, &str)> {
        let uses = self.modules.iter().flat_map(|(from, module)| {
            module.paths.iter().map(move |path| (from.as_str(), self.leads_to(path)))
        });
        uses.filter(|(from, to)| from != to).collect()
    }

    /// The sets of modules that use each other, if only through others of the set.
    pub(crate) fn circles(&self) -> BTreeSet<Vec<&str>> {
        let mut used: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (from, to) in self.uses() {
            used.entry(from).or_default().push(to);
        }
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.modules().map(|module| (module, reached(&used, module))).collect();
        let circle = |module: &&str| {
            let others = reached[module].iter().filter(|other| reached[*other].contains(module));
            others.copied().collect::<Vec<&str>>()
        };
        reached.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
    }

    /// The module in which a path ends, through re-exports.
    fn leads_to(&self, path: &[String]) -> &str {
        let mut path = path.to_vec();
        // A re-export that leads back to itself would not compile, so this is enough.
        for _ in 0..8 {
            let (module, rest) = self.split(&path);
            let exported = rest.first().and_then(|name| self.modules[module].exports.get(name));
            match exported {
                Some(exported) => path = [exported, &rest[1..]].concat(),
                None => return module,
            }
        }
        self.split(&path).0
    }

    /// The longest beginning of a path that is a module, and the rest.
    fn split<'a>(&self, path: &'a [String]) -> (&str, &'a [String]) {
        let longest = (0..=path.len()).rev().find_map(|length| {
            let (module, _) = self.modules.get_key_value(&path[..length].join("::"))?;
            Some((module.as_str(), &path[length..]))
        });
        longest.expect("the root of a crate is a module")
    }
}

impl Module {
    fn read(words: &[String], module: &str, modules: &BTreeSet<String>) -> Module {
        let mut read = Module::default();
        // The module of each block that is open; other blocks belong to the module around them.
        let mut scopes = vec![segments(module)];
        let mut again = BTreeSet::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let scope = scopes.last().cloned().unwrap_or_default();
            let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
            match word.as_str() {
                "#" if is_for_tests(&words[at..]) => {
                    at += length_of_item(&words[at..]);
                    continue;
                }
                "mod" if words.get(at + 2).is_some_and(|next| next == "{") => {
                    scopes.push([scope, vec![words[at + 1].clone()]].concat());
                    at += 3;
                    continue;
                }
                "{" => scopes.push(scope),
                "}" => drop(scopes.pop()),
                "pub" => {
                    let length = length_of_visibility(&words[at..]);
                    if words.get(at + length).is_some_and(|next| next == "use") {
                        let (named, used) = paths(&words[at + length + 1..]);
                        for Named { path, name } in named {
                            if let Some(path) = from_root(&scope, &path, modules) {
                                read.exports.insert(name, path);
                            }
                        }
                        at += length + 1 + used;
                    } else {
                        at += length;
                    }
                    continue;
                }
                _ if is_name(word) && !matches!(before, "::" | "." | "fn" | "mod" | "'") => {
                    let next = words.get(at + 1).map_or("", String::as_str);
                    if next == "::" {
                        let (named, used) = paths(&words[at..]);
                        let named =
                            named.iter().filter_map(|it| from_root(&scope, &it.path, modules));
                        read.paths.extend(named);
                        at += used;
                        // What it re-exports may begin a path, too: `Kind::New`.
                        again.insert((word.clone(), true));
                        continue;
                    }
                    again.insert((word.clone(), next == "("));
                }
                _ => {}
            }
            at += 1;
        }
        // A word in small letters may be a variable, unless it is called.
        let is_named = |name: &String| {
            let is_type = name.starts_with(char::is_uppercase);
            again.contains(&(name.clone(), true))
                || is_type && again.contains(&(name.clone(), false))
        };
        let own = read.exports.iter().filter(|(name, _)| is_named(name));
        read.paths.extend(own.map(|(_, path)| path.clone()).collect::<Vec<_>>());
        read
    }
}

/// A path from the root of the crate, if it leads into the crate.
fn from_root(scope: &[String], path: &[String], modules: &BTreeSet<String>) -> Option<Vec<String>> {
    let first = path.first()?;
    let ups = path.iter().take_while(|part| *part == "super").count();
    match first.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([scope, &path[1..]].concat()),
        "super" => Some([&scope[..scope.len().checked_sub(ups)?], &path[ups..]].concat()),
        child => {
            let inner = [scope, &[child.to_owned()]].concat().join("::");
            modules.contains(&inner).then(|| [scope, path].concat())
        }
    }
}

/// All modules that one reaches, itself only through others.
fn reached<'a>(used: &BTreeMap<&'a str, Vec<&'a str>>, module: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut left = vec![module];
    while let Some(from) = left.pop() {
        left.extend(used.get(from).into_iter().flatten().filter(|to| reached.insert(**to)));
    }
    reached
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

/// The path of the module in a file, from the root of the crate.
fn module_of(src: &Path, file: &Path) -> String {
    let path = file.strip_prefix(src).expect("a file below it").with_extension("");
    let mut parts: Vec<&str> = path.iter().map(|part| part.to_str().expect("UTF-8")).collect();
    if parts.last() == Some(&"mod") || matches!(*parts, ["lib" | "main"]) {
        parts.pop();
    }
    parts.join("::")
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// The words and signs of a source, without comments and texts; `::` is one sign.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = length_of_text(rest) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            words.push(rest[..length].to_owned());
            length
        } else {
            let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
            if !first.is_whitespace() {
                words.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    words
}

/// The length of the text or the character that a source goes on with, if it is one.
fn length_of_text(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        let quoted = rest.strip_prefix(prefix).map(|it| it.trim_start_matches('#'));
        quoted.is_some_and(|it| it.starts_with(['"', '\'']))
    })?;
    let opening = &rest[prefix.len()..];
    let hashes = opening.len() - opening.trim_start_matches('#').len();
    let inner = &opening[hashes..];
    if inner.starts_with('\'') {
        let mut letters = inner.char_indices().skip(1);
        let (_, letter) = letters.next().filter(|_| hashes == 0 && prefix != "r")?;
        // A quotation mark without an end is a lifetime.
        let end = match letter {
            '\\' => 3 + inner[3..].find('\'')?,
            _ => letters.next().filter(|(_, end)| *end == '\'')?.0,
        };
        return Some(prefix.len() + end + 1);
    }
    if prefix.ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(prefix.len() + hashes + 1 + inner[1..].find(&end)? + end.len());
    }
    let mut is_escaped = false;
    let end = inner[1..].find(|letter| {
        let is_end = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end
    })?;
    (hashes == 0).then_some(prefix.len() + 1 + end + 1)
}

/// The paths with which some words begin, with lists in braces taken apart, and how many words they have.
fn paths(words: &[String]) -> (Vec<Named>, usize) {
    let mut path: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.as_str() {
            "::" => {}
            "{" if at == 0 || words[at - 1] == "::" => {
                let (inner, length) = list(&words[at..]);
                let whole = |it: Named| match &*it.path {
                    [own] if own == "self" => named(path.clone()),
                    inner => Named { path: [&path, inner].concat(), name: it.name },
                };
                return (inner.into_iter().map(whole).collect(), at + length);
            }
            "as" => {
                let name = words.get(at + 1).cloned().unwrap_or_default();
                return (vec![Named { path, name }], at + 2);
            }
            word if is_name(word) && (at == 0 || words[at - 1] == "::") => {
                path.push(word.to_owned());
            }
            _ => break,
        }
        at += 1;
    }
    (vec![named(path)], at.max(1))
}

/// A path under its own name.
fn named(path: Vec<String>) -> Named {
    let name = path.last().cloned().unwrap_or_default();
    Named { path, name }
}

/// The paths in a list in braces, and how many words it has.
fn list(words: &[String]) -> (Vec<Named>, usize) {
    let mut all = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        match word.as_str() {
            "}" => return (all, at + 1),
            "," => at += 1,
            _ => {
                let (inner, length) = paths(&words[at..]);
                all.extend(inner);
                at += length;
            }
        }
    }
    (all, at)
}

/// Returns true if some words begin with an attribute that makes a block of tests of what follows.
fn is_for_tests(words: &[String]) -> bool {
    let end = words.iter().position(|word| word == "]").unwrap_or(0);
    let attribute = &words[..end];
    attribute.get(2).is_some_and(|word| word == "cfg")
        && attribute.iter().any(|word| word == "test")
        && !attribute.iter().any(|word| word == "not")
}

/// The number of words of an item with the attributes before it, up to its semicolon or its last brace.
fn length_of_item(words: &[String]) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate() {
        match (word.as_str(), depth) {
            ("{", _) => depth += 1,
            // The end of what is around it, as for a field.
            ("}", 0) => return at,
            (";", 0) | ("}", 1) => return at + 1,
            ("}", _) => depth -= 1,
            _ => {}
        }
    }
    words.len()
}

/// The number of words of `pub`, `pub(crate)` and the like.
fn length_of_visibility(words: &[String]) -> usize {
    let is_narrow = words.get(1).is_some_and(|word| word == "(")
        && words
            .get(2)
            .is_some_and(|word| matches!(word.as_str(), "crate" | "super" | "self" | "in"));
    match words.iter().position(|word| word == ")").filter(|_| is_narrow) {
        Some(end) => end + 1,
        None => 1,
    }
}

#[test]
fn paths_are_found_in_lists_code_and_inner_modules() {
    let modules = ["", "a", "a::b", "c", "c::d"].map(str::to_owned).into();
    let read = |module: &str, text: &str| Module::read(&words(text), module, &modules);
    let found = |module: &str, text: &str| -> Vec<String> {
        read(module, text).paths.iter().map(|path| path.join("::")).collect()
    };
    let text = "use crate::a::{self, b::{C, D as E}};\nfn f() -> super::g::H { self::i() }";
    assert_eq!(found("c", text), ["a", "a::b::C", "a::b::D", "g::H", "c::i"]);
    assert_eq!(
        found("c", "use std::a::B; fn f() { d::g::<C>(); e::d::h(); x.d::<D>() }"),
        ["c::d::g"]
    );
    assert_eq!(found("c", "mod inner { use super::super::a::B; } use super::a;"), ["a::B", "a"]);
    let silent = "// crate::a\n/* crate::a */ const A: &str = \"crate::a\\\" crate::a\"; const B: char = '\"';\n\
                  const C: &str = r#\"crate::a\"#; fn f<'a>(_: &'a str) {} pub(in crate::a) struct D;\n\
                  #[cfg(test)]\nmod tests { use crate::a::E; }\n#[cfg(all(test, unix))]\nmod more;";
    assert_eq!(found("c", silent), [""; 0]);
    let exporting = "pub use crate::a::b::{C, f}; pub use d::E;";
    assert_eq!(found("c", exporting), [""; 0]);
    assert_eq!(found("c", &format!("{exporting} struct G(C); fn h(f: u8) {{ }}")), ["a::b::C"]);
    assert_eq!(found("c", &format!("{exporting} fn h() {{ f() }}")), ["a::b::f"]);
    assert_eq!(read("c", exporting).exports["E"].join("::"), "c::d::E");
}

#[test]
fn a_circle_goes_through_re_exports_and_not_through_a_folder_that_only_re_exports() {
    let module = |name: &str, exports: &[(&str, &str)], paths: &[&str]| {
        let exports = exports.iter().map(|(name, path)| ((*name).to_owned(), segments(path)));
        let paths = paths.iter().map(|path| segments(path)).collect();
        (name.to_owned(), Module { exports: exports.collect(), paths })
    };
    let circles = |of_folder: &[&str], of_two: &[&str]| {
        let folder = module("a", &[("One", "a::one::One"), ("Two", "a::two::Two")], of_folder);
        let (one, two) = (module("a::one", &[], &["a::Two"]), module("a::two", &[], of_two));
        let modules = [module("", &[], &[]), folder, one, two].into();
        let circles = Sources { modules };
        circles.circles().into_iter().map(|circle| circle.join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(circles(&[], &["a::One"]), ["a::one a::two"]);
    assert_eq!(circles(&["a::one::One"], &["a::own"]), ["a a::one a::two"]);
    assert_eq!(circles(&["a::one::One"], &["b"]), [""; 0]);
}

/// A merge had lost the file. Archives did not name their commit, and each command of Cargo compiled the program again.
#[test]
fn a_source_archive_names_its_commit_in_a_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(folder.join("commit.txt")).expect("a file");
    let is_hash = |hash: &str| hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (hash, _date) = text.trim().split_once(' ').expect("a commit and its date");
    assert!(hash == "$Format:%H" || is_hash(hash), "{text}");
    let attributes = fs::read_to_string(folder.join("../.gitattributes")).unwrap_or_default();
    assert!(hash != "$Format:%H" || attributes.contains("/arbiter/commit.txt export-subst"));
}
