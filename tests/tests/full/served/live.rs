//! Games that are watched while they are played: by what the server tells, and in a real browser.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tests::bench::Bench;
use tests::browser::END;
use tests::look::browser;
use tests::running::{Running, wait_until};
use tests::served::{Events, Served};
use tests::tournament::verify;

/// The moves that are allowed up to the end of game 0, and of all games.
const FIRST_GAME: u32 = 1000;
const ALL: u32 = 10_000;

/// The line that begins the tournament, but for its bots.
const CUP: &str = "tournament --game tablic --dir cup --deals 1 --seed 7 --workers 1 --isolation off \
                   --time-limit 10min --quiet";

/// The note of each answer, and as a page has it.
const NOTE: &str = "secret-note";
const NOTED: &str = r#""notes":[["secret-note","12.5",12.5]]"#;

const LEFT: &str = "\u{e012}";
/// A tournament of two games whose bots answer no more than the test allows.
pub(super) struct Cup {
    bench: Bench,
    run: Running,
}

impl Cup {
    /// Begins it; its bots may answer the requests of this number of moves.
    pub(super) fn begin(moves: u32) -> Cup {
        let bench = stepping(moves);
        // An isolated bot does not see what comes of a file outside of its scratch folder.
        let run = bench.start(&format!("{CUP} 'anna=sh step.sh 0' 'bob=sh step.sh 1'"));
        let cup = Cup { bench, run };
        cup.wait_for(moves);
        cup
    }

    /// Lets the bots answer up to this number of moves, and waits until they have.
    fn allow(&self, moves: u32) {
        allow(&self.bench, moves);
        self.wait_for(moves);
    }

    fn wait_for(&self, moves: u32) {
        wait_until("the moves were made", || answers(&self.now()) >= moves as usize);
    }

    /// The game that is being played, as the file in the folder has it.
    fn now(&self) -> Value {
        let text = fs::read_to_string(self.bench.path("cup/playing.json")).unwrap_or_default();
        let now: Value = serde_json::from_str(&text).unwrap_or_default();
        now["games"][0].clone()
    }

    /// The cards in hands, by what was dealt and what was played.
    pub(super) fn in_hands(&self) -> BTreeSet<String> {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (mut cards, mut public) = (BTreeSet::new(), BTreeSet::new());
        for input in self.now()["inputs"].as_array().expect("inputs") {
            let dealt = input["chance"].as_str().unwrap_or_default();
            cards.extend(words(dealt).into_iter().filter(|it| is_card(it)));
            if dealt.starts_with("deal table") {
                public.extend(words(dealt));
            }
            public.extend(words(input["answer"]["reply"].as_str().unwrap_or_default()));
        }
        cards.difference(&public).cloned().collect()
    }

    pub(super) fn serve(&self, options: &[&str]) -> Served {
        Served::start(&self.bench, &[&["cup", "--with-stderr"], options].concat())
    }
}

/// A folder with a bot that answers no more than the requests of this number of moves. Those of game 1 count from
/// [`FIRST_GAME`] on: its argument is the seat that it has in game 0.
fn stepping(moves: u32) -> Bench {
    let bench = Bench::new();
    allow(&bench, moves);
    let allowed = bench.path("allowed").display().to_string();
    bench.write(
        "step.sh",
        format!(
            "request=$(cat)\nmove=$(echo \"$request\" | sed -n 's/^move //p')\n\
             seat=$(echo \"$request\" | sed -n 's/^seat //p')\n\
             [ \"$seat\" = \"$1\" ] || move=$((move + {FIRST_GAME}))\n\
             while [ \"$(cat '{allowed}')\" -le \"$move\" ]; do sleep 0.02; done\n\
             echo \"$request\" | sed -n '/^legal /{{n;p;}}'\necho 'a secret of its author' >&2\n\
             echo 'note secret-note 12.5' >&2\n"
        ),
    );
    bench
}

fn allow(bench: &Bench, moves: u32) {
    let new = bench.write("allowed-new", moves.to_string());
    fs::rename(new, bench.path("allowed")).expect("it is ours");
}

fn answers(game: &Value) -> usize {
    let inputs = game["inputs"].as_array();
    inputs.map_or(0, |inputs| inputs.iter().filter(|input| input["answer"].is_object()).count())
}

