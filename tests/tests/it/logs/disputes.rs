//! Disputes about deals, questions and answers, settled by the commands from the log alone.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;

use record::Line;
use serde_json::{Value, json};
use series::SuspectGames;
use tests::bench::{Bench, SEED, run};
use tests::texts::assert_says;
use tests::{chain, log};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn example(name: &str) -> String {
    root().join("examples/matches").join(name).display().to_string()
}

/// Plays a match into the file `log`.
fn play(bench: &Bench, words: &[&str]) {
    let head = ["match", "--quiet", "--seed", SEED, "--log", "log", "--time-limit", "30s"];
    bench.succeed([&head[..], words].concat());
}

/// Games of built-in players in one process, one on each deal, in a log of this name.
fn simulate(bench: &Bench, log: &str, game: &str, deals: &str, bots: &[&str]) {
    let head = ["simulate", "--order", "fixed", "--seed", SEED, "--log", log];
    bench.succeed([&head[..], &["--game", game, "--deals", deals], bots].concat());
}

#[test]
fn requests_of_a_game_are_written_again_with_the_digest_of_the_log() {
    let bench = Bench::new();
    for game in ["tablic", "durak"] {
        simulate(&bench, game, game, "1", &["greedy", "random"]);
        let logged = log::games(&bench.path(game)).remove(0);
        let mut numbers = 0_u32..;
        for answer in log::answers(&logged).iter().take(20) {
            let request = numbers
                .find_map(|number| {
                    let number = number.to_string();
                    let ended = bench.run(["request", game, "--game", "0", "--move", &number]);
                    (ended.code == Some(0)).then_some(ended.stdout)
                })
                .expect("so many requests");
            let digest = rules::Digest::hash(request.as_bytes()).to_string();
            assert_eq!(digest, answer["asked"], "{request}");
            assert!(request.starts_with("arbiter 1\n") && request.ends_with("end\n"), "{request}");
        }
    }
    // One of the classic dialect is its arguments and its file.
    let log = example("coup-classic.jsonl");
    let first = bench.succeed(["request", &log, "--game=0", "--move=0"]);
    assert_eq!(first.split(' ').next(), Some("1"), "{first}");
    let answer = &log::games(log.as_ref())[0]["inputs"][2]["answer"]["asked"];
    assert_eq!(*answer, rules::Digest::hash(first.as_bytes()).to_string());
    // One that was not the logged one is not written.
    let text = bench.text("durak");
    let (before, rest) = text.split_once("\"asked\":\"").expect("an answer");
    let forged = format!("{before}\"asked\":\"{}{}", "0".repeat(64), &rest[64..]);
    bench.write("forged", chain::chain(&chain::contents(&forged)));
    let ended = bench.run(["request", "forged", "--game", "0", "--move", "0"]);
    ended.assert_refused(3, &["the logged request"]);
}

/// Or else another request than the one that was wanted would be written without notice.
#[test]
fn the_error_says_if_no_seat_was_asked() {
    let bench = Bench::new();
    let log = example("durak.jsonl");
    let of_first = ["request", &log, "--game", "0", "--move", "0"];
    let said = bench.succeed([&of_first[..], &["--retry", "0"]].concat());
    assert_eq!(bench.succeed(of_first), said);
    for (words, says) in [
        (&["request", &log, "--game", "0", "--move", "2"][..], "its move 2 has no request"),
        (&["request", &log, "--game", "0", "--move", "4000"], "it has moves from 0 to"),
        (&[&of_first[..], &["--retry", "1"]].concat(), "move 0 had 0 retries"),
        (
            &["request", &log, "--game", "9", "--move", "0"],
            "no game 9: there are 3, numbered from 0",
        ),
        (&["request", &log, "--retry", "2"], "--move <K>"),
        (&["request", &log, "--game", "0", "--retry", "0"], "--move <K>"),
        (&["explain", &log, "--retry", "2"], "--move <K>"),
        (&["explain", &log, "--game", "0", "--retry", "0"], "--move <K>"),
        (&["request", &log, "--move", "3"], "--game <N|GAME>"),
        (&["explain", &log, "--move", "3"], "--game <N|GAME>"),
    ] {
        let ended = bench.run(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{words:?}: {ended:?}");
        assert!(ended.stderr.contains(says), "{says}: {ended:?}");
    }
}

#[test]
fn built_in_bots_answer_again_what_they_answered() {
    for (game, seats) in [("tablic", 2), ("coup", 3), ("durak", 3)] {
        let bench = Bench::new();
        // A player that looks at a clock may think less far on a busy machine.
        let bots = &["minimax --depth 1 --time none", "greedy", "random"][..seats];
        simulate(&bench, "log", game, "1", bots);
        let answers = log::answers(&log::games(&bench.path("log"))[0]).len();
        let shown = bench.succeed(["rerun", "log"]);
        assert_eq!(shown, format!("{answers} answers, no differences\n"));
        let lines = bench.line("rerun log --game 0 --seat 1 --times 2 --json").json();
        assert!(lines.len() > 2 && lines[0]["answer"]["same"] == true, "{lines:?}");
        let result = &lines[lines.len() - 1]["result"];
        assert_eq!((&result["different"], &result["first"]), (&json!(0), &Value::Null));
    }
}

/// It plays the first or the last legal move, as a file says that is none of its own.
const FICKLE: &str = r#"#!/bin/sh
moves=$(sed -n '/^legal /,/^end$/p' | sed '1d;$d')
case $(cat "$1") in
    one) echo "$moves" | head -n 1 ;;
    *) echo "$moves" | tail -n 1 ;;
