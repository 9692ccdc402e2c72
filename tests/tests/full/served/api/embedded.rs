//! The page of a game that pages of other sites may show.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use serde_json::json;
use tests::browser::Width;
use tests::look::{browser, keep};
use tests::served::Served;
use tests::shared_browser::SharedBrowser;

use super::{cup, read_to_its_end};
use tests::league::lively;

/// What the headers of a page say about pages around it.
fn policy(served: &Served, path: &str) -> (String, String) {
    let answer = served.get(path, &[]);
    let policy = answer.header("content-security-policy");
    let around = policy.split("; ").find(|part| part.starts_with("frame-ancestors"));
    (around.unwrap_or_default().to_owned(), answer.header("x-frame-options").to_owned())
}

#[test]
fn a_game_is_in_a_frame_only_where_the_owner_allows_it() {
    let bench = lively();
    let nothing = ("frame-ancestors 'none'".to_owned(), "DENY".to_owned());
    let served = Served::start(&bench, &["class"]);
    let game = served.text_with("embed/0-1", "data-game=\"1\"");
    assert!(game.contains("src=\"../rounds/0/data/index.js\""), "{game}");
    assert_eq!(policy(&served, "embed/0-1"), nothing);
    let allowed = ["class", "--submit", "--embed", "https://a.example", "--embed", "http://b:81"];
    let served = Served::start(&bench, &allowed);
    let two = "frame-ancestors https://a.example http://b:81".to_owned();
    served.text_with("embed/0-1", "data-game=\"1\"");
    assert_eq!(policy(&served, "embed/0-1"), (two, String::new()));
    let others = [
        "",
        "rounds/0/game.html",
        "live/",
        "hand-in/",
        "play/",
        "embed/",
        "embed/99-0",
        "embed/1",
        "embed/0-01",
        "embed/x",
        "api/v1/",
    ];
    for path in others {
        assert_eq!(policy(&served, path), nothing, "{path}");
    }
    for path in ["embed/99-0", "embed/1", "embed/0-01", "embed/x"] {
        assert_eq!(served.get(path, &[]).status, 404, "{path}");
    }
    let all = Served::start(&bench, &["class", "--embed", "*"]);
    all.text_with("embed/0-1", "data-game=\"1\"");
    assert_eq!(policy(&all, "embed/0-1"), ("frame-ancestors *".to_owned(), String::new()));
    let refused = bench.line("serve class --embed https://a.example/page").with_code(2);
    assert!(refused.stderr.contains("an origin, such as"), "{refused:?}");
}

#[test]
fn a_page_of_another_site_shows_a_game() {
    let bench = cup();
    let Some(browser) = browser() else { return };
    let site = Site::listen();
    let allowed = Served::start(&bench, &["cup", "--embed", &site.origin]);
    let elsewhere = ["cup", "--embed", "https://elsewhere.example", "--host", "api.example"];
    let refused = Served::start(&bench, &elsewhere);
    for served in [&allowed, &refused] {
        read_to_its_end(served, "/games");
    }
    for width in [Width::Desktop, Width::Phone] {
        browser.resize(width);
        site.visit(&browser, &format!("{}embed/3", allowed.address()));
        browser.enter("iframe");
        browser.wait("document.querySelector('#stage:not([hidden])')");
        assert!(browser.text("#game-title").contains("Game 3"), "{}", browser.text("body"));
        browser.wait("document.documentElement.scrollWidth <= innerWidth");
        let step = browser.run("return document.querySelector('#position').value");
        browser.click("#forward");
        browser.wait(&format!("document.querySelector('#position').value > {step}"));
        browser.leave();
        keep(&browser, &format!("embedded-{}", width.pixels()));
    }
    site.visit(&browser, &format!("{}embed/3", refused.address()));
    browser.enter("iframe");
    browser.wait("document.readyState === 'complete'");
    assert_eq!(browser.run("return document.querySelector('#stage')"), json!(null));
    browser.leave();
    // A script of that page may read the interface, and no page.
    let read = |path: &str| {
        format!(
            "fetch('{}{path}', {{ headers: {{ 'If-None-Match': '\"0\"' }} }}).then((it) => it.text(), () => 'refused')",
            refused.address()
        )
    };
    let script = |path: &str| {
        browser.run(&format!(
            "window.told = null; {}.then((it) => {{ window.told = it; }})",
            read(path)
        ));
        browser.wait("window.told !== null");
        browser.run("return window.told").as_str().unwrap_or_default().to_owned()
    };
    assert!(script("api/v1/").contains("\"kind\":\"tournament\""));
    assert_eq!(script("data/standings.json"), "refused");
    browser.resize(Width::Desktop);
    let _ = browser.complaints();
}

/// Another site: a page with a frame, whatever is asked for.
struct Site {
    origin: String,
}

impl Site {
    /// Listens until the tests end.
    fn listen() -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut line = String::new();
                let _ = BufReader::new(&stream).read_line(&mut line);
                let shown = line.split_once("/?").and_then(|(_, it)| it.split_once(' '));
                let frame = shown.map_or_else(String::new, |(address, _)| {
                    format!("<iframe src=\"{address}\" width=\"100%\" height=\"800\"></iframe>")
                });
                let page = format!(
                    "<!DOCTYPE html><title>Around</title><meta name=viewport \
                     content=\"width=device-width\"><h1>Around</h1>{frame}"
                );
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close";
                let length = page.len();
                let _ = write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{page}");
            }
        });
        Site { origin }
    }

    /// Opens its page around another one.
    fn visit(&self, browser: &SharedBrowser, address: &str) {
        browser.visit(&format!("{}/?{address}", self.origin));
        browser.wait("document.querySelector('iframe')");
    }
}
