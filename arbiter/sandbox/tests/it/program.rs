//! Programs found from the words of a command.

#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sandbox::{BuiltInBots, MulticallProgram, Program, ResolveError, SearchPath};
use tempfile::TempDir;

/// A current folder, a folder of built-in bots and a folder on `PATH`, each with some files.
struct Place {
    root: TempDir,
    search: SearchPath,
}

impl Place {
    fn new() -> Place {
        let root = TempDir::new().expect("a folder");
        let at = |path: &str| root.path().join(path);
        for folder in ["here/sub", "here/folder", "built-in", "bin/both", "later"] {
            fs::create_dir_all(at(folder)).expect("a folder");
        }
        let files = [
            ("here/bot", 0o755),
            ("here/sub/bot.py", 0o644),
            ("here/only-here", 0o755),
            ("here/-option", 0o644),
            ("built-in/greedy", 0o755),
            ("built-in/python3", 0o755),
            ("bin/python3", 0o755),
            ("bin/locked", 0o644),
            ("bin/shadowed", 0o644),
            ("later/shadowed", 0o755),
            ("later/both", 0o755),
        ];
        for (file, mode) in files {
            File::create(at(file)).expect("a file");
            fs::set_permissions(at(file), Permissions::from_mode(mode)).expect("it is ours");
        }
        let path = vec![PathBuf::new(), at("bin"), at("nowhere"), at("later")];
        let built_in = Some(BuiltInBots { folder: at("built-in"), all_in_one: None });
        let search = SearchPath { folder: at("here"), built_in, path };
        Place { root, search }
    }

    fn resolve(&self, words: &[&str]) -> Result<Program, ResolveError> {
        Program::resolve(words, &self.search)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }
}

#[test]
fn a_program_is_found_where_it_should_be() {
    let place = Place::new();
    let table = [
        ("./bot", "here/bot"),
        ("sub/../bot", "here/bot"),
        ("greedy", "built-in/greedy"),
        ("python3", "built-in/python3"),
        ("shadowed", "later/shadowed"),
        ("both", "later/both"),
    ];
    for (word, expected) in table {
        let program = place.resolve(&[word]).expect(word);
        assert_eq!(program.path(), place.at(expected), "{word}");
    }
    let absolute = place.at("later/both");
    let program = place.resolve(&[absolute.to_str().expect("text")]).expect("it is there");
    assert_eq!(program.path(), absolute);
}

/// A program that is several bots is one of them only where no program of the name lies beside it. What is on
/// `PATH` never is.
#[test]
fn one_program_is_the_bots_that_have_no_program_of_their_own() {
    let mut place = Place::new();
    let path = place.at("here/bot");
    let names = vec!["greedy", "both", "expert"];
    let all_in_one = Some(MulticallProgram { path: path.clone(), subcommand: "bot", names });
    place.search.built_in = Some(BuiltInBots { folder: place.at("built-in"), all_in_one });
    for (word, expected) in [
        ("greedy", "built-in/greedy"),
        ("both", "here/bot"),
        ("expert", "here/bot"),
        ("shadowed", "later/shadowed"),
    ] {
        let program = place.resolve(&[word, "sub/bot.py", "7"]).expect(word);
        assert_eq!(program.path(), place.at(expected), "{word}");
        assert!(program.is_named(), "{word}");
        // The words that choose a bot are no arguments of the command.
        assert_eq!(program.arguments().len(), 2, "{word}");
        assert_eq!(program.own_files(), [place.at("here/sub/bot.py")], "{word}");
    }
    fs::remove_file(&path).expect("it is ours");
    let error = place.resolve(&["both"]).expect_err("it is gone").to_string();
    assert!(error.contains("/here/bot` not found, expected the path of a program"), "{error}");
}

