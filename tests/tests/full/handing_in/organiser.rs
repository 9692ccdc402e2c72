//! The page of the organiser.

use minreq::{Method, Response};
use rustix::process::Signal;
use serde_json::{Value, json};
use tests::handing_in::{Server, ahead, bearer, bot, json as read, refusal, set};
use tests::league::{league, play, states, status};
use tests::running::wait_until;
use tests::texts::assert_says;

fn act(server: &Server, token: &str, action: &str, form: &str) -> Response {
    let request = server.at(Method::Post, &format!("organiser/{action}"));
    let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
    request.with_header("Authorization", bearer(token)).with_body(form).send().expect("an answer")
}

#[test]
fn the_organiser_pauses_publishes_accepts_retires_and_revokes() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let organiser = server.organiser();
    let get = |token: &str| {
        let request = server.at(Method::Get, "organiser/");
        request.with_header("Authorization", bearer(token)).send().expect("an answer")
    };
    let overview = || read(&get(&organiser));
    // The token of a participant is none of the organiser, and the other way round.
    refusal(&get(&anna), 401);
    refusal(&act(&server, &anna, "pause", ""), 401);
    refusal(&server.get("", &organiser), 401);
    // A browser gets the form where it opens a page, and is told no where it sends one.
    let browser = |method, page| {
        let request = server.at(method, page).with_header("Accept", "text/html");
        let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
        let request = request.with_header("Sec-Fetch-Site", "same-origin");
        request.with_header("Cookie", "token=wrong").send().expect("an answer").status_code
    };
    assert_eq!(browser(Method::Get, "organiser/"), 200);
    assert_eq!(browser(Method::Post, "organiser/pause"), 401);
    assert!(!server.bench.path("class/paused").exists());

    for (action, says, is_paused) in [("pause", "paused", true), ("go-on", "resumed", false)] {
        assert_eq!(done(&server, &organiser, action, ""), says);
        assert_eq!(overview()["is_paused"], is_paused);
    }
    done(&server, &organiser, "notice", "text=The+%3Cb%3Efinal%3C%2Fb%3E");
    assert_eq!(overview()["notices"][0]["text"], "The <b>final</b>");
    wait_until("the notice is on the first page", || {
        server.page_at("", "").contains("The &lt;b&gt;final&lt;/b&gt;")
    });
    done(&server, &organiser, "remove-notice", "number=1");
    assert_eq!(overview()["notices"], json!([]));
    for (action, form, status) in
        [("remove-notice", "number=1", 409), ("notice", "text=", 409), ("no-such", "", 404)]
    {
        refusal(&act(&server, &organiser, action, form), status);
    }

    set(&server.bench, &format!("deadline = {}", ahead(-60)));
    assert_eq!(read(&server.send(&anna, "bot.zip", &bot("late")))["verdict"], "late");
    assert_eq!(overview()["late"][0]["participant"], "anna");
    done(&server, &organiser, "accept", "name=anna&reason=ill+that+day");
    assert_eq!(server.decided(&anna, 1)["bot"], "anna@1");
    refusal(&act(&server, &organiser, "extend", "name=anna&until=soon&reason=ill"), 409);
    done(&server, &organiser, "extend", "name=anna&until=2100-01-01T00:00:00Z&reason=ill");
    let exceptions = overview()["exceptions"].clone();
    assert_eq!(exceptions[0]["reason"], "ill that day");
    assert_eq!(exceptions[1]["until"], "2100-01-01T00:00:00Z");

    done(&server, &organiser, "retire", "name=anna");
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 retired"]);
    refusal(&act(&server, &organiser, "retire", "name=anna"), 409);
    // Each action has the name of the token.
    let eve = server.bench.ok("league organiser class --name eve");
    act(&server, eve.trim_end(), "pause", "");
    act(&server, eve.trim_end(), "go-on", "");
    let actions = overview()["audit"].as_array().expect("a list").clone();
    let action =
        |place: usize| [&actions[place]["by"], &actions[place]["action"], &actions[place]["what"]];
    assert_eq!(action(0), ["eve", "go-on", "resumed"]);
    assert_eq!(action(2), ["command", "organiser", "new token of eve"]);
    assert_eq!(action(3), ["organiser", "retire", "anna retired"]);
    let listed = server.bench.ok("league audit class --last 1");
    assert!(listed.ends_with("  eve  go-on: resumed\n"), "{listed}");
    server.bench.ok("league organiser class --name eve --revoke");
    refusal(&get(eve.trim_end()), 401);
    act(&server, &organiser, "revoke", "name=anna");
    refusal(&server.get("", &anna), 401);
    assert_eq!(status(&server.bench)["state"], "not running");

    // A page of another site can do nothing.
    let request = server.at(Method::Post, "organiser/pause");
    let request = request.with_header("Origin", "http://elsewhere.example");
    let request = request.with_header("Cookie", format!("token={organiser}"));
    assert_eq!(request.send().expect("an answer").status_code, 403);
    assert!(!server.bench.path("class/paused").exists());
    server.bench.ok("league organiser class --revoke");
    refusal(&get(&organiser), 401);
}

