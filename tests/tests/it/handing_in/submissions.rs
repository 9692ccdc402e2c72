//! Submissions, and their results.

use std::fs;

use minreq::Method;
use serde_json::json;
use tests::archives::{gz, tar_entry};
use tests::handing_in::{
    MANIFEST, Server, ahead, bearer, bot, built_by, endless, json as read, refusal, runs, script,
    set, with_script,
};
use tests::league::{league, play, states};
use tests::running::wait_until;
use tests::texts::assert_says;

#[test]
fn a_bot_is_refused_mended_and_enters() {
    let server = Server::start(league(&["random"]));
    let bench = &server.bench;
    let anna = server.invite("anna");
    let broken = with_script("echo the secret reason >&2; exit 3\n");
    let told = server.hand_in(&anna, "bot.zip", &broken);
    assert_eq!(told["verdict"], "refused", "{told}");
    assert_eq!((&told["number"], &told["file"]), (&json!(1), &json!("bot.zip")));
    let why = told["why"].as_str().expect("a reason");
    assert!(why.starts_with("bot `anna` failed the check at `"), "{why}");
    let report = told["report"].as_str().expect("a report");
    // It is the bot's own standard error.
    assert_says(report, &["the secret reason", "anna does not pass"]);

    let told = server.hand_in(&anna, "bot.zip", &bot("mended"));
    assert_eq!((&told["verdict"], &told["bot"]), (&json!("entered"), &json!("anna@1")), "{told}");
    assert!(told["report"].as_str().expect("a report").contains("anna passes"));
    assert_eq!(states(bench), ["random@1 active", "anna@1 active"]);
    // As a tar, and as a single source; the same once more is no new version.
    let script = script("second");
    let files = [("./bot.toml", MANIFEST), ("./bot.sh", script.as_bytes())];
    let files = files.map(|(name, content)| tar_entry(name, b'0', content)).concat();
    let packed = gz(&[files, vec![0; 1024]].concat());
    for (file, content, entered) in [
        ("bot.tar.gz", &packed[..], "anna@2"),
        ("mine.sh", script.as_bytes(), "anna@3"),
        ("mine.sh", script.as_bytes(), "anna@3"),
    ] {
        let told = server.hand_in(&anna, file, content);
        assert_eq!(told["bot"], entered, "{told}");
    }
    let expected = ["random@1 active", "anna@1 replaced", "anna@2 replaced", "anna@3 active"];
    assert_eq!(states(bench), expected);
    assert_eq!(play(bench, "4"), 4);
    assert!(bench.ok("league standings class").contains("anna@3"));
    bench.ok("verify class");
    assert!(bench.text("class/league.jsonl").contains("\"handed_in\":{\"folder\":\"anna\","));
    // The league keeps the refusal like the one of a watched folder.
    assert!(bench.text("class/refused/0/report.txt").contains("the secret reason"));
    let left = fs::read_dir(bench.path("class/submissions")).expect("a folder").count();
    assert_eq!(left, 1, "only the folder of anna");
    assert!(!bench.path("class/unpacking").exists());
}

/// What a terminal shows to the one who runs a bot helps its author, too, as long as it says nothing about the machine.
#[test]
fn the_report_of_a_refused_bot_has_the_hints_of_a_terminal() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    for (script, hint) in [
        ("echo 'OSError: [Errno 101] Network is unreachable' >&2; exit 1", "has no network"),
        ("echo 'Read-only file system: /usr/x' >&2; exit 1", "only to their scratch folder"),
        ("echo 'Operation not permitted' >&2; exit 1", "may have blocked a system call"),
        ("kill -ILL $$", "built for another machine (-march=native)? build it on this one"),
    ] {
        let broken = with_script(&format!("cat >/dev/null; {script}\n"));
        let told = server.hand_in(&anna, "bot.zip", &broken);
        for key in ["why", "report"] {
            let text = told[key].as_str().expect("a text");
            assert!(text.contains(hint), "{script}: {text}");
            for word in ["--allow", "arbiter sandbox"] {
                assert!(!text.contains(word), "{script}: {text}");
            }
        }
    }
}

