//! The first step that the viewer shows, and its title.

use serde_json::{Value, json};
use tests::bench::SEED;
use tests::browser::{Browser, END};
use tests::look::{assert_named, assert_quiet, browser_and_bench, examples, keep_all, report};

fn open(browser: &Browser, folder: &std::path::Path, hash: &str) {
    browser.open(&folder.join("game.html"), hash);
    browser.wait("document.querySelector('#stage:not([hidden])')");
}

#[test]
fn the_viewer_opens_when_all_is_dealt() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    for name in ["tablic-2-seats", "coup", "durak", "tablic-4-seats-one-out"] {
        let log = examples(&format!("matches/{name}.jsonl"));
        let folder = report(&bench, &log, name);
        open(&browser, &folder, "#game=0");
        // One step on is the first answer.
        let game = &tests::log::games(&log)[0];
        let first = &tests::log::answers(game)[0];
        let seat = first["seat"].as_u64().expect("a seat") as usize;
        let who = game["seats"][seat].as_str().expect("a name");
        let told = browser.text("#answer");
        assert!(told.starts_with("Cards dealt"), "{name}: {told}");
        let next = format!("Next: {who} in seat {seat}, move 0.");
        assert!(told.contains(&next), "{name}: {next} in {told}");
        let hands = browser.run(
            "return [...document.querySelectorAll('.seat-box :is(.fan, .pair2)')].map((hand) => hand.querySelectorAll('.card:not(.back)').length)",
        );
        let hands = hands.as_array().expect("hands");
        assert!(hands.iter().all(|count| *count == hands[0] && *count != 0), "{name}: {hands:?}");
        // Ranks are drawn as strokes: filled in, they are blobs.
        let strokes = browser.run(
            "return [...document.querySelectorAll('.card use[href^=\"#rank\"]')].map((it) => getComputedStyle(it)).every((it) => it.fill === 'none' && it.stroke !== 'none')",
        );
        assert_eq!(strokes, json!(true), "{name}");
        keep_all(&browser, &format!("viewer-{name}-opening"));
        browser.press("\u{e014}");
        browser.wait("document.querySelector('#answer .badge')");
        assert!(browser.text("#answer").starts_with(&format!("{who} answered")), "{name}");
        // A seat is not told the question to another one.
        for of in 0..hands.len() {
            open(&browser, &folder, &format!("#game=0&seat={of}"));
            let told = browser.text("#answer");
            assert!(told.starts_with("Cards dealt"), "{name}: {told}");
            assert_eq!(told.contains("Next: "), of == seat, "{name}, seat {of}: {told}");
        }
        // The first step is where it was.
        open(&browser, &folder, "#game=0&step=0");
        assert!(browser.text("#place").starts_with("step 0 of"));
    }
    assert_quiet(&browser);
}

/// The clock of a seat stands beside its name, for viewers who may know its answers.
#[test]
fn the_viewer_shows_the_clock_of_each_seat() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    bench.ok("match --game tablic --quiet --log log random greedy --time-limit 50s --game-time random=50s+7ms");
    let folder = report(&bench, &bench.path("log"), "clocks");
    let clocks = "return [...document.querySelectorAll('.seat-box')].map((box) => \
                  [box.querySelector('.who').textContent, box.querySelector('.clock')?.textContent ?? null])";
    let seen = |hash: &str| {
        open(&browser, &folder, hash);
        let mut seen = browser.run(clocks).as_array().expect("seats").clone();
        seen.sort_by_key(ToString::to_string);
        seen
    };
    let (greedy, random) = (json!(["greedy", null]), json!(["random", "50.0 s left"]));
    assert_eq!(seen("#game=0"), [greedy.clone(), random.clone()]);
    keep_all(&browser, "viewer-clocks");
    let game = &tests::log::games(&bench.path("log"))[0];
    let seat = tests::log::seat_of(game, "random");
    assert_eq!(seen(&format!("#game=0&seat={seat}")), [greedy.clone(), random]);
    let other = seen(&format!("#game=0&seat={}", 1 - seat));
    assert_eq!(other, [greedy, json!(["random", null])]);
    assert_quiet(&browser);
}

