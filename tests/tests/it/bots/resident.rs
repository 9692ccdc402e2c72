//! Resident bots: one process for a seat, asked again and again.
//!
//! The bots are scripts of the shell, which is everywhere where there is a Unix.

#![cfg(unix)]

use std::fs;
use std::thread;

use serde_json::{Value, json};
use tests::bench::{Bench, run};
use tests::installed::is_there;
use tests::keeping::{Keeping, KeepingCommand};
use tests::texts::assert_says;
use tests::{log, processes};

/// More than any bot takes that answers, on any machine.
const PATIENT: &str = "60s";

/// A bot that plays the first legal move, and does something else at its turn 1, 2, 3 and so on: `$n`
/// is the number of the turn, `$move` the move.
fn script(bench: &Bench, name: &str, deed: &str) -> String {
    let text = format!(
        "n=0\n\
         play() {{ echo \"$move\"; }}\n\
         while read -r key rest; do\n\
         case $key in\n\
         legal) read -r move ;;\n\
         end) n=$((n + 1))\n\
         {deed}\n\
         ;;\n\
         esac\n\
         done\n"
    );
    bench.write(&format!("{name}.sh"), text);
    format!("{name}=resident:sh ./{name}.sh {}", bench.marker())
}

/// The games of a match of two bots, which verifies.
fn play(bench: &Bench, keeping: Keeping, options: &[&str], bots: &[&str]) -> Vec<Value> {
    let mut command = bench.arbiter(["match", "--game", "tablic", "--quiet", "--log", "log"]);
    let ended = run(command.args(options).args(bots).with_keeping(keeping));
    assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
    let path = bench.path("log");
    bench.verify(&path);
    let games = log::games(&path);
    fs::remove_file(path).expect("it was there");
    games
}

