//! Submissions, and their results.

use std::fs;

use minreq::Method;
use serde_json::{Value, json};
use tests::archives::{gz, stored, tar_entry, zip};
use tests::bench::Bench;
use tests::handing_in::{
    MANIFEST, Server, ahead, bearer, bot, json as read, refusal, runs, script, set,
};
use tests::league::{folder, league, play, states, status};
use tests::own_games;
use tests::running::wait_until;

/// A token that is taken back is void for what was sent with it and waits, too, also if there is another one by then.
#[test]
fn a_waiting_submission_does_not_enter_once_its_token_is_taken_back() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let entering = fs::File::create(server.bench.path("class/entering")).expect("ours");
    entering.lock().expect("a lock");
    assert_eq!(server.send(&anna, "bot.zip", &bot("anna's")).status_code, 202);
    assert_eq!(server.send(&ben, "bot.zip", &bot("ben's")).status_code, 202);
    server.bench.ok("league invite class anna --revoke");
    let again = server.invite("anna");
    drop(entering);
    let told = server.decided(&ben, 1);
    assert_eq!(told["bot"], "ben@1", "{told}");
    let told = server.decided(&again, 1);
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!("token")), "{told}");
    assert_eq!(states(&server.bench), ["random@1 active", "ben@1 active"]);
}

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
    let lazy = zip(&[stored("bot.toml", MANIFEST), stored("bot.sh", b"echo fold\n")]);
    let told = server.hand_in(&anna, "bot.zip", &lazy);
    assert_eq!(told["verdict"], "refused", "{told}");
    let told = server.hand_in(&anna, "bot.zip", &bot("anna's"));
    assert_eq!(told["bot"], "anna@1", "{told}");
    play(&server.bench, "4");
    let verified = server.bench.ok("verify class");
    assert!(verified.contains("of leduc"), "{verified}");
}

#[test]
fn a_bot_is_refused_mended_and_enters() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let broken = zip(&[
        stored("bot.toml", MANIFEST),
        stored("bot.sh", b"echo the secret reason >&2; exit 3\n"),
    ]);
    let told = server.hand_in(&anna, "bot.zip", &broken);
    assert_eq!(told["verdict"], "refused", "{told}");
    assert_eq!((&told["number"], &told["file"]), (&json!(1), &json!("bot.zip")));
    let why = told["why"].as_str().expect("a reason");
    assert!(why.starts_with("bot `anna` failed the check at `"), "{why}");
    let report = told["report"].as_str().expect("a report");
    assert!(report.contains("the secret reason"), "its own standard error: {report}");
    assert!(report.contains("anna does not pass"), "{report}");

    let told = server.hand_in(&anna, "bot.zip", &bot("mended"));
    assert_eq!((&told["verdict"], &told["bot"]), (&json!("entered"), &json!("anna@1")), "{told}");
    assert!(told["report"].as_str().expect("a report").contains("anna passes"));
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);
    // As a tar, and as a single source.
    let script = script("second");
    let files = [("./bot.toml", MANIFEST), ("./bot.sh", script.as_bytes())];
    let files = files.map(|(name, content)| tar_entry(name, b'0', content)).concat();
    let told = server.hand_in(&anna, "bot.tar.gz", &gz(&[files, vec![0; 1024]].concat()));
    assert_eq!(told["bot"], "anna@2", "{told}");
    let told = server.hand_in(&anna, "mine.sh", script.as_bytes());
    assert_eq!(told["bot"], "anna@3", "{told}");
    // The same once more is no new version.
    let told = server.hand_in(&anna, "mine.sh", script.as_bytes());
    assert_eq!(told["bot"], "anna@3", "{told}");
    let expected = ["random@1 active", "anna@1 replaced", "anna@2 replaced", "anna@3 active"];
    assert_eq!(states(&server.bench), expected);
    assert_eq!(play(&server.bench, "8"), 8);
    let standings = server.bench.ok("league standings class");
    assert!(standings.contains("anna@3"), "{standings}");
    server.bench.ok("verify class");
    let log = server.bench.text("class/league.jsonl");
    assert!(log.contains("\"handed_in\":{\"folder\":\"anna\","), "{log}");
    // The league keeps the refusal like the one of a watched folder.
    let kept = server.bench.path("class/refused/0/report.txt");
    assert!(fs::read_to_string(kept).expect("a report").contains("the secret reason"));
    let left = fs::read_dir(server.bench.path("class/submissions")).expect("a folder").count();
    assert_eq!(left, 1, "only the folder of anna");
    assert!(!server.bench.path("class/unpacking").exists());
}