esac
"#;

#[test]
fn a_bot_with_a_mind_of_its_own_is_seen_to_part() {
    let bench = Bench::new();
    bench.write("fickle.sh", FICKLE);
    bench.write("mood", "one");
    let bot = format!("fickle=sh fickle.sh '/{}'", bench.path("mood").display());
    play(&bench, &["--game", "tablic", &bot, "greedy"]);
    bench.succeed(["rerun", "log", "--game", "0", "--seat", "0"]);
    // The bot's files are what they were; what it read elsewhere is not.
    bench.write("mood", "other");
    let ended = bench.run(["rerun", "log", "--game", "0"]).with_code(6);
    assert_says(&ended.stdout, &["move 0, seat 0 fickle: DIFFERENT", "seat 1 greedy: same"]);
    assert!(ended.stderr.contains("answers are different, first at game 0, move 0"), "{ended:?}");
    let ended = bench.run(["rerun", "log", "--bot", "nobody=greedy"]);
    ended.assert_refused(2, &["no bot `nobody` in the log: use one of fickle, greedy"]);
}

#[test]
fn two_runs_part_at_a_move_that_is_named() {
    let bench = Bench::new();
    for (name, other) in [("first", "random"), ("second", "random"), ("third", "greedy")] {
        simulate(&bench, name, "tablic", "3", &["a=greedy", &format!("b={other}")]);
    }
    assert_eq!(bench.succeed(["diff", "first", "second"]), "3 games, no differences\n");
    let ended = bench.run(["diff", "first", "third"]).with_code(6);
    assert!(ended.stdout.contains("note: b is `random` and `greedy`"), "{ended:?}");
    assert!(ended.stderr.contains("game 0, move 1, seat 1 b: `"), "{ended:?}");
    // A log that breaks off is different where it ends.
    let text = bench.text("second");
    bench.write("cut", text.split_inclusive('\n').take(3).collect::<String>());
    let ended = bench.run(["diff", "first", "cut"]);
    assert!(ended.stderr.contains("the second ends after 2 games"), "{ended:?}");
}

