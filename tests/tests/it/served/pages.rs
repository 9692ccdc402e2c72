//! Served pages of tournaments, as programs ask for them.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};

use rustix::process::Signal;
use tests::bench::Bench;
use tests::chain;
use tests::served::Served;
use tests::tournament::play_cup;

/// Text on a page once the whole of a log was read.
const OVER: &str = "every card from the seed";

/// A finished tournament in the folder `cup`.
fn cup() -> Bench {
    let bench = Bench::new();
    play_cup(&bench, "cup", 15, "random greedy b=greedy");
    bench
}

#[test]
fn served_pages_are_the_files_of_a_report() {
    let bench = cup();
    bench.ok("report cup -o report");
    let served = Served::start(&bench, &["cup"]);
    served.text_with("", OVER);
    let file = |name: &str| bench.text(&format!("report/{name}"));
    for name in ["data/standings.json", "data/list-0.js", "assets/style.css", "assets/viewer.js"] {
        assert_eq!(served.text(name), file(name), "{name}");
    }
    // The games are the same, in pieces of another size.
    let games = |text: &str| {
        let (_, text) = text.split_once('[').expect("a list");
        text.trim_end().trim_end_matches("]);").trim_end().replace('\n', "")
    };
    let pieces = (0..).map(|piece| served.get(&format!("data/games-{piece}.js"), &[]));
    let pieces = pieces.take_while(|answer| answer.status != 404);
    let all: Vec<String> = pieces.map(|answer| games(&answer.text)).collect();
    assert_eq!(all.join(","), games(&file("data/games-0.js")));
    // The pages differ in where they come from, and in links to what only a server has.
    let body = |text: String| text.split_once("<main").expect("a page").1.to_owned();
    for name in ["index.html", "game.html", "bots/1.html", "bots/3.html"] {
        assert_eq!(body(served.text(name)), body(file(name)), "{name}");
    }
    assert_eq!(served.text(""), served.text("index.html"));

    // Addresses that lead nowhere are said to.
    for path in [
        "nothing",
        "bots/0.html",
        "bots/4.html",
        "bots/01.html",
        "bots/+1.html",
        "bots/x.html",
        "data/list-1.js",
        "data/games-99.js",
        "data/list--1.js",
        "assets/nothing.js",
        "assets/..%2f..%2fplan.toml",
        "..%2fcup%2fplan.toml",
        "plan.toml",
        "games.jsonl",
        "%ff%fe",
        "data/games-18446744073709551616.js",
    ] {
        let answer = served.get(path, &[]);
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.text.contains("seed ="), "{path}");
    }
    // Nothing is changed from another site, and no page loads from elsewhere.
    let refused = served.post("", &[("sec-fetch-site", "cross-site")]);
    assert!(refused.status == 403 && refused.text.contains("cross-site"), "{}", refused.text);
    assert_eq!(served.post("", &[("origin", "http://elsewhere.example")]).status, 403);
    for path in ["", "nothing", "data/index.js", "assets/style.css"] {
        let answer = served.get(path, &[]);
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("set-cookie"), "", "{path}");
    }
}

#[test]
fn games_are_there_as_soon_as_they_are_in_the_log_unless_it_was_changed() {
    let bench = cup();
    let log = bench.text("cup/games.jsonl");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    // As after a kill: half a line more than whole games.
    bench.write("cup/games.jsonl", lines[..=20].concat() + &lines[21][..30]);
    fs::remove_file(bench.path("cup/standings.json")).expect("it is there");
    let served = Served::start(&bench, &["cup"]);
    served.text_with("", "20 of 90 games so far");
    served.text_with("data/index.js", r#""games":20"#);
    let list = served.text("data/list-0.js");
    // Then the rest comes, in one piece and in another.
    let append = |text: String| {
        let mut file = OpenOptions::new().append(true).open(bench.path("cup/games.jsonl"));
        file.as_mut().expect("the log").write_all(text.as_bytes()).expect("the folder is ours");
    };
    append(lines[21][30..].to_owned() + &lines[22..=70].concat());
    served.text_with("data/index.js", r#""games":70"#);
    assert!(served.text("data/list-0.js").len() > list.len());
    served.text_with("", "70 of 90 games so far");
    append(lines[71..].concat());
    served.text_with("", ">finished</span>");
    served.text_with("", OVER);

    let mut forged = chain::contents(&log);
    forged[1] = forged[1].replacen("\"verdict\":\"ok\"", "\"verdict\":\"crash\"", 1);
    bench.write("cup/games.jsonl", chain::chain(&forged));
    let shown = Served::start(&bench, &["cup"]).get("", &[]);
    assert_eq!(shown.status, 500);
    assert!(shown.text.contains("line 2") && !shown.text.contains("id=\"standings\""));
}

#[test]
fn a_folder_of_several_is_listed() {
    let bench = cup();
    fs::create_dir(bench.path("all")).expect("the folder is ours");
    fs::rename(bench.path("cup"), bench.path("all/cup & more")).expect("the folder is ours");
    bench.ok("league new all/class --game coup");
    let served = Served::start(&bench, &["all"]);
    let list = served.text("");
    assert!(list.contains("href=\"./class/\""), "{list}");
    assert!(list.contains("href=\"./cup%20%26%20more/\""), "{list}");
    served.text_with("cup%20%26%20more/", OVER);
    assert!(served.text("cup%20%26%20more/data/list-0.js").starts_with("arbiter.takeList(0"));
    assert!(served.text("class/").contains("No bots yet"));
    // One that comes later is there, too.
    bench.ok("league new all/later --game coup");
    assert!(served.text("later/").contains("No bots yet"));
    for path in ["nothing/", "..%2f/"] {
        assert_eq!(served.get(path, &[]).status, 404, "{path}");
    }
}

#[test]
fn impossible_servers_are_refused_in_a_line_and_a_signal_ends_one_whose_pages_are_open() {
    let bench = Bench::new();
    play_cup(&bench, "cup", 1, "random greedy");
    fs::create_dir(bench.path("empty")).expect("the folder is ours");
    let mut served = Served::start(&bench, &["cup"]);
    for (words, problem) in [
        ("missing", "cannot serve `missing`"),
        ("empty --tables 0", "no league or tournament in `empty`"),
        ("cup --listen nowhere", "invalid"),
        ("cup --listen 192.0.2.1:80", "cannot listen at 192.0.2.1:80"),
        (&format!("cup --listen {}", served.host()), "choose another address with --listen"),
    ] {
        let ended = bench.line(&format!("serve {words}"));
        assert!(ended.code == Some(2) && ended.stderr.contains(problem), "{ended:?}");
    }
    let request = format!("GET /events HTTP/1.1\r\nhost: {}\r\n\r\n", served.host());
    let mut begun = [0; 15];
    let mut page = served.connect(request.as_bytes());
    page.read_exact(&mut begun).expect("it answers");
    assert_eq!(&begun, b"HTTP/1.1 200 OK");
    served.process().signal(Signal::TERM);
    assert_eq!(served.process().wait().code(), Some(0));
}
