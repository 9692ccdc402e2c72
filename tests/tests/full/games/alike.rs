//! Matches between the programs of built-in players go as `arbiter simulate` plays them in one process, with every
//! kind of option and number of seats.

use bots::programs;
use tests::bench::{Bench, SEED};
use tests::log;

/// A game, options on the command line, options in the log, and a match: a number of games, and bots in the order of their
/// seats. Three seats of Tablić hold four cards in the last deal, which is searched long before time is up.
const TABLES: &str = "
tablic | | seats=2 | 2 | minimax --time none, greedy
tablic | | seats=2 | 2 | expert --worlds 100 --time none, greedy
tablic | | seats=3 | 3 | expert --worlds 20 --time none, greedy, random
tablic | | seats=3 | 3 | minimax --depth 1, greedy, minimax --depth=2 --time none
tablic | | seats=6 | 2 | random, random, greedy, greedy, random, greedy
coup | | seats=2 rules=contest | 3 | random, greedy
coup | | seats=2 rules=contest | 2 | minimax --time none, greedy
coup | | seats=2 rules=contest | 3 | greedy, greedy
coup | | seats=3 rules=court | 2 | greedy, random, random
coup | | seats=4 rules=court | 2 | greedy, random, greedy, random
coup | | seats=6 rules=court | 2 | greedy, random, greedy, random, greedy, random
durak | | seats=2 deck=36 transfer=off first-limit=6 throwers=all | 2 | greedy, random
durak | transfer=on deck=24 | seats=3 deck=24 transfer=on first-limit=6 throwers=all | 2 | greedy, random, greedy
durak | throwers=neighbours | seats=4 deck=36 transfer=off first-limit=6 throwers=neighbours | 2 | greedy, random, greedy, random
durak | deck=32 first-limit=5 | seats=5 deck=32 transfer=off first-limit=5 throwers=all | 2 | greedy, random, greedy, random, greedy
durak | deck=52 | seats=6 deck=52 transfer=off first-limit=6 throwers=all | 2 | greedy, random, greedy, random, greedy, random
";

/// The game, both kinds of options, the number of games and the bots of each row.
fn tables() -> impl Iterator<Item = ([&'static str; 4], Vec<&'static str>)> {
    TABLES.trim().lines().map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [game, said, options, count, bots] = cells[..] else { unreachable!("{row}") };
        ([game, said, options, count], bots.split(", ").collect())
    })
}

#[test]
fn programs_play_as_in_one_process_and_their_games_are_shown() {
    for ([game, said, options, count], bots) in tables() {
        let bench = Bench::new();
        let head = |command, log| [command, "--game", game, "--options", said, "--log", log];
        let simulate = [&head("simulate", "alone")[..], &["--deals", count]].concat();
        bench.succeed([&simulate[..], &["--seed", SEED], &bots].concat());
        let play = [&head("match", "log")[..], &["--games", count, "--quiet"]].concat();
        let limit = ["--seed", SEED, "--time-limit", "30s"];
        bench.succeed([&play[..], &limit, &bots].concat());
        bench.verify(&bench.path("log"));
        assert_eq!(log::lines(&bench.path("log"))[0]["header"]["options"], options);
        let [played, alone] = ["log", "alone"].map(|name| log::games(&bench.path(name)));
        assert_eq!(played.len().to_string(), count);
        for (number, game) in played.iter().enumerate() {
            // Game g of a match is deal g, with the players rotated g times.
            let same = &alone[bots.len() * number + number % bots.len()];
            for key in ["seats", "events", "result"] {
                assert_eq!(game[key], same[key], "{key} of game {number} of {bots:?}, {options}");
            }
            assert_eq!(game["result"]["ending"], "played", "{game}");
        }
        let shown = bench.succeed(["show", "log", "--game", "0"]);
        let name = played[0]["seats"][0].as_str().expect("a name");
        let result = format!("result: {name} {}", played[0]["result"]["scores"][0]);
        assert!(shown.contains(&result), "`{result}` is not in {shown}");
    }
}

#[test]
fn a_check_plays_at_a_table_of_the_size_asked_for() {
    let bench = Bench::new();
    for ([game, said, options, _], bots) in tables() {
        if game != "durak" && options != "seats=6 rules=court" {
            continue;
        }
        let seats = bots.len().to_string();
        let head = ["check", "--game", game, "--json", "--games", "2", "--seed", SEED];
        let table = ["--seats", &seats, "--options", said, "greedy"];
        let lines = bench.run([&head[..], &table].concat()).json();
        let summary = &lines.last().expect("a summary")["summary"];
        assert_eq!(summary["passed"], true, "{options}: {lines:?}");
        assert_eq!(summary["options"][0], options);
    }
    let words = ["check", "--game", "durak", "--seats", "5", "--options", "deck=24", "greedy"];
    bench.run(words).assert_refused(2, &["at most 4 seats with a deck of 24"]);
}

#[test]
fn players_of_coup_compare_with_the_yardsticks() {
    let bench = Bench::new();
    let head = ["simulate", "--game", "coup", "--json", "--deals", "60", "--seed", SEED];
    let minimax = "minimax --depth 1 --time none";
    // Below what the README has measured over more deals.
    for (one, other, least) in [
        ("greedy", "random", 0.88),
        ("greedy", "challenger", 0.94),
        ("calculator", "random", 0.8),
        (minimax, "random", 0.88),
        (minimax, "challenger", 0.92),
        (minimax, "greedy", 0.88),
        (minimax, "calculator", 0.68),
        ("expert", "random", 0.7),
        ("expert", "greedy", 0.7),
    ] {
        let report = bench.run([&head[..], &[one, other]].concat()).json().remove(0);
        assert_eq!(report["games"], 120, "{report}");
        let share = report["players"][0]["win_share"]["mean"].as_f64().expect("a share");
        assert!(share > least, "{one} against {other}: {share}");
    }
}

#[test]
fn every_program_says_which_games_it_plays() {
    let bench = Bench::new();
    let listed = bench.succeed(["bots"]);
    for program in programs::ALL.into_iter().chain(programs::YARDSTICKS) {
        let plays = program.name != "lowest";
        assert_eq!(program.games().split(", ").any(|game| game == "coup"), plays);
        assert!(listed.contains(&format!("{:10} {}", program.name, program.about)), "{listed}");
    }
    for yardstick in ["challenger", "calculator"] {
        // There is no program of that name.
        let words = ["match", "--game", "coup", "random", yardstick];
        assert_eq!(bench.run(words).code, Some(4));
        let words = ["simulate", "--game", "tablic", "random", yardstick];
        let refusal =
            format!("built-in bot `{yardstick}` does not play tablic: use random, greedy, minimax");
        bench.run(words).assert_refused(2, &[&refusal]);
    }
}
