//! `arbiter review`: equal for any number of threads and from what was kept, for every game, and wrong usage.

use std::fs;

use serde_json::Value;
use tests::bench::{Bench, SEED, run};
use tests::own_games;

/// A log of some deals between built-in players, called like its game.
fn simulated(bench: &Bench, game: &'static str, deals: &str) -> &'static str {
    let head = ["simulate", "--game", game, "--deals", deals, "--seed", SEED, "--log", game];
    bench.succeed([&head[..], &["random", "greedy"]].concat());
    game
}

#[test]
fn a_review_is_the_same_for_any_number_of_threads_and_from_what_was_kept() {
    let bench = Bench::new();
    for game in ["tablic", "coup", "durak"] {
        let log = simulated(&bench, game, "1");
        let review =
            |words: &[&str]| bench.run([&["review", log, "--worlds", "20"], words].concat());
        let kept = bench.path(&format!("{log}.review"));
        let first = review(&["--json", "--jobs", "1"]);
        assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""), "{game}");
        let whole = fs::read_to_string(&kept).expect("it is kept");
        assert!(whole.lines().count() > 2, "{game}");
        assert_eq!(review(&["--json", "--jobs", "3"]), first, "{game}: from what was kept");
        fs::remove_file(&kept).expect("it can be thrown away");
        assert_eq!(review(&["--json", "--jobs", "3"]), first, "{game}: computed again");
    }
}

/// A log may come with reviews that a stranger has written: a value, a digest, or a line is changed.
#[test]
fn a_kept_review_that_was_changed_or_is_of_another_log_is_replaced() {
    let bench = Bench::new();
    simulated(&bench, "tablic", "1");
    let review = || bench.run(["review", "tablic", "--worlds", "20"]);
    let kept = bench.path("tablic.review");
    let (first, whole) = (review(), fs::read_to_string(&kept).expect("it is kept"));
    let changed = |before: &str, after: &str| {
        assert!(whole.contains(before), "{before}");
        whole.replace(before, after)
    };
    let changes = [
        changed("\"win\":0.", "\"win\":0.9"),
        changed("\"sha256\":\"", "\"sha256\":\"0"),
        changed(",\"sha256\":\"", ",\"sha\":\""),
        whole.clone() + "\n",
        whole.clone() + "{}\n",
        changed("\"phase\":\"deal 1\"", "\"phase\":\"\\u001b[31mred\""),
        changed("\"played\":0", "\"played\":999"),
        changed("\"given_away\":", "\"given_away\":1e300,\"x\":"),
        changed("\"lead\":", "\"lead\":7,\"x\":"),
        changed("\"win\":", "\"win\":-5,\"x\":"),
    ];
    for (number, text) in changes.into_iter().enumerate() {
        fs::write(&kept, text).expect("ours");
        let ended = review();
        assert_eq!(ended.stdout, first.stdout, "change {number}");
        let says = "`tablic.review` has changed since it was written";
        assert!(ended.stderr.contains(says), "change {number}: {ended:?}");
        assert_eq!(fs::read_to_string(&kept).expect("it is kept"), whole, "change {number}");
    }
    // A killed program leaves a part of a line, and an older one had no digests.
    for text in
        [whole[..whole.len() - 9].to_owned(), whole.replacen("\"format\":2", "\"format\":1", 1)]
    {
        fs::write(&kept, text).expect("ours");
        assert_eq!(review(), first);
        assert_eq!(fs::read_to_string(&kept).expect("it is kept"), whole);
    }
    // A file that happens to have the name is left alone, and the reviews of another log are replaced.
    bench.write("tablic.review", "my own notes");
    for _ in 0..2 {
        assert_eq!(review().stdout, first.stdout);
    }
    assert_eq!(fs::read_to_string(&kept).expect("ours"), "my own notes");
    fs::write(&kept, &whole).expect("ours");
    bench.ok("simulate --game tablic --deals 1 --log tablic --overwrite random greedy");
    assert_eq!(review().code, Some(0));
    let now = fs::read_to_string(&kept).expect("it is kept");
    assert_ne!(now.lines().next(), whole.lines().next());
    assert_eq!(now.lines().count(), whole.lines().count());
}