/// What a page below `organiser/` says to a program with this token.
fn page_json(server: &Server, token: &str, path: &str) -> Value {
    server.json_page(&format!("organiser/{path}"), token)
}

/// What an action that is done says.
fn done(server: &Server, token: &str, action: &str, form: &str) -> String {
    let answer = act(server, token, action, form);
    assert_eq!(answer.status_code, 200, "{action}: {:?}", answer.as_str());
    read(&answer)["done"].as_str().expect("a text").to_owned()
}

#[test]
fn the_organiser_corrects_results_after_seeing_what_will_happen() {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    play(&bench, "16");
    let server = Server::start(bench);
    let token = server.organiser();
    let follows = |path: &str, expected: &[&str]| {
        let told = page_json(&server, &token, path);
        assert_eq!(told["problem"], Value::Null, "{path}: {told}");
        let follows = told["follows"].to_string();
        for words in expected {
            assert!(follows.contains(words), "{path}: {words} in {follows}");
        }
    };
    let problem = |path: &str, expected: &str| {
        let told = page_json(&server, &token, path);
        assert_eq!(told["follows"], Value::Null, "{path}: {told}");
        let problem = told["problem"].as_str().expect("a problem");
        assert!(problem.contains(expected), "{path}: {problem}");
    };
    let rounds = status(&server.bench)["rounds"].clone();
    problem("void?rounds=99", "round 99 is not finished");
    problem("void?rounds=x", "a round or games of a round");
    follows("void?rounds=0", &["All games in round 0: void.", "stay in the log"]);
    assert!(server.bench.ok("league corrections class").contains("no corrections"));
    refusal(&act(&server, &token, "void", "rounds=0&reason="), 409);
    let void = done(&server, &token, "void", "rounds=0&reason=no+power");
    assert_eq!(void, "all games in round 0: void (no power)");
    problem("void?rounds=0", "are already void");
    follows("reinstate?number=0", &["rated again", "no power"]);
    done(&server, &token, "reinstate", "number=0&reason=the+logs+are+whole");
    problem("reinstate?number=0", "already count");
    follows("replay?rounds=1/0", &["replayed in a later round"]);
    let replayed = done(&server, &token, "replay", "rounds=1/0&reason=a+card+was+visible");
    assert!(replayed.ends_with(": to be replayed (a card was visible)"), "{replayed}");
    assert_eq!(status(&server.bench)["rounds"], rounds);

    follows("disqualify?name=ann", &["ann@1 plays no further rounds", "are rejected"]);
    refusal(&act(&server, &token, "disqualify", "name=ann"), 409);
    done(&server, &token, "disqualify", "name=ann&reason=rule+7");
    problem("retire?name=ann", "has already left");
    problem("stage?format=groups", "groups: no number");
    problem("stage?format=swiss&third=on", "third: only for a knockout or groups");
    problem("stage?format=knockout&swiss=7", "rounds: only for a Swiss system");
    let why = refusal(&act(&server, &token, "replay", "reason=no+rounds"), 409);
    assert!(why.contains("no games to replay"), "{why}");
    problem("stage?format=knockout&without=zoe", "no such bot");
    let stage = "format=knockout&title=final&deals=1";
    follows(&format!("stage?{stage}"), &["Stage 0, final: 2 bots, knockout", "at once", "Seeds: "]);
    assert_eq!(done(&server, &token, "stage", stage), "stage 0, final: 2 bots, knockout");
    problem("stage", "stage 0 (final) is unfinished");
    // The warning of the command is here as well.
    follows("retire?name=random", &["Stage 0: random@1 leaves before the first round"]);
    follows("end-stage", &["aborted"]);
    done(&server, &token, "end-stage", "reason=power+cut");
    problem("end-stage", "no stage is in progress");
    server.bench.verify(&server.bench.path("class"));
    let audit = page_json(&server, &token, "audit");
    let last = &audit["audit"][0];
    assert_eq!([&last["by"], &last["action"]], ["organiser", "end-stage"], "{audit}");
    for page in ["", "audit", "void", "void?rounds=0", "stage", "retire?name=random"] {
        assert_says(&server.page_at(&format!("organiser/{page}"), &token), &["<h1>"]);
    }
}

