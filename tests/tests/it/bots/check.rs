//! `arbiter check`: bots that keep to the protocol pass, and every other one does not.

#![cfg(target_os = "linux")]

mod quick;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use tests::bench::Bench;
use tests::check::{check, fails, judged, passes};
use tests::installed::bench_with;

/// Each is checked at the games that it plays.
#[test]
fn built_in_bots_pass() {
    let bench = Bench::new();
    for bot in ["random", "greedy", "minimax --depth 1 --time 1ms"] {
        let report = bench.succeed(["check", "--games", "1", "--time-limit", "60s", bot]);
        let name = bot.split(' ').next().unwrap_or_default();
        assert!(report.starts_with(&format!("{name}: tablic, coup, durak, seed ")), "{report}");
        assert!(report.contains("\nok       tablic games              1 game against random, "));
        assert!(bot.starts_with("minimax") || !report.contains("\nwarning"), "{report}");
    }
}

/// A bot as a shell script, with the lines of the request in `request` and the legal moves in
/// `legal`.
fn script(bench: &Bench, lines: &str) -> String {
    // A key that is not known may come after the last move, too.
    let opening = "cat > request\ngrep -v '^weather ' request | sed -n '/^legal /,/^end$/p' | \
                   sed '1d;$d' > legal\n";
    bench.write("bot.sh", format!("{opening}{lines}\nrm -f request legal\n"));
    "bot=sh bot.sh".to_owned()
}

#[test]
fn a_bot_that_does_not_repeat_itself_passes_with_a_warning() {
    let bench = Bench::new();
    let bot = script(&bench, "sed -n \"$(($$ % $(wc -l < legal) + 1))p\" legal");
    let report = passes(&bench, &["--games", "0", &bot]);
    for told in [
        "\nwarning  tablic same answer twice  nondeterministic: ",
        "`seed` of the request, a clock, or the order of a hash table?",
        "bot passes: 30 steps, 1 warning\n",
    ] {
        assert!(report.contains(told), "{told}: {report}");
    }
}

/// Whatever starts Python: a set of texts has one order in all processes. If a bot opts out, the check says so.
#[test]
fn a_bot_of_python_whose_ties_go_by_the_order_of_a_set_repeats_itself() {
    let Some(bench) = bench_with("python3") else { return };
    // Each is out after its first answer.
    let source = "#!/usr/bin/env python3\nimport sys\nprint(*set('abcdefgh'), file=sys.stderr)\n";
    let script = bench.write("bot.py", source);
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).expect("ours");
    bench.write("run.sh", "exec python3 \"$1\"\n");
    let bots = ["python3 bot.py", "./bot.py", "env python3 bot.py", "sh run.sh bot.py", "random"];
    for isolation in ["auto", "off"] {
        // An interpreter may start slowly on a busy machine.
        let words = ["match", "--game", "durak", "--quiet", "--log", isolation];
        let options = ["--time-limit", "1min", "--isolation", isolation];
        bench.succeed([&words[..], &options, &bots].concat());
        let game = tests::log::games(&bench.path(isolation)).remove(0);
        let measured = game["measured"].as_array().expect("a list");
        let orders: Vec<&str> = measured.iter().filter_map(|it| it["stderr"].as_str()).collect();
        assert!(orders.len() >= 4 && orders.iter().all(|order| *order == orders[0]), "{orders:?}");
    }
    let source = "import sys\nlines = sys.stdin.read().splitlines()\n\
        first = next(k for k, l in enumerate(lines) if l.startswith('legal ')) + 1\n\
        count = int(lines[first - 1].split()[1])\n\
        print(max(set(lines[first:first + count]), key=lambda move: len(move.split())))\n";
    bench.write("bot.py", source);
    let report = passes(&bench, &["--games", "0", "bot=python3 -I bot.py"]);
    assert!(report.contains("nondeterministic") && report.contains("PYTHONHASHSEED"), "{report}");
}

#[test]
fn a_bot_that_minds_unknown_keys_fails() {
    let bench = Bench::new();
    let bot = script(&bench, "grep -q '^weather' request && exit 7\nhead -n 1 legal");
    fails(&bench, &["--games", "0", &bot], "tablic unknown keys       cut-list, crash: exit 7");
    let bot = script(&bench, "grep -q '^weather' request && sed 1d -i legal; head -n 1 legal");
    let fault = "tablic unknown keys       cut-list: unknown lines changed the answer";
    let report = fails(&bench, &["--games", "0", &bot], fault);
    assert!(report.contains("\n         expected  `KD`, as before\n"), "{report}");
    assert!(report.contains("\n                   weather fair 3\n"), "{report}");
}

