//! Names of bots: plain ones only, so that they are safe in a log, a table, a page and a path.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use tests::bench::{Bench, Ended};
use tests::{chain, log};

fn bench() -> Bench {
    Bench::new()
}

fn play(bench: &Bench, bots: &[&str]) -> Ended {
    let head = ["match", "--game", "tablic", "--json", "--log", "log"];
    bench.run([&head, bots].concat())
}

/// A name goes wherever the word of a command or the name of a file may go, so it must not look like
/// an option or lead elsewhere, wherever it comes from.
#[test]
fn names_that_are_unsafe_as_an_argument_or_a_file_are_refused_everywhere() {
    for name in ["..", "--help", "a "] {
        let bench = bench();
        if !name.contains(char::is_whitespace) {
            let words = ["match", "--game", "tablic", "--", &format!("{name}=random"), "greedy"];
            bench.run(words).assert_refused(2, &["invalid bot name", "use 1 to 32"]);
        }
        fs::create_dir(bench.path("bot")).expect("a folder");
        let quoted = serde_json::to_string(name).expect("a string of TOML, too");
        bench.write("bot/bot.toml", format!("name = {quoted}\ncommand = 'random'\n"));
        bench.run(["build", "./bot"]).assert_refused(2, &["invalid bot name"]);
        let plan = format!("game = 'tablic'\nbots = [{{name = {quoted}, command = 'random'}}]\n");
        bench.write("plan.toml", plan);
        let ended = bench.run(["tournament", "plan.toml", "--dir", "cup"]);
        ended.assert_refused(2, &["invalid bot name"]);
        let words = ["play", "--game", "tablic", &format!("--name={name}"), "greedy"];
        bench.run(words).assert_refused(2, &["invalid name"]);
        forged(&bench, name);
    }
}

/// A log may not bring such a name in, either.
fn forged(bench: &Bench, name: &str) {
    assert_eq!(play(bench, &["honest=random", "greedy"]).code, Some(0));
    let quoted = serde_json::to_string(name).expect("a string");
    let log = fs::read_to_string(bench.path("log")).expect("a log");
    let contents = chain::contents(&log.replace("\"honest\"", &quoted));
    bench.write("forged", chain::chain(&contents));
    for command in
        [&["verify", "forged"][..], &["show", "forged"], &["report", "forged", "-o", "r"]]
    {
        let ended = bench.run(command);
        ended.assert_refused(3, &["line 1", "which is not a valid name"]);
    }
}

/// Blanks and quotes end a name, so these are commands, and none that can be run.
#[test]
fn names_with_blanks_and_quotes_are_no_names() {
    let cases = [
        ("a b=random", 4, "`a` not found"),
        ("'a b'=random", 2, "bot `'a b'=random` needs a name"),
        ("a'b'=random", 2, "bot `a'b'=random` needs a name"),
        ("a\"b=random", 2, "an unclosed quote"),
        ("'a=random", 2, "an unclosed quote"),
        ("a=", 2, "has no command"),
        ("", 2, "has no command"),
        ("''", 2, "has no command"),
    ];
    for (bot, code, says) in cases {
        let bench = bench();
        play(&bench, &[bot, "b=greedy"]).assert_refused(code, &[says]);
        assert!(!bench.path("log").exists(), "{bot:?}");
    }
}

