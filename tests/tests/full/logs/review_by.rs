//! `arbiter review --by`: values that a program states, programs that state none, and custom games; and reviews of
//! tournaments and leagues.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::{Bench, SEED};
use tests::installed::is_there;
use tests::running::Running;
use tests::texts::assert_says;
use tests::{own_games, processes};

/// A program for `sh` that values the moves of each request by 0.5, and the last one by 0.75.
///
/// It answers at the end of each request, so it can be started for each move and live for a game.
const GOOD: &str = r#"
while read -r line; do
    case $line in
        "legal "*) listed=1 last= ;;
        end)
            listed=
            echo "value $last 0.75" >&2
            echo "$last"
            ;;
        *)
            if [ -n "$listed" ]; then
                echo "value $line 0.5" >&2
                last=$line
            fi
            ;;
    esac
done
"#;

/// The legal moves of a request, one in a line.
const MOVES: &str = r#"moves=$(sed -n '/^legal /,/^end$/p' | sed '1d;$d')"#;

/// No program is too slow: the machine may be busy.
const PATIENT: [&str; 2] = ["--time-limit", "60s"];

/// A log of two games of Tablić.
fn log(bench: &Bench) -> &'static str {
    let words = ["simulate", "--game", "tablic", "--deals", "1", "--seed", SEED, "--log", "log"];
    bench.succeed([&words[..], &["random", "greedy"]].concat());
    "log"
}

/// The command of a program for `sh`, called like its file.
fn program(bench: &Bench, name: &str, script: &str) -> String {
    format!("sh '{}'", bench.write(&format!("{name}.sh"), script).display())
}

/// The lines for games that a review prints.
fn games(bench: &Bench, words: &[&str]) -> Vec<Value> {
    let lines = bench.run([words, &["--json"]].concat()).json();
    lines.into_iter().filter_map(|mut line| line.get_mut("game").map(Value::take)).collect()
}

/// The list under a key of all these games.
fn all<'a>(games: &'a [Value], key: &str) -> Vec<&'a Value> {
    games.iter().flat_map(|game| game[key].as_array().expect("a list")).collect()
}

#[test]
fn decisions_have_the_values_that_a_program_states() {
    let bench = Bench::new();
    let log = log(&bench);
    let good = program(&bench, "good", GOOD);
    let review = ["review", log, "--by", &good, "--time-limit", "60s"];
    let json = |words: &[&str]| games(&bench, &[&review[..2], words, &PATIENT].concat());
    let games = games(&bench, &review);
    // It is the same for any number of threads, and by a program that lives on.
    assert_eq!(json(&["--by", &good, "--jobs", "3"]), games);
    assert_eq!(json(&["--by", &format!("resident:{good}"), "--jobs", "2"]), games);
    let decisions = all(&games, "decisions");
    assert!(decisions.len() > 40 && all(&games, "left_out").is_empty(), "{games:?}");
    for decision in decisions {
        assert_eq!(decision["worlds"], Value::Null);
        let moves = decision["moves"].as_array().expect("a list");
        let played = decision["played"].as_u64().expect("a place") as usize;
        let is_last = played + 1 == moves.len();
        assert_eq!(decision["given_away"], json!(if is_last { 0.0 } else { 0.25 }));
        for (place, mv) in moves.iter().enumerate() {
            let win = if place + 1 == moves.len() { 0.75 } else { 0.5 };
            let lead = win - if is_last { 0.75 } else { 0.5 };
            let expected = json!({ "move": mv["move"], "win": win, "error": 0.0, "lead": lead, "lead_error": 0.0 });
            assert_eq!(*mv, expected);
        }
    }
    let text = bench.succeed(review);
    for says in ["\nrandom: recurring mistakes\n", "as rated by good;\n"] {
        assert!(text.contains(says) && !text.contains("significant"), "{text}");
    }
    let rows = bench.succeed([&review[..], &["--csv"]].concat());
    let worlds = |row: &str| row.split(',').nth(15).map(str::to_owned);
    assert!(rows.lines().skip(1).all(|row| worlds(row).as_deref() == Some("")), "{rows}");
    assert!(!bench.path("log.review").exists(), "another time the program may answer otherwise");
}