fn is_card(word: &str) -> bool {
    let (rank, suit) = word.split_at(word.len().saturating_sub(1));
    ["C", "D", "H", "S"].contains(&suit)
        && ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"].contains(&rank)
}

fn cards_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric());
    words.filter(|word| word.is_ascii() && is_card(word)).map(str::to_owned).collect()
}

#[test]
fn a_game_is_seen_while_it_is_played_and_no_hidden_card_with_it() {
    let mut cup = Cup::begin(4);
    let served = cup.serve(&[]);
    let list = served.text("live/");
    assert!(list.contains("1 game") && list.contains("anna") && list.contains("bob"), "{list}");
    let page = served.text("live/0");
    assert!(page.contains("data-watched=\"0\""), "{page}");
    let mut events = Events::open(&served, "live/0/events");
    let (name, game) = events.event();
    assert_eq!((name.as_str(), &game["from"]), ("game", &0.into()));
    assert_eq!((&game["moves"], &game["hands"]), (&4.into(), &"public".into()));
    let hidden = cup.in_hands();
    assert!(hidden.len() >= 8, "{hidden:?}");
    for text in [&list, &page, &game.to_string()] {
        let shown = cards_in(text);
        assert!(shown.is_disjoint(&hidden), "{shown:?} and {hidden:?} in {text}");
        assert!(!text.contains("secret of its author") && !text.contains(NOTE), "{text}");
    }
    assert!(!cards_in(&game.to_string()).is_empty(), "{game}");
    // All hands are shown where the user wants it; standard error is measured, and comes with the log alone.
    let (_, open) = Events::open(&cup.serve(&["--open-hands"]), "live/0/events").event();
    assert_eq!(open["hands"], "open");
    assert!(hidden.is_subset(&cards_in(&open.to_string())), "{hidden:?} in {open}");
    assert!(!open.to_string().contains(NOTE), "{open}");
    // The next steps are sent when they happen, without the earlier ones.
    let known = game["steps"].as_array().expect("steps").len();
    allow(&cup.bench, 7);
    let mut moves = 4;
    let mut steps = known;
    while moves < 7 {
        let (name, more) = events.event();
        assert_eq!((name.as_str(), &more["from"]), ("game", &steps.into()));
        moves = more["moves"].as_u64().expect("a number");
        steps += more["steps"].as_array().expect("steps").len();
        let hidden = cup.in_hands();
        assert!(cards_in(&more.to_string()).is_disjoint(&hidden), "{hidden:?} in {more}");
        assert!(!more.to_string().contains(NOTE), "{more}");
    }
    assert!(steps > known);
    // Nothing else leads to what is hidden: the game is not in the log.
    assert_eq!(served.get("data/games-0.js", &[]).status, 404);
    assert!(!served.text("bots/1.html").contains(NOTE));
    for nothing in ["live/9", "live/x", "live/-1", "playing.json", "plan.toml", "games.jsonl"] {
        assert_eq!(served.get(nothing, &[]).status, 404, "{nothing}");
    }
    allow(&cup.bench, ALL);
    while events.event().0 != "over" {}
    assert!(cup.run.wait().success());
    let is_over = || served.text("live/").contains("No live games");
    wait_until("nothing is played", is_over);
    let is_there = || served.get("data/games-0.js", &[]).text.contains("secret of its author");
    wait_until("the game is in the report", is_there);
    assert!(served.text("data/games-0.js").contains(NOTED));
    assert!(served.text("bots/1.html").contains(NOTE));
    assert!(!cup.bench.path("cup/playing.json").exists());
    verify(&cup.bench, "cup");
}

