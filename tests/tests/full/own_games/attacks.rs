//! Attacks by the files of a game: links that lead out of its folder, and files that no digest shows.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tests::bench::{Bench, run};
use tests::keeping::{Keeping, KeepingCommand};
use tests::log;
use tests::own_games::{bench, leduc};
use tests::page;
use tests::running::wait_for_no_scratch;

const PAGE: &str = "rules-protocol.md";
const LINKS_PART: [&str; 2] = [
    "<!-- written by tests/tests/full/own_games/attacks.rs -->\n",
    "<!-- the end of the table of links -->\n",
];
const FILES_PART: [&str; 2] =
    ["<!-- the table of files, written likewise -->\n", "<!-- the end of the table of files -->\n"];

const SECRET: &str = "the-secret-of-the-organiser";
const LEADS_OUT: &str = "a link leads out of its folder";

/// A game whose files lead elsewhere, in words; a script that changes the folder `game`, which holds rules that work; and
/// the file that every command that names the game refuses, mostly because it leads out.
type Link = (&'static str, &'static str, &'static str);

fn link(bench: &Bench, name: &str, target: &str) {
    let path = bench.path("game").join(name);
    let _ = fs::remove_file(&path);
    symlink(target, path).expect("a link");
}

const PIPE: &str = "a pipe without a writer";

const LINKS: [Link; 12] = [
    ("a relative link to a file outside", "ln -s ../home/secret data.txt", "data.txt"),
    ("an absolute link to a file outside", "ln -s \"$HOME/home/secret\" data.txt", "data.txt"),
    (
        "a link to a link that leads out",
        "ln -s ../home/secret .hidden && ln -s .hidden data.txt",
        "data.txt",
    ),
    (
        "a link that leads out and back in to another one",
        "ln -s ../home/secret .hidden && ln -s ../game/.hidden data.txt",
        "data.txt",
    ),
    (
        "a link in an inner folder",
        "mkdir inner && ln -s ../../home/secret inner/data.txt",
        "inner/data.txt",
    ),
    ("a link to a folder outside", "ln -s ../home data", "data"),
    (
        "a link to what the referee's own process shows",
        "ln -s /proc/self/environ data.txt",
        "data.txt",
    ),
    ("a link to a device", "ln -s /dev/zero data.txt", "data.txt"),
    (PIPE, "mkfifo data.txt", "data.txt"),
    (
        "`game.toml` is a link that leads out",
        "mv game.toml ../home && ln -s ../home/game.toml game.toml",
        "game.toml",
    ),
    (
        "the program is a link that leads out",
        "mv game.py ../home && ln -s ../home/game.py game.py",
        "game.py",
    ),
    (
        "the module is a link that leads out",
        "echo 'module = \"game.wasm\"' > game.toml && ln -s \"$HOME/home/secret\" game.wasm",
        "game.wasm",
    ),
];

/// What is said of the file of one of these.
fn problem(is: &str) -> &'static str {
    if is == PIPE { "not a regular file but a named pipe" } else { LEADS_OUT }
}

/// A folder with the rules of Leduc poker in `game`, and a secret in `home`; none where there is no Python.
fn prepared() -> Option<Bench> {
    let bench = bench()?;
    fs::rename(leduc(&bench, "python")?, bench.path("game")).expect("they are ours");
    bench.write("home/secret", SECRET);
    Some(bench)
}

/// Returns true if a file below a folder holds the secret.
fn holds_secret(folder: &Path) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        match path.is_dir() {
            true => holds_secret(&path),
            false => {
                fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(SECRET))
            }
        }
    })
}