/// The crate `bots` has the same for other games.
#[test]
fn a_bot_that_plays_at_random_gives_away_more_than_greedy() {
    let bench = Bench::new();
    for game in ["tablic", "coup"] {
        let log = simulated(&bench, game, "4");
        let text = bench.succeed(["review", log, "--worlds", "30"]);
        let place = |bot: &str| {
            text.lines().position(|line| line.starts_with(bot)).unwrap_or_else(|| panic!("{text}"))
        };
        // The bot that gives away least is on top.
        assert!(place("greedy ") < place("random "), "{text}");
        assert!(text.contains("\nrandom: recurring mistakes\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        assert_eq!(text.contains("exploiting a weak one"), game == "coup", "{text}");
    }
}

#[test]
fn the_command_beside_a_mistake_shows_all_moves_of_it() {
    let bench = Bench::new();
    let log = simulated(&bench, "tablic", "2");
    let text = bench.succeed(["review", log, "--bot", "random", "--worlds", "100"]);
    assert!(!text.contains("\ngreedy"), "{text}");
    let command = text.lines().find_map(|line| line.trim().strip_prefix("arbiter "));
    let words: Vec<&str> = command.expect("a command").split(' ').collect();
    let shown = bench.succeed(&words);
    let [.., game, "--move", number, "--worlds", "100"] = words[..] else { panic!("{words:?}") };
    assert!(shown.contains(&format!("\ngame {game}: ")), "{shown}");
    assert!(shown.contains(&format!("\nmove {number}, random, deal ")), "{shown}");
    assert_eq!(shown.lines().filter(|line| line.starts_with("  played  ")).count(), 1, "{shown}");
    let request = bench.succeed(["request", log, "--game", game, "--move", number]);
    let legal = request.lines().find_map(|line| line.strip_prefix("legal ")).expect("a list");
    let moves =
        shown.lines().filter(|line| line.contains("%  ") && !line.contains("win %")).count();
    assert!(moves > 1 && moves <= legal.parse().expect("a number"), "{shown}{request}");
}

#[test]
fn lines_of_json_and_rows_hold_the_same_decisions() {
    let bench = Bench::new();
    let log = simulated(&bench, "coup", "2");
    let lines = bench.run(["review", log, "--worlds", "10", "--json"]).json();
    let games: Vec<&Value> = lines.iter().filter(|line| !line["game"].is_null()).collect();
    let bots = lines.iter().filter(|line| !line["bot"].is_null()).count();
    assert_eq!((games.len(), bots), (4, 2));
    let decisions = games.iter().flat_map(|it| it["game"]["decisions"].as_array().expect("a list"));
    let moves: usize = decisions.map(|it| it["moves"].as_array().expect("a list").len()).sum();
    let rows = bench.succeed(["review", log, "--worlds", "10", "--csv"]);
    assert!(rows.starts_with("log,game,deal,seat,bot,move,phase,text,played,win,error,"), "{rows}");
    assert_eq!(rows.lines().count(), 1 + moves, "{rows}");
    let habits = |line: &str| line.split(',').nth(14).is_some_and(|cell| !cell.is_empty());
    assert!(rows.lines().skip(1).all(habits), "the other deal shows habits: {rows}");
    // A log through a pipe is reviewed without habits, and the verdict is the same.
    let mut piped = bench.command("sh");
    piped.args(["-c", &format!("cat {log} | \"$0\" review /dev/stdin --worlds 10 --csv")]);
    let ended = run(piped.arg(bench.program("arbiter"))).with_code(0);
    assert!(ended.stderr.contains("no habits are learned from it"), "{ended:?}");
    let wins = |text: &str| -> Vec<Option<String>> {
        text.lines().skip(1).map(|row| row.split(',').nth(9).map(str::to_owned)).collect()
    };
    assert_eq!(wins(&ended.stdout), wins(&rows));
}

#[test]
fn a_result_of_two_seats_in_tablic_is_told_apart_into_luck_skill_and_a_rest() {
    let bench = Bench::new();
    let log = simulated(&bench, "tablic", "6");
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value}"));
    let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} and {other}");
    let lines = bench.run(["review", log, "--worlds", "10", "--json"]).json();
    let games: Vec<&Value> =
        lines.iter().map(|line| &line["game"]).filter(|game| !game.is_null()).collect();
    assert_eq!(games.len(), 12);
    for game in games {
        let deals = game["luck"].as_array().expect("luck of deals");
        assert_eq!(deals.len(), 4, "{game}");
        let accounts = game["accounts"].as_array().expect("accounts");
        let given_away = |seat: usize| {
            let all = game["decisions"].as_array().expect("decisions").iter();
            let own = all.filter(|decision| decision["seat"] == seat);
            own.map(|decision| number(&decision["given_away"])).sum::<f64>()
        };
        for (seat, account) in accounts.iter().enumerate() {
            let luck = deals.iter().map(|deal| number(&deal["win"][seat])).sum::<f64>();
            near(number(&account["luck"]), luck);
            near(number(&account["skill"]), given_away(1 - seat) - given_away(seat));
        }
        near(number(&accounts[0]["result"]) + number(&accounts[1]["result"]), 1.0);
    }
    let greedy = lines.iter().map(|line| &line["bot"]).find(|bot| bot["name"] == "greedy");
    let accounts = &greedy.expect("greedy")["accounts"];
    let mean = |part: &str| number(&accounts[part]["mean"]);
    let parts = 0.5 + mean("luck") + number(&accounts["skill"]) + number(&accounts["rest"]);
    near(mean("result"), parts);
    near(mean("adjusted"), mean("result") - 0.8 * mean("luck"));
    assert!(accounts["adjusted"]["interval"].is_number(), "{accounts}");
    let text = bench.succeed(["review", log, "--worlds", "10", "--game", "3"]);
    for part in ["\nluck ", " deal 4 ", "\ngreedy: ", "\nrandom: ", "% skill ", "% rest\n"] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    // The skill of one bot needs the decisions of the other one.
    let text = bench.succeed(["review", log, "--worlds", "10", "--bot", "greedy"]);
    assert!(text.contains("  -     -  "), "{text}");
    let words = ["simulate", "--game", "tablic", "--deals", "1", "--seed", SEED, "--log", "other"];
    bench.succeed([&words[..], &["third=greedy", "random", "greedy"]].concat());
    for log in ["other", simulated(&bench, "coup", "1")] {
        assert!(!bench.succeed(["review", log, "--worlds", "10"]).contains("luck"), "{log}");
    }
}

