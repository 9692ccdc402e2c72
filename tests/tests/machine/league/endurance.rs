//! A contest of 40 in which everything happens that can: submissions that are late or corrected, newcomers, games that
//! are void and replayed, a backup that is restored, a disqualified finalist, a tied final. In the end anybody can verify it.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::thread;

use rustix::process::geteuid;
use serde_json::{Value, json};
use tests::archives::{stored, zip};
use tests::bench::{Bench, files_below, run};
use tests::handing_in::{MANIFEST, Server, ahead, bot, json as read, set};
use tests::keeping::as_user;
use tests::league::{last_stage, round, states, status};
use tests::missing;
use tests::texts::assert_says;

const PARTICIPANTS: usize = 40;
/// Participants whose bots the organiser adds before the first round, and those that come between rounds.
const EARLY: usize = 26;
/// Participants that submit over the pages.
const SUBMIT: std::ops::Range<usize> = EARLY..34;
/// The one that corrects what is being checked, and the one that is late.
const CORRECTING: usize = 33;
const LATE: usize = 39;
/// The user `nobody`.
const NOBODY: u32 = 65_534;

/// A text on standard error, which only its author and the organiser may read.
const PRIVATE: &str = "a private thought";

/// A bot that says something private with each answer, and plays the first move that is listed.
const TALKING: &str = "request=$(cat)
echo \"a private thought\" >&2
echo \"$request\" | sed -n '/^legal /{n;p;}'
";