#[test]
fn the_organiser_changes_dates_tokens_and_versions() {
    let server = Server::start(league(&["random"]));
    let (token, anna) = (server.organiser(), server.invite("anna"));
    let settings = || server.bench.text("class/league.toml");
    let before = settings();
    for (action, form, line) in [
        ("deadline", "until=2100-01-05T12:00:00Z", "deadline = 2100-01-05T12:00:00Z\n"),
        ("freeze", "until=2100-01-01T00:00:00&reason=final", "freeze = 2100-01-01T00:00:00Z\n"),
        ("unfreeze", "until=2100-01-02T00:00:00Z", "unfreeze = 2100-01-02T00:00:00Z\n"),
    ] {
        let asked = page_json(&server, &token, &format!("{action}?{form}"));
        assert!(asked["follows"][0].as_str().is_some_and(|it| it.contains("2100-01-0")), "{asked}");
        assert!(!settings().contains(line));
        done(&server, &token, action, form);
        assert!(settings().contains(line), "{}", settings());
    }
    let why = refusal(&act(&server, &token, "unfreeze", "until=2099-01-01T00:00:00Z"), 409);
    assert_eq!(why, "calendar.unfreeze must be after calendar.freeze");
    refusal(&act(&server, &token, "deadline", "until="), 409);
    // Now, without a time.
    done(&server, &token, "freeze", "");
    assert!(page_json(&server, &token, "")["calendar"].to_string().contains("freeze"));
    // The organiser presents results while public pages stand still.
    for (token, is_shown) in [(&*token, true), ("wrong", false)] {
        let page = server.page_at("organiser/ceremony", token);
        assert_eq!(page.contains("id=\"places\""), is_shown, "{page}");
    }
    let comments = |text: &str| text.lines().filter(|it| it.starts_with('#')).count();
    assert_eq!(comments(&settings()), comments(&before));
    assert_eq!(page_json(&server, &token, "")["settings_problem"], Value::Null);
    // One with another form is left alone.
    let inline = "game = \"coup\"\ncalendar = { deadline = 2100-01-05T12:00:00Z }\n";
    server.bench.write("class/league.toml", inline);
    assert_says(&refusal(&act(&server, &token, "freeze", ""), 409), &["edit the file"]);
    assert_eq!(settings(), inline);

    let renewed = read(&act(&server, &token, "token", "name=anna"));
    assert_eq!(renewed["done"], "new token for anna");
    let new = renewed["token"].as_str().expect("a token");
    refusal(&server.get("", &anna), 401);
    refusal(&act(&server, &token, "token", "name=zoe"), 409);
    assert_eq!(server.hand_in(new, "bot.zip", &bot("first"))["bot"], "anna@1");
    assert_eq!(server.hand_in(new, "bot.zip", &bot("second"))["bot"], "anna@2");
    let asked = page_json(&server, &token, "choose?name=anna&bot=anna@1");
    assert!(asked["follows"][0].as_str().is_some_and(|it| it.contains("instead of anna@2")));
    done(&server, &token, "choose", "name=anna&bot=anna@1&reason=by+mail");
    assert!(states(&server.bench).contains(&"anna@1 active".to_owned()));
    let audit = server.bench.text("class/audit.jsonl");
    assert!(!audit.contains(new), "no token is in the list of actions");
}

