//! Participants: invitations from a list, codes, teams, earlier submissions, games of their own.

use std::fs;

use minreq::Method;
use serde_json::{Value, json};
use tests::handing_in::{Server, bot, json as read, refusal, set_table, with_script};
use tests::league::{league, play};

#[test]
fn a_class_is_invited_from_a_list_and_the_list_can_be_used_again() {
    let bench = league(&["random"]);
    bench.write(
        "class.csv",
        "\u{feff}Name,person,member\nanna,\"Smith, Anna\",\nteam,,ben\nteam,,cleo\n",
    );
    let told = bench.ok("league invite class --csv class.csv");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "name,member,person,token");
    assert!(lines[1].starts_with("anna,,\"Smith, Anna\","), "{told}");
    assert!(lines[2].starts_with("team,ben,,"), "{told}");
    assert_eq!(lines.len(), 4);
    bench.write("class.csv", "name;member\nanna;\nteam;cleo\ndora;\n");
    let again = bench.line("league invite class --csv class.csv");
    assert_eq!(again.stdout.lines().count(), 2, "{again:?}");
    assert!(again.stdout.lines().nth(1).is_some_and(|line| line.starts_with("dora,,,")));
    assert!(again.stderr.contains("2 participants already have a token"), "{again:?}");

    let server = Server::start(bench);
    let tokens: Vec<String> = lines[1..]
        .iter()
        .map(|line| line.rsplit_once(',').expect("a token").1.to_owned())
        .collect();
    // Both members hand in for the team; a stranger to it does not see that.
    assert_eq!(server.hand_in(&tokens[1], "bot.zip", &bot("ben's"))["bot"], "team@1");
    assert_eq!(server.hand_in(&tokens[2], "bot.zip", &bot("cleo's"))["bot"], "team@2");
    assert_eq!(read(&server.get("", &tokens[1]))["own"].as_array().map(Vec::len), Some(2));
    // The organiser sees who did it, and the feeds do not.
    let actions = server.bench.ok("league audit class");
    assert!(actions.contains("  team/cleo  submit: submission 2 of team\n"), "{actions}");
    let events = server.bench.ok("league events class --bot team");
    assert!(events.contains("team@1 has entered (by ben)\n"), "{events}");
    let feed = server.page_at("feed/team.atom", "");
    assert!(feed.contains("team@1 has entered") && !feed.contains("ben"), "{feed}");
    refusal(&server.get("submissions/1", &tokens[0]), 404);
    server.bench.ok("league invite class team --member ben --revoke");
    refusal(&server.get("", &tokens[1]), 401);
    assert_eq!(server.get("", &tokens[2]).status_code, 200);
}

#[test]
fn a_participant_has_several_bots_where_the_league_allows_it() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    let send = |bot_name: &str| {
        server.send(&anna, &format!("bot.zip&bot={bot_name}"), &bot(&format!("as {bot_name}")))
    };
    assert_eq!(refusal(&send("anna-2"), 403), "this league accepts one bot per participant");
    set_table(&server.bench, "quotas", "bots = 2");
    assert!(refusal(&send("second"), 400).contains("begins with `anna-`"));
    assert_eq!(send("anna-2").status_code, 202);
    assert_eq!(server.decided(&anna, "1?bot=anna-2")["bot"], "anna-2@1");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("the first"))["bot"], "anna@1");
    assert!(refusal(&send("anna-3"), 403).starts_with("limit of 2 bots reached"));
    let told = read(&server.get("?bot=anna-2", &anna));
    assert_eq!((&told["participant"], &told["bot"]), (&json!("anna"), &json!("anna-2")), "{told}");
    assert_eq!(told["bots"], json!(["anna", "anna-2", "anna-3"]), "{told}");
    assert_eq!(told["playing"], "anna-2@1", "{told}");
    refusal(&server.get("?bot=anna-2", &ben), 403);
    // A browser keeps the bot that its pages are about.
    let cookie = |bot: &str| format!("token={anna}; bot={bot}");
    let page = |bot: &str| {
        let request = server.request(Method::Get, "").with_header("Cookie", cookie(bot));
        request.send().expect("a page").as_str().expect("text").to_owned()
    };
    assert!(page("anna-2").contains("Submit a bot as anna-2"));
    assert!(page("ben").contains("Submit a bot as anna<"), "a bot of another one");
    let form = server.request(Method::Post, "bot").with_header("Cookie", cookie("anna"));
    let form = form.with_header("Content-Type", "application/x-www-form-urlencoded");
    let form = form.with_header("Sec-Fetch-Site", "same-origin");
    let chosen = form.with_body("bot=anna-2").send().expect("an answer");
    assert_eq!(chosen.status_code, 303);
    assert!(chosen.headers["set-cookie"].starts_with("bot=anna-2; HttpOnly"), "{chosen:?}");
}