#[test]
fn a_log_is_compared_with_the_head_that_was_published() {
    let bench = Bench::new();
    play(&bench, &["--game", "coup", "--games", "2", "greedy", "random"]);
    let head = bench.succeed(["head", "log"]);
    let head = head.trim();
    for jobs in ["1", "2", "7"] {
        assert_says(&bench.succeed(["verify", "--head", head, "--jobs", jobs, "log"]), &[head]);
    }
    // A forger writes the log anew, with a time that was never measured.
    let text = bench.text("log");
    let ms =
        text.split_once("\"ms\":").and_then(|(_, rest)| rest.split(',').next()).expect("a time");
    let forged = text.replacen(&format!("\"ms\":{ms}"), "\"ms\":12345.5", 1);
    bench.write("forged", chain::chain(&chain::contents(&forged)));
    bench.succeed(["verify", "forged"]);
    bench.run(["verify", "--head", head, "forged"]).assert_refused(3, &[&format!("not {head}")]);
    let ended = bench.run(["verify", "--json", "forged", "log", "nothing"]);
    let lines = ended.json();
    let verified: Vec<&Value> = lines.iter().map(|line| &line["verified"]).collect();
    assert_eq!((ended.code, verified), (Some(2), vec![&true.into(), &true.into(), &false.into()]));
    // Every edit is named alike, however many threads look for it.
    simulate(&bench, "many", "coup", "40", &["greedy", "random"]);
    let contents = chain::contents(&bench.text("many"));
    for line in [1, 23, 40] {
        let mut forged = contents.clone();
        // Two wrong lines: the first of them is to be named.
        forged.swap(line, line + 1);
        bench.write("forged", chain::chain(&forged));
        let told = ["1", "5"].map(|jobs| bench.run(["verify", "--jobs", jobs, "forged"]).stderr);
        assert!(told[0].contains(&format!("line {}", line + 1)), "{told:?}");
        assert_eq!(told[0], told[1], "line {}", line + 1);
    }
}

#[test]
fn a_seat_is_shown_what_it_saw() {
    let bench = Bench::new();
    simulate(&bench, "log", "tablic", "1", &["greedy", "random"]);
    let hands = |words: &[&str]| {
        let shown = bench.succeed([&["show", "log", "--game", "0"], words].concat());
        let deals =
            shown.lines().filter(|line| line.contains("deal 0 ") || line.contains("deal 1 "));
        deals.map(|line| line.contains("??")).collect::<Vec<_>>()
    };
    let all = hands(&["--json"]);
    assert!(all.len() >= 8 && all.iter().all(|hidden| !hidden), "{all:?}");
    for (seat, first) in [("0", false), ("1", true)] {
        let seen = hands(&["--json", "--seat", seat]);
        let expected: Vec<bool> = (0..seen.len()).map(|deal| (deal % 2 == 0) == first).collect();
        assert_eq!(seen, expected, "seat {seat}");
    }
    let text = bench.succeed(["show", "log", "--game", "0", "--seat", "1"]);
    assert!(text.contains("greedy  ?? ?? ??") && text.contains("result: "), "{text}");
    assert_eq!(bench.run(["show", "log", "--game", "0", "--seat", "2"]).code, Some(2));
}

