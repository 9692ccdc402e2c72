//! Single calls of a bot that does next to nothing.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use sandbox::isolation::Isolation;
use sandbox::{End, Limits, Ponder, Program, Request, SearchPath, Sight, Supervised, Supervisor};

use super::figures::Turns;
use super::workshop::{REQUEST, Workshop};

/// How many turns everyone has, and how many calls a turn is.
const TURNS: u32 = 60;
const CALLS: u32 = 50;

/// Calls with all layers, without any, and by the standard library alone.
pub(crate) fn calls(workshop: &Workshop) {
    let [mut isolated, mut open] = [Isolation::Auto, Isolation::Off]
        .map(|isolation| supervised(workshop, isolation, Ponder::Never));
    say_layers();
    let mut floor = workshop.floor();
    let names =
        ["vfork, exec and wait in C", "a keeper with all layers", "a keeper without layers"];
    let mut turns = Turns::new([names[0], names[1], names[2], "std::process::Command alone"]);
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
    (0..TURNS).for_each(|_| turns.add(turn()));
    turns.print([None, Some(1.3), None, None]);
}

/// The bot of first moves under a supervisor that keeps it apart like this.
pub(crate) fn supervised(workshop: &Workshop, isolation: Isolation, ponder: Ponder) -> Supervised {
    let supervisor = Supervisor::named("linux".as_ref(), isolation).expect("this is Linux");
    let supervisor = supervisor.pondering(ponder);
    let folder = Path::new("/").to_path_buf();
    let search = SearchPath { folder, built_in: None, path: Vec::new() };
    let program = Program::resolve(&[&workshop.first_move], &search).expect("it was compiled");
    supervisor.supervise(&program, &Sight::default())
}

fn say_layers() {
    let supervisor = Supervisor::named("linux".as_ref(), Isolation::Auto).expect("this is Linux");
    let layers = supervisor.layers().expect("keepers can be had");
    if !layers.refused.is_empty() {
        println!("  layers that this machine does not allow: {}", layers.missing());
    }
}

/// How long one call took in the mean of a batch, in nanoseconds.
fn timed(mut call: impl FnMut()) -> f64 {
    let begun = Instant::now();
    (0..CALLS).for_each(|_| call());
    begun.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn ask(bot: &mut Supervised) {
    let seen = bot.ask(Request::Input(REQUEST.as_bytes()), &Limits::default());
    assert!(seen.end == End::Exited(0) && !seen.stdout.is_empty(), "{seen:?}");
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
