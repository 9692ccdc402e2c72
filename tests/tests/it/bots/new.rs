//! `arbiter new`: a starter in every language passes its check, answers as it should and does what its README
//! says, and nothing is overwritten.
//!
//! A starter is compiled once, by its check, and everything else is asked of what that has made.

use std::fs;
use std::path::Path;

use tests::bench::{Bench, run};
use tests::installed::is_there;
use tests::search_path::search_path;

use super::starter_answers;

fn bench() -> Bench {
    Bench::new()
}

/// Returns true if all these programs are installed; if not, says so.
fn are_there(programs: &[&str]) -> bool {
    programs.iter().all(|program| is_there(program))
}

/// Starts a bot, checks what it answers in every game, and plays one game with it as the text that is
/// printed says. There is no bench where one of the programs is missing.
///
/// `words` start its program in its folder.
fn starts(language: &str, programs: &[&str], game: &str, words: &[&str]) -> Option<Bench> {
    let bench = bench();
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
    starter_answers::are_right(&bench, words);
    tried_by_hand(&bench);
    Some(bench)
}

/// Some languages are slow to start, and a machine may be busy. The limit is never reached.
const CHECK: [&str; 6] = ["check", "--games", "0", "--time-limit", "60s", "./my-bot"];

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
fn has_no_warnings(bench: &Bench, words: &[&str]) {
    let mut compiler = bench.command(words[0]);
    let ended = run(compiler.args(&words[1..]).current_dir(bench.path("my-bot")));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{words:?}");
}

/// Every file is the same as in the example, but for the name.
fn is_the_example(language: &str, folder: &Path) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots").join(language);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("a file").file_name();
        files.push(name.to_string_lossy().into_owned());
        let read = |folder: &Path| fs::read_to_string(folder.join(&name)).expect("a text");
        let (ours, theirs) = (read(folder), read(&examples));
        let without_name = |text: &str| -> Vec<String> {
            let games = ["# It can play all of these: ", "games = ["];
            let names = ["name = \"", "# my-bot", "# in-", "# random-", games[0], games[1]];
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

#[test]
fn python() {
    starts("python", &["python3"], "coup", &["python3", "bot.py"]);
}

#[test]
fn shell() {
    let Some(bench) = starts("shell", &["sh"], "tablic", &["sh", "random.sh"]) else { return };
    for shell in ["dash", "bash"] {
        if is_there(shell) {
            starter_answers::are_right(&bench, &[shell, "random.sh"]);
        }
    }
}

const C_WARNINGS: [&str; 8] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-S", "-o", "/dev/null"];

#[test]
fn c() {
    let Some(bench) = starts("c", &["cc"], "durak", &["./random"]) else { return };
    has_no_warnings(&bench, &[&["cc", "-std=c99", "random.c"], &C_WARNINGS[..]].concat());
}

#[test]
fn node() {
    starts("node", &["node"], "coup", &["node", "random.js"]);
}

#[test]
fn java() {
    let words = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", "random.jar"];
    let Some(bench) = starts("java", &["java", "javac", "jar"], "coup", &words) else { return };
    let lints = ["javac", "-Xlint:all", "-Werror", "-d", "lints", "RandomBot.java"];
    has_no_warnings(&bench, &lints);
}

#[test]
fn rust() {
    let Some(bench) = starts("rust", &["rustc"], "tablic", &["./random"]) else { return };
    let lints = ["rustc", "--edition", "2021", "-D", "warnings", "--emit=metadata", "random.rs"];
    has_no_warnings(&bench, &lints);
}

#[test]
fn cpp() {
    let Some(bench) = starts("cpp", &["c++"], "durak", &["./random"]) else { return };
    has_no_warnings(&bench, &[&["c++", "-std=c++17", "random.cpp"], &C_WARNINGS[..]].concat());
}

#[test]
fn go() {
    starts("go", &["go"], "tablic", &["./random"]);
}

#[test]
fn ruby() {
    starts("ruby", &["ruby"], "coup", &["ruby", "-w", "--disable=gems", "random.rb"]);
}

#[test]
fn perl() {
    starts("perl", &["perl"], "durak", &["perl", "-w", "random.pl"]);
}

#[test]
fn lua() {
    starts("lua", &["lua"], "tablic", &["lua", "random.lua"]);
}

/// The manifest says which game it is for, and the check asks about that one.
#[test]
fn a_starter_is_checked_in_its_game() {
    for game in ["tablic", "coup", "durak"] {
        let bench = bench();
        bench.succeed(["new", "my-bot", "--language", "shell", "--game", game]);
        let report = bench.succeed(CHECK);
        assert!(report.starts_with(&format!("my-bot: {game}, seed ")), "{report}");
    }
}

/// As its README says, from inside of the folder.
#[test]
fn a_folder_is_a_bot_from_inside() {
    let bench = bench();
    bench.succeed(["new", "my-bot", "--language", "shell", "--game", "coup"]);
    let folder = bench.path("my-bot");
    for words in [
        &["check", "--games", "0", "."][..],
        &["build", "."],
        &["match", "--game", "coup", "--time-limit", "60s", ".", "greedy"],
    ] {
        let ended = run(bench.arbiter(words).current_dir(&folder));
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
    }
}

#[test]
fn languages_have_other_names() {
    let bench = bench();
    for (alias, language) in [("bash", "shell"), ("javascript", "node"), ("c++", "cpp")] {
        let folder = format!("in-{language}");
        bench.succeed(["new", &folder, "--language", alias]);
        is_the_example(language, &bench.path(&folder));
    }
}

#[test]
fn every_example_is_a_starter() {
    let bench = bench();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots");
    for entry in fs::read_dir(examples).expect("the examples") {
        let entry = entry.expect("a folder");
        // Examples of the classic dialect are for programs that exist already.
        let manifest = fs::read_to_string(entry.path().join("bot.toml")).unwrap_or_default();
        if entry.path().is_dir() && !manifest.contains("dialect = \"classic\"") {
            let language = entry.file_name().to_string_lossy().into_owned();
            bench.succeed(["new", &format!("in-{language}"), "--language", &language]);
        }
    }
}

/// Every example has few lines, the table of a request's keys, and the place for a better bot.
#[test]
fn every_example_is_of_one_shape() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots");
    let names = [
        "python/bot.py",
        "node/random.js",
        "c/random.c",
        "cpp/random.cpp",
        "java/RandomBot.java",
        "go/random.go",
        "ruby/random.rb",
        "perl/random.pl",
        "lua/random.lua",
        "shell/random.sh",
        "rust/random.rs",
    ];
    let keys = [
        "arbiter 1",
        "game NAME",
        "match ID",
        "seat S",
        "move K",
        "time T",
        "seed X",
        "retry K",
        "reason TEXT",
        "view N",
        "history N",
        "legal N",
        "end  ",
    ];
    for name in names {
        let text = fs::read_to_string(examples.join(name)).expect("an example");
        assert!(text.lines().count() < 110, "{name} has {} lines", text.lines().count());
        assert_eq!(text.matches("YOUR BOT GOES HERE").count(), 1, "{name}");
        for key in keys {
            assert!(text.contains(&format!(" {key}")) || text.contains(&format!("\t{key}")));
        }
    }
}

