//! Copies of bots that enter: their rights, and how long they stay.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use tests::bench::{Bench, run};
use tests::command_lines::words;
use tests::league::{folder, league, play};

/// Under `umask 077`, or from a folder that only its owner reads, every bot used to be refused where another user
/// runs the bots.
#[test]
fn bots_enter_under_any_umask_and_from_private_folders() {
    let bench = Bench::new();
    let arbiter = |line: &str| {
        let mut shell = bench.command("sh");
        shell.args(["-c", "umask 077; exec \"$@\"", "sh"]).arg(bench.program("arbiter"));
        let ended = run(shell.args(words(line)));
        assert_eq!(ended.code, Some(0), "{line}: {ended:?}");
        ended.stdout
    };
    arbiter("league new class --game coup --round-deals 2");
    folder(&bench, "mine", "mine", "first");
    folder(&bench, "built", "built", "made by its build");
    let manifest = "name = \"built\"\nbuild = \"sh build.sh\"\ncommand = \"sh made/bot.sh\"\n";
    bench.write("built/bot.toml", manifest);
    bench.write("built/build.sh", "mkdir made && cat bot.sh > made/bot.sh\n");
    for name in ["mine", "built"] {
        let mode = |path: &std::path::Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
        };
        for entry in fs::read_dir(bench.path(name)).expect("ours").flatten() {
            mode(&entry.path(), 0o600);
        }
        mode(&bench.path(name), 0o700);
        let told = arbiter(&format!("league add class ./{name}"));
        assert!(told.contains(&format!("{name}@1 has entered")), "{told}");
    }
    arbiter("league run class --games 4 --quiet");
    let log = bench.text("class/rounds/0/games.jsonl");
    assert!(log.contains("built@1") && !log.contains("crash"), "{log}");
    let mode =
        |path: &str| fs::metadata(bench.path(path)).expect("ours").permissions().mode() & 0o777;
    assert_eq!((mode("class"), mode("class/bots")), (0o700, 0o700), "others see none of it");
    assert_eq!((mode("class/bots/mine@1"), mode("class/bots/mine@1/bot.sh")), (0o755, 0o644));
}

#[test]
fn old_versions_are_removed_beyond_a_bound_and_those_that_play_are_not() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "0");
    bench.ok("league add class ./mine");
    assert_eq!(play(&bench, "8"), 8);
    for version in 1..13 {
        folder(&bench, "mine", "ann", &version.to_string());
        bench.ok("league add class ./mine");
    }
    // The newest one, and ten before it.
    for version in 1..=13 {
        let copy = bench.path(&format!("class/bots/ann@{version}"));
        assert_eq!(copy.exists(), version > 2, "ann@{version}");
    }
    assert_eq!(play(&bench, "4"), 12);
    bench.ok("verify class");
    assert!(bench.line("rerun class/rounds/0").stderr.contains("ann@1"));
}
