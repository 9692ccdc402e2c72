//! Bots that were handed in: entered or refused.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::process::Signal;
use tests::bench::Bench;
use tests::processes;
use tests::running::wait_until;
use tests::submitted::{
    ANSWER, begin, entered, entrants, faulty, hand_in, hand_in_random, hand_in_script, line, names,
    report, why,
};
use tests::tournament::{games, verify};

#[test]
fn bots_that_pass_are_entered_and_others_are_refused_with_a_report() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("handed-in/no-bot")).expect("the folder is ours");
    hand_in_script(&bench, "a-good", ANSWER, "");
    hand_in_script(&bench, "c-good", ANSWER, "");
    hand_in(&bench, "b-crashes", &faulty(&bench, "crashes", "crash"));
    hand_in(&bench, "d-twin", &faulty(&bench, "a-good", "ok"));
    hand_in(&bench, "e-other-game", "name = \"e\"\ncommand = \"greedy\"\ngames = [\"tablic\"]\n");
    hand_in(&bench, "f-no-manifest", "what is this");
    hand_in(&bench, "g-not-built", "name = \"g\"\ncommand = \"./g\"\nbuild = \"false\"\n");
    hand_in(&bench, "h \u{1b}[2J name", &faulty(&bench, "h", "ok"));
    let ended = begin(&bench, "cup", "random").with_code(0);
    assert!(!ended.stderr.contains('\u{1b}'), "{ended:?}");
    verify(&bench, "cup");
    let found = entrants(&bench, "cup");
    assert_eq!(names(&found), ["random", "a-good", "c-good", "h"]);
    for entered in found["entered"].as_array().expect("a list") {
        assert_eq!(entered["files"][0]["sha256"].as_str().map(str::len), Some(64), "{entered}");
    }
    let expected = [
        ("no-bot", "no bot.toml in the folder"),
        ("b-crashes", "failed the check"),
        ("d-twin", "another bot in `handed-in/a-good` is named `a-good`"),
        ("e-other-game", "does not play coup"),
        ("f-no-manifest", "line 1"),
        ("g-not-built", "failed the check"),
    ];
    for (folder, says) in expected {
        assert!(why(&found, folder).contains(says), "{folder}: {found}");
    }
    assert_eq!(found["refused"].as_array().map(Vec::len), Some(expected.len()), "{found}");
    assert!(report(&bench, "b-crashes").contains("crash"), "it says what was found");
    let of_good = report(&bench, "a-good");
    assert!(of_good.ends_with(" no warnings\n\nentered as a-good\n"), "{of_good}");
    assert_eq!(games(&bench, "cup").len(), 6 * 2, "every two of four");
    processes::wait_for_none(bench.marker());

    // After one of its bots was changed, a tournament is continued with the copy.
    let some: String = bench.text("cup/games.jsonl").split_inclusive('\n').take(4).collect();
    bench.write("cup/games.jsonl", some);
    let manifest = bench.text("handed-in/a-good/bot.toml");
    bench.write("handed-in/a-good/bot.toml", format!("{manifest}\n# changed\n"));
    let ended = bench.line("tournament resume cup --quiet").with_code(0);
    let says = "bot `a-good` plays from its copy in `cup/bots/a-good`";
    assert!(ended.stderr.contains(says), "{ended:?}");
    assert_eq!(games(&bench, "cup").len(), 6 * 2);
    verify(&bench, "cup");
}

#[test]
fn a_folder_without_bots_is_refused_and_a_plan_takes_submissions_too() {
    let bench = Bench::new();
    bench.refuses(&line("cup", "random"), "cannot read `handed-in`");
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    bench.refuses(&line("cup", "random"), "no bots in `handed-in`");
    assert!(!bench.path("cup").exists());
    hand_in_random(&bench, "mine", "");
    bench.write("plan.toml", "game = 'coup'\ndeals = 1\nbots = [{command = 'random'}]");
    bench.ok("tournament plan.toml --quiet --submissions handed-in");
    verify(&bench, "plan");
    assert!(bench.text("plan/plan.toml").contains("handed-in/mine"));
}

