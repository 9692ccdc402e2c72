//! Views of machines that are made up: a home folder, and what its user has installed there.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use tempfile::TempDir;

use super::*;
use crate::{BuiltInBots, MulticallProgram, SearchPath};

/// A machine below a folder; paths in it are relative to that, and `~` is the home folder.
struct TestMachine {
    folder: TempDir,
    view_rules: ViewRules,
    path: Vec<&'static str>,
}

impl TestMachine {
    fn new() -> TestMachine {
        let folder = TempDir::new().expect("a folder");
        let machine = TestMachine { folder, view_rules: ViewRules::default(), path: Vec::new() };
        fs::create_dir_all(machine.at("~/bots")).expect("a folder");
        machine
    }

    fn top(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a folder")
    }

    fn at(&self, path: &str) -> PathBuf {
        self.top().join(path.replace('~', "home/me"))
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text.replace("TOP", self.top().to_str().expect("UTF-8"))).expect("a file");
    }

    fn program(&self, path: &str, text: &str) {
        self.file(path, text);
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(0o755)).expect("a mode");
    }

    fn link(&self, path: &str, target: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        symlink(target.replace("TOP", self.top().to_str().expect("UTF-8")), path).expect("a link");
    }

    /// A Python as those who have no rights install it.
    fn python(&self, prefix: &str) {
        self.program(&format!("{prefix}/bin/python3.12"), "ELF");
        self.link(&format!("{prefix}/bin/python3"), "python3.12");
        self.file(&format!("{prefix}/lib/python3.12/os.py"), "");
    }

    fn environment(&self, folder: &str, python: &str) {
        self.file(&format!("{folder}/pyvenv.cfg"), &format!("home = TOP/{python}/bin\nx = y\n"));
        self.link(&format!("{folder}/bin/python3"), &format!("TOP/{python}/bin/python3"));
        self.file(&format!("{folder}/lib/numpy.py"), "");
    }

    /// The paths that a command in `~/bots` sees, without those outside of the machine.
    fn sees(&self, command: &str) -> Vec<String> {
        self.sees_with(command, None)
    }

    /// Likewise, where these are the bots that come with the referee.
    fn sees_with(&self, command: &str, built_in: Option<BuiltInBots>) -> Vec<String> {
        let command = command.replace("TOP", self.top().to_str().expect("UTF-8"));
        let words: Vec<&str> = command.split(' ').collect();
        let search = SearchPath {
            folder: self.at("~/bots"),
            built_in,
            path: self.path.iter().map(|path| self.at(path)).chain(["/bin".into()]).collect(),
        };
        let program = Program::resolve(&words, &search).expect("a program");
        let places = WideFolders {
            home: Some(self.at("~")),
            temporary: None,
            current: Some(self.at("~/bots")),
        };
        let view = view_among(places, &program, &self.view_rules, &search.path);
        let paths: BTreeSet<_> = view.paths.iter().collect();
        assert_eq!(paths.len(), view.paths.len(), "{view:?}");
        assert!(paths.iter().all(|path| path.symlink_metadata().is_ok()), "{view:?}");
        let inner = view.paths.iter().filter_map(|path| path.strip_prefix(self.top()).ok());
        let shown = inner.map(|path| path.to_str().expect("UTF-8").replace("home/me", "~"));
        shown.collect()
    }
}

#[test]
fn a_program_of_the_system_needs_nothing() {
    let machine = TestMachine::new();
    assert_eq!(machine.sees("/bin/sh -c true"), [""; 0]);
    assert_eq!(machine.sees("sh"), [""; 0]);
}

