//! Bots that take too much in ways that safe code has no words for: the program in `tests/hostile/taker.c`,
//! which the tests compile.

use std::process::Command;

use crate::bench::Bench;

const SOURCE: &str = include_str!("../../hostile/taker.c");

pub(crate) fn headless_memory(bench: &Bench) -> String {
    taker(bench, "headless-memory")
}

pub(crate) fn headless_files(bench: &Bench) -> String {
    taker(bench, "headless-files")
}

pub(crate) fn headless_processes(bench: &Bench) -> String {
    taker(bench, "headless-processes")
}

pub(crate) fn descriptors(bench: &Bench) -> String {
    taker(bench, "descriptors")
}

fn taker(bench: &Bench, mode: &str) -> String {
    let (source, program) = (bench.write("taker.c", SOURCE), bench.path("taker"));
    let words = ["-O1", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-pthread", "-o"];
    let built = Command::new("cc").args(words).arg(&program).arg(source).output();
    let built = built.expect("the compiler starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    format!("'{}' {mode} {}", program.display(), bench.marker())
}
