//! Templates of engines that run shards.

use std::path::Path;

/// Slurm and HyperQueue are not installed everywhere: their templates are read by the shell at least.
#[test]
fn every_template_is_a_script() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/engines");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the templates") {
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
