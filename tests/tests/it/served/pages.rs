//! Served pages of tournaments, as programs ask for them.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};

use rustix::process::Signal;
use tests::bench::Bench;
use tests::chain;
use tests::served::Served;

/// Text on a page once the whole of a log was read.
const OVER: &str = "every card from the seed";

/// A finished tournament in the folder `cup`.
fn cup() -> Bench {
    let bench = Bench::new();
    bench.ok("tournament --game coup --dir cup --deals 15 --seed 7 --quiet random greedy b=greedy");
    bench
}

#[test]
fn served_pages_are_the_files_of_a_report() {
    let bench = cup();
    bench.ok("report cup -o report");
    let served = Served::start(&bench, &["cup"]);
    served.text_with("", OVER);
    let file = |name: &str| fs::read_to_string(bench.path("report").join(name)).expect("a file");
    for name in ["data/standings.json", "data/list-0.js", "assets/style.css", "assets/viewer.js"] {
        assert_eq!(served.text(name), file(name), "{name}");
    }
    // The games are the same, in pieces of another size.
    let games = |text: &str| {
        let (_, text) = text.split_once('[').expect("a list");
        text.trim_end().trim_end_matches("]);").trim_end().to_owned()
    };
    let mut all = Vec::new();
    for piece in 0.. {
        let answer = served.get(&format!("data/games-{piece}.js"), &[]);
        if answer.status == 404 {
            break;
        }
        all.push(games(&answer.text));
    }
    assert_eq!(all.join(",").replace('\n', ""), games(&file("data/games-0.js")).replace('\n', ""));
    // The pages differ in where they come from, and in links to what only a server has.
    let body = |text: String| text.split_once("<main").expect("a page").1.to_owned();
    for name in ["index.html", "game.html", "bots/1.html", "bots/3.html"] {
        assert_eq!(body(served.text(name)), body(file(name)), "{name}");
    }
    assert_eq!(served.text(""), served.text("index.html"));
}

#[test]
fn addresses_that_lead_nowhere_are_said_to() {
    let bench = cup();
    let served = Served::start(&bench, &["cup"]);
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
}

#[test]
fn nothing_is_changed_from_another_site_and_no_page_loads_from_elsewhere() {
    let bench = cup();
    let served = Served::start(&bench, &["cup"]);
    let refused = served.post("", &[("sec-fetch-site", "cross-site")]);
    assert_eq!(refused.status, 403);
    assert!(refused.text.contains("cross-site"), "{}", refused.text);
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
fn games_are_there_as_soon_as_they_are_in_the_log() {
    let bench = cup();
    let log = bench.text("cup/games.jsonl");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let path = bench.path("cup/games.jsonl");
    // As after a kill: half a line more than whole games.
    let upto = |games: usize, rest: &str| fs::write(&path, lines[..=games].concat() + rest);
    upto(20, &lines[21][..30]).expect("the folder is ours");
    fs::remove_file(bench.path("cup/standings.json")).expect("it is there");
    let served = Served::start(&bench, &["cup"]);
    served.text_with("", "20 of 90 games so far");
    served.text_with("data/index.js", r#""games":20"#);
    let list = served.text("data/list-0.js");
    // Then the rest comes, in one piece and in another.
    let append = |text: String| {
        let mut file = OpenOptions::new().append(true).open(&path).expect("the log");
        file.write_all(text.as_bytes()).expect("the folder is ours");
    };
    append(lines[21][30..].to_owned() + &lines[22..=70].concat());
    served.text_with("data/index.js", r#""games":70"#);
    assert_eq!(served.text("data/list-0.js").len().cmp(&list.len()), std::cmp::Ordering::Greater);
    served.text_with("", "70 of 90 games so far");
    append(lines[71..].concat());
    served.text_with("", ">finished</span>");
    served.text_with("", OVER);
}

#[test]
fn a_log_that_was_changed_is_not_shown() {
    let bench = cup();
    let path = bench.path("cup/games.jsonl");
    let log = fs::read_to_string(&path).expect("the log");
    let mut lines = chain::contents(&log);
    lines[1] = lines[1].replacen("\"verdict\":\"ok\"", "\"verdict\":\"crash\"", 1);
    let forged = chain::chain(&lines);
    fs::write(&path, forged).expect("the folder is ours");
    let served = Served::start(&bench, &["cup"]);
    let shown = served.get("", &[]);
    assert_eq!(shown.status, 500);
    let shown = shown.text;
    assert!(shown.contains("line 2"), "{shown}");
    assert!(!shown.contains("id=\"standings\""), "{shown}");
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
    assert_eq!(served.get("nothing/", &[]).status, 404);
    assert_eq!(served.get("..%2f/", &[]).status, 404);
}

#[test]
fn impossible_servers_are_refused_in_a_line() {
    let bench = cup();
    fs::create_dir(bench.path("empty")).expect("the folder is ours");
    for (words, code, problem) in [
        (vec!["serve", "missing"], 2, "cannot serve `missing`"),
        (vec!["serve", "empty", "--tables", "0"], 2, "no league or tournament in `empty`"),
        (vec!["serve", "cup", "--listen", "nowhere"], 2, "invalid"),
        (vec!["serve", "cup", "--listen", "192.0.2.1:80"], 2, "cannot listen at 192.0.2.1:80"),
    ] {
        let ended = bench.run(words);
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert!(ended.stderr.contains(problem), "{ended:?}");
    }
    // A port that is taken.
    let served = Served::start(&bench, &["cup"]);
    let taken = served.address().trim_start_matches("http://").trim_end_matches('/');
    let ended = bench.run(["serve", "cup", "--listen", taken]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("choose another address with --listen"), "{ended:?}");
}

#[test]
fn a_signal_ends_a_server_even_while_pages_are_open() {
    let bench = cup();
    let mut served = Served::start(&bench, &["cup"]);
    let host = served.address().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut page = std::net::TcpStream::connect(&host).expect("it listens");
    let request = format!("GET /events HTTP/1.1\r\nhost: {host}\r\n\r\n");
    page.write_all(request.as_bytes()).expect("it reads");
    let mut begun = [0; 15];
    page.read_exact(&mut begun).expect("it answers");
    assert_eq!(&begun, b"HTTP/1.1 200 OK");
    served.process().signal(Signal::TERM);
    assert_eq!(served.process().wait().code(), Some(0));
}
