//! Bots that were handed in: entered or refused.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tests::archives::{gz, stored, tar_entry, zip};
use tests::bench::{Bench, Ended};
use tests::tournament::{SEED, verify};
use tests::{log, processes};

mod checks;

fn bench() -> Bench {
    Bench::new()
}

/// Hands in a bot: its folder, and what its manifest says.
fn hand_in(bench: &Bench, folder: &str, manifest: &str) {
    let path = bench.path("handed-in").join(folder);
    fs::create_dir_all(&path).expect("the folder is ours");
    fs::write(path.join("bot.toml"), manifest).expect("the folder is ours");
}

/// A manifest of a bot that misbehaves as its mode says.
fn faulty(bench: &Bench, name: &str, mode: &str) -> String {
    // By its name, as a built-in bot: a path would lead out of the folder.
    let command = format!("faulty {mode} {}", bench.marker());
    format!("name = \"{name}\"\ncommand = \"{command}\"\ngames = [\"coup\"]\n")
}

fn begin(bench: &Bench, folder: &str, more: &[&str]) -> Ended {
    let words = ["tournament", "--game", "coup", "--deals", "2", "--seed", SEED];
    let place = ["--dir", folder, "--submissions", "handed-in"];
    bench.run([&words[..], &place, more].concat())
}

fn entrants(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("entrants.json")).expect("a list");
    serde_json::from_str(&text).expect("JSON")
}

/// Hands in a bot that is a script of the shell.
fn hand_in_script(bench: &Bench, name: &str, script: &str, more: &str) {
    let manifest = format!("name = \"{name}\"\ncommand = \"sh ./bot.sh\"\n{more}\n");
    hand_in(bench, name, &manifest);
    bench.write(&format!("handed-in/{name}/bot.sh"), script);
}

/// Hands in a bot that plays as the built-in `random` does.
fn hand_in_random(bench: &Bench, name: &str, more: &str) {
    hand_in(bench, name, &format!("name = \"{name}\"\ncommand = \"random\"\n{more}\n"));
}

fn names(entrants: &Value) -> Vec<&str> {
    let entered = entrants["entered"].as_array().expect("a list");
    entered.iter().filter_map(|it| it["name"].as_str()).collect()
}

/// The reason for which a folder was refused; empty where it was not.
fn why(entrants: &Value, folder: &str) -> String {
    let mut refused = entrants["refused"].as_array().expect("a list").iter();
    let is_it = |it: &&Value| it["folder"] == format!("handed-in/{folder}");
    refused.find(is_it).and_then(|it| it["why"].as_str()).unwrap_or_default().to_owned()
}

/// Answers with the first legal move.
const ANSWER: &str = "sed -n '/^legal /{n;p;}'";