fn stderr_of(game: &Value, seat: usize) -> Vec<String> {
    let answers = log::answers(game);
    let measured = game["measured"].as_array().expect("a list");
    let own = answers.iter().zip(measured).filter(|(answer, _)| answer["seat"] == seat);
    own.map(|(_, measured)| measured["stderr"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn one_process_plays_a_whole_game() {
    for keeping in Keeping::had(Keeping::ALL) {
        let bench = Bench::new();
        let bot = script(&bench, "a", "echo $n >&2; play");
        let games = play(&bench, keeping, &["--games", "2"], &[&bot, "resident:random"]);
        for game in &games {
            assert_eq!(game["result"]["ending"], "played", "{keeping}");
            let turns = stderr_of(game, log::seat_of(game, "a"));
            let expected = (1..=turns.len()).map(|turn| format!("{turn}\\n"));
            match keeping {
                Keeping::Isolated | Keeping::Refused | Keeping::Contained | Keeping::Off => {
                    assert_eq!(turns, expected.collect::<Vec<_>>(), "{keeping}");
                }
                // There a thread reads it, and what comes late belongs to the next turn.
                Keeping::Portable => {
                    let (told, expected) = (turns.concat(), expected.collect::<String>());
                    assert!(expected.starts_with(&told), "{told}");
                }
            }
        }
        processes::wait_for_none(bench.marker());
    }
}

/// The bot's action at its second turn, the verdict, and the beginning of its details.
const FAULTS: [(&str, &str, &str); 7] = [
    ("exit 1", "crash", "exit 1"),
    ("exit 0", "crash", "exit 0 before the game was over"),
    ("printf '%s' \"$move\"; exit 0", "crash", "exit 0 before the game was over"),
    ("kill -9 $$", "crash", "signal 9 (SIGKILL)"),
    ("printf '%s\\n%s\\n' \"$move\" \"$move\"", "malformed", ""),
    ("echo nonsense", "malformed", ""),
    ("while :; do printf aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done", "output-limit", "more than"),
];

/// Actions at its second turn that last until its time is up.
const SILENCES: [&str; 3] =
    ["exec >&-; sleep 1000", "kill -STOP $$", "printf '%s' \"$move\"; sleep 1000"];

/// These ways of keeping bots in turn, as far as they can be had here.
fn in_turn<const N: usize>(list: [Keeping; N]) -> impl Iterator<Item = Keeping> {
    Keeping::had(list).collect::<Vec<_>>().into_iter().cycle()
}

#[test]
fn a_fault_ends_it() {
    // Without keepers, other code finds them: it has all, and each kind of keeper has some.
    for ((deed, verdict, detail), keeping) in FAULTS.into_iter().zip(in_turn(Keeping::THOROUGH)) {
        for keeping in [keeping, Keeping::Portable] {
            fault(keeping, deed, PATIENT, verdict, detail);
        }
    }
}

#[test]
fn a_turn_has_a_time_limit() {
    // At once, since most of the time nothing happens.
    thread::scope(|scope| {
        for (deed, keeping) in SILENCES.into_iter().zip(in_turn(Keeping::ALL)) {
            scope.spawn(move || fault(keeping, deed, "8s", "timeout", "no line within 8000 ms"));
        }
    });
}

/// Checks what becomes of a bot that does this at its second turn.
fn fault(keeping: Keeping, deed: &str, time: &str, verdict: &str, detail: &str) {
    let bench = Bench::new();
    let deed = format!("if [ $n = 2 ]; then {deed}; else play; fi");
    let bot = script(&bench, "a", &deed);
    let times = [format!("a={time}"), format!("b={PATIENT}")];
    let options = ["--time-limit", &times[0], "--time-limit", &times[1]];
    let games = play(&bench, keeping, &options, &[&bot, "b=resident:random"]);
    let case = format!("{keeping}, {deed}: {}", games[0]);
    let answers = log::answers(&games[0]);
    let own: Vec<&&Value> = answers.iter().filter(|answer| answer["seat"] == 0).collect();
    let [first, second] = own[..] else { panic!("{case}") };
    assert_eq!((&first["verdict"], &second["verdict"]), (&json!("ok"), &json!(verdict)), "{case}");
    assert!(second["detail"].as_str().unwrap_or_default().starts_with(detail), "{case}");
    processes::wait_for_none(bench.marker());
}

/// A process started by the bot waits for a word of the opponent, and says that it goes on.
const THINKS: &str =
    "if [ $n = 1 ]; then (while [ ! -e SHARED/go ]; do sleep 0.01; done; SAYS) & fi; play";

/// As above, but the process leaves the group of the bot, which waits for it at its second turn.
const LEAVES: &str = "if [ $n = 1 ]; then setsid sh -c ': >SHARED/left; while [ ! -e SHARED/go ]; do \
                      sleep 0.01; done; : >SHARED/thought' MARKER & \
                      while [ ! -e SHARED/left ]; do sleep 0.1; done; fi; \
                      if [ $n = 2 ]; then while [ ! -e SHARED/thought ]; do sleep 0.1; done; fi; play";

/// Two bots in a folder that both can write: the first has a deed, the second another one at its first turn.
fn sharing(deed: &str, other: &str) -> (Bench, [String; 2]) {
    let bench = Bench::new();
    fs::create_dir(bench.path("shared")).expect("a folder");
    let shared = bench.path("shared").display().to_string();
    let put = |text: &str| text.replace("SHARED", &shared).replace("MARKER", bench.marker());
    let other = format!("if [ $n = 1 ]; then {other}; fi; play");
    let bots = [("a", deed), ("b", &other)].map(|(name, deed)| script(&bench, name, &put(deed)));
    (bench, bots)
}

/// In its group, and outside of it.
#[test]
fn it_is_stopped_between_its_turns() {
    let group = THINKS.replace("SAYS", "touch SHARED/thought");
    let mut cases = vec![(Keeping::Off, group.as_str()), (Keeping::Portable, &group)];
    if is_there("setsid") {
        cases.push((Keeping::Off, LEAVES));
    }
    for (keeping, thinks) in cases {
        let look = ": >SHARED/go; sleep 1; [ ! -e SHARED/thought ] || echo awake >&2";
        let (bench, bots) = sharing(thinks, look);
        let bots = bots.each_ref().map(String::as_str);
        let games = play(&bench, keeping, &["--time-limit", PATIENT], &bots);
        assert_eq!(games[0]["result"]["ending"], "played", "{keeping}: {}", games[0]);
        assert_eq!(stderr_of(&games[0], 1)[0], "", "{keeping}: {}", games[0]);
        processes::wait_for_none(bench.marker());
    }
}

#[test]
fn an_isolated_one_is_stopped_between_its_turns() {
    let bench = Bench::new();
    if !Keeping::Isolated.can_be_had(&bench) {
        return;
    }
    // Nothing is shared, so what it has started looks at the clock.
    let clock = "before=$(date +%s); : >begun; while :; do now=$(date +%s); \
                 [ $((now - before)) -lt 3 ] || : >gap; before=$now; done";
    let a = format!(
        "if [ $n = 1 ]; then ({clock}) & while [ ! -e begun ]; do sleep 0.1; done; fi\n\
         if [ $n = 2 ]; then while [ ! -e gap ]; do sleep 0.1; done; kill $!; fi\n\
         play"
    );
    let bots = [script(&bench, "a", &a), script(&bench, "b", "[ $n != 1 ] || sleep 5; play")];
    let bots = bots.each_ref().map(String::as_str);
    let games = play(&bench, Keeping::Isolated, &["--time-limit", PATIENT], &bots);
    assert_eq!(games[0]["result"]["ending"], "played", "{}", games[0]);
}

/// A timer of the kernel can let a stopped process go on. It makes no difference to a bot without the
/// processor if its time is spent in the kernel.
#[test]
fn one_that_computes_while_it_is_stopped_is_out() {
    if !is_there("cc") {
        return;
    }
    let works = ["work++", "getrandom(bytes, sizeof bytes, 0)"];
    thread::scope(|scope| {
        for (work, keeping) in works.into_iter().zip(in_turn(Keeping::THOROUGH)) {
            scope.spawn(move || is_out_for(keeping, work));
        }
    });
}

/// Checks that a bot is out that does this while it is stopped.
fn is_out_for(keeping: Keeping, work: &str) {
    let bench = Bench::new();
    bench.write("a.c", AWAKE.replace("WORK", work));
    let mut compiler = bench.command("cc");
    compiler.args(["-O1", "-o", "a", "a.c", "-lrt"]);
    run(&mut compiler).with_code(0);
    let b = script(&bench, "b", "[ $n != 1 ] || sleep 5; play");
    let bots = ["a=resident:./a", &b];
    let games = play(&bench, keeping, &["--time-limit", PATIENT], &bots);
    let answers = log::answers(&games[0]);
    let last = answers.last().expect("somebody was asked");
    let told = json!({ "verdict": last["verdict"], "detail": last["detail"] });
    let detail = "it computed while others had their turns";
    let expected = json!({ "verdict": "crash", "detail": detail });
    assert_eq!(told, expected, "{keeping}: {}", games[0]);
}

/// A bot that timers let go on again and again for four seconds, and that then computes a little.
const AWAKE: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
static volatile unsigned long work;
static char bytes[1 << 20];
static long since(struct timespec begun) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - begun.tv_sec) * 1000000000L + now.tv_nsec - begun.tv_nsec;
}
static void compute(int signal) {
    struct timespec begun;
    (void)signal;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    while (since(begun) < 15000000)
        WORK;
}
int main(void) {
    static char line[1 << 16], move[1 << 12];
    static timer_t timers[200];
    int is_move = 0;
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT };
    for (int timer = 0; timer < 200; timer++)
        timer_create(CLOCK_MONOTONIC, &event, &timers[timer]);
    while (fgets(line, sizeof line, stdin)) {
        if (is_move)
            strcpy(move, line), is_move = 0;
        else if (!strncmp(line, "legal ", 6))
            is_move = 1;
        else if (!strcmp(line, "end\n")) {
            fputs(move, stdout);
            for (long timer = 0; timer < 200; timer++) {
                long at = 20000000 * (timer + 1);
                struct itimerspec once = { { 0, 0 }, { at / 1000000000, at % 1000000000 } };
                timer_settime(timers[timer], 0, &once, NULL);
            }
            signal(SIGCONT, compute);
            fflush(stdout);
        }
    }
}
"#;

