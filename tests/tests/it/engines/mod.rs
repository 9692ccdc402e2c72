//! Real engines play a tournament by the templates of `examples/engines/`: programs and workers are killed
//! meanwhile, and what comes of it is what one machine plays.

#![cfg(target_os = "linux")]

mod cup;
mod hyperqueue;
mod kubernetes;
mod night;
mod parallel;
mod slurm;
mod ssh;

/// Slurm and HyperQueue are not installed everywhere: their templates are read by the shell at least.
#[test]
fn every_template_is_a_script() {
    let mut count = 0;
    for entry in std::fs::read_dir(cup::template("")).expect("the templates") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let shell = match text.lines().next() {
            Some("#!/bin/bash" | "#!/usr/bin/env bash") => "bash",
            _ => continue,
        };
        let mut command = std::process::Command::new(shell);
        let ended = tests::bench::run(command.arg("-n").arg(&path));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{path:?}");
        count += 1;
    }
    assert_eq!(count, 5, "templates that are scripts");
}