#[test]
fn nothing_of_a_game_is_read_through_a_link_that_leads_out() {
    let commands: [&[&str]; 4] = [
        &["league", "new", "class", "--game", "game"],
        &["match", "--game", "game", "--quiet", "random", "b=random"],
        &["tournament", "--game", "game", "--dir", "cup", "--deals", "1", "random", "b=random"],
        &["check", "--game", "game"],
    ];
    for (place, (is, make, file)) in LINKS.into_iter().enumerate() {
        let Some(bench) = prepared() else { return };
        let made = run(bench.command("sh").args(["-c", make]).current_dir(bench.path("game")));
        assert_eq!(made.code, Some(0), "{is}: {made:?}");
        // All commands read a game in one way.
        for words in &commands[..if place == 0 { 4 } else { 2 }] {
            let ended = bench.run(*words);
            ended.assert_refused(2, &[&format!("{file}`"), problem(is)]);
            assert!(!ended.stderr.contains(SECRET), "{is}: {ended:?}");
        }
        for folder in ["class", "cup"] {
            assert!(!holds_secret(&bench.path(folder)), "{is}");
        }
    }
}

#[test]
fn a_link_within_the_folder_is_the_file() {
    let Some(bench) = prepared() else { return };
    bench.write("game/one.txt", "one");
    link(&bench, "two.txt", "one.txt");
    bench.succeed(["league", "new", "class", "--game", "game"]);
    let copy = bench.path("class/game/two.txt");
    assert!(!copy.is_symlink());
    assert_eq!(fs::read_to_string(copy).expect("a copy"), "one");
    // The folder itself may be named by a link.
    symlink("game", bench.path("linked")).expect("a link");
    bench.succeed(["league", "new", "other", "--game", "linked"]);
}

#[test]
fn a_recorded_game_or_a_word_of_a_command_is_not_read_through_a_link_that_leads_out() {
    let Some(bench) = prepared() else { return };
    link(&bench, "data.txt", "../home/secret");
    bench.write("home/game.wasm", SECRET);
    link(&bench, "game.wasm", "../home/game.wasm");
    for (game, file) in
        [("python3 game/game.py game/data.txt", "data.txt`"), ("game/game.wasm", "game.wasm`")]
    {
        let ended = bench.run(["match", "--game", game, "random", "b=random"]);
        ended.assert_refused(2, &[file, LEADS_OUT]);
    }
    for file in ["data.txt", "game.wasm"] {
        fs::remove_file(bench.path("game").join(file)).expect("it is ours");
    }
    bench.write("home/x.txt", SECRET);
    for (name, target) in [("recorded/x.txt", "../../home/secret"), ("recorded", "../home")] {
        if name == "recorded" {
            fs::remove_dir_all(bench.path("game/recorded")).expect("it is ours");
        }
        link(&bench, name, target);
        let ended = bench.run(["check", "--game", "game", "--games", "2", "--seed", "1"]);
        assert_eq!(ended.code, Some(5), "{ended:?}");
        let says = "\nFAILED   recorded games        cannot read `";
        assert!(ended.stdout.contains(says) && !ended.stdout.contains(SECRET), "{ended:?}");
    }
}

/// Sets a flag when it is dropped.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_link_that_changes_all_the_time_gives_nothing_away() {
    let Some(bench) = prepared() else { return };
    bench.write("game/own", "own");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let (new, data) = (bench.path("game/.new"), bench.path("game/data.txt"));
            for target in ["own", "../home/secret"].into_iter().cycle() {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                symlink(target, &new).expect("a link");
                fs::rename(&new, &data).expect("it is ours");
            }
        });
        // Also where an assertion fails, or the thread would never end.
        let _ending = Ending(&is_over);
        for number in 0..6 {
            let folder = format!("class-{number}");
            let ended = bench.run(["league", "new", &folder, "--game", "game"]);
            assert!(matches!(ended.code, Some(0 | 2)), "{ended:?}");
            assert!(!holds_secret(&bench.path(&folder)), "{ended:?}");
        }
    });
}

