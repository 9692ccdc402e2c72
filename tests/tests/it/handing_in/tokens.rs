//! Tokens that let people in, and limits on questions.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use minreq::Method;
use sha2::{Digest, Sha256};
use tests::handing_in::{Server, bearer, bot, refusal};
use tests::league::league;

#[test]
fn a_token_is_kept_as_a_digest_and_can_be_replaced_and_taken_back() {
    let server = Server::start(league(&["random"]));
    let first = server.invite("anna");
    let file = server.bench.path("class/participants.json");
    let text = fs::read_to_string(&file).expect("ours");
    assert!(!text.contains(&first), "{text}");
    assert_eq!(text, format!("{{\"anna\":{{\"token\":\"{}\"}}}}", sha256(first.as_bytes())));
    let mode = fs::metadata(&file).expect("ours").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "only the owner reads it");
    assert_eq!(server.get("", &first).status_code, 200);
    let again = server.bench.line("league invite class anna");
    assert_eq!(again.code, Some(0), "{again:?}");
    let note = "note: the old token of `anna` is revoked";
    assert!(again.stderr.contains(note), "{}", again.stderr);
    let second = again.stdout.trim_end().strip_prefix("anna: ").expect("a token").to_owned();
    assert_ne!(first, second);
    assert_eq!(server.get("", &second).status_code, 200);
    // The digest is no token.
    let stolen = [first, sha256(second.as_bytes()), second[1..].to_owned(), String::new()];
    for token in &stolen {
        let why = refusal(&server.get("", token), 401);
        assert_eq!(why, "invalid token: ask the organiser for a new one");
        refusal(&server.send(token, "bot.zip", &bot("first")), 401);
    }
    assert!(!server.bench.path("class/arriving").exists());
    server.bench.ok("league invite class anna --revoke");
    refusal(&server.get("", &second), 401);
    let invite =
        |words: &[&str]| server.bench.run([&["league", "invite", "class"], words].concat());
    invite(&["anna", "--revoke"]).assert_refused(2, &["participant `anna` has no token"]);
    invite(&["a/b"]).assert_refused(2, &["invalid participant name `a/b`"]);
    invite(&["Random"]).assert_refused(2, &["`Random` differs from `random` only in case"]);
    server.invite("ben");
    invite(&["BEN"]).assert_refused(2, &["`BEN` differs from `ben` only in case"]);
    // A bot that was entered otherwise may be handed to someone, which is said.
    let handed = server.bench.line("league invite class random");
    let note = "note: a bot `random` has already entered; submissions will become its new versions";
    assert!(handed.stderr.contains(note), "{}", handed.stderr);
    // An error outside of all pages has the form that the client reads.
    let why = refusal(&server.get("submissions/first", &second), 400);
    assert!(why.starts_with("invalid URL"), "{why}");
    let page = server.request(Method::Get, "submissions/first").with_header("Accept", "text/html");
    let page = page.send().expect("an answer");
    assert_eq!(
        (page.status_code, &*page.headers["content-type"]),
        (400, "text/html; charset=utf-8")
    );
    assert_eq!(refusal(&server.get("sign-in", &second), 405), "method not allowed");
}

#[test]
fn a_browser_signs_in_by_a_form_and_out_again() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let form = |path: &str, body: String| {
        let request = server.request(Method::Post, path).with_header("Accept", "text/html");
        let request = request.with_header("Sec-Fetch-Site", "same-origin").with_body(body);
        request.with_header("Content-Type", "application/x-www-form-urlencoded")
    };
    let signed_in = form("sign-in", format!("token={anna}")).send().expect("an answer");
    assert_eq!((signed_in.status_code, &*signed_in.headers["location"]), (303, "./"));
    let cookie = &signed_in.headers["set-cookie"];
    assert_eq!(
        *cookie,
        format!("token={anna}; HttpOnly; SameSite=Strict; Max-Age=5184000"),
        "without a path it is for this folder alone"
    );
    let secure = form("sign-in", format!("token={anna}")).with_header("X-Forwarded-Proto", "https");
    assert!(secure.send().expect("one").headers["set-cookie"].ends_with("; Secure"));
    let page = |cookie: &str| {
        let request = server.request(Method::Get, "").with_header("Accept", "text/html");
        let answer = request.with_header("Cookie", cookie).send().expect("an answer");
        assert_eq!(answer.status_code, 200);
        answer.as_str().expect("text").to_owned()
    };
    assert!(page(&format!("token={anna}")).contains("Submit a bot as anna"));
    assert!(page("token=0000").contains("action=\"sign-in\""), "an old cookie is no dead end");
    assert!(page("").contains("action=\"sign-in\""));
    for body in [format!("token={anna}0"), "token=".to_owned(), "x=1".to_owned(), "x".repeat(9_000)]
    {
        let answer = form("sign-in", body).send().expect("an answer");
        assert!((400..500).contains(&answer.status_code), "{}", answer.status_code);
        assert!(!answer.headers.contains_key("set-cookie"));
    }
    let out = form("sign-out", String::new()).with_header("Cookie", format!("token={anna}"));
    let out = out.send().expect("an answer");
    assert!(out.headers["set-cookie"].starts_with("token=; HttpOnly; SameSite=Strict; Max-Age=0"));
}

#[test]
fn posts_from_pages_of_others_are_refused() {
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let origins = [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
    ];
    for path in ["", "?file=bot.zip", "sign-in", "sign-out"] {
        for (name, value) in origins {
            let request = server.request(Method::Post, path).with_header(name, value);
            let request = request.with_header("Cookie", format!("token={anna}"));
            let answer = request.with_body(bot("stolen")).send().expect("an answer");
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
    let (mut sent, mut refused) = (0, 0);
    let begun = Instant::now();
    while refused == 0 && sent < 10_000 {
        sent += 1;
        let answer = from("10.0.0.3", &anna);
        match answer.status_code {
            200 => {}
            429 => {
                refused += 1;
                let wait: u64 = answer.headers["retry-after"].parse().expect("seconds");
                assert!((1..=60).contains(&wait), "{wait}");
                let why = refusal(&answer, 429);
                assert!(why.starts_with("too many requests: try again in "), "{why}");
            }
            other => panic!("{other}"),
        }
    }
    let allowed = 500 + 50 * begun.elapsed().as_secs();
    assert!(
        refused > 0 || sent <= allowed,
        "none of {sent} requests was refused: {allowed} are allowed"
    );
    assert_eq!(from("10.0.0.4", &anna).status_code, 200, "another address");
    assert!(server.peak() < 100 << 10, "{} KiB", server.peak());
}

/// Only wrong codes were counted, so a right one made any number of participants at once.
#[test]
fn registrations_by_a_right_code_have_a_rate_by_address() {
    let server = Server::start(league(&["random"]));
    let code = server.bench.ok("league code class --uses 1000");
    let register = |address: &str, number: usize| {
        let request =
            server.request(Method::Post, "register").with_header("X-Forwarded-For", address);
        let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
        let request = request.with_header("Accept", "application/json");
        let form = format!("code={}&name=person{number}", code.trim_end());
        request.with_body(form).send().expect("an answer").status_code
    };
    // A class behind one address registers at once. A few turns may come back meanwhile.
    let answers: Vec<i32> = (0..200).map(|number| register("10.0.0.1", number)).collect();
    assert_eq!(answers[..60], [200; 60]);
    assert!(answers.contains(&429), "{answers:?}");
    assert_eq!(register("10.0.0.2", 1_000), 200, "another address");
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