/// All games of a deal are dealt the same cards, so the hands of a game are hidden until the last of them is over.
#[test]
fn the_hands_of_a_deal_are_hidden_until_its_last_game_is_over() {
    let mut cup = Cup::begin(4);
    let served = cup.serve(&["--review"]);
    allow(&cup.bench, FIRST_GAME + 3);
    let games = || served.get("data/games-0.js", &[]);
    wait_until("the first game is in the log", || games().status == 200);
    // The file of what is played may still tell of the first game, which has many more moves.
    wait_until("the second game has three moves", || answers(&cup.now()) == 3);
    assert!(served.text("live/").contains("1 game"));
    let hidden = cup.in_hands();
    assert!(hidden.len() >= 8, "{hidden:?}");
    let first: Vec<String> = games().text.lines().map(str::to_owned).collect();
    let game: Value = serde_json::from_str(&first[1]).expect("a game");
    assert_eq!((&game["number"], &game["hands"]), (&0.into(), &"public".into()));
    // Its own cards were all played; nothing says who held them, and when.
    let steps = game["steps"].as_array().expect("steps");
    assert!(steps.len() > 40 && steps.iter().all(|step| step["own"].is_null()), "{game}");
    assert!(steps.iter().all(|step| step["answer"].is_null()), "{game}");
    let opening = cards_in(&Value::Array(steps[..4].to_vec()).to_string());
    assert!(opening.is_disjoint(&hidden), "{opening:?} and {hidden:?}");
    assert!(!games().text.contains("secret of its author") && !games().text.contains(NOTE));
    // A review would tell them.
    let review = || served.get("data/review-0-0.js", &[]).status;
    assert_eq!(review(), 404);
    // A mean of notes would also reveal the game.
    assert!(!served.text("bots/1.html").contains(NOTE));
    // One option away they are there.
    let open = cup.serve(&["--open-hands"]);
    wait_until("hands are shown", || open.get("data/games-0.js", &[]).text.contains("secret of"));
    assert!(open.text("data/games-0.js").contains(NOTED));
    assert!(open.text("bots/1.html").contains(NOTE));
    allow(&cup.bench, ALL);
    assert!(cup.run.wait().success());
    let is_open = || !games().text.contains("\"hands\"") && games().text.contains("secret of");
    wait_until("the hands of the deal are shown", is_open);
    wait_until("its games can be reviewed", || review() == 200);
    assert!(games().text.contains(NOTED) && served.text("bots/1.html").contains(NOTE));
    verify(&cup.bench, "cup");
}

/// The details of a fault, or the output of a bot, may name cards that another game of the deal
/// still hides.
#[test]
fn faults_of_an_open_deal_tell_no_cards() {
    let bench = stepping(ALL);
    bench.write("tell.sh", "hand=$(sed -n 's/^hand //p' | tr -d ' ')\necho \"hand$hand\"\n");
    allow(&bench, FIRST_GAME);
    let mut run = bench.start(&format!("{CUP} 'anna=sh tell.sh' 'bob=sh step.sh 1'"));
    wait_until("the tournament is there", || bench.path("cup/plan.toml").exists());
    let served = Served::start(&bench, &["cup"]);
    wait_until("the fault is told", || served.text("bots/1.html").contains("1 fault"));
    let covered = served.text("bots/1.html");
    assert!(covered.contains("hidden until the deal is finished"), "{covered}");
    assert!(!covered.contains("found `hand") && !covered.contains("&amp;step="), "{covered}");
    allow(&bench, ALL);
    assert!(run.wait().success());
    wait_until("it is told whole", || served.text("bots/1.html").contains("found `hand"));
}

/// A game that has stopped is not shown as being played, and a killed run is continued.
#[test]
fn a_run_that_is_killed_plays_nothing() {
    let cup = Cup::begin(5);
    let served = cup.serve(&[]);
    wait_until("a game is seen", || served.text("live/").contains("1 game"));
    let Cup { bench, run } = cup;
    drop(run);
    wait_until("none is seen", || served.text("live/").contains("No live games"));
    assert!(bench.path("cup/playing.json").exists(), "nothing has removed it");
    allow(&bench, ALL);
    bench.ok("tournament resume cup --quiet");
    assert!(!bench.path("cup/playing.json").exists());
    verify(&bench, "cup");
}

