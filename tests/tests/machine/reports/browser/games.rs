//! The list of games: its filter, which stands in the address, and its marks.

use std::cmp::Ordering;
use std::path::Path;

use rules::Score;
use serde_json::{Value, json};
use tests::browser::{Browser, ENTER, Width};
use tests::look::{
    assert_named, assert_quiet, browser_and_bench, examples, keep_all, open_list, report, reported,
};

const TAB: &str = "\u{e004}";
/// Result of a game for a bot against another, by the log.
fn came_out(game: &Value, bot: &str, other: &str) -> &'static str {
    let seat = |name: &str| tests::log::seat_of(game, name);
    let out = |seat: usize| !game["result"]["out"][seat].is_null();
    let score = |seat: usize| points(&game["result"]["scores"][seat]);
    let standing = |name: &str| (!out(seat(name)), score(seat(name)));
    match standing(bot).cmp(&standing(other)) {
        Ordering::Less => "lost",
        Ordering::Equal => "drawn",
        Ordering::Greater => "won",
    }
}

fn points(score: &Value) -> Score {
    serde_json::from_value(score.clone()).expect("points")
}

fn is_of(game: &Value, bot: &str) -> bool {
    game["seats"].as_array().expect("names").iter().any(|name| name == bot)
}

/// The numbers of the games of a bot against another one that came out like this.
fn expected(log: &Path, bot: &str, other: &str, result: Option<&str>) -> Vec<u64> {
    let games = tests::log::games(log);
    let games = games.iter().filter(|game| is_of(game, bot) && is_of(game, other));
    let games = games.filter(|game| result.is_none_or(|it| came_out(game, bot, other) == it));
    games.map(|game| game["number"].as_u64().expect("a number")).collect()
}

/// The numbers of the games that are listed, once they are as many as this.
fn listed(browser: &Browser, count: usize) -> Vec<u64> {
    let shown = count.min(100);
    browser.wait(&format!("document.querySelectorAll('#game-rows tr').length === {shown}"));
    let numbers = browser.run(
        "return [...document.querySelectorAll('#game-rows a')].map((it) => Number(it.innerText))",
    );
    numbers.as_array().expect("numbers").iter().filter_map(Value::as_u64).collect()
}

/// Waits for the address to end like this.
fn at(browser: &Browser, hash: &str) {
    browser.wait(&format!("location.hash === {}", json!(hash)));
}

/// Gives a control the focus by the tab key alone, from the start of the page.
fn tab_to(browser: &Browser, id: &str) {
    browser.run("document.querySelector('#games').setAttribute('tabindex', '-1'); document.querySelector('#games').focus()");
    for _ in 0..20 {
        browser.press(TAB);
        if browser.run("return document.activeElement.id") == id {
            return;
        }
    }
    unreachable!("the tab key does not lead to `{id}`");
}

