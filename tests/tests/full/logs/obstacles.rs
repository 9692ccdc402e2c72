//! Obstacles in the place of a file: every command that reads it says so in one line, with the exit
//! code for it, and neither hangs nor takes memory without bound.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tests::bench::{Bench, Ended, SEED, run};

/// Something in the place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    /// A link to a device that never ends.
    Endless,
    /// A pipe without a writer.
    Pipe,
    Folder,
    /// A link to itself.
    Loop,
    Socket,
    /// A regular file that is one byte longer than what is read.
    TooLong,
    /// A file without a permission to read it.
    Closed,
}

const OBSTACLES: [Obstacle; 7] = [
    Obstacle::Endless,
    Obstacle::Pipe,
    Obstacle::Folder,
    Obstacle::Loop,
    Obstacle::Socket,
    Obstacle::TooLong,
    Obstacle::Closed,
];

impl Obstacle {
    /// Puts it there; says whether it is one for this user.
    fn put(self, path: &Path, longest: u64) -> bool {
        match self {
            Obstacle::Endless => symlink("/dev/zero", path).expect("a link"),
            Obstacle::Pipe => {
                let mode = Mode::RUSR | Mode::WUSR;
                mknodat(CWD, path, FileType::Fifo, mode, 0).expect("a pipe");
            }
            Obstacle::Folder => fs::create_dir(path).expect("a folder"),
            Obstacle::Loop => symlink(path.file_name().expect("a name"), path).expect("a link"),
            // A socket stays when the listener goes.
            Obstacle::Socket => {
                drop(std::os::unix::net::UnixListener::bind(path).expect("a socket"));
            }
            // It takes no room: nothing is written to it.
            Obstacle::TooLong => {
                let file = File::create(path).expect("a file");
                file.set_len(longest + 1).expect("a file may be sparse");
            }
            Obstacle::Closed => {
                fs::write(path, "closed").expect("a file");
                fs::set_permissions(path, fs::Permissions::from_mode(0o0)).expect("it is ours");
                return File::open(path).is_err();
            }
        }
        true
    }

    /// Removes it, unless the program has done so.
    fn remove(self, path: &Path) {
        let _ = match self {
            Obstacle::Folder => fs::remove_dir(path),
            _ => fs::remove_file(path),
        };
    }

    /// The words of an error about it.
    fn says(self) -> &'static str {
        match self {
            Obstacle::Endless => "not a regular file but a device",
            Obstacle::Pipe => "not a regular file but a named pipe",
            Obstacle::Folder => "not a regular file but a folder",
            Obstacle::Socket => "not a regular file but a socket",
            Obstacle::Loop => "symbolic link",
            Obstacle::TooLong => "than ",
            Obstacle::Closed => "ermission denied",
        }
    }
}

/// A file, how many KiB of it are read at most, the exit codes where it cannot be read and where it is too long, and the
/// commands that read it. All commands of a row meet a pipe and a file that is too long, and the first one meets the
/// other obstacles as well.
const READS: &str = "
cup/plan.toml | 16384 | 2 2 | verify cup, tournament status cup, tournament standings cup
cup/plan.toml | 16384 | 2 2 | tournament resume cup, report cup -o pages, tournament cup/plan.toml --dir other
planned/plan.toml | 16384 | 2 2 | tournament run-shard planned --shard 1, tournament merge planned
cup/entrants.json | 16384 | 2 2 | verify cup, report cup -o pages
cup/standings.json | 16384 | 2 2 | verify cup, report cup -o pages
cup/games.jsonl | 65536 | 2 3 | verify cup, tournament status cup, tournament standings cup, report cup -o pages, head cup
cup/games.jsonl | 65536 | 2 3 | show cup, show --follow cup, explain cup --game 0, request cup --game 0 --move 0
cup/games.jsonl | 65536 | 2 3 | rerun cup, diff cup log, export --features moves cup
cup/games.jsonl | 65536 | 2 2 | tournament resume cup
begun/ahead.jsonl | 65536 | 2 0 | tournament resume begun --quiet
begun/lock | - | 2 2 | tournament resume begun --quiet
log | 65536 | 2 3 | verify log, head log, show log, explain log --game 0, diff log kept, diff kept log
log | 65536 | 2 3 | show --follow log
log | 65536 | 2 3 | request log --game 0 --move 0, rerun log, export --features moves log, report log -o pages
seed | 4 | 2 2 | match --game coup --seed-file seed random greedy, play --game coup --seed-file seed greedy
seed | 4 | 2 2 | tournament --game=coup --dir=d --seed-file seed random greedy
bot/bot.toml | 64 | 2 2 | build ./bot, check ./bot, match --game coup ./bot greedy, play --game coup ./bot
bot/bot.toml | 64 | 2 2 | tournament --game coup --dir d ./bot greedy
";

