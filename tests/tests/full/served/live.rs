//! Games that are watched while they are played: by what the server tells, and in a real browser.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};

use serde_json::Value;
use tests::bench::Bench;
use tests::running::{Running, wait_until};
use tests::served::Served;
use tests::shared_browser::SharedBrowser;
use tests::tournament::{SEED, verify};

/// The moves that are allowed up to the end of game 0, and of all games.
const FIRST_GAME: u32 = 1000;
const ALL: u32 = 10_000;

/// The note of each answer, and as a page has it.
const NOTE: &str = "secret-note";
const NOTED: &str = r#""notes":[["secret-note","12.5",12.5]]"#;

const LEFT: &str = "\u{e012}";
const END: &str = "\u{e010}";

/// A tournament of two games whose bots answer no more than the test allows.
pub(super) struct Cup {
    bench: Bench,
    run: Running,
}

impl Cup {
    /// Begins it; its bots may answer the requests of this number of moves.
    pub(super) fn begin(moves: u32) -> Cup {
        let bench = stepping(moves);
        let words = ["tournament", "--game", "tablic", "--dir", "cup", "--deals", "1"];
        // An isolated bot does not see what comes of a file outside of its scratch folder.
        let more =
            ["--seed", SEED, "--workers", "1", "--isolation", "off", "--time-limit", "10min"];
        let bots = ["anna=sh step.sh 0", "bob=sh step.sh 1"];
        let words = [&words[..], &more, &["--quiet"], &bots].concat();
        let run = Running::start(&mut bench.arbiter(words));
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
        let now = self.now();
        let mut cards = BTreeSet::new();
        for input in now["inputs"].as_array().expect("inputs") {
            if let Some(dealt) = input["chance"].as_str() {
                let words: Vec<&str> = dealt.split(' ').collect();
                cards.extend(words.iter().filter(|it| is_card(it)).map(|it| (*it).to_owned()));
            }
        }
        let seen = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
        let mut public = BTreeSet::new();
        for input in now["inputs"].as_array().expect("inputs") {
            if let Some(reply) = input["answer"]["reply"].as_str() {
                public.extend(seen(reply));
            }
            if let Some(dealt) = input["chance"].as_str().filter(|it| it.starts_with("deal table"))
            {
                public.extend(seen(dealt));
            }
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

/// The events of a stream, each as its name and its data.
struct Events {
    lines: std::io::Lines<BufReader<minreq::ResponseLazy>>,
}

impl Events {
    fn open(served: &Served, path: &str) -> Events {
        let address = format!("{}{path}", served.address());
        let response = minreq::get(address).with_timeout(300).send_lazy().expect("an answer");
        assert_eq!(response.status_code, 200);
        // A larger buffer would be waited for until it is full.
        Events { lines: BufReader::with_capacity(1, response).lines() }
    }

    fn next(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let line = self.lines.next().expect("a line").expect("a line");
            if let Some(event) = line.strip_prefix("event: ") {
                event.clone_into(&mut name);
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(data).expect("JSON"));
            }
        }
    }
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
    let (name, game) = events.next();
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
    // The next steps are sent when they happen, without the earlier ones.
    let known = game["steps"].as_array().expect("steps").len();
    allow(&cup.bench, 7);
    let mut moves = 4;
    let mut steps = known;
    while moves < 7 {
        let (name, more) = events.next();
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
    while events.next().0 != "over" {}
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

#[test]
fn all_hands_are_shown_where_the_user_wants_it() {
    let cup = Cup::begin(3);
    let served = cup.serve(&["--open-hands"]);
    let (_, game) = Events::open(&served, "live/0/events").next();
    assert_eq!(game["hands"], "open");
    let shown = cards_in(&game.to_string());
    let hidden = cup.in_hands();
    assert!(hidden.len() >= 8 && hidden.is_subset(&shown), "{hidden:?} in {game}");
    // Standard error is measured, and comes with the log alone.
    assert!(!game.to_string().contains(NOTE), "{game}");
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
    let words = ["tournament", "--game", "tablic", "--dir", "cup", "--deals", "1", "--quiet"];
    let more = ["--seed", SEED, "--workers", "1", "--isolation", "off", "--time-limit", "10min"];
    let bots = ["anna=sh tell.sh", "bob=sh step.sh 1"];
    allow(&bench, FIRST_GAME);
    let mut run = Running::start(&mut bench.arbiter([&words[..], &more, &bots].concat()));
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
    let league = ["league", "new", "class", "--game", "tablic", "--isolation", "off"];
    bench.ok("league new class --game tablic --isolation off --time-limit 10min --round-deals 1");
    allow(&bench, ALL);
    for name in ["anna", "bob"] {
        bench.succeed([
            "league",
            "add",
            "class",
            &format!("{name}=sh step.sh {}", usize::from(name == "bob")),
        ]);
    }
    allow(&bench, 3);
    let run = ["league", "run", "class", "--games", "2", "--quiet", "--workers", "1"];
    let mut run = Running::start(&mut bench.arbiter(run));
    let served = Served::start(&bench, &["class"]);
    wait_until("a game is seen", || served.text("live/").contains("anna@1"));
    wait_until("it is linked", || served.text("").contains("href=\"live/\""));
    // The address of a game says of which round it is.
    assert!(served.text("live/").contains("href=\"0-0\""));
    let (_, game) = Events::open(&served, "live/0-0/events").next();
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
    let Some(browser) = SharedBrowser::take() else {
        return tests::missing::tell("no chromium or no chromedriver");
    };
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