/// Of a league the round is watched that is being played, and its game is then in the pages of the round.
#[test]
fn the_round_of_a_league_is_watched() {
    let bench = stepping(3);
    let new = "league new class --game tablic --isolation off --time-limit 10min --round-deals 1";
    bench.ok(new);
    allow(&bench, ALL);
    bench.ok("league add class 'anna=sh step.sh 0' 'bob=sh step.sh 1'");
    allow(&bench, 3);
    let mut run = bench.start("league run class --games 2 --quiet --workers 1");
    let served = Served::start(&bench, &["class"]);
    wait_until("a game is seen", || served.text("live/").contains("anna@1"));
    wait_until("it is linked", || served.text("").contains("href=\"live/\""));
    // The address of a game says of which round it is.
    assert!(served.text("live/").contains("href=\"0-0\""));
    let (_, game) = Events::open(&served, "live/0-0/events").event();
    assert_eq!((&game["number"], &game["hands"]), (&0.into(), &"public".into()));
    assert!(served.text("live/0-0").contains("../rounds/0/data/index.js"));
    assert_eq!(served.get("live/0", &[]).status, 404);
    assert_eq!(served.get("rounds/0/data/index.js", &[]).status, 200);
    allow(&bench, ALL);
    assert!(run.wait().success());
    wait_until("none is seen", || served.text("live/").contains("No live games"));
    let games = served.text("rounds/0/data/games-0.js");
    assert!(games.contains("takeGames"), "{games}");
    // A late reader is led to the report of the round.
    let late = minreq::get(format!("{}live/0-0", served.address())).with_follow_redirects(false);
    let late = late.send().expect("an answer");
    assert_eq!(
        (late.status_code, &*late.headers["location"]),
        (303, "../rounds/0/game.html#game=0")
    );
}

#[test]
fn a_game_is_followed_in_a_browser_until_its_end() {
    let Some(browser) = browser() else { return };
    let mut cup = Cup::begin(2);
    let served = cup.serve(&[]);
    browser.visit(&format!("{}live/", served.address()));
    browser.wait("document.querySelector('#playing tbody a')");
    browser.click("#playing tbody a");
    browser.wait("document.querySelector('#stage:not([hidden])')");
    assert!(browser.address().ends_with("/live/0"), "{}", browser.address());
    browser.run("window.isSame = true");
    let title = "document.querySelector('#game-title').textContent";
    browser.wait(&format!("{title}.startsWith('Game 0:')"));
    assert!(browser.text("#game-about").contains("live"));
    let hands = "document.querySelectorAll('.seat-box [data-card]').length";
    assert_eq!(browser.run(&format!("return {hands}")), 0, "no hand is open");
    assert_eq!(
        browser.run("return document.querySelectorAll('.seat-box .backs .back').length"),
        10
    );
    assert_eq!(browser.text("#view"), "spectator view");
    // It goes on with the game, step by step.
    let place = "Number(document.querySelector('#position').value)";
    let last = "Number(document.querySelector('#position').max)";
    for moves in 3..6 {
        let before = browser.run(&format!("return {last}")).as_u64().expect("a number");
        cup.allow(moves);
        browser.wait(&format!("{last} > {before} && {place} === {last}"));
        assert_eq!(browser.run(&format!("return {hands}")), 0, "no hand is open");
    }
    assert_eq!(browser.run("return document.querySelector('#message').hidden"), true);
    // A reader who looks back stays there, and sees that there is more.
    browser.press(LEFT);
    browser.press(LEFT);
    let at = browser.run(&format!("return {place}"));
    cup.allow(7);
    browser.wait("document.querySelector('#message').textContent.includes('new step')");
    assert_eq!(browser.run(&format!("return {place}")), at);
    browser.press(END);
    browser.wait(&format!("{place} === {last} && document.querySelector('#message').hidden"));
    assert_eq!(browser.run("return document.querySelector('#result')"), Value::Null);
    // When it is over, the game of the log is in its place, and shows all hands once its deal is over.
    allow(&cup.bench, FIRST_GAME + 2);
    browser.wait("document.querySelector('#message').textContent.includes('Hands stay hidden')");
    assert_eq!(browser.text("#view"), "spectator view");
    allow(&cup.bench, ALL);
    browser.wait("document.querySelector('#view').textContent.startsWith('all hands')");
    assert!(browser.text("#result").contains("Result: "), "{}", browser.text("#result"));
    assert!(browser.text("#view").starts_with("all hands"), "{}", browser.text("#view"));
    browser.run("document.querySelector('#position').value = 9");
    browser.run("document.querySelector('#position').dispatchEvent(new Event('input'))");
    assert!(browser.run(&format!("return {hands}")).as_u64() > Some(4), "hands are open");
    assert_eq!(browser.run("return window.isSame"), true, "the page was not loaded again");
    assert_eq!(browser.complaints(), [""; 0]);
    assert!(cup.run.wait().success());
    // A page that comes too late shows the game of the log at once.
    browser.visit(&format!("{}live/1", served.address()));
    browser.wait("document.querySelector('#stage:not([hidden])')");
    browser.wait(&format!("{title}.startsWith('Game 1:')"));
    assert_eq!(browser.complaints(), [""; 0]);
}
