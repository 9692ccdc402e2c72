//! Notes of bots in the viewer: a list beside the answer, and a chart over the steps.

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::browser::Browser;
use tests::look::{assert_named, assert_quiet, browser, browser_and_bench, keep_all};

/// A bot that plays the first legal move and notes numbers of two kinds, and words.
const NOTING: &str = r#"request=$(cat)
move=$(echo "$request" | sed -n 's/^move //p')
echo "note value 0.$((20 + move))" >&2
echo "note __proto__ -$((move * move))" >&2
echo 'note words <b>bold</b>' >&2
echo "$request" | sed -n '/^legal /{n;p;}'
"#;

/// The report of a game of two bots that note, with these further options.
fn report(browser: &Browser, name: &str, options: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.write("noting.sh", NOTING);
    bench.play("tablic", &[], &["mine=sh noting.sh", "other=sh noting.sh"]);
    bench.succeed([&["report", "log", "-o", name, "--with-stderr"], options].concat());
    open(browser, &bench, name, "#game=0&step=0");
    bench
}

fn open(browser: &Browser, bench: &Bench, name: &str, hash: &str) {
    browser.open(&bench.path(name).join("game.html"), hash);
    browser.wait("document.querySelector('#stage:not([hidden])')");
}

/// Goes to the first answer of a seat after a step, and gives its move.
fn answer_of(browser: &Browser, seat: u64, after: u64) -> u64 {
    browser.run(&format!(
        "const position = document.querySelector('#position');
         for (let step = {after}; ; step += 1) {{
           position.value = step;
           position.dispatchEvent(new Event('input'));
           const moved = document.querySelector('#answer .moment');
           const box = document.querySelector('.seat-box.moved .where');
           if (moved && box && box.textContent.trim() === 'seat {seat}') return Number(moved.textContent.slice(5));
         }}"
    ))
    .as_u64()
    .expect("a move")
}

fn choose(browser: &Browser, key: &str) {
    browser.run(&format!(
        "const select = document.querySelector('#noted-key');
         select.value = '{key}';
         select.dispatchEvent(new Event('change'));"
    ));
}

fn texts(browser: &Browser, selector: &str) -> Value {
    browser.run(&format!(
        "return [...document.querySelectorAll('{selector}')].map((it) => it.textContent)"
    ))
}

fn lines(browser: &Browser, kind: &str) -> u64 {
    let count =
        browser.run(&format!("return document.querySelectorAll('#noted polyline.{kind}').length"));
    count.as_u64().expect("a number")
}

#[test]
fn the_notes_of_an_answer_are_listed_and_numbers_are_drawn() {
    let Some(browser) = browser() else { return };
    let bench = report(&browser, "plain", &[]);
    let number = answer_of(&browser, 1, 12);
    let own = json!([format!("0.{}", 20 + number), format!("-{}", number * number), "<b>bold</b>"]);
    assert_eq!(texts(&browser, "#answer dl.noted dt"), json!(["value", "__proto__", "words"]));
    assert_eq!(texts(&browser, "#answer dl.noted dd"), own);
    // Standard error that is nothing but notes is folded, and no step is marked for it.
    assert_eq!(browser.run("return document.querySelectorAll('#answer details[open]').length"), 0);
    assert!(!browser.text("#moves").contains("stderr"));
    // A key with numbers can be chosen, and each seat has a line.
    assert_eq!(texts(&browser, "#noted-key option"), json!(["value", "__proto__"]));
    assert_eq!((lines(&browser, "noted"), lines(&browser, "review")), (2, 0));
    assert_eq!(texts(&browser, "#noted .end"), json!(["1", "0"]), "the axis of a chance to win");
    let before = number - 1;
    let legend = json!([format!("mine 0.{}", 20 + before), format!("other 0.{}", 20 + number)]);
    assert_eq!(texts(&browser, "#noted .legend li"), legend);
    keep_all(&browser, "notes-viewer");
    assert_named(&browser);
    // Another key has an axis of its own, and stays chosen from step to step and from game to game.
    choose(&browser, "__proto__");
    let last = browser.run("return Number(document.querySelector('#position').max)");
    let last = last.as_u64().expect("a number");
    let label =
        browser.run("return document.querySelector('#noted svg').getAttribute('aria-label')");
    let lowest = texts(&browser, "#noted .end")[1].as_str().expect("a text").to_owned();
    assert_eq!(label, json!(format!("__proto__, step by step, from {lowest} to -0")));
    assert!(lowest.starts_with('-') && lowest.len() > 4, "{lowest}");
    // A click goes to its step.
    browser.run(
        "const picture = document.querySelector('#noted svg');
         const { left, width, top } = picture.getBoundingClientRect();
         picture.dispatchEvent(new MouseEvent('click', { clientX: left + width / 4, clientY: top + 5, bubbles: true }));",
    );
    let step = (last as f64 / 4.0).round();
    assert_eq!(browser.text("#place"), format!("step {step} of {last}"));
    assert_eq!(browser.run("return document.querySelector('#noted-key').value"), "__proto__");
    keep_all(&browser, "notes-viewer-own-axis");
    // A seat sees its own notes alone.
    open(&browser, &bench, "plain", "#game=0&step=20&seat=1");
    assert_eq!(lines(&browser, "noted"), 1);
    assert!(
        texts(&browser, "#noted .legend li")[0].as_str().is_some_and(|it| it.starts_with("other "))
    );
    // The page of a bot has its numbers.
    browser.open(&bench.path("plain/bots/1.html"), "");
    assert_eq!(texts(&browser, "#notes tbody th"), json!(["value", "__proto__"]));
    keep_all(&browser, "notes-bot");
    assert_named(&browser);
    assert_quiet(&browser);
}

#[test]
fn notes_between_0_and_1_are_drawn_beside_the_review() {
    let Some(browser) = browser() else { return };
    report(&browser, "reviewed", &["--review"]);
    answer_of(&browser, 0, 12);
    assert_eq!((lines(&browser, "noted"), lines(&browser, "review")), (2, 2));
    assert!(browser.text("#noted").contains("Dashed: win probability"));
    // Steps have the same place in both drawings.
    let place = |id: &str| {
        browser.run(&format!(
            "return document.querySelector('#{id} svg .here').getBoundingClientRect().left"
        ))
    };
    assert_eq!(place("graph"), place("noted"));
    keep_all(&browser, "notes-viewer-review");
    choose(&browser, "__proto__");
    assert_eq!((lines(&browser, "noted"), lines(&browser, "review")), (2, 0));
    assert!(!browser.text("#noted").contains("Dashed"));
    assert_quiet(&browser);
}

#[test]
fn a_game_without_notes_has_no_chart_of_them() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    bench.play("tablic", &[], &["random", "greedy"]);
    bench.succeed(["report", "log", "-o", "pages"]);
    open(&browser, &bench, "pages", "#game=0&step=9");
    assert_eq!(browser.run("return document.querySelector('#noted').hidden"), true);
    assert_quiet(&browser);
}