#[test]
fn what_lies_beside_a_file_of_the_command_is_seen_as_it_is_now() {
    let mut machine = TestMachine::new();
    machine.file("~/bots/bot.py", "");
    machine.file("~/bots/helper/mod.py", "");
    machine.file("~/bots/.git/config", "");
    machine.file("~/bots/match.jsonl", "");
    machine.file("~/bots/other/bot.toml", "");
    machine.file("weights/best.bin", "");
    machine.link("~/bots/weights.bin", "../../../weights/best.bin");
    machine.link("~/bots/all", "TOP/home");
    machine.link("~/bots/lost", "nowhere");
    machine.view_rules.hidden =
        vec![machine.at("~/bots/match.jsonl"), machine.at("~/bots/other/log")];
    let beside = ["~/bots/bot.py", "~/bots/helper", "~/bots/weights.bin", "weights/best.bin"];
    assert_eq!(machine.sees("sh bot.py"), beside);
    assert_eq!(machine.sees("sh"), [""; 0]);
    machine.view_rules.granted = vec![machine.at("~/bots/.git"), machine.at("nowhere")];
    assert!(machine.sees("sh").contains(&"~/bots/.git".to_owned()));
}

#[test]
fn a_bot_that_the_referee_is_sees_the_program_of_the_referee_alone() {
    let machine = TestMachine::new();
    // A program of a virtual environment needs all of it, and this one does not.
    machine.environment("kit", "python");
    machine.program("kit/bin/arbiter", "ELF");
    machine.file("kit/lib/secret", "");
    machine.file("~/bots/book.txt", "");
    machine.link("link/arbiter", "TOP/kit/bin/arbiter");
    let built_in = |path: &str| {
        let path = machine.at(path);
        let folder = path.parent().expect("a folder").to_owned();
        let all_in_one = MulticallProgram { path, subcommand: "bot", names: vec!["greedy"] };
        Some(BuiltInBots { folder, all_in_one: Some(all_in_one) })
    };
    let sees = |command, path| machine.sees_with(command, built_in(path));
    assert_eq!(sees("greedy", "kit/bin/arbiter"), ["kit/bin/arbiter"]);
    assert_eq!(sees("greedy", "link/arbiter"), ["kit/bin/arbiter", "link/arbiter"]);
    let with_book = sees("greedy book.txt", "kit/bin/arbiter");
    assert_eq!(with_book, ["~/bots/book.txt", "kit/bin/arbiter"]);
}

#[test]
fn a_wide_folder_shows_only_what_is_named() {
    let machine = TestMachine::new();
    for name in ["~/bot.py", "~/secret", "many/bot.py", "dotted/bot.py", "dotted/.ssh/id"] {
        machine.file(name, "");
    }
    for number in 0..MOST_ENTRIES {
        machine.file(&format!("many/{number}"), "");
    }
    for (command, seen) in [
        ("sh TOP/home/me/bot.py", "~/bot.py"),
        ("sh TOP/many/bot.py", "many/bot.py"),
        ("sh TOP/dotted/bot.py", "dotted/bot.py"),
    ] {
        assert_eq!(machine.sees(command), [seen]);
    }
}

#[test]
fn a_folder_is_seen_whole_and_its_manifest_shows_nothing_else() {
    let mut machine = TestMachine::new();
    machine.file("~/bots/mine/data/weights", "");
    machine.program("~/bots/mine/bot", "#!TOP/tools/run -x\n");
    machine.program("tools/run", "ELF");
    machine.file("tools/secret", "");
    machine.link("~/bots/mine/stolen", "TOP/home/me/secret");
    machine.file("~/secret", "");
    machine.program("project/bin/tool", "ELF");
    machine.file("project/lib/secret", "");
    machine.view_rules.folder = Some(machine.at("~/bots/mine"));
    let seen = machine.sees("./mine/bot TOP/home/me/secret mine/stolen --x=TOP/tools");
    assert_eq!(seen, ["~/bots/mine"]);
    assert_eq!(machine.sees("TOP/project/bin/tool"), ["~/bots/mine"]);
    machine.link("~/bots/mine/linked", "TOP/home/me/secret");
    assert_eq!(machine.sees("sh mine/linked"), ["~/bots/mine"]);
    machine.view_rules.granted = vec![machine.at("~/secret")];
    assert_eq!(machine.sees("./mine/bot"), ["~/bots/mine", "~/secret"]);
    // A bare name is looked up where its user looks.
    machine.path = vec!["tools"];
    assert_eq!(machine.sees("run"), ["~/bots/mine", "~/secret", "tools"]);
}

