//! A starter in a language passes its check, answers as it should and does what its README says.
//!
//! A starter is compiled once, by its check, and everything else is asked of what that has made. It is asked every sample
//! request of Tablić, and the seed of the request decides the answer, so all languages give the same one.

use std::fs::{self, File};
use std::path::Path;

use crate::bench::{Bench, Ended, run};
use crate::installed::is_there;
use crate::search_path::search_path;

/// Returns true if all these programs are installed; if not, says so.
fn are_there(programs: &[&str]) -> bool {
    programs.iter().all(|program| is_there(program))
}

/// Starts a bot, checks what it answers in every game, and plays one game with it as the text that is
/// printed says. There is no bench where one of the programs is missing.
///
/// `words` start its program in its folder.
pub fn starts(language: &str, programs: &[&str], game: &str, words: &[&str]) -> Option<Bench> {
    let bench = Bench::new();
    let printed = bench.succeed(["new", "my-bot", "--language", language, "--game", game]);
    assert!(printed.contains("\narbiter check ./my-bot\n"), "{printed}");
    let command = format!("\narbiter match --game {game} --games 10 ./my-bot greedy\n");
    assert!(printed.contains(&command), "{printed}");
    is_the_example(language, &bench.path("my-bot"));
    if !are_there(programs) {
        return None;
    }
    // It can play the other games, too, as the line above `games` says.
    let manifest = bench.path("my-bot/bot.toml");
    let text = fs::read_to_string(&manifest).expect("a text");
    let games = format!("\ngames = [\"{game}\"]\n");
    assert!(text.contains(&games), "{text}");
    fs::write(&manifest, text.replace(&games, "\n")).expect("a file");
    let report = bench.succeed(CHECK);
    assert!(report.contains("\nmy-bot passes: "), "{report}");
    assert!(!report.contains("\nwarning"), "{report}");
    for game in ["tablic", "coup", "durak"] {
        assert!(report.contains(&format!("\nok       {game} first-move ")), "{report}");
    }
    // A request with a clock has two lines that no starter knows.
    let played = &bench.play(game, &["--game-time", "20m+1s"], &["./my-bot", "greedy"])[0];
    assert_eq!(played["result"]["ending"], "played", "{played}");
    answers_are_right(&bench, words);
    tried_by_hand(&bench);
    Some(bench)
}

/// Some languages are slow to start, and a machine may be busy. The limit is never reached.
pub const CHECK: [&str; 6] = ["check", "--games", "0", "--time-limit", "60s", "./my-bot"];

/// The commands that the README suggests answer the sample with a legal move. The check has built
/// the bot, as the first command would.
fn tried_by_hand(bench: &Bench) {
    let folder = bench.path("my-bot");
    let readme = fs::read_to_string(folder.join("README.md")).expect("a text");
    let (_, rest) = readme.split_once("## Try it by hand\n\n```sh\n").expect("commands");
    let (commands, _) = rest.split_once("```").expect("their end");
    let manifest = fs::read_to_string(folder.join("bot.toml")).expect("a text");
    let builds = commands.starts_with("arbiter build . && ");
    assert_eq!(builds, manifest.contains("\nbuild = "), "{commands}");
    let programs = bench.program("arbiter").parent().expect("a folder").to_owned();
    let path = search_path().to_str().expect("text");
    let mut answers = Vec::new();
    for command in commands.lines() {
        let command = command.strip_prefix("arbiter build . && ").unwrap_or(command);
        let mut shell = bench.command("sh");
        shell.args(["-ec", command]).current_dir(&folder);
        let ended = run(shell.env("PATH", format!("{}:{path}", programs.display())));
        assert_eq!(ended.code, Some(0), "{command}: {ended:?}");
        answers.extend(ended.stdout.lines().last().map(str::to_owned));
    }
    let sample = fs::read_to_string(folder.join("sample.txt")).expect("a text");
    let (_, legal) = sample.split_once("\nlegal ").expect("legal moves");
    assert!(legal.lines().skip(1).any(|line| line == answers[0]), "{answers:?}");
}

/// A compiler finds nothing to warn of in a starter.
pub fn has_no_warnings(bench: &Bench, words: &[&str]) {
    let mut compiler = bench.command(words[0]);
    let ended = run(compiler.args(&words[1..]).current_dir(bench.path("my-bot")));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{words:?}");
}