#[test]
fn others_see_a_verdict_and_no_more() {
    let server = Server::start(league(&["random"]));
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    let hushed = built_by("sh -c \"echo hush >&2; exit 1\"");
    for (content, step) in [(&b"PK\x05\x06"[..], "files"), (&hushed, "builds")] {
        let told = server.hand_in(&anna, "my-secret-name.zip", content);
        assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!(step)), "{told}");
        assert!(step == "files" || told["report"].to_string().contains("hush"));
    }
    let list = read(&server.get("", &ben));
    assert_eq!(list["own"], json!([]));
    let all = list["all"].as_array().expect("a list");
    for (shown, step) in all.iter().zip(["builds", "files"]) {
        let at = shown["received"].clone();
        let verdict =
            json!({ "participant": "anna", "received": at, "verdict": "refused", "step": step });
        assert_eq!((shown, at.is_u64()), (&verdict, true));
    }
    assert_eq!(all.len(), 2);
    let public = server.request(Method::Get, "").with_header("Accept", "*/*").send();
    let public = public.expect("an answer").as_str().expect("text").to_owned();
    let secrets = ["my-secret-name", "hush", "damaged or truncated", "exit 1"];
    for text in [server.page("", &ben), server.page("", ""), public] {
        assert!(text.contains("anna") && text.contains("rejected"), "{text}");
        assert!(secrets.iter().all(|secret| !text.contains(secret)), "{text}");
    }
    let text = server.page_at("statistics.html", "");
    assert!(text.contains("its author sees why") && text.contains("href=\"hand-in/\""), "{text}");
    assert!(secrets.iter().all(|secret| !text.contains(secret)), "{text}");
    assert_says(&server.page("", &anna), &["my-secret-name", "submissions/2"]);
    assert!(server.page("submissions/2", &anna).contains("hush"));
    // A number is no way to the submissions of others.
    assert_eq!(server.get("submissions/2", &ben).status_code, 404);
    assert_eq!(server.request(Method::Get, "submissions/2").send().expect("one").status_code, 401);
}

/// A correction of what waits used to be refused. A token that is taken back is void for what was sent with it and waits,
/// too, also if there is another one by then.
#[test]
fn a_correction_takes_the_place_of_what_waits_and_none_is_forgotten() {
    let server = Server::start(league(&["random"]));
    let [anna, ben, carl] = ["anna", "ben", "carl"].map(|name| server.invite(name));
    // While another program enters bots, everything waits.
    let entering = server.bench.lock("class/entering");
    assert_eq!(server.send(&anna, "bot.zip", b"not what she meant").status_code, 202);
    assert_eq!(server.send(&ben, "bot.sh", b"exit 1\n").status_code, 202, "others may");
    assert_eq!(server.send(&carl, "bot.zip", &bot("carl's")).status_code, 202);
    let told = read(&server.send(&anna, "bot.zip", &bot("second")));
    assert_eq!((&told["number"], &told["place"]), (&json!(2), &json!(1)), "its turn: {told}");
    let told = read(&server.get("submissions/1", &anna));
    assert_eq!((&told["verdict"], &told["by"]), (&json!("replaced"), &json!(2)), "{told}");
    assert_eq!(read(&server.get("", &anna))["queue"], json!(["anna", "ben", "carl"]));
    server.bench.ok("league invite class carl --revoke");
    let carl = server.invite("carl");
    // The server is killed, and the next one deals with them.
    let bench = server.ended();
    drop(entering);
    let server = Server::start(bench);
    assert_eq!(server.decided(&anna, 2)["bot"], "anna@1");
    assert_eq!(server.decided(&ben, 1)["verdict"], "refused");
    let told = server.decided(&carl, 1);
    assert_eq!((&told["verdict"], &told["step"]), (&json!("refused"), &json!("token")), "{told}");
    assert_eq!(read(&server.get("submissions/1", &anna))["verdict"], "replaced");
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);
}

/// A correction used to be refused until the check of the first file had ended, which could be after the deadline.
#[test]
fn a_correction_ends_the_check_of_what_it_replaces() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let (first, second) = (endless(), endless());
    assert_eq!(server.send(&anna, "bot.zip", &built_by(&first)).status_code, 202);
    wait_until("the first build runs", || runs(&first));
    assert_eq!(server.send(&anna, "bot.zip", &built_by(&second)).status_code, 202);
    wait_until("the second build runs alone", || runs(&second) && !runs(&first));
    assert_eq!(read(&server.get("submissions/1", &anna))["verdict"], "replaced");
    let withdraw = |number: u32| {
        let request = server.request(Method::Delete, &format!("submissions/{number}"));
        request.with_header("Authorization", bearer(&anna)).send().expect("an answer")
    };
    assert_eq!(read(&withdraw(2))["verdict"], "withdrawn");
    wait_until("no build runs", || !runs(&second));
    assert_eq!(withdraw(2).status_code, 200, "it is withdrawn");
    let why = refusal(&withdraw(1), 409);
    assert!(why.starts_with("submission 1 has already been decided"), "{why}");
    refusal(&withdraw(9), 404);
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("third"))["bot"], "anna@1");
    refusal(&withdraw(3), 409);
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);
    assert!(!server.bench.path("class/refused").exists(), "what was replaced is not refused");
}

