//! Builds are kept apart like bots: what they see, what they can write, and what of it comes back.

#![cfg(target_os = "linux")]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use sha2::{Digest, Sha256};
use tests::bench::{Bench, Ended, run};
use tests::keeping::{Keeping, KeepingCommand};

/// The ways in which builds are kept apart: by all layers, and by those that are left where namespaces
/// are refused.
const APART: [Keeping; 2] = [Keeping::Isolated, Keeping::Refused];

/// A bench with the bot `mine`, a folder, which is built by these lines of a shell.
fn bench(lines: &str) -> Bench {
    let bench = Bench::new();
    bench.write("mine/first.sh", include_str!("../../../../examples/bots/shell/random.sh"));
    built_by(&bench, lines);
    bench
}

/// The same, where builds are kept apart by all layers.
fn isolated(lines: &str) -> Option<Bench> {
    Some(bench(lines)).filter(|bench| Keeping::Isolated.can_be_had(bench))
}

fn built_by(bench: &Bench, lines: &str) {
    bench.write("mine/build.sh", lines);
    let manifest = "name = 'mine'\ncommand = 'sh first.sh'\nbuild = 'sh ./build.sh'\n";
    bench.write("mine/bot.toml", manifest);
}

fn build(bench: &Bench, keeping: Keeping, words: &[&str]) -> Ended {
    let mut arbiter = bench.arbiter([&["build", "./mine"], words].concat());
    run(arbiter.env("A_SECRET", "a secret").with_keeping(keeping))
}