/// All checks had the seed 000…0, so a bot could be made for the games of its check.
#[test]
fn each_check_has_a_seed_of_its_own_which_its_report_names() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let mut seeds = std::collections::BTreeSet::from(["0".repeat(64)]);
    for comment in ["one", "two"] {
        let told = server.hand_in(&anna, "bot.zip", &bot(comment));
        let report = told["report"].as_str().expect("a report");
        let first = report.lines().next().expect("a line");
        let (_, seed) = first.split_once(", seed ").expect("a seed");
        assert!(seeds.insert(seed.to_owned()), "{first}");
        // The command makes the same check.
        folder(&server.bench, "again", "anna", comment);
        let again = server
            .bench
            .succeed(["check", "./again", "--game", "coup", "--seed", seed, "--games", "4"]);
        assert!(again.starts_with(first), "{first}: {again}");
    }
}

/// What a terminal shows to the one who runs a bot helps its author, too, as long as it says nothing about the machine.
#[test]
fn the_report_of_a_refused_bot_has_the_hints_of_a_terminal() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let cases = [
        (
            "echo 'OSError: [Errno 101] Network is unreachable' >&2; exit 1",
            "this bot has no network",
        ),
        (
            "echo 'Read-only file system: /usr/x' >&2; exit 1",
            "can write only to their scratch folder",
        ),
        ("echo 'Operation not permitted' >&2; exit 1", "may have blocked a system call"),
        ("kill -ILL $$", "built for another machine (-march=native)? build it on this one"),
        ("kill -TRAP $$", "it stopped itself"),
        ("kill -BUS $$", "memory ran out in a mapped file"),
        ("echo \"ModuleNotFoundError: No module named 'numpy'\" >&2; exit 1", "check the name"),
    ];
    for (script, hint) in cases {
        let broken = zip(&[
            stored("bot.toml", MANIFEST),
            stored("bot.sh", format!("cat >/dev/null; {script}\n").as_bytes()),
        ]);
        let told = server.hand_in(&anna, "bot.zip", &broken);
        let [why, report] =
            ["why", "report"].map(|key| told[key].as_str().expect("a text").to_owned());
        for text in [&why, &report] {
            assert!(text.contains(hint), "{script}: {text}");
            assert!(
                !text.contains("--allow") && !text.contains("arbiter sandbox"),
                "{script}: {text}"
            );
        }
    }
}

