//! Tokens that let people in, and limits on questions.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use minreq::{Method, Response};
use sha2::{Digest, Sha256};
use tests::handing_in::{Server, bearer, bot, refusal};
use tests::league::league;

/// The answer to the form of a browser.
fn form(server: &Server, path: &str, body: &str, headers: &[(&str, &str)]) -> Response {
    let request = server.request(Method::Post, path).with_header("Accept", "text/html");
    let request = request.with_header("Sec-Fetch-Site", "same-origin").with_body(body);
    let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
    let with =
        |request: minreq::Request, (name, value): &(&str, &str)| request.with_header(*name, *value);
    headers.iter().fold(request, with).send().expect("an answer")
}

#[test]
fn a_token_is_kept_as_a_digest_and_can_be_replaced_and_taken_back() {
    let server = Server::start(league(&["random"]));
    let bench = &server.bench;
    let first = server.invite("anna");
    let text = bench.text("class/participants.json");
    assert_eq!(text, format!("{{\"anna\":{{\"token\":\"{}\"}}}}", sha256(first.as_bytes())));
    let file = fs::metadata(bench.path("class/participants.json")).expect("ours");
    assert_eq!(file.permissions().mode() & 0o777, 0o600, "only the owner reads it");
    assert_eq!(server.get("", &first).status_code, 200);
    let again = bench.line("league invite class anna").with_code(0);
    let note = "note: the old token of `anna` is revoked";
    assert!(again.stderr.contains(note), "{}", again.stderr);
    let second = again.stdout.trim_end().strip_prefix("anna: ").expect("a token").to_owned();
    assert_ne!(first, second);
    assert_eq!(server.get("", &second).status_code, 200);
    // The digest is no token.
    for token in [first, sha256(second.as_bytes()), second[1..].to_owned(), String::new()] {
        let why = refusal(&server.get("", &token), 401);
        assert_eq!(why, "invalid token: ask the organiser for a new one");
        refusal(&server.send(&token, "bot.zip", &bot("first")), 401);
    }
    assert!(!bench.path("class/arriving").exists());
    bench.ok("league invite class anna --revoke");
    refusal(&server.get("", &second), 401);
    server.invite("ben");
    for (words, why) in [
        ("anna --revoke", "participant `anna` has no token"),
        ("a/b", "invalid participant name `a/b`"),
        ("Random", "`Random` differs from `random` only in case"),
        ("BEN", "`BEN` differs from `ben` only in case"),
    ] {
        bench.refuses(&format!("league invite class {words}"), why);
    }
    // A bot that was entered otherwise may be handed to someone, which is said.
    let handed = bench.line("league invite class random");
    let note = "note: a bot `random` has already entered; submissions will become its new versions";
    assert!(handed.stderr.contains(note), "{}", handed.stderr);
    // An error outside of all pages has the form that the client reads.
    let why = refusal(&server.get("submissions/first", &second), 400);
    assert!(why.starts_with("invalid URL"), "{why}");
    let page = server.request(Method::Get, "submissions/first").with_header("Accept", "text/html");
    let page = page.send().expect("an answer");
    let kind = &*page.headers["content-type"];
    assert_eq!((page.status_code, kind), (400, "text/html; charset=utf-8"));
    assert_eq!(refusal(&server.get("sign-in", &second), 405), "method not allowed");
}