fn play_tournament(bench: &Bench, keeping: Keeping, words: &[&str]) {
    let head = ["tournament", "--game", "coup", "--deals", "1", "--quiet"];
    let ended = run(bench.arbiter([&head, words].concat()).with_keeping(keeping));
    assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Each of these works where nothing keeps it apart, so that the test is known to test something.
#[test]
fn a_build_sees_and_changes_nothing_but_its_folder() {
    let lines = "cat \"$TOP/seed\" >seen-seed; echo evil >\"$TOP/evil\"; echo evil >\"$TOP/seed\"\n\
                 echo \"$A_SECRET\" >seen-variable; echo evil >\"$TOP/other/first.sh\"\n\
                 mv \"$TOP/other\" \"$TOP/moved\"; ln \"$TOP/seed\" seen-link\n\
                 echo made >made; exit 0\n";
    for keeping in Keeping::had([APART[0], APART[1], Keeping::Off]) {
        let bench = bench("");
        let top = bench.folder().canonicalize().expect("a folder").display().to_string();
        built_by(&bench, &format!("TOP='{top}'\n{lines}"));
        bench.write("seed", "a seed\n");
        bench.write("other/first.sh", "good\n");
        let ended = build(&bench, keeping, &[]);
        assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
        assert_eq!(read(&bench.path("mine/made")), "made\n", "{keeping}");
        let other = if keeping == Keeping::Off { "moved" } else { "other" };
        let found = [
            ("seed", "seen-seed", read(&bench.path("mine/seen-seed")) == "a seed\n"),
            ("variable", "seen-variable", read(&bench.path("mine/seen-variable")) == "a secret\n"),
            ("file", "evil", bench.path("evil").exists()),
            ("seed", "seed", read(&bench.path("seed")) == "evil\n"),
            ("other bot", "other", read(&bench.path(other).join("first.sh")) == "evil\n"),
            ("link", "seen-link", bench.path("mine/seen-link").exists()),
        ];
        for (what, name, is_reached) in found {
            assert_eq!(is_reached, keeping == Keeping::Off, "{keeping}: {what}, {name}");
        }
    }
}

/// Files made by a build come back as they are, and nothing is followed or done on the way.
#[test]
fn files_made_by_a_build_come_back() {
    let lines = "set -e\n\
                 mkdir -p new/deep; echo x >new/deep/file; chmod 4751 new/deep/file\n\
                 ln -s \"$PWD/nowhere\" new/lost; ln -s /etc/passwd new/passwd\n\
                 mkfifo new/pipe; rm gone; rm -r old; echo file >old\n\
                 rm file; mkdir file; echo inner >file/inner\n\
                 rm victim; mkdir victim; echo evil >victim/file\n\
                 test kept -ot build.sh || { echo 'the time of a file is another one'; exit 1; }\n\
                 chmod +x kept; touch -d '2001-02-03 04:05:06.123456789 UTC' timed\n";
    for keeping in Keeping::had(APART) {
        let bench = bench(lines);
        let at = |name: &str| bench.path("mine").join(name);
        for name in ["gone", "file", "kept"] {
            bench.write(&format!("mine/{name}"), name);
        }
        let long_ago = bench_time(&bench);
        let kept = File::options().write(true).open(at("kept")).expect("it is there");
        kept.set_modified(long_ago).expect("it is ours");
        fs::create_dir_all(at("old/inner")).expect("a folder");
        bench.write("victim/file", "good\n");
        symlink("../victim", at("victim")).expect("a link");
        let ended = build(&bench, keeping, &[]);
        assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");

        let file = at("new/deep/file").metadata().expect("it was made");
        assert_eq!(file.mode() & 0o7777, 0o751, "{keeping}");
        let own = at("bot.toml").metadata().expect("it is there");
        assert_eq!((file.uid(), file.gid()), (own.uid(), own.gid()), "{keeping}");
        assert_eq!(fs::read_link(at("new/passwd")).expect("a link"), Path::new("/etc/passwd"));
        assert!(at("new/lost").is_symlink() && !at("new/lost").exists(), "{keeping}");
        assert!(!at("new/pipe").exists() && !at("gone").exists(), "{keeping}");
        assert_eq!(read(&at("old")), "file\n", "{keeping}");
        assert_eq!(read(&at("file/inner")), "inner\n", "{keeping}");
        assert_eq!(read(&bench.path("victim/file")), "good\n", "{keeping}");
        assert!(!at("victim").is_symlink(), "{keeping}");
        assert_eq!(read(&at("victim/file")), "evil\n", "{keeping}");
        let kept = at("kept").metadata().expect("it is there");
        assert_eq!(kept.mode() & 0o111, 0o111, "{keeping}");
        assert_eq!(kept.modified().expect("a time"), long_ago, "{keeping}");
        let timed = at("timed").metadata().expect("it was made");
        assert_eq!((timed.mtime(), timed.mtime_nsec()), (981_173_106, 123_456_789), "{keeping}");

        // A second build has nothing to do, judging by the times of the files.
        built_by(&bench, "test timed -ot bot.toml && test kept -ot bot.toml\n");
        assert_eq!(build(&bench, keeping, &[]).code, Some(0), "{keeping}");
    }
}

/// Either all of it comes back or nothing.
#[test]
fn a_build_that_cannot_come_back_changes_nothing() {
    let changes = "echo changed >first.sh; rm gone build.sh; echo made >made\n";
    let cases = [
        ("mkdir pipe\n", "cannot copy back `pipe`: not a file, folder or"),
        (
            "for i in 1 2 3 4; do truncate -s 3G made-$i; done\n",
            "the build produced more than 8.0 GiB",
        ),
        ("exit 2\n", "exit 2"),
    ];
    for keeping in Keeping::had(APART) {
        let bench = bench("");
        let at = |name: &str| bench.path("mine").join(name);
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, mode, 0)
            .expect("a pipe");
        bench.write("mine/gone", "still there\n");
        let before = read(&at("first.sh"));
        for (more, why) in cases {
            built_by(&bench, &format!("{changes}{more}"));
            build(&bench, keeping, &[]).assert_refused(4, &["bot `mine`: build failed: ", why]);
            assert_eq!(read(&at("first.sh")), before, "{keeping}: {more}");
            assert_eq!(read(&at("gone")), "still there\n", "{keeping}: {more}");
            assert!(!at("made").exists() && at("build.sh").exists(), "{keeping}: {more}");
        }
    }
}

