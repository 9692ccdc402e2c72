//! Submissions of starters and for custom games, and the seeds of their checks.

use std::collections::BTreeSet;
use std::fs;

use tests::bench::Bench;
use tests::handing_in::{Server, bot, with_script};
use tests::league::{folder, league, play};
use tests::{installed, own_games};

#[test]
fn a_bot_enters_a_league_of_a_game_of_ones_own() {
    let bench = Bench::new();
    let Some(leduc) = own_games::leduc_beside_logs(&bench) else { return };
    bench.succeed(["league", "new", "class", "--game", leduc, "--round-deals", "2"]);
    bench.ok("league add class random");
    // The game of its author is no longer needed.
    fs::remove_dir_all(bench.path(leduc)).expect("ours");
    let server = Server::start(bench);
    let anna = server.invite("anna");
    let told = server.hand_in(&anna, "bot.zip", &with_script("echo fold\n"));
    assert_eq!(told["verdict"], "refused", "{told}");
    let told = server.hand_in(&anna, "bot.zip", &bot("anna's"));
    assert_eq!(told["bot"], "anna@1", "{told}");
    play(&server.bench, "4");
    assert!(server.bench.ok("verify class").contains("of leduc"));
}

/// All checks had the seed 000…0, so a bot could be made for the games of its check.
#[test]
fn each_check_has_a_seed_of_its_own_which_its_report_names() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let mut seeds = BTreeSet::from(["0".repeat(64)]);
    for comment in ["one", "two"] {
        let told = server.hand_in(&anna, "bot.zip", &bot(comment));
        let report = told["report"].as_str().expect("a report");
        let first = report.lines().next().expect("a line");
        let (_, seed) = first.split_once(", seed ").expect("a seed");
        assert!(seeds.insert(seed.to_owned()), "{first}");
        // The command makes the same check.
        folder(&server.bench, "again", "anna", comment);
        let check = format!("check ./again --game coup --seed {seed} --games 4");
        let again = server.bench.ok(&check);
        assert!(again.starts_with(first), "{first}: {again}");
    }
}

/// The starters in Python and JavaScript have a library beside their bot, which a single source lacked.
#[test]
fn the_bot_of_a_starter_enters_as_a_single_source() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    // The last one is sent once more under another name.
    let languages = [("node", "random.js", "node"), ("python", "bot.py", "python3")];
    let there = languages.into_iter().filter(|(.., program)| installed::is_there(program));
    for (version, (language, file, _)) in (1..).zip(there) {
        server.bench.ok(&format!("new {language} --language {language}"));
        let content = fs::read(server.bench.path(&format!("{language}/{file}"))).expect("a source");
        let told = server.hand_in(&anna, file, &content);
        assert_eq!(told["bot"], format!("anna@{version}"), "{told}");
        if language == "python" {
            let changed = [content, b"\n\n".to_vec()].concat();
            let told = server.hand_in(&anna, "mine.py", &changed);
            assert_eq!(told["verdict"], "entered", "{told}");
        }
    }
}
