//! Bots that were handed in, in archives and under names of any script; their checks under the conditions of the
//! tournament, several at once.

use std::fs;
use std::path::Path;

use tests::archives::{gz, stored, tar_entry, zip};
use tests::bench::Bench;
use tests::submitted::{
    ANSWER, begin, entered, entrants, hand_in, hand_in_random, hand_in_script, line, names, report,
    why,
};
use tests::typing::Typing;

#[test]
fn names_of_any_script_that_differ_in_letter_case_alone_are_one() {
    let bench = Bench::new();
    for name in ["Žarko", "žarko", "Иван", "ИВАН", "ΟΔΟΣ", "οδός", "οδος", "οδοσ", "Zarko"]
    {
        hand_in_random(&bench, name, "");
    }
    let found = entered(&bench, "cup", "");
    let mut entered = names(&found);
    entered.sort_unstable();
    assert_eq!(entered, ["Zarko", "Žarko", "ΟΔΟΣ", "οδός", "ИВАН"], "{found}");
    for (folder, twin) in [("žarko", "Žarko"), ("Иван", "ИВАН"), ("οδος", "ΟΔΟΣ"), ("οδοσ", "ΟΔΟΣ")]
    {
        let why = why(&found, folder);
        let said = format!("is named `{twin}`, which differs only in case");
        assert!(why.contains(&said), "{folder}: {why}");
    }
}

#[test]
fn archives_and_sources_are_submissions_as_folders_are() {
    let bench = Bench::new();
    fs::create_dir(bench.path("handed-in")).expect("the folder is ours");
    let manifest = |name: &str| format!("name = \"{name}\"\ncommand = \"sh ./bot.sh\"\n");
    let script = format!("{ANSWER}\n");
    let zipped = zip(&[
        stored("inner/bot.toml", manifest("zipped").as_bytes()),
        stored("inner/bot.sh", script.as_bytes()),
    ]);
    let packed = [
        tar_entry("bot.toml", b'0', manifest("packed").as_bytes()),
        tar_entry("bot.sh", b'0', script.as_bytes()),
    ];
    let escapes = zip(&[stored("../bot.toml", manifest("escapes").as_bytes())]);
    for (file, content) in [
        ("zipped.zip", &zipped[..]),
        ("packed.tar.gz", &gz(&packed.concat())),
        ("single.sh", script.as_bytes()),
        ("a b.sh", script.as_bytes()),
        ("escapes.zip", &escapes),
    ] {
        bench.write(&format!("handed-in/{file}"), content);
    }
    let found = entered(&bench, "cup", "random");
    assert_eq!(names(&found), ["random", "packed", "single", "zipped"], "{found}");
    assert!(why(&found, "a b.sh").contains("not a valid bot name"), "{found}");
    assert!(why(&found, "escapes.zip").contains("`../bot.toml`"), "{found}");
    for file in ["zipped.zip", "packed.tar.gz", "single.sh", "escapes.zip"] {
        report(&bench, file);
    }

    // What a tournament plays from does not change with the archive.
    let unpacked = || fs::read_dir(bench.path("handed-in/.unpacked")).expect("it is there").count();
    assert_eq!(unpacked(), 3);
    bench.write("handed-in/single.sh", format!("{script}# another one\n"));
    let again = begin(&bench, "again", "random").with_code(0);
    assert_eq!(unpacked(), 4, "the old one is kept");
    for (name, is_old) in [("zipped", true), ("packed", true), ("single", false)] {
        let line = format!(": {name} passes, ");
        let line = again.stderr.lines().find(|told| told.contains(&line)).expect("a line");
        assert_eq!(line.ends_with("checked before"), is_old, "{}", again.stderr);
    }
}

/// Lets builds see each other's folders.
const OFF: &str = "--isolation off";

/// Answers if its request has a line; else fails.
fn needs_line(line: &str) -> String {
    format!("cat > request; grep -qx '{line}' request || exit 1\n{ANSWER} < request")
}

#[test]
fn a_check_has_the_limits_of_the_tournament_for_all_bots_and_for_one() {
    let bench = Bench::new();
    for (name, time) in [("of-all", 60), ("of-one", 62), ("usual", 5)] {
        hand_in_script(&bench, name, &needs_line(&format!("time {time}000")), "");
    }
    hand_in_script(&bench, "gone", "exit 1", "");
    // A limit may be for a bot that is refused.
    let limits = "--time-limit=of-one=62s --time-limit=gone=63s";
    let found = entered(&bench, "cup", &format!("{limits} random"));
    assert_eq!(names(&found), ["random", "of-all", "of-one"], "{found}");
    assert!(why(&found, "usual").contains("at `coup first-move`: crash: exit 1"));
    begin(&bench, "other", "--time-limit missing=1s random").assert_refused(
        2,
        &["limit for unknown bot `missing`", "random, gone, of-all, of-one, usual"],
    );

    // A plan says them for all.
    let limits = "[limits]\ntime-limit = '60s'\n[[bots]]\ncommand = 'random'\n";
    bench.write("plan.toml", format!("game = 'coup'\ndeals = 1\n{limits}"));
    bench.ok("tournament plan.toml --quiet --submissions handed-in");
    assert_eq!(names(&entrants(&bench, "plan")), ["random", "of-all"]);
}