/// Of a file that only its user can read, the record of a build would tell the digest.
#[test]
fn a_record_says_nothing_of_what_a_link_leads_to() {
    for keeping in Keeping::had([APART[0], APART[1], Keeping::Off]) {
        let bench = bench("rm -f a.c; ln -s ../secret.c a.c; ln -s first.sh b.c\n");
        bench.write("mine/a.c", "int main;\n");
        bench.write("secret.c", "a secret\n");
        assert_eq!(build(&bench, keeping, &[]).code, Some(0), "{keeping}");
        assert!(bench.path("mine/a.c").is_symlink(), "{keeping}");
        let digest = Sha256::digest(b"a secret\n");
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        for _ in 0..2 {
            let record = read(&bench.path("mine/.arbiter-build.json"));
            assert!(record.contains("\"first.sh\""), "{keeping}: {record}");
            assert!(!record.contains(&digest), "{keeping}: {record}");
            built_by(&bench, "exit 0\n");
            assert_eq!(build(&bench, keeping, &[]).code, Some(0), "{keeping}");
        }
    }
}

/// The folder of a bot may lie in the folder of another one.
#[test]
fn the_build_of_a_bot_does_not_see_another_one_in_its_folder() {
    for keeping in Keeping::had(APART) {
        let bench = bench("ls >list; mkdir -p inner; echo evil >inner/first.sh\n");
        let script = include_str!("../../../../examples/bots/shell/random.sh");
        bench.write("mine/inner/first.sh", script);
        bench.write("mine/inner/bot.toml", "name = 'inner'\ncommand = 'sh first.sh'\n");
        let words = ["--dir", "cup", "--time-limit", "60s", "./mine", "./mine/inner"];
        play_tournament(&bench, keeping, &words);
        assert_eq!(read(&bench.path("mine/inner/first.sh")), script, "{keeping}");
        assert!(!read(&bench.path("mine/list")).contains("inner"), "{keeping}");
    }
}

/// The owner of a folder may exchange what is in it while root takes over what was built there.
#[test]
fn nothing_is_taken_over_through_a_link_on_the_way() {
    let lines =
        "for i in 1 2 3 4 5 6 7 8; do for j in 1 2 3 4 5 6 7 8; do echo x >sub/$i-$j; done; done\n";
    let Some(bench) = isolated(lines) else { return };
    fs::create_dir(bench.path("victim")).expect("a folder");
    let (sub, aside) = (bench.path("mine/sub"), bench.path("aside"));
    for _ in 0..3 {
        let _ = fs::remove_dir_all(&sub).or_else(|_| fs::remove_file(&sub));
        let _ = fs::remove_dir_all(&aside);
        fs::create_dir(&sub).expect("a folder");
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                let has_some = || fs::read_dir(&sub).is_ok_and(|mut found| found.next().is_some());
                while !is_over.load(Ordering::Relaxed) && !has_some() {
                    thread::yield_now();
                }
                if has_some() {
                    fs::rename(&sub, &aside).expect("it is ours");
                    symlink(bench.path("victim"), &sub).expect("a link");
                }
            });
            // It may fail, or be over before.
            let _ = build(&bench, Keeping::Isolated, &[]);
            is_over.store(true, Ordering::Relaxed);
        });
        assert_eq!(fs::read_dir(bench.path("victim")).expect("a folder").count(), 0);
    }
}

