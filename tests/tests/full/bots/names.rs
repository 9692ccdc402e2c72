//! Names of bots: plain ones only, so that they are safe in a log, a table, a page and a path.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use tests::bench::{Bench, Ended};
use tests::{chain, log};

fn play(bench: &Bench, bots: &[&str]) -> Ended {
    let head = ["match", "--game", "tablic", "--json", "--log", "log"];
    bench.run([&head, bots].concat())
}

/// Writes a script that plays.
fn program(bench: &Bench, name: &str) {
    let path = bench.write(name, "#!/bin/sh\nsed -n '/^legal/{n;p;q}'\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// A name goes wherever the word of a command or the name of a file may go, so it must not look like
/// an option or lead elsewhere, wherever it comes from.
#[test]
fn names_that_are_unsafe_as_an_argument_or_a_file_are_refused_everywhere() {
    for name in ["..", "--help", "a "] {
        let bench = Bench::new();
        if !name.contains(char::is_whitespace) {
            let words = ["match", "--game", "tablic", "--", &format!("{name}=random"), "greedy"];
            bench.run(words).assert_refused(2, &["invalid bot name", "use 1 to 32"]);
        }
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
    let log = bench.text("log");
    let contents = chain::contents(&log.replace("\"honest\"", &quoted));
    bench.write("forged", chain::chain(&contents));
    for command in
        [&["verify", "forged"][..], &["show", "forged"], &["report", "forged", "-o", "r"]]
    {
        bench.run(command).assert_refused(3, &["line 1", "which is not a valid name"]);
    }
}

/// Blanks and quotes end a name, so these are commands, and none that can be run. A program's own name serves as
/// the bot's, unless it is an odd one.
#[test]
fn names_with_blanks_and_quotes_are_no_names() {
    let bench = Bench::new();
    for file in ["two words", "\x1b[2J"] {
        program(&bench, file);
    }
    for (bot, code, says) in [
        ("a b=random", 4, "`a` not found"),
        ("'a b'=random", 2, "bot `'a b'=random` needs a name"),
        ("a'b'=random", 2, "bot `a'b'=random` needs a name"),
        ("'a=random", 2, "an unclosed quote"),
        ("a=", 2, "has no command"),
        ("''", 2, "has no command"),
        ("'./two words'", 2, "needs a name"),
        ("'./\x1b[2J'", 2, "needs a name"),
    ] {
        play(&bench, &[bot, "b=greedy"]).assert_refused(code, &[says]);
        assert!(!bench.path("log").exists(), "{bot:?}");
    }
}

/// Names of bots that a match of Tablić gives to these words.
fn named(bench: &Bench, bots: &[&str]) -> Value {
    play(bench, bots).without_error();
    bench.verify(&bench.path("log"));
    let seats = log::games(&bench.path("log"))[0]["seats"].clone();
    fs::remove_file(bench.path("log")).expect("it was there");
    seats
}

#[test]
fn programs_that_come_again_are_numbered() {
    let bench = Bench::new();
    fs::create_dir(bench.path("bots")).expect("it is ours");
    for file in ["run.sh", "bots/mybot.sh"] {
        program(&bench, file);
    }
    let code = "sh -c \"sed -n '/^legal/{n;p;q}'\"";
    for (bots, names) in [
        (["random", "random", "greedy", "random"], ["random", "random#2", "greedy", "random#3"]),
        (["greedy", "greedy=random", "random", "x=random"], ["greedy#2", "greedy", "random", "x"]),
        (
            ["sh ./run.sh", "sh -e bots/mybot.sh", "env A=1 sh bots/mybot.sh", "./run.sh"],
            ["run", "mybot", "mybot#2", "run#2"],
        ),
        (
            [code, code, "mybot=sh ./run.sh", "minimax --time 1ms"],
            ["sh", "sh#2", "mybot", "minimax"],
        ),
    ] {
        assert_eq!(named(&bench, &bots), json!(names));
    }
    let bots =
        ["n".repeat(32), "..a".into(), "_-".into(), "null".into(), "A.z_9-".into(), "COM10".into()];
    let words = bots.clone().map(|name| format!("{name}=greedy"));
    assert_eq!(named(&bench, &words.each_ref().map(String::as_str)), json!(bots));
}

#[test]
fn more_than_256_bots_without_names_play_a_tournament() {
    let bench = Bench::new();
    let words = ["tournament", "--game", "coup", "--deals", "1", "--tables", "1", "--dir", "cup"];
    let bots = ["random"; 258];
    bench.succeed([&words[..], &["--quiet"], &bots].concat());
    let header = fs::read_to_string(bench.path("cup").join("games.jsonl")).expect("it is there");
    assert!(header.contains("\"random#256\"") && header.contains("\"random#258\""));
    bench.verify(&bench.path("cup"));
}

/// Letters of every script, in logs, tables, pages, plans and files; two cells wide where they are.
#[test]
fn names_have_letters_of_any_script() {
    let bench = Bench::new();
    let told = bench.ok("tournament --game coup --deals 1 --dir cup Žarko=greedy 李雷=random");
    let shown = bench.succeed(["show", "cup", "--bot", "李雷", "--game", "0"]);
    assert!(shown.starts_with("game 0: seat 0 Žarko, seat 1 李雷\n"), "{shown}");
    // The columns after the names are aligned: 李雷 takes four cells.
    let room = |text: &str, name: &str| {
        // The number of a move, or of a row, stands before it.
        let is_of = |line: &&str| {
            line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').starts_with(name)
        };
        let line = text.lines().find(is_of).expect("a line");
        let rest = line.split_once(name).expect("the name").1;
        rest.len() - rest.trim_start().len()
    };
    for text in [&told, &shown] {
        assert_eq!(room(text, "Žarko") + 5, room(text, "李雷") + 4, "{text}");
    }
    bench.succeed(["verify", "cup"]);
    let played = log::lines(&bench.path("cup/games.jsonl"))[0]["header"]["players"].clone();
    assert_eq!((&played[0]["name"], &played[1]["name"]), (&json!("Žarko"), &json!("李雷")));
    for format in ["csv", "markdown", "json"] {
        let table = bench.succeed(["tournament", "standings", "cup", "--format", format]);
        assert!(table.contains("Žarko") && table.contains("李雷"), "{table}");
    }
    bench.succeed(["report", "cup", "-o", "pages"]);
    let page = bench.text("pages/index.html");
    assert!(page.contains("李雷"), "names are in the page");
    bench.succeed(["tournament", "--dir", "again", "cup/plan.toml"]);
}

/// Spellings that look the same are one name, in any order of characters.
#[test]
fn names_that_look_the_same_are_the_same() {
    let bench = Bench::new();
    let two = ["\u{17d}ar=random", "Z\u{30c}ar=greedy"];
    play(&bench, &two).assert_refused(2, &["two bots are named `Žar`"]);
    let words = ["--time-limit", "Z\u{30c}ar=4s", two[0], "greedy"];
    assert_eq!(play(&bench, &words).code, Some(0));
    let player = log::lines(&bench.path("log"))[0]["header"]["players"][0].clone();
    let told = (&player["name"], &player["limits"]["time_ms"]);
    assert_eq!(told, (&json!("\u{17d}ar"), &json!(4000)));
    // A log with another spelling is none.
    let forged = bench.text("log").replace('\u{17d}', "Z\u{30c}");
    bench.write("forged", chain::chain(&chain::contents(&forged)));
    bench.line("verify forged").assert_refused(3, &["which is not a valid name"]);
}

/// A path with a blank is two words, and the error says how to make it one.
#[test]
fn a_path_with_a_blank_must_be_quoted() {
    let bench = Bench::new();
    program(&bench, "my bot/run.sh");
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