#[test]
fn the_command_beside_a_mistake_asks_the_program_again_under_its_limits() {
    let bench = Bench::new();
    let log = log(&bench);
    let good = program(&bench, "my good", GOOD);
    let by = format!("mine={good}");
    let options = ["--time-limit", "mine=61s", "--isolation", "off"];
    let text =
        bench.succeed([&["review", log, "--bot", "random", "--by", &by], &options[..]].concat());
    let command = text.lines().find_map(|line| line.trim().strip_prefix("arbiter "));
    let words = shlex::split(command.expect("a command")).expect("words of a shell");
    let end = ["--by", &by, "--time-limit", "mine=1m 1s", "--isolation", "off"];
    assert_eq!(words[words.len() - end.len()..], end);
    assert_says(&bench.succeed(&words), &[": a blunder\n", "\n  as rated by mine\n"]);
}

/// What is wrong with each program, and how it is called.
#[test]
fn a_program_that_values_no_decision_fails_with_the_reason() {
    let bench = Bench::new();
    let log = log(&bench);
    let value_each = r#"echo "$moves" | while read -r mv; do echo "value $mv 0.5"; done"#;
    let good = format!("{MOVES}\n{value_each} >&2\n");
    let with = |line: &str| format!("{good}{line}\n");
    let missing = "no `value MOVE NUMBER` line on standard error";
    let cut = "more than 65536 bytes on standard error: raise --stderr-size";
    for (name, script, says) in [
        ("nothing", "true".to_owned(), missing),
        ("closed", "exec >&- 2>&-".to_owned(), missing),
        ("illegal", with("echo 'value KC 2C 2D 1' >&2"), "`value KC 2C 2D 1`: "),
        ("two", with("echo 'value 2C 2' >&2"), "expected a number from 0 to 1"),
        ("words", with("echo 'value function' >&2"), "expected `value MOVE NUMBER`"),
        ("escapes", with(r"printf 'value \033[2J 1\n' >&2"), r"`value \u{1b}[2J 1`: "),
        ("crash", with("echo 'all is lost' >&2; exit 3"), "crash, exit 3: all is lost"),
        ("killed", with("kill -KILL $$"), "crash, signal 9"),
        ("prints", format!("{good}yes"), "output-limit"),
        ("many", with("yes 'value 2C 0.5' | sed 100000q >&2"), cut),
        ("one", format!("{MOVES}\n{value_each} | sed 1q >&2"), "value for "),
    ] {
        let by = program(&bench, name, &script);
        let words = ["review", log, "--game", "1", "--by", &by];
        let ended = bench.run([&words[..], &PATIENT].concat());
        let head = format!("error: bot `{name}` rated none of ");
        assert!(ended.stderr.starts_with(&head), "{ended:?}");
        ended.assert_refused(5, &["first problem: game 1, move ", says]);
    }
}

#[test]
fn a_program_that_never_ends_is_ended_by_its_time_limit_or_with_the_review() {
    let bench = Bench::new();
    let log = log(&bench);
    for (name, script) in [("hangs", "sleep 1000"), ("floods", "yes 'value 2C 0.5' >&2")] {
        let by = program(&bench, name, script);
        let words = ["review", log, "--game", "0", "--bot", "random", "--by", &by];
        let ended = bench.run([&words[..], &["--time-limit", "50ms"]].concat());
        ended.assert_refused(5, &["timeout, no exit within 50 ms"]);
    }
    let by = bench.faulty("hang-with-child");
    for signal in [Signal::INT, Signal::TERM] {
        if processes::is_ignored(signal) {
            continue;
        }
        let mut command = bench.arbiter(["review", log, "--by", &by, "--time-limit", "1h"]);
        let mut review = Running::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        assert!(!processes::wait_for_some(bench.marker()).is_empty(), "{signal:?}");
        review.signal(signal);
        assert!(!review.wait().success(), "{signal:?}");
        processes::wait_for_none(bench.marker());
    }
}