/// The copy lies on a mount of its own, which forbids to execute: that stays so where it is found.
#[test]
fn a_folder_of_temporary_files_that_forbids_to_execute_is_no_way_out() {
    let Some(bench) =
        isolated("echo made >made; cat /proc/1/cmdline >first; ls /proc/self/fd >list\n")
    else {
        return;
    };
    fs::create_dir(bench.path("temporary")).expect("a folder");
    let mounted = "mount -t tmpfs -o noexec,mode=1777 none \"$TMPDIR\" && exec \"$@\"";
    let mut arbiter = Command::new("unshare");
    arbiter.args(["--map-root-user", "--mount", "sh", "-c", mounted, "sh"]);
    arbiter.arg(bench.program("arbiter")).args(["build", "./mine", "--isolation", "strict"]);
    arbiter.current_dir(bench.folder()).env("TMPDIR", bench.path("temporary"));
    let ended = run(&mut arbiter);
    if ended.stderr.contains("these layers: ") || ended.stderr.contains("unshare") {
        println!("skipped: no namespace within another one: {}", ended.stderr);
        return;
    }
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(read(&bench.path("mine/made")), "made\n");
}

/// A shell may leave descriptors open to what it starts.
#[test]
fn a_bot_gets_no_descriptor_that_the_referee_was_started_with() {
    let Some(bench) = isolated("cat >seen 2>/dev/null <&9; exit 0\n") else { return };
    bench.write("secret", "a secret\n");
    let arbiter = bench.program("arbiter");
    let mut shell = bench.command("sh");
    shell.args(["-c", "exec \"$0\" build ./mine 9<secret"]).arg(arbiter);
    run(&mut shell).with_code(0);
    assert_eq!(read(&bench.path("mine/seen")), "");
}

/// A time before everything in the bench, in whole seconds.
fn bench_time(bench: &Bench) -> std::time::SystemTime {
    let made = bench.folder().metadata().expect("it is there").modified().expect("a time");
    let since = made.duration_since(std::time::UNIX_EPOCH).expect("it is later");
    std::time::UNIX_EPOCH + std::time::Duration::from_secs(since.as_secs() - 1000)
}

/// Neither the seed nor the folder of a tournament is in the copy, nor comes back from it.
#[test]
fn files_hidden_from_bots_are_hidden_from_builds_in_the_folder_of_a_bot() {
    for keeping in Keeping::had(APART) {
        let bench =
            bench("cat seed >seen; ls >list; rm -f seed; echo evil >seed; mkdir cup; exit 0\n");
        bench.succeed(["seed", "mine/seed"]);
        let seed = read(&bench.path("mine/seed"));
        let words = ["--seed-file", "mine/seed", "--dir", "mine/cup", "./mine", "random"];
        play_tournament(&bench, keeping, &words);
        assert_eq!(read(&bench.path("mine/seed")), seed, "{keeping}");
        assert_eq!(read(&bench.path("mine/seen")), "", "{keeping}");
        assert!(!read(&bench.path("mine/list")).contains("cup"), "{keeping}");
        assert!(bench.path("mine/cup/games.jsonl").exists(), "{keeping}");
        let record = read(&bench.path("mine/.arbiter-build.json"));
        assert!(record.contains("\"build.sh\""), "{keeping}: {record}");
        assert!(!record.contains("\"seed\""), "{keeping}: {record}");
    }
}

/// The programs of others could be copied or replaced by a build that runs before or after theirs.
#[test]
fn builds_of_submissions_do_not_see_each_other() {
    for keeping in Keeping::had(APART) {
        let bench = Bench::new();
        for (name, other) in [("ann", "bob"), ("bob", "ann")] {
            let at = |file: &str| format!("handed-in/{name}/{file}");
            fs::create_dir_all(bench.path(&at(""))).expect("a folder");
            let (old, new) = (bench.path("handed-in"), at("first.sh"));
            let other = old.canonicalize().expect("a folder").join(other).join("first.sh");
            let other = other.display();
            bench.write(&new, include_str!("../../../../examples/bots/shell/random.sh"));
            bench.write(&at("build.sh"), format!("cat {other} >seen; echo >{other}; exit 0\n"));
            let lines = "command = 'sh first.sh'\nbuild = 'sh ./build.sh'\n";
            bench.write(&at("bot.toml"), format!("name = '{name}'\n{lines}"));
        }
        let words = ["--dir", "cup", "--submissions", "handed-in", "--time-limit", "60s"];
        play_tournament(&bench, keeping, &words);
        for name in ["ann", "bob"] {
            let at = |file: &str| bench.path("handed-in").join(name).join(file);
            assert_eq!(read(&at("seen")), "", "{keeping}");
            let record = read(&at(".arbiter-build.json"));
            assert!(record.contains("\"build.sh\""), "{keeping}: {record}");
        }
    }
}