#[test]
fn nothing_that_is_handed_in_is_passed_over_in_silence() {
    let bench = Bench::new();
    for name in ["good", "gOOD", "greedy", "GREEDY"] {
        hand_in_random(&bench, name, "");
    }
    hand_in(&bench, "sign=in name", "name = 'sign'\ncommand = 'random'");
    hand_in_script(&bench, "Good", "exit 1", "");
    hand_in(&bench, "bad-name", "name = 'a b'\ncommand = 'random'");
    hand_in(&bench, "huge", &"#".repeat(100_000));
    hand_in(&bench, "closed", "");
    let inside = |name: &str| bench.path("handed-in").join(name);
    // There is a former report of each kind, and one that cannot be written.
    for folder in ["empty", ".hidden", "folder/bot.toml", "out", "pipe", "empty.report.txt"] {
        fs::create_dir_all(inside(folder)).expect("the folder is ours");
    }
    for (name, text) in
        [("bot.zip", ""), ("notes.txt", "no bot"), ("good.report.txt", "refused long ago")]
    {
        fs::write(inside(name), text).expect("the folder is ours");
    }
    for (to, link) in [("good", "link"), ("loop", "loop"), ("../../secret", "out/bot.toml")] {
        symlink(to, inside(link)).expect("the folder is ours");
    }
    bench.write("secret", "password");
    let made = bench.command("mkfifo").arg(inside("pipe/bot.toml")).status();
    assert!(made.is_ok_and(|made| made.success()), "a pipe with a name");
    let set = |mode| fs::set_permissions(inside("closed"), fs::Permissions::from_mode(mode));
    set(0o000).expect("the folder is ours");
    // To the superuser no folder is closed, and the manifest in it is empty.
    let is_open = fs::read_dir(inside("closed")).is_ok();
    let expected = [
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
        ("link", "symbolic links"),
        ("loop", "symbolic links"),
        ("out", "its bot.toml is a link"),
        ("pipe", "not a regular file"),
        ("closed", if is_open { "missing key `name`" } else { "cannot read its bot.toml" }),
    ];
    let ended = begin(&bench, "cup", "greedy").with_code(0);
    let found = entrants(&bench, "cup");
    let free = "a name is not free where its bot fails";
    assert_eq!(names(&found), ["greedy", "sign"], "{free}: {found}");
    for (folder, said) in &expected {
        let why = why(&found, folder);
        assert!(why.contains(said), "{folder}: {why}");
        let begins = format!("handed-in/{folder}: rejected: ");
        let mut lines = ended.stderr.lines();
        let told = lines.find(|line| line.starts_with(&begins) && line.contains(said));
        assert!(told.is_some(), "{folder}: {}", ended.stderr);
        if *folder != "empty" {
            let report = report(&bench, folder);
            assert!(report.ends_with(&format!("\nrejected: {why}\n")), "{folder}: {report}");
            assert!(!report.contains("password"), "{report}");
        }
    }
    assert_eq!(found["refused"].as_array().map(Vec::len), Some(expected.len()), "{found}");
    let all = expected.len() + 1;
    for says in [
        "warning: cannot write the report `handed-in/empty.report.txt`",
        &*format!("handed-in: 1 of {all} submissions entered, 1 file ignored\n"),
        "handed-in/notes.txt: ignored: it is neither a folder nor a .zip, a .tar.gz or a source of a bot\n",
    ] {
        assert!(ended.stderr.contains(says), "{says}: {ended:?}");
    }
    assert!(!ended.stderr.contains("hidden"), "{ended:?}");

    // It is reported afterwards, too.
    let status = bench.ok("tournament status cup");
    for says in [
        "\nrejected submissions:\nhanded-in/GREEDY: ",
        "handed-in/bad-name: ./handed-in/bad-name/bot.toml, line 1, `name`: invalid bot name `a b`",
        ", see handed-in/bad-name.report.txt\n",
    ] {
        assert!(status.contains(says), "{says}: {status}");
    }
    set(0o700).expect("the folder is ours");
}

