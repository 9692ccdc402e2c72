//! The looks of pages that no other test keeps: at each width, in both colours, and without a finding of axe.

use std::fs;

use tests::axe;
use tests::handing_in::{ahead, set};
use tests::league::{lively, play};
use tests::look::{assert_named, assert_quiet, browser, browser_and_bench, keep_all};
use tests::own_games;
use tests::running::Running;
use tests::served::Served;
use tests::table::{by_keys, play as play_at_table, sit_down};

#[test]
fn axe_is_there() {
    axe::is_there();
}

#[test]
fn a_site_with_contests_in_each_phase() {
    let Some(browser) = browser() else { return };
    let bench = lively();
    let all = bench.path("all");
    fs::create_dir(&all).expect("ours");
    bench.ok("league notice class 'The final begins on Friday at 18:00.'");
    bench.ok("league new all/new --game durak");
    set(
        &bench,
        &format!(
            "opens = {}\ndeadline = {}\nfreeze = {}\nunfreeze = {}\nends = {}",
            ahead(-90_000),
            ahead(7_200),
            ahead(90_000),
            ahead(180_000),
            ahead(190_000)
        ),
    );
    bench.ok("review class");
    fs::rename(bench.path("class"), all.join("class")).expect("ours");
    let served = Served::start(&bench, &["all", "--submit"]);
    // The reviews of the rounds are added up beside the pages.
    served.text_with("class/bots/1.html", "recurring mistakes");
    for (path, name) in [
        ("", "home"),
        ("class/", "league-phases"),
        ("class/bots/1.html", "league-bot-mistakes"),
        ("class/rounds/1/", "round"),
        ("class/rounds/1/bots/1.html", "round-bot"),
        ("class/live/", "live-none"),
        ("class/hand-in/", "hand-in-sign-in"),
        ("class/organiser/", "organiser-sign-in"),
        ("new/", "league-new"),
        ("new/crosstable.html", "crosstable-new"),
        ("new/stages.html", "stages-new"),
        ("new/ceremony.html", "ceremony-new"),
        ("new/rounds/", "rounds-new"),
        ("play/rules/", "rules"),
        ("class/nowhere.html", "missing"),
    ] {
        // A browser complains of a page whose standings are still being computed.
        served.get(path, &[]);
        browser.visit(&format!("{}{path}", served.address()));
        keep_all(&browser, name);
        assert_named(&browser);
    }
    let bytes = ["", "assets/style.css", "assets/home.css"].map(|path| served.text(path).len());
    assert!(bytes.iter().sum::<usize>() <= 30_000, "the first page is light: {bytes:?}");
    // A mistake of any round leads to its move.
    browser.visit(&format!("{}class/bots/1.html", served.address()));
    let number = browser
        .run("return document.querySelector('#mistakes td a').href.match(/move=([0-9]+)/)[1]");
    browser.click("#mistakes td a");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    let shown = browser.text("#moves [aria-current] .moment");
    assert_eq!(Some(shown.as_str()), number.as_str().map(|it| format!("move {it}")).as_deref());
    // A page whose server ends complains.
    browser.visit("about:blank");
    drop(served);
    fs::rename(all.join("class"), bench.path("class")).expect("ours");
    set(&bench, &format!("freeze = {}\nunfreeze = {}", ahead(-1), ahead(90_000)));
    let frozen = Served::start(&bench, &["class"]);
    browser.visit(frozen.address());
    browser.wait("document.querySelector('.notice').innerText.includes('frozen')");
    keep_all(&browser, "league-frozen");
    let empty = bench.path("empty");
    fs::create_dir(&empty).expect("ours");
    let served = Served::start(&bench, &["empty"]);
    browser.visit(served.address());
    keep_all(&browser, "home-empty");
    // The page that is missing is the only complaint.
    let complaints = browser.complaints();
    assert!(complaints.iter().all(|it| it.contains("404")), "{complaints:?}");
}

#[test]
fn certificates_of_a_stage() {
    let Some(browser) = browser() else { return };
    let bench = lively();
    play(&bench, "8");
    bench.ok("league stage class --format knockout --deals 1");
    bench.ok("league run class --stage --quiet");
    bench.ok("league certificates class -o all.html");
    browser.open(&bench.path("all.html"), "");
    keep_all(&browser, "certificates");
    assert_quiet(&browser);
}

#[test]
fn a_game_that_is_being_played() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    bench.write(
        "slow.sh",
        "request=$(cat)\nmove=$(echo \"$request\" | sed -n 's/^move //p')\n\
         while [ \"$move\" -gt 6 ]; do sleep 1; done\necho \"$request\" | sed -n '/^legal /{n;p;}'\n",
    );
    let words = ["tournament", "--game", "tablic", "--dir", "cup", "--workers", "1", "--quiet"];
    let limits = ["--isolation", "off", "--time-limit", "10min"];
    let words = [&words[..], &limits, &["greedy", "slow=sh slow.sh"]].concat();
    let run = Running::start(&mut bench.arbiter(words));
    tests::running::wait_until("a log", || bench.path("cup/plan.toml").exists());
    let served = Served::start(&bench, &["cup"]);
    browser.visit(&format!("{}live/", served.address()));
    browser.wait("document.querySelectorAll('#playing tbody tr').length === 1");
    browser.wait("Number(document.querySelector('#playing tbody td:nth-child(3)').innerText) > 4");
    keep_all(&browser, "live");
    assert_named(&browser);
    browser.click("#playing tbody a");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    browser.wait("document.querySelectorAll('#board .card').length > 4");
    keep_all(&browser, "live-game");
    assert_named(&browser);
    assert_quiet(&browser);
    drop(run);
}

#[test]
fn holdem_is_played_to_its_end_by_keys() {
    let Some((browser, bench)) = browser_and_bench() else { return };
    let holdem = own_games::example("holdem");
    let words = ["tournament", "--dir", "cup", "--deals", "1", "--quiet", "--game", &holdem];
    bench.succeed([&words[..], &["random", "other=random"]].concat());
    let served = Served::start(&bench, &["cup"]);
    browser.visit(&format!("{}play/", served.address()));
    keep_all(&browser, "play-holdem");
    assert_named(&browser);
    sit_down(&browser, &served, "", "holdem", &["random"]);
    browser.wait("document.querySelectorAll('.self [data-card]').length === 2");
    // A short list of moves has buttons in the table's bar.
    browser.wait("document.querySelector('#board .does [data-does=call]')");
    keep_all(&browser, "table-holdem");
    assert_named(&browser);
    assert!(play_at_table(&browser, &by_keys) > 0);
    keep_all(&browser, "table-holdem-over");
    browser.click("#viewer");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    keep_all(&browser, "viewer-holdem");
    assert_quiet(&browser);
}
