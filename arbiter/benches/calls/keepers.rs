//! The cost of a keeper itself.

use std::fs;
use std::process;
use std::time::Instant;

use sandbox::PonderPermission;
use sandbox::isolation::Isolation;

use super::asking::supervised;
use super::figures::{Table, median, number};
use super::workshop::Workshop;

/// Number of keepers that are started.
const KEEPERS: usize = 50;

/// The time until a keeper is ready, and the memory that it has for itself.
pub(crate) fn keepers(workshop: &Workshop) {
    let mut table = Table::new(&["", "ms to start", "MiB private", "wanted"]);
    for (name, isolation) in [("all layers", Isolation::Auto), ("no layers", Isolation::Off)] {
        // Where one is there already, they share what cannot be changed, as they do in every match.
        let mut neighbour = supervised(workshop, isolation, PonderPermission::Never);
        neighbour.renew_folder().expect("a keeper");
        let mut started = Vec::new();
        let mut memory = Vec::new();
        for _ in 0..KEEPERS {
            let mut bot = supervised(workshop, isolation, PonderPermission::Never);
            let begun = Instant::now();
            // A new keeper has a new folder.
            bot.renew_folder().expect("a keeper");
            started.push(begun.elapsed().as_secs_f64() * 1e3);
            memory.extend(private_memory(process::id()).map(|both| both / 2.0 / 1024.0));
            bot.close();
        }
        let started = number(median(started.into_iter()));
        let memory = match memory.is_empty() {
            // It is shown to root only.
            true => "-".to_owned(),
            false => number(median(memory.into_iter())),
        };
        table.add(&[&name, &started, &memory, &"at most 10 ms, 2 MiB"]);
    }
    table.print();
}

/// The memory that all below this process have for themselves, in KiB; none where the system does not show it.
fn private_memory(process: u32) -> Option<f64> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    children.split_whitespace().try_fold(0.0, |sum, child| {
        let child: u32 = child.parse().ok()?;
        let text = fs::read_to_string(format!("/proc/{child}/smaps_rollup")).ok()?;
        let private = text.lines().filter(|line| line.starts_with("Private_"));
        let sizes = private.filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        Some(sum + sizes.sum::<f64>() + private_memory(child)?)
    })
}