/// A bot that heeds a clock may change its mind between two requests: the lines are not to blame.
#[test]
fn a_bot_that_happens_to_change_its_mind_at_unknown_keys_passes_with_a_warning() {
    let bench = Bench::new();
    let lines = "grep -q '^weather' request && ! test -e MET && touch MET && sed 1d -i legal";
    let lines = lines.replace("MET", &format!("'{}'", bench.path("met").display()));
    let bot = script(&bench, &format!("{lines}; head -n 1 legal"));
    // The bot notes its meeting outside its scratch folder, which is fresh for each request.
    let report = passes(&bench, &["--games", "0", "--isolation", "off", &bot]);
    let warning = "\nwarning  tablic unknown keys       nondeterministic: cut-list answered `";
    assert!(report.contains(warning), "{report}");
}

#[test]
fn a_bot_that_cannot_read_a_long_request_fails() {
    let bench = Bench::new();
    bench.write("first.sh", include_str!("../../../../examples/bots/shell/random.sh"));
    bench.write("short.sh", "head -c 60000 | sh \"$1\"\n");
    let fault = "tablic long request       cut-list, no-answer: nothing was printed";
    let report = fails(&bench, &["--games", "0", "sh short.sh first.sh"], fault);
    assert!(report.contains("1 of 30 steps failed"), "{report}");
}

#[test]
fn output_and_leftovers_of_a_bot_are_reported() {
    let bench = Bench::new();
    let bot = script(&bench, "head -n 1 legal; touch notes; printf 'I think\\033[2J' >&2");
    let report = passes(&bench, &["--games", "0", &bot]);
    let said = "ok       standard error            in 31 of 31 answers, at most 11 bytes, first \
                `I think\\x1b[2J`\n";
    assert!(report.contains(said), "{report}");
    assert!(report.contains("a file in its scratch folder: notes\n"), "{report}");
    let report = passes(&bench, &["--games", "0", &bench.faulty("daemon")]);
    let left = report.lines().find(|line| line.starts_with("warning  left behind "));
    assert!(left.is_some_and(|line| line.ends_with(" processes, which were killed; nothing")));
    let report = passes(&bench, &["--games", "0", &bench.faulty("stderr-mib")]);
    assert!(report.contains("\nwarning  standard error            65536 bytes of each answer are"));
}

#[test]
fn a_bot_that_cannot_be_started_fails_at_once() {
    let bench = Bench::new();
    bench.write("text", "no program");
    for (bot, why) in [("./nowhere", "not found"), ("./text", "not executable")] {
        let ended = check(&bench, &[&format!("bot={bot}")]).with_code(5);
        assert!(ended.stdout.contains("FAILED   starts") && ended.stdout.contains(why));
        assert!(ended.stdout.ends_with("1 of 1 step failed, no warnings\n"), "{ended:?}");
    }
}

#[test]
fn a_folder_is_built_before() {
    let bench = Bench::new();
    bench.write("bot/first.sh", include_str!("../../../../examples/bots/shell/random.sh"));
    let manifest = |build| {
        let lines = format!("name = 'mine'\ncommand = 'sh ./made.sh'\nbuild = {build}\n");
        bench.write("bot/bot.toml", lines);
    };
    manifest("['sh', '-c', 'echo oh no >&2; exit 3']");
    let report = fails(&bench, &["./bot"], "builds                    build failed: exit 3");
    assert!(report.contains("\n         stderr    oh no\n"), "{report}");
    assert!(report.ends_with("mine does not pass: 1 of 1 step failed, no warnings\n"), "{report}");
    manifest("'cp first.sh made.sh'");
    let ended = check(&bench, &["--games", "1", "./bot"]).with_code(0);
    assert!(ended.stdout.contains("\nok       builds\nok       starts\n"), "{ended:?}");
    assert!(ended.stdout.ends_with("mine passes: 31 steps, no warnings\n"), "{ended:?}");
}