/// The title of the page and its heading name the players and the result.
#[test]
fn the_title_of_the_viewer_tells_the_result() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let folder = report(&bench, &examples("tournaments/coup"), "coup");
    let title = || browser.run("return document.title");
    let heading = || browser.run("return document.querySelector('h1').textContent");
    let games = tests::log::games(&examples("tournaments/coup/games.jsonl"));
    for number in [0, 3, 101] {
        open(&browser, &folder, &format!("#game={number}"));
        let game = &games[number];
        let [one, other] = [0, 1].map(|seat| game["seats"][seat].as_str().expect("a name"));
        let [first, second] = [0, 1].map(|seat| game["result"]["scores"][seat].as_i64());
        let (first, second) = first.zip(second).expect("whole points");
        let winner = if first > second { one } else { other };
        let told =
            format!("Game {number}: {winner} won, {one} {first} – {other} {second} · arbiter");
        assert_eq!(title(), told);
        let mark = |points| if points == 1 { "★winner " } else { "" };
        let told =
            format!("Game {number}: {}{one} {first}{}{other} {second}", mark(first), mark(second));
        assert_eq!(heading(), told);
        assert!(browser.text("#game-about").starts_with(&format!("{winner} won")));
        assert_named(&browser);
        // At the end the table tells it as well, by a word at the seat.
        browser.press(END);
        browser.wait("document.querySelector('#result')");
        assert!(browser.text("#result").starts_with(&format!("★ {winner} won")));
        assert_eq!(browser.text(".mark.winner"), "★ won");
        let at = browser
            .run("return document.querySelector('.mark.winner').closest('section').ariaLabel");
        assert!(at.as_str().is_some_and(|at| at.starts_with(winner)), "{at}");
    }
    keep_all(&browser, "viewer-coup-won");
    // Of many seats the heading names who won, and all are below it.
    let bots = ["a=greedy", "b=random", "c=random", "d=random", "e=random", "f=random"];
    let played = &bench.play("durak", &[], &bots)[0];
    let folder = report(&bench, &bench.path("log"), "durak");
    open(&browser, &folder, "#game=0");
    let scores = played["result"]["scores"].as_array().expect("scores");
    let losers: Vec<usize> = (0..6).filter(|seat| scores[*seat] == 0).collect();
    let outcome = match losers[..] {
        [loser] => format!("{} lost", played["seats"][loser].as_str().expect("a name")),
        _ => "drawn".to_owned(),
    };
    assert_eq!(title(), format!("Game 0: {outcome}, 6 seats · arbiter"));
    assert_eq!(heading(), format!("Game 0: 6 seats, {outcome}"));
    let seats = browser.run("return document.querySelectorAll('#game-about .seat').length");
    assert_eq!(seats, 6);
    let winners = browser.run("return document.querySelectorAll('#game-about .seat.won').length");
    assert_eq!(winners, json!(if losers.len() == 1 { 5 } else { 0 }));
    keep_all(&browser, "viewer-six-seats-title");
    // A missing game has no result.
    browser.open(&folder.join("game.html"), "#game=5");
    browser.wait("document.querySelector('#message:not([hidden])')");
    assert_eq!((title(), heading()), (Value::from("Game · arbiter"), Value::from("Game")));
    assert_quiet(&browser);
}

/// From the first page it is two clicks to the worst move of a bot, which is shown beside the better ones.
#[test]
fn two_clicks_lead_to_a_mistake_and_a_key_to_the_next_one() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let words = ["simulate", "--game", "tablic", "--deals", "2", "--seed", SEED, "--log", "log"];
    bench.succeed([&words[..], &["random", "greedy"]].concat());
    bench.succeed(["report", "log", "-o", "pages", "--review"]);
    browser.open(&bench.path("pages/index.html"), "");
    browser.click("a[href='bots/1.html']");
    browser.wait("document.querySelector('#review table')");
    keep_all(&browser, "review-bot");
    assert_named(&browser);
    browser.click("#review td a");
    browser.wait("document.querySelector('#stage:not([hidden]) .values')");
    let judged = browser.text("#answer .verdict");
    let is_mistake =
        ["An inaccuracy", "A mistake", "A blunder"].iter().any(|it| judged.contains(it));
    assert!(is_mistake, "{judged}");
    let rows = browser.run("return document.querySelectorAll('.values tbody tr').length");
    let played = browser.run("return document.querySelectorAll('.values tr.played').length");
    assert!(rows.as_u64() > Some(1) && played == 1, "{rows} {played}");
    let drawn = browser.run("return document.querySelectorAll('#graph .dot').length");
    assert!(drawn.as_u64() > Some(1), "{drawn}");
    keep_all(&browser, "review-viewer");
    assert_named(&browser);
    let before = browser.text("#place");
    browser.press("m");
    browser.wait("document.querySelector('#answer .verdict .sign:not(.sound)')");
    assert_ne!(browser.text("#place"), before);
    // The luck of each deal leads to it, and the parts of each result are there.
    assert_eq!(browser.run("return document.querySelectorAll('#luck thead button').length"), 4);
    let parts = browser.text("#luck");
    assert!(parts.contains("= 50% ") && parts.contains("% skill "), "{parts}");
    let before = browser.text("#place");
    browser.click("#luck thead th:nth-child(4) button");
    assert_ne!(browser.text("#place"), before);
    assert!(browser.text("#told").contains("dealt"), "{}", browser.text("#told"));
    browser.press("m");
    browser.wait("document.querySelector('#answer .verdict .sign:not(.sound)')");
    // Another seat is told nothing of it, as of the answer itself.
    let seat =
        browser.run("return document.querySelector('.seat-box.moved h2 .where').textContent");
    let other = if seat.as_str().is_some_and(|seat| seat.ends_with('0')) { 1 } else { 0 };
    let place = browser.run("return location.hash");
    let place = place.as_str().expect("an address").to_owned();
    open(&browser, &bench.path("pages"), &format!("{place}&seat={other}"));
    assert_eq!(browser.run("return document.querySelectorAll('.values').length"), 0);
    assert_eq!(browser.run("return document.querySelector('#luck').hidden"), true);
    // A report without a review has none of it.
    bench.succeed(["report", "log", "-o", "plain"]);
    open(&browser, &bench.path("plain"), "#game=0&step=9");
    assert_eq!(browser.run("return document.querySelectorAll('.values, svg .chance').length"), 0);
    assert_quiet(&browser);
}
