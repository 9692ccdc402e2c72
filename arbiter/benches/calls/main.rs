//! What it costs to ask a bot, against the least that the system asks for it.
//!
//! `cargo bench -p arbiter` runs all of it, and `cargo bench -p arbiter -- keeper` only what has this
//! word in its name. It needs a C compiler that links statically.
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
mod keepers;
#[cfg(target_os = "linux")]
mod matches;
#[cfg(target_os = "linux")]
mod residents;
#[cfg(target_os = "linux")]
mod workshop;

/// The name of a part, and what it does.
#[cfg(target_os = "linux")]
type Part = (&'static str, fn(&workshop::Workshop));

#[cfg(target_os = "linux")]
fn main() {
    use std::{env, path::Path};

    sandbox::keeper::announce(Path::new(env!("CARGO_BIN_EXE_arbiter")));
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let workshop = workshop::Workshop::new();
    let parts: [Part; 6] = [
        ("call", asking::calls),
        ("match", matches::match_of_first_moves),
        ("classic", matches::classic_coup),
        ("tournament", matches::tournament_of_two_workers),
        ("keeper", keepers::keepers),
        ("resident", residents::residents),
    ];
    figures::say_machine();
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            println!("\n{name}");
            part(&workshop);
        }
    }
    println!();
    figures::say_machine();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("only Linux has keepers");
}
