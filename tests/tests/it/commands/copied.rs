//! Commands that messages print work as they stand in a shell, with anything in their paths.

#![cfg(unix)]

use tests::bench::{Bench, Ended, run};
use tests::search_path::search_path;
use tests::tournament::words;

/// A folder with a blank and both quotes in its name.
const FOLDER: &str = "it's \"my\" cup";

/// Runs a command in a shell that finds the programs of the last build.
fn typed(bench: &Bench, command: &str) -> Ended {
    let programs = bench.program("arbiter").parent().expect("a folder").to_owned();
    let path = search_path().to_str().expect("text");
    let mut shell = bench.command("sh");
    run(shell.args(["-c", command]).env("PATH", format!("{}:{path}", programs.display())))
}

/// The command in backticks in a message.
fn quoted(message: &str) -> &str {
    let (_, rest) = message.split_once("`arbiter ").expect("a command");
    let (command, _) = rest.split_once('`').expect("its end");
    &message[message.len() - rest.len() - "arbiter ".len()..][..command.len() + "arbiter ".len()]
}

#[test]
fn a_tournament_is_verified_and_resumed_as_it_says() {
    let bench = Bench::new();
    let begin = [&words(FOLDER, "1")[..], &["random", "greedy"]].concat();
    let shown = bench.succeed(&begin);
    let (_, command) = shown.trim_end().rsplit_once("verify: ").expect("a command");
    let ended = typed(&bench, command);
    assert_eq!(ended.code, Some(0), "{command}: {ended:?}");

    let ended = bench.run(&begin);
    ended.assert_refused(2, &["holds a tournament"]);
    let command = quoted(&ended.stderr);
    let ended = typed(&bench, command);
    assert_eq!(ended.code, Some(0), "{command}: {ended:?}");
}

#[test]
fn a_new_bot_is_checked_and_plays_as_it_says() {
    let bench = Bench::new();
    let printed =
        bench.succeed(["new", "it's my bots/second", "--language", "shell", "--game", "coup"]);
    let commands: Vec<&str> = printed.lines().filter(|line| line.starts_with("arbiter ")).collect();
    assert_eq!(commands.len(), 2, "{printed}");
    for command in commands {
        // Fewer games say as much.
        let shorter = command.replace(" --games 10 ", " ");
        let shorter = format!("{shorter} --games 1 --time-limit 60s");
        let ended = typed(&bench, &shorter);
        assert_eq!(ended.code, Some(0), "{command}: {ended:?}");
    }
    let plain = bench.succeed(["new", "my bots/plain", "--language", "shell", "--game", "coup"]);
    assert!(plain.contains("\narbiter check \"'my bots/plain'\"\n"), "{plain}");
}

#[test]
fn a_bot_is_built_as_it_says() {
    let bench = Bench::new();
    bench.write("my bots/it's/first.sh", "sed -n '/^legal /{n;p;q}'\n");
    let manifest = "name = 'mine'\ncommand = 'sh ./made.sh'\nbuild = 'cp first.sh made.sh'\n";
    bench.write("my bots/it's/bot.toml", manifest);
    let play = ["match", "--game", "coup", "--quiet", "\"my bots/it's\"", "random"];
    let ended = bench.run(play);
    ended.assert_refused(4, &["`./made.sh` not found in"]);
    let command = quoted(&ended.stderr);
    let ended = typed(&bench, command);
    assert_eq!(ended.code, Some(0), "{command}: {ended:?}");

    bench.write("my bots/it's/first.sh", "# other\nsed -n '/^legal /{n;p;q}'\n");
    let ended = bench.run(play);
    assert!(ended.stderr.starts_with("warning: "), "{ended:?}");
    let command = quoted(&ended.stderr);
    let again = typed(&bench, command);
    assert_eq!(again.code, Some(0), "{command}: {again:?}");
}