#[test]
fn a_copy_follows_no_link_that_lies_in_its_place() {
    for name in ["game", "game/game.py"] {
        let Some(bench) = prepared() else { return };
        fs::create_dir_all(bench.path("cup")).expect("a folder");
        let (at, target) = (bench.path("cup").join(name), bench.path("home/target"));
        if name == "game" {
            fs::create_dir(&target).expect("a folder");
        } else {
            fs::create_dir(bench.path("cup/game")).expect("a folder");
            fs::write(&target, "mine").expect("it is ours");
        }
        symlink(&target, &at).expect("a link");
        let words = ["tournament", "--game", "game", "--dir", "cup", "--deals", "1", "--quiet"];
        let ended = bench.run([&words[..], &["random", "b=random"]].concat());
        if name == "game" {
            assert_ne!(ended.code, Some(0), "{ended:?}");
            assert!(fs::read_dir(&target).expect("a folder").next().is_none(), "{ended:?}");
        } else {
            assert_eq!(ended.code, Some(0), "{ended:?}");
            assert_eq!(fs::read_to_string(&target).expect("it is there"), "mine");
        }
    }
}

/// A file that the digest does not list, which rules try to read: what it is, in words, its path from the folder `game`,
/// and whether it is found in each way in which rules may run.
type Unlisted = (&'static str, &'static str, [bool; 4]);

const WAYS: [Keeping; 4] =
    [Keeping::Isolated, Keeping::Refused, Keeping::Contained, Keeping::Portable];

const NOWHERE: [bool; 4] = [false; 4];
const AS_USER: [bool; 4] = [false, false, false, true];

const FILES: [Unlisted; 9] = [
    ("a hidden file", ".rules", NOWHERE),
    ("a page", "README.md", NOWHERE),
    ("a file of `bots/`", "bots/table.txt", NOWHERE),
    ("a recorded game", "recorded/fold.txt", NOWHERE),
    ("code that Python has compiled before", "__pycache__/helper.pyc", NOWHERE),
    ("its own `game.toml`", "game.toml", NOWHERE),
    ("a file of a hidden folder", ".venv/x.py", NOWHERE),
    ("a file beside the folder", "../home/secret", NOWHERE),
    (
        "a file of its author's folder, by the absolute path of that folder",
        "ORIGINAL/README.md",
        AS_USER,
    ),
];