#[test]
fn it_may_ponder_but_not_print_before_a_request() {
    let wait = "touch SHARED/go; while [ ! -e SHARED/thought ]; do sleep 0.01; done";
    for keeping in Keeping::OPEN {
        for (says, verdict, detail) in [
            ("touch SHARED/thought", json!("ok"), Value::Null),
            (
                "echo \"$move\"; touch SHARED/thought",
                json!("malformed"),
                json!("printed before it was asked"),
            ),
        ] {
            let (bench, [a, b]) = sharing(&THINKS.replace("SAYS", says), wait);
            let games = play(&bench, keeping, &["--ponder", "--time-limit", PATIENT], &[&a, &b]);
            let answers = log::answers(&games[0]);
            let last = answers.last().expect("somebody was asked");
            assert_eq!(
                (&last["verdict"], &last["detail"]),
                (&verdict, &detail),
                "{keeping}: {last}"
            );
            processes::wait_for_none(bench.marker());
        }
    }
}

#[test]
fn one_that_does_not_end_is_ended() {
    for keeping in Keeping::had(Keeping::ALL) {
        let bench = Bench::new();
        // It ignores the end of its input, and what it has started carries the marker, too.
        let deed = "[ $n != 1 ] || (sh -c 'sleep 1000; :' MARKER) & trap '' TERM; play";
        let bot = script(&bench, "a", &deed.replace("MARKER", bench.marker()));
        let text = bench.text("a.sh");
        bench.write("a.sh", text + "sleep 1000\n");
        play(&bench, keeping, &["--games", "2"], &[&bot, "resident:random"]);
        processes::wait_for_none(bench.marker());
    }
}

