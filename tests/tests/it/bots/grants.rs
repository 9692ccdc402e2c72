//! A bot must be granted everything that it asks for beside its own folder, on the command line or
//! in a plan.

use std::fs;

use tests::bench::{Bench, SEED};
use tests::keeping::has_layer;
use tests::texts::assert_says;

use super::asks_for_more::bench;

fn assert_refused(bench: &Bench, words: &[&str], problem: &str) {
    let ended = bench.run(words);
    assert_eq!(ended.code, Some(2), "{words:?}: {ended:?}");
    let books = bench.path("books").canonicalize().expect("a folder").display().to_string();
    assert_eq!(ended.stderr.replace(&books, "BOOKS"), format!("error: {problem}\n"), "{words:?}");
    assert!(!bench.path("cup").exists(), "{words:?}");
}

const READS: &str = "bot `mine` asks to read `BOOKS`: pass --allow 'mine:read=BOOKS' to permit it";
const CONNECTS: &str = "bot `mine` asks for the network: pass --allow mine:network to permit it";

#[test]
fn every_command_that_starts_bots_wants_the_grant() {
    let bench = bench();
    for command in [
        "match --game coup --quiet ./bot random",
        "play --game coup ./bot",
        "tournament --game coup --deals 1 --quiet --dir cup ./bot random",
        "check --game coup --games 0 ./bot",
    ] {
        let command = &command.split(' ').collect::<Vec<_>>()[..];
        assert_refused(&bench, command, READS);
        assert_refused(&bench, &[command, &["--allow", "mine:read=books"]].concat(), CONNECTS);
        let all = ["--allow", "mine:read=books", "--allow", "mine:network"];
        bench.succeed([command, &all].concat());
        let _ = fs::remove_dir_all(bench.path("cup"));
        // Without isolation, no grant is needed.
        bench.succeed([command, &["--isolation", "off"]].concat());
        let _ = fs::remove_dir_all(bench.path("cup"));
        let others = if command.contains(&"random") { ", random" } else { "" };
        let unknown = "`other:network` names an unknown bot `other`: use one of mine";
        let other = ["--isolation", "off", "--allow", "other:network"];
        assert_refused(&bench, &[command, &other].concat(), &format!("{unknown}{others}"));
    }
}

#[test]
fn a_plan_keeps_what_was_granted() {
    let bench = bench();
    let plan = |lines: &str| {
        let bots = "[[bots]]\ncommand = './bot'\n[[bots]]\ncommand = 'random'\n";
        bench.write("cup.toml", format!("game = 'coup'\ndeals = 1\n{lines}\n{bots}"));
    };
    plan("");
    let begin = ["tournament", "--quiet", "cup.toml"];
    let asks = "bot `mine` asks to read `BOOKS`: add allow = [\"mine:read=BOOKS\"] to the plan to \
                permit it";
    assert_refused(&bench, &begin, asks);
    let beside = "--allow and a plan cannot be combined: set it in the plan";
    assert_refused(&bench, &[&begin[..], &["--allow", "mine:network"]].concat(), beside);
    let isolation = "unknown variant `none`, expected one of `auto`, `strict`, `off`";
    let form =
        "invalid permission `mine`: use NAME:read=FOLDER, NAME:device=DEVICE or NAME:network";
    for (key, value, problem) in [("isolation", "'none'", isolation), ("allow", "['mine']", form)] {
        plan(&format!("{key} = {value}"));
        assert_refused(&bench, &begin, &format!("`cup.toml`: line 3, `{key}`: {problem}"));
    }
    plan("allow = ['mine:network', 'mine:read=books']");
    bench.succeed(begin);
    let books = bench.path("books").canonicalize().expect("a folder");
    let kept = format!("allow = [\"mine:network\", \"mine:read={}\"]\n", books.display());
    let written = bench.text("cup/plan.toml");
    assert!(written.contains(&kept) && !written.contains("isolation"), "{written}");
    // An extension keeps them, and a new bot needs its own.
    let extend = ["tournament", "extend", "cup", "--deals", "1", "--quiet", "new=./bot"];
    let ended = bench.run(extend);
    assert!(ended.stderr.contains("pass --allow 'new:read="), "{ended:?}");
    let allowed = ["--allow", "new:read=books", "--allow", "new:network"];
    bench.succeed([&extend[..], &allowed].concat());
}

