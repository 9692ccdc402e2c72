//! The classic dialect of Coup, with real programs: what they see and what they may do.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tests::bench::Bench;
use tests::classic::{all_sane, play, shell};
use tests::keeping::Keeping;
use tests::log;

#[test]
fn the_same_seed_gives_the_same_log() {
    let bench = Bench::new();
    let first = shell(&bench, "first", &[]);
    let other = shell(&bench, "other", &[("F", "answer=d"), ("Fd", "answer=q")]);
    let strip = |mut game: Value| {
        game["measured"].take();
        game
    };
    let games = || play(&bench, 2, [&first, &other]).into_iter().map(strip).collect::<Vec<_>>();
    let once = games();
    all_sane(&once);
    assert_eq!(games(), once);
}

#[test]
fn a_dialect_stands_before_a_bot_and_nowhere_else() {
    let bench = Bench::new();
    let bot = shell(&bench, "bot", &[]);
    let command = bot.strip_prefix("dialect=classic ").expect("a dialect");
    let blanks = format!(" \t\ndialect=classic \n\t{command}");
    all_sane(&play(&bench, 1, [&blanks, "dialect=native greedy"]));
    for (bot, error) in [
        ("dialect=classic", "bot `dialect=classic` has no command: write dialect=DIALECT"),
        ("dialect=classic \t", "has no command: write dialect=DIALECT [NAME=]COMMAND [ARGS…]"),
        ("dialect=", "unknown dialect ``: use dialect=native, dialect=classic or dialect=classic"),
        ("dialect=greedy", "unknown dialect `greedy`"),
        ("dialect=Classic sh bot.sh", "unknown dialect `Classic`"),
        ("bot=dialect=classic sh bot.sh", "put the dialect before the name: dialect=DIALECT"),
        ("bot= dialect=classic sh bot.sh", "put the dialect before the name"),
    ] {
        bench.run(["match", "--game", "coup", bot, "greedy"]).assert_refused(2, &[error]);
    }
    let error = "unknown dialect `Classic`";
    bench.run(["check", "--game", "coup", "dialect=Classic sh bot.sh"]).assert_refused(2, &[error]);
    let words = ["simulate", "--game", "coup", "dialect=classic greedy", "random"];
    bench.run(words).assert_refused(2, &["`greedy` does not speak the classic dialect"]);
}

#[test]
fn a_dialect_that_a_manifest_contradicts_is_refused() {
    let bench = Bench::new();
    shell(&bench, "bot", &[]);
    for (own, line) in
        [("classic", "dialect = 'classic'"), ("native", "dialect = 'native'"), ("native", "")]
    {
        let folder = bench.path(own);
        let _ = fs::create_dir(&folder);
        fs::copy(bench.path("bot.sh"), folder.join("bot.sh")).expect("a copy");
        let manifest = format!("name = 'bot'\ncommand = 'sh ./bot.sh'\n{line}\n");
        fs::write(folder.join("bot.toml"), manifest).expect("a manifest");
        for given in ["classic", "native"] {
            let bot = format!("dialect={given} ./{own}");
            let ended = bench.run(["check", "--game", "coup", "--games", "1", &bot]);
            if given == own {
                // It does not matter here how a program of the classic dialect treats a request.
                assert_eq!(ended.code, Some(if own == "classic" { 0 } else { 5 }), "{ended:?}");
                continue;
            }
            let error = format!("`./{own}`: dialect={given} contradicts dialect={own} in bot.toml");
            ended.assert_refused(2, &[&error]);
        }
    }
}

/// A program that answers in one way where its folder is empty, and in another after that, as far
/// as there are two ways.
#[test]
fn a_check_asks_in_a_fresh_folder() {
    let bench = Bench::new();
    let remembers = "if [ -e before ]; then rm before; else : > before; false; fi && {\n\
                     for answer in \"$@\"; do :; done\n\
                     cards=${cards#??}${cards%\"${cards#??}\"}; }";
    let bot = shell(&bench, "bot", &[("*", remembers)]);
    let report = bench.succeed(["check", "--game", "coup", "--games", "2", &bot]);
    assert!(report.contains("ok       coup same answer twice"), "{report}");
    assert!(report.contains("no warnings"), "{report}");
}

/// The surroundings of a program in one call.
struct Seen {
    file: String,
    text: String,
    arguments: Vec<String>,
    folder: String,
    beside: String,
    calls: usize,
    environment: BTreeSet<String>,
}

/// A program that writes down what it sees into a given folder, and plays the first
/// legal move. It counts its calls in its own folder.
fn spy(bench: &Bench, name: &str) -> (String, PathBuf) {
    let folder = bench.path(&format!("seen-{name}"));
    fs::create_dir(&folder).expect("a folder");
    // Before the match every program is started once without anything to answer.
    let script = "seen=$1; shift\n\
         [ -n \"$5\" ] || exit 0\n\
         echo >> calls\n\
         number=$(wc -l < calls)\n\
         out=\"$seen/$((number + 0))\"\n\
         { printf '%s\\0' \"$PWD\" \"$(ls -A \"$(dirname \"$1\")\")\" \"$(env)\" \"$number\" \
           \"$(cat \"$1\"; echo .)\" \"$@\"; } > \"$out\"\n\
         printf '%s' \"$5\" >> \"$1\"\n\
         printf '%s' \"${4%??}\"\n";
    bench.write(&format!("{name}.sh"), script);
    (format!("dialect=classic {name}=/bin/sh {name}.sh {}", folder.display()), folder)
}

