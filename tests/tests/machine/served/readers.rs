//! Readers with many tabs, behind proxies that fail, and with their hands on a page that changes.

use std::fs::File;
use std::io::Read;
use std::net::TcpStream;

use serde_json::json;
use tests::league::league;
use tests::look::{assert_quiet, browser};
use tests::proxy::Proxy;
use tests::running::{wait_or_say, wait_until};
use tests::served::Served;

/// Number of requests of one visitor that are answered at once.
const REQUESTS_OF_ONE: usize = 200;
/// True if the first page of a league has the bot that enters late.
const HAS_LATE: &str = "document.querySelector('#standings')?.innerText.includes('late@1')";

#[test]
fn a_tenth_tab_is_there_and_all_of_them_change() {
    let Some(browser) = browser() else { return };
    let bench = league(&["random", "greedy"]);
    let served = Served::start(&bench, &["class"]);
    browser.visit(served.address());
    let mut windows = vec![browser.window()];
    // A browser opens six connections to a server.
    for path in ["", "", "live/", "live/", "", "live/", "", "", ""] {
        windows.push(browser.add_window());
        browser.visit(&format!("{}{path}", served.address()));
        browser.run("window.isSamePage = true");
        browser.wait("document.querySelector('main section')");
    }
    bench.ok("league add class late=random");
    for window in &windows {
        browser.go_to(window);
        if browser.address() == served.address() {
            browser.wait(HAS_LATE);
        }
    }
    browser.wait("window.isSamePage === true");
    assert_quiet(&browser);
    for window in &windows[1..] {
        browser.go_to(window);
        browser.close_for(&windows[0]);
    }
}

#[test]
fn a_page_comes_back_after_a_proxy_has_failed() {
    let Some(browser) = browser() else { return };
    let bench = league(&["random", "greedy"]);
    let served = Served::start(&bench, &["class"]);
    let proxy = Proxy::start(served.address());
    browser.visit(&proxy.address());
    browser.run("window.isSamePage = true");
    proxy.break_down();
    // A browser gives a stream up for good at the first one.
    wait_until("two requests are refused", || proxy.refused() >= 2);
    bench.ok("league add class late=random");
    proxy.mend();
    browser.wait(HAS_LATE);
    browser.wait("window.isSamePage === true");
    // A connection that is only cut is opened again, too.
    proxy.break_down();
    proxy.mend();
    bench.ok("league retire class late");
    browser.wait("!document.querySelector('#standings').innerText.includes('late@1')");
}

#[test]
fn a_page_that_changes_leaves_its_reader_alone() {
    let Some(browser) = browser() else { return };
    let bench = league(&["random", "greedy", "ann=greedy"]);
    let served = Served::start(&bench, &["class"]);
    browser.visit(served.address());
    browser.run(
        "const cell = document.querySelector('#standings tbody tr:nth-child(2) th a').firstChild;
         window.getSelection().setBaseAndExtent(cell, 1, cell, 4);
         const link = document.querySelector('#standings tbody tr:nth-child(3) a');
         link.focus({ preventScroll: true });
         window.focused = link;
         window.scrollTo(0, 77);",
    );
    let place = browser.run("return window.scrollY");
    bench.ok("league add class late=random");
    browser.wait(HAS_LATE);
    assert_eq!(browser.run("return document.activeElement === window.focused"), json!(true));
    assert_eq!(browser.run("return document.activeElement.innerText"), json!("random@1"));
    assert_eq!(browser.run("return window.getSelection().toString()"), json!("ree"));
    assert_eq!(browser.run("return window.scrollY"), place);
    assert_quiet(&browser);
}

#[test]
fn a_page_that_waits_keeps_the_file_that_was_chosen() {
    let Some(browser) = browser() else { return };
    let bench = league(&["random"]);
    let served = Served::start(&bench, &["class", "--submit"]);
    let told = bench.ok("league invite class anna");
    let token = told.trim_end().trim_start_matches("anna: ");
    browser.visit(&format!("{}hand-in/", served.address()));
    browser.type_into("#token", token);
    browser.click("#sign-in button");
    browser.wait("document.querySelector('#upload')");
    // As long as another program enters bots, what was handed in waits.
    let entering = File::options().create(true).append(true).open(bench.path("class/entering"));
    let entering = entering.expect("a file of the league");
    entering.lock().expect("no other program enters bots");
    let file = bench.write("bad.sh", "exit 3\n");
    let file = file.to_str().expect("text");
    browser.type_into("#file", file);
    browser.click("#upload button");
    browser.wait("location.pathname.endsWith('/hand-in/submissions/1')");
    browser.wait("document.querySelector('[data-waiting]')");
    browser.visit(&format!("{}hand-in/", served.address()));
    browser.wait("document.querySelector('#mine').innerText.includes('queued') || document.querySelector('#mine').innerText.includes('checking')");
    browser.type_into("#file", file);
    entering.unlock().expect("it was held");
    browser.wait("document.querySelector('#mine').innerText.includes('rejected')");
    assert_eq!(browser.run("return document.querySelector('#file').files.length"), json!(1));
}

#[test]
fn one_visitor_behind_a_proxy_does_not_take_all_connections() {
    let bench = league(&["random"]);
    let served = Served::start(&bench, &["class"]);
    let open = || {
        let request =
            "GET /events HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n";
        let mut stream = served.connect(request.as_bytes());
        let mut head = [0; 12];
        stream.read_exact(&mut head).expect("an answer");
        assert_eq!(&head, b"HTTP/1.1 200");
        stream
    };
    let streams: Vec<TcpStream> = (0..REQUESTS_OF_ONE).map(|_| open()).collect();
    let from = |address| served.get("", &[("X-Forwarded-For", address)]);
    let refused = from("192.0.2.1");
    assert_eq!((refused.status, refused.header("retry-after")), (429, "10"));
    assert!(refused.text.contains("close some pages"), "{}", refused.text);
    assert_eq!(from("192.0.2.2").status, 200, "others are served");
    drop(streams);
    wait_or_say(|| from("192.0.2.1").status == 200, || "a place once pages are closed".to_owned());
}