#[test]
fn games_are_filtered_by_result_and_opponent() {
    let Some((browser, _bench, folder)) = reported("tournaments/coup") else { return };
    let source = examples("tournaments/coup");
    let log = source.join("games.jsonl");
    let page = folder.join("index.html");
    // By keys alone: the bots are random, greedy and minimax, in this order.
    open_list(&browser, &page, "", 100);
    for (control, key) in [("filter-bot", "r"), ("filter-against", "g"), ("filter-result", "l")] {
        tab_to(&browser, control);
        browser.press(key);
    }
    let lost = expected(&log, "random", "greedy", Some("lost"));
    assert_eq!(lost.len(), 54);
    assert_eq!(listed(&browser, lost.len()), lost);
    at(&browser, "#games&bot=0&against=1&result=lost");
    let label = browser.text("#page-label");
    assert!(label.ends_with("page 1 of 1, 54 games"), "{label}");
    keep_all(&browser, "games-filtered");
    assert_named(&browser);
    // The address leads to the same, and each part of it stands alone, too.
    for (hash, result) in [
        ("#games&bot=0&against=1&result=lost", Some("lost")),
        ("#games&against=1&bot=0&result=won", Some("won")),
        ("#games&bot=0&against=1", None),
    ] {
        browser.open(&page, hash);
        let games = expected(&log, "random", "greedy", result);
        assert_eq!(listed(&browser, games.len()), games, "{hash}");
    }
    let won = expected(&log, "minimax", "random", Some("won")).len()
        + expected(&log, "minimax", "greedy", Some("won")).len();
    for (hash, total) in [
        ("#games&bot=2&result=won", won),
        ("#games&bot=2&result=drawn", 0),
        ("#games&result=lost", 180),
        ("#games&against=1", 120),
        ("#games&kind=faults", 0),
        ("#games&bot=1&against=1", 0),
        ("#games&page=2", 180),
    ] {
        browser.open(&page, hash);
        let told = if total == 0 { "no games".to_owned() } else { format!(", {total} games") };
        // The number of games is known at the last page.
        browser.wait("document.querySelector('#page-label').textContent.match(/page|no games/)");
        if browser.run("return document.querySelector('#page-after').disabled") == false {
            browser.click("#page-after");
        }
        let ends =
            format!("document.querySelector('#page-label').textContent.endsWith({})", json!(told));
        browser.wait(&ends);
    }
    at(&browser, "#games&page=2");
    assert_eq!(listed(&browser, 80)[0], 100);
    // Back to all of them.
    browser.open(&page, "#games&bot=0&result=lost&kind=odd");
    browser.wait("document.querySelector('#page-label').textContent === 'no games'");
    tab_to(&browser, "filter-none");
    browser.press(ENTER);
    at(&browser, "#games");
    assert_eq!(listed(&browser, 100).len(), 100);
    // The link that was followed is there again.
    browser.click("#crosstable a");
    at(&browser, "#games&bot=2&against=1");
    assert_eq!(listed(&browser, 60), expected(&log, "minimax", "greedy", None));
    browser.back();
    at(&browser, "#games");
    assert_eq!(listed(&browser, 100)[0], 0);
    assert_quiet(&browser);
}

#[test]
fn the_page_of_a_bot_lists_its_games() {
    let Some((browser, _bench, folder)) = reported("tournaments/coup") else { return };
    let source = examples("tournaments/coup");
    let log = source.join("games.jsonl");
    let page = folder.join("bots/1.html");
    open_list(&browser, &page, "", 100);
    assert_eq!(browser.run("return document.querySelector('#filter-bot')"), Value::Null);
    // Its numbers lead to the games behind them: all that it lost, and those against each other bot.
    browser.click(".top a[href='#games&result=lost']");
    browser.wait("document.querySelector('#page-label').textContent.startsWith('games')");
    browser.wait("!document.querySelector('#page-after').disabled");
    browser.click("#page-after");
    browser.wait("document.querySelector('#page-label').textContent.endsWith(', 107 games')");
    for (place, other) in [(2, "minimax"), (1, "greedy")] {
        for result in ["won", "lost"] {
            let hash = format!("#games&against={place}&result={result}");
            browser.click(&format!("#opponents a[href='{hash}']"));
            at(&browser, &hash);
            let games = expected(&log, "random", other, Some(result));
            assert_eq!(listed(&browser, games.len()), games, "{hash}");
        }
    }
    keep_all(&browser, "bot-filtered");
    // It leads to the viewer, and back to what was shown.
    let address = browser.address();
    let first = expected(&log, "random", "greedy", Some("lost"))[0];
    browser.click("#game-rows a");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    assert!(browser.address().contains(&format!("/game.html#game={first}")));
    browser.back();
    browser.wait("document.querySelectorAll('#game-rows tr').length === 54");
    assert_eq!(browser.address(), address);
    assert_quiet(&browser);
}