/// A program's own name serves as the bot's, unless it is an odd one.
#[test]
fn programs_with_odd_names_need_another() {
    for file in ["two words", "\x1b[2J", &"n".repeat(100)] {
        let bench = bench();
        let path = bench.write(file, "#!/bin/sh\nsed -n '/^legal/{n;p;q}'\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let command = format!("'./{file}'");
        play(&bench, &[&command, "greedy"]).assert_refused(2, &["needs a name"]);
        assert!(!bench.path("log").exists());
    }
}

#[test]
fn the_longest_and_the_oddest_plain_names() {
    let bench = bench();
    let bots =
        ["n".repeat(32), "..a".into(), "_-".into(), "null".into(), "A.z_9-".into(), "COM10".into()];
    let words = bots.clone().map(|name| format!("{name}=greedy"));
    let ended = play(&bench, &words.each_ref().map(String::as_str));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    bench.verify(&bench.path("log"));
    assert_eq!(log::games(&bench.path("log"))[0]["seats"], json!(bots));
}

#[test]
fn programs_that_come_again_are_numbered() {
    let cases: [(&[&str], [&str; 4]); 3] = [
        (&["random", "random", "greedy", "random"], ["random", "random#2", "greedy", "random#3"]),
        (
            &["random=greedy", "random", "greedy", "greedy"],
            ["random", "random#2", "greedy", "greedy#2"],
        ),
        (&["greedy", "greedy=random", "random", "x=random"], ["greedy#2", "greedy", "random", "x"]),
    ];
    for (bots, names) in cases {
        let bench = bench();
        let ended = play(&bench, bots);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        bench.verify(&bench.path("log"));
        assert_eq!(log::games(&bench.path("log"))[0]["seats"], json!(names));
    }
}

/// A script has its own name, not the name of its interpreter; a given name goes before.
#[test]
fn more_than_256_bots_without_names_play_a_tournament() {
    let bench = bench();
    let words = ["tournament", "--game", "coup", "--deals", "1", "--tables", "1", "--dir", "cup"];
    let bots = ["random"; 258];
    bench.succeed([&words[..], &["--quiet"], &bots].concat());
    let header = fs::read_to_string(bench.path("cup").join("games.jsonl")).expect("it is there");
    assert!(header.contains("\"random#256\"") && header.contains("\"random#258\""));
    bench.verify(&bench.path("cup"));
}

#[test]
fn a_bot_is_called_after_its_script() {
    let bench = bench();
    let script = "sed -n '/^legal/{n;p;q}'\n";
    fs::create_dir(bench.path("bots")).expect("it is ours");
    for file in ["run.sh", "bots/mybot.sh"] {
        let path = bench.write(file, format!("#!/bin/sh\n{script}"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let code = format!("sh -c \"{}\"", script.trim_end());
    let cases: [(&[&str], [&str; 4]); 2] = [
        (
            &["sh ./run.sh", "sh -e bots/mybot.sh", "env A=1 sh bots/mybot.sh", "./run.sh"],
            ["run", "mybot", "mybot#2", "run#2"],
        ),
        (
            &[&code, &code, "mybot=sh ./run.sh", "minimax --time 1ms"],
            ["sh", "sh#2", "mybot", "minimax"],
        ),
    ];
    for (bots, names) in cases {
        let ended = play(&bench, bots);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
        assert_eq!(log::games(&bench.path("log"))[0]["seats"], json!(names));
        bench.verify(&bench.path("log"));
        fs::remove_file(bench.path("log")).expect("it is ours");
    }
}

/// Letters of every script, in logs, tables, pages, plans and files; two cells wide where they are.
#[test]
fn names_have_letters_of_any_script() {
    let bench = bench();
    let bots = ["Žarko=greedy", "李雷=random"];
    let words = ["tournament", "--game", "coup", "--deals", "2", "--dir", "cup"];
    let told = bench.succeed([&words[..], &bots].concat());
    // The columns after the names stand in line, for 李雷 takes four cells.
    let row = |name: &str| told.lines().find(|line| line.contains(name)).expect("a row").to_owned();
    let before = |line: &str, name: &str| {
        let (before, rest) = line.split_once(name).expect("the name");
        (before.len(), rest.len() - rest.trim_start().len())
    };
    let (zarko, li) = (row("Žarko"), row("李雷"));
    assert_eq!(before(&zarko, "Žarko").0, before(&li, "李雷").0, "{told}");
    assert_eq!(before(&zarko, "Žarko").1 + 5, before(&li, "李雷").1 + 4, "{told}");
    bench.succeed(["verify", "cup"]);
    let played = log::lines(&bench.path("cup/games.jsonl"))[0]["header"]["players"].clone();
    assert_eq!((&played[0]["name"], &played[1]["name"]), (&json!("Žarko"), &json!("李雷")));
    let shown = bench.succeed(["show", "cup", "--bot", "李雷", "--game", "0"]);
    assert!(shown.starts_with("game 0: seat 0 Žarko, seat 1 李雷\n"), "{shown}");
    // The number of a move stands before it.
    let of = |name: &str| {
        let is_of = |line: &&str| line.trim_start_matches(['0', '1', ' ']).starts_with(name);
        shown.lines().find(is_of).expect("a line")
    };
    let (zarko, li) = (of("Žarko"), of("李雷"));
    assert_eq!(before(zarko, "Žarko").1 + 5, before(li, "李雷").1 + 4, "{shown}");
    for format in ["csv", "markdown", "json"] {
        let table = bench.succeed(["tournament", "standings", "cup", "--format", format]);
        assert!(table.contains("Žarko") && table.contains("李雷"), "{table}");
    }
    bench.succeed(["report", "cup", "-o", "pages"]);
    let page = fs::read_to_string(bench.path("pages/index.html")).expect("a page");
    assert!(page.contains("李雷"), "names are in the page");
    bench.succeed(["tournament", "--dir", "again", "cup/plan.toml"]);
}

/// Spellings that look the same are one name, in any order of characters.
#[test]
fn names_that_look_the_same_are_the_same() {
    let bench = bench();
    let two = ["\u{17d}ar=random", "Z\u{30c}ar=greedy"];
    play(&bench, &two).assert_refused(2, &["two bots are named `Žar`"]);
    let words = ["--time-limit", "Z\u{30c}ar=4s", two[0], "greedy"];
    assert_eq!(play(&bench, &words).code, Some(0));
    let header = log::lines(&bench.path("log"))[0]["header"]["players"][0].clone();
    assert_eq!(
        (&header["name"], &header["limits"]["time_ms"]),
        (&json!("\u{17d}ar"), &json!(4000))
    );
    // A log with another spelling is none.
    let text = fs::read_to_string(bench.path("log")).expect("a log");
    let forged = text.replace('\u{17d}', "Z\u{30c}");
    bench.write("forged", chain::chain(&chain::contents(&forged)));
    bench.run(["verify", "forged"]).assert_refused(3, &["which is not a valid name"]);
}

#[test]
fn people_have_names_of_their_own() {
    let bench = bench();
    let sit = |name: &str| {
        let words = ["play", "--game", "coup", "--name", name, "--log", "log", "greedy"];
        bench.run(words)
    };
    for name in ["Conan O'Neil", "李 雷", "Žarko", "D’Artagnan"] {
        let ended = sit(name);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stdout.contains(&format!("{name} left the game\n")), "{ended:?}");
        assert_eq!(log::games(&bench.path("log"))[0]["seats"][0], json!(name));
        let shown = bench.succeed(["show", "log"]);
        assert!(shown.contains(&format!("game 0: seat 0 {name}, seat 1 greedy")), "{shown}");
        bench.run(["verify", "log"]).assert_refused(3, &["the log stops after 0 of 1 game"]);
        bench.succeed(["report", "log", "-o", "pages"]);
        fs::remove_file(bench.path("log")).expect("it is ours");
    }
    for name in ["", "a\u{202e}b", "=1", "greedy"] {
        let ended = sit(name);
        assert_eq!(ended.code, Some(2), "{name:?}: {ended:?}");
        assert!(!ended.stderr.contains('\u{202e}') && !bench.path("log").exists(), "{ended:?}");
    }
}

/// A path with a blank is two words, and the error says how to make it one.
#[test]
fn a_path_with_a_blank_must_be_quoted() {
    let bench = bench();
    fs::create_dir(bench.path("my bot")).expect("a folder");
    let path = bench.write("my bot/run.sh", "#!/bin/sh\nsed -n '/^legal/{n;p;q}'\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    bench.write("my bot/bot.toml", "name = 'mine'\ncommand = './run.sh'\n");
    for (word, quoted) in [("./my bot/run.sh", "'./my bot/run.sh'"), ("./my bot", "'./my bot'")] {
        let says = format!("`./my` not found; for the file `{word}`, quote it: \"{quoted}\"");
        play(&bench, &[word, "greedy"]).assert_refused(4, &[&says]);
        assert_eq!(play(&bench, &[quoted, "greedy"]).code, Some(0));
        fs::remove_file(bench.path("log")).expect("it is ours");
    }
    play(&bench, &["./your bot", "greedy"])
        .assert_refused(4, &["your` not found, expected the path of a program"]);
}