/// All that a spy saw, call by call.
fn seen(folder: &Path) -> Vec<Seen> {
    let count = fs::read_dir(folder).expect("the folder").count();
    let read = |number: usize| {
        let text = fs::read_to_string(folder.join(number.to_string())).expect("a call");
        let mut words = text.split('\0').map(str::to_owned);
        let mut next = || words.next().expect("a word");
        let (folder, beside, environment, calls) = (next(), next(), next(), next());
        let mut text = next();
        assert_eq!(text.pop(), Some('.'));
        let file = next();
        let mut arguments: Vec<String> = words.collect();
        assert_eq!(arguments.pop(), Some(String::new()), "every word ends");
        let calls = calls.trim().parse().expect("a number");
        let keys = environment.lines().filter_map(|line| line.split_once('='));
        let environment = keys.map(|(key, _)| key.to_owned()).collect();
        Seen { file, text, arguments, folder, beside, calls, environment }
    };
    (1..=count).map(read).collect()
}

/// It has one folder for the whole match, and one with a new name for the file, and is called where one answer is legal, too.
#[test]
fn a_program_sees_what_the_dialect_says_and_nothing_else() {
    let bench = Bench::new();
    let ((one, of_one), (other, of_other)) = (spy(&bench, "first-spy"), spy(&bench, "second-spy"));
    let spied_on = |games: &str| {
        let options = [&["--games", games], Keeping::Off.words()].concat();
        bench.play("coup", &options, &[&one, &other])
    };
    let games = spied_on("3");
    all_sane(&games);
    let (first, second) = (seen(&of_one), seen(&of_other));
    let calls: Vec<&Seen> = first.iter().chain(&second).collect();
    let different = |of: fn(&Seen) -> Option<&str>| -> BTreeSet<String> {
        calls.iter().filter_map(|seen| of(seen).map(str::to_owned)).collect()
    };
    let names = different(|seen| Path::new(&seen.file).file_name()?.to_str());
    assert_eq!(names.len(), 1, "a name that tells nothing: {names:?}");
    let folders = different(|seen| Some(&seen.folder));
    assert_eq!(folders.len(), 2, "each has one folder for the whole match");
    let files = different(|seen| Path::new(&seen.file).parent()?.to_str());
    assert!(files.len() <= 2, "each match has one folder for its files: {files:?}");
    for (name, calls) in [("first-spy", &first), ("second-spy", &second)] {
        assert!(calls.iter().enumerate().all(|(place, call)| call.calls == place + 1));
        let answers = |game: &Value| log::replies(game, log::seat_of(game, name)).len();
        assert_eq!(calls.len(), games.iter().map(answers).sum::<usize>());
    }
    let mut only = 0;
    for call in &calls {
        let file = Path::new(&call.file);
        assert!(file.is_absolute());
        assert!(folders.iter().all(|folder| !file.starts_with(folder)), "{}", call.file);
        assert!(!call.file.contains("spy"), "{}", call.file);
        let beside: BTreeSet<&str> = call.beside.lines().collect();
        let own = [&call.file, &call.folder].map(|path| Path::new(path).file_name());
        let own = own.map(|name| name.and_then(|name| name.to_str()).expect("a name"));
        assert_eq!(beside, BTreeSet::from(own), "nothing else lies there");
        // The shell itself adds some.
        let of_shell = ["PWD", "OLDPWD", "SHLVL", "_"].map(str::to_owned);
        let left: Vec<&String> =
            call.environment.iter().filter(|key| !of_shell.contains(key)).collect();
        assert_eq!(left, ["ARBITER_SCRATCH", "HOME", "LANG", "PATH", "PYTHONHASHSEED"]);
        let [_, _, cards, legal @ ..] = &call.arguments[..] else { unreachable!("three and more") };
        assert!((1..=4).contains(&cards.len()), "{cards}");
        only += usize::from(legal.len() == 1);
        // The crate has the legal texts after every other end of a file.
        if call.text.is_empty() {
            assert_eq!(legal, ["I\n", "F", "E", "S", "T"]);
        }
    }
    assert!(only > 0, "the first legal move needs no choice somewhere");
    let begins = calls.iter().find(|call| call.text.is_empty()).expect("the first call");
    assert_eq!(begins.arguments[..2], ["1", "1"]);
    // The seed is the same, so all that follows from the game is, too, but no folder comes again.
    for folder in [&of_one, &of_other] {
        fs::remove_dir_all(folder).and_then(|()| fs::create_dir(folder)).expect("a folder");
    }
    spied_on("1");
    let start = format!("{}/arbiter-", bench.scratch().display());
    let folder = |calls: &[Seen]| {
        let name = Path::new(&calls[0].file).parent().expect("a folder").to_owned();
        let number = name.to_str().and_then(|name| name.strip_prefix(&start));
        let number = number.expect("a scratch folder");
        assert!(number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit()));
        assert!(!name.exists(), "{} is removed", name.display());
        name
    };
    assert_ne!(folder(&first), folder(&seen(&of_one)));
}