#[test]
fn a_browser_signs_in_by_a_form_and_out_again_and_posts_of_others_are_refused() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let (token, cookie) = (format!("token={anna}"), format!("token={anna}"));
    let signed_in = form(&server, "sign-in", &token, &[]);
    assert_eq!((signed_in.status_code, &*signed_in.headers["location"]), (303, "./"));
    let kept = format!("{token}; HttpOnly; SameSite=Strict; Max-Age=5184000");
    let folder = "without a path it is for this folder alone";
    assert_eq!(signed_in.headers["set-cookie"], kept, "{folder}");
    let secure = form(&server, "sign-in", &token, &[("X-Forwarded-Proto", "https")]);
    assert!(secure.headers["set-cookie"].ends_with("; Secure"));
    assert!(server.page("", &anna).contains("Submit a bot as anna"));
    for old in ["0000", ""] {
        assert!(server.page("", old).contains("action=\"sign-in\""), "no dead end");
    }
    for body in [&*format!("{token}0"), "token=", "x=1", &"x".repeat(9_000)] {
        let answer = form(&server, "sign-in", body, &[]);
        assert!((400..500).contains(&answer.status_code), "{}", answer.status_code);
        assert!(!answer.headers.contains_key("set-cookie"));
    }
    let out = form(&server, "sign-out", "", &[("Cookie", &*cookie)]);
    assert!(out.headers["set-cookie"].starts_with("token=; HttpOnly; SameSite=Strict; Max-Age=0"));

    for path in ["", "?file=bot.zip", "sign-in", "sign-out"] {
        for (name, value) in [
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
            ("Origin", "https://evil.example"),
            ("Origin", "null"),
        ] {
            let request = server.request(Method::Post, path).with_header(name, value);
            let request = request.with_header("Cookie", &*cookie).with_body(bot("stolen"));
            let answer = request.send().expect("an answer");
            assert_eq!(answer.status_code, 403, "{path} {name}: {value}");
            assert!(!answer.headers.contains_key("set-cookie"));
        }
    }
    // A form of another page is no file, even with a token.
    let form = server.request(Method::Post, "").with_header("Authorization", bearer(&anna));
    let form = form.with_header("Content-Type", "multipart/form-data; boundary=x").with_body("--x");
    refusal(&form.send().expect("an answer"), 415);
    assert!(!server.bench.path("class/arriving").exists());
    assert_eq!(server.get("", &anna).status_code, 200);
}

/// Of registrations, only wrong codes were counted, so a right one made any number of participants at once.
#[test]
fn too_many_requests_are_refused_with_a_time_to_come_back() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    // Wrong tokens are slowed down before other requests are.
    let from = |address: &str, token: &str| {
        let request = server.request(Method::Get, "").with_header("X-Forwarded-For", address);
        request.with_header("Authorization", bearer(token)).send().expect("an answer")
    };
    let answers: Vec<i32> = (0..12).map(|_| from("10.0.0.1", "wrong").status_code).collect();
    assert_eq!(answers[..10], [401; 10]);
    assert_eq!(answers[11], 429, "{answers:?}");
    assert_eq!(from("10.0.0.1", &anna).status_code, 200, "who has a token is let in");
    assert_eq!(from("10.0.0.2", "wrong").status_code, 401, "another address");

    // 400 at once, and then 50 a second: on a slow machine, fewer requests than that arrive.
    let begun = Instant::now();
    let mut sent = 0;
    let refused = loop {
        sent += 1;
        let answer = from("10.0.0.3", &anna);
        if answer.status_code != 200 || sent == 10_000 {
            break answer;
        }
    };
    let allowed = 500 + 50 * begun.elapsed().as_secs();
    if refused.status_code == 200 {
        assert!(sent <= allowed, "none of {sent} requests was refused: {allowed} are allowed");
    } else {
        let wait: u64 = refused.headers["retry-after"].parse().expect("seconds");
        assert!((1..=60).contains(&wait), "{wait}");
        let why = refusal(&refused, 429);
        assert!(why.starts_with("too many requests: try again in "), "{why}");
    }
    assert_eq!(from("10.0.0.4", &anna).status_code, 200, "another address");

    let code = server.bench.ok("league code class --uses 1000");
    let register = |address: &str, number: usize| {
        let body = format!("code={}&name=person{number}", code.trim_end());
        let headers = [("X-Forwarded-For", address), ("Accept", "application/json")];
        form(&server, "register", &body, &headers).status_code
    };
    // A class behind one address registers at once. A few turns may come back meanwhile.
    let answers: Vec<i32> = (0..200).map(|number| register("10.0.0.5", number)).collect();
    assert_eq!(answers[..60], [200; 60]);
    assert!(answers.contains(&429), "{answers:?}");
    assert_eq!(register("10.0.0.6", 1_000), 200, "another address");
    assert!(server.peak() < 100 << 10, "{} KiB", server.peak());
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
