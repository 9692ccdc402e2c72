//! A report in a real browser. Where there is none, the tests say that they were skipped.

mod games;
mod notes;
mod several;
mod viewer;

use std::fs;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::browser::{Browser, END, Width};
use tests::chain;

use tests::look::{
    assert_legible, assert_quiet, assert_seen, browser_and_bench, examples, keep, keep_all,
    open_list, report, reported,
};

const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const HOME: &str = "\u{e011}";
#[test]
fn the_standings_are_those_of_the_command() {
    let Some((browser, bench, folder)) = reported("tournaments/coup") else { return };
    let source = examples("tournaments/coup");
    let source = source.to_str().expect("a path in UTF-8");
    let json = bench.succeed(["tournament", "standings", source, "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    open_list(&browser, &folder.join("index.html"), "", 100);
    let table = browser.run(
        "return [...document.querySelectorAll('#standings table.standings tbody tr')]
            .map((row) => [...row.querySelectorAll('th, td:not(.plot)')].map((cell) => cell.innerText))",
    );
    let rows = json["all"]["rows"].as_array().expect("rows");
    assert_eq!(table.as_array().map(Vec::len), Some(rows.len()));
    for (shown, row) in table.as_array().expect("rows").iter().zip(rows) {
        let value = |key: &str| row[key]["value"].as_f64().expect("a number");
        assert_eq!(shown[0], row["rank"].to_string());
        assert_eq!(shown[1], row["name"]);
        for (cell, key) in [(2, "games"), (3, "won"), (4, "drawn"), (5, "lost")] {
            assert_eq!(shown[cell], row[key].to_string(), "{key} of {shown}");
        }
        let score = format!("{:.1}%", 100.0 * value("score"));
        assert!(shown[6].as_str().expect("text").starts_with(&score), "{score} in {shown}");
        let rating = format!("{:.0} (", value("rating")).replace('-', "−");
        assert!(shown[7].as_str().expect("text").starts_with(&rating), "{rating} in {shown}");
    }
    keep_all(&browser, "report");
    assert_legible(&browser);
    // At the end of what is cut off there is nothing more.
    browser.resize(Width::Phone);
    browser.wait("document.querySelector('nav[data-more=right]')");
    browser.run("document.querySelector('nav[data-more=right]').scrollLeft = 9999");
    browser.wait("document.querySelector('nav[data-more=left]')");
    browser.resize(Width::Desktop);
    // The rest of the list, and a page of a bot.
    browser.click("#page-after");
    browser.wait("document.querySelectorAll('#game-rows tr').length === 80");
    browser.click("#game-rows a");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    assert!(browser.address().contains("game.html#game=100"), "{}", browser.address());
    browser.open(&folder.join("bots/1.html"), "");
    keep_all(&browser, "bot");
    assert_legible(&browser);
    assert_quiet(&browser);
}

/// Steps through a game of an example by key, to the end and back, and compares its result with the
/// one that is logged.
fn step_through(browser: &Browser, bench: &Bench, name: &str, game: usize, halfway: f64) {
    let source = examples(&format!("matches/{name}.jsonl"));
    let folder = report(bench, &source, name);
    browser.open(&folder.join("game.html"), &format!("#game={game}&step=0"));
    browser.wait("document.querySelector('#stage:not([hidden])')");
    let last = browser.run("return Number(document.querySelector('#position').max)");
    let last = last.as_u64().expect("a number of steps");
    assert!(last > 10, "{last} steps of {name}");
    // The first steps by a key that is pressed as a person would, the others in the page itself.
    let halfway = (last as f64 * halfway) as u64;
    for step in 1..=3 {
        browser.press(RIGHT);
        let place = format!("step {step} of {last}");
        browser.wait(&format!("document.querySelector('#place').textContent === '{place}'"));
    }
    for (from, to) in [(3, halfway), (halfway, last)] {
        let places: Vec<String> =
            (from + 1..=to).map(|step| format!("step {step} of {last}")).collect();
        assert_eq!(browser.run(&steps_to_the_right(to - from)), json!(places), "{name}");
        if to == halfway {
            keep_all(browser, &format!("viewer-{name}"));
        }
    }
    let logged = &tests::log::games(&source)[game];
    let scores = logged["result"]["scores"].as_array().expect("scores").iter();
    let names = logged["seats"].as_array().expect("names").iter();
    let points = names.zip(scores).map(|(name, score)| {
        format!(
            "{} {}",
            name.as_str().expect("a name"),
            score.as_str().map_or(score.to_string(), str::to_owned)
        )
    });
    let expected = format!("Result: {}", points.collect::<Vec<_>>().join(", "));
    let shown = browser.text("#result .points");
    assert!(shown.starts_with(&expected), "{name}: {shown}, logged {expected}");
    assert_eq!(shown.ends_with("(walkover)"), logged["result"]["ending"] == "walkover", "{shown}");
    keep(browser, &format!("viewer-{name}-end"));
    browser.press(LEFT);
    browser.wait(&format!(
        "document.querySelector('#place').textContent === 'step {} of {last}'",
        last - 1
    ));
    assert_eq!(browser.run("return document.querySelector('#result')"), Value::Null);
    browser.press(HOME);
    browser.wait("document.querySelector('#back').disabled");
    browser.press(END);
    browser.wait("document.querySelector('#result')");
    assert_seen(browser);
    assert_quiet(browser);
}

/// A script that presses the right arrow key some times, and gives the place after each.
fn steps_to_the_right(count: u64) -> String {
    format!(
        "return Array.from({{length: {count}}}, () => {{
            document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}));
            return document.querySelector('#place').textContent;
        }});"
    )
}