#[test]
fn decisions_without_values_are_left_out_and_counted() {
    let bench = Bench::new();
    let log = log(&bench);
    // A program that values no more than the first half of the moves, and fails at each third number of a move.
    let half = format!(
        "request=$(cat)
         number=$(echo \"$request\" | sed -n 's/^move //p')
         [ $((number % 3)) -ne 0 ] || exit 1
         count=$(echo \"$request\" | sed -n 's/^legal //p')
         echo \"$request\" | ({MOVES}; echo \"$moves\") | sed \"$(((count + 1) / 2))q\" | while read -r mv; do
             echo \"value $mv 0.5\" >&2
         done"
    );
    let by = program(&bench, "half", &half);
    let review = ["review", log, "--by", &by, "--time-limit", "60s"];
    let games = games(&bench, &review);
    let (decisions, left_out) = (all(&games, "decisions"), all(&games, "left_out"));
    assert!(!decisions.is_empty() && !left_out.is_empty(), "{games:?}");
    let number = |it: &Value| it["move"].as_u64().expect("a number");
    assert!(decisions.iter().all(|it| number(it) % 3 != 0), "{games:?}");
    for it in &left_out {
        let why = it["why"].as_str().expect("text");
        match number(it) % 3 {
            0 => assert_eq!(why, "crash, exit 1"),
            _ => assert!(
                ["no value for `", "only one move rated"].iter().any(|it| why.starts_with(it)),
                "{why}"
            ),
        }
    }
    let ended = bench.run(review);
    let note = format!(
        "note: half rated no moves for {} decisions; first problem: game 0, move 0: crash, exit 1\n",
        left_out.len()
    );
    assert_eq!((ended.code, ended.stderr), (Some(0), note));
    let counted = format!("log: 2 games of tablic, {} decisions\n", decisions.len());
    assert!(ended.stdout.starts_with(&counted), "{}", ended.stdout);
}

/// The seat in the log had 5 seconds.
#[test]
fn a_request_has_the_time_of_the_program_and_is_else_the_one_that_the_seat_got() {
    let bench = Bench::new();
    let log = log(&bench);
    let request = bench.succeed(["request", log, "--game", "0", "--move", "12"]);
    assert!(request.contains("\ntime 5000\n"), "{request}");
    let expected = request.replace("\ntime 5000\n", "\ntime 61000\n");
    let expected = bench.write("expected", expected);
    // More standard error than usual is read if it is asked for.
    let good = bench.write("good.sh", format!("{GOOD}\nyes thinking | sed 100000q >&2"));
    // It sees the files that its command names.
    let same = program(&bench, "same", "tee copy | cmp -s - \"$1\" && sh \"$2\" < copy");
    let by = format!("{same} '{}' '{}'", expected.display(), good.display());
    let words = ["review", log, "--game", "0", "--move", "12", "--by", &by];
    let limits = ["--time-limit", "61s", "--stderr-size", "8MiB"];
    assert_says(&bench.succeed([&words[..], &limits].concat()), &["\nmove 12, "]);
}

/// A program that remembers gets all requests of a game, also for the review of a single move.
#[test]
fn a_program_that_remembers_is_asked_from_the_beginning_of_the_game() {
    let bench = Bench::new();
    let log = log(&bench);
    fs::create_dir(bench.path("counts")).expect("ours");
    let manifest =
        "name = \"counts\"\ncommand = \"sh counts.sh\"\nmode = \"resident\"\nremembers = true\n";
    bench.write("counts/bot.toml", manifest);
    // The more requests it has seen, the greater is the value of the last move.
    let script = GOOD
        .replace("while read", "seen=10\nwhile read")
        .replace("end)", "end)\nseen=$((seen + 1))")
        .replace("0.75", "0.7$seen");
    bench.write("counts/counts.sh", script);
    let review = |more: &[&str]| {
        let words = ["review", log, "--game", "0", "--by", "./counts"];
        games(&bench, &[&words[..], &PATIENT, more].concat())
    };
    let whole = review(&[]);
    let decisions = all(&whole, "decisions");
    let last = decisions.last().expect("decisions");
    let alone = review(&["--move", &last["move"].to_string()]);
    assert_eq!(all(&alone, "decisions"), [*last]);
    let values =
        |it: &Value| it["moves"].as_array().expect("moves").last().expect("one")["win"].clone();
    assert!(values(last).as_f64() > Some(0.712), "{last}");
}

#[test]
fn a_game_of_ones_own_is_reviewed_by_a_program() {
    let bench = Bench::new();
    let Some(leduc) = own_games::leduc_beside_logs(&bench) else { return };
    let words =
        ["match", "--game", leduc, "--games", "4", "--quiet", "--seed", SEED, "--log", "own"];
    bench.succeed([&words[..], &["random", "b=random"]].concat());
    let by = program(&bench, "good", GOOD);
    let text = bench.succeed([&["review", "own", "--by", &by][..], &PATIENT].concat());
    assert!(text.starts_with("own: 4 games of leduc, "), "{text}");
    assert!(text.contains("  plays call where raise is better\n"), "{text}");
    assert!(!text.contains("by phase"), "{text}");
    let game =
        bench.succeed([&["review", "own", "--game", "0", "--by", &by][..], &PATIENT].concat());
    assert!(game.contains(", random: a blunder\n") || game.contains(", b: a blunder\n"), "{game}");
    let refused = bench.run(["review", "own", "--by", "expert"]);
    refused.assert_refused(2, &["`expert` does not play leduc"]);
}

#[test]
fn tournaments_and_leagues_are_reviewed_as_a_whole() {
    let bench = Bench::new();
    bench.ok("tournament --game tablic --dir cup --deals 1 --quiet a=random b=greedy c=random");
    let text = bench.succeed(["review", "cup", "--worlds", "10"]);
    assert!(text.starts_with("cup: 6 games of tablic, "), "{text}");
    bench.succeed(["verify", "cup"]);
    bench.succeed(["tournament", "extend", "cup", "--deals", "1", "--quiet"]);
    let text = bench.succeed(["review", "cup", "--worlds", "10"]);
    assert!(text.starts_with("cup: 12 games of tablic, "), "{text}");
    bench.succeed(["league", "new", "class", "--game", "coup", "--round-deals", "1"]);
    bench.succeed(["league", "add", "class", "a=random", "b=greedy"]);
    bench.succeed(["league", "run", "class", "--games", "2", "--quiet"]);
    let text = bench.succeed(["review", "class", "--worlds", "10", "--bot", "a@1"]);
    assert!(text.contains(" games of coup, "), "{text}");
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is() {
    let bench = Bench::new();
    let log = log(&bench);
    let good = program(&bench, "good", GOOD);
    for (words, code, says) in [
        (&["--by", "nosuch"][..], 4, "program `nosuch` not found"),
        (&["--by", "./nosuch.sh"], 4, "nosuch.sh` not found"),
        (&["--by", ""], 2, "has no command"),
        (&["--by", "dialect=classic true"], 2, "classic dialect"),
        (&["--by", &good, "--time-limit", "other=5s"], 2, "limit for unknown bot `other`"),
        (&["--time-limit", "5s"], 2, "need --by COMMAND"),
        (&["--isolation", "off"], 2, "need --by COMMAND"),
    ] {
        bench.run([&["review", log], words].concat()).assert_refused(code, &[says]);
    }
    for words in [["--worlds", "10"], ["--time", "1s"]] {
        let ended = bench.run([&["review", log, "--by", &good], &words[..]].concat()).with_code(2);
        assert!(ended.stderr.contains("cannot be used with"), "{ended:?}");
    }
}

/// The page shows a program, and what a review by it prints.
#[test]
fn the_program_on_the_page_values_moves_as_shown() {
    if !is_there("python3") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/review.md")).expect("a page");
    let block = |opening: &str| {
        let (_, rest) = page.split_once(opening).expect("a block");
        rest.split_once("```\n").expect("its end").0.to_owned()
    };
    let bench = Bench::new();
    bench.write("my_bot.py", block("```python\n"));
    fs::copy(root.join("examples/matches/tablic-2-seats.jsonl"), bench.path("match.jsonl"))
        .expect("ours");
    let by = "python3 my_bot.py";
    let words = ["review", "match.jsonl", "--game", "1", "--move", "29", "--by", by];
    let text = bench.succeed([&words[..], &PATIENT].concat());
    let shown = block("as this program values it:\n\n```text\n");
    assert!(text.contains(&shown), "{text}");
}