#[test]
fn a_wrong_list_invites_none() {
    let bench = league(&["random"]);
    for (text, expected) in [
        ("person\nAnna\n", "no column `name` in the first line"),
        ("mail\na@b\n", "no column `name` in the first line"),
        ("name\nanna\nanna\n", "line 3: `anna` is listed twice"),
        ("name,person\nanna\n", "CSV error"),
        ("name\nanna\n\"\"\n", "line 3: the name is empty"),
        ("name\nanna\na/b\n", "invalid participant name `a/b`"),
        ("name\nanna\nANNA\n", "differs only in case from `anna`"),
        ("name,person\nanna,\"Anna\nben,Ben\n", "a quote is not closed"),
        ("name,person\nanna,\"Anna\nben,\"\n", "line 2: a cell contains a line break"),
    ] {
        bench.write("class.csv", text);
        bench.refuses("league invite class --csv class.csv", expected);
        assert!(!bench.path("class/participants.json").exists(), "{text}");
    }
    fs::write(bench.path("class.csv"), [b"name\n", &[0xff_u8][..]].concat()).expect("ours");
    bench
        .line("league invite class --csv class.csv")
        .assert_refused(2, &["class.csv", "line 2: ", "Windows-1252"]);
}

/// A learning platform adds columns, and people have first and last names.
#[test]
fn a_list_with_other_columns_and_blanks_in_names_invites_all_and_says_so() {
    let bench = league(&["random"]);
    bench.write(
        "class.csv",
        "name,person,email,group\nAnna Maria,\"Example, Anna\",a@b.c,G1\nben,,d@e.f,G2\n",
    );
    let told = bench.line("league invite class --csv class.csv").with_code(0);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert!(lines[1].starts_with("Anna-Maria,,\"Example, Anna\","), "{told:?}");
    assert!(lines[2].starts_with("ben,,,") && lines.len() == 3, "{told:?}");
    assert_eq!(lines[0], "name,member,person,token,email,group");
    assert!(lines[1].ends_with(",a@b.c,G1"), "{told:?}");
    assert!(told.stderr.contains("line 2: `Anna Maria` becomes `Anna-Maria`"), "{told:?}");
}

