//! What a submission learns of the files of the server: nothing.

use minreq::Method;
use serde_json::Value;
use tests::archives::{Entry, stored, zip};
use tests::bench::Bench;
use tests::handing_in::{Server, bearer, bot, script};
use tests::league::{league, play};
use tests::texts::assert_says;

/// Manifests and a file of bots that name a path, which stands for `PATH`.
const PROBES: [(&str, &str); 19] = [
    ("command = ['PATH']", ""),
    ("command = ['sh', 'PATH']", ""),
    ("command = ['sh', '-u', 'PATH']", ""),
    ("command = ['sh', 'bot.sh', 'PATH']", ""),
    ("command = ['python3', 'PATH']", ""),
    ("command = ['./bot.sh/../PATH']", ""),
    ("command = 'sh bot.sh'\nbuild = ['PATH']", ""),
    ("command = 'sh bot.sh'\nbuild = ['sh', 'PATH']", ""),
    ("command = 'sh bot.sh'\nread = ['PATH']", ""),
    ("command = 'sh bot.sh'\nread = ['PATH/x']", ""),
    ("command = ['./run']", "#!PATH\n"),
    ("command = ['./run']", "#!PATH -x\n"),
    ("command = 'sh bot.sh'\nbuild = ['./run']", "#!PATH\n"),
    ("command = './link'\nbuild = 'ln -s PATH link'", ""),
    ("command = 'sh ./link'\nbuild = 'ln -s PATH link'", ""),
    ("command = 'link'\nbuild = 'ln -s PATH link'", ""),
    ("command = './a/run'\nbuild = 'ln -s PATH/.. a'", ""),
    ("command = 'sh bot.sh'\nread = ['link/x']\nbuild = 'ln -s PATH link'", ""),
    ("command = 'sh bot.sh'\nbuild = 'ln -sf PATH bot.toml'", ""),
];

fn probe(manifest: &str, file: &str, path: &str) -> Vec<u8> {
    let manifest = format!("name = 'x'\n{manifest}\n").replace("PATH", path);
    let file = file.replace("PATH", path);
    let run = Entry { mode: 0o100_755, ..stored("run", file.as_bytes()) };
    zip(&[stored("bot.toml", manifest.as_bytes()), stored("bot.sh", script("").as_bytes()), run])
}

/// The verdict on a probe and its reason, with a word for its path.
fn answer(server: &Server, token: &str, (manifest, file): (&str, &str), path: &str) -> String {
    let told = server.hand_in(token, "bot.zip", &probe(manifest, file, path));
    let folder = server.bench.folder().display().to_string();
    let all = told.to_string().replace(path, "PATH");
    assert!(!all.contains(&folder), "{manifest}: the answer has a folder of the server: {all}");
    let answer = format!("{} {} {}", told["verdict"], told["step"], told["why"]);
    answer.replace(path, "PATH")
}

/// A server with bots of Anna and Ben, and two folders beside the league, of which one has a program.
fn server() -> (Server, String) {
    let bench = league(&["random"]);
    for folder in ["there", "gone"] {
        std::fs::create_dir(bench.path(folder)).expect("ours");
    }
    executable(&bench, "there/run");
    let server = Server::start(bench);
    let ben = server.invite("ben");
    assert_eq!(server.hand_in(&ben, "bot.zip", &bot("ben's"))["bot"], "ben@1");
    let anna = server.invite("anna");
    (server, anna)
}

fn executable(bench: &Bench, name: &str) {
    let text = bench.write("text", "#!/bin/sh\n");
    let path = bench.copy(&text, name);
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, rights).expect("ours");
}

/// A refusal used to tell whether there was a file, and whether it could be executed.
#[test]
fn no_answer_tells_which_files_the_server_has() {
    let (server, _) = server();
    let at = |name: &str| server.bench.path(name).display().to_string();
    let pairs = [
        ("../ben@1/bot.sh".to_owned(), "../eve@1/bot.sh".to_owned()),
        (at("there/run"), at("gone/run")),
    ];
    for (number, probe) in PROBES.into_iter().enumerate() {
        // Each has a participant of its own, since none may send so many.
        let anna = server.invite(&format!("anna{number}"));
        for (there, gone) in &pairs {
            let [there, gone] = [there, gone].map(|path| answer(&server, &anna, probe, path));
            assert_eq!(there, gone, "{probe:?}");
        }
    }
    let anna = server.invite("anna-the-last");
    let told = answer(&server, &anna, PROBES[0], "../ben@1/bot.sh");
    assert!(told.contains("is outside the bot's folder"), "{told}");
    // Places of the system that are no programs, and processes.
    for (there, gone) in [("/etc/passwd", "/etc/nobody"), ("/proc/1/exe", "/proc/999999999/exe")] {
        let [there, gone] = [there, gone].map(|path| answer(&server, &anna, PROBES[0], path));
        let [there, gone] = [&there, &gone].map(|it| it.replace("passwd", "nobody"));
        assert_eq!(there, gone);
    }
}

/// A traceback and the error of a compiler name the folder in which they were made.
#[test]
fn reports_and_answers_have_no_folder_of_the_server() {
    let (server, anna) = server();
    let manifest = |lines: &str| format!("name = 'x'\n{lines}\n");
    let cries = "for place in \"$0\" \"$PWD\" \"$HOME\" /usr/lib/secret/x; do echo \"at $place\" >&2; done\n";
    let fails = format!("{cries}exit 1\n");
    let built = manifest("command = 'sh bot.sh'\nbuild = 'sh ./bot.sh'");
    let plain = manifest("command = 'sh ./bot.sh'");
    let folder = server.bench.folder().display().to_string();
    let is_clean = |told: &str| {
        assert!(!told.contains(&folder) && !told.contains("/usr/lib/secret"), "{told}");
    };
    for (manifest, named) in [(&built, "bot.sh"), (&plain, "at bot.sh")] {
        let archive =
            zip(&[stored("bot.toml", manifest.as_bytes()), stored("bot.sh", fails.as_bytes())]);
        let told = server.hand_in(&anna, "bot.zip", &archive);
        assert_eq!(told["verdict"], "refused", "{told}");
        assert_says(told["report"].as_str().expect("a report"), &[named, "…/x"]);
        is_clean(&told.to_string());
    }
    // It faults in games alone, and tells where it is.
    let plays = format!("{cries}{}", script("cries"));
    let archive = zip(&[stored("bot.toml", plain.as_bytes()), stored("bot.sh", plays.as_bytes())]);
    let told = server.hand_in(&anna, "bot.zip", &archive);
    assert_eq!(told["bot"], "anna@1", "{told}");
    play(&server.bench, "4");
    let games = server.get("games", &anna);
    let listed: Value = serde_json::from_str(games.as_str().expect("text")).expect("JSON");
    let first = &listed["games"][0];
    let path = format!("games/{}/{}", first["round"], first["game"]);
    let answers = server.get(&path, &anna);
    assert_says(answers.as_str().expect("text"), &["at bot.sh"]);
    for path in ["faults", "", "games", "test-games/", &path] {
        is_clean(server.get(path, &anna).as_str().expect("text"));
        is_clean(&server.page(path, &anna));
    }
    for path in ["", "feed.atom", "rounds/0/", "api/v1/standings", "api/v1/rounds"] {
        let page = server.at(Method::Get, path).with_header("Authorization", bearer(&anna));
        is_clean(page.send().expect("an answer").as_str().expect("text"));
    }
}