/// A folder with a bot that keeps the last legal move beside the first.
fn remembering(bench: &Bench, manifest: &str) {
    let text = "n=0\n\
                while read -r key count rest; do\n\
                case $key in\n\
                legal) read -r move; last=$move\n\
                while [ $count -gt 1 ]; do read -r last; count=$((count - 1)); done ;;\n\
                end) n=$((n + 1)); [ $((n % 2)) = 0 ] && move=$last; echo \"$move\" ;;\n\
                esac\n\
                done\n";
    bench.write("mine/bot.sh", text);
    let own = "name = 'mine'\ncommand = 'sh ./bot.sh'\nmode = 'resident'\n";
    bench.write("mine/bot.toml", format!("{own}{manifest}"));
}

#[test]
fn a_rerun_asks_it_from_the_beginning() {
    let bench = Bench::new();
    remembering(&bench, "");
    bench.succeed(["match", "--game", "tablic", "--quiet", "--log", "log", "./mine", "random"]);
    assert_says(&bench.succeed(["rerun", "log", "--bot", "mine=./mine"]), &["no differences"]);
    run(&mut bench.arbiter(["rerun", "log", "--bot", "mine=sh ./mine/bot.sh"])).with_code(6);
}

#[test]
fn a_check_finds_that_it_remembers() {
    let bench = Bench::new();
    remembering(&bench, "");
    let check = ["check", "--game", "tablic", "--games", "2", "./mine"];
    let ended = run(&mut bench.arbiter(check)).with_code(5);
    assert!(ended.stdout.contains("set `remembers = true` in bot.toml"), "{ended:?}");
    fs::remove_dir_all(bench.path("mine")).expect("it is there");
    remembering(&bench, "remembers = true\n");
    assert_says(&bench.succeed(check), &["its bot.toml says `remembers = true`"]);
    for bot in ["resident:random", "resident:greedy", "resident:minimax"] {
        let told = bench.succeed(["check", "--game", "coup", "--games", "0", bot]);
        assert!(told.contains("started anew"), "{bot}: {told}");
    }
}

#[test]
fn a_plan_says_how_long_a_program_lives() {
    let bench = Bench::new();
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'random'\nmode = 'resident'\n");
    for (mode, logged) in [("per-move", Value::Null), ("resident", json!("resident"))] {
        let bots = format!("[[bots]]\ncommand = './mine'\nmode = '{mode}'\n");
        let other = "[[bots]]\ncommand = 'random'\n";
        bench.write("cup.toml", format!("game = 'coup'\ndeals = 1\n{bots}{other}"));
        bench.succeed(["tournament", "--quiet", "cup.toml"]);
        bench.succeed(["verify", "cup"]);
        let lines = log::lines(&bench.path("cup/games.jsonl"));
        assert_eq!(lines[0]["header"]["players"][0]["mode"], logged, "{mode}");
        fs::remove_dir_all(bench.path("cup")).expect("it is there");
    }
}

#[test]
fn wrong_uses_of_resident_are_refused() {
    let bench = Bench::new();
    let cases = [
        ("dialect=classic resident:./x", "speaks the classic dialect and is started per"),
        ("resident:a=./x", "put resident: after the name: NAME=resident:COMMAND"),
        ("a=resident:", "has no command"),
    ];
    for (bot, problem) in cases {
        bench.run(["match", "--game", "coup", bot, "random"]).assert_refused(2, &[problem]);
    }
}
