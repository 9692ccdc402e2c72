//! The commands of the documents: those in blocks `sh` are run, with fewer games than they say.
//!
//! A block that opens with `sh no-test` is not run: it installs, downloads, builds the project, listens, or
//! needs what only a reader has. In all blocks and in running text, every option of `arbiter` must exist.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};

use crate::bench::{Bench, run};
use crate::installed::is_there;
use crate::search_path::search_path;

/// Number of pages that are run at once.
const AT_ONCE: usize = 3;

/// A script that makes what a page assumes, for an empty folder with a folder `examples`.
const GIVEN: [(&str, &str); 12] = [
    ("docs/bots.md", "sed -n '/^```python$/,/^```$/p' \"$PAGE\" | sed '1d;$d' > my_bot.py"),
    ("docs/commands.md", "mkdir -p ~/.local/share/bash-completion/completions"),
    ("docs/contest.md", "arbiter new my-bot --language shell"),
    (
        "docs/disputes.md",
        "for bot in ann bob; do arbiter new $bot --language shell --game coup; done",
    ),
    ("docs/engines.md", "arbiter new my-bot --language shell"),
    (
        "docs/games/coup.md",
        "sed 's/^$//' examples/bots/classic-challenger-py/classic_challenger.py > my_bot.py",
    ),
    ("docs/league.md", "for bot in anna ben; do arbiter new $bot --language shell; done"),
    (
        "docs/machine-learning.md",
        "arbiter match --game tablic --log match.jsonl random greedy
         arbiter tournament --game tablic --dir cup --deals 1 random greedy",
    ),
    ("docs/play.md", "true"),
    ("docs/reference/export.md", "arbiter match --game tablic --log match.jsonl random greedy"),
    ("docs/review.md", "sed -n '/^```python$/,/^```$/p' \"$PAGE\" | sed '1d;$d' > my_bot.py"),
    (
        "docs/something-does-not-work.md",
        "arbiter new my-bot --language shell
         arbiter match --game tablic --log match.jsonl random greedy",
    ),
];

/// Words that make a command long, and what takes the place of the word behind them.
const FEWER: [(&str, &str); 7] = [
    ("--games", "1"),
    ("--deals", "1"),
    ("--shards", "1"),
    ("--shard", "0"),
    ("--worlds", "10"),
    ("--depth", "1"),
    // Other tests start a bot in each language.
    ("--language", "shell"),
];

/// Programs that a document needs and that may be missing, by a word in its path or in a line of
/// it.
const NEEDED: [(&str, &str); 11] = [
    ("python", "python3"),
    ("-py", "python3"),
    ("node", "node"),
    ("cpp", "c++"),
    ("bots/c", "cc"),
    ("-c ", "cc"),
    ("go/", "go"),
    ("java", "javac"),
    ("ruby", "ruby"),
    ("perl", "perl"),
    ("lua", "lua"),
];

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The documents, by their paths from the root. What CHANGELOG.md says holds for its time.
pub fn documents() -> Vec<String> {
    fn look(root: &Path, folder: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if entry.file_type().unwrap().is_dir() {
                if !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_str()) {
                    look(root, &path, found);
                }
            } else if name.ends_with(".md") && name != "CHANGELOG.md" {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    look(&root(), "", &mut found);
    found.sort();
    found
}

/// The blocks of a document: the words that open each, and its lines.
fn blocks(text: &str) -> Vec<(String, Vec<String>)> {
    let mut blocks: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(_) if is_inside => is_inside = false,
            Some(opening) => {
                blocks.push((opening.to_owned(), Vec::new()));
                is_inside = true;
            }
            None if is_inside => blocks.last_mut().unwrap().1.push(line.to_owned()),
            None => {}
        }
    }
    blocks
}

