//! Programs of the classic dialect that keep their files for all games of a tournament.

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::classic::shell;
use tests::log;
use tests::tournament::{cup, games, verify};

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
    let play = |folder: &str, more: &str| {
        let mut words =
            tests::command_lines::words(&cup(folder, 2, &format!("--workers 3 {more}")));
        words.extend(bots.iter().cloned());
        bench.succeed(words);
        verify(&bench, folder);
        let header = log::lines(&bench.path(folder).join("games.jsonl")).swap_remove(0);
        (games(&bench, folder), header["header"]["tournament"]["keep_files"].clone())
    };
    let (kept, says) = play("kept", "--keep-files");
    assert_eq!(says, true);
    let (usual, says) = play("usual", "");
    assert_eq!(says, Value::Null);
    for name in ["ann", "ben"] {
        let of_bot = counted(&kept, name);
        assert!(of_bot.iter().all(|game| !game.is_empty()), "{of_bot:?}");
        // No game was played while another one had the folder.
        let is_whole = |game: &Vec<u64>| game.windows(2).all(|pair| pair[1] == pair[0] + 1);
        assert!(of_bot.iter().all(is_whole), "{of_bot:?}");
        let mut all: Vec<u64> = of_bot.concat();
        all.sort_unstable();
        assert_eq!(all, (1..=all.len() as u64).collect::<Vec<u64>>(), "{name} has one folder");
        let of_bot = counted(&usual, name);
        assert!(of_bot.iter().all(|game| game.first() == Some(&1)), "{of_bot:?}");
    }
    bench.ok("report kept -o report");
    let page = bench.text("report/index.html");
    assert!(page.contains("classic-dialect bots kept their files between games"));
    // A plan that was changed afterwards is not the one of the log.
    bench.replace("kept/plan.toml", "\nkeep-files = true\n", "\n");
    assert_eq!(bench.line("verify kept").code, Some(3));
}

#[test]
fn files_are_not_kept_in_shards_in_leagues_and_for_very_many_bots() {
    let bench = Bench::new();
    let words = ["tournament", "plan", "cup", "--game", "coup", "--shards", "2", "--keep-files"];
    let ann = counter(&bench, "ann");
    let planned = bench.run([&words[..], &[&ann, "greedy"]].concat());
    planned.assert_refused(2, &["`keep-files` and shards cannot be combined"]);
    let many: String = (0..65).map(|bot| format!(" b{bot}=random")).collect();
    for (bots, why) in [
        (&*many, "`keep-files` allows at most 64 bots, not 65"),
        ("random greedy", "`keep-files` has no effect: no bot speaks the classic dialect"),
    ] {
        bench.refuses(&cup("cup", 1, &format!("--keep-files {bots}")), why);
    }
    bench.ok("league new class --game coup");
    let settings = bench.text("class/league.toml");
    bench.write("class/league.toml", format!("keep-files = true\n{settings}"));
    let added = bench.line("league add class random");
    added.assert_refused(2, &["keep-files", "applies only to tournaments"]);
}