#[test]
fn authors_choose_which_version_plays_until_the_deadline() {
    let server = Server::start(league(&["random"]));
    let bench = &server.bench;
    let (anna, ben) = (server.invite("anna"), server.invite("ben"));
    let choose = |token: &str, bot: &str| server.form("choose", token, &format!("bot={bot}"));
    for comment in ["first", "second"] {
        server.hand_in(&anna, "bot.zip", &bot(comment));
    }
    let own = read(&server.get("", &anna));
    assert_eq!((&own["playing"], &own["choices"]), (&json!("anna@2"), &json!(["anna@1"])));
    assert_eq!(read(&choose(&anna, "anna@1")), json!({ "chosen": "anna@1" }));
    let expected = ["random@1 active", "anna@1 active", "anna@2 replaced"];
    assert_eq!(states(bench), expected);
    refusal(&choose(&ben, "anna@2"), 400);
    refusal(&choose(&anna, "anna@1"), 409);
    refusal(&choose(&anna, "anna@7"), 409);
    assert_eq!(play(bench, "4"), 4);
    let standings = bench.ok("league standings class");
    assert!(standings.contains("anna@1") && !standings.contains("anna@2"), "{standings}");
    set(bench, &format!("deadline = {}", ahead(-5)));
    let why = refusal(&choose(&anna, "anna@2"), 403);
    assert!(why.starts_with("the deadline passed"), "{why}");
    let told = bench.ok("league choose class anna@2 --reason 'she asked in time'");
    assert_eq!(told, "anna@2 plays from the next round on\n");
    let chosen = "active, chosen by the organiser: she asked in time";
    for page in [bench.ok("league status class"), server.page_at("statistics.html", "")] {
        assert!(page.contains(chosen), "{page}");
    }
    assert_says(&bench.ok("league events class"), &["anna@1 was chosen by its author\n"]);
    // The next one that enters plays.
    set(bench, &format!("deadline = {}", ahead(3_600)));
    assert_eq!(server.hand_in(&anna, "bot.zip", &bot("third"))["bot"], "anna@3");
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
    let forget = "league forget class anna";
    let plays = ["anna@1 still plays", "arbiter league retire class anna"];
    bench.line(forget).assert_refused(2, &plays);
    bench.refuses("league forget class eve", "no participant `eve`");
    bench.ok("league retire class anna --reason 'asked to be forgotten'");
    let told = bench.ok(forget);
    assert!(told.starts_with("anna: now forgotten-"), "{told}");
    for words in [
        "2 submissions, 1 test game, 1 rejection, ",
        "digests of anna@1\n",
        "in rounds 0",
        "a reason: asked to be forgotten\n",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // Nothing outside the proof says who she is, and the pseudonym stays.
    let proof = ["league.jsonl", "rounds", "bots", "index.sqlite"];
    let proof = proof.map(|name| bench.path("class").join(name));
    for file in tests::bench::files_below(&bench.path("class")) {
        if proof.iter().any(|of_proof| file.starts_with(of_proof)) {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&file).expect("ours")).into_owned();
        for secret in ["Kowalska", "zofia", "asked to be forgotten"] {
            let is_audit = file.ends_with("audit.jsonl");
            assert!(is_audit || !text.contains(secret), "{}: {text}", file.display());
        }
    }
    let pseudonym =
        |told: &str| told.split(' ').nth(2).map(|it| it.trim_end_matches(';').to_owned());
    assert_eq!(pseudonym(&bench.ok(forget)), pseudonym(&told));
    let json = bench.line("league forget class anna --json").json();
    assert_eq!(json[0]["forgotten"]["proof"]["versions"], json!(["anna@1"]), "{json:?}");
    let listed = bench.ok("league audit class");
    assert!(listed.contains("  command  retire: anna@1 (asked to be forgotten)\n"), "{listed}");
    assert!(!listed.contains("Kowalska") && !listed.contains("zofia"), "{listed}");
    bench.ok("verify class");
    let server = Server::start(bench);
    refusal(&server.get("", &anna), 401);
    assert_says(&server.bench.ok("league events class --bot anna"), &["anna@1 has left: -\n"]);
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
    server.bench.replace("class/league.toml", "\"30s\"", "\"20s\"");
    play(&server.bench, "4");
    let told = read(&server.get("faults", &anna));
    let fault = &told["faults"][0];
    assert_eq!((&fault["bot"], &fault["verdict"]), (&json!("anna@1"), &json!("crash")), "{told}");
    assert_eq!(fault["stderr"], "secret-of-anna\n", "{told}");
    assert_eq!(read(&server.get("faults", &ben))["faults"].as_array().map(Vec::len), Some(0));
    let stranger = server.request(Method::Get, "faults").send().expect("an answer");
    assert_eq!(stranger.status_code, 401);
}

#[test]
fn a_league_without_isolation_takes_no_bots_of_strangers() {
    let bench = league(&[]);
    let text = bench.text("class/league.toml").replace("\nisolation", "\n#isolation");
    bench.write("class/league.toml", format!("isolation = \"off\"\n{text}"));
    let ended = bench.line("serve class --listen 127.0.0.1:0 --submit");
    ended.assert_refused(2, &["isolation = \"off\"", "strangers"]);
}