#[test]
fn what_cannot_be_reviewed_is_refused_in_one_line() {
    let bench = Bench::new();
    let log = simulated(&bench, "tablic", "1");
    let refused = |words: &[&str], code: i32, said: &str| {
        bench.run([&["review", log], words].concat()).assert_refused(code, &[said]);
    };
    refused(&["--bot", "nobody"], 2, "tablic: no rated game with a bot named `nobody`");
    refused(&["--game", "7"], 2, "tablic: no rated game 7");
    let none = "tablic: game 0 has no decision with alternatives at move 999";
    refused(&["--game", "0", "--move", "999"], 2, none);
    for words in [&["--move", "7"][..], &["--worlds", "1"], &["--worlds", "5", "--time", "1s"]] {
        assert_eq!(bench.run([&["review", log], words].concat()).code, Some(2), "{words:?}");
    }
    let text = bench.text(log);
    fs::write(bench.path("changed"), text.replacen("\"events\":[\"", "\"events\":[\"x", 1))
        .expect("ours");
    bench.run(["review", "changed"]).assert_refused(3, &["changed: line 2"]);
    if let Some(leduc) = own_games::leduc_beside_logs(&bench) {
        let words = ["match", "--game", leduc, "--quiet", "--log", "own", "random", "b=random"];
        bench.succeed(words);
        let says = "own: no review for leduc: supported are tablic, coup, durak";
        bench.run(["review", "own"]).assert_refused(2, &[says]);
    }
}

