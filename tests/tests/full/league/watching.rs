//! Bots that enter by themselves, from a folder that is watched.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Stdio;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::league::{folder, league, play, round, states};
use tests::running::Running;

/// Looks once, and gives a line for each bot that has entered or was refused.
fn look(bench: &Bench) -> Vec<String> {
    let told = bench.ok("league watch class in --once");
    told.lines().map(str::to_owned).collect()
}

/// Looks once, and only the bot in this folder enters, if any.
fn look_enters(bench: &Bench, folder: &str, bot: &str) {
    let line = format!("in/{folder}: entered as {bot}, see in/{folder}.report.txt");
    assert_eq!(look(bench), [line], "{folder} alone has changed");
}

fn look_finds_nothing(bench: &Bench) {
    assert_eq!(look(bench), [""; 0], "nothing has changed");
}

/// Number of entries of a folder.
fn count(bench: &Bench, folder: &str) -> usize {
    fs::read_dir(bench.path(folder)).expect("a folder").count()
}

#[test]
fn new_and_changed_bots_enter_once() {
    let bench = league(&["random"]);
    folder(&bench, "in/anna", "anna", "first");
    folder(&bench, "in/ben", "ben", "first");
    bench.write("in/ben/bot.sh", "exit 3\n");
    fs::create_dir(bench.path("in/empty")).expect("it is ours");
    bench.write("in/notes.txt", "no folder");
    let told = look(&bench);
    assert_eq!(told[0], "in/anna: entered as anna@1, see in/anna.report.txt");
    let refused = "in/ben: rejected: bot `ben` failed the check at `";
    assert!(told[1].starts_with(refused), "{told:?}");
    assert!(told[1].ends_with(", see in/ben.report.txt"), "{told:?}");
    assert_eq!(told.len(), 2);
    for (file, words) in [
        ("in/anna.report.txt", "\nentered as anna@1\n"),
        ("in/ben.report.txt", "\nrejected: bot `ben` failed the check"),
        ("class/refused/0/report.txt", "ben does not pass"),
        ("class/refused/0/refusal.json", "bot `ben` failed the check"),
    ] {
        assert!(bench.text(file).contains(words), "{file}");
    }
    look_finds_nothing(&bench);

    // Another content, and then the same content that can be executed.
    folder(&bench, "in/ben", "ben", "mended");
    look_enters(&bench, "ben", "ben@1");
    let script = bench.path("in/anna/bot.sh");
    fs::set_permissions(&script, Permissions::from_mode(0o755)).expect("it is ours");
    look_enters(&bench, "anna", "anna@2");
    // Writing the same content again is no change.
    fs::write(&script, fs::read(&script).expect("a script")).expect("it is ours");
    look_finds_nothing(&bench);

    // A bot that has left comes back with a change only.
    bench.ok("league retire class anna");
    look_finds_nothing(&bench);
    folder(&bench, "in/anna", "anna", "third");
    look_enters(&bench, "anna", "anna@3");
    let expected =
        ["random@1 active", "anna@1 replaced", "ben@1 active", "anna@2 replaced", "anna@3 active"];
    assert_eq!(states(&bench), expected);

    // What editors and desktops leave makes no new version.
    for name in
        ["bot.sh~", ".DS_Store", ".bot.sh.swp", "__pycache__/x", ".git/HEAD", "._bot.sh", ".idea/x"]
    {
        let path = bench.path("in/anna").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
        fs::write(path, "?").expect("it is ours");
        assert_eq!(look(&bench), [""; 0], "{name}");
    }
    bench.write("in/anna/table.bin", "?");
    look_enters(&bench, "anna", "anna@4");
    let copy = fs::read_dir(bench.path("class/bots/anna@4")).expect("a copy").flatten();
    let mut names: Vec<_> = copy.map(|entry| entry.file_name()).collect();
    names.sort();
    // A bot that has its caches starts faster.
    assert_eq!(names, ["__pycache__", "bot.sh", "bot.toml", "table.bin"]);
    bench.ok("verify class");
}