#[test]
fn shards_with_the_same_grants_in_other_folders_merge() {
    let bench = bench();
    let keys = format!("game = 'coup'\ndeals = 4\nshards = 2\nseed = '{SEED}'");
    let bots = "[[bots]]\ncommand = './bot'\n[[bots]]\ncommand = 'random'\n";
    let allow = "allow = ['mine:network', 'mine:read=books']";
    bench.write("cup.toml", format!("{keys}\n{allow}\n{bots}"));
    bench.succeed(["tournament", "plan", "cup", "--quiet", "cup.toml"]);
    let real = |path: &str| {
        let path = bench.path(path).canonicalize().expect("a folder");
        format!("\"mine:read={}\"", path.display())
    };
    let here = real("books");
    let planned = bench.text("cup/plan.toml");
    assert!(planned.contains(&here), "{planned}");
    let play = |shard: &str, grants: &str| {
        bench.write("cup/plan.toml", planned.replace(&here, grants));
        bench.succeed(["tournament", "run-shard", "cup", "--shard", shard, "--quiet"]);
        bench.write("cup/plan.toml", &planned);
    };
    let merge = || bench.run(["tournament", "merge", "cup"]);
    play("0", &here);
    // The same plan on another machine, whose folders have other names above.
    fs::create_dir_all(bench.path("other/shelf")).expect("a folder");
    fs::rename(bench.path("books"), bench.path("other/books")).expect("it can be moved");
    std::os::unix::fs::symlink("other/books", bench.path("books")).expect("a link");
    play("1", &format!("{}, {}", real("other/books"), real("other/shelf")));
    merge().assert_refused(2, &["bot `mine` with other grants"]);
    fs::remove_dir_all(bench.path("cup/shards/1")).expect("it can be removed");
    play("1", &real("other/books"));
    merge().without_error();
    bench.verify(&bench.path("cup"));
}

#[test]
fn bots_with_the_network_are_marked() {
    let bench = bench();
    let allowed = ["--allow", "mine:read=books", "--allow", "mine:network"];
    let about = "*: had network access, and may have received help";
    let cup = ["tournament", "--game", "coup", "--deals", "1", "--dir", "cup"];
    let table = bench.succeed([&cup[..], &allowed, &["./bot", "random"]].concat());
    assert!(table.contains("  mine *  ") && table.contains(&format!("\n{about}\n")), "{table}");
    assert!(!table.contains("random *"), "{table}");
    let json = bench.ok("tournament standings cup --format json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for row in json["all"]["rows"].as_array().expect("rows") {
        let expected = (row["name"] == "mine").then_some(true);
        assert_eq!(row.get("network").and_then(serde_json::Value::as_bool), expected, "{row}");
    }
    bench.verify(&bench.path("cup"));
    bench.succeed(["report", "cup", "--output", "pages"]);
    assert_says(&bench.text("pages/index.html"), &[about, "</a> *</th>"]);

    let played = ["match", "--game", "coup", "--games", "2"];
    let text = bench.succeed([&played[..], &allowed, &["./bot", "random"]].concat());
    assert!(text.contains("\nmine *  ") && text.contains(&format!("\n{about}\n")), "{text}");
    let plain = bench.succeed([&played[..], &["random", "greedy"]].concat());
    assert!(!plain.contains('*'), "{plain}");
}

/// This one is there for everybody, and leads nowhere without a terminal.
const DEVICE: &str = "/dev/tty";

#[test]
#[cfg(target_os = "linux")]
fn a_device_that_is_granted_is_there_and_can_be_opened() {
    use std::os::unix::fs::FileTypeExt;

    let bench = Bench::new();
    bench.write("bot.sh", "sed -n '/^legal /{n;p;q}'\n");
    let is_there = fs::symlink_metadata(DEVICE).is_ok_and(|it| it.file_type().is_char_device());
    if !is_there || !has_layer(&bench, "files") || !has_layer(&bench, "landlock") {
        return;
    }
    let grant = format!("mine:device={DEVICE}");
    let look =
        format!("test -c {DEVICE} && echo there; (: < {DEVICE}) 2>&1; (: > {DEVICE}) 2>&1; true");
    let look = |allow: &[&str]| {
        let words = [&["sandbox"], allow, &["mine=sh bot.sh", "--", "sh", "-c", &look]].concat();
        bench.run(words).stdout
    };
    let without = look(&[]);
    assert!(!without.contains("there") && without.contains("No such file"), "{without}");
    let with = look(&["--allow", &grant]);
    // It has no terminal, so that the device itself refuses it.
    assert!(with.starts_with("there\n"), "{with}");
    assert_eq!(with.matches("No such device").count(), 2, "{with}");

    let words = ["match", "--game", "coup", "--log", "log", "--allow", &grant];
    bench.succeed([&words[..], &["mine=sh bot.sh", "random"]].concat());
    let header = &tests::log::lines(&bench.path("log"))[0]["header"];
    assert_eq!(header["players"][0]["granted"], serde_json::json!({"device": [DEVICE]}));
    assert_eq!(header["players"][1].get("granted"), None);
    bench.verify(&bench.path("log"));
    bench.succeed(["report", "log", "-o", "pages"]);
    assert_says(&bench.text("pages/bots/1.html"), &[&format!("device <code>{DEVICE}</code>")]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_no_device_is_refused() {
    let bench = Bench::new();
    let no_device = "is not a device: name a character device in /dev";
    for path in ["/etc/passwd", "/dev", "/dev/nowhere", "/dev/stdin", "/dev/../etc/passwd"] {
        let grant = format!("random:device={path}");
        let words = ["match", "--game", "coup", "--allow", &grant, "random", "greedy"];
        bench.run(words).assert_refused(2, &[&grant, no_device]);
    }
}