#[test]
fn a_check_has_the_game_options_second_chances_and_dialect_of_the_tournament() {
    let bench = Bench::new();
    let asked = bench.path("asked").display().to_string();
    // One process for each of many answers: it writes down the game, and prints the first move.
    let first = "answer { print; answer = 0 } /^legal / { answer = 1 }";
    let script = format!("exec awk -v asked='{asked}' '/^game / {{ print >> asked }} {first}'");
    hand_in_script(&bench, "mine", &script, "");
    // It writes outside of its scratch folder, which an isolated bot cannot.
    let durak = "tournament --game durak --seats 3 --options deck=24 --dir durak";
    let ended = bench.line(&format!("{durak} --submissions handed-in --time-limit 60s {OFF}"));
    assert_eq!(ended.code, Some(2), "one bot makes no tournament: {ended:?}");
    let asked = bench.text("asked");
    assert!(asked.lines().any(|line| line.starts_with("game durak seats=3 deck=24 ")), "{asked}");
    assert!(!asked.contains("coup"), "{asked}");
    hand_in_script(&bench, "mine", &format!("exec awk '{first}'"), "");

    // It begins with what it does not hold, and then looks why it is asked again.
    let script = format!(
        "cat > request; grep -q '^retry ' request || {{ echo lie; exit; }}\n{ANSWER} < request"
    );
    hand_in_script(&bench, "second", &script, "");
    let classic = "printf '%s' \"$5\" >> \"$1\"; printf '%s\\n' \"${4%??}\"\n";
    hand_in_script(&bench, "classic", classic, "dialect = \"classic\"");
    let found = entered(&bench, "none", "random");
    assert!(why(&found, "second").contains("malformed: expected a move"));
    assert!(names(&found).contains(&"classic"), "{found}");
    let found = entered(&bench, "one", "--retries 1 random");
    assert!(names(&found).starts_with(&["random"]) && names(&found).contains(&"second"), "{found}");
    let report = report(&bench, "second");
    assert!(report.contains("on a retry after malformed: expected a move"), "{report}");
    assert!(report.contains(" of them on a retry\n"), "{report}");
}

/// The first of them cannot be built before the last one was, so a check that waits for the one
/// before it would never end. Builds that are kept apart could not wait for each other.
#[test]
fn submissions_are_checked_at_once_and_entered_in_order() {
    let bench = Bench::new();
    let wait = "build = ['sh', '-c', 'until [ -e ../../built ]; do sleep 0.01; done']";
    hand_in_random(&bench, "a-first", wait);
    for number in 1..4 {
        hand_in_random(&bench, &format!("b-good-{number}"), "");
        hand_in_script(&bench, &format!("c-bad-{number}"), "exit 1", "");
    }
    hand_in(&bench, "d-broken", "what is this");
    hand_in_random(&bench, "e-last", "build = ['touch', '../../built']");
    let ended = begin(&bench, "cup", &format!("{OFF} --workers 2 random")).with_code(0);
    let expected = ["random", "a-first", "b-good-1", "b-good-2", "b-good-3", "e-last"];
    assert_eq!(names(&entrants(&bench, "cup")), expected);
    // A slow tournament prints lines on the games as well.
    let refused = ended.stderr.lines().filter(|line| line.starts_with("handed-in"));
    let refused: Vec<&str> = refused.collect();
    assert_eq!(refused.len(), 5, "a line for each, and one for all: {ended:?}");
    assert!(refused[0].starts_with("handed-in/c-bad-1: rejected: failed the check"));
    assert!(refused[3].starts_with("handed-in/d-broken: rejected: "), "{ended:?}");
    assert_eq!(refused[4], "handed-in: 5 of 9 submissions entered");
    for entry in fs::read_dir(bench.path("handed-in")).expect("it is there").flatten() {
        let path = entry.path();
        let report = format!("{}.report.txt", path.display());
        assert!(path.is_file() || Path::new(&report).exists(), "no report on {path:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_is_shown_which_bots_are_checked() {
    let bench = Bench::new();
    let wait = "build = ['sh', '-c', 'until [ -e ../../go ]; do sleep 0.01; done']";
    hand_in_random(&bench, "mine", wait);
    hand_in_random(&bench, "zorro", "");
    let words = tests::command_lines::words(&line("cup", &format!("{OFF} --workers 1 random")));
    let mut typing = Typing::start(&mut bench.arbiter(words));
    typing.until("checking 1 of 2: mine");
    bench.write("go", "");
    typing.until("checking 2 of 2: zorro");
    let (status, seen) = typing.end();
    assert!(status.success(), "{seen}");
    assert!(seen.contains("handed-in: 2 of 2 submissions entered"), "{seen}");
}