#[test]
fn nothing_is_overwritten() {
    let bench = bench();
    let new = |folder: &str| bench.run(["new", folder, "--language", "shell"]);
    fs::create_dir(bench.path("empty")).expect("a folder");
    assert_eq!(new("empty").code, Some(0));
    let manifest = bench.path("empty/bot.toml");
    fs::write(&manifest, "mine").expect("a file");
    for folder in ["empty", "./empty/", "empty/bot.toml"] {
        new(folder).assert_refused(2, &[folder, "not an empty folder"]);
    }
    assert_eq!(fs::read_to_string(&manifest).expect("it is there"), "mine");
    std::os::unix::fs::symlink("nowhere", bench.path("link")).expect("a link");
    new("link").assert_refused(2, &["`link` exists"]);
    assert_eq!(new("deep/er/bot").code, Some(0));
}

#[test]
fn wrong_usage() {
    let bench = bench();
    for folder in ["a b", "a=b", "..", "/", "Ši me", &"n".repeat(33)] {
        let ended = bench.run(["new", folder, "--language", "shell"]);
        ended.assert_refused(2, &["is not a valid name for a bot"]);
    }
    assert_eq!(bench.run(["new", "bot"]).code, Some(2));
    assert_eq!(bench.run(["new", "bot", "--language", "cobol"]).code, Some(2));
    assert!(!bench.path("bot").exists());
    bench.write("file", "");
    bench.run(["new", "file/bot", "--language", "shell"]).assert_refused(2, &["file/bot"]);
}
