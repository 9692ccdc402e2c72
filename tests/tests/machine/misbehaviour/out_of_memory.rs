//! A machine that runs out of memory, for which a control group stands in: the kernel kills the bot first,
//! and what comes of it depends on the bot's own limit.

#![cfg(target_os = "linux")]

use tests::bench::{Bench, Ended, run};
use tests::keeping::{Keeping, KeepingCommand};
use tests::{log, processes};

use super::control_group::Group;

/// Memory of the referee, its keepers and the bots together, in bytes: less than a bot takes.
const ROOM: u64 = 384 << 20;

/// Ways to keep bots apart that have a keeper.
const KEEPINGS: [Keeping; 4] =
    [Keeping::Isolated, Keeping::Refused, Keeping::Contained, Keeping::Off];

/// A group with little memory; not every kernel counts what was swapped out.
fn group(name: &str) -> Option<Group> {
    let (room, none) = (ROOM.to_string(), "0".to_owned());
    // The older kind counts memory and swap together, the newer one swap alone.
    Group::new(
        name,
        "memory",
        &[
            ("memory.limit_in_bytes", &room),
            ("memory.memsw.limit_in_bytes", &room),
            ("memory.max", &room),
            ("memory.swap.max", &none),
        ],
    )
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
            let Some(group) = group(&format!("within-{keeping}-{mode}")) else { return };
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
    for keeping in Keeping::had(KEEPINGS) {
        let bench = Bench::new();
        let Some(group) = group(&format!("above-{keeping}")) else { return };
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
