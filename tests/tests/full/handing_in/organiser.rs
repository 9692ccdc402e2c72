//! The page of the organiser.

use minreq::{Method, Response};
use serde_json::json;
use tests::handing_in::{Server, ahead, bearer, bot, json as read, refusal, set};
use tests::league::{league, states, status};

fn act(server: &Server, token: &str, action: &str, form: &str) -> Response {
    let request = server.at(Method::Post, &format!("organiser/{action}"));
    let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
    request.with_header("Authorization", bearer(token)).with_body(form).send().expect("an answer")
}

#[test]
fn the_organiser_pauses_publishes_accepts_retires_and_revokes() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let organiser = server.bench.succeed(["league", "organiser", "class"]);
    let organiser = organiser.trim_end().to_owned();
    let get = |token: &str| {
        let request = server.at(Method::Get, "organiser/");
        request.with_header("Authorization", bearer(token)).send().expect("an answer")
    };
    let overview = || read(&get(&organiser));
    // The token of a participant is none of the organiser, and the other way round.
    refusal(&get(&anna), 401);
    refusal(&act(&server, &anna, "pause", ""), 401);
    refusal(&server.get("", &organiser), 401);
    assert!(!server.bench.path("class/paused").exists());

    assert_eq!(read(&act(&server, &organiser, "pause", "")), json!({ "done": "paused" }));
    assert_eq!(overview()["is_paused"], true);
    act(&server, &organiser, "go-on", "");
    assert_eq!(overview()["is_paused"], false);

    let notice = act(&server, &organiser, "notice", "text=The+%3Cb%3Efinal%3C%2Fb%3E");
    assert_eq!(notice.status_code, 200, "{:?}", notice.as_str());
    assert_eq!(overview()["notices"][0]["text"], "The <b>final</b>");
    let first = server.at(Method::Get, "").with_header("Accept", "text/html");
    let first = first.send().expect("an answer");
    assert!(first.as_str().expect("text").contains("The &lt;b&gt;final&lt;/b&gt;"));
    act(&server, &organiser, "remove-notice", "number=1");
    assert_eq!(overview()["notices"], json!([]));
    refusal(&act(&server, &organiser, "remove-notice", "number=1"), 409);
    refusal(&act(&server, &organiser, "notice", "text="), 409);
    refusal(&act(&server, &organiser, "no-such", ""), 404);

    set(&server.bench, &format!("deadline = {}", ahead(-60)));
    assert_eq!(read(&server.send(&anna, "bot.zip", &bot("late")))["verdict"], "late");
    assert_eq!(overview()["late"][0]["participant"], "anna");
    let accept = "name=anna&reason=ill+that+day";
    assert_eq!(act(&server, &organiser, "accept", accept).status_code, 200);
    assert_eq!(server.decided(&anna, 1)["bot"], "anna@1");
    refusal(&act(&server, &organiser, "extend", "name=anna&until=soon&reason=ill"), 409);
    let extend = "name=anna&until=2100-01-01T00:00:00Z&reason=ill";
    assert_eq!(act(&server, &organiser, "extend", extend).status_code, 200);
    let exceptions = overview()["exceptions"].clone();
    assert_eq!(exceptions[0]["reason"], "ill that day");
    assert_eq!(exceptions[1]["until"], "2100-01-01T00:00:00Z");

    assert_eq!(act(&server, &organiser, "retire", "name=anna").status_code, 200);
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 retired"]);
    refusal(&act(&server, &organiser, "retire", "name=anna"), 409);
    // Each action has the name of the token.
    let eve = server.bench.succeed(["league", "organiser", "class", "--name", "eve"]);
    act(&server, eve.trim_end(), "pause", "");
    act(&server, eve.trim_end(), "go-on", "");
    let actions = overview()["audit"].as_array().expect("a list").clone();
    let action =
        |place: usize| [&actions[place]["by"], &actions[place]["action"], &actions[place]["what"]];
    assert_eq!(action(0), ["eve", "go-on", "resumed"]);
    assert_eq!(action(2), ["command", "organiser", "new token of eve"]);
    assert_eq!(action(3), ["organiser", "retire", "anna retired"]);
    let listed = server.bench.succeed(["league", "audit", "class", "--last", "1"]);
    assert!(listed.ends_with("  eve  go-on: resumed\n"), "{listed}");
    server.bench.succeed(["league", "organiser", "class", "--name", "eve", "--revoke"]);
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
    server.bench.succeed(["league", "organiser", "class", "--revoke"]);
    refusal(&get(&organiser), 401);
}
