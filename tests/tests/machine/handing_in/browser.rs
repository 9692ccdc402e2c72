//! Handing in with a real browser. Where there is none, the test says that it was skipped.

use serde_json::json;
use tests::browser::Width;
use tests::handing_in::{Server, ahead, bot, set};
use tests::league::{league, play, states};
use tests::look::{assert_named, assert_quiet, browser, keep_all};
use tests::shared_browser::SharedBrowser;
use tests::texts::assert_says;

/// Signs in a participant, and waits for the page.
fn sign_in(browser: &SharedBrowser, server: &Server, token: &str) {
    browser.visit(&format!("http://{}/hand-in/", server.host()));
    browser.type_into("#token", token);
    browser.click("#sign-in button");
    browser.wait("document.querySelector('#hand-in')");
}

#[test]
fn a_bot_is_sent_refused_mended_and_seen_to_enter() {
    let Some(browser) = browser() else { return };
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
    assert_says(&browser.text("#report pre"), &["<img src=x onerror=document.title=1>"]);
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
        "[...document.querySelectorAll('#mine tbody tr')].map((row) => row.children[3].innerText)";
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
    let Some(browser) = browser() else { return };
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    sign_in(&browser, &server, &anna);
    // Another upload of hers is on its way.
    let first = server.begins_to_send(&anna, b"abc");
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

#[test]
fn a_file_is_dropped_and_its_check_is_watched_step_by_step() {
    let Some(browser) = browser() else { return };
    let server = Server::start(league(&["random"]));
    let anna = server.invite("anna");
    sign_in(&browser, &server, &anna);
    keep_all(&browser, "hand-in");
    assert_named(&browser);
    let drop = |name: &str, text: &str| {
        browser.run(&format!(
            "const data = new DataTransfer(); data.items.add(new File([{}], {}));
             const event = {{ dataTransfer: data, bubbles: true, cancelable: true }};
             document.querySelector('#upload label').dispatchEvent(new DragEvent('drop', event))",
            json!(text),
            json!(name)
        ));
    };
    drop("bad.sh", "echo '<img src=x>' >&2; exit 3\n");
    browser.wait("document.querySelector('#verdict .badge.bad')");
    browser.wait("document.querySelector('.steps .badge.good')");
    // The failing request stands below its step, with the advice.
    browser.wait("document.querySelector('.steps .badge.bad')");
    let failed = browser.text(".steps li:has(.bad)");
    assert_says(&failed, &["request", "stderr", "<img src=x>"]);
    keep_all(&browser, "submission-rejected");
    assert_named(&browser);
    browser.click("#verdict a[href='../']");
    browser.wait("document.querySelector('#upload')");
    drop("good.sh", &tests::handing_in::script("anna's"));
    browser.wait("document.querySelector('#verdict .badge.good')");
    browser.wait("document.querySelectorAll('.steps .badge.good').length > 3");
    keep_all(&browser, "submission-entered");
    browser.visit(&format!("http://{}/hand-in/test-games/", server.host()));
    browser.click("#test-game button");
    browser.wait("document.querySelector('#state .badge')");
    keep_all(&browser, "test-game");
    browser.visit(&format!("http://{}/hand-in/test-games/", server.host()));
    keep_all(&browser, "test-games");
    // A new token is shown once, and copied.
    browser.visit(&format!("http://{}/hand-in/", server.host()));
    browser.click("#own-token button");
    browser.wait("document.querySelector('#new-token')");
    let token = browser.text("#new-token");
    assert!(token.len() == 64 && token != anna, "{token}");
    browser.click("[data-copy]");
    browser.wait("document.querySelector('[data-copy]').innerText !== 'Copy'");
    keep_all(&browser, "new-token");
    assert_quiet(&browser);
}

#[test]
fn the_organiser_finds_a_participant_and_is_asked_before_a_bot_is_retired() {
    let Some(browser) = browser() else { return };
    let bench =
        league(&["random", "greedy", "anna=random", "a-name-of-thirty-two-characters=greedy"]);
    play(&bench, "16");
    bench.ok("league notice class 'The final begins on Friday at 18:00.'");
    bench.ok("league void class 0 --reason 'the machine ran out of memory'");
    let server = Server::start(bench);
    let ben = server.invite("ben");
    server.bench.ok("league invite class anna --person 'Anna <b>Maria</b>'");
    set(&server.bench, &format!("deadline = {}\nfreeze = {}", ahead(-5_400), ahead(7_200)));
    assert_eq!(server.send(&ben, "bot.zip", &bot("late")).status_code, 202);
    let token = server.organiser();
    browser.visit(&format!("http://{}/organiser/", server.host()));
    browser.type_into("#token", &token);
    browser.click("#sign-in button");
    browser.wait("document.querySelector('#people')");
    keep_all(&browser, "organiser");
    assert_named(&browser);
    assert!(
        browser.text("#waiting").contains("ben submitted 1 h 30 min"),
        "{}",
        browser.text("#waiting")
    );
    assert_eq!(browser.run("return document.querySelectorAll('#people b').length"), json!(0));
    browser.type_into("input[name='find']", "maria");
    let shown = "return [...document.querySelectorAll('#people tr:not([hidden]) th')].map((it) => it.innerText)";
    assert_eq!(browser.run(shown), json!(["anna"]));
    // Without scripts the server finds the same.
    browser.click(".find button");
    browser.wait("location.search.includes('find=maria')");
    assert_eq!(browser.run(shown), json!(["anna"]));
    browser.click("#people summary");
    browser.wait("document.querySelector('#people details[open]')");
    keep_all(&browser, "organiser-menu");
    browser.press("\u{e00c}");
    browser.wait("!document.querySelector('#people details[open]')");
    browser.wait("document.activeElement.matches('#people summary')");
    browser.click("#people summary");
    browser.click("#people a[href^='retire']");
    browser.wait("document.querySelector('#follows')");
    assert_eq!(browser.text("h1"), "Retire anna@1");
    assert!(browser.text("#follows").contains("plays no further rounds"));
    keep_all(&browser, "organiser-retire");
    assert_named(&browser);
    assert_eq!(states(&server.bench)[2], "anna@1 active");
    browser.type_into("#reason", "left the course");
    browser.click("#follows button");
    browser.wait("document.querySelector('#audit')");
    assert!(browser.text("#audit").contains("anna retired (left the course)"));
    assert_eq!(states(&server.bench)[2], "anna@1 retired");
    for (path, name) in [
        ("void?rounds=1", "organiser-void"),
        ("stage?format=knockout&deals=2", "organiser-stage"),
        ("freeze", "organiser-freeze"),
        ("accept?name=ben", "organiser-accept"),
        ("audit", "organiser-audit"),
    ] {
        browser.visit(&format!("http://{}/organiser/{path}", server.host()));
        keep_all(&browser, name);
        assert_named(&browser);
    }
    // A lost token is renewed by one click.
    browser.visit(&format!("http://{}/organiser/?find=ben", server.host()));
    browser.click("#people summary");
    browser.click("#people form button");
    browser.wait("document.querySelector('#new-token')");
    assert_eq!(browser.text("#new-token").len(), 64);
    assert_quiet(&browser);
}