#[test]
fn a_former_report_is_replaced_and_programs_are_told_who_is_refused() {
    let bench = Bench::new();
    hand_in_script(&bench, "mine", "exit 1", "");
    let lines = begin(&bench, "cup", "--json random greedy").json();
    let (checked, refused) = (&lines[0]["checked"], &lines[1]["refused"]);
    let says =
        |value: &serde_json::Value, words| value.as_str().is_some_and(|it| it.contains(words));
    assert!(checked["name"] == "mine" && says(&checked["problem"], "crash"), "{checked}");
    assert!(checked["seconds"].as_f64().is_some_and(|time| time > 0.0), "{checked}");
    assert!(refused["folder"] == "handed-in/mine", "{refused}");
    assert!(refused["report"] == "handed-in/mine.report.txt", "{refused}");
    assert!(says(&refused["why"], "crash: exit 1"), "{refused}");
    assert!(lines[2]["start"].is_object(), "no bot has a pace: {}", lines[2]);
    let first = report(&bench, "mine");
    assert!(first.contains("does not pass") && first.contains("\nrejected: "), "{first}");

    hand_in_random(&bench, "mine", "");
    let ended = begin(&bench, "again", "--workers 2 random").with_code(0);
    let told: Vec<&str> = ended.stderr.lines().collect();
    assert!(told[0].starts_with("check 1 of 1: mine passes, "), "{told:?}");
    assert_eq!(told[1], "handed-in: 1 of 1 submission entered");
    assert!(told[2].starts_with("at least 1 s with 2 workers, excluding random"), "{told:?}");
    let second = report(&bench, "mine");
    assert!(second.ends_with("\nentered as mine\n") && !second.contains("FAILED"), "{second}");

    // The error says if too few are left for a tournament.
    hand_in_script(&bench, "mine", "exit 1", "");
    bench.refuses(&line("none", "--quiet random"), "; 1 of 1 submission rejected");
    assert!(!bench.path("none").exists());
}

/// A bot that would be out in all games for its time is not entered, and does not take longer to
/// be refused than a few answers.
#[test]
fn a_bot_too_slow_for_the_tournament_is_refused_after_three_timeouts() {
    let bench = Bench::new();
    hand_in(&bench, "slow", &faulty(&bench, "slow", "sleep"));
    hand_in_random(&bench, "good", "");
    let found = entered(&bench, "cup", "--time-limit slow=300ms random");
    assert_eq!(names(&found), ["random", "good"]);
    assert!(why(&found, "slow").contains("timeout: no exit within 300 ms"), "{found}");
    let report = report(&bench, "slow");
    assert_eq!(report.matches("\nFAILED ").count(), 3, "{report}");
    assert!(report.contains(" skipped after 3 timeouts\n"), "{report}");
    processes::wait_for_none(bench.marker());
}

/// A check that has ended is not made again; one that was broken off is.
#[test]
fn after_ctrl_c_only_the_checks_that_had_not_ended_are_made() {
    let bench = Bench::new();
    hand_in_random(&bench, "a-good", "");
    hand_in_script(&bench, "b-bad", "exit 1", "");
    hand_in_random(&bench, "c-slow", "build = ['sleep', '600']");
    let begin = line("cup", "--workers 1 random");
    let mut running = bench.start(&begin);
    let says = |words: &str| bench.text("errors").contains(words);
    wait_until("two checks have ended", || says("check 2 of 3: b-bad does not pass, "));
    running.signal(Signal::INT);
    assert_eq!(running.wait().code(), Some(130), "{}", bench.text("errors"));
    assert!(says("stopped during the checks; rerun the command to continue"));
    assert!(!bench.path("cup").exists(), "nothing was begun");
    hand_in_random(&bench, "c-slow", "");
    let ended = bench.line(&begin).with_code(0);
    let lines: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("check ")).collect();
    assert_eq!(lines[0], "check 1 of 3: a-good passes, checked before");
    assert_eq!(lines[1], "check 2 of 3: b-bad does not pass, checked before");
    assert!(lines[2].starts_with("check 3 of 3: c-slow passes, "), "{lines:?}");
    assert!(lines[2].ends_with(" s"), "{lines:?}");
    verify(&bench, "cup");
}