#[test]
fn cells_of_the_crosstable_lead_to_the_games_of_the_two() {
    let Some((browser, _bench, folder)) = reported("tournaments/coup") else { return };
    let source = examples("tournaments/coup");
    open_list(&browser, &folder.join("index.html"), "", 100);
    let tables = "document.querySelectorAll('#crosstable .scroll')";
    let links = browser
        .run(&format!("return [...{tables}].map((it) => it.querySelectorAll('td a').length)"));
    assert_eq!(links, json!([6, 6]));
    let ranked = ["minimax", "greedy", "random"];
    for (row, column) in [(0, 1), (2, 0)] {
        let (bot, other) = (ranked[row], ranked[column]);
        let cell = format!(
            "{tables}[0].querySelectorAll('tbody tr')[{row}].children[{column} + 2].firstChild"
        );
        assert_eq!(browser.run(&format!("return {cell}.title")), format!("{bot} against {other}"));
        browser.run(&format!("{cell}.focus()"));
        browser.press(ENTER);
        let games = expected(&source.join("games.jsonl"), bot, other, None);
        assert_eq!(listed(&browser, 60), games, "{bot}, {other}");
        browser.wait("Math.abs(document.querySelector('#games').getBoundingClientRect().top) < 90");
    }
    // A link to what is shown already leads there, too, below the bar that stays at the top.
    browser.run("scrollTo(0, 0)");
    browser.click("#crosstable tbody tr:last-child td:nth-last-child(2) a");
    browser.wait("Math.abs(document.querySelector('#games').getBoundingClientRect().top) < 90");
    assert_quiet(&browser);
}

/// With more than two seats one is compared with another, as in the crosstable.
#[test]
fn a_filter_compares_two_of_many_seats() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    bench.play("durak", &["--games", "12"], &["random", "greedy", "other=random"]);
    let log = bench.path("log");
    let folder = report(&bench, &log, "report");
    let games = tests::log::games(&log);
    for (bot, other, name, rival) in [(0, 1, "random", "greedy"), (1, 2, "greedy", "other")] {
        let mut total = 0;
        for result in ["won", "drawn", "lost"] {
            let hash = format!("#games&bot={bot}&against={other}&result={result}");
            browser.open(&folder.join("index.html"), &hash);
            browser
                .wait("document.querySelector('#page-label').textContent.match(/page|no games/)");
            let games = expected(&log, name, rival, Some(result));
            assert_eq!(listed(&browser, games.len()), games, "{hash}");
            total += games.len();
        }
        assert_eq!(total, 12);
    }
    // All but the durak won.
    for (game, logged) in games.iter().enumerate().take(3) {
        let row = format!("document.querySelectorAll('#game-rows tr')[{game}]");
        open_list(&browser, &folder.join("index.html"), "", 12);
        let winners = browser.run(&format!(
            "return [...{row}.querySelectorAll('.seat.won bdi')].map((it) => it.innerText)"
        ));
        let scores = logged["result"]["scores"].as_array().expect("scores");
        let names = logged["seats"].as_array().expect("names").iter().zip(scores);
        let best: Vec<&Value> =
            names.filter(|(_, score)| points(score) > Score::ZERO).map(|(name, _)| name).collect();
        assert_eq!(winners, json!(best), "game {game}: {logged}");
    }
    keep_all(&browser, "games-of-three");
    assert_quiet(&browser);
}

/// A sign marks winners, also for a screen reader, not colour alone.
#[test]
fn winners_are_marked_in_the_list() {
    let Some((browser, _bench, folder)) = reported("tournaments/coup") else { return };
    let source = examples("tournaments/coup");
    for page in ["index.html", "bots/3.html"] {
        open_list(&browser, &folder.join(page), "", 100);
        let rows = browser.run(
            "return [...document.querySelectorAll('#game-rows tr')].map((row) =>
                [Number(row.querySelector('a').innerText),
                 [...row.querySelectorAll('.seat')].map((it) => it.textContent)])",
        );
        let games = tests::log::games(&source.join("games.jsonl"));
        for row in rows.as_array().expect("rows") {
            let game = &games[row[0].as_u64().expect("a number") as usize];
            for (seat, told) in row[1].as_array().expect("seats").iter().enumerate() {
                let name = game["seats"][seat].as_str().expect("a name");
                let told = told.as_str().expect("text");
                let score = game["result"]["scores"][seat].as_i64().expect("whole points");
                let marked =
                    if score == 1 { format!("★winner {name} 1") } else { format!("{name} 0") };
                assert_eq!(told, marked, "{row}");
            }
        }
    }
    browser.resize(Width::Phone);
    let stars = browser.run(
        "return [...document.querySelectorAll('#game-rows .star')].filter((it) => it.getClientRects().length).length",
    );
    assert_eq!(stars, 100);
    assert_quiet(&browser);
}
