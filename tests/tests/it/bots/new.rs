//! `arbiter new`: a starter in every language passes its check and does what its README says, and
//! nothing is overwritten.

use std::fs;
use std::path::Path;

use tests::bench::{Bench, run};
use tests::installed::is_there;
use tests::search_path::search_path;

fn bench() -> Bench {
    Bench::new(env!("CARGO_BIN_EXE_faulty"))
}

/// Whether all these programs are installed; if not, says so.
fn are_there(programs: &[&str]) -> bool {
    programs.iter().all(|program| is_there(program))
}

/// Starts a bot, checks what it answers in every game, and plays one game with it as the text that is
/// printed says.
fn starts(language: &str, programs: &[&str], game: &str) {
    let bench = bench();
    let printed = bench.succeed(["new", "my-bot", "--language", language]);
    assert!(printed.contains("\narbiter check ./my-bot\n"), "{printed}");
    assert!(printed.contains("\narbiter match --game tablic --games 10 ./my-bot greedy\n"));
    is_the_example(language, &bench.path("my-bot"));
    if !are_there(programs) {
        return;
    }
    // Some languages are slow to start, and a machine may be busy: nobody waits for it.
    let check = ["check", "--games", "0", "--time-limit", "60s", "./my-bot"];
    let report = bench.succeed(check);
    assert!(report.contains("\nmy-bot passes: "), "{report}");
    assert!(!report.contains("\nwarning"), "{report}");
    for game in ["tablic", "coup", "durak"] {
        assert!(report.contains(&format!("\nok       {game} first-move ")), "{report}");
    }
    let played = &bench.play(game, &[], &["./my-bot", "greedy"])[0];
    assert_eq!(played["result"]["ending"], "played", "{played}");
    tried_by_hand(&bench);
}

/// What the README says to try answers the sample with a legal move.
fn tried_by_hand(bench: &Bench) {
    let folder = bench.path("my-bot");
    let readme = fs::read_to_string(folder.join("README.md")).expect("a text");
    let (_, rest) = readme.split_once("## Try it by hand\n\n```sh\n").expect("commands");
    let (commands, _) = rest.split_once("```").expect("their end");
    let programs = bench.program("arbiter").parent().expect("a folder").to_owned();
    let path = search_path().to_str().expect("text");
    let mut answers = Vec::new();
    for command in commands.lines() {
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

/// Every file is that of the example, the name apart.
fn is_the_example(language: &str, folder: &Path) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots").join(language);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("a file").file_name();
        files.push(name.to_string_lossy().into_owned());
        let read = |folder: &Path| fs::read_to_string(folder.join(&name)).expect("a text");
        let (ours, theirs) = (read(folder), read(&examples));
        let without_name = |text: &str| -> Vec<String> {
            let names = ["name = \"", "# my-bot", "# in-", "# random-"];
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
    starts("python", &["python3"], "coup");
}

#[test]
fn shell() {
    starts("shell", &["sh"], "tablic");
}

#[test]
fn c() {
    starts("c", &["cc"], "durak");
}

#[test]
fn node() {
    starts("node", &["node"], "coup");
}

#[test]
fn java() {
    starts("java", &["java", "javac", "jar"], "coup");
}

#[test]
fn rust() {
    starts("rust", &["rustc"], "tablic");
}

#[test]
fn cpp() {
    starts("cpp", &["c++"], "durak");
}

#[test]
fn go() {
    starts("go", &["go"], "tablic");
}

#[test]
fn ruby() {
    starts("ruby", &["ruby"], "coup");
}

#[test]
fn perl() {
    starts("perl", &["perl"], "durak");
}

#[test]
fn lua() {
    starts("lua", &["lua"], "tablic");
}

/// As its README says, from inside of the folder.
#[test]
fn a_folder_is_a_bot_from_inside() {
    let bench = bench();
    bench.succeed(["new", "my-bot", "--language", "shell"]);
    let folder = bench.path("my-bot");
    for words in [
        &["check", "--game", "coup", "--games", "0", "."][..],
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
        // Those of the classic dialect are for programs that there are already.
        let manifest = fs::read_to_string(entry.path().join("bot.toml")).unwrap_or_default();
        if entry.path().is_dir() && !manifest.contains("dialect = \"classic\"") {
            let language = entry.file_name().to_string_lossy().into_owned();
            bench.succeed(["new", &format!("in-{language}"), "--language", &language]);
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