#[test]
fn what_the_files_of_a_folder_lead_to_is_not_shown() {
    let mut machine = TestMachine::new();
    machine.python("~/.pyenv/versions/3.12");
    machine.program("~/victim/python3", "ELF");
    machine.program("~/victim/bin/python3", "ELF");
    machine.file("~/victim/lib/weights", "");
    machine.program("~/bots/mine/script", "#!TOP/home/me/victim/bin/python3\n");
    machine.link("~/bots/mine/link", "../../victim/bin/python3");
    machine.link("~/bots/mine/folder", "../../victim");
    machine.environment("~/bots/mine/venv", "home/me/victim");
    machine.environment("~/bots/mine/.venv", "home/me/.pyenv/versions/3.12");
    machine.view_rules.folder = Some(machine.at("~/bots/mine"));
    for command in [
        "./mine/script",
        "./mine/link",
        "./mine/folder/python3",
        "./mine/venv/bin/python3",
        "sh mine/folder/bin/python3 --x=mine/folder",
        "TOP/home/me/victim/python3",
    ] {
        assert_eq!(machine.sees(command), ["~/bots/mine"], "{command}");
    }
    machine.path = vec!["~/.pyenv/versions/3.12/bin"];
    let seen = machine.sees("./mine/.venv/bin/python3");
    assert_eq!(seen, ["~/.pyenv/versions/3.12", "~/bots/mine"]);
}

#[test]
fn a_folder_reaches_itself_the_system_its_path_and_what_is_granted() {
    let machine = TestMachine::new();
    machine.python("~/.pyenv/versions/3.12");
    machine.program("~/victim/bin/python3", "ELF");
    machine.program("tools/run", "#!/bin/sh\n");
    machine.file("~/bots/mine/data", "");
    machine.link("~/bots/mine/inner", "data");
    machine.link("~/bots/mine/system", "/bin/sh");
    machine.link("~/bots/mine/link", "../../victim");
    machine.link("~/bots/mine/tool", "TOP/tools/run");
    machine.link("~/elsewhere", "TOP/home/me/bots/mine/data");
    machine.environment("~/bots/mine/.venv", "home/me/.pyenv/versions/3.12");
    machine.program("~/bots/mine/script", "#!TOP/tools/run\n");
    machine.program("~/bots/mine/stolen", "#!TOP/home/me/victim/bin/python3\n");
    let allowed_paths = |granted: &[PathBuf]| {
        let places = WideFolders { home: Some(machine.at("~")), ..WideFolders::default() };
        let path = vec![machine.at("~/.pyenv/versions/3.12/bin")];
        AllowedPaths::among(places, &machine.at("~/bots/mine"), granted, path)
    };
    let reached = |allowed_paths: &AllowedPaths, path: &str| {
        allowed_paths.resolve(&machine.at(path)).is_some()
    };
    let own = allowed_paths(&[]);
    for path in ["data", "inner", "system", ".venv/bin/python3", "script"] {
        assert!(reached(&own, &format!("~/bots/mine/{path}")), "{path}");
    }
    for path in ["~/bots/mine/link/bin/python3", "~/bots/mine/tool", "~/victim", "~/elsewhere"] {
        assert!(!reached(&own, path), "{path}");
    }
    let granted = allowed_paths(&[machine.at("tools")]);
    assert!(reached(&granted, "~/bots/mine/tool"));
    let interpreters = |allowed_paths: &AllowedPaths, path: &str| {
        allowed_paths.interpreters(allowed_paths.resolve(&machine.at(path)).expect("it is its own"))
    };
    let tool = machine.at("tools/run");
    assert_eq!(interpreters(&own, "~/bots/mine/script"), Err(tool.clone()));
    assert_eq!(interpreters(&granted, "~/bots/mine/script"), Ok(vec![tool, "/bin/sh".into()]));
    let stolen = machine.at("~/victim/bin/python3");
    assert_eq!(interpreters(&granted, "~/bots/mine/stolen"), Err(stolen));
}

