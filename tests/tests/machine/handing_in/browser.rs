//! Handing in with a real browser. Where there is none, the test says that it was skipped.

use std::io::Write;
use std::net::TcpStream;

use serde_json::json;
use tests::browser::Width;
use tests::handing_in::{Server, bot};
use tests::league::{league, states};
use tests::shared_browser::SharedBrowser;

#[test]
fn a_bot_is_sent_refused_mended_and_seen_to_enter() {
    let Some(browser) = SharedBrowser::take() else {
        return tests::missing::tell("no chromium or no chromedriver");
    };
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    let page = format!("http://{}/hand-in/", server.host());
    let file = |name: &str, content: &[u8]| {
        let path = server.bench.write(name, content);
        path.to_str().expect("text").to_owned()
    };
    browser.visit(&page);
    browser.type_into("#token", "0000");
    browser.click("#sign-in button");
    browser.wait("document.querySelector('#sign-in .told').innerText.includes('invalid token')");
    browser.run("document.querySelector('#token').value = ''");
    browser.type_into("#token", &anna);
    browser.click("#sign-in button");
    browser.wait("document.querySelector('#hand-in')");
    assert!(browser.text("#hand-in h2").contains("Submit a bot as anna"));
    assert_eq!(browser.run("return document.cookie"), json!(""), "no script sees the token");

    // The bot's output belongs to its author, and stays text.
    let bad = b"echo '<img src=x onerror=document.title=1>' >&2; exit 3\n";
    browser.type_into("#file", &file("first.sh", bad));
    browser.click("#upload button");
    browser.wait("document.querySelector('#verdict .badge.bad')");
    assert!(browser.address().ends_with("/hand-in/submissions/1"), "{}", browser.address());
    let verdict = browser.text("#verdict");
    assert!(verdict.contains("rejected: failed a sample request ("), "{verdict}");
    let report = browser.text("#report pre");
    assert!(report.contains("<img src=x onerror=document.title=1>"), "{report}");
    assert_eq!(browser.run("return document.querySelectorAll('main img').length"), json!(0));

    browser.click("#verdict a[href='../']");
    browser.wait("document.querySelector('#upload')");
    browser.type_into("#file", &file("second.zip", &bot("mended")));
    browser.click("#upload button");
    // No one loads the page again: it looks by itself.
    browser.wait("document.querySelector('#verdict .badge.good')");
    assert!(browser.text("#verdict").contains("entered as anna@1"), "{}", browser.text("#verdict"));
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);

    browser.visit(&page);
    let rows =
        "[...document.querySelectorAll('#mine tbody tr')].map((row) => row.children[2].innerText)";
    assert_eq!(browser.run(&format!("return {rows}")), json!(["second.zip", "first.sh"]));
    for width in [Width::Phone, Width::Desktop] {
        browser.resize(width);
        let wide = browser.run("return document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width.pixels().into()), "{width:?}: {wide}");
    }
    // The page reports an empty upload.
    browser.run("document.querySelector('#file').required = false");
    browser.type_into("#file", &file("empty.zip", b""));
    browser.click("#upload button");
    browser.wait("document.querySelector('#upload-status').innerText.includes('no file')");
    browser.click("form[action='sign-out'] button");
    browser.wait("document.querySelector('#sign-in')");
    // The console tells of the two requests that were refused, and of nothing else.
    let complaints = browser.complaints();
    assert!(complaints.iter().all(|it| it.contains("400") || it.contains("401")), "{complaints:?}");
}

/// A page that must wait used to leave it to its reader.
#[test]
fn a_page_that_must_wait_sends_the_file_again_by_itself() {
    let Some(browser) = SharedBrowser::take() else {
        return tests::missing::tell("no chromium or no chromedriver");
    };
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    browser.visit(&format!("http://{}/hand-in/", server.host()));
    browser.type_into("#token", &anna);
    browser.click("#sign-in button");
    browser.wait("document.querySelector('#hand-in')");
    // Another upload of hers is on its way.
    let mut first = TcpStream::connect(server.host()).expect("a connection");
    let head = format!(
        "POST /hand-in/?file=bot.zip HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {anna}\r\n\
         Content-Length: 8000\r\n\r\nabc",
        server.host()
    );
    first.write_all(head.as_bytes()).expect("it listens");
    tests::running::wait_until("the file is on its way", || {
        let folder = server.bench.path("class/arriving");
        std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
    });
    let second = server.bench.write("second.zip", bot("second"));
    browser.type_into("#file", second.to_str().expect("text"));
    browser.click("#upload button");
    browser.wait("document.querySelector('#upload-status').innerText.includes('Retrying in')");
    let told = browser.text("#upload-status");
    assert!(told.starts_with("you already have an upload in progress"), "{told}");
    drop(first);
    // No one clicks again.
    browser.wait("document.querySelector('#verdict .badge.good')");
    assert!(browser.address().ends_with("/hand-in/submissions/1"), "{}", browser.address());
    assert!(browser.text("#verdict").contains("entered as anna@1"), "{}", browser.text("#verdict"));
    browser.complaints();
}
