//! The libraries for bots, `arbiter_bot.py` and `arbiter_bot.js` in `examples/bots`: their own tests, the
//! types of both, and games through the referee in which a bot reads every part of every
//! request by them.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tests::bench::{Bench, Ended, run};
use tests::installed::{bench_with, empty_environment, is_there, python_with_packages};
use tests::{log, missing};

/// A library, by the folder that it is in.
struct Library {
    folder: &'static str,
    program: &'static str,
    tests: &'static str,
    /// A bot that checks what it reads, as the tests of the library do: it fails if anything is lost.
    bot: (&'static str, &'static str),
}

const PYTHON: Library = Library {
    folder: "python",
    program: "python3",
    tests: "test_arbiter_bot.py",
    bot: (
        "checks.py",
        "import arbiter_bot\n\
         from test_arbiter_bot import check\n\
         def choose(request: arbiter_bot.Request) -> str:\n\
         \x20   check(request)\n\
         \x20   return request.pick(request.legal)\n\
         arbiter_bot.play(choose)\n",
    ),
};

const JAVASCRIPT: Library = Library {
    folder: "node",
    program: "node",
    tests: "test_arbiter_bot.js",
    bot: (
        "checks.js",
        "const { check } = require('./test_arbiter_bot');\n\
         require('./arbiter_bot').play((request) => {\n\
         \x20 check(request);\n\
         \x20 return request.pick(request.legal);\n\
         });\n",
    ),
};

impl Library {
    /// A copy of the example, so that nothing is written beside it, and the bot in it.
    fn copied(&self) -> (Bench, PathBuf) {
        let bench = Bench::new();
        let folder = bench.path("bot");
        fs::create_dir(&folder).expect("a folder");
        let example = examples().join("bots").join(self.folder);
        for entry in fs::read_dir(example).expect("the example").flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), folder.join(entry.file_name())).expect("a copy");
            }
        }
        let (name, text) = self.bot;
        fs::write(folder.join(name), text).expect("a file");
        (bench, folder)
    }

    /// Every sample request is read, and written again from its parts alone.
    fn reads_all_sample_requests(&self) {
        let (bench, folder) = self.copied();
        if !is_there(self.program) {
            return;
        }
        let games = fs::read_dir(examples().join("requests")).expect("the requests").flatten();
        let samples = games.flat_map(|game| fs::read_dir(game.path()).expect("a folder")).count();
        let mut tests = bench.command(self.program);
        tests.arg(self.tests).arg(examples().join("requests")).current_dir(&folder);
        let ended = run(&mut tests).with_code(0);
        assert_eq!(ended.stdout, format!("{} requests\n", samples + 1), "with that of the starter");
    }

    fn plays_every_game(&self) {
        let (bench, _) = self.copied();
        if !is_there(self.program) {
            return;
        }
        for (game, options, others) in [
            ("tablic", &[][..], &["random", "greedy"][..]),
            ("coup", &["--games", "2"], &["random"]),
            ("durak", &["--options", "deck=24 transfer=on"], &["random", "greedy"]),
        ] {
            for mode in ["", "resident:"] {
                let bot = format!("bot={mode}{} bot/{}", self.program, self.bot.0);
                let bots = [&[bot.as_str()], others].concat();
                for played in bench.play(game, options, &bots) {
                    let out = vec![json!(null); bots.len()];
                    assert_eq!(played["result"]["out"], json!(out), "{bot}: {played}");
                    let replies = log::replies(&played, log::seat_of(&played, "bot"));
                    assert!(!replies.is_empty(), "{played}");
                }
            }
        }
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

#[test]
fn python_reads_all_sample_requests_and_plays_every_game() {
    PYTHON.reads_all_sample_requests();
    PYTHON.plays_every_game();
}

#[test]
fn javascript_reads_all_sample_requests_and_plays_every_game() {
    JAVASCRIPT.reads_all_sample_requests();
    JAVASCRIPT.plays_every_game();
}

/// The package in `python/arbiter_bot` is the library under the same name, and needs no network.
#[test]
fn python_is_a_package() {
    let (bench, library) = PYTHON.copied();
    let Some(programs) = empty_environment(&bench) else { return };
    let package = examples().join("../python/arbiter_bot");
    // Links become files, and building writes beside the sources.
    run(bench.command("cp").arg("-RL").arg(&package).arg(bench.path("package"))).with_code(0);
    let pip = ["install", "--quiet", "--disable-pip-version-check", "--no-index"];
    run(bench.command(programs.join("pip")).args(pip).arg("./package")).with_code(0);
    let readme = fs::read_to_string(package.join("README.md")).expect("a document");
    let block = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    bench.write("my_bot.py", block.expect("the bot of the document"));
    let sample = fs::File::open(library.join("sample.txt")).expect("a request");
    let python = programs.join("python");
    let answer = run(bench.command(&python).arg("my_bot.py").stdin(sample));
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "4H\n"), "{answer:?}");
    let read = "import arbiter_bot; print(open(arbiter_bot.__file__).read(), end='')";
    let module = run(bench.command(&python).args(["-I", "-c", read]));
    let own = fs::read_to_string(library.join("arbiter_bot.py")).expect("the library");
    assert_eq!(module.stdout, own);
    let client = run(bench.command(&python).args(["-I", "-m", "arbiter_bot.connect", "--help"]));
    assert!(client.stdout.starts_with("usage: python3 -m arbiter_bot.connect URL"), "{client:?}");
    // Its types are found from elsewhere.
    let Some(with_mypy) = python_with_packages(&bench) else { return };
    let mut mypy = bench.command(with_mypy);
    mypy.args(["-m", "mypy", "--strict", "my_bot.py", "--python-executable"]).arg(&python);
    run(&mut mypy).with_code(0);
}