#[test]
fn puzzles_are_requests_with_one_best_move_and_test_a_bot() {
    let bench = Bench::new();
    let log = simulated(&bench, "tablic", "6");
    let told = bench.succeed(["puzzles", log, "-o", "lessons", "--limit", "6", "--worlds", "100"]);
    assert!(told.starts_with("6 puzzles in lessons\n"), "{told}");
    let mut names: Vec<String> = fs::read_dir(bench.path("lessons"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 12, "{names:?}");
    for pair in names.chunks(2) {
        let [values, request] = pair else { panic!("{pair:?}") };
        let text = |name: &str| fs::read_to_string(bench.path("lessons").join(name)).expect("ours");
        let values: Value = serde_json::from_str(&text(values)).expect("JSON");
        let at = |key: &str| values[key].to_string();
        let asked = bench.succeed(["request", log, "--game", &at("game"), "--move", &at("move")]);
        assert_eq!(text(request), asked, "byte for byte");
        let (best, moves) = (&values["best"], values["moves"].as_object().expect("moves"));
        let win = |mv: &str| moves[mv].as_f64().expect("a number");
        let best = best.as_str().expect("text");
        assert!(moves.keys().all(|mv| mv == best || win(mv) + 0.1 <= win(best)), "{values}");
    }
    let check = |bot: &str, least: &str| {
        bench.run(["check", bot, "--puzzles", "lessons", "--solve", least, "--time-limit", "60s"])
    };
    let solved = check("expert", "6").with_code(0);
    assert!(solved.stdout.contains("6 of 6 solved, "), "{solved:?}");
    let failed = check("random", "6").with_code(5);
    assert!(failed.stdout.contains(" loses "), "{failed:?}");
    assert!(failed.stderr.contains("6 needed to pass"), "{failed:?}");
    let again = bench.run(["puzzles", log, "-o", "lessons", "--most", "6"]);
    again.assert_refused(2, &["cannot write puzzles to `lessons`: it is not empty"]);
    check("random", "7").assert_refused(2, &["--solve 7: the folder has only 6 puzzles"]);
    let [values, request] = [0, 1].map(|place| bench.path("lessons").join(&names[place]));
    let [whole, asked] = [&values, &request].map(|path| fs::read_to_string(path).expect("ours"));
    let sound = "expected moves with chances from 0 to 1, `best` with the greatest";
    for (path, text, says) in [
        (&values, "{}".to_owned(), "missing field"),
        (&values, whole.replace("\"best\": \"", "\"best\": \"x"), sound),
        (&values, whole.replace(": 0.", ": 5."), sound),
        (&request, "no request".to_owned(), ""),
    ] {
        fs::write(path, text).expect("ours");
        let name = path.file_name().and_then(|name| name.to_str()).expect("text");
        check("random", "1").assert_refused(2, &[name, says]);
        fs::write(&values, &whole).expect("ours");
        fs::write(&request, &asked).expect("ours");
    }
    // Equal moves count once. A bot that plays another move, which is not listed, is not taken to have played the best one.
    let of_three = |pair: &[String]| {
        let text = fs::read_to_string(bench.path("lessons").join(&pair[0])).expect("ours");
        let values: Value = serde_json::from_str(&text).expect("JSON");
        (values["moves"].as_object()?.len() > 2).then(|| (values, pair[1].clone()))
    };
    let (mut values, request) =
        names.chunks(2).find_map(of_three).expect("a puzzle of three moves");
    let best = values["best"].as_str().expect("text").to_owned();
    let moves = values["moves"].as_object_mut().expect("moves");
    let other = moves.keys().find(|mv| **mv != best).expect("another").clone();
    moves.remove(&other);
    fs::create_dir(bench.path("one")).expect("ours");
    fs::copy(bench.path("lessons").join(&request), bench.path("one").join(&request)).expect("ours");
    bench.write(&format!("one/{}", request.replace(".request", ".json")), values.to_string());
    let bot = format!("bot=sh {}", bench.write("bot.sh", format!("echo {other}\n")).display());
    let ended = bench.run(["check", &bot, "--puzzles", "one"]);
    assert!(ended.stdout.contains("0 of 1 solved"), "{other}, not {best}: {ended:?}");
}

/// No better move would have won such a game.
#[test]
fn a_game_lost_by_a_fault_is_named_first() {
    let bench = Bench::new();
    let bad = format!("bad={}", bench.faulty("resign"));
    let words =
        ["match", "--game", "coup", "--games", "4", "--quiet", "--seed", SEED, "--log", "log"];
    bench.succeed([&words[..], &[&bad, "greedy"]].concat());
    let review =
        |words: &[&str]| bench.succeed([&["review", "log", "--worlds", "10"], words].concat());
    let lines = bench.run(["review", "log", "--worlds", "10", "--json"]).json();
    let games = lines.iter().filter_map(|line| line.get("game"));
    let lost: Vec<&Value> = games.filter(|game| game["faults"] != serde_json::json!([])).collect();
    assert!(!lost.is_empty(), "{lines:?}");
    for game in &lost {
        let fault = &game["faults"][0];
        let seat = fault["seat"].as_u64().expect("a seat") as usize;
        assert_eq!((&game["seats"][seat], &fault["verdict"]), (&"bad".into(), &"crash".into()));
        assert!(fault["detail"].as_str().is_some_and(|detail| detail.contains("exit")), "{game}");
    }
    let of = |name: &str| {
        let mut bots = lines.iter().filter_map(|line| line.get("bot"));
        bots.find(|bot| bot["name"] == name).expect("a bot")["faults"].as_u64()
    };
    assert_eq!((of("bad"), of("greedy")), (Some(lost.len() as u64), Some(0)));
    let number = lost[0]["number"].to_string();
    let text = review(&[]);
    let told = format!(
        "\nbad lost {} of 4 games because of a fault, not its moves:\n  arbiter explain log --game \
         {number}\n",
        lost.len()
    );
    let is_before_table = |text: &str, told: &str| {
        let (at, table) = (text.find(told), text.find("loss per move"));
        assert!(at.is_some() && at < table, "{text}");
    };
    is_before_table(&text, &told);
    let told = "bad lost because of a fault, not its moves:\n  crash: ";
    is_before_table(&review(&["--game", &number]), told);
    bench.succeed(["explain", "log", "--game", &number]);
    // A game that was played to its end says nothing of faults.
    let clean = simulated(&bench, "tablic", "1");
    assert!(!bench.succeed(["review", clean, "--worlds", "10"]).contains("because of a fault"));
    bench.ok("report log -o look --review");
    let page = bench.text("look/bots/1.html");
    assert!(page.contains(" because of <a href=\"#faults\">a fault</a>, not its moves."), "{page}");
}
