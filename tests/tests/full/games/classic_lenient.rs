//! The option `lenient=on` of the classic dialect of Coup, with real programs: it is chosen beside the
//! dialect, a log holds it, and a log that claims or denies it wrongly is found.

#![cfg(unix)]

use std::fs;

use serde_json::{Value, json};
use tests::bench::{Bench, SEED};
use tests::classic::{all_sane, shell};
use tests::{chain, log};

/// A program that does what the winner of the contest does after it has won a challenge to a block,
/// and often comes to that.
fn winner(bench: &Bench) -> String {
    let cases = [
        ("''", "[ \"$first\" = C ] || answer=F"),
        ("?[dacs]", "answer=q"),
        ("?[dacs]q[_\\'\\<=0]", "answer=\"_$nl\""),
    ];
    let bot = shell(bench, "winner", &cases);
    bot.strip_prefix("dialect=classic ").expect("a dialect").to_owned()
}

/// Always blocks foreign aid, and so without a duke most of the time.
fn liar(bench: &Bench) -> String {
    shell(bench, "liar", &[("F", "answer=d")])
}

/// Number of times that the winner has won a challenge to a block and ended its turn, which a
/// strict reading refuses.
fn won(games: &[Value]) -> usize {
    let count = |game: &Value| {
        let end = format!("{} end", log::seat_of(game, "winner"));
        let events: Vec<&str> =
            game["events"].as_array().expect("events").iter().filter_map(Value::as_str).collect();
        let is_won = |events: &&[&str]| {
            events[0].contains(" block ")
                && events[1].ends_with(" challenge")
                && events[2].contains(" lose ")
                && events[3] == end
        };
        events.windows(4).filter(is_won).count()
    };
    games.iter().map(count).sum()
}

/// A log that claims or denies it wrongly does not verify.
#[test]
fn the_text_of_the_winner_is_a_fault_unless_it_is_allowed() {
    let bench = Bench::new();
    let (winner, liar) = (winner(&bench), liar(&bench));
    let play = |dialect: &str| {
        bench.play("coup", &["--games", "8"], &[&format!("dialect={dialect} {winner}"), &liar])
    };
    let forge = |before: &str, after: &str, says: &str| {
        let text = bench.text("log");
        let mut contents = chain::contents(&text);
        let [before, after] = [before, after].map(|it| format!("\"dialect\":\"{it}\""));
        // The winner is the first of the players.
        assert!(contents[0].contains(&before), "{}", contents[0]);
        contents[0] = contents[0].replacen(&before, &after, 1);
        bench.write("forged", chain::chain(&contents));
        bench.run(["verify", "forged"]).assert_refused(3, &[says]);
    };
    let strict = play("classic");
    let detail = "expected exactly one of `\\n` appended to the file, found `_\\n`";
    let answers = strict.iter().flat_map(log::answers);
    let faults: Vec<&Value> = answers.filter(|answer| answer["verdict"] != "ok").collect();
    assert!(!faults.is_empty(), "the case comes up");
    for fault in faults {
        assert_eq!((&fault["verdict"], &fault["detail"]), (&json!("illegal"), &json!(detail)));
    }
    assert_eq!(won(&strict), 0);
    forge("classic", "classic lenient=on", "`_\\n` is logged as illegal, but is ok");

    let games = play("classic lenient=on");
    all_sane(&games);
    assert!(won(&games) > 0);
    let replies = games.iter().flat_map(|game| log::replies(game, log::seat_of(game, "winner")));
    assert!(replies.filter(|reply| reply == "_\\n").count() >= won(&games), "the log holds them");
    let players = &log::lines(&bench.path("log"))[0]["header"]["players"];
    let dialects = [&players[0]["dialect"], &players[1]["dialect"]];
    assert_eq!(dialects, ["classic lenient=on", "classic"], "whose answers are read so");
    forge("classic lenient=on", "classic", "`_\\n` is logged as ok, but is illegal");
}

#[test]
fn a_manifest_a_plan_a_check_and_a_rerun_know_it() {
    let bench = Bench::new();
    let (winner, liar) = (winner(&bench), liar(&bench));
    let (lenient, strict) =
        (format!("dialect=classic lenient=on {winner}"), format!("dialect=classic {winner}"));
    let check =
        |bot: &str| bench.run(["check", "--thorough", "--game", "coup", "--seed", SEED, bot]);
    check(&lenient).with_code(0);
    let ended = check(&strict).with_code(5);
    assert!(ended.stdout.contains("found `_\\n`"), "{ended:?}");

    fs::create_dir(bench.path("bot")).expect("a folder");
    fs::copy(bench.path("winner.sh"), bench.path("bot/winner.sh")).expect("a copy");
    let manifest = |dialect: &str| {
        format!("name = 'winner'\ncommand = 'sh ./winner.sh'\ndialect = '{dialect}'\n")
    };
    bench.write("bot/bot.toml", manifest("classic lenient=on"));
    all_sane(&bench.play("coup", &["--games", "8"], &["./bot", &liar]));
    bench.succeed(["rerun", "log", "--seat", "0"]);
    let error = ["`./bot`: dialect=classic contradicts dialect=classic lenient=on in bot.toml"];
    bench.run(["check", "--game", "coup", "dialect=classic ./bot"]).assert_refused(2, &error);
    bench.write("bot/bot.toml", manifest("classic lenient=off"));
    let error = ["line 3", "`native`, `classic` or `classic lenient=on`"];
    bench.run(["check", "--game", "coup", "./bot"]).assert_refused(2, &error);

    let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "4", "--seed", SEED];
    bench.succeed([&words[..], &[&lenient, &liar]].concat());
    let plan = bench.text("cup/plan.toml");
    assert!(plan.contains("dialect = \"classic lenient=on\""), "{plan}");
    bench.verify(&bench.path("cup"));
    let games = log::games(&bench.path("cup/games.jsonl"));
    assert!(won(&games) > 0);
    all_sane(&games);
    let forged = plan.replacen("dialect = \"classic lenient=on\"", "dialect = \"classic\"", 1);
    bench.write("cup/plan.toml", forged);
    assert_eq!(bench.run(["verify", "cup"]).code, Some(3));
}

#[test]
fn it_is_an_option_of_one_dialect() {
    let bench = Bench::new();
    let bot = winner(&bench);
    for option in
        ["classic lenient=off", "classic lenient=", "native lenient=on", "classic lenient=On"]
    {
        let refused = format!("unknown dialect `{option}`: use dialect=native");
        let bot = format!("dialect={option} {bot}");
        bench.run(["match", "--game", "coup", &bot, "greedy"]).assert_refused(2, &[&refused]);
    }
    let alone = ["has no command: write dialect=DIALECT [NAME=]COMMAND [ARGS…]"];
    bench.line("match --game coup 'dialect=classic lenient=on' greedy").assert_refused(2, &alone);
    let bot = format!("dialect=classic \n lenient=on\t{bot}");
    all_sane(&bench.play("coup", &["--games", "1"], &[&bot, "greedy"]));
    // It is an option only after a dialect: a bot may have this name.
    assert_eq!(bench.play("coup", &[], &["lenient=greedy", "random"])[0]["seats"][0], "lenient");
}