/// The tests of the client of remote bots, and of the example in JavaScript, against a server that cuts connections.
#[test]
fn clients_answer_once_whatever_happens_on_the_way() {
    let Some(bench) = bench_with("python3") else { return };
    let client = examples().join("../python/arbiter_bot/tests/test_connect.py");
    run(bench.command("python3").args(["-B"]).arg(client)).with_code(0);
}

/// The bot that asks a language model, against an endpoint that answers well, badly, slowly, never, with an error, in
/// another form.
#[test]
fn the_bot_of_a_language_model_reads_answers_strictly() {
    let Some(bench) = bench_with("python3") else { return };
    let folder = examples().join("bots/language-model");
    let mut tests = bench.command("python3");
    run(tests.args(["-B", "test_bot.py"]).current_dir(&folder)).with_code(0);
}

/// Runs mypy in a folder; if there is none, says so.
fn mypy(bench: &Bench, folder: &Path, words: &[&str]) -> Option<Ended> {
    let python = python_with_packages(bench)?;
    if run(bench.command(&python).args(["-m", "mypy", "--version"])).code != Some(0) {
        missing::tell("no mypy in the Python with packages for tests");
        return None;
    }
    let mut mypy = bench.command(python);
    mypy.args(["-m", "mypy", "--strict", "--cache-dir"]).arg(bench.path("cache")).args(words);
    Some(run(mypy.current_dir(folder)))
}

#[test]
fn python_has_types() {
    let (bench, folder) = PYTHON.copied();
    let files = ["arbiter_bot.py", "bot.py", "checks.py", "test_arbiter_bot.py", "test_bot.py"];
    for (folder, files) in [
        (folder.clone(), &files[..]),
        (examples().join("../python/arbiter_bot"), &["arbiter_bot", "tests"]),
        (examples().join("bots/language-model"), &["bot.py", "test_bot.py"]),
    ] {
        let Some(ended) = mypy(&bench, &folder, files) else { return };
        assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    }
    // The types say something: a card of Coup is none of the pack.
    let wrong = "import arbiter_bot\n\
         def suit(request: arbiter_bot.CoupRequest) -> str:\n\
         \x20   return request.view.hand[0].suit\n";
    fs::write(folder.join("wrong.py"), wrong).expect("a file");
    let ended = mypy(&bench, &folder, &["wrong.py"]).expect("it was there").with_code(1);
    assert!(ended.stdout.contains("\"str\" has no attribute \"suit\""), "{ended:?}");
}

/// The types of the library for JavaScript stood in comments that no checker had read.
#[test]
fn javascript_has_types() {
    let (bench, folder) = JAVASCRIPT.copied();
    if !is_there("tsc") {
        return;
    }
    let checked = |file: &str| {
        let mut command = bench.command("tsc");
        command.args(["--noEmit", "--checkJs", "--strict", "--target", "es2022"]);
        run(command.args(["--module", "commonjs", file]).current_dir(&folder))
    };
    let page = fs::read_to_string(examples().join("../docs/first-bot.md")).expect("the page");
    let chapter = page.split_once("### Beat greedy in JavaScript\n").expect("the chapter").1;
    let block = chapter.split("```js my-bot/random.js\n").nth(1).expect("the bot of the chapter");
    fs::write(folder.join("greedy.js"), block.split("```").next().expect("its text"))
        .expect("ours");
    for file in ["arbiter_bot.js", "random.js", "greedy.js"] {
        let ended = checked(file);
        assert_eq!(ended.code, Some(0), "{file}: {}", ended.stdout);
    }
    // The types say something: a card of Coup is none of the pack, and a property may be misspelt.
    let wrong = "const arbiter = require('./arbiter_bot');\n\
         /** @param {arbiter.Request} request */\n\
         function choose(request) {\n\
         \x20 if (request.game === 'coup') return request.view.hand[0].suit;\n\
         \x20 if (request.game === 'tablic') return String(request.view.tabel[0]);\n\
         \x20 return request.pick(request.legal);\n\
         }\n\
         arbiter.play(choose);\n";
    fs::write(folder.join("wrong.js"), wrong).expect("a file");
    let ended = checked("wrong.js");
    assert_ne!(ended.code, Some(0), "{ended:?}");
    for problem in ["'suit' does not exist on type 'string'", "'tabel' does not exist"] {
        assert!(ended.stdout.contains(problem), "{problem}: {ended:?}");
    }
}