/// A line of the log after the other comes to be there while it is shown.
#[test]
fn a_match_is_followed_until_it_is_over() {
    let bench = Bench::new();
    simulate(&bench, "log", "coup", "3", &["greedy", "random"]);
    let whole = bench.succeed(["show", "log"]);
    let text = bench.text("log");
    // The first of two pieces ends within a line.
    let (begun, rest) = text.split_at(text.len() / 2);
    let growing = bench.write("growing", begun);
    let mut follower = bench
        .arbiter(["show", "--follow", "growing"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut shown = BufReader::new(follower.stdout.take().expect("a pipe"));
    let mut told = String::new();
    while !told.contains("result: ") {
        assert_ne!(shown.read_line(&mut told).expect("text"), 0, "it ended: {told}");
    }
    let mut file = fs::OpenOptions::new().append(true).open(growing).expect("it is ours");
    file.write_all(rest.as_bytes()).expect("there is room");
    shown.read_to_string(&mut told).expect("text");
    assert!(follower.wait().expect("it ends").success());
    assert_eq!(told, whole);
}

#[test]
fn the_games_with_a_bot_are_shown_as_its_seat_saw_them() {
    let bench = Bench::new();
    let words = ["--game", "coup", "--dir", "cup", "--deals", "1", "--seed", SEED, "--quiet"];
    let bots = ["a=greedy", "b=random", "c=greedy"];
    bench.succeed([&["tournament"], &words[..], &bots].concat());
    let show = |words: &[&str]| bench.succeed([&["show", "cup"], words].concat());
    let games = log::games(&bench.path("cup/games.jsonl"));
    let with = |bot: &str| -> Vec<(String, usize)> {
        let seats = |game: &Value| game["seats"].as_array().expect("seats").clone();
        let place = |game: &Value| seats(game).iter().position(|name| name == bot);
        games.iter().filter_map(|game| Some((game["number"].to_string(), place(game)?))).collect()
    };
    assert!(with("b").len() == 4 && games.len() == 6, "{games:?}");
    let joined = |seat: Option<&str>| {
        let one = |(game, own): (String, usize)| {
            let own = own.to_string();
            let seat = seat.map(|seat| if seat == "own" { own.as_str() } else { seat });
            let seat = seat.map(|seat| vec!["--seat", seat]).unwrap_or_default();
            show(&[&["--game", game.as_str()], &seat[..]].concat())
        };
        with("b").into_iter().map(one).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(show(&["--bot", "b"]), joined(None));
    assert_eq!(show(&["--bot", "b", "--seat", "1"]), joined(Some("1")));
    assert_eq!(show(&["--bot", "b", "--seat", "own"]), joined(Some("own")));
    let refused = |words: &[&str], says: &str| {
        bench.run([&["show", "cup"], words].concat()).assert_refused(2, &[says]);
    };
    refused(&["--bot", "d"], "no game with bot `d`: use one of `a`, `b`, `c`");
    let without = games.iter().find(|game| !game["seats"].to_string().contains("\"b\""));
    let without = without.expect("a game of the others")["number"].to_string();
    refused(
        &["--bot", "b", "--game", &without],
        &format!("bot `b` is not in game {without}: use one of `a`, `c`"),
    );
    refused(&["--seat", "own"], "--seat own needs a bot: add --bot NAME");
}

#[test]
fn a_fault_is_explained_with_all_that_belongs_to_it() {
    let bench = Bench::new();
    bench.write("bad.sh", "echo 'thinking\x1b[31m' >&2; echo 'KS KS'\n");
    play(&bench, &["--game", "tablic", "--retries", "1", "bad=sh bad.sh", "greedy"]);
    let shown = bench.succeed(["explain", "log", "--game", "0"]);
    for says in [
        "game 0, move 0: seat 0, bad (`sh bad.sh`)",
        "game 0, move 0, retry 1: seat 0, bad",
        "verdict  illegal: KS is not in the hand",
        "printed  `KS KS`",
        "legal    ",
        "time     ",
        "of 30000 ms",
        r"thinking\u{1b}[31m",
        "limits   30000 ms, 1.0 GiB of memory",
        "retry 1",
    ] {
        assert!(shown.contains(says), "{says}: {shown}");
    }
    assert!(!shown.contains('\x1b'), "{shown}");
    let one = bench.succeed(["explain", "log", "--game", "0", "--move", "0", "--retry", "1"]);
    assert!(shown.ends_with(&one) && one.starts_with("game 0, move 0, retry 1"), "{one}");
}

#[test]
fn standard_error_is_explained_as_text() {
    let bench = Bench::new();
    let bot = "bad=sh -c 'printf \"no ča\\305\\241a \\033[2J\\377\" >&2; exit 1'";
    play(&bench, &["--game", "coup", bot, "greedy"]);
    for words in [&["explain", "log"][..], &["explain", "log", "--game", "0", "--full"]] {
        assert_says(&bench.succeed(words), &["\n           no čaša \\u{1b}[2J\\xff\n"]);
    }
}

#[test]
fn explain_and_request_find_the_fault_by_themselves() {
    let bench = Bench::new();
    bench.write("bad.sh", "echo 'KS KS'\n");
    play(&bench, &["--game", "tablic", "--games", "3", "greedy", "bad=sh bad.sh"]);
    let shown = bench.succeed(["explain", "log"]);
    assert!(shown.starts_with("game 0, move 1: seat 1, bad (`sh bad.sh`)\n"), "{shown}");
    let others = "2 other answers were not ok, in games 1, 2: choose one with --game and --move";
    assert!(shown.ends_with(&format!("\n\n{others}\n")), "{shown}");
    let named = bench.succeed(["explain", "log", "--game", "0", "--move", "1"]);
    assert_eq!(shown.strip_suffix(&format!("\n{others}\n")), Some(named.as_str()));

    let ended = bench.run(["request", "log"]);
    let request = bench.succeed(["request", "log", "--game", "0", "--move", "1"]);
    assert_eq!((ended.code, &ended.stdout), (Some(0), &request));
    assert_eq!(ended.stderr, format!("note: game 0, move 1, bad\nnote: {others}\n"));
    let ended = bench.run(["request", "log", "--game", "2"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), "note: game 2, move 1, bad\n"));

    let lines = bench.run(["explain", "log", "--json"]).json();
    let answer = &lines[0]["answer"];
    assert_eq!((&answer["game"], &answer["move"]), (&0.into(), &1.into()));
    assert_eq!((&answer["verdict"], &answer["reply"]), (&"illegal".into(), &"KS KS".into()));
    let digest = rules::Digest::hash(answer["request"].as_str().expect("text").as_bytes());
    assert_eq!(answer["asked"], digest.to_string());
    assert_eq!(lines[1]["result"], json!({"answers": 1, "others": 2, "games": [1, 2]}));
    assert_eq!(lines.len(), 2);

    // How long the referee waited, for programs as for people: the numbers of the first answer come before the first
    // other key.
    let log = bench.text("log");
    let mut contents = chain::contents(&log);
    let (before, measured) = contents[1].split_once("\"measured\":[{").expect("its numbers");
    let end = ["}", ",\"stderr", ",\"escaped"].iter().filter_map(|it| measured.find(it)).min();
    let (numbers, rest) = measured.split_at(end.expect("an end"));
    contents[1] = format!("{before}\"measured\":[{{{numbers},\"referee_waited_ms\":12.5{rest}");
    bench.write("waited", chain::chain(&contents));
    for (number, waited) in [("0", json!(12.5)), ("1", Value::Null)] {
        let words = ["explain", "waited", "--game", "0", "--move", number];
        let is_told = bench.succeed(words).contains(", the referee waiting for 12.5 ms");
        assert_eq!(is_told, waited.is_number(), "move {number}");
        let line = bench.run([&words[..], &["--json"]].concat()).json().remove(0);
        assert_eq!(line["answer"].get("referee_waited_ms"), Some(&waited), "move {number}");
    }
}

#[test]
fn a_game_without_faults_has_nothing_to_explain() {
    let bench = Bench::new();
    simulate(&bench, "log", "coup", "1", &["greedy", "random"]);
    assert_eq!(bench.ok("explain log"), "log: every answer was ok\nnext: arbiter review log\n");
    let result = &bench.run(["explain", "log", "--json"]).json()[0]["result"];
    assert_eq!(*result, json!({"answers": 0, "others": 0, "games": []}));
    let words = ["no faults: choose a move with --game and --move"];
    bench.run(["request", "log"]).assert_refused(2, &words);
    bench.run(["request", "log", "--game", "0"]).assert_refused(2, &words);
}

#[test]
fn participants_put_in_words_and_no_one_chooses_the_deals() {
    let bench = Bench::new();
    let shown = bench.succeed(["seed", "cup.seed"]);
    let text = bench.text("cup.seed");
    let seed: rules::Seed = text.trim().parse().expect("64 digits");
    let commitment = rules::Digest::hash(&seed.0).to_string();
    assert_eq!(shown, format!("seed commitment: {commitment}\n"));
    assert_eq!(bench.run(["seed", "cup.seed"]).code, Some(2));
    let first_hand = |log: &str, words: &[&str]| {
        let head = ["match", "--game", "tablic", "--seed-file", "cup.seed", "--log", log];
        let shown = bench.succeed([&head[..], words, &["greedy", "random"]].concat());
        assert!(shown.starts_with(&format!("seed commitment: {commitment}")), "{shown}");
        bench.verify(&bench.path(log));
        log::games(&bench.path(log))[0]["inputs"][1]["chance"].to_string()
    };
    let plain = first_hand("plain", &[]);
    let mixed = first_hand("mixed", &["--entropy", "ann: blue", "--entropy", "bob: 42"]);
    assert_ne!(plain, mixed);
    assert_ne!(mixed, first_hand("other", &["--entropy", "bob: 42", "--entropy", "ann: blue"]));
    let header = &log::lines(&bench.path("mixed"))[0]["header"];
    assert_eq!(header["entropy"], json!(["ann: blue", "bob: 42"]));
    // Words that were not those of the participants do not fit the cards.
    let text = bench.text("mixed");
    let forged = text.replace("ann: blue", "ann: red");
    bench.write("forged", chain::chain(&chain::contents(&forged)));
    assert_eq!(bench.run(["verify", "forged"]).code, Some(3));
    bench.ok("tournament --game coup --quiet greedy random --dir cup --deals 1 --seed-file cup.seed --entropy ann");
    assert!(bench.succeed(["tournament", "status", "cup"]).contains(&commitment));
    bench.succeed(["verify", "cup"]);
}

#[test]
fn the_walk_through_of_the_readme_leads_to_the_bug() {
    let bench = Bench::new();
    let log = example("tablic-disputed.jsonl");
    let explained = bench.succeed(["explain", &log, "--game", "0"]);
    assert!(explained.contains("game 0, move 38: seat 0, jack"), "{explained}");
    let request = bench.succeed(["request", &log, "--game", "0", "--move", "38"]);
    let request = bench.write("request", request);
    for (folder, answer) in [("jack", "JS 5D 6D\n"), ("jack-mended", "JS 3D 9C\n")] {
        let script = root().join("examples/disputes").join(folder).join("jack.sh");
        let request = fs::File::open(&request).expect("it was written");
        assert_eq!(run(bench.command("sh").arg(script).stdin(request)).stdout, answer);
    }
}

/// The author of a late bot sees whether the machine may be to blame, by which numbers, and what follows.
#[test]
fn explain_says_whether_a_late_answer_makes_its_game_suspect() {
    let bench = Bench::new();
    let late = format!("late={}", bench.faulty("sleep"));
    let words = ["match", "--game", "durak", "--quiet", "--log=log", "--time-limit", "200ms"];
    bench.succeed([&words[..], &[&late, "random"]].concat());
    let mut lines = chain::contents(&bench.text("log"));
    lines.truncate(2);
    let (again, count) = (SuspectGames::PlayAgain, SuspectGames::Count);
    let least = "at least 40.0 ms";
    let (rated, only) = ("is rated: use --replay-suspect", "only suspect games");
    let cases = [
        (count, Some(1.0), Some(150.0), true, ["below half of 200.0 ms", least, rated]),
        (again, Some(1.0), Some(40.0), true, ["1.0 ms of CPU", least, "is replayed"]),
        (count, Some(100.0), Some(150.0), false, ["not below half", least, only]),
        (count, Some(1.0), Some(39.0), false, ["below half", "below 40.0 ms", only]),
        (again, None, None, false, ["CPU time was not", "wait for a CPU was not", only]),
    ];
    for (treatment, cpu, waited, is_suspect, says) in cases {
        let read = |line: &str| serde_json::from_str::<Line>(&format!("{line}}}")).expect("a line");
        let (mut header, mut game) = (read(&lines[0]), read(&lines[1]));
        if let Line::Header(header) = &mut header {
            header.suspect_games = treatment;
        }
        if let Line::Game(game) = &mut game {
            let last = game.measured.last_mut().expect("an answer");
            (last.cpu_ms, last.waited_ms, last.referee_waited_ms) = (cpu, waited, None);
        }
        let edited = [header, game].map(|line| {
            let line = serde_json::to_string(&line).expect("JSON");
            line.strip_suffix('}').expect("an object").to_owned()
        });
        bench.write("edited", chain::chain(&edited));
        let told = bench.succeed(["explain", "edited"]);
        let verdict = if is_suspect { "suspect  yes: " } else { "suspect  no: " };
        for words in says.iter().chain(&[verdict]) {
            assert!(told.contains(words), "{words}: {told}");
        }
        let told = bench.run(["explain", "edited", "--json"]).json().remove(0);
        let suspicion = &told["answer"]["suspicion"];
        assert_eq!(suspicion["suspect"], is_suspect, "{suspicion}");
        assert_eq!(suspicion["cpu_ms"].as_f64(), cpu, "{suspicion}");
        assert_eq!(suspicion["replayed"], is_suspect && treatment == again, "{suspicion}");
    }
    // An answer that was in time has nothing of it.
    let told = bench.succeed(["explain", "edited", "--game", "0", "--move", "0"]);
    assert_eq!(told.contains("suspect  "), told.contains("verdict  timeout"), "{told}");
}