#[test]
fn what_a_typed_script_leads_to_is_not_shown_if_it_is_hidden() {
    let mut machine = TestMachine::new();
    machine.program("kit/run", "ELF");
    machine.program("~/bots/bot", "#!TOP/kit/run\n");
    assert_eq!(machine.sees("./bot"), ["~/bots/bot", "kit/run"]);
    machine.view_rules.hidden = vec![machine.at("kit")];
    assert_eq!(machine.sees("./bot"), ["~/bots/bot"]);
}

#[test]
fn a_virtual_environment_brings_the_python_that_it_was_made_from() {
    let mut machine = TestMachine::new();
    machine.python("~/.pyenv/versions/3.12");
    machine.environment("~/bots/.venv", "home/me/.pyenv/versions/3.12");
    machine.file("~/bots/bot.py", "");
    let all = ["~/.pyenv/versions/3.12", "~/bots/.venv", "~/bots/bot.py"];
    assert_eq!(machine.sees(".venv/bin/python3 bot.py"), all);
    // A shell script may use it.
    assert_eq!(machine.sees("sh bot.py"), all);
    machine.path = vec!["~/bots/.venv/bin"];
    assert_eq!(machine.sees("sh"), all[..2]);
    // The environment of a folder is used if its Python is found without it.
    machine.view_rules.folder = Some(machine.at("~/bots"));
    machine.path = Vec::new();
    assert_eq!(machine.sees("sh bot.py"), ["~/bots"]);
    machine.path = vec!["~/.pyenv/versions/3.12/bin"];
    assert_eq!(machine.sees("sh bot.py"), ["~/.pyenv/versions/3.12", "~/bots"]);
}

#[test]
fn shims_need_what_lies_beside_them() {
    let mut machine = TestMachine::new();
    machine.python("~/.pyenv/versions/3.12");
    machine.program("~/.pyenv/shims/python3", "#!/usr/bin/env bash\nexec pyenv\n");
    machine.path = vec!["~/.pyenv/shims"];
    machine.program("elsewhere/bot", "#!/usr/bin/env -S python3 -u\n");
    assert_eq!(machine.sees("TOP/elsewhere/bot"), ["elsewhere/bot", "~/.pyenv"]);
    assert_eq!(machine.sees("python3"), ["~/.pyenv"]);
    machine.program("~/shims/tool", "");
    assert_eq!(machine.sees("../shims/tool"), ["~/.pyenv", "~/shims/tool"]);
}

#[test]
fn a_prefix_is_shown_by_its_libraries() {
    let mut machine = TestMachine::new();
    machine.program("~/.nvm/versions/v20/bin/node", "ELF");
    machine.file("~/.nvm/versions/v20/lib/npm", "");
    machine.link("~/.nvm/current", "versions/v20");
    machine.program("~/bots/bot", "#!/usr/bin/env node\n");
    machine.path = vec!["~/.nvm/current/bin"];
    let seen = machine.sees("./bot");
    assert_eq!(seen, ["~/.nvm/current", "~/.nvm/versions/v20", "~/bots/bot"]);
    // One without libraries is its file alone, and a home folder is no prefix.
    machine.path = Vec::new();
    machine.program("go/bin/bot", "ELF");
    machine.file("go/src/secret", "");
    assert_eq!(machine.sees("TOP/go/bin/bot"), ["go/bin/bot"]);
    machine.program("~/bin/mine", "ELF");
    machine.file("~/lib/x", "");
    assert_eq!(machine.sees("TOP/home/me/bin/mine"), ["~/bin/mine"]);
}

