//! Time, memory and sizes of more and more bots, and of longer and longer logs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::figures::{Table, number};
use super::matches::{SEED, arbiter};
use super::workshop::Workshop;

/// Time between two looks at a program that runs.
const LOOK: Duration = Duration::from_millis(5);

/// The log in the folder of a tournament.
const LOG: &str = "games.jsonl";

const MIB: f64 = 1024.0 * 1024.0;

/// Tournaments of more and more bots with 12 games of Coup for each.
pub(crate) fn bots(workshop: &Workshop) {
    const NUMBERS: [usize; 5] = [2, 25, 100, 400, 1000];
    let mut table = Table::new(&[
        "bots",
        "workers",
        "games",
        "s to the first",
        "games a second",
        "MiB of memory",
        "log, MiB",
        "standings.json, MiB",
        "report, s",
        "report, MiB",
        "first page, KiB",
    ]);
    for bots in NUMBERS {
        let workers = if bots == 1000 { 8 } else { 2 };
        let names = (1..=bots).map(|bot| format!("b{bot}={}", workshop.first_move.display()));
        let names: Vec<String> = names.collect();
        let [folder, report] = ["cup", "pages"].map(|name| workshop.path(name));
        // A table plays two games of a deal, one with each order of seats, so a bot has 12 games in 6 tables.
        let tables = (bots * 3).to_string();
        let mut words =
            vec!["tournament", "--game", "coup", "--dir", "cup", "--seed", SEED, "--quiet"];
        let workers_text = workers.to_string();
        words.extend(["--workers", &workers_text]);
        if bots == 2 {
            words.extend(["--deals", "6"]);
        } else {
            words.extend(["--deals", "1", "--tables", &tables]);
        }
        words.extend(names.iter().map(String::as_str));
        let log = folder.join(LOG);
        let played = watch(arbiter(&workshop.path(""), &words), || lines(&log, 2));
        // Its first line is the header, its last one the seed.
        let games = fs::read_to_string(&log).expect("a log").lines().count() - 2;
        let reported =
            watch(arbiter(&workshop.path(""), &["report", "cup", "-o", "pages"]), || true);
        table.add(&[
            &bots,
            &workers,
            &games,
            &number(played.until.as_secs_f64()),
            &number(games as f64 / (played.taken - played.until).as_secs_f64()),
            &number(played.memory.max(reported.memory)),
            &number(size(&log) / MIB),
            &number(size(&folder.join("standings.json")) / MIB),
            &number(reported.taken.as_secs_f64()),
            &number(size(&report) / MIB),
            &number(size(&report.join("index.html")) / 1024.0),
        ]);
        [folder, report].iter().for_each(|folder| fs::remove_dir_all(folder).expect("it is ours"));
    }
    table.print();
}

/// Longer and longer logs of Coup.
pub(crate) fn logs(workshop: &Workshop) {
    let mut table = Table::new(&[
        "games",
        "log, MiB",
        "verify, s",
        "MiB of memory",
        "report, s",
        "MiB of memory",
        "report, MiB",
        "first page, KiB",
    ]);
    for games in [1_000, 10_000, 100_000] {
        let [folder, report] = ["long", "pages"].map(|name| workshop.path(name));
        fs::create_dir_all(&folder).expect("a folder of its own");
        let deals = (games / 2).to_string();
        let simulated =
            ["simulate", "--game", "coup", "--deals", &deals, "--seed", SEED, "--log", LOG];
        watch(
            arbiter(&folder, &[&simulated[..], &["--overwrite", "random", "greedy"]].concat()),
            || true,
        );
        let verified = watch(arbiter(&folder, &["verify", LOG]), || true);
        let reported = watch(arbiter(&folder, &["report", LOG, "-o", "../pages"]), || true);
        table.add(&[
            &games,
            &number(size(&folder.join(LOG)) / MIB),
            &number(verified.taken.as_secs_f64()),
            &number(verified.memory),
            &number(reported.taken.as_secs_f64()),
            &number(reported.memory),
            &number(size(&report) / MIB),
            &number(size(&report.join("index.html")) / 1024.0),
        ]);
        [folder, report].iter().for_each(|folder| fs::remove_dir_all(folder).expect("it is ours"));
    }
    table.print();
}

/// A command that was watched until its end.
struct Watched {
    taken: Duration,
    /// The time until a condition was true.
    until: Duration,
    /// The most resident memory of the program itself, in MiB.
    memory: f64,
}

/// Runs a command to its end, which must be a good one.
fn watch(mut command: Command, is_there: impl Fn() -> bool) -> Watched {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let mut child = command.spawn().expect("it starts");
    let (mut until, mut memory) = (None, 0.0);
    let status = loop {
        if until.is_none() && is_there() {
            until = Some(begun.elapsed());
        }
        memory = most_memory(&child).unwrap_or(memory);
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        thread::sleep(LOOK);
    };
    assert!(status.success(), "{command:?}: {status}");
    let taken = begun.elapsed();
    Watched { taken, until: until.unwrap_or(taken), memory }
}

/// The most resident memory that a program has had so far, in MiB; none once it is over.
fn most_memory(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Returns true if a file has at least this number of lines; a growing file is read from its beginning, no more than
/// that.
fn lines(file: &Path, count: usize) -> bool {
    fs::File::open(file).is_ok_and(|file| BufReader::new(file).lines().take(count).count() == count)
}

/// The size of a file or of all files in a folder, in bytes.
fn size(path: &Path) -> f64 {
    let Ok(entries) = fs::read_dir(path) else {
        return fs::metadata(path).map_or(0.0, |file| file.len() as f64);
    };
    entries.flatten().map(|entry| size(&entry.path())).sum()
}
