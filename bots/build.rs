//! Links the programs of the built-in players statically, where that can be had: they are started anew
//! for each move, and without shared libraries they start faster.
//!
//! Cargo passes `-C target-feature=+crt-static` to the procedural macros too, which cannot be static,
//! unless it is given a target, and then it builds into another folder. So the linker is asked instead.
//! Rust names the shared libraries of C on its command line; files of the same names, in a folder that
//! is looked into first, lead from them to the static ones. Whether it works is tried with a small
//! program: without a static library of C, or with a linker that wants other words, all is linked as
//! usual.

#![forbid(unsafe_code)]

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The libraries of C that Rust may name.
const LIBRARIES: [&str; 6] = ["c", "m", "rt", "util", "pthread", "dl"];

/// A program that needs what those of the players need, and prints a word.
const TRIAL: &str = "fn main() {
    let words: Vec<String> = std::env::args().collect();
    let number = words.len() as f64;
    let thread = std::thread::spawn(move || number.sqrt().sin().powf(number));
    assert!(thread.join().is_ok_and(f64::is_finite));
    println!(\"static\");
}
";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTFLAGS");
    if !can_be_tried() {
        return;
    }
    if let Some(arguments) = static_linking() {
        for argument in arguments {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}

/// Returns true if programs built here for Linux and its usual library of C also run here.
fn can_be_tried() -> bool {
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|found| found == value);
    let is_static = env::var("CARGO_CFG_TARGET_FEATURE")
        .is_ok_and(|features| features.split(',').any(|feature| feature == "crt-static"));
    is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && env::var_os("HOST") == env::var_os("TARGET")
        && !is_static
}

/// Arguments for the linker, if a program linked with them runs.
fn static_linking() -> Option<[String; 2]> {
    let folder = PathBuf::from(env::var_os("OUT_DIR")?);
    lead_to_static_libraries(&folder).ok()?;
    let arguments = ["-static-pie".to_owned(), format!("-L{}", folder.to_str()?)];
    runs(&folder, &arguments).then_some(arguments)
}

/// Files that the linker takes for the shared libraries, and that name the static ones.
fn lead_to_static_libraries(folder: &Path) -> io::Result<()> {
    fs::write(folder.join("libgcc_s.so"), "GROUP(-lgcc_eh -lgcc)\n")?;
    for library in LIBRARIES {
        let group = format!("GROUP(lib{library}.a libc.a -lgcc_eh -lgcc)\n");
        fs::write(folder.join(format!("lib{library}.so")), group)?;
    }
    Ok(())
}

/// Returns true if a program linked with these arguments runs.
fn runs(folder: &Path, arguments: &[String]) -> bool {
    let (source, program) = (folder.join("trial.rs"), folder.join("trial"));
    if fs::write(&source, TRIAL).is_err() {
        return false;
    }
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.arg(&source).arg("-o").arg(&program).args(["-C", "panic=abort"]);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut word = OsString::from("linker=");
        word.push(linker);
        command.arg("-C").arg(word);
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    command.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    let compiled = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !compiled.is_ok_and(|status| status.success()) {
        return false;
    }
    let ran = Command::new(&program).stderr(Stdio::null()).output();
    ran.is_ok_and(|output| output.status.success() && output.stdout == b"static\n")
}