/// The starters in Python and JavaScript have a library beside their bot, which a single source lacked.
#[test]
fn the_bot_of_a_starter_enters_as_a_single_source() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    // The last one is sent once more under another name.
    let languages = [("node", "random.js", "node"), ("python", "bot.py", "python3")];
    let there = languages.into_iter().filter(|(.., program)| tests::installed::is_there(program));
    for (version, (language, file, _)) in (1..).zip(there) {
        server.bench.succeed(["new", language, "--language", language]);
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

#[test]
fn others_see_a_verdict_and_no_more() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    let told = server.hand_in(&anna, "my-secret-name.zip", b"PK\x05\x06");
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!("files")));
    let built = b"name = 'x'\ncommand = 'sh bot.sh'\nbuild = 'sh -c \"echo hush >&2; exit 1\"'\n";
    let told = server.hand_in(&anna, "my-secret-name.zip", &zip(&[stored("bot.toml", built)]));
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!("builds")), "{told}");
    assert!(told["report"].as_str().expect("a report").contains("hush"));
    let others = |token: Option<&str>, accept: &str| {
        let request = server.request(Method::Get, "").with_header("Accept", accept);
        let request = match token {
            Some(token) => request.with_header("Authorization", bearer(token)),
            None => request,
        };
        request.send().expect("an answer").as_str().expect("text").to_owned()
    };
    let text = others(Some(&ben), "application/json");
    let list: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(list["own"], json!([]));
    let all = list["all"].as_array().expect("a list");
    for (shown, step) in all.iter().zip(["builds", "files"]) {
        let at = shown["received"].clone();
        let verdict =
            json!({ "participant": "anna", "received": at, "verdict": "refused", "step": step });
        assert_eq!((shown, at.is_u64()), (&verdict, true));
    }
    assert_eq!(all.len(), 2);
    for (token, accept) in [(Some(&*ben), "text/html"), (None, "text/html"), (None, "*/*")] {
        let text = others(token, accept);
        assert!(text.contains("anna") && text.contains("rejected"), "{text}");
        for secret in ["my-secret-name", "hush", "damaged or truncated", "exit 1"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
    let league =
        minreq::get(format!("http://{}/statistics.html", server.host())).send().expect("an answer");
    let text = league.as_str().expect("text");
    assert!(text.contains("its author sees why") && text.contains("href=\"hand-in/\""), "{text}");
    assert!(!text.contains("exit 1") && !text.contains("damaged or truncated"), "{text}");
    let text = others(Some(&anna), "text/html");
    assert!(text.contains("my-secret-name") && text.contains("submissions/2"), "{text}");
    let page = server.request(Method::Get, "submissions/2").with_header("Accept", "text/html");
    let page = page.with_header("Authorization", bearer(&anna)).send().expect("an answer");
    assert!(page.as_str().expect("text").contains("hush"));
    // A number is no way to the submissions of others.
    assert_eq!(server.get("submissions/2", &ben).status_code, 404);
    assert_eq!(server.request(Method::Get, "submissions/2").send().expect("one").status_code, 401);
}

/// A correction of what waits used to be refused.
#[test]
fn a_correction_takes_the_place_of_what_waits_and_none_is_forgotten() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    // While another program enters bots, everything waits.
    let entering = fs::File::create(server.bench.path("class/entering")).expect("ours");
    entering.lock().expect("a lock");
    assert_eq!(server.send(&anna, "bot.zip", b"not what she meant").status_code, 202);
    assert_eq!(server.send(&ben, "bot.sh", b"exit 1\n").status_code, 202, "others may");
    let told = read(&server.send(&anna, "bot.zip", &bot("second")));
    assert_eq!((&told["number"], &told["place"]), (&json!(2), &json!(1)), "its turn: {told}");
    let told = read(&server.get("submissions/1", &anna));
    assert_eq!((&told["verdict"], &told["by"]), (&json!("replaced"), &json!(2)), "{told}");
    assert_eq!(read(&server.get("", &anna))["queue"], json!(["anna", "ben"]));
    // The server is killed, and the next one deals with them.
    let bench = server.ended();
    drop(entering);
    let server = Server::start(bench);
    assert_eq!(server.decided(&anna, 2)["bot"], "anna@1");
    assert_eq!(server.decided(&ben, 1)["verdict"], "refused");
    assert_eq!(read(&server.get("submissions/1", &anna))["verdict"], "replaced");
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);
}

/// A correction used to be refused until the check of the first file had ended, which could be after the deadline.
#[test]
fn a_correction_ends_the_check_of_what_it_replaces() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let endless = |seconds: u32| {
        let sleep = format!("sleep {seconds}");
        let manifest = format!("name = 'x'\ncommand = '{sleep}'\nbuild = '{sleep}'\n");
        (sleep, zip(&[stored("bot.toml", manifest.as_bytes())]))
    };
    // No other test sleeps for as long.
    let own = 3_000_000 + 2 * std::process::id();
    let (first, second) = (endless(own), endless(own + 1));
    assert_eq!(server.send(&anna, "bot.zip", &first.1).status_code, 202);
    wait_until("the first build runs", || runs(&first.0));
    assert_eq!(server.send(&anna, "bot.zip", &second.1).status_code, 202);
    wait_until("the second build runs alone", || runs(&second.0) && !runs(&first.0));
    assert_eq!(read(&server.get("submissions/1", &anna))["verdict"], "replaced");
    let withdraw = |number: u32| {
        let request = server.request(Method::Delete, &format!("submissions/{number}"));
        request.with_header("Authorization", bearer(&anna)).send().expect("an answer")
    };
    assert_eq!(read(&withdraw(2))["verdict"], "withdrawn");
    wait_until("no build runs", || !runs(&second.0));
    assert_eq!(withdraw(2).status_code, 200, "it is withdrawn");
    let why = refusal(&withdraw(1), 409);
    assert!(why.starts_with("submission 1 is decided"), "{why}");
    refusal(&withdraw(9), 404);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("third"))["bot"], "anna@1");
    refusal(&withdraw(3), 409);
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);
    let kept = server.bench.path("class/refused");
    assert!(!kept.exists(), "what was replaced is not refused");
}