/// A form of another page could be sent in the name of an organiser who is signed in.
#[test]
fn a_form_has_a_token_against_forgery() {
    let server = Server::start(league(&["random"]));
    let token = server.organiser();
    let page = |path: &str| server.page_at(&format!("organiser/{path}"), &token);
    let send = |body: String| {
        let request = server.at(Method::Post, "organiser/retire");
        let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
        let request = request.with_header("Cookie", format!("token={token}"));
        let request = request.with_header("Origin", format!("http://{}", server.host()));
        request.with_header("Accept", "text/html").with_body(body).send().expect("an answer")
    };
    let asks = page("retire?name=random");
    assert!(asks.contains("<h1>Retire random@1</h1>"), "{asks}");
    assert!(!asks.contains(&token), "the page does not tell the token");
    let form = asks.split("name=\"form\" value=\"").nth(1).expect("a token").split('"').next();
    let form = form.expect("its end");
    assert_eq!(send("name=random&reason=".to_owned()).status_code, 403);
    assert_eq!(send(format!("name=random&form={}", "0".repeat(32))).status_code, 403);
    assert_eq!(states(&server.bench), ["random@1 active"]);
    let wrong = send(format!("name=zoe&form={form}"));
    assert_eq!(wrong.status_code, 409);
    assert!(
        wrong.as_str().expect("text").contains("role=\"alert\""),
        "it asks again, and says why"
    );
    assert_eq!(send(format!("name=random&reason=old&form={form}")).status_code, 303);
    assert_eq!(states(&server.bench), ["random@1 retired"]);
    assert!(page("").contains("random retired (old)"));
}

#[test]
fn a_stage_waits_for_the_open_round_and_can_be_cancelled() {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    let server = Server::start(bench);
    let token = server.organiser();
    // A run that is killed leaves a round open.
    wait_until("a round is open", || {
        let mut killed = server.bench.start("league run class --games 100000");
        wait_until("it plays", || !page_json(&server, &token, "")["open"].is_null());
        killed.signal(Signal::KILL);
        killed.wait();
        !page_json(&server, &token, "")["open"].is_null()
    });
    let stage = "format=swiss&deals=1&title=final";
    let asked = page_json(&server, &token, &format!("stage?{stage}"));
    assert!(asked["follows"].to_string().contains("Until then you can cancel it"), "{asked}");
    assert_says(&done(&server, &token, "stage", stage), &[": begins after round "]);
    let why = refusal(&act(&server, &token, "stage", stage), 409);
    assert!(why.ends_with("is already waiting: cancel it first"), "{why}");
    assert_eq!(page_json(&server, &token, "")["stage"], Value::Null);
    done(&server, &token, "cancel-stage", "");
    wait_until("it is cancelled", || page_json(&server, &token, "")["stage_waits"].is_null());
    assert_eq!(page_json(&server, &token, "")["stage"], Value::Null);

    let ends = format!("{stage}&open=end");
    let asked = page_json(&server, &token, &format!("stage?{ends}"));
    assert!(asked["follows"].to_string().contains("is aborted"), "{asked}");
    done(&server, &token, "stage", &ends);
    // No run is there that would end the round.
    wait_until("the stage is there", || page_json(&server, &token, "")["stage"]["name"] == "final");
    assert_says(&server.bench.text("class/league.jsonl"), &["\"why\":\"ended for a stage\""]);
}
