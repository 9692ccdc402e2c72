//! The pages while folders come and go.

use std::fs;

use tests::bench::Bench;
use tests::league::league;
use tests::served::Served;

/// A league in the folder `all`, under this name.
fn in_folder(name: &str) -> Bench {
    let bench = league(&["random"]);
    fs::create_dir(bench.path("all")).expect("the folder is ours");
    fs::rename(bench.path("class"), bench.path("all").join(name)).expect("the folder is ours");
    bench
}

#[test]
fn removed_folders_are_gone_and_come_back() {
    let bench = in_folder("class");
    bench.ok("league new all/other --game coup");
    let served = Served::start(&bench, &["all"]);
    let single = Served::start(&bench, &["all/class"]);
    let paths = ["", "crosstable.html", "live/", "play/", "assets/style.css"];
    for path in paths {
        assert_eq!(served.get(&format!("class/{path}"), &[]).status, 200, "{path}");
    }
    fs::rename(bench.path("all/class"), bench.path("away")).expect("the folder is ours");
    for path in paths {
        for gone in [served.get(&format!("class/{path}"), &[]), single.get(path, &[])] {
            assert_eq!(gone.status, 410, "{path}: {}", gone.text);
            assert!(gone.text.contains("Page removed"), "{path}: {}", gone.text);
        }
    }
    assert_eq!(served.get("other/", &[]).status, 200);
    assert!(!served.text("").contains("./class/"));
    fs::rename(bench.path("away"), bench.path("all/class")).expect("the folder is ours");
    assert_eq!(served.get("class/", &[]).status, 200);
    assert_eq!(single.get("", &[]).status, 200);
}

#[test]
fn redirections_lead_to_the_same_place_below_any_address() {
    let bench = in_folder("a:b c");
    let served = Served::start(&bench, &["all"]);
    for (path, expected) in [("a:b%20c", "./a%3Ab%20c/"), ("play", "play/")] {
        let request = minreq::get(format!("{}{path}", served.address()));
        let answer = request.with_follow_redirects(false).send().expect("an answer");
        let location = &*answer.headers["location"];
        assert_eq!((answer.status_code, location), (308, expected), "{path}");
    }
}

#[test]
fn back_from_a_page_that_is_missing_leads_to_one_that_exists() {
    let bench = in_folder("class");
    let all = ["nothing/", "nothing/a/b/", "class/", "class/nothing/", "class/rounds/99/bots/"];
    let single = ["", "nothing/", "rounds/99/", "rounds/0/nothing/", "live/a/"];
    for (folder, paths) in [("all", all), ("all/class", single)] {
        let served = Served::start(&bench, &[folder]);
        for path in paths {
            let missing = served.get(&format!("{path}x.html"), &[]);
            assert_eq!(missing.status, 404, "{folder}: {path}");
            let (_, link) = missing.text.split_once("<a href=\"").expect("a link");
            let (way, _) = link.split_once("\">Back</a>").expect("a link back");
            // As a browser follows it.
            let mut above: Vec<&str> = path.split_terminator('/').collect();
            for step in way.split('/').filter(|step| !matches!(*step, "" | ".")) {
                assert_eq!(step, "..", "{folder}: {path}: {way}");
                above.pop().expect("a page of this site");
            }
            let above: String = above.iter().map(|folder| format!("{folder}/")).collect();
            assert_eq!(served.get(&above, &[]).status, 200, "{folder}: {path}: {way}");
        }
    }
}

#[test]
fn pages_and_reports_hold_no_folder_of_the_server() {
    let bench = league(&[]);
    let bot = bench.faulty("ok");
    let own = bench.folder().to_str().expect("text");
    let place = bot.split_once("/faulty").expect("an absolute path").0.trim_start_matches('\'');
    assert!(place.starts_with('/'), "{bot}");
    bench.ok(&format!("league add class {} random", bench.bad("ann", "ok")));
    bench.ok("league run class --games 8 --quiet");
    let class = format!("{own}/class");
    bench.ok(&format!("report {class} -o report"));
    let served = Served::start(&bench, &[&class]);
    for (path, file) in [
        ("", "index.html"),
        ("statistics.html", ""),
        ("bots/1.html", ""),
        ("rounds/0/", "index.html"),
        ("rounds/0/bots/1.html", ""),
        ("rounds/0/data/index.js", ""),
    ] {
        for text in [served.text(path), bench.text(&format!("report/{path}{file}"))] {
            assert!(!text.contains(own) && !text.contains(place), "{path}: {text}");
        }
    }
    let statistics = served.text("statistics.html");
    assert!(statistics.contains("…/faulty"), "{statistics}");
    // Errors name no folders, either.
    bench.write("class/league.jsonl", "{}\n");
    let mut wrong = served.get("", &[]);
    tests::running::wait_until("invalid log", || {
        wrong = served.get("", &[]);
        wrong.status == 500
    });
    assert!(!wrong.text.contains(own), "{}", wrong.text);
}

#[test]
fn no_bot_is_taken_while_the_disk_is_nearly_full() {
    let bench = league(&["random"]);
    let told = bench.ok("league invite class anna");
    let token = format!("Bearer {}", told.trim_end().trim_start_matches("anna: "));
    let hand_in = |served: &Served| {
        let headers = [("authorization", token.as_str())];
        served.submit("hand-in/?file=bot.sh", "application/octet-stream", "exit 3\n", &headers)
    };
    let Some(served) = on_small_disk(&bench) else {
        return tests::missing::tell("no small file system can be mounted here");
    };
    let refused = hand_in(&served);
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(refused.text.contains("nearly full"), "{}", refused.text);
    assert_eq!(refused.header("retry-after"), "300");
    assert_eq!(served.get("", &[]).status, 200, "pages are served");
    assert_eq!(hand_in(&Served::start(&bench, &["class", "--submit"])).status, 202);
}

/// Serves a copy of a league on a disk with little room, where one can be mounted.
fn on_small_disk(bench: &Bench) -> Option<Served> {
    fs::create_dir_all(bench.path("disk")).expect("a folder");
    let mount = "mount -t tmpfs -o size=64m small disk && cp -r class disk/class";
    let own = if rustix::process::geteuid().is_root() { "-m" } else { "-rm" };
    let within = |script: &str| {
        let mut command = bench.command("unshare");
        command.args([own, "/bin/sh", "-c", script]).arg(bench.program("arbiter"));
        command
    };
    within(mount).output().ok().filter(|it| it.status.success())?;
    let mut command = within(&format!("{mount} && exec \"$0\" \"$@\""));
    command.args(["serve", "disk/class", "--submit", "--listen", "127.0.0.1:0"]);
    Some(Served::from_command(command))
}