#[test]
fn bots_that_pass_are_entered_and_others_are_refused_with_a_report() {
    let bench = bench();
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    fs::create_dir(bench.path("handed-in/no-bot")).expect("the folder is ours");
    for name in ["a-good", "c-good"] {
        let folder = format!("handed-in/{name}");
        bench.succeed(["new", &folder, "--language", "shell", "--game", "coup"]);
    }
    hand_in(&bench, "b-crashes", &faulty(&bench, "crashes", "crash"));
    hand_in(&bench, "d-twin", &faulty(&bench, "a-good", "ok"));
    hand_in(&bench, "e-other-game", "name = \"e\"\ncommand = \"greedy\"\ngames = [\"tablic\"]\n");
    hand_in(&bench, "f-no-manifest", "what is this");
    let build = "name = \"g\"\ncommand = \"./g\"\nbuild = \"false\"\ngames = [\"coup\"]\n";
    hand_in(&bench, "g-not-built", build);
    hand_in(&bench, "h \u{1b}[2J name", &faulty(&bench, "h", "ok"));

    let ended = begin(&bench, "cup", &["random"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.stderr.contains('\u{1b}'), "{ended:?}");
    verify(&bench, "cup");
    let found = entrants(&bench.path("cup"));
    let names: Vec<&str> = found["entered"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, ["random", "a-good", "c-good", "h"]);
    for entered in found["entered"].as_array().expect("a list") {
        assert_eq!(entered["files"][0]["sha256"].as_str().map(str::len), Some(64), "{entered}");
    }
    let refused = found["refused"].as_array().expect("a list");
    let why = |folder: &str| {
        let is_it = |it: &&Value| it["folder"].as_str().is_some_and(|it| it.ends_with(folder));
        refused.iter().find(is_it).map(|it| it["why"].to_string()).unwrap_or_default()
    };
    assert_eq!(refused.len(), 6, "{found}");
    assert!(why("no-bot").contains("no bot.toml in the folder"), "{found}");
    assert!(why("b-crashes").contains("failed the check"), "{found}");
    let twin = "another bot in `handed-in/a-good` is named `a-good`";
    assert!(why("d-twin").contains(twin), "{found}");
    assert!(why("e-other-game").contains("does not play coup"), "{found}");
    assert!(why("f-no-manifest").contains("line 1"), "{found}");
    assert!(why("g-not-built").contains("failed the check"), "{found}");
    let report = fs::read_to_string(bench.path("handed-in/b-crashes.report.txt"));
    assert!(report.expect("a report").contains("crash"), "it says what was found");
    let report = fs::read_to_string(bench.path("handed-in/a-good.report.txt")).expect("a report");
    assert!(report.ends_with(" no warnings\n\nentered as a-good\n"), "{report}");
    let games = log::games(&bench.path("cup/games.jsonl"));
    assert_eq!(games.len(), 6 * 2 * 2, "every two of four");
    processes::wait_for_none(bench.marker());

    // After one of its bots was changed, a tournament is continued with the copy.
    let log = bench.path("cup/games.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    let some: String = text.split_inclusive('\n').take(4).collect();
    fs::write(&log, some).expect("it is ours");
    let bot = bench.path("handed-in/a-good/bot.toml");
    let manifest = fs::read_to_string(&bot).expect("a manifest");
    fs::write(&bot, format!("{manifest}\n# changed\n")).expect("it is ours");
    let ended = bench.run(["tournament", "resume", "cup", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        ended.stderr.contains("bot `a-good` plays from its copy in `cup/bots/a-good`"),
        "{ended:?}"
    );
    assert_eq!(log::games(&log).len(), games.len());
    verify(&bench, "cup");
}

#[test]
fn a_plan_takes_submissions_too() {
    let bench = bench();
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    bench.succeed(["new", "handed-in/mine", "--language", "shell", "--game", "coup"]);
    bench.write("plan.toml", "game = 'coup'\ndeals = 1\nbots = [{command = 'random'}]");
    let words = ["tournament", "plan.toml", "--quiet", "--submissions", "handed-in"];
    bench.succeed(words);
    verify(&bench, "plan");
    let plan = fs::read_to_string(bench.path("plan/plan.toml")).expect("a plan");
    assert!(plan.contains("handed-in/mine"), "{plan}");
}

#[test]
fn a_folder_without_bots_is_refused() {
    let bench = bench();
    begin(&bench, "cup", &["random"]).assert_refused(2, &["cannot read `handed-in`"]);
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    begin(&bench, "cup", &["random"]).assert_refused(2, &["no bots in `handed-in`"]);
    assert!(!bench.path("cup").exists());
}

#[test]
fn nothing_that_is_handed_in_is_passed_over_in_silence() {
    let bench = bench();
    hand_in_random(&bench, "good", "");
    hand_in(&bench, "sign=in name", "name = 'sign'\ncommand = 'random'");
    hand_in_script(&bench, "Good", "exit 1", "");
    hand_in_random(&bench, "gOOD", "");
    hand_in_random(&bench, "greedy", "");
    hand_in_random(&bench, "GREEDY", "");
    hand_in(&bench, "bad-name", "name = 'a b'\ncommand = 'random'");
    hand_in(&bench, "huge", &"#".repeat(100_000));
    let inside = |name: &str| bench.path("handed-in").join(name);
    fs::create_dir(inside("empty")).expect("the folder is ours");
    fs::create_dir(inside(".hidden")).expect("the folder is ours");
    fs::create_dir_all(inside("folder/bot.toml")).expect("the folder is ours");
    bench.write("handed-in/bot.zip", "");
    bench.write("handed-in/notes.txt", "no bot");
    // A former report of each kind, and one that cannot be written.
    bench.write("handed-in/good.report.txt", "refused long ago");
    fs::create_dir_all(inside("empty.report.txt")).expect("the folder is ours");
    let mut expected = vec![
        ("Good", "failed the check"),
        ("GREEDY", "named `greedy`, which differs only in case"),
        ("bot.zip", "the file is empty"),
        ("bad-name", "invalid bot name `a b`"),
        ("empty", "no bot.toml in the folder"),
        ("empty.report.txt", "no bot.toml in the folder"),
        ("folder", "not a regular file"),
        ("gOOD", "another bot in `handed-in/Good` is named `Good`, which differs only in"),
        ("good", "another bot in `handed-in/Good` is named `Good`, which differs only in"),
        ("greedy", "another bot is named `greedy`"),
        ("huge", "more than 64 KiB"),
    ];
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        symlink("good", inside("link")).expect("the folder is ours");
        symlink("loop", inside("loop")).expect("the folder is ours");
        fs::create_dir(inside("out")).expect("the folder is ours");
        symlink("../../secret", inside("out/bot.toml")).expect("the folder is ours");
        bench.write("secret", "password");
        expected.extend([("link", "symbolic links"), ("loop", "symbolic links")]);
        expected.push(("out", "its bot.toml is a link"));
        fs::create_dir(inside("pipe")).expect("the folder is ours");
        let made = bench.command("mkfifo").arg(inside("pipe/bot.toml")).status();
        assert!(made.is_ok_and(|made| made.success()), "a pipe with a name");
        expected.push(("pipe", "not a regular file"));
        fs::create_dir(inside("closed")).expect("the folder is ours");
        bench.write("handed-in/closed/bot.toml", "");
        let closed = fs::Permissions::from_mode(0o000);
        fs::set_permissions(inside("closed"), closed).expect("the folder is ours");
        // To the superuser no folder is closed, and the manifest in it is empty.
        let is_open = fs::read_dir(inside("closed")).is_ok();
        let why = if is_open { "missing key `name`" } else { "cannot read its bot.toml" };
        expected.push(("closed", why));
    }
    let ended = begin(&bench, "cup", &["--time-limit", "60s", "greedy"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let found = entrants(&bench.path("cup"));
    assert_eq!(
        names(&found),
        ["greedy", "sign"],
        "a name is not free where its bot fails: {found}"
    );
    for (folder, said) in &expected {
        let why = why(&found, folder);
        assert!(why.contains(said), "{folder}: {why}");
        let told = ended.stderr.lines().find(|line| {
            line.starts_with(&format!("handed-in/{folder}: rejected: ")) && line.contains(said)
        });
        assert!(told.is_some(), "{folder}: {}", ended.stderr);
        let report = inside(&format!("{folder}.report.txt"));
        if *folder != "empty" {
            let report = fs::read_to_string(report).expect("a report");
            assert!(report.ends_with(&format!("\nrejected: {why}\n")), "{folder}: {report}");
            assert!(!report.contains("password"), "{report}");
        }
    }
    assert_eq!(found["refused"].as_array().map(Vec::len), Some(expected.len()), "{found}");
    let unwritten = "warning: cannot write the report `handed-in/empty.report.txt`";
    assert!(ended.stderr.contains(unwritten), "{ended:?}");
    let all = expected.len() + 1;
    let last = format!("handed-in: 1 of {all} submissions entered, 1 file ignored\n");
    assert!(ended.stderr.contains(&last), "{ended:?}");
    let ignored = "handed-in/notes.txt: ignored: it is neither a folder nor a .zip, a .tar.gz or a source of a bot";
    assert!(ended.stderr.lines().any(|line| line == ignored), "{ended:?}");
    assert!(!ended.stderr.contains("hidden"), "{ended:?}");

    // It is reported afterwards, too.
    let status = bench.succeed(["tournament", "status", "cup"]);
    assert!(status.contains("\nrejected submissions:\nhanded-in/GREEDY: "), "{status}");
    let told =
        "handed-in/bad-name: ./handed-in/bad-name/bot.toml, line 1, `name`: invalid bot name `a b`";
    assert!(status.contains(told), "{status}");
    assert!(status.contains(", see handed-in/bad-name.report.txt\n"), "{status}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = fs::Permissions::from_mode(0o700);
        fs::set_permissions(inside("closed"), open).expect("the folder is ours");
    }
}

#[test]
fn a_former_report_is_replaced_and_programs_are_told_who_is_refused() {
    let bench = bench();
    hand_in_script(&bench, "mine", "exit 1", "");
    let limits = ["--time-limit", "60s", "--json", "random", "greedy"];
    let lines = begin(&bench, "cup", &limits).json();
    let checked = &lines[0]["checked"];
    assert_eq!(checked["name"], "mine", "{checked}");
    assert!(checked["problem"].as_str().is_some_and(|why| why.contains("crash")), "{checked}");
    assert!(checked["seconds"].as_f64().is_some_and(|time| time > 0.0), "{checked}");
    let refused = &lines[1]["refused"];
    assert_eq!(refused["folder"], "handed-in/mine", "{refused}");
    assert_eq!(refused["report"], "handed-in/mine.report.txt", "{refused}");
    assert!(refused["why"].as_str().is_some_and(|why| why.contains("crash: exit 1")), "{refused}");
    assert!(lines[2]["start"].is_object(), "no bot has a pace: {}", lines[2]);
    let report = || fs::read_to_string(bench.path("handed-in/mine.report.txt")).expect("a report");
    assert!(report().contains("does not pass") && report().contains("\nrejected: "));

    hand_in_random(&bench, "mine", "");
    let ended = begin(&bench, "again", &["--time-limit", "60s", "--workers", "2", "random"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let told: Vec<&str> = ended.stderr.lines().collect();
    assert!(told[0].starts_with("check 1 of 1: mine passes, "), "{told:?}");
    assert_eq!(told[1], "handed-in: 1 of 1 submission entered");
    assert!(told[2].starts_with("at least 1 s with 2 workers, excluding random"), "{told:?}");
    assert!(report().ends_with("\nentered as mine\n") && !report().contains("FAILED"));

    // The error says if too few are left for a tournament.
    hand_in_script(&bench, "mine", "exit 1", "");
    let ended = begin(&bench, "none", &["--quiet", "random"]);
    ended.assert_refused(2, &["; 1 of 1 submission rejected"]);
    assert!(!bench.path("none").exists());
}

#[test]
fn names_of_any_script_that_differ_in_letter_case_alone_are_one() {
    let bench = bench();
    for name in ["Žarko", "žarko", "Иван", "ИВАН", "ΟΔΟΣ", "οδός", "οδος", "οδοσ", "Zarko"]
    {
        hand_in_random(&bench, name, "");
    }
    let ended = begin(&bench, "cup", &["--time-limit", "60s"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let found = entrants(&bench.path("cup"));
    let mut entered = names(&found);
    entered.sort_unstable();
    assert_eq!(entered, ["Zarko", "Žarko", "ΟΔΟΣ", "οδός", "ИВАН"], "{found}");
    for (folder, twin) in [("žarko", "Žarko"), ("Иван", "ИВАН"), ("οδος", "ΟΔΟΣ"), ("οδοσ", "ΟΔΟΣ")]
    {
        let why = why(&found, folder);
        let said = format!("is named `{twin}`, which differs only in case");
        assert!(why.contains(&said), "{folder}: {why}");
    }
}

#[test]
fn archives_and_sources_are_submissions_as_folders_are() {
    let bench = bench();
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    let manifest = |name: &str| format!("name = \"{name}\"\ncommand = \"sh ./bot.sh\"\n");
    let script = format!("{ANSWER}\n");
    let zipped = zip(&[
        stored("inner/bot.toml", manifest("zipped").as_bytes()),
        stored("inner/bot.sh", script.as_bytes()),
    ]);
    fs::write(bench.path("handed-in/zipped.zip"), zipped).expect("the folder is ours");
    let packed = [
        tar_entry("bot.toml", b'0', manifest("packed").as_bytes()),
        tar_entry("bot.sh", b'0', script.as_bytes()),
    ];
    fs::write(bench.path("handed-in/packed.tar.gz"), gz(&packed.concat())).expect("it is ours");
    bench.write("handed-in/single.sh", &script);
    bench.write("handed-in/a b.sh", &script);
    let escapes = zip(&[stored("../bot.toml", manifest("escapes").as_bytes())]);
    fs::write(bench.path("handed-in/escapes.zip"), escapes).expect("the folder is ours");
    let ended = begin(&bench, "cup", &["--time-limit", "60s", "random"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let found = entrants(&bench.path("cup"));
    assert_eq!(names(&found), ["random", "packed", "single", "zipped"], "{found}");
    assert!(why(&found, "a b.sh").contains("not a valid bot name"), "{found}");
    assert!(why(&found, "escapes.zip").contains("`../bot.toml`"), "{found}");
    for file in ["zipped.zip", "packed.tar.gz", "single.sh", "escapes.zip"] {
        let report = bench.path(&format!("handed-in/{file}.report.txt"));
        assert!(report.exists(), "{file}");
    }
    verify(&bench, "cup");

    // What a tournament plays from does not change with the archive.
    let before = fs::read_dir(bench.path("handed-in/.unpacked")).expect("it is there").count();
    assert_eq!(before, 3);
    bench.write("handed-in/single.sh", format!("{script}# another one\n"));
    let again = begin(&bench, "again", &["--time-limit", "60s", "random"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let after = fs::read_dir(bench.path("handed-in/.unpacked")).expect("it is there").count();
    assert_eq!(after, 4, "the old one is kept");
    let told = |name: &str, what: &str| {
        let line = format!(": {name} passes, ");
        let line = again.stderr.lines().find(|told| told.contains(&line)).expect("a line");
        assert_eq!(line.ends_with("checked before"), what == "before", "{}", again.stderr);
    };
    told("zipped", "before");
    told("packed", "before");
    told("single", "now");
}