/// Each takes all of its time, and three tell as much as thirty.
#[test]
fn a_bot_that_is_out_of_time_three_times_is_not_asked_any_more_in_that_game() {
    let bench = Bench::new();
    let head = ["check", "--time-limit", "250ms"];
    let bot = format!("bot={}", bench.faulty("sleep"));
    let ended = judged(&bench, &[&head[..], &["--game", "tablic", &bot]].concat()).with_code(5);
    assert_eq!(ended.stdout.matches("\nFAILED ").count(), 3, "{}", ended.stdout);
    let skipped = ended.stdout.lines().filter(|line| line.ends_with("  skipped after 3 timeouts"));
    assert!(skipped.clone().all(|line| line.starts_with("skipped  tablic ")), "{}", ended.stdout);
    assert_eq!(skipped.count(), 23, "{}", ended.stdout);
    let last = "bot does not pass: 3 of 30 steps failed, 23 skipped, 1 warning\n";
    assert!(ended.stdout.ends_with(last), "{}", ended.stdout);
    // It may be in time in another game.
    let ended = judged(&bench, &[&head[..], &["--json", &bot]].concat());
    for game in ["tablic", "coup", "durak"] {
        let is_failed = |line: &Value| {
            let (name, status) = (&line["step"]["name"], &line["step"]["status"]);
            *status == "failed" && name.as_str().is_some_and(|name| name.starts_with(game))
        };
        assert_eq!(ended.json().iter().filter(|line| is_failed(line)).count(), 3, "{game}");
    }
}

#[test]
fn a_second_chance_is_given_as_in_a_match_and_told_as_a_warning() {
    let bench = Bench::new();
    let lines = "grep -q '^retry 2$' request && head -n 1 legal && exit\necho 1Z";
    let bot = script(&bench, lines);
    fails(&bench, &["--games", "0", &bot], "malformed: expected a card, found `1Z`");
    let report = passes(&bench, &["--games", "1", "--retries", "2", &bot]);
    let said = "\nwarning  tablic first-move         4H, on a retry after malformed: expected";
    assert!(report.contains(said), "{report}");
    assert!(report.contains(" answers, ") && report.contains(" of them on a retry\n"));
}

/// Programs read this: it changes only with a reason.
#[test]
fn the_shape_of_json() {
    let bench = Bench::new();
    let seed = "7".repeat(64);
    let bot = format!("bot={}", bench.faulty("only-on 0 0 two-answers"));
    let ended = check(&bench, &["--json", "--seed", &seed, "--games", "0", &bot]).with_code(5);
    let mut lines = ended.json();
    let summary = lines.pop().expect("a last line");
    let expected = serde_json::json!({"summary": {
        "bot": "bot", "command": &bot[4..], "games": ["tablic"], "options": ["seats=2"], "seed": seed,
        "passed": false, "steps": 30, "failed": 1, "skipped": 1, "warnings": 0,
    }});
    assert_eq!(without_blanks(&summary), without_blanks(&expected));
    assert_eq!(lines.len(), 30);
    let starts = serde_json::json!({"step": {"name": "starts", "status": "passed", "note": ""}});
    assert_eq!(lines[0], starts);
    let first = &lines[1]["step"];
    assert_eq!(first["name"], "tablic first-move");
    assert_eq!(first["status"], "failed");
    assert_eq!(first["note"], "malformed: expected one line, found more");
    assert!(first["ms"].is_f64());
    let evidence = &first["evidence"];
    assert_eq!(evidence["expected"], "one of 8 listed moves: 4H, 4H 4C, 5D, 9H, 9S, …");
    assert_eq!(evidence["stdout"], "4H\\n4H\\n");
    assert_eq!(evidence["stderr"], "");
    let request = include_str!("../../../../examples/requests/tablic/first-move.txt");
    let request = request.replace("time 5000\n", "time 60000\n");
    assert_eq!(evidence["request"], request);
    let statuses = ["passed", "failed", "warning", "skipped"];
    assert!(lines.iter().all(|line| statuses.iter().any(|it| line["step"]["status"] == *it)));
}

/// The command as typed may end in a blank, which the log does not keep.
fn without_blanks(value: &Value) -> String {
    value.to_string().replace(' ', "")
}

/// A program that appends the first legal text to its file, and keeps the first cards.
const CLASSIC: &str = "printf '%s' \"$5\" >> \"$1\"; printf '%s\\n' \"${4%??}\"\n";

