//! The cost of asking a bot, against the least that the system asks for it, and what grows with bots and games.
//!
//! `cargo bench -p arbiter --bench calls` runs all of it and prints tables in Markdown;
//! `cargo bench -p arbiter --bench calls -- keeper` runs only the parts whose names contain this word. It needs a C
//! compiler that links statically; with `musl-gcc` it measures programs for musl, too.
//!
//! Programs that are compared run alternately, in short batches, so that the load of the machine affects
//! them equally. A printed ratio is the median of the ratios of all rounds. Times depend on the machine
//! and its load, which is printed; ratios depend on them less.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(target_os = "linux"),
    expect(missing_docs, reason = "there are no keepers to be measured here")
)]

#[cfg(target_os = "linux")]
mod asking;
#[cfg(target_os = "linux")]
mod figures;
#[cfg(target_os = "linux")]
mod growth;
#[cfg(target_os = "linux")]
mod keepers;
#[cfg(target_os = "linux")]
mod matches;
#[cfg(target_os = "linux")]
mod own_games;
#[cfg(target_os = "linux")]
mod remote;
#[cfg(target_os = "linux")]
mod residents;
#[cfg(target_os = "linux")]
mod workshop;

/// The name of a part, its title and its function.
#[cfg(target_os = "linux")]
type Part = (&'static str, &'static str, fn(&workshop::Workshop));

#[cfg(target_os = "linux")]
fn main() {
    use std::{env, path::Path};

    sandbox::keeper::announce(Path::new(env!("CARGO_BIN_EXE_arbiter")));
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let workshop = workshop::Workshop::new();
    let parts: [Part; 10] = [
        ("call", "A call", asking::calls),
        ("match", "A match, for a call", matches::matches),
        ("classic", "Coup in the classic dialect", matches::classic_coup),
        ("tournament", "A tournament with two workers", matches::tournament_of_two_workers),
        ("keeper", "A keeper", keepers::keepers),
        ("resident", "Resident bots", residents::residents),
        ("remote", "Remote bots, for an answer", remote::remote),
        ("own", "Custom games, for an answer", own_games::own_games),
        ("bots", "More bots", growth::bots),
        ("log", "Longer logs", growth::logs),
    ];
    figures::print_machine();
    for (name, title, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            println!("\n## {title}");
            part(&workshop);
        }
    }
    println!();
    figures::print_machine();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("only Linux has keepers");
}