#[test]
fn games_of_each_kind_end_as_they_are_logged() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    step_through(&browser, &bench, "tablic-2-seats", 1, 0.4);
    step_through(&browser, &bench, "coup", 0, 0.5);
    step_through(&browser, &bench, "durak", 0, 0.3);
    step_through(&browser, &bench, "tablic-4-seats-one-out", 0, 0.9);
}

/// The table and the buttons are on the first screen, however many play.
#[test]
fn six_seats_fit_on_a_screen() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    bench.play("durak", &[], &["greedy"; 6]);
    let folder = report(&bench, &bench.path("log"), "report");
    browser.open(&folder.join("game.html"), "#game=0&step=9");
    browser.wait("document.querySelectorAll('.seat-box').length === 6");
    for width in [Width::Phone, Width::Desktop] {
        browser.resize(width);
        let places = browser.run(
            "const place = (it) => document.querySelector(it).getBoundingClientRect();
             return [place('.middle').bottom, place('.buttons').top, place('.buttons').bottom, innerHeight]",
        );
        let pixels = |at: usize| places[at].as_f64().expect("a number of pixels");
        assert!(pixels(0) <= pixels(1) && pixels(2) <= pixels(3), "{width:?}: {places}");
    }
    keep_all(&browser, "viewer-six-seats");
    assert_seen(&browser);
    assert_quiet(&browser);
}

/// A link leads to a step as one seat saw it, and what that seat did not know is not on the page.
#[test]
fn a_link_leads_to_a_move_as_one_seat_saw_it() {
    let Some((browser, _bench, folder)) = reported("matches/tablic-2-seats.jsonl") else { return };
    let log = examples("matches/tablic-2-seats.jsonl");
    browser.open(&folder.join("game.html"), "#game=1&step=5&seat=1");
    browser.wait("document.querySelector('#place').textContent.startsWith('step 5 of')");
    assert_eq!(browser.run("return document.querySelector('#view').value"), "1");
    let hands = "[...document.querySelectorAll('.seat-box')].map((box) =>
        [box.querySelectorAll('.fan [data-card]').length, box.querySelectorAll('.backs .back').length])";
    let seen = browser.run(&format!("return {hands}"));
    let [other, own] = [&seen[0], &seen[1]];
    assert!(other[0] == 0 && other[1].as_u64() > Some(0), "the other hand is hidden: {seen}");
    assert!(own[1] == 0 && own[0].as_u64() > Some(0), "the own hand is open: {seen}");
    keep(&browser, "viewer-as-one-seat");
    // The deal to the other seat is shown without its cards, in the list of steps as well.
    let games = &tests::log::games(&log)[1];
    let dealt = games["events"].as_array().expect("events").iter().filter_map(Value::as_str);
    let secret = dealt.filter(|event| event.starts_with("deal 0 ")).count();
    let hidden = browser.run(
        "return [...document.querySelectorAll('#moves .what')]
            .filter((it) => it.innerText.includes('is dealt') && it.innerText.includes('▮')).length",
    );
    assert_eq!(hidden, secret);
    // By key the view goes round, and the address follows.
    browser.press("v");
    browser.wait("document.querySelector('#view').value === ''");
    browser.wait("!location.hash.includes('seat')");
    browser.run("location.hash = '#game=0&step=7'");
    browser.wait("document.querySelector('#game-title').textContent.startsWith('Game 0:')");
    browser.wait("document.querySelector('#place').textContent.startsWith('step 7 of')");
    browser.press("]");
    browser.wait("document.querySelector('#game-title').textContent.startsWith('Game 1:')");
    // It plays by itself, from the space bar and from the button.
    browser.run("document.querySelector('#speed').value = '100'");
    browser.press(" ");
    browser.wait("Number(document.querySelector('#position').value) > 3");
    browser.click("#play");
    browser.wait("document.querySelector('#play').getAttribute('aria-label') === 'Play'");
    browser.open(&folder.join("game.html"), "#game=77");
    browser.wait("document.querySelector('#message').textContent.includes('No game 77')");
    assert_quiet(&browser);
}

