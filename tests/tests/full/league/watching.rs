//! Bots that enter by themselves, from a folder that is watched.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
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

/// The reasons of all refusals, the first one first.
fn refusals(bench: &Bench) -> Vec<String> {
    let mut numbers: Vec<u32> = fs::read_dir(bench.path("class/refused"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_str().expect("text").parse())
        .collect::<Result<_, _>>()
        .expect("numbers");
    numbers.sort_unstable();
    let why = |number: u32| {
        let file = bench.path(&format!("class/refused/{number}/refusal.json"));
        let text = fs::read_to_string(file).expect("a refusal");
        let refusal: Value = serde_json::from_str(&text).expect("JSON");
        refusal["why"].as_str().expect("a reason").to_owned()
    };
    numbers.into_iter().map(why).collect()
}

#[test]
fn new_and_changed_bots_enter_once() {
    let bench = league(&["random"]);
    folder(&bench, "in/anna", "anna", "first");
    folder(&bench, "in/ben", "ben", "first");
    fs::write(bench.path("in/ben/bot.sh"), "exit 3\n").expect("it is ours");
    fs::create_dir(bench.path("in/empty")).expect("it is ours");
    bench.write("in/notes.txt", "no folder");
    let told = look(&bench);
    assert_eq!(told[0], "in/anna: entered as anna@1, see in/anna.report.txt");
    let refused = "in/ben: rejected: bot `ben` failed the check at `";
    assert!(told[1].starts_with(refused), "{told:?}");
    assert!(told[1].ends_with(", see in/ben.report.txt"), "{told:?}");
    assert_eq!(told.len(), 2);
    let report = |name: &str| fs::read_to_string(bench.path(name)).expect("a report");
    assert!(report("in/anna.report.txt").ends_with("\nentered as anna@1\n"));
    assert!(report("in/ben.report.txt").contains("\nrejected: bot `ben` failed the check"));
    assert!(report("class/refused/0/report.txt").contains("ben does not pass"));
    assert_eq!(look(&bench), [""; 0], "nothing has changed");

    // Another content, and then the same content that can be executed.
    folder(&bench, "in/ben", "ben", "mended");
    assert_eq!(look(&bench), ["in/ben: entered as ben@1, see in/ben.report.txt"]);
    let script = bench.path("in/anna/bot.sh");
    fs::set_permissions(&script, Permissions::from_mode(0o755)).expect("it is ours");
    assert_eq!(look(&bench), ["in/anna: entered as anna@2, see in/anna.report.txt"]);
    // Writing the same content again is no change.
    fs::write(&script, fs::read(&script).expect("a script")).expect("it is ours");
    assert_eq!(look(&bench), [""; 0]);

    // A bot that has left comes back with a change only.
    bench.ok("league retire class anna");
    assert_eq!(look(&bench), [""; 0]);
    folder(&bench, "in/anna", "anna", "third");
    assert_eq!(look(&bench), ["in/anna: entered as anna@3, see in/anna.report.txt"]);
    assert_eq!(
        states(&bench),
        ["random@1 active", "anna@1 replaced", "ben@1 active", "anna@2 replaced", "anna@3 active"]
    );
    assert_eq!(play(&bench, "8"), 8);
    bench.ok("verify class");
}

#[test]
fn no_folder_takes_the_name_of_another() {
    let bench = league(&["random"]);
    folder(&bench, "in/anna", "anna", "first");
    look(&bench);
    folder(&bench, "in/aaa", "anna", "a thief");
    folder(&bench, "in/aab", "random", "a thief");
    folder(&bench, "in/aac", "Anna", "a thief");
    let told = look(&bench);
    assert!(told[0].contains("the name `anna` is taken by the bot in `anna`"), "{told:?}");
    assert!(
        told[1].contains("the name `random` is taken by a bot that was not submitted"),
        "{told:?}"
    );
    assert!(told[2].contains("the name `Anna` looks like `anna`, which is taken"), "{told:?}");
    assert_eq!(told.len(), 3);
    assert_eq!(refusals(&bench).len(), 3);
    let copies = fs::read_dir(bench.path("class/bots")).expect("a folder").count();
    assert_eq!(copies, 1, "that of anna@1");
    assert_eq!(look(&bench), [""; 0]);
    assert_eq!(states(&bench), ["random@1 active", "anna@1 active"]);
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
    std::os::unix::fs::symlink("in/e-around/class", bench.path("class")).expect("it is ours");
    std::os::unix::fs::symlink("/etc/passwd", bench.path("in/f-link/users")).expect("it is ours");
    let told = look(&bench);
    let expected = [
        "in/a-pipe/pipe` is not a file, folder or link",
        "in/b-broken/bot.toml, line 1",
        "does not play coup",
        "cannot build bot `build`",
        "/e-around` contains the copies themselves",
    ];
    assert_eq!(told.len(), 6, "{told:?}");
    for (line, expected) in told.iter().zip(expected) {
        assert!(line.contains(": rejected: ") && line.contains(expected), "{line}");
    }
    // A link stays a link.
    assert_eq!(told[5], "in/f-link: entered as link@1, see in/f-link.report.txt");
    let link = fs::read_link(bench.path("class/bots/link@1/users")).expect("a link");
    assert_eq!(link.to_str(), Some("/etc/passwd"));
    let report = bench.text("in/d-build.report.txt");
    assert!(report.contains("no"), "{report}");
    let again = look(&bench);
    let others: Vec<&String> = again.iter().filter(|line| !line.contains("e-around")).collect();
    assert_eq!(others, [""; 0], "but what the league itself has changed");
    assert_eq!(refusals(&bench).len(), 5 + again.len());
    bench.refuses("league watch class gone", "cannot read `gone`");
}

#[test]
fn bots_enter_and_change_while_the_league_is_played() {
    let bench = league(&["random", "greedy"]);
    fs::create_dir(bench.path("in")).expect("it is ours");
    let mut command =
        bench.arbiter(["league", "watch", "class", "in", "--every", "100ms", "--json"]);
    let mut watching = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut lines = BufReader::new(watching.stdout()).lines();
    let mut next = || -> Value {
        let line = lines.next().expect("a line").expect("text");
        serde_json::from_str(&line).expect("JSON")
    };
    let mut running = bench.arbiter(["league", "run", "class", "--quiet"]);
    let mut running = Running::start(running.stderr(Stdio::null()));
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
    watching.signal(Signal::INT);
    assert_eq!(watching.wait().code(), Some(130));
    running.signal(Signal::INT);
    assert_eq!(running.wait().code(), Some(130));
    play(&bench, "8");
    assert!(round(&bench, "0")["over"]["games"].as_u64() > Some(0));
    bench.ok("verify class");
}

#[test]
fn files_of_editors_and_desktops_make_no_new_version() {
    let bench = league(&["random"]);
    folder(&bench, "in/anna", "anna", "first");
    fs::write(bench.path("in/anna/bot.sh~"), "before").expect("it is ours");
    assert_eq!(look(&bench), ["in/anna: entered as anna@1, see in/anna.report.txt"]);
    let left =
        [".DS_Store", ".bot.sh.swp", "__pycache__/bot.pyc", ".git/HEAD", "._bot.sh", ".idea/x"];
    for name in left {
        let path = bench.path("in/anna").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
        fs::write(path, "?").expect("it is ours");
        assert_eq!(look(&bench), [""; 0], "{name}");
    }
    fs::write(bench.path("in/anna/table.bin"), "?").expect("it is ours");
    assert_eq!(look(&bench), ["in/anna: entered as anna@2, see in/anna.report.txt"]);
    let copy = fs::read_dir(bench.path("class/bots/anna@2")).expect("a copy").flatten();
    let mut names: Vec<_> = copy.map(|entry| entry.file_name()).collect();
    names.sort();
    // A bot that has its caches starts faster.
    assert_eq!(names, ["__pycache__", "bot.sh", "bot.toml", "table.bin"]);
}

/// The name of the mended bug: a folder and an archive with one name took each other's place at each scan.
#[test]
fn files_of_one_name_do_not_take_each_others_place() {
    let bench = league(&["random"]);
    folder(&bench, "in/anna", "anna", "first");
    folder(&bench, "in/anna-2", "dora", "first");
    let script = bench.text("in/anna/bot.sh");
    bench.write("in/anna.sh", &script);
    bench.write("in/xena.sh", &script);
    folder(&bench, "in/yvonne", "xena", "second");
    let told = look(&bench);
    let begins = |start: &str| told.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(told.len(), 5, "{told:?}");
    assert_eq!(begins("in/anna: entered as anna@1"), 1, "{told:?}");
    assert_eq!(
        begins("in/anna.sh: rejected: the name `anna` is taken by the bot in `anna`"),
        1,
        "{told:?}"
    );
    assert_eq!(begins("in/xena.sh: entered as xena@1"), 1, "{told:?}");
    assert_eq!(begins("in/yvonne: rejected: the name `xena` is taken by"), 1, "{told:?}");
    for _ in 0..2 {
        assert_eq!(look(&bench), [""; 0], "nothing has changed");
    }
}