/// Rules that tell which of these files they find, each as an event.
const FINDER: &str = r#"
folder=$(dirname "$0")
while read -r call rest; do
  case $call in
  about) printf 'rules 1\nname finder\nabout it looks around\nseats 2\n\n' ;;
  new) printf 'turn 0\nmove a\nmove b\nfallback a\n\n' ;;
  play)
    while read -r name path; do
      case $path in /*) ;; *) path=$folder/$path ;; esac
      if cat "$path" >/dev/null 2>&1; then echo "event file $name found"; else echo "event file $name missing"; fi
    done <<'FILES'
FILES_TO_FIND
FILES
    printf 'over 1 0\n\n'
    ;;
  esac
done
"#;

#[test]
fn rules_see_the_files_of_their_digest_and_no_others() {
    let Some(bench) = prepared() else { return };
    let original = bench.path("game").display().to_string();
    let paths = FILES.map(|(_, path, _)| path.replace("ORIGINAL", &original));
    let listed = paths.iter().enumerate().map(|(number, path)| format!("{number} {path}"));
    let lines: Vec<String> = listed.chain(["listed data/listed.txt".to_owned()]).collect();
    bench.write("game/game.sh", FINDER.replace("FILES_TO_FIND", &lines.join("\n")));
    bench.write("game/game.toml", "command = \"sh game.sh\"\n");
    for folder in ["bots", "__pycache__", ".venv", "data"] {
        fs::create_dir_all(bench.path("game").join(folder)).expect("a folder");
    }
    bench.write("game/data/listed.txt", "listed");
    for path in &paths {
        let path = bench.path("game").join(path);
        if !path.exists() {
            fs::write(path, "unlisted").expect("it is ours");
        }
    }
    for (place, way) in WAYS.into_iter().enumerate() {
        if !way.can_be_had(&bench) {
            continue;
        }
        let log = format!("log-{way}");
        let words = ["match", "--game", "game", "--quiet", "--log", &log, "random", "b=random"];
        let ended = run(bench.arbiter(words).with_keeping(way));
        assert_eq!(ended.code, Some(0), "{way}: {ended:?}");
        let games = log::games(&bench.path(&log));
        let events = games[0].to_string();
        assert!(events.contains("file listed found"), "{way}: {events}");
        for (number, (is, _, is_found)) in FILES.iter().enumerate() {
            let expected = if is_found[place] { "found" } else { "missing" };
            let event = format!("file {number} {expected}");
            assert!(events.contains(&event), "{way}, {is}: expected {event}: {events}");
        }
    }
    wait_for_no_scratch(&bench);
}

/// Code that Python has compiled from another source, and takes without a look at the one beside it.
const COMPILED: &str = "import py_compile; py_compile.compile('helper.py', \
     invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)";

#[test]
fn compiled_code_does_not_stand_for_the_source_in_the_digest() {
    let Some(bench) = prepared() else { return };
    let rules = bench.text("game/game.py");
    let pot = "yield f\"view * pot ";
    assert!(rules.contains(pot), "a line that can be changed");
    let helped =
        rules.replacen(pot, &format!("yield f\"view * helper {{helper.IS}}\"\n        {pot}"), 1);
    bench.write("game/game.py", helped.replacen("import sys\n", "import helper\nimport sys\n", 1));
    bench.write("game/helper.py", "IS = 'evil'\n");
    let compiled =
        run(bench.command("python3").current_dir(bench.path("game")).args(["-c", COMPILED]));
    assert_eq!(compiled.code, Some(0), "{compiled:?}");
    bench.write("game/helper.py", "IS = 'good'\n");
    for way in Keeping::ALL {
        let log = format!("log-{way}");
        let words = ["match", "--game", "game", "--quiet", "--log", &log, "random", "b=random"];
        let ended = run(bench.arbiter(words).with_keeping(way));
        assert_eq!(ended.code, Some(0), "{way}: {ended:?}");
        let shown = bench.ok(&format!("request {log} --game 0 --move 0 --game game"));
        assert!(shown.contains("helper good"), "{way}: {shown}");
    }
}

#[test]
fn files_beside_those_of_a_command_are_not_there() {
    let Some(bench) = prepared() else { return };
    bench.write("game/helper.py", "");
    bench.write("game/game.py", "import helper\n");
    let words = ["match", "--game", "python3 game/game.py", "random", "b=random"];
    bench.run(words).assert_refused(7, &["ModuleNotFoundError: No module named 'helper'"]);
}

#[test]
fn a_change_of_the_authors_folder_is_no_change_of_a_game_that_goes_on() {
    let Some(bench) = prepared() else { return };
    let rules = bench.text("game/game.py");
    let original = bench.path("game/game.py").display().to_string();
    let change = format!("open({original:?}, 'a').write('# changed')");
    let changes = format!("import sys\ntry:\n    {change}\nexcept OSError:\n    pass\n");
    assert!(rules.contains("import sys\n"), "a line that can be changed");
    bench.write("game/game.py", rules.replacen("import sys\n", &changes, 1));
    let words = ["tournament", "--game", "game", "--dir", "cup", "--deals", "2", "--quiet"];
    let words = [&words[..], &["random", "b=random"]].concat();
    // Without isolation, these rules change their author's folder whenever they are started.
    run(bench.arbiter(words).with_keeping(Keeping::Portable)).with_code(0);
    assert!(fs::read_to_string(&original).expect("rules").ends_with("# changed"));
    assert!(!bench.text("cup/game/game.py").ends_with("# changed"));
    bench.succeed(["verify", "cup"]);
}

#[test]
fn tables_on_the_page() {
    let mut links = "| in the folder of a game | result |\n| --- | --- |\n".to_owned();
    for (is, _, file) in LINKS {
        links.push_str(&format!("| {is} | refused: `{file}`: {} |\n", problem(is)));
    }
    page::compare_in(PAGE, LINKS_PART, &links);
    let mut files = "| the rules read | isolated | refused | contained | portable |\n\
                     | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for (is, _, is_found) in FILES {
        let found = is_found.map(|found| if found { "**found**" } else { "not there" });
        files.push_str(&format!("| {is} | {} |\n", found.join(" | ")));
    }
    page::compare_in(PAGE, FILES_PART, &files);
}