#[test]
fn people_register_by_a_code_as_often_as_it_may_be_used() {
    let server = Server::start(league(&["random"]));
    let register =
        |code: &str, name: &str| server.form("register", "", &format!("code={code}&name={name}"));
    refusal(&register("abcd-efgh-jkmn", "anna"), 401);
    let code = server.bench.ok("league code class --uses 2");
    let code = code.trim_end().to_owned();
    let kept = server.bench.text("class/keys.json");
    assert!(!kept.contains(&code) && !kept.contains(&code.replace('-', "")), "{kept}");
    let told = read(&register(&code.to_uppercase(), "anna"));
    assert_eq!(told["participant"], "anna", "{told}");
    let anna = told["token"].as_str().expect("a token").to_owned();
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("anna's"))["bot"], "anna@1");
    // A name that is taken, by a participant or a bot, uses nothing up.
    for name in ["anna", "random"] {
        let why = refusal(&register(&code, name), 409);
        assert_eq!(why, format!("the name `{name}` is taken"));
    }
    refusal(&register(&code, "Anna"), 409);
    refusal(&register(&code, "a%2Fb"), 400);
    assert_eq!(register(&code, "ben").status_code, 200);
    let why = refusal(&register(&code, "cleo"), 403);
    assert!(why.starts_with("this registration code is used up"), "{why}");
    server.bench.ok("league code class --revoke");
    refusal(&register(&code, "cleo"), 401);

    // A participant replaces a token, and the old one is void.
    let new = read(&server.form("token", &anna, ""))["token"].as_str().expect("a token").to_owned();
    refusal(&server.get("", &anna), 401);
    assert_eq!(read(&server.get("", &new))["participant"], "anna");
}

/// A participant could register as another one, with a letter of another script.
#[test]
fn names_that_look_like_others_cannot_be_registered() {
    let server = Server::start(league(&["anna=random", "bob=random", "greedy"]));
    let code = server.bench.ok("league code class --uses 20");
    let register = |name: &str| {
        let encoded: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        server.form("register", "", &format!("code={}&name={encoded}", code.trim_end()))
    };
    let names = ["аnna", "аnnа", "bоb", "grееdy", "𝐚nna", "ａnna", "admin", "organiser", "expert"];
    for name in names {
        let why = refusal(&register(name), 409);
        assert!(why.contains("looks like") || why.contains("is reserved"), "{why}");
        let invited = server.bench.run(["league", "invite", "class", name]);
        invited.assert_refused(2, &[&why]);
    }
    assert!(refusal(&register("Ивaн"), 400).contains("mixes alphabets"));
    let list = server.bench.write("class.csv", "name\ncarl\nсarl\n");
    let listed =
        server.bench.run(["league", "invite", "class", "--csv", &list.display().to_string()]);
    listed.assert_refused(2, &["`сarl` looks like `carl`"]);
    // Nothing was used up, and none of a list is invited if one of it cannot be.
    for name in ["Иван", "李雷", "carl"] {
        assert_eq!(register(name).status_code, 200, "{name}");
    }
    // The organiser may do it, and names that are there go on.
    let added = server.bench.line("league add class bоb=random").with_code(0);
    assert!(added.stderr.contains("warning: `bоb` looks like `bob`"), "{added:?}");
    server.bench.ok("league invite class anna");
    server.bench.ok("league invite class anna");
    server.bench.verify(&server.bench.path("class"));
}

#[test]
fn participants_get_their_files_back_and_go_back_to_an_older_version() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let first = bot("first");
    assert_eq!(server.hand_in(&anna, "first.zip", &first)["bot"], "anna@1");
    assert_eq!(server.hand_in(&anna, "second.zip", &bot("second"))["bot"], "anna@2");
    let file = server.get("submissions/1/file", &anna);
    assert_eq!(file.as_bytes(), first);
    assert_eq!(file.headers["content-disposition"], "attachment; filename=\"first.zip\"");
    refusal(&server.get("submissions/1/file", &ben), 404);
    let again = server.form("submissions/1/again", &anna, "");
    assert_eq!(again.status_code, 202, "{:?}", again.as_str());
    assert_eq!(read(&again)["number"], 3);
    let told = server.decided(&anna, 3);
    assert_eq!((&told["bot"], &told["file"]), (&json!("anna@3"), &json!("first.zip")));
    let entered = |version: &str| {
        fs::read(server.bench.path(&format!("class/bots/anna@{version}/bot.sh"))).expect("a copy")
    };
    assert_eq!(entered("3"), entered("1"));
}

