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

fn bench() -> Bench {
    Bench::new()
}

#[test]
fn the_same_seed_gives_the_same_log() {
    let bench = bench();
    let first = shell(&bench, "first", &[]);
    let other = shell(&bench, "other", &[("F", "answer=d"), ("Fd", "answer=q")]);
    let pairs = [
        (2, [first.as_str(), "greedy"]),
        (2, [&first, &other]),
        // One search takes as long as all games of the others.
        (1, ["minimax --depth 1", &other]),
    ];
    for (count, bots) in pairs {
        let strip = |mut game: Value| {
            game["measured"].take();
            game
        };
        let games = || play(&bench, count, bots).into_iter().map(strip).collect::<Vec<_>>();
        let once = games();
        all_sane(&once);
        assert_eq!(games(), once);
    }
}

#[test]
fn a_dialect_stands_before_a_bot_and_nowhere_else() {
    let bench = bench();
    let bot = shell(&bench, "bot", &[]);
    let command = bot.strip_prefix("dialect=classic ").expect("a dialect");
    for blank in ["  ", "\t", "\n", " \t\n"] {
        let bot = format!("{blank}dialect=classic{blank}{command}");
        all_sane(&play(&bench, 1, [&bot, "dialect=native greedy"]));
    }
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
        bench.run(["check", "--game", "coup", bot]).assert_refused(2, &[error]);
    }
    let words = ["simulate", "--game", "coup", "dialect=classic greedy", "random"];
    bench.run(words).assert_refused(2, &["`greedy` does not speak the classic dialect"]);
}

#[test]
fn a_dialect_that_a_manifest_contradicts_is_refused() {
    let bench = bench();
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
    let bench = bench();
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

/// Plays a match in which spies can write down what they see.
fn spied_on(bench: &Bench, games: usize, bots: [&str; 2]) -> Vec<Value> {
    let games = games.to_string();
    let options = [&["--games", &games], Keeping::Off.words()].concat();
    bench.play("coup", &options, &bots)
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

#[test]
fn a_program_sees_what_the_dialect_says_and_nothing_else() {
    let bench = bench();
    let ((one, of_one), (other, of_other)) = (spy(&bench, "first-spy"), spy(&bench, "second-spy"));
    let games = spied_on(&bench, 3, [&one, &other]);
    all_sane(&games);
    let (of_one, of_other) = (seen(&of_one), seen(&of_other));
    let names = |seen: &[Seen]| -> BTreeSet<String> {
        let name = |seen: &Seen| Path::new(&seen.file).file_name()?.to_str().map(str::to_owned);
        seen.iter().filter_map(name).collect()
    };
    assert_eq!(names(&of_one), names(&of_other), "a name that tells nothing");
    assert_eq!(names(&of_one).len(), 1);
    let folders: BTreeSet<&str> =
        of_one.iter().chain(&of_other).map(|seen| seen.folder.as_str()).collect();
    assert_eq!(folders.len(), 2, "each has one folder for the whole match");
    for call in of_one.iter().chain(&of_other) {
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
    }
}

/// The folders in which a spy found the files of its calls.
fn folders(seen: &[Seen]) -> Vec<String> {
    let folder = |seen: &Seen| Path::new(&seen.file).parent()?.to_str().map(str::to_owned);
    seen.iter().filter_map(folder).collect()
}

#[test]
fn every_match_has_a_folder_with_a_new_name() {
    let bench = bench();
    let (spying, folder) = spy(&bench, "spy");
    let mut names = Vec::new();
    for _ in 0..2 {
        // The seed is the same, so all that follows from the game is, too.
        fs::remove_dir_all(&folder).and_then(|()| fs::create_dir(&folder)).expect("a folder");
        spied_on(&bench, 2, [&spying, "greedy"]);
        names.extend(folders(&seen(&folder)));
    }
    assert!(!names.is_empty());
    let different: BTreeSet<&String> = names.iter().collect();
    assert_eq!(different.len(), 2, "no name comes again");
    let start = format!("{}/arbiter-", bench.scratch().display());
    for name in &names {
        let number = name.strip_prefix(&start).expect("a scratch folder");
        assert!(number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit()));
        assert!(!Path::new(name).exists(), "{name} is removed");
    }
}

#[test]
fn its_own_folder_lasts_the_whole_match() {
    let bench = bench();
    let (spying, folder) = spy(&bench, "spy");
    let games = spied_on(&bench, 3, [&spying, "greedy"]);
    let calls = seen(&folder);
    assert!(calls.iter().enumerate().all(|(place, call)| call.calls == place + 1));
    let answers = |game: &Value| log::replies(game, log::seat_of(game, "spy")).len();
    assert_eq!(calls.len(), games.iter().map(answers).sum::<usize>());
}

#[test]
fn it_is_called_where_one_answer_is_legal_too() {
    let bench = bench();
    let (spying, folder) = spy(&bench, "spy");
    all_sane(&spied_on(&bench, 2, [&spying, "greedy"]));
    let calls = seen(&folder);
    let mut only = 0;
    for call in &calls {
        let [_, _, cards, legal @ ..] = &call.arguments[..] else { unreachable!("three and more") };
        assert!((1..=4).contains(&cards.len()), "{cards}");
        let legal: Vec<&str> = legal.iter().map(String::as_str).collect();
        only += usize::from(legal.len() == 1);
        let last = call.text.bytes().last();
        match last {
            None => assert_eq!(legal, ["I\n", "F", "E", "S", "T"]),
            Some(b'\n') => assert!(legal[0] == "I\n" || legal == ["C"], "{legal:?}"),
            Some(b'F') => assert_eq!(legal, ["d", "p"]),
            Some(b'E' | b'T') => assert_eq!(legal, ["p", "q"]),
            Some(b'S') => assert_eq!(legal, ["a", "c", "p", "q"]),
            Some(b'A') => assert_eq!(legal[..2], ["s", "q"]),
            Some(b'd' | b'a' | b'c' | b's') => assert_eq!(legal, ["q", "\n"]),
            Some(b'p') => assert_eq!(legal, ["\n"]),
            Some(_) => assert!(!legal.is_empty()),
        }
    }
    assert!(only > 0, "the first legal move needs no choice somewhere");
    let first = &calls[0];
    assert_eq!((first.text.as_str(), &first.arguments[..2]), ("", &["1".into(), "1".into()][..]));
}

#[test]
fn output_outside_of_exchanges_does_not_count() {
    let bench = bench();
    let noisy = shell(&bench, "noisy", &[("*", "echo 'lose duke'")]);
    all_sane(&play(&bench, 2, [&noisy, "greedy"]));
}

#[test]
fn an_exchange_keeps_what_is_printed_in_that_order() {
    let bench = bench();
    let last = "printf '%s' \"$nl\" >> \"$file\"; printf '  %s\\n' \"${cards#??}\"; exit 0";
    let bot = shell(&bench, "bot", &[("''", "answer=E"), ("Ep", last)]);
    let quiet = shell(&bench, "quiet", &[]);
    let game = play(&bench, 1, [&bot, &quiet]).remove(0);
    let events: Vec<&str> =
        game["events"].as_array().expect("events").iter().filter_map(Value::as_str).collect();
    let dealt = events[0].strip_prefix("deal 0 ").expect("a hand");
    assert!(events.contains(&format!("0 keep {dealt}").as_str()), "{game}");
}
