//! Common mistakes with files, programs and commands: each gets one hint, and it is the right one.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use tests::bench::{Bench, run};
use tests::keeping::has_layer;
use tests::missing;

const PLAYS: &str = "sed -n '/^legal /{n;p;q}'";

/// Writes a file that may be started.
fn program(bench: &Bench, name: &str, content: impl AsRef<[u8]>) {
    let path = bench.write(name, content);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// The hints that a match against `random` shows.
fn hints(bench: &Bench, bot: &str) -> Vec<String> {
    let words = ["match", "--game", "tablic", "--time-limit", "60s", "--games", "2", bot, "random"];
    let ended = bench.run(words).with_code(0);
    let hints = ended.stdout.lines().filter_map(|line| line.trim().strip_prefix("hint"));
    hints.map(|hint| hint.trim().to_owned()).collect()
}

/// The reason why a match does not begin.
fn refusal(bench: &Bench, bot: &str) -> String {
    let ended = bench.run(["match", "--game", "tablic", bot, "random"]);
    assert_eq!(ended.code, Some(4), "{bot}: {ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    ended.stderr
}

/// The error ends with the command that mends the file.
#[test]
fn odd_first_lines_are_named_before_the_first_game() {
    let bench = Bench::new();
    let crlf = "has Windows line endings (CRLF), which break its #! line: sed -i 's/\\r$//'";
    let mark = "begins with a byte-order mark, so its first line names no program";
    for (script, says, before) in [
        (format!("#!/usr/bin/env python3\r\n{PLAYS}\r\n"), crlf, "line: "),
        (format!("#!/bin/sh -e\r\n{PLAYS}\r\n"), crlf, "line: "),
        (format!("\u{feff}#!/bin/sh\n{PLAYS}\n"), mark, "with "),
    ] {
        program(&bench, "bot", script);
        let refused = refusal(&bench, "./bot");
        let path = bench.path("bot").display().to_string();
        assert!(refused.starts_with(&format!("error: bot `bot`: `{path}` {says}")), "{refused}");
        let remedy = refused.trim_end().rsplit_once(before).expect("a command").1;
        run(bench.command("sh").args(["-c", remedy])).with_code(0);
        let text = bench.text("bot");
        assert!(text.starts_with("#!") && !text.contains('\r'), "{text}");
    }
    // This one is a blank for `env -S`.
    program(&bench, "bot", format!("#!/usr/bin/env -S sh\r\n{PLAYS}\n"));
    assert!(hints(&bench, "./bot").is_empty());
}

#[test]
fn windows_line_ends_in_a_script_of_a_shell_are_named_where_it_faults() {
    let bench = Bench::new();
    let hint = "run.sh has Windows line endings (CRLF): remove them with sed -i 's/\\r$//' run.sh";
    bench.write("run.sh", format!("if true; then\r\n{PLAYS}\r\nfi\r\n"));
    assert_eq!(hints(&bench, "sh run.sh"), [hint], "in a match");
    let report = bench.run(["check", "--game", "coup", "--games", "0", "sh run.sh"]).stdout;
    assert!(report.contains(&format!("\n         hint      {hint}\n")), "{report}");
    // Bots without faults need no hint, and line ends are not blamed for other faults.
    bench.write("run.sh", format!("{PLAYS}\n#\r\n"));
    assert!(hints(&bench, "sh run.sh").is_empty());
    bench.write("run.sh", "exit 1\n");
    assert!(hints(&bench, "sh run.sh").is_empty());
}

/// One forbids to execute. The other is mounted for another user, who alone may enter it; its server is never asked
/// anything.
#[test]
fn file_systems_that_keep_a_bot_from_starting_are_named() {
    let bench = Bench::new();
    let noexec = "mount -t tmpfs -o noexec none apart && echo '#!/bin/sh' > apart/bot.sh && \
                  chmod +x apart/bot.sh";
    let fuse = "(: 9<>/dev/fuse) && exec 9<>/dev/fuse && mount -i -t fuse -o \
                fd=9,rootmode=40000,user_id=12345,group_id=12345 none apart";
    let run_through = "bot.sh` is on a noexec file system: copy it elsewhere, or run it through its \
                       interpreter\n";
    let owner = "; its file system (FUSE) lets only its owner in: mount it with -o allow_other, or copy the \
                 bot elsewhere\n";
    fs::create_dir(bench.path("apart")).expect("a folder");
    // Root alone mounts a file system in user space.
    for (own, mounted, bot, says) in [
        ("-rm", noexec, "apart/bot.sh", run_through),
        ("--mount", fuse, "apart/bot.sh", owner),
        ("--mount", fuse, "./apart", owner),
    ] {
        let script = format!("{mounted} || exit 77; \"$@\" 2>&1");
        let mut command = bench.command("unshare");
        command.args([own, "sh", "-c", &script, "sh"]).arg(bench.program("arbiter"));
        let ended = run(command.args(["match", "--game", "tablic", bot, "random"]));
        let is_refused = ended.code == Some(1) && ended.stderr.starts_with("unshare: ");
        if is_refused || ended.code == Some(77) {
            missing::tell("this machine cannot mount that file system");
            continue;
        }
        assert!(ended.stdout.ends_with(says) && ended.code == Some(4), "{ended:?}");
    }
}

/// A program for a processor of 32 bits that does nothing but end.
fn program_of_32_bits() -> Vec<u8> {
    const AT: u32 = 0x0804_8000;
    const HEAD: u32 = 52 + 32;
    // Call number 1, `exit`, with 0.
    let code = [0x31, 0xdb, 0x31, 0xc0, 0x40, 0xcd, 0x80];
    let size = HEAD + code.len() as u32;
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    let halves = |file: &mut Vec<u8>, values: &[u16]| {
        values.iter().for_each(|value| file.extend(value.to_le_bytes()));
    };
    let words = |file: &mut Vec<u8>, values: &[u32]| {
        values.iter().for_each(|value| file.extend(value.to_le_bytes()));
    };
    halves(&mut file, &[2, 3]);
    words(&mut file, &[1, AT + HEAD, 52, 0, 0]);
    halves(&mut file, &[52, 32, 1, 0, 0, 0]);
    words(&mut file, &[1, 0, AT, AT, size, size, 5, 0x1000]);
    file.extend(code);
    file
}

#[test]
fn a_program_of_32_bits_fails_its_start_check_where_isolation_ends_it() {
    let bench = Bench::new();
    program(&bench, "bot", program_of_32_bits());
    let is_run = run(bench.command(bench.path("bot")).arg("now")).code == Some(0);
    if !cfg!(target_arch = "x86_64") || !is_run || !has_layer(&bench, "seccomp") {
        missing::tell("no program of 32 bits starts here, or no filter of calls ends it");
        return;
    }
    let why = "the sandbox does not support 32-bit programs; build the program for 64 bits, or use \
               --isolation off\n";
    assert!(refusal(&bench, "./bot").ends_with(why));
    let ended = bench.run(["check", "--game", "tablic", "./bot"]);
    assert!(ended.code == Some(5) && ended.stdout.contains("FAILED   starts  "), "{ended:?}");
    let off = bench.run(["match", "--game", "tablic", "--isolation", "off", "./bot", "random"]);
    assert!(off.code == Some(0) && off.stdout.contains("no-answer"), "{off:?}");
}

#[test]
fn a_name_that_is_nearly_right_is_named() {
    let bench = Bench::new();
    for (typed, meant) in
        [("Greedy", "greedy"), ("minmax --depth 1", "minimax"), ("pyhton3 bot.py", "python3")]
    {
        let word = typed.split(' ').next().unwrap_or_default();
        let expected = format!("program `{word}` not found, did you mean `{meant}`?\n");
        let told = refusal(&bench, typed);
        assert!(told.ends_with(&expected), "{told}");
    }
}

#[test]
fn a_script_is_named_as_it_can_be_started() {
    let bench = Bench::new();
    bench.write("tab.py", "print(1)\n");
    bench.write("tab.sh", format!("#!/bin/sh\n{PLAYS}\n"));
    program(&bench, "ready.sh", format!("#!/bin/sh\n{PLAYS}\n"));
    program(&bench, "bare.sh", format!("{PLAYS}\n"));
    let (py, sh) = (bench.path("tab.py"), bench.path("tab.sh"));
    let (py, sh, bare) = (py.display(), sh.display(), bench.path("bare.sh"));
    for (typed, expected) in [
        ("tab.py", "program `tab.py` not found, write \"python3 tab.py\"".to_owned()),
        ("tab.sh", "program `tab.sh` not found, run chmod +x tab.sh and write ./tab.sh".to_owned()),
        ("ready.sh", "program `ready.sh` not found, write ./ready.sh".to_owned()),
        ("./tab.py", format!("`{py}` is not executable: write \"python3 {py}\"")),
        ("./tab.sh", format!("`{sh}` is not executable: run chmod +x {sh}")),
        (
            "./bare.sh",
            format!("it is a script without a `#!` line: write \"sh {}\"", bare.display()),
        ),
    ] {
        let told = refusal(&bench, typed);
        assert!(told.ends_with(&format!("{expected}\n")), "{typed}: {told}");
    }
}

#[test]
fn packages_in_a_virtual_environment_that_the_command_does_not_use_are_named() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("mine/.venv/bin")).expect("folders");
    fs::create_dir(bench.path("bin")).expect("a folder");
    program(&bench, "mine/.venv/bin/python3", "#!/bin/sh\n");
    // It fails as Python does, whichever Python there is.
    program(
        &bench,
        "bin/python3",
        "#!/bin/sh\necho \"ModuleNotFoundError: No module named 'numpy'\" >&2\nexit 1\n",
    );
    bench.write("mine/bot.py", "import numpy\n");
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'python3 bot.py'\n");
    let path = format!(
        "{}:{}",
        bench.path("bin").display(),
        tests::search_path::search_path().to_string_lossy()
    );
    let hint = ".venv is used only with `command = \".venv/bin/python3 bot.py\"` in bot.toml";
    for isolation in ["auto", "off"] {
        let mut command = bench.arbiter(["match", "--game", "tablic", "--isolation", isolation]);
        let ended = run(command.args(["./mine", "random"]).env("PATH", &path));
        let told = ended.stdout.lines().filter(|line| line.trim().starts_with("hint"));
        let told: Vec<&str> = told.map(|line| line.trim()[4..].trim()).collect();
        assert_eq!(told, [hint], "{ended:?}");
    }
}

