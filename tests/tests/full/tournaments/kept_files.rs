//! Programs of the classic dialect that keep their files for all games of a tournament.

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::classic::shell;
use tests::log;
use tests::tournament::{coup, verify};

/// A program that counts its calls in its own folder, and says the number on standard error.
fn counter(bench: &Bench, name: &str) -> String {
    // Before the first game every program is started once without anything to answer.
    let count = "if [ -n \"$first\" ]; then echo >> calls; wc -l < calls >&2; fi";
    shell(bench, name, &[("*", count)])
}

/// The numbers that a bot has said, by games.
fn counted(games: &[Value], name: &str) -> Vec<Vec<u64>> {
    let of_game = |game: &Value| {
        let seat = game["seats"].as_array()?.iter().position(|it| it == name)?;
        let answers = log::answers(game).into_iter().zip(game["measured"].as_array()?);
        let own = answers.filter(|(answer, _)| answer["seat"] == json!(seat));
        // A log spells the end of a line out.
        let number = |measured: &Value| {
            measured["stderr"].as_str()?.trim_end_matches("\\n").trim().parse().ok()
        };
        Some(own.filter_map(|(_, measured)| number(measured)).collect())
    };
    games.iter().filter_map(of_game).collect()
}

#[test]
fn files_are_kept_from_game_to_game_for_one_bot_alone_where_the_plan_says_so() {
    let bench = Bench::new();
    let bots = [counter(&bench, "ann"), counter(&bench, "ben"), "greedy".to_owned()];
    let play = |folder: &str, options: &[&str]| {
        let mut words: Vec<String> = coup(folder, "3").into_iter().map(str::to_owned).collect();
        words.extend(["--workers", "3"].map(str::to_owned));
        words.extend(options.iter().map(|word| (*word).to_owned()));
        words.extend(bots.iter().cloned());
        bench.succeed(words);
        verify(&bench, folder);
        log::games(&bench.path(folder).join("games.jsonl"))
    };
    let games = play("kept", &["--keep-files"]);
    for name in ["ann", "ben"] {
        let counted = counted(&games, name);
        assert!(counted.iter().all(|game| !game.is_empty()), "{counted:?}");
        // No game was played while another one had the folder.
        let is_whole = |game: &Vec<u64>| game.windows(2).all(|pair| pair[1] == pair[0] + 1);
        assert!(counted.iter().all(is_whole), "{counted:?}");
        let mut all: Vec<u64> = counted.concat();
        all.sort_unstable();
        assert_eq!(all, (1..=all.len() as u64).collect::<Vec<u64>>(), "{name} has one folder");
    }
    let lines = log::lines(&bench.path("kept/games.jsonl"));
    assert_eq!(lines[0]["header"]["tournament"]["keep_files"], true, "{}", lines[0]);
    let report = bench.ok("report kept -o report");
    assert!(report.starts_with("report/index.html"), "{report}");
    let page = bench.text("report/index.html");
    assert!(page.contains("classic-dialect bots kept their files between games"));

    let games = play("usual", &[]);
    for name in ["ann", "ben"] {
        let counted = counted(&games, name);
        assert!(counted.iter().all(|game| game.first() == Some(&1)), "{counted:?}");
    }
    let lines = log::lines(&bench.path("usual/games.jsonl"));
    assert_eq!(lines[0]["header"]["tournament"]["keep_files"], Value::Null, "{}", lines[0]);
    // A plan that was changed afterwards is not the one of the log.
    let plan = bench.path("kept/plan.toml");
    let text = std::fs::read_to_string(&plan).expect("a plan");
    assert!(text.contains("\nkeep-files = true\n"), "{text}");
    std::fs::write(&plan, text.replace("keep-files = true\n", "")).expect("ours");
    let verified = bench.line("verify kept");
    assert_eq!(verified.code, Some(3), "{verified:?}");
}

#[test]
fn files_are_not_kept_in_shards_in_leagues_and_for_very_many_bots() {
    let bench = Bench::new();
    let words = ["tournament", "plan", "cup", "--game", "coup", "--shards", "2", "--keep-files"];
    let ann = counter(&bench, "ann");
    let planned = bench.run([&words[..], &[&ann, "greedy"]].concat());
    planned.assert_refused(2, &["`keep-files` and shards cannot be combined"]);
    let many: Vec<String> = (0..65).map(|bot| format!("b{bot}=random")).collect();
    let mut words: Vec<String> = coup("cup", "1").into_iter().map(str::to_owned).collect();
    words.push("--keep-files".to_owned());
    words.extend(many);
    let begun = bench.run(words);
    begun.assert_refused(2, &["`keep-files` allows at most 64 bots, not 65"]);
    let begun = bench.run([&coup("cup", "1")[..], &["--keep-files", "random", "greedy"]].concat());
    begun.assert_refused(2, &["`keep-files` has no effect: no bot speaks the classic dialect"]);
    bench.ok("league new class --game coup");
    let settings = bench.text("class/league.toml");
    bench.write("class/league.toml", format!("keep-files = true\n{settings}"));
    let added = bench.line("league add class random");
    added.assert_refused(2, &["keep-files", "applies only to tournaments"]);
}
