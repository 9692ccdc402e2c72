//! Every program has a help, and refuses an option that it does not have.

use std::process::Command;

#[test]
fn every_program_has_a_help() {
    for program in [
        env!("CARGO_BIN_EXE_coup-best-response"),
        env!("CARGO_BIN_EXE_coup-climb"),
        env!("CARGO_BIN_EXE_coup-cross"),
        env!("CARGO_BIN_EXE_coup-exploit"),
        env!("CARGO_BIN_EXE_coup-match"),
        env!("CARGO_BIN_EXE_coup-pack"),
        env!("CARGO_BIN_EXE_coup-punish"),
        env!("CARGO_BIN_EXE_coup-train"),
        env!("CARGO_BIN_EXE_durak-train"),
        env!("CARGO_BIN_EXE_ladder"),
        env!("CARGO_BIN_EXE_league"),
        env!("CARGO_BIN_EXE_shards"),
        env!("CARGO_BIN_EXE_tablic-train"),
    ] {
        let run = |word: &str| Command::new(program).arg(word).output().expect("the program runs");
        let help = run("--help");
        let text = String::from_utf8_lossy(&help.stdout);
        assert!(help.status.success() && text.contains("\nUsage: "), "{program}: {text}");
        let refused = run("--colour");
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && text.contains("'--colour'"), "{program}: {text}");
    }
}
