//! Programs that cannot be started.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::bench::Bench;

pub(crate) fn missing(bench: &Bench) -> String {
    command(&bench.path("no-such-program"))
}

pub(crate) fn not_on_path(_: &Bench) -> String {
    "no-such-program-anywhere".to_owned()
}

pub(crate) fn not_executable(bench: &Bench) -> String {
    let path = bench.write("program", "#!/bin/sh\necho 7S\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
    command(&path)
}

pub(crate) fn folder(bench: &Bench) -> String {
    command(bench.folder())
}

pub(crate) fn bad_shebang(bench: &Bench) -> String {
    executable(bench, b"#!/no/such/interpreter\necho 7S\n")
}

/// The beginning of a program for a machine that is not this one, whichever this is.
pub(crate) fn architecture(bench: &Bench) -> String {
    const MACHINE: usize = 18;
    let faulty = fs::read(bench.program("faulty")).expect("the program can be read");
    let mut bytes = faulty[..4096].to_vec();
    bytes[MACHINE] ^= 0x55;
    bytes[MACHINE + 1] ^= 0x55;
    executable(bench, &bytes)
}

pub(crate) fn no_shebang(bench: &Bench) -> String {
    executable(bench, b"echo 7S\n")
}

pub(crate) fn empty(bench: &Bench) -> String {
    executable(bench, b"")
}

fn executable(bench: &Bench, content: &[u8]) -> String {
    let path = bench.write("program", content);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    command(&path)
}

fn command(path: &Path) -> String {
    format!("'{}'", path.display())
}