#[test]
fn the_pages_are_served_at_localhost_by_its_name() {
    let bench = Bench::new();
    let wrong = bench.run(["serve", "nowhere", "--listen", "localhost:0"]);
    assert!(wrong.stderr.contains("nowhere") && !wrong.stderr.contains("--listen"), "{wrong:?}");
    for listen in ["example.org:80", "localhost", "8080", "localhost:port"] {
        let wrong = bench.run(["serve", "nowhere", "--listen", listen]).with_code(2);
        assert!(wrong.stderr.contains("expected an address and a port, such as 127.0.0.1:8080"));
    }
}

/// The portable supervisor has no layers at all, and says so wherever the output goes.
#[test]
fn missing_layers_of_isolation_are_told_in_a_pipe_and_in_a_report() {
    let bench = Bench::new();
    let row = |text: &str| format!("<dt>isolation</dt><dd>{text}");
    let has_all = bench.run(["sandbox", "--json"]).json();
    let has_all = has_all.iter().all(|line| line["layer"]["on"] != false);
    for (isolation, supervisor, shown, is_so) in [
        ("auto", "portable", row("on without user, processes, "), true),
        ("off", "linux", row("off: bots could read and write what"), true),
        ("auto", "linux", row("on without "), !has_all),
    ] {
        let words = ["match", "--game", "coup", "--isolation", isolation, "--log", "log"];
        let mut command = bench.arbiter([&words[..], &["random", "greedy"]].concat());
        let output = command.env("ARBITER_SUPERVISOR", supervisor).output().expect("it starts");
        let told = String::from_utf8(output.stderr).expect("text");
        let is_told = told.starts_with("isolation: on, missing user, processes, files, ")
            && told.ends_with(" (see `arbiter sandbox`)\n")
            && told.lines().count() == 1;
        assert!(is_told || supervisor != "portable", "{told}");
        bench.succeed(["report", "log", "-o", "pages"]);
        let page = bench.text("pages/index.html");
        assert_eq!(page.contains(&shown), is_so, "{isolation}, {supervisor}: {page}");
        fs::remove_file(bench.path("log")).expect("it was there");
    }
}
