//! Single calls of a bot that does next to nothing.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use sandbox::isolation::Isolation;
use sandbox::{
    CallEnd, CallInput, Limits, PonderPermission, Program, SearchPath, SupervisedProgram,
    Supervisor, ViewRules,
};

use super::figures::{Most, Turns};
use super::workshop::{REQUEST, Workshop};

/// Number of turns of each, and of calls in a turn.
const TURNS: u32 = 60;
const CALLS: u32 = 50;

/// Calls with all layers, without any, and by the standard library alone.
pub(crate) fn calls(workshop: &Workshop) {
    let [mut isolated, mut open] = [Isolation::Auto, Isolation::Off]
        .map(|isolation| supervised(workshop, isolation, PonderPermission::Never));
    print_missing_layers();
    let mut floor = workshop.floor("request", &[&workshop.first_move]);
    let mut turns = Turns::new(&[
        "vfork, exec and wait in C: the floor",
        "a keeper with all layers",
        "a keeper without layers",
        "std::process::Command alone",
    ]);
    let mut turn = || {
        [
            floor.calls(CALLS),
            timed(|| ask(&mut isolated)),
            timed(|| ask(&mut open)),
            timed(|| ask_barely(&workshop.first_move)),
        ]
    };
    // The first one is for what is done once.
    turn();
    (0..TURNS).for_each(|_| turns.add(&turn()));
    let mut table = Turns::table();
    turns.rows(&mut table, &[None, Some(Most::Times(1.3)), None, None]);
    table.print();
}

/// The bot of first moves under a supervisor that isolates it like this.
pub(crate) fn supervised(
    workshop: &Workshop,
    isolation: Isolation,
    ponder: PonderPermission,
) -> SupervisedProgram {
    let supervisor = Supervisor::named("linux".as_ref(), isolation).expect("this is Linux");
    let supervisor = supervisor.pondering(ponder);
    let folder = Path::new("/").to_path_buf();
    let search = SearchPath { folder, built_in: None, path: Vec::new() };
    let program = Program::resolve(&[&workshop.first_move], &search).expect("it was compiled");
    supervisor.supervise(&program, &ViewRules::default())
}

fn print_missing_layers() {
    let supervisor = Supervisor::named("linux".as_ref(), Isolation::Auto).expect("this is Linux");
    let layers = supervisor.layers().expect("keepers can be had");
    if !layers.refused.is_empty() {
        println!("\nThis machine does not allow these layers: {}.", layers.missing());
    }
}

/// The mean time of one call in a batch, in nanoseconds.
fn timed(mut call: impl FnMut()) -> f64 {
    let begun = Instant::now();
    (0..CALLS).for_each(|_| call());
    begun.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn ask(bot: &mut SupervisedProgram) {
    let seen = bot.ask(CallInput::Input(REQUEST.as_bytes()), &Limits::default());
    assert!(seen.end == CallEnd::Exited(0) && !seen.stdout.is_empty(), "{seen:?}");
}

fn ask_barely(program: &Path) {
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(REQUEST.as_bytes()).expect("it reads");
    drop(stdin);
    let status = child.wait().expect("it ends");
    let mut answer = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut answer).expect("it can be read");
    assert!(status.success() && !answer.is_empty());
}