#[test]
fn a_day_has_only_so_many_submissions() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let quotas = "submissions-a-day = 2\nattempts-a-day = 4\nbot-size = \"1KiB\"";
    set_table(&server.bench, "quotas", quotas);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("first"))["bot"], "anna@1");
    let large = with_script(&tests::handing_in::script(&"x".repeat(2_000)));
    let told = server.hand_in(&anna, "bot.zip", &large);
    assert_eq!(told["verdict"], "refused", "{told}");
    let why = told["why"].as_str().expect("a reason");
    assert!(why.contains("is larger than 1.0 KiB"), "{why}");
    // One that was refused does not count.
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("third"))["bot"], "anna@2");
    let fourth = server.send(&anna, "bot.zip", &bot("fourth"));
    let why = refusal(&fourth, 429);
    assert!(why.starts_with("daily limit of 2 accepted submissions reached"), "{why}");
    assert!(fourth.headers.contains_key("retry-after"));
    set_table(&server.bench, "quotas", "attempts-a-day = 4");
    assert_eq!(server.hand_in(&anna, "bot.zip", b"broken")["verdict"], "refused");
    let why = refusal(&server.send(&anna, "bot.zip", &bot("fifth")), 429);
    assert!(why.starts_with("daily limit of 4 attempts reached"), "{why}");
}

#[test]
fn participants_see_all_games_of_their_bots_with_standard_error() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let texts = "my secret plan\nnote plan 7\n";
    let talkative = "echo my secret plan >&2\necho note plan 7 >&2\n";
    let talkative = with_script(&format!("{talkative}{}", tests::handing_in::script("anna's")));
    assert_eq!(server.hand_in(&anna, "bot.zip", &talkative)["bot"], "anna@1");
    play(&server.bench, "8");
    let told = read(&server.get("games", &anna));
    let games = told["games"].as_array().expect("games").clone();
    assert_eq!(games.len(), 8, "{told}");
    assert_eq!(told["before"], json!(null));
    assert_eq!((&games[0]["bot"], &games[0]["others"]), (&json!("anna@1"), &json!(["random@1"])));
    let (round, game) = (&games[0]["round"], &games[0]["game"]);
    assert_eq!((round, game), (&json!(1), &json!(3)), "the last one is first");
    let rest = read(&server.get("games?before=1-0", &anna));
    assert_eq!(rest["games"].as_array().map(Vec::len), Some(4), "{rest}");
    refusal(&server.get("games?before=x", &anna), 400);
    let path = format!("games/{round}/{game}");
    let answers = read(&server.get(&path, &anna));
    let answers = answers["answers"].as_array().expect("answers");
    assert!(!answers.is_empty());
    assert!(answers.iter().all(|it| it["stderr"] == texts), "{answers:?}");
    let lines = |path: &str, token: &str| -> Vec<Value> {
        let told = server.get(path, token);
        assert_eq!(told.headers["content-type"], "application/jsonl", "{:?}", told.as_str());
        let text = told.as_str().expect("text").lines();
        text.map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let all = lines("stderr.jsonl", &anna);
    assert_eq!(all.len(), 8);
    assert_eq!((&all[7]["round"], &all[7]["game"]), (round, game));
    assert_eq!(all[7]["texts"][0]["stderr"], texts);
    assert_eq!(all[7]["texts"][0]["notes"], json!({ "plan": 7 }));
    assert_eq!(lines("stderr.jsonl?from=1", &anna).len(), 4);
    refusal(&server.get("stderr.jsonl?from=x", &anna), 400);
    // Others do not see them.
    assert_eq!(lines("stderr.jsonl", &ben), Vec::<Value>::new());
    let stranger =
        server.request(Method::Get, "stderr.jsonl").with_header("Accept", "application/json");
    assert_eq!(stranger.send().expect("an answer").status_code, 401);
    assert_eq!(read(&server.get("games", &ben))["games"], json!([]));
    refusal(&server.get(&path, &ben), 404);
    refusal(&server.get("games/99/0", &anna), 404);
    assert!(server.page(&path, &anna).contains("my secret plan"));
}