#[test]
fn some_prefixes_hold_what_is_private() {
    let mut machine = TestMachine::new();
    for tool in ["~/.local/bin/tool", "~/.cargo/bin/tool", "~/bin/tool"] {
        machine.program(tool, "ELF");
    }
    machine.file("~/.local/lib/python/x.py", "");
    machine.file("~/.local/share/keys", "");
    machine.file("~/.cargo/lib/x", "");
    machine.file("~/.cargo/credentials.toml", "");
    machine.file("~/lib/x", "");
    machine.path = vec!["~/.local/bin", "~/.cargo/bin", "~/bin", "~", "~/bots", "nowhere"];
    let seen = machine.sees("tool");
    assert_eq!(seen, ["~/.cargo/bin", "~/.local/bin", "~/.local/lib", "~/bin"]);
    machine.path = vec!["~/.local/bin"];
    machine.python("~/.local/share/uv/python/3.12");
    machine.link("~/.local/bin/python3", "../share/uv/python/3.12/bin/python3");
    let seen = machine.sees("sh");
    assert_eq!(seen, ["~/.local/bin", "~/.local/lib", "~/.local/share/uv/python/3.12"]);
}

#[test]
fn what_is_hidden_is_taken_out_of_what_a_program_needs() {
    let mut machine = TestMachine::new();
    machine.program("kit/bin/mine", "ELF");
    machine.program("kit/bin/other", "ELF");
    machine.file("kit/lib/x", "");
    machine.path = vec!["kit/bin"];
    machine.view_rules.hidden = vec![machine.at("kit/bin/other"), machine.at("kit/logs/new.jsonl")];
    assert_eq!(machine.sees("mine"), ["kit/bin/mine", "kit/lib"]);
    assert_eq!(machine.sees("sh"), [""; 0]);
    // The program itself is seen all the same.
    machine.view_rules.hidden.push(machine.at("kit/bin/mine"));
    assert_eq!(machine.sees("TOP/kit/bin/mine"), ["kit/bin/mine", "kit/lib"]);
    // So is what is hidden under another name.
    machine.link("~/bots/link", "TOP/kit/bin/other");
    machine.file("~/bots/bot.py", "");
    assert_eq!(machine.sees("sh bot.py"), ["~/bots/bot.py"]);
}

#[test]
fn arguments_name_files_and_folders() {
    let machine = TestMachine::new();
    machine.file("classes/Main.class", "");
    machine.file("jars/a.jar", "");
    machine.file("jars/b.jar", "");
    machine.file("data/x/y", "");
    let seen =
        machine.sees("sh -cp TOP/classes:TOP/jars/a.jar:TOP/home --data=TOP/data/x -ITOP/lib");
    assert_eq!(seen, ["classes", "data/x", "jars/a.jar", "jars/b.jar"]);
    assert_eq!(machine.sees("sh -ITOP/data - --= -ž TOP/home/me"), ["data"]);
}

#[test]
fn a_program_that_a_user_grants_a_folder_is_shown_with_what_it_needs() {
    let mut machine = TestMachine::new();
    machine.python("~/py");
    machine.file("~/game/game.py", "");
    machine.file("~/secret", "");
    machine.view_rules.folder = Some(machine.at("~/game"));
    let command = "TOP/home/me/py/bin/python3 TOP/home/me/game/game.py TOP/home/me/secret";
    assert_eq!(machine.sees(command), ["~/game"]);
    machine.view_rules.granted = vec![machine.at("~/py/bin/python3")];
    assert_eq!(machine.sees(command), ["~/game", "~/py"]);
}

#[test]
fn a_way_up_is_gone_from_the_command() {
    let machine = TestMachine::new();
    machine.file("~/bots/inner/x", "");
    machine.file("elsewhere/bot.py", "");
    let search = SearchPath { folder: machine.at("~/bots"), built_in: None, path: Vec::new() };
    let words = ["/bin/sh", "inner/../../../../elsewhere/bot.py"];
    let program = Program::resolve(&words, &search).expect("a program");
    assert_eq!(program.arguments(), [machine.at("elsewhere/bot.py")]);
}
