//! A match that is followed, and of which no more comes.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use tests::bench::{Bench, SEED};

/// Shows a log with the first lines of a match, and waits for more.
fn follow(bench: &Bench, log: &str, lines: usize) -> Child {
    let name = format!("dead-{lines}");
    bench.write(&name, log.split_inclusive('\n').take(lines).collect::<String>());
    let mut command = bench.arbiter(["show", "--follow", &name]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the referee starts")
}

/// The referee does not wait for more of a match that was killed without being told how to stop.
#[test]
fn a_log_without_new_lines_is_reported() {
    let bench = Bench::new();
    let head = ["match", "--quiet", "--seed", SEED, "--log", "log", "--time-limit", "30s"];
    bench.succeed([&head[..], &["--game", "coup", "random", "greedy"]].concat());
    let whole = bench.succeed(["show", "log"]);
    let log = bench.text("log");
    // Nothing, as before the first line; a header; a header and a game, without an end.
    let mut followers = [0, 1, 2].map(|lines| follow(&bench, &log, lines));
    for (lines, follower) in followers.iter_mut().enumerate() {
        let mut said = String::new();
        let stderr = follower.stderr.take().expect("a pipe");
        BufReader::new(stderr).read_line(&mut said).expect("text");
        let expected =
            format!("dead-{lines}: no new game for 10 s, log unfinished; Ctrl-C stops\n");
        assert_eq!(said, expected);
        assert!(follower.try_wait().expect("a child").is_none(), "it waits all the same");
        follower.kill().expect("it is ours");
        follower.wait().expect("it ends");
        let mut told = String::new();
        follower.stdout.take().expect("a pipe").read_to_string(&mut told).expect("text");
        assert_eq!(told, if lines == 2 { whole.as_str() } else { "" });
    }
}
