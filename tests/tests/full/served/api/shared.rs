//! Pages of other sites may read the interface, and nothing else.

use std::fs;
use std::io::Read;

use tests::league::league;
use tests::served::Served;

use super::{cup, read_to_its_end, served as start};

const ELSEWHERE: (&str, &str) = ("origin", "https://elsewhere.example");

/// Sends a request with this method, and gives the status and the headers.
fn send(
    method: minreq::Method,
    served: &Served,
    path: &str,
    headers: &[(&str, &str)],
) -> minreq::Response {
    let request = minreq::Request::new(method, format!("{}{path}", served.address()));
    let request = request.with_timeout(300).with_follow_redirects(false);
    let request =
        headers.iter().fold(request, |request, (name, it)| request.with_header(*name, *it));
    request.send().expect("an answer")
}

#[test]
fn only_the_interface_is_shared_and_only_for_reading() {
    let bench = league(&["random", "greedy"]);
    let served = start(&bench, &["class", "--submit"]);
    let shared = |answer: &minreq::Response| {
        answer.headers.get("access-control-allow-origin").map(String::as_str) == Some("*")
    };
    // A server for this machine alone shares nothing.
    let own = Served::start(&bench, &["class"]);
    let answer = send(minreq::Method::Get, &own, "api/v1/standings", &[ELSEWHERE]);
    assert_eq!((answer.status_code, shared(&answer)), (200, false));
    assert_eq!(answer.headers["cross-origin-resource-policy"], "same-origin");
    drop(own);
    for path in ["api/v1/", "api/v1/standings", "api/v1/openapi.json", "api/v1/nothing"] {
        for method in [minreq::Method::Get, minreq::Method::Head] {
            let answer = send(method.clone(), &served, path, &[ELSEWHERE]);
            assert!(shared(&answer), "{method:?} {path}");
            assert_eq!(answer.headers["cross-origin-resource-policy"], "cross-origin", "{path}");
            assert!(!answer.headers.contains_key("access-control-allow-credentials"), "{path}");
            assert!(!answer.headers.contains_key("set-cookie"), "{path}");
        }
        let asked = [ELSEWHERE, ("access-control-request-method", "GET")];
        let preflight = send(minreq::Method::Options, &served, path, &asked);
        assert_eq!((preflight.status_code, shared(&preflight)), (204, true), "{path}");
        assert_eq!(preflight.headers["access-control-allow-methods"], "GET, HEAD", "{path}");
        assert_eq!(preflight.headers["access-control-allow-headers"], "if-none-match", "{path}");
    }
    for path in [
        "",
        "data/standings.json",
        "events",
        "hand-in/",
        "hand-in/me",
        "play/",
        "live/",
        "assets/style.css",
    ] {
        for method in [minreq::Method::Get, minreq::Method::Head, minreq::Method::Options] {
            if path == "events" && method == minreq::Method::Get {
                continue;
            }
            let answer = send(method.clone(), &served, path, &[ELSEWHERE]);
            assert!(!shared(&answer), "{method:?} {path}");
            assert_eq!(answer.headers["cross-origin-resource-policy"], "same-origin", "{path}");
        }
    }
    // Nothing can be changed, from here or from elsewhere.
    let post = |headers: &[(&str, &str)]| send(minreq::Method::Post, &served, "api/v1/", headers);
    assert_eq!(post(&[ELSEWHERE]).status_code, 403);
    let refused = post(&[]);
    assert_eq!(refused.status_code, 405);
    assert!(refused.as_str().expect("text").starts_with("{\"error\":"));
    // A server for this machine answers to no other name. Of two names, a proxy may read the other one.
    served.text("api/v1/");
    let own = served.host();
    let other = "Host: evil.example\r\n";
    for (status, target, hosts) in [
        (200, "/api/v1/", format!("Host: {own}\r\n")),
        (200, &*format!("http://{own}/api/v1/"), format!("Host: {own}\r\n")),
        (421, "/api/v1/", other.to_owned()),
        (400, "/api/v1/", format!("Host: {own}\r\n{other}")),
        (400, "/api/v1/", String::new()),
        (400, "http://evil.example/api/v1/", format!("Host: {own}\r\n")),
    ] {
        let request = format!("GET {target} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let mut answer = String::new();
        served.connect(request.as_bytes()).read_to_string(&mut answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request}{head}");
        if status == 421 {
            assert!(!head.contains("access-control"), "{head}");
            assert!(body.starts_with("{\"error\":"), "{body}");
        }
    }
    // Of several sources, each has its interface below its name.
    fs::create_dir(bench.path("all")).expect("the folder is ours");
    fs::rename(bench.path("class"), bench.path("all/class")).expect("the folder is ours");
    let several = start(&bench, &["all", "--submit"]);
    for (path, is_shared) in [("api/v1/", true), ("class/api/v1/", true), ("class/hand-in/", false)]
    {
        for method in [minreq::Method::Get, minreq::Method::Options] {
            let answer = send(method.clone(), &several, path, &[ELSEWHERE]);
            assert_eq!(shared(&answer), is_shared, "{method:?} {path}");
        }
    }
}

#[test]
fn a_known_answer_is_not_sent_again() {
    let bench = cup();
    let served = start(&bench, &["cup"]);
    read_to_its_end(&served, "/games");
    for path in ["", "standings", "bots", "games?limit=3", "games/3", "openapi.json"] {
        let path = format!("api/v1/{path}");
        let first = served.get(&path, &[]);
        let again = served.get(&path, &[("if-none-match", first.header("etag"))]);
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.header("access-control-allow-origin"), "*", "{path}");
        let head = send(minreq::Method::Head, &served, &path, &[]);
        assert_eq!((head.status_code, head.as_bytes().len()), (200, 0), "{path}");
        assert_eq!(head.headers["etag"], first.header("etag"), "{path}");
    }
}