/// A bot that plays the first move that is listed as long as it has 30 s, and with 20 s a coup as soon as it can.
const IMPROVING: &str = "request=$(cat)
moves=$(echo \"$request\" | sed '1,/^legal /d')
case $request in
  *'time 20000'*) better=$(echo \"$moves\" | grep -m 1 '^coup') ;;
esac
echo \"${better:-$(echo \"$moves\" | head -n 1)}\"
";

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

fn name(number: usize) -> String {
    format!("p{number}")
}

/// The tokens of the participants, whose bots enter in this order.
fn begin(bench: &Bench) -> Vec<String> {
    bench.ok("league new class --game coup --round-deals 1 --time-limit 30s");
    bench.ok("league add class random greedy");
    let list: String = (0..PARTICIPANTS).map(|it| format!("p{it},Person {it} Example\n")).collect();
    bench.write("class.csv", format!("name,person\n{list}"));
    let told = bench.ok("league invite class --csv class.csv");
    let token = |line: &str| line.rsplit(',').next().expect("a token").to_owned();
    let tokens: Vec<String> = told.lines().skip(1).map(token).collect();
    assert_eq!(tokens.len(), PARTICIPANTS);
    set(bench, &format!("deadline = {}", ahead(36_000)));
    add(bench, 0..EARLY);
    tokens
}

/// Adds built-in bots of these participants.
fn add(bench: &Bench, numbers: std::ops::Range<usize>) {
    let bots = numbers.map(|it| format!(" p{it}={}", ["random", "greedy"][it % 2]));
    bench.ok(&format!("league add class{}", bots.collect::<String>()));
}

/// Plays a round with as many tables as there are bots, and gives its number. The league verifies.
fn play(bench: &Bench) -> u64 {
    let active = states(bench).iter().filter(|it| it.ends_with(" active")).count();
    bench.ok(&format!("league run class --games {} --quiet", 2 * active));
    assert_adds_up(bench);
    status(bench)["rounds"].as_u64().expect("a number") - 1
}

/// Asserts that the league verifies, and that its standings count the games of its rounds that are not void.
fn assert_adds_up(bench: &Bench) {
    assert_says(&bench.ok("verify class"), &[": ok, "]);
    let counted = |more: &str| {
        let line = format!("league standings class --json {more}");
        let standings = bench.line(&line).json()[0]["result"]["standings"].clone();
        standings["all"]["games"].as_u64().expect("a number")
    };
    let rounds = status(bench)["rounds"].as_u64().expect("a number");
    let over = |number: u64| round(bench, &number.to_string())["over"]["games"].as_u64();
    let played: u64 = (0..rounds).filter_map(over).sum();
    let corrections = bench.line("league corrections class --json").json();
    let void: u64 = corrections.iter().map(|it| void_games(bench, &it["correction"])).sum();
    assert_eq!(counted(""), played - void, "{corrections:?}");
    let replayed: u64 = corrections.iter().map(|it| replayed_games(&it["correction"], bench)).sum();
    assert_eq!(counted("--as-played"), played - replayed);
}

/// The number of games of a correction; all corrections here are of games of a round, or of a round.
fn void_games(bench: &Bench, correction: &Value) -> u64 {
    match correction["games"].as_array().filter(|games| !games.is_empty()) {
        Some(games) => games.len() as u64,
        None => {
            let number = correction["round"].to_string();
            round(bench, &number)["over"]["games"].as_u64().expect("a number")
        }
    }
}

fn replayed_games(correction: &Value, bench: &Bench) -> u64 {
    let rounds = correction["replayed_in"].as_array().into_iter().flatten();
    let games = |number: &Value| {
        let over = &round(bench, &number.to_string())["over"]["games"];
        over.as_u64().expect("a number")
    };
    rounds.map(games).sum()
}

/// The names of the bots of a round, and its tables.
fn tables(bench: &Bench, number: u64) -> Vec<Vec<String>> {
    let line = round(bench, &number.to_string());
    let bots = line["bots"].as_array().expect("bots").clone();
    let seated = |table: &Value| {
        let places = table["bots"].as_array().expect("places").iter();
        places.map(|it| text(&bots[it.as_u64().expect("a place") as usize])).collect()
    };
    line["tables"].as_array().expect("tables").iter().map(seated).collect()
}

#[test]
fn endurance_of_a_contest_with_every_exception() {
    let bench = Bench::new();
    let tokens = begin(&bench);
    play(&bench);
    play(&bench);
    let bench = newcomers_submit(bench, &tokens);
    let mixed = play(&bench);
    let newcomers: BTreeSet<String> = SUBMIT.map(|it| format!("p{it}@1")).collect();
    let all = tables(&bench, mixed);
    for newcomer in &newcomers {
        let own: Vec<_> = all.iter().filter(|table| table.contains(newcomer)).collect();
        let meets = |it: &String| !newcomers.contains(it);
        let others = own.iter().filter(|table| table.iter().any(meets)).count();
        assert!(2 * others >= own.len(), "{newcomer}: {own:?}");
    }
    bench.write("talking.sh", TALKING);
    bench.write("improving.sh", IMPROVING);
    bench.ok("league add class 'p34=sh talking.sh' 'p35=sh improving.sh'");
    add(&bench, 36..LATE);
    play(&bench);
    let bench = late_one_is_extended(bench, &tokens);
    play(&bench);
    void_and_replay(&bench, mixed);
    let left = final_of_groups(&bench);
    tied_final(&bench, &left);
    everybody_verifies(&bench, &tokens, &left);
}

/// Participants submit at the same time. One of them corrects what is being checked.
fn newcomers_submit(bench: Bench, tokens: &[String]) -> Bench {
    let server = Server::start(bench);
    let entering = server.bench.lock("class/entering");
    thread::scope(|scope| {
        for number in SUBMIT {
            let (server, token) = (&server, &tokens[number]);
            scope.spawn(move || {
                let content = bot(&name(number));
                assert_eq!(server.send(token, "bot.zip", &content).status_code, 202);
            });
        }
    });
    drop(entering);
    // It is checked for as long as it hangs: nothing but its correction ends that.
    let token = &tokens[CORRECTING];
    let hangs = zip(&[stored("bot.toml", MANIFEST), stored("bot.sh", b"sleep 1000\n")]);
    server.decided(token, 1);
    let sent = read(&server.send(token, "bot.zip", &hangs));
    assert_eq!(sent["number"], 2, "{sent}");
    tests::running::wait_until("it is checked", || {
        read(&server.get("submissions/2", token))["verdict"] == "checking"
    });
    let sent = read(&server.send(token, "bot.zip", &bot("corrected")));
    assert_eq!(sent["number"], 3, "{sent}");
    assert_eq!(server.decided(token, 2)["verdict"], "replaced");
    assert_eq!(server.decided(token, 3)["bot"], "p33@2");
    for number in SUBMIT {
        let told = server.decided(&tokens[number], 1);
        assert_eq!(told["bot"], format!("p{number}@1"), "{told}");
    }
    let bench = server.ended();
    // The first version was right after all.
    bench.ok("league choose class p33@1 --reason 'asked by its author'");
    bench.ok("verify class");
    bench
}

/// The deadline passes, and one has an exception.
fn late_one_is_extended(bench: Bench, tokens: &[String]) -> Bench {
    set(&bench, &format!("deadline = {}", ahead(-60)));
    let server = Server::start(bench);
    let token = &tokens[LATE];
    let told = read(&server.send(token, "bot.zip", &bot("late")));
    assert_eq!(told["verdict"], "late", "{told}");
    server
        .bench
        .ok("league extend class p39 --until 2100-01-01T00:00:00Z --reason 'ill until today'");
    let told = server.hand_in(token, "bot.zip", &bot("in time"));
    assert_eq!(told["bot"], "p39@1", "{told}");
    let exceptions = &status(&server.bench)["exceptions"];
    assert_eq!(exceptions[0]["participant"], "p39", "{exceptions}");
    let bench = server.ended();
    let active = states(&bench).iter().filter(|it| it.ends_with(" active")).count();
    assert_eq!(active, PARTICIPANTS + 2);
    bench
}

/// A round is void, and replayed with new cards.
fn void_and_replay(bench: &Bench, number: u64) {
    let correct = |action: &str| {
        let reason = "--reason 'the machine ran out of memory'";
        bench.ok(&format!("league {action} class {number} {reason}"));
    };
    correct("void");
    assert_adds_up(bench);
    correct("replay");
    let left = || bench.line("league corrections class --json").json();
    for _ in 0..4 {
        if left()[0]["correction"]["to_replay"] == 0 {
            break;
        }
        play(bench);
    }
    let corrections = left();
    assert_eq!(corrections[0]["correction"]["to_replay"], 0, "{corrections:?}");
    assert_ne!(corrections[0]["correction"]["replayed_in"], json!([]), "{corrections:?}");
}

/// Groups and a knockout, with a backup in the middle. One of the last two is disqualified, and named.
fn final_of_groups(bench: &Bench) -> String {
    assert_says(&bench.ok("league stage class --deals 1 --deciders 2 --name final --format groups --groups 8 --first 2 --third-place"), &[": 40 bots"]);
    bench.ok("league run class --games 1 --quiet");
    bench.ok("league run class --games 1 --quiet");

    // The machine is lost, and another one has the backup.
    bench.ok("league backup class class.tar.gz");
    fs::rename(bench.path("class"), bench.path("lost")).expect("ours");
    bench.ok("league restore class.tar.gz class");
    let [before, after] = ["lost", "class"].map(|folder| bench.succeed(["head", folder]));
    assert_eq!(before, after);
    assert_adds_up(bench);

    // Play until the final, which is the last round with two matches.
    let out = loop {
        bench.ok("league plan-round class --shards 1 --plain");
        let rounds = last_stage(bench)["rounds"].as_array().expect("rounds").clone();
        let last = rounds.last().expect("a round");
        let matches = last["matches"].as_array().expect("matches");
        let is_final = |it: &&Value| it["match"] == json!({ "knockout": 2 });
        let out = matches.iter().find(is_final).map(|it| text(&it["bots"][0]));
        let folder = format!("class/rounds/{}", last["round"]);
        if let Some(out) = &out {
            let name = out.split('@').next().expect("a name");
            let words =
                format!("league disqualify class {name} --reason 'copied from another one'");
            let told = bench.line(&words);
            assert!(
                told.code == Some(0) && told.stderr.contains("concedes the current match"),
                "{told:?}"
            );
        }
        bench.ok(&format!("tournament run-shard {folder} --shard 0 --quiet"));
        bench.ok("league take-round class");
        if let Some(out) = out {
            break out;
        }
    };
    bench.ok("league run class --stage --quiet");
    assert_adds_up(bench);
    let over = last_stage(bench);
    assert_eq!(over["state"], "over", "{over}");
    assert_eq!(over["places"].as_array().map(Vec::len), Some(PARTICIPANTS), "{over}");
    assert_eq!(over["left"][0]["how"], "disqualified", "{over}");
    assert_says(&bench.ok("league stages class"), &["won by withdrawal"]);
    out
}

/// A final of two bots that play alike until one of them has less time.
fn tied_final(bench: &Bench, disqualified: &str) {
    let is_last = |number: &usize| [31, 35].contains(number);
    let others = (0..PARTICIPANTS).filter(|it| !is_last(it)).map(name);
    let others = others.filter(|it| disqualified.split('@').next() != Some(it));
    let without: String = others.map(|it| format!(" --without {it}")).collect();
    let more = "--format knockout --seeds entry --deals 1 --deciders 9 --name 'once more'";
    let told = bench.ok(&format!("league stage class {more}{without}"));
    assert!(told.contains("seeds: p31@1, p35@1"), "{told}");
    bench.ok("league run class --games 1 --quiet");
    bench.replace("class/league.toml", "\"30s\"", "\"20s\"");
    bench.ok("league run class --stage --quiet");
    assert_adds_up(bench);
    let over = last_stage(bench);
    let rounds = over["rounds"].as_array().expect("rounds");
    assert!(rounds.len() > 1, "the final was tied: {over}");
    let decided = &rounds[0]["matches"][0]["decided"];
    assert_eq!(decided, "deciders", "{over}");
    assert_says(&bench.ok("league stages class"), &["in extra deals"]);
}

/// The published folder verifies for another user, and has nothing private.
fn everybody_verifies(bench: &Bench, tokens: &[String], disqualified: &str) {
    assert_says(&bench.ok("league certificates class -o all.html"), &[" certificates"]);
    let page = bench.text("all.html");
    for number in 0..PARTICIPANTS {
        let has_one = page.contains(&format!(">Person {number} Example<"));
        assert_eq!(has_one, !disqualified.starts_with(&format!("p{number}@")), "{number}");
    }
    let events = bench.ok("league events class");
    for number in 0..PARTICIPANTS {
        assert!(events.contains(&format!("p{number}@1 has entered")), "{number}: {events}");
    }
    bench.ok("league publish class -o open");
    for file in files_below(&bench.path("open")) {
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        let private = [PRIVATE, "Example"].into_iter().chain(tokens.iter().map(String::as_str));
        for private in private {
            assert!(!text.contains(private), "{private} in {}", file.display());
        }
    }
    let own = bench.ok("verify open");
    assert!(own.contains(": ok, ") && own.contains(bench.ok("head class").trim()));
    if !geteuid().is_root() {
        return missing::tell("only root verifies as another user");
    }
    let verify = bench.arbiter(["verify", "open"]);
    let ended = run(&mut as_user(bench, &verify, NOBODY));
    assert_eq!((ended.code, ended.stdout), (Some(0), own), "{}", ended.stderr);
}