#[test]
fn arguments_that_name_files_become_absolute() {
    let place = Place::new();
    let words = ["./bot", "sub/bot.py", "bot", "folder", "-option", "--x=bot", "", "7"];
    let program = place.resolve(&words).expect("it is there");
    let (script, bot) = (place.at("here/sub/bot.py"), place.at("here/bot"));
    let expected: [&OsStr; 7] = [
        script.as_os_str(),
        bot.as_os_str(),
        "folder".as_ref(),
        "-option".as_ref(),
        "--x=bot".as_ref(),
        "".as_ref(),
        "7".as_ref(),
    ];
    assert_eq!(program.arguments(), expected);
}

#[test]
fn an_error_names_the_culprit_and_what_was_expected() {
    let place = Place::new();
    let table: [(&[&str], &str); 10] = [
        (&[], "empty command"),
        (&[""], "empty command"),
        (&["bo\0t"], "`bo\\0t` contains a NUL character"),
        (&["./bot", "\0"], "`\\0` contains a NUL character"),
        (&["nowhere"], "program `nowhere` not found, expected a path, a built-in bot or"),
        (&["only-here"], "program `only-here` not found, write ./only-here"),
        (&["./no\nsuch"], "/here/no\\nsuch` not found, expected the path of a program"),
        (&["./folder"], "/here/folder` is a folder without a bot.toml"),
        (&["locked"], "/bin/locked` is not executable: chmod +x, or"),
        (&["./bot/x"], "/here/bot/x` not found, expected the path of a program"),
    ];
    for (words, expected) in table {
        let error = place.resolve(words).expect_err("it is no program").to_string();
        assert!(error.contains(expected), "{words:?}: {error}");
        assert!(!error.contains('\n'), "{words:?}: {error}");
    }
}

#[test]
fn what_is_no_regular_file_is_no_program() {
    let place = Place::new();
    let error = place.resolve(&["/dev/null"]).expect_err("a device");
    assert_eq!(error.to_string(), "`/dev/null` is not a regular file");
    std::os::unix::fs::symlink("loop", place.at("here/loop")).expect("a link");
    let error = place.resolve(&["./loop"]).expect_err("a loop");
    assert!(error.to_string().starts_with("cannot access `"), "{error}");
}

#[test]
fn a_program_must_be_readable() {
    let place = Place::new();
    let bot = place.at("here/bot");
    fs::set_permissions(&bot, Permissions::from_mode(0o111)).expect("it is ours");
    // With all privileges, the tests can read it even so.
    let readable = File::open(&bot).is_ok();
    match place.resolve(&["./bot"]) {
        Ok(_) => assert!(readable),
        Err(error) => {
            assert!(!readable);
            assert!(error.to_string().ends_with("is not readable: chmod +r"), "{error}");
        }
    }
}

#[test]
fn the_search_path_of_this_process_finds_a_shell() {
    let search = SearchPath::of_this_process(None).expect("a current folder");
    let shell = Program::resolve(&["sh", "-c", "exit"], &search).expect("a shell");
    assert!(shell.path().is_absolute());
    assert_eq!(shell.arguments(), ["-c", "exit"]);
}

proptest! {
    #[test]
    fn no_words_make_it_panic(words: Vec<Vec<u8>>, hostile in any::<[u8; 6]>()) {
        let mut words: Vec<OsString> =
            words.iter().map(|word| OsStr::from_bytes(word).to_owned()).collect();
        words.push(OsStr::from_bytes(&hostile).to_owned());
        let folder = Path::new(OsStr::from_bytes(b"/no\xffwhere")).to_path_buf();
        let path = vec![OsStr::from_bytes(b"\xfe").into(), "/usr/bin".into()];
        let all_in_one = Some(MulticallProgram { path: folder.clone(), subcommand: "bot", names: vec!["x"] });
        let built_in = Some(BuiltInBots { folder: folder.clone(), all_in_one });
        let search = SearchPath { built_in, folder, path };
        if let Err(error) = Program::resolve(&words, &search) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