#[test]
fn a_bot_of_the_classic_dialect_is_asked_in_it() {
    let bench = Bench::new();
    bench.write("classic.sh", CLASSIC);
    let ended = bench.run(["check", "--games", "4", "dialect=classic sh classic.sh"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    for line in [
        "ok       coup first-move           income\n",
        "skipped  coup long request         the dialect of the bot has no keys\n",
        "ok       coup same answer twice    4 requests\n",
        "skipped  coup unknown keys         the dialect of the bot has no keys\n",
        "ok       coup games                4 games against random, ",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    assert!(ended.stdout.starts_with("classic: coup, seed ") && !ended.stdout.contains("tablic"));
    bench.write("silent.sh", "");
    let ended = bench.run(["check", "--games", "1", "dialect=classic sh silent.sh"]).with_code(5);
    assert!(ended.stdout.contains("FAILED   coup first-move           no-answer: "), "{ended:?}");
    assert!(ended.stdout.contains("\n         request   (abridged"), "{ended:?}");
    assert!(ended.stdout.contains("\n                   file\n"), "{ended:?}");
    assert!(ended.stdout.contains("\n                   arguments 1 1 "), "{ended:?}");
    let words = ["check", "--game", "tablic", "dialect=classic sh silent.sh"];
    bench.run(words).assert_refused(2, &["tablic has no classic dialect"]);
}

#[test]
fn a_folder_is_checked_at_its_own_games_only() {
    let bench = Bench::new();
    bench.write("bot/first.sh", include_str!("../../../../examples/bots/shell/random.sh"));
    bench.write("bot/bot.toml", "name = 'mine'\ncommand = 'sh first.sh'\ngames = ['coup']\n");
    let report = bench.succeed(["check", "--games", "0", "./bot"]);
    assert!(report.starts_with("mine: coup, seed ") && !report.contains("tablic"), "{report}");
    let report = bench.succeed(["check", "--game", "tablic", "--games", "0", "./bot"]);
    let warning = "\nwarning  bot.toml                  `games` omits tablic: matches of tablic will \
                   reject this bot\n";
    assert!(report.starts_with("mine: tablic, seed ") && report.contains(warning), "{report}");
    let refused = ["bot `mine` does not play tablic", "add it to `games` in bot.toml (now: coup)"];
    let lines = "name = 'mine'\ncommand = 'sh first.sh'\ngames = ['tablic']\ndialect = 'classic'";
    bench.write("bot/bot.toml", lines);
    let none = ["bot `./bot`: none of its games has the classic dialect"];
    bench.run(["check", "./bot"]).assert_refused(2, &none);
    bench.write("bot/bot.toml", "name = 'mine'\ncommand = 'sh first.sh'\ngames = ['coup']\n");
    bench.line("match --game tablic ./bot random").assert_refused(2, &refused);
}

#[test]
fn failed_answers_are_kept() {
    let bench = Bench::new();
    let bot = format!("bot={}", bench.faulty("only-on 0 0 two-answers"));
    fails(&bench, &["--keep", "a/b", "--games", "0", &bot], "tablic first-move");
    let kept = |name: &str| fs::read_to_string(bench.path("a/b").join(name)).expect("it is kept");
    assert_eq!(kept("tablic-first-move.stdout"), "4H\n4H\n");
    assert_eq!(kept("tablic-first-move.stderr"), "");
    assert!(kept("tablic-first-move.request").contains("\ntime 60000\n"));
    assert!(!bench.path("a/b/tablic-late-move.request").exists());
    bench.write("file", "");
    let ended = check(&bench, &["--keep", "file", "random"]);
    ended.assert_refused(2, &["`file`", "cannot keep failures"]);
}

#[test]
fn wrong_usage() {
    let bench = Bench::new();
    for words in [
        &["check"][..],
        &["check", "random", "greedy"],
        &["check", "--game", "whist", "random"],
        &["check", "--games", "-1", "random"],
        &["check", "--seed", "012", "random"],
        &["check", "--time-limit", "0", "random"],
    ] {
        let ended = bench.run(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    }
    let words = ["check", "--game", "coup", "--games", "0", "--time-limit", "1ms", "greedy"];
    assert!(matches!(judged(&bench, &words).code, Some(0 | 5)));
    bench.run(["check", "a/b=random"]).assert_refused(2, &["invalid bot name"]);
    bench.run(["check", ""]).assert_refused(2, &["no command"]);
}