/// For any address, the page says what is missing, and shows what there is.
#[test]
fn an_address_that_leads_nowhere_is_reported() {
    let Some((browser, _bench, folder)) = reported("matches/tablic-2-seats.jsonl") else { return };
    for (hash, told) in [
        ("#game=%", "Invalid game number “%”"),
        ("#game=one", "Invalid game number “one”"),
        ("#game=-1", "Invalid game number “-1”"),
        ("#game=7", "No game 7"),
        ("#game=0&attempt=x", "Invalid attempt “x”"),
        ("#game=0&attempt=2", "No game 0, attempt 3,"),
    ] {
        browser.open(&folder.join("game.html"), hash);
        browser.wait("document.querySelector('#message:not([hidden])')");
        let message = browser.text("#message");
        assert!(message.contains(told), "{hash}: {message}");
        assert_eq!(browser.run("return document.querySelector('#stage').hidden"), true, "{hash}");
        // From there a right address leads on.
        browser.run("location.hash = '#game=1&step=3'");
        browser.wait("document.querySelector('#place').textContent.startsWith('step 3 of')");
        assert_eq!(browser.run("return document.querySelector('#message').hidden"), true);
    }
    for (hash, told, step) in [
        ("#game=1&step=1.5", "No step “1.5”", "step 0 of"),
        ("#game=1&step=%E0%A4%A", "No step “%E0%A4%A”", "step 0 of"),
        ("#game=1&step=9999", "No step 9999", "step"),
        ("#game=1&step=4&seat=2", "No seat “2”", "step 4 of"),
        ("#game=1&step=4&seat=length", "No seat “length”", "step 4 of"),
    ] {
        browser.open(&folder.join("game.html"), hash);
        browser.wait("document.querySelector('#stage:not([hidden])')");
        let message = browser.text("#message");
        assert!(message.contains(told), "{hash}: {message}");
        assert!(browser.text("#place").starts_with(step), "{hash}");
        assert_eq!(browser.run("return document.querySelector('#view').value"), "", "{hash}");
        browser.press(LEFT);
        browser.wait("document.querySelector('#message').hidden");
    }
    for bot in ["%", "7", "length", "-1"] {
        browser.open(&folder.join("index.html"), &format!("#games&bot={bot}"));
        browser.wait("document.querySelectorAll('#game-rows tr').length === 2");
        let note = browser.text("#filter-note");
        assert!(note.contains(&format!("Unknown bot “{bot}”")), "{note}");
    }
    for (hash, told) in [
        ("#games&bot=0&against=9", "Unknown bot “9”"),
        ("#games&result=%", "Unknown result “%”"),
        ("#games&kind=toString", "Unknown kind “toString”"),
        ("#games&page=0", "No page “0”"),
        ("#games&page=x", "No page “x”"),
    ] {
        open_list(&browser, &folder.join("index.html"), hash, 2);
        let note = browser.text("#filter-note");
        assert!(note.contains(told), "{hash}: {note}");
    }
    // Of fewer pages the last one is shown.
    open_list(&browser, &folder.join("index.html"), "#games&page=7", 2);
    assert_quiet(&browser);
}

/// A fault is shown with the number that commands use for it.
#[test]
fn a_fault_has_the_command_that_explains_it() {
    let Some((browser, bench, folder)) = reported("matches/tablic-disputed.jsonl") else { return };
    let log = examples("matches/tablic-disputed.jsonl");
    browser.open(&folder.join("bots/1.html"), "");
    assert!(browser.text("#faults tbody tr").starts_with("0\t38\tillegal"));
    browser.click("#faults a");
    browser.wait("document.querySelector('#answer .command')");
    let path = log.display();
    let command = browser.text("#answer > .command");
    assert_eq!(command, format!("arbiter explain {path} --game 0 --move 38"));
    assert!(browser.text("#answer").contains("move 38"), "{}", browser.text("#answer"));
    assert!(browser.text("#moves [aria-current]").contains("move 38"));
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let explained = bench.succeed(words);
    assert!(explained.starts_with("game 0, move 38: seat 0, jack"), "{explained}");
    // Every request can be written again.
    browser.click("#answer summary");
    let command = browser.text("#answer details .command");
    assert_eq!(command, format!("arbiter request {path} --game 0 --move 38"));
    keep_all(&browser, "viewer-disputed");
    assert_quiet(&browser);
}