#[test]
fn a_folder_that_is_too_large_is_not_copied() {
    let Some(bench) = isolated("exit 0\n") else { return };
    // It takes no room on the disk.
    let file = File::create(bench.path("mine/large")).expect("a file");
    if file.set_len(9 << 30).is_err() {
        tests::missing::tell("the disk cannot hold a file of 9 GiB with nothing in it");
        return;
    }
    let ended = build(&bench, Keeping::Isolated, &[]);
    ended.assert_refused(4, &["bot `mine`", "the folder has more than 8.0 GiB"]);
    assert_eq!(build(&bench, Keeping::Off, &[]).code, Some(0));
}

#[test]
fn a_build_that_misses_something_gets_a_hint_for_the_grant() {
    let Some(bench) = isolated("echo 'could not resolve host: nowhere' >&2; exit 1\n") else {
        return;
    };
    let hint = "hint: this build has no network: pass --allow mine:network";
    let ended = build(&bench, Keeping::Isolated, &[]);
    assert!(ended.stderr.contains(hint), "{ended:?}");
    let ended = build(&bench, Keeping::Isolated, &["--allow", "mine:network"]);
    assert!(!ended.stderr.contains("hint: "), "{ended:?}");
    build(&bench, Keeping::Isolated, &["--allow", "other:network"])
        .assert_refused(2, &["`other:network` names an unknown bot `other`", "use one of mine"]);

    bench.write("library", "found\n");
    let library = bench.path("library").canonicalize().expect("a file").display().to_string();
    built_by(&bench, &format!("cat '{library}' >found\n"));
    let ended = build(&bench, Keeping::Isolated, &[]);
    let hint = format!("hint: `{library}` exists, but is hidden from the build: pass --allow ");
    assert!(ended.stderr.contains(&hint), "{ended:?}");
    let granted = format!("mine:read={library}");
    assert_eq!(build(&bench, Keeping::Isolated, &["--allow", &granted]).code, Some(0));
    assert_eq!(read(&bench.path("mine/found")), "found\n");

    built_by(&bench, &format!("echo x >'{library}'\n"));
    let ended = build(&bench, Keeping::Isolated, &["--allow", &granted]);
    assert!(
        ended.stderr.contains("hint: isolated builds can write only to the bot's folder"),
        "{ended:?}"
    );
}

/// The build of an ordinary user cannot read it either, and a bot may well hold one.
#[test]
fn a_file_that_cannot_be_read_is_left_alone() {
    let Some(bench) = isolated("cat closed/file || echo made >made\n") else { return };
    bench.write("mine/closed/file", "closed\n");
    let rights =
        |mode| fs::set_permissions(bench.path("mine/closed"), Permissions::from_mode(mode));
    rights(0o000).expect("it is ours");
    let ended = build(&bench, Keeping::Isolated, &[]);
    rights(0o700).expect("it is ours");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(read(&bench.path("mine/closed/file")), "closed\n");
}

#[test]
fn all_layers_can_be_insisted_on() {
    let bench = bench("echo made >made\n");
    if Keeping::Isolated.can_be_had(&bench) {
        assert_eq!(build(&bench, Keeping::Isolated, &["--isolation", "strict"]).code, Some(0));
        assert_eq!(read(&bench.path("mine/made")), "made\n");
        fs::remove_file(bench.path("mine/made")).expect("it was made");
    }
    if Keeping::Refused.can_be_had(&bench) {
        let ended = build(&bench, Keeping::Refused, &["--isolation", "strict"]);
        ended.assert_refused(1, &["missing sandbox layers: "]);
        assert!(!bench.path("mine/made").exists());
    }
}