#[test]
fn authors_choose_which_version_plays_until_the_deadline() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    let choose = |token: &str, bot: &str| {
        let request = server.request(Method::Post, "choose");
        let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
        let request = request.with_header("Authorization", bearer(token));
        request.with_body(format!("bot={bot}")).send().expect("an answer")
    };
    for comment in ["first", "second"] {
        server.hand_in(&anna, "bot.zip", &bot(comment));
    }
    let own = read(&server.get("", &anna));
    assert_eq!((&own["playing"], &own["choices"]), (&json!("anna@2"), &json!(["anna@1"])));
    assert_eq!(read(&choose(&anna, "anna@1")), json!({ "chosen": "anna@1" }));
    let expected = ["random@1 active", "anna@1 active", "anna@2 replaced"];
    assert_eq!(states(&server.bench), expected);
    refusal(&choose(&ben, "anna@2"), 400);
    refusal(&choose(&anna, "anna@1"), 409);
    refusal(&choose(&anna, "anna@7"), 409);
    assert_eq!(play(&server.bench, "4"), 4);
    let standings = server.bench.ok("league standings class");
    assert!(standings.contains("anna@1") && !standings.contains("anna@2"), "{standings}");
    set(&server.bench, &format!("deadline = {}", ahead(-5)));
    let why = refusal(&choose(&anna, "anna@2"), 403);
    assert!(why.starts_with("the deadline passed"), "{why}");
    let told = server.bench.ok("league choose class anna@2 --reason 'she asked in time'");
    assert_eq!(told, "anna@2 plays from the next round on\n");
    let status = server.bench.ok("league status class");
    let chosen = "active, chosen by the organiser: she asked in time";
    assert!(status.contains(chosen), "{status}");
    let page = server.at(Method::Get, "statistics.html").send().expect("an answer");
    assert!(page.as_str().expect("text").contains(chosen), "{:?}", page.as_str());
    let events = server.bench.ok("league events class");
    assert!(events.contains("anna@1 was chosen by its author\n"), "{events}");
    // The next one that enters plays.
    set(&server.bench, &format!("deadline = {}", ahead(3_600)));
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("third"))["bot"], "anna@3");
    server.bench.ok("verify class");
}

#[test]
fn an_own_deadline_and_an_accepted_submission_are_exceptions_that_everybody_sees() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    let bench = &server.bench;
    let extend = |words: &[&str]| {
        let reason = ["--reason", "ill that day"];
        bench.run([&["league", "extend", "class"], words, &reason].concat())
    };
    extend(&["anna", "--until", &ahead(60)]).assert_refused(2, &["has no deadline"]);
    set(bench, &format!("deadline = {}", ahead(-3_600)));
    for (words, says) in [
        (["anna", "--until", "soon"], "until: invalid time `soon`"),
        (["anna", "--until", "2001-01-01T00:00:00Z"], "must not be before the deadline"),
        (["nobody", "--until", "2100-01-01T00:00:00Z"], "no participant `nobody`"),
    ] {
        extend(&words).assert_refused(2, &[says]);
    }
    for token in [&anna, &ben] {
        assert_eq!(read(&server.send(token, "bot.zip", &bot("late")))["verdict"], "late");
    }
    let told = extend(&["anna", "--until", "2100-01-01T00:00:00Z"]);
    assert_eq!(told.stdout, "anna: deadline extended to 2100-01-01 00:00:00 UTC (ill that day)\n");
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("in time"))["bot"], "anna@1");
    assert_eq!(read(&server.get("", &anna))["deadline"], "2100-01-01T00:00:00Z");
    assert_eq!(read(&server.get("", &ben))["deadline"], Value::Null);
    bench.ok("league accept class ben --reason 'the server was away'");
    assert_eq!(server.decided(&ben, 1)["bot"], "ben@1");
    let exceptions = json!([
        { "participant": "anna", "until": "2100-01-01T00:00:00Z", "accepted": null, "reason": "ill that day" },
        { "participant": "ben", "until": null, "accepted": 1, "reason": "the server was away" },
    ]);
    assert_eq!(status(bench)["exceptions"], exceptions);
    let page = server.at(Method::Get, "").send().expect("an answer");
    let page = page.as_str().expect("text").to_owned();
    let shown = [page, bench.ok("league status class")];
    for words in [
        "anna: deadline extended to 2100-01-01 00:00:00 UTC (ill that day)",
        "ben: late submission 1 accepted (the server was away)",
    ] {
        assert!(shown.iter().all(|shown| shown.contains(words)), "{words}: {shown:?}");
    }
    let events = bench.ok("league events class --bot ben");
    assert!(
        events.starts_with("ben: late submission 1 accepted (the server was away)\n"),
        "{events}"
    );
    bench.ok("verify class");
}