/// Every file is the same as in the example, but for the name.
pub fn is_the_example(language: &str, folder: &Path) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots").join(language);
    let mut files = Vec::new();
    let sample = fs::read_to_string(folder.join("sample.txt")).expect("a text");
    let is_of_tablic = sample.contains("\ngame tablic ");
    for entry in fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("a file").file_name();
        files.push(name.to_string_lossy().into_owned());
        // These are of the game that the bot plays.
        let of_game = ["sample.txt", "README.md", "test_bot.py"];
        if !is_of_tablic && of_game.iter().any(|file| name == *file) {
            continue;
        }
        let read = |folder: &Path| fs::read_to_string(folder.join(&name)).expect("a text");
        let (ours, theirs) = (read(folder), read(&examples));
        let without_name = |text: &str| -> Vec<String> {
            let games = ["# It can play all of these: ", "games = ["];
            let names = ["name = \"", "# my-bot", "# in-", "# random-", games[0], games[1]];
            let names = [&names[..], &["arbiter match --game "]].concat();
            let is_name = |line: &str| names.iter().any(|name| line.starts_with(name));
            let lines = text.lines().filter(|line| !is_name(line));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(without_name(&ours), without_name(&theirs), "{name:?}");
    }
    for file in ["README.md", "bot.toml", "sample.txt"] {
        assert!(files.iter().any(|name| name == file), "{files:?}");
    }
    assert!(files.len() > 3, "{files:?}");
    let readme = fs::read_to_string(folder.join("README.md")).expect("a text");
    assert!(readme.starts_with("# "), "{readme}");
}

/// A request of a game that no bot knows, with more lines than a bot expects.
const UNKNOWN_GAME: &str = "arbiter 1\ngame nim heaps=3\nmatch 00\nweather fair\nseat 0\nmove 0\n\
    time 100\nseed 00000000000000ff\nview 2\nlegal 7\nheaps 1 2\nhistory 1\nlegal 1\n\
    legal 3 more\ntake 1\ntake 2\ntake 3\nend\n";

/// The sample requests of Tablić.
fn samples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/requests/tablic");
    let files =
        fs::read_dir(folder).expect("the requests").map(|file| file.expect("a file").path());
    let samples: Vec<String> =
        files.map(|file| fs::read_to_string(file).expect("a request")).collect();
    assert!(samples.len() > 20, "the samples are not where they were");
    samples
}

/// The move that the seed of a request chooses.
fn chosen(request: &str) -> &str {
    let value = |key: &str| request.lines().find_map(|line| line.strip_prefix(key));
    let seed = u64::from_str_radix(value("seed ").expect("a seed"), 16).expect("a number");
    // The list of legal moves is the last, and what it opens with looks like no event.
    let (_, list) = request.rsplit_once("\nlegal ").expect("legal moves");
    let moves: Vec<&str> = list.lines().skip(1).take_while(|line| *line != "end").collect();
    moves[usize::try_from(seed % moves.len() as u64).expect("a place in a list")]
}

/// Asserts what the program of a starter answers to every sample request, all in one process, and that it
/// plays a game that it does not know, but no version of the protocol that it does not know.
///
/// `arbiter check` asks the same requests one by one.
pub fn answers_are_right(bench: &Bench, words: &[&str]) {
    let folder = bench.path("my-bot");
    let answers = |input: &str| -> Ended {
        let input = File::open(bench.write("requests", input)).expect("it was just written");
        let program = match words[0].strip_prefix("./") {
            Some(file) => folder.join(file),
            None => words[0].into(),
        };
        run(bench.command(program).args(&words[1..]).current_dir(&folder).stdin(input))
    };
    let samples = samples();
    let expected: String =
        samples.iter().map(|request| chosen(request).to_owned() + "\n").collect();
    let ended = answers(&samples.concat());
    assert_eq!((ended.stdout, ended.stderr.as_str()), (expected, ""), "{words:?}, kept alive");
    assert_eq!(answers(UNKNOWN_GAME).stdout.trim_end(), chosen(UNKNOWN_GAME), "{words:?}");
    let later = answers(&UNKNOWN_GAME.replace("arbiter 1", "arbiter 2"));
    assert!(later.code != Some(0) && later.stdout.is_empty(), "{words:?}: {later:?}");
    assert!(later.stderr.contains("expected version 1"), "{words:?}: {later:?}");
}