/// A tournament that is over, one that was only begun, one that is planned in shards, and a log.
fn set_up(bench: &Bench) {
    let words = ["--game", "coup", "--deals", "2", "--seed", SEED, "--quiet", "random", "greedy"];
    for folder in ["cup", "begun"] {
        bench.succeed([&["tournament", "--dir", folder], &words[..]].concat());
    }
    bench.succeed([&["tournament", "plan", "planned", "--shards", "2"], &words[..]].concat());
    let log = bench.text("begun/games.jsonl");
    let begun: String = log.split_inclusive('\n').take(2).collect();
    bench.write("begun/games.jsonl", begun);
    bench.write("begun/ahead.jsonl", "");
    bench.succeed(["match", "--game", "coup", "--quiet", "--log", "log", "random", "greedy"]);
    fs::copy(bench.path("log"), bench.path("kept")).expect("a copy");
    bench.write("seed", SEED);
    bench.write("bot/bot.toml", "name = 'mine'\ncommand = 'random'\n");
}

/// The folder of another bench, copied, so that no case sees what the one before has left.
fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(done.expect("cp starts").success());
}

#[test]
fn an_obstacle_in_the_place_of_a_file_is_named_in_one_line() {
    let bench = Bench::new();
    set_up(&bench);
    let mut skipped = 0;
    let mut failures = Vec::new();
    for row in READS.trim().lines() {
        let [file, longest, codes, commands] = row.split(" | ").collect::<Vec<_>>()[..] else {
            unreachable!("{row}")
        };
        let longest = longest.parse::<u64>().ok().map(|it| it << 10);
        let commands: Vec<&str> = commands.split(", ").collect();
        let top = Path::new(file).components().next().expect("a part").as_os_str();
        for obstacle in OBSTACLES {
            // Nothing of a lock is read.
            if obstacle == Obstacle::TooLong && longest.is_none() {
                continue;
            }
            // A file that is no log is of no use ahead of others, and its games are played again.
            let code = codes.split(' ').nth(usize::from(obstacle == Obstacle::TooLong));
            let code = code.and_then(|it| it.parse().ok()).expect("a code");
            // A command opens a file as others do, but it may wait for a pipe, or read without a bound.
            let by_all = matches!(obstacle, Obstacle::Pipe | Obstacle::TooLong);
            let some = if by_all { commands.len() } else { 1 };
            for words in &commands[..some] {
                let aside = bench.path("aside");
                copy(&bench.path(top.to_str().expect("Unicode")), &aside);
                let path = bench.path(file);
                fs::remove_file(&path).expect("it is there");
                if obstacle.put(&path, longest.unwrap_or(0)) {
                    let ended = bench.run(words.split(' '));
                    let case = format!("{obstacle:?} as {file}, {words:?}: {ended:?}");
                    if !is_told(&ended, obstacle, code, file) {
                        failures.push(case);
                    }
                } else {
                    skipped += 1;
                }
                obstacle.remove(&path);
                let top = bench.path(top.to_str().expect("Unicode"));
                match top.is_dir() {
                    true => fs::remove_dir_all(&top).expect("it is ours"),
                    false => drop(fs::remove_file(&top)),
                }
                fs::rename(&aside, &top).expect("it is ours");
                for left in ["pages", "other", "d"] {
                    let _ = fs::remove_dir_all(bench.path(left));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if skipped > 0 {
        println!("skipped {skipped} of them: this user may read everything");
    }
}

/// Returns true if a command names the obstacle in one line, and ends with the code for it.
fn is_told(ended: &Ended, obstacle: Obstacle, code: i32, file: &str) -> bool {
    let line = ended.stderr.strip_suffix('\n').unwrap_or_default();
    let is_one_line = line.starts_with("error: ") && !line.contains(|c: char| c.is_control());
    // A folder in the place of a log is taken for the folder of a tournament, and a link that leads
    // nowhere can be as good as not there.
    let is_other = obstacle == Obstacle::Folder && file == "log" || obstacle == Obstacle::Loop;
    // Some obstacles are links to what lies elsewhere, of which a bot's manifest says nothing.
    let leads_out = file == "bot/bot.toml" && line.contains("is outside the bot's folder");
    let says = line.contains(obstacle.says()) || is_other || leads_out;
    ended.code == Some(code) && (code == 0 || is_one_line && says)
}

/// Anything else in the place of a lock does not lock.
#[test]
fn a_lock_that_is_none_is_no_lock() {
    let bench = Bench::new();
    set_up(&bench);
    for obstacle in OBSTACLES.into_iter().filter(|it| *it != Obstacle::TooLong) {
        let lock = bench.path("cup/lock");
        fs::remove_file(&lock).expect("it is there");
        obstacle.put(&lock, 0);
        let told = bench.succeed(["tournament", "status", "cup"]);
        assert!(told.contains("over"), "{obstacle:?}: {told}");
        obstacle.remove(&lock);
        File::create(&lock).expect("it is ours");
    }
}

/// A pipe made by a shell is open already, and can be read.
#[test]
fn logs_and_seeds_may_come_through_pipes() {
    let bench = Bench::new();
    set_up(&bench);
    let scripts = [
        "cat log | \"$0\" verify /dev/stdin",
        "cat log | \"$0\" verify /dev/fd/0",
        "\"$0\" verify <(cat log) <(cat kept)",
        "\"$0\" verify /dev/stdin < log",
        "cat log | \"$0\" show --follow /dev/stdin",
        "\"$0\" diff <(cat log) kept",
        "\"$0\" head <(cat log)",
        "\"$0\" report <(cat log) -o pages",
        "\"$0\" match --game coup --seed-file <(cat seed) random greedy",
        "cat seed | \"$0\" match --game coup --seed-file /dev/stdin random greedy",
        // A pipe with a name, opened by the shell; its writer may be gone before it is read.
        "mkfifo named; cat log > named & \"$0\" verify /dev/stdin < named",
    ];
    for script in scripts {
        let mut shell = bench.command("bash");
        let ended = run(shell.args(["-c", script]).arg(bench.program("arbiter")));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{script}: {ended:?}");
    }
}

/// Something without an end is read up to a bound, wherever it comes from.
#[test]
fn a_pipe_without_an_end_is_refused() {
    let bench = Bench::new();
    set_up(&bench);
    let cases = [
        ("\"$0\" verify /dev/stdin < /dev/zero", 3, "line 1 is longer than 67108864 bytes"),
        ("yes | \"$0\" verify /dev/stdin", 3, "line 1 does not end in"),
        ("(cat log; yes) | \"$0\" verify /dev/stdin", 3, "does not end in"),
        ("yes | \"$0\" show --follow /dev/stdin", 3, "line 1 does not end in"),
        ("yes | \"$0\" match --game coup --seed-file /dev/stdin random greedy", 2, "than 4 KiB"),
    ];
    for (script, code, says) in cases {
        let mut shell = bench.command("bash");
        run(shell.args(["-c", script]).arg(bench.program("arbiter"))).assert_refused(code, &[says]);
    }
}

/// A bot is a program that anybody may start, with anything as its input. The crate `bots` has requests that break off.
#[test]
fn a_request_without_an_end_is_refused_by_a_bot() {
    let bench = Bench::new();
    let run = |bot: &str, script: &str| {
        run(bench.command("sh").args(["-c", script]).arg(bench.program(bot)))
    };
    // Many lines are no better than a long one.
    for script in ["\"$0\" < /dev/zero", "yes 'arbiter 1' | \"$0\""] {
        for bot in ["random", "minimax"] {
            let ended = run(bot, script);
            assert_eq!(ended.code, Some(1), "{bot}: {ended:?}");
            let says = "the request has more than 4194304 bytes, expected a line `end`";
            assert!(ended.stderr.contains(says) || script.starts_with("yes"), "{bot}: {ended:?}");
        }
    }
    assert_eq!(run("random", "\"$0\" < /dev/null").code, Some(0));
}

/// A program that is no file, or too long to be digested, is not started.
#[test]
fn a_program_that_cannot_be_read_is_not_started() {
    let bench = Bench::new();
    for obstacle in OBSTACLES {
        let path = bench.path("program");
        let longest = 64 << 30;
        if obstacle.put(&path, longest) {
            if obstacle == Obstacle::TooLong {
                let mode = fs::Permissions::from_mode(0o755);
                fs::set_permissions(&path, mode).expect("it is ours");
            }
            let ended = bench.run(["match", "--game", "coup", "./program", "greedy"]);
            assert_eq!(ended.code, Some(4), "{obstacle:?}: {ended:?}");
            ended.assert_refused(4, &["program"]);
        }
        obstacle.remove(&path);
    }
}