/// Times look the same in tables and in the viewer.
#[test]
fn times_are_told_by_one_rule() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let text = fs::read_to_string(examples("matches/tablic-2-seats.jsonl")).expect("a log");
    let mut lines = chain::contents(&text);
    let times = [("0.5", "0.50 ms"), ("0.999", "1.0 ms"), ("9.97", "10 ms"), ("999.7", "1.0 s")];
    for (ms, told) in times {
        // The times of all answers, in all games.
        for line in &mut lines {
            let measured = line.split("\"ms\":").enumerate().map(|(part, text)| match part {
                0 => text.to_owned(),
                _ => format!("{ms}{}", &text[text.find([',', '}']).expect("a number's end")..]),
            });
            *line = measured.collect::<Vec<_>>().join("\"ms\":");
        }
        let log = bench.write("log.jsonl", chain::chain(&lines));
        let folder = report(&bench, &log, "report");
        browser.open(&folder.join("bots/1.html"), "");
        let quantiles = browser.text("#times dl");
        assert_eq!(quantiles.matches(told).count(), 4, "{ms}: {quantiles}");
        browser.open(&folder.join("game.html"), "#game=0");
        browser.wait("document.querySelector('#stage:not([hidden])')");
        browser.run("[...document.querySelectorAll('#moves .asked')][0].click()");
        let answer = browser.text("#answer");
        let shown = answer.lines().any(|line| line.split(", ").next() == Some(told));
        assert!(shown, "{told} for {ms}: {answer}");
    }
    assert_quiet(&browser);
}

#[test]
fn a_bot_that_prints_a_script_changes_nothing() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let evil = "<script>document.title=1</script><img src=x onerror=document.title=1>";
    let bot = format!("evil=sh -c \"cat >/dev/null; echo '{evil}'; echo '{evil}' >&2\" '<script>'");
    bench.play("durak", &["--games", "2"], &[&bot, "random"]);
    bench.succeed(["report", "log", "-o", "report", "--with-stderr"]);
    let folder = bench.path("report");
    browser.open(&folder.join("bots/1.html"), "");
    assert!(browser.text("#setup").contains("'<script>'"), "{}", browser.text("#setup"));
    browser.click("#faults a");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    let answer = browser.text("#answer");
    assert_eq!(answer.matches(evil).count(), 2, "printed, and on standard error: {answer}");
    assert!(answer.contains("malformed"), "{answer}");
    for page in ["index.html", "bots/1.html", "game.html"] {
        browser.open(&folder.join(page), "");
        browser.wait("document.readyState === 'complete'");
        let title = browser.run("return document.title");
        assert!(title.as_str().is_some_and(|title| title.ends_with("arbiter")), "{page}: {title}");
        assert_eq!(browser.run("return document.querySelectorAll('img').length"), 0, "{page}");
    }
    // Even what got into a page would not be run.
    browser.run(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')",
    );
    let refused = browser.complaints();
    assert!(refused.iter().any(|line| line.contains("Content Security Policy")), "{refused:?}");
    keep(&browser, "viewer-of-a-fault");
}

/// More games than a page and than a piece of data has.
#[test]
fn many_games_are_loaded_in_pieces() {
    let Some((browser, _bench, folder)) = reported("tournaments/coup") else { return };
    browser.open(&folder.join("game.html"), "#game=99");
    browser.wait("document.querySelector('#game-title').textContent.startsWith('Game 99:')");
    browser.click("#game-after");
    browser.wait("document.querySelector('#game-title').textContent.startsWith('Game 100:')");
    browser.press("[");
    browser.wait("document.querySelector('#game-title').textContent.startsWith('Game 99:')");
    open_list(&browser, &folder.join("index.html"), "", 100);
    browser.run("document.querySelector('#go-to').value = '179'");
    browser.click("#game-filter button[type=submit]");
    browser.wait("document.querySelector('#game-title')?.textContent.startsWith('Game 179:')");
    browser.wait("document.querySelector('#game-after').disabled");
    assert_quiet(&browser);
}