#[test]
fn a_participant_is_forgotten_outside_the_proof_which_still_verifies() {
    let server = Server::start(league(&["random", "greedy"]));
    server.bench.ok("league invite class anna --person 'Anna Kowalska'");
    let anna = server.invite("anna");
    let zofia = server.bench.ok("league invite class anna --member zofia");
    let zofia = zofia.trim_end().trim_start_matches("anna/zofia: ").to_owned();
    assert_eq!(server.hand_in(&anna, "Kowalska.zip", &bot("first"))["bot"], "anna@1");
    assert_eq!(server.hand_in(&zofia, "Kowalska.zip", b"of Kowalska")["verdict"], "refused");
    let bench = server.ended();
    play(&bench, "8");
    bench.ok("league test-game class --bot anna --against random");
    let forget = ["league", "forget", "class", "anna"];
    bench
        .run(forget)
        .assert_refused(2, &["anna@1 still plays", "arbiter league retire class anna"]);
    bench.refuses("league forget class eve", "no participant `eve`");
    bench.ok("league retire class anna --reason 'asked to be forgotten'");
    let told = bench.succeed(forget);
    assert!(told.starts_with("anna: now forgotten-"), "{told}");
    assert!(told.contains("2 submissions, 1 test game, 1 rejection, "), "{told}");
    for words in ["digests of anna@1\n", "in rounds 0", "a reason: asked to be forgotten\n"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // Nothing outside the proof says who she is, and the pseudonym stays.
    let proof = ["league.jsonl", "rounds", "bots", "index.sqlite"]
        .map(|name| bench.path("class").join(name));
    let mut folders = vec![bench.path("class")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("ours").flatten().map(|entry| entry.path()) {
            if proof.contains(&entry) {
                continue;
            }
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let text = String::from_utf8_lossy(&fs::read(&entry).expect("ours")).into_owned();
            for secret in ["Kowalska", "zofia", "asked to be forgotten"] {
                let is_audit = entry.ends_with("audit.jsonl");
                assert!(is_audit || !text.contains(secret), "{}: {text}", entry.display());
            }
        }
    }
    let pseudonym =
        |told: &str| told.split(' ').nth(2).map(|it| it.trim_end_matches(';').to_owned());
    assert_eq!(pseudonym(&bench.succeed(forget)), pseudonym(&told));
    let json = bench.line("league forget class anna --json").json();
    assert_eq!(json[0]["forgotten"]["proof"]["versions"], json!(["anna@1"]), "{json:?}");
    let listed = bench.ok("league audit class");
    assert!(listed.contains("  command  retire: anna@1 (asked to be forgotten)\n"), "{listed}");
    assert!(!listed.contains("Kowalska") && !listed.contains("zofia"), "{listed}");
    bench.ok("verify class");
    let server = Server::start(bench);
    refusal(&server.get("", &anna), 401);
    let events = server.bench.ok("league events class --bot anna");
    assert!(events.contains("anna@1 has left: -\n"), "{events}");
}

#[test]
fn the_standard_error_of_a_fault_in_a_game_is_for_its_author() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    // It passes its check, and fails once a move has another time.
    let script = "while read -r word rest; do\n\
        if [ \"$word $rest\" = 'time 20000' ]; then echo secret-of-anna >&2; exit 3; fi\n\
        if [ \"$word\" = legal ]; then read -r move; echo \"$move\"; exit; fi\ndone\n";
    let told = server.hand_in(&anna, "bot.sh", script.as_bytes());
    assert_eq!(told["bot"], "anna@1", "{told}");
    let settings = server.bench.path("class/league.toml");
    let text = fs::read_to_string(&settings).expect("ours").replace("\"30s\"", "\"20s\"");
    fs::write(&settings, text).expect("ours");
    play(&server.bench, "4");
    let told = read(&server.get("faults", &anna));
    let fault = &told["faults"][0];
    assert_eq!(fault["bot"], "anna@1", "{told}");
    assert_eq!(fault["verdict"], "crash", "{told}");
    assert_eq!(fault["stderr"], "secret-of-anna\n", "{told}");
    assert_eq!(read(&server.get("faults", &ben))["faults"].as_array().map(Vec::len), Some(0));
    let stranger = server.request(Method::Get, "faults").send().expect("an answer");
    assert_eq!(stranger.status_code, 401);
}

#[test]
fn a_league_without_isolation_takes_no_bots_of_strangers() {
    let bench = league(&[]);
    let file = bench.path("class/league.toml");
    let text = fs::read_to_string(&file).expect("ours").replace("\nisolation", "\n#isolation");
    fs::write(&file, format!("isolation = \"off\"\n{text}")).expect("ours");
    let ended = bench.line("serve class --listen 127.0.0.1:0 --submit");
    ended.assert_refused(2, &["isolation = \"off\"", "strangers"]);
}