/// The name of the mended bug: a folder and an archive with one name took each other's place at each scan.
#[test]
fn no_folder_or_file_takes_the_name_of_another() {
    let bench = league(&["random"]);
    folder(&bench, "in/anna", "anna", "first");
    look(&bench);
    for (place, name) in [("aaa", "anna"), ("aab", "random"), ("aac", "Anna"), ("anna-2", "dora")] {
        folder(&bench, &format!("in/{place}"), name, "a thief");
    }
    folder(&bench, "in/yvonne", "xena", "second");
    folder(&bench, "in/zoe", "zoe", "new, like the file of this name");
    let script = bench.text("in/anna/bot.sh");
    bench.write("in/anna.sh", &script);
    bench.write("in/xena.sh", &script);
    bench.write("in/zoe.sh", &script);
    let told = look(&bench);
    let expected = [
        "in/aaa: rejected: the name `anna` is taken by the bot in `anna`",
        "in/aab: rejected: the name `random` is taken by a bot that was not submitted",
        "in/aac: rejected: the name `Anna` looks like `anna`, which is taken",
        "in/anna-2: entered as dora@1",
        "in/anna.sh: rejected: the name `anna` is taken by the bot in `anna`",
        "in/xena.sh: entered as xena@1",
        "in/yvonne: rejected: the name `xena` is taken by",
        "in/zoe: entered as zoe@1",
        "in/zoe.sh: rejected: the name `zoe` is taken by the bot in `zoe`",
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for expected in expected {
        assert!(told.iter().any(|line| line.starts_with(expected)), "{expected}: {told:?}");
    }
    assert_eq!(count(&bench, "class/refused"), 6);
    assert_eq!(count(&bench, "class/bots"), 4, "copies of those that have entered");
    for _ in 0..2 {
        look_finds_nothing(&bench);
    }
}

#[test]
fn folders_that_are_no_bots_are_refused_with_the_reason() {
    let bench = league(&["random"]);
    for name in ["a-pipe", "b-broken", "c-game", "d-build", "e-around", "f-link"] {
        folder(&bench, &format!("in/{name}"), &name[2..], name);
    }
    let pipe = bench.path("in/a-pipe/pipe");
    mknodat(CWD, pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    bench.write("in/b-broken/bot.toml", "name = ");
    bench.write("in/c-game/bot.toml", "name = 'game'\ncommand = 'sh bot.sh'\ngames = ['durak']\n");
    let built = "name = 'build'\ncommand = 'sh bot.sh'\nbuild = 'sh -c \"echo no >&2; exit 1\"'\n";
    bench.write("in/d-build/bot.toml", built);
    fs::rename(bench.path("class"), bench.path("in/e-around/class")).expect("it is ours");
    symlink("in/e-around/class", bench.path("class")).expect("it is ours");
    symlink("/etc/passwd", bench.path("in/f-link/users")).expect("it is ours");
    let told = look(&bench);
    assert_eq!(told.len(), 6, "{told:?}");
    for (line, expected) in told.iter().zip([
        "in/a-pipe/pipe` is not a file, folder or link",
        "in/b-broken/bot.toml, line 1",
        "does not play coup",
        "cannot build bot `build`",
        "/e-around` contains the folder to which bots are copied",
    ]) {
        assert!(line.contains(": rejected: ") && line.contains(expected), "{line}");
    }
    // A link stays a link.
    assert_eq!(told[5], "in/f-link: entered as link@1, see in/f-link.report.txt");
    let link = fs::read_link(bench.path("class/bots/link@1/users")).expect("a link");
    assert_eq!(link.to_str(), Some("/etc/passwd"));
    assert!(bench.text("in/d-build.report.txt").contains("no"));
    let again = look(&bench);
    let others: Vec<&String> = again.iter().filter(|line| !line.contains("e-around")).collect();
    assert_eq!(others, [""; 0], "but what the league itself has changed");
    assert_eq!(count(&bench, "class/refused"), 5 + again.len());
    bench.refuses("league watch class gone", "cannot read `gone`");
}

#[test]
fn bots_enter_and_change_while_the_league_is_played() {
    let bench = league(&["random", "greedy"]);
    fs::create_dir(bench.path("in")).expect("it is ours");
    let words = ["league", "watch", "class", "in", "--every", "100ms", "--json"];
    let mut command = bench.arbiter(words);
    let mut watching = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut lines = BufReader::new(watching.stdout()).lines();
    let mut next = || -> Value {
        let line = lines.next().expect("a line").expect("text");
        serde_json::from_str(&line).expect("JSON")
    };
    let mut running = bench.start("league run class --quiet");
    // Each change is made at once: a look in the middle of one would find another bot.
    folder(&bench, "first", "anna", "first");
    fs::rename(bench.path("first"), bench.path("in/anna")).expect("it is ours");
    let change = |script: &std::path::Path| {
        fs::rename(script, bench.path("in/anna/bot.sh")).expect("it is ours");
    };
    let entered = &next()["entered"];
    assert_eq!((&entered["folder"], &entered["bot"]), (&"in/anna".into(), &"anna@1".into()));
    assert_eq!(entered["report"], "in/anna.report.txt");
    change(&bench.write("broken", "exit 3\n"));
    let refused = &next()["refused"];
    assert!(refused["why"].to_string().contains("`anna` failed the check"), "{refused}");
    folder(&bench, "second", "anna", "second");
    change(&bench.path("second/bot.sh"));
    assert_eq!(next()["entered"]["bot"], "anna@2");
    for process in [&mut watching, &mut running] {
        process.signal(Signal::INT);
        assert_eq!(process.wait().code(), Some(130));
    }
    play(&bench, "8");
    assert!(round(&bench, "0")["over"]["games"].as_u64() > Some(0));
    bench.ok("verify class");
}