/// The commands of a block: its lines, those joined that end with `\`.
fn commands(lines: &[String]) -> Vec<String> {
    let text = lines.join("\n").replace("\\\n", " ");
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// A command that takes less time. It plays the fewest games, from one seed, `minimax` looks one move ahead, and `expert`
/// considers few deals. A bot is checked by its first moves alone, of Coup if no game is named; a round of a league has one
/// deal.
fn shortened(command: &str) -> String {
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    for place in 1..words.len() {
        match words[place].as_str() {
            _ if words[place - 1].starts_with("--") => {}
            "minimax" => words[place] = "'minimax --depth 1'".to_owned(),
            "expert" => words[place] = "'expert --worlds 10'".to_owned(),
            _ => {}
        }
        // Games come in fewer languages than bots, and Python is one of them.
        let is_python = words[place] == "python";
        if let Some((_, fewer)) = FEWER.iter().find(|(word, _)| *word == words[place - 1])
            && !is_python
        {
            let quote = if words[place].ends_with('"') { "\"" } else { "" };
            words[place] = format!("{fewer}{quote}");
        }
    }
    // A time says nothing of how many games a busy machine plays in it.
    if let Some(at) = words.iter().position(|word| word == "--for") {
        words.splice(at..(at + 2).min(words.len()), ["--games".to_owned(), "2".to_owned()]);
    }
    let command = words.join(" ");
    // What a later command finds in the games must not depend on chance.
    if let Some(rest) = command.strip_prefix("arbiter match --game ")
        && !rest.contains("--seed ")
    {
        return format!("arbiter match --seed 1 --game {rest}");
    }
    if let Some(rest) = command.strip_prefix("arbiter tournament --")
        && !rest.contains("--deals ")
    {
        return format!("arbiter tournament --deals 1 --{rest}");
    }
    match command.strip_prefix("arbiter check") {
        Some(rest) if rest.contains("--puzzles ") => command.to_owned(),
        Some(rest) if rest.contains("--game ") => format!("arbiter check --games 0{rest}"),
        Some(rest) => format!("arbiter check --games 0 --game coup{rest}"),
        None if command.contains("--round-deals ") => command,
        None => command.replace("arbiter league new ", "arbiter league new --round-deals 1 "),
    }
}

/// Returns true if a document or a command needs a program that is missing.
fn lacks_something(text: &str) -> bool {
    NEEDED.iter().any(|(word, program)| text.contains(word) && !is_there(program))
}

/// Runs the commands of those documents that are asked for, and gives their number.
pub fn run_pages(is_asked_for: impl Fn(&str) -> bool) -> usize {
    let pages: Vec<String> = documents().into_iter().filter(|page| is_asked_for(page)).collect();
    let pages = Mutex::new(pages.into_iter());
    let run_pages = || {
        let mut count = 0;
        loop {
            let Some(page) = pages.lock().unwrap().next() else { return count };
            count += run_page(&page);
        }
    };
    // Many commands wait, so several pages are run at once.
    thread::scope(|scope| {
        let running: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(run_pages)).collect();
        let count_of = |thread: ScopedJoinHandle<'_, usize>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        running.into_iter().map(count_of).sum()
    })
}

/// Runs the commands of a document, and gives their number.
fn run_page(page: &str) -> usize {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let mut to_run = Vec::new();
    for (opening, lines) in blocks(&text) {
        match opening.as_str() {
            "sh" => to_run.extend(commands(&lines)),
            "sh no-test" | "console" | "viewer" => {}
            other => {
                let is_command =
                    |line: &&String| line.starts_with("arbiter ") || line.starts_with("$ ");
                let found = lines.iter().find(is_command).filter(|_| other != "request");
                assert_eq!(found, None, "{page}: in a block `{other}`, expected `sh`");
            }
        }
    }
    if !to_run.is_empty() && !lacks_something(page) {
        assert_run(page, &to_run);
    }
    to_run.len()
}

/// Runs commands one after the other in a folder of their own.
fn assert_run(page: &str, commands: &[String]) {
    let bench = Bench::new();
    // Not the folder of the bench itself, which only its owner can read: bots may run as another user.
    let folder = bench.path("page");
    fs::create_dir(&folder).unwrap();
    let sh = |script: &str| {
        let mut command = bench.command("sh");
        let programs = bench.program("arbiter").parent().unwrap().display().to_string();
        let path = search_path().to_str().unwrap();
        command
            .args(["-c", script])
            .current_dir(&folder)
            .env("PATH", format!("{programs}:{path}"))
            .env("PAGE", root().join(page))
            .env("seed", "42");
        run(&mut command)
    };
    // A README of a starter speaks of the folder that it is in.
    let is_of = |folder: &str| page.strip_prefix(folder).is_some_and(|rest| rest.contains('/'));
    let (is_of_bot, is_of_game) = (is_of("examples/bots/"), is_of("examples/games/leduc/"));
    let from = match is_of_bot || is_of_game {
        true => root().join(page).parent().unwrap().join("."),
        false => root().join("examples"),
    };
    let copied = sh(&format!("cp -R '{}' .", from.display()));
    assert_eq!(copied.code, Some(0), "{page}: {copied:?}");
    if is_of_bot {
        // These are made by `arbiter new`, which puts a request beside a bot.
        let sample = root().join("examples/requests/tablic/first-move.txt");
        fs::copy(sample, folder.join("sample.txt")).unwrap();
    }
    if let Some((_, script)) = GIVEN.iter().find(|(given, _)| *given == page) {
        let given = sh(script);
        assert_eq!(given.code, Some(0), "{page}: {given:?}");
    }
    for command in commands {
        if !lacks_something(command) {
            let ended = sh(&shortened(command));
            assert_eq!(ended.code, Some(0), "{page}: `{command}`: {ended:?}");
        }
    }
}

/// The command lines of `arbiter` that a document has, in blocks and in running text.
pub fn command_lines(text: &str) -> Vec<String> {
    let mut is_inside = false;
    let mut found = Vec::new();
    let mut outside = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_inside = !is_inside;
        } else if !is_inside {
            outside.push_str(line);
            outside.push(' ');
        } else {
            let line = line.strip_prefix("$ ").unwrap_or(line);
            found.extend(line.starts_with("arbiter ").then(|| line.to_owned()));
        }
    }
    let spans = outside.split('`').skip(1).step_by(2);
    found.extend(spans.filter(|span| span.starts_with("arbiter ")).map(str::to_owned));
    found
}
