//! A machine that runs out of memory, for which a control group stands in: the kernel kills the bot first,
//! and what comes of it depends on the bot's own limit.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::Instant;

use tests::bench::{Bench, CEILING, Ended, PAUSE, run};
use tests::keeping::{Keeping, KeepingCommand};
use tests::{log, missing, processes};

/// Memory of the referee, its keepers and the bots together, in bytes: less than a bot takes.
const ROOM: u64 = 384 << 20;

/// Ways to keep bots apart that have a keeper.
const KEEPINGS: [Keeping; 4] =
    [Keeping::Isolated, Keeping::Refused, Keeping::Contained, Keeping::Off];

/// A control group with little memory, which is removed when this is dropped.
struct Group(PathBuf);

impl Group {
    /// Nothing where none can be made, which it says.
    fn new(name: &str) -> Option<Group> {
        let limits = [
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
            ("/sys/fs/cgroup", "memory.max", "memory.swap.max"),
        ];
        let made = limits.into_iter().find_map(|(tree, memory, swap)| {
            let folder = Path::new(tree).join(format!("arbiter-test-{}-{name}", process::id()));
            fs::create_dir(&folder).ok()?;
            let group = Group(folder);
            fs::write(group.0.join(memory), ROOM.to_string()).ok()?;
            // Not every kernel counts what was swapped out.
            let _ = fs::write(group.0.join(swap), swap_limit(swap));
            Some(group)
        });
        if made.is_none() {
            missing::tell("no control group for memory can be made here");
        }
        made
    }

    /// The same command in this group, with no input.
    fn within(&self, command: &Command) -> Command {
        let mut within = Command::new("/bin/sh");
        within.args(["-c", "echo $$ >\"$0\" && exec \"$@\""]).arg(self.0.join("cgroup.procs"));
        within.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => within.env(name, value),
                None => within.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            within.current_dir(folder);
        }
        within
    }
}

/// The older kind counts memory and swap together, the newer one swap alone.
fn swap_limit(file: &str) -> String {
    if file.starts_with("memory.memsw") { ROOM.to_string() } else { "0".to_owned() }
}

impl Drop for Group {
    fn drop(&mut self) {
        let begun = Instant::now();
        // The last process may be about to end.
        while fs::remove_dir(&self.0).is_err() && begun.elapsed() < CEILING {
            thread::sleep(PAUSE);
        }
    }
}

/// A match with a bot that takes 1 GiB in this way, given its number of games and memory limit.
fn played(
    bench: &Bench,
    group: &Group,
    keeping: Keeping,
    mode: &str,
    memory: &str,
    games: &str,
) -> Ended {
    let bad = format!("bad={}", bench.faulty(mode));
    let words = ["match", "--game", "coup", "--quiet", "--log", "log", "--memory", memory];
    let mut command = bench.arbiter(words);
    command.args(["--games", games]).args([bad, bench.faulty("ok")]).with_keeping(keeping);
    run(&mut group.within(&command))
}

#[test]
fn a_bot_within_its_limit_is_not_charged_when_a_machine_without_memory_kills_it() {
    for keeping in KEEPINGS {
        for mode in ["allocate", "memory-files"] {
            let bench = Bench::new();
            let Some(group) = Group::new(&format!("within-{keeping}-{mode}")) else { return };
            if !keeping.can_be_had(&bench) {
                continue;
            }
            let ended = played(&bench, &group, keeping, mode, "bad=2GiB", "1");
            processes::wait_for_none(bench.marker());
            if mode == "memory-files" && ended.code.is_none() {
                // Files outlive the bot that was killed for a moment, in which the kernel may go on with
                // the referee. Then it has charged no bot.
                println!("{keeping}, {mode}: the kernel has killed the referee, too");
                continue;
            }
            assert_eq!(ended.code, Some(1), "{keeping}, {mode}: {ended:?}");
            let games = log::games(&bench.path("log"));
            assert_eq!(games.len(), 4, "{keeping}, {mode}: {ended:?}");
            for game in &games {
                let reason = game["result"]["reason"].to_string();
                assert!(
                    reason
                        .contains("the machine ran out of memory, and its kernel killed a program"),
                    "{keeping}, {mode}: {game}"
                );
            }
        }
    }
}

/// In every game: whoever is faster, the keeper that looks or the kernel, and however large the processes
/// were that it has killed before.
#[test]
fn a_bot_that_takes_all_memory_is_charged_above_its_limit() {
    for keeping in KEEPINGS {
        let bench = Bench::new();
        let Some(group) = Group::new(&format!("above-{keeping}")) else { return };
        if !keeping.can_be_had(&bench) {
            continue;
        }
        let ended = played(&bench, &group, keeping, "allocate", "bad=64MiB", "3");
        assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
        let games = log::games(&bench.path("log"));
        assert_eq!(games.len(), 3, "{keeping}: {ended:?}");
        for game in &games {
            let answers = log::answers(game);
            let last = answers.last().expect("somebody was asked");
            assert_eq!(last["verdict"], "memory", "{keeping}: {last}");
            assert_eq!(last["detail"], "more than 67108864 bytes of memory", "{keeping}");
        }
        processes::wait_for_none(bench.marker());
    }
}
