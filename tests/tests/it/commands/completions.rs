//! `arbiter completions` and `arbiter man`: what is made from the definition of the command line
//! can be used, and says what the program can do.

use std::fs;
use std::path::Path;

use tests::bench::{Bench, run};
use tests::installed::is_there;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The headings of the lists of commands: the groups of the program, or the list of a command.
const LISTS: [&str; 8] = [
    "First steps:",
    "Bots and games:",
    "Compete:",
    "Prove and investigate:",
    "Learn:",
    "Publish:",
    "Tools:",
    "Commands:",
];

/// The commands that the help lists, but for `help` itself.
pub(super) fn commands(bench: &Bench, words: &[&str]) -> Vec<String> {
    let help = bench.succeed([words, &["--help"]].concat());
    let parts = help.split("\n\n").filter_map(|part| part.split_once('\n'));
    let lists = parts.filter(|(heading, _)| LISTS.contains(heading));
    let lines = lists.flat_map(|(_, list)| list.lines());
    // A text that goes on in the next line is further in.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_shell_completes_every_command_but_hidden_ones() {
    let bench = Bench::new();
    let commands = commands(&bench, &[]);
    assert!(commands.len() >= 12, "{commands:?}");
    for shell in SHELLS {
        let script = bench.succeed(["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "no {command} for {shell}");
        }
        assert!(!script.contains("guard"), "{shell} is told of a hidden command");
    }
}

#[test]
fn bash_completes_a_command_an_option_and_a_value() {
    let bench = Bench::new();
    bench.write("arbiter.bash", bench.succeed(["completions", "bash"]));
    if !is_there("bash") {
        return;
    }
    run(bench.command("bash").args(["-n", "arbiter.bash"])).without_error();
    for (typed, expected) in [
        ("arbiter veri", "verify"),
        ("arbiter match --ga", "--game"),
        ("arbiter match --game tab", "tablic"),
        ("arbiter tournament stat", "status"),
        ("arbiter completions z", "zsh"),
    ] {
        let last = typed.split(' ').next_back().expect("a word");
        let before = typed.split(' ').rev().nth(1).expect("a word before");
        let script = format!(
            ". ./arbiter.bash; COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _arbiter arbiter '{last}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let ended = run(bench.command("bash").args(["--norc", "-c", &script]));
        assert!(ended.stdout.lines().any(|line| line == expected), "{typed}: {ended:?}");
    }
}

/// Fails where the program that typesets manuals has a complaint.
fn renders(bench: &Bench, page: &Path) {
    let words = ["-man", "-ww", "-Kutf8", "-Tutf8"];
    let typeset = run(bench.command("groff").args(words).arg(page));
    assert_eq!((typeset.code, typeset.stderr.as_str()), (Some(0), ""), "{page:?}");
    assert!(typeset.stdout.lines().count() > 10, "{typeset:?}");
}

#[test]
fn the_manual_names_every_command() {
    let bench = Bench::new();
    let page = bench.succeed(["man"]);
    for command in commands(&bench, &[]) {
        assert!(page.contains(&format!("\narbiter\\-{command}(1)\n")), "no {command} in {page}");
    }
    assert!(!page.contains("guard") && page.contains("Exit codes:\n  "), "{page}");
    // In the groups of the help.
    let help = bench.succeed(["-h"]);
    let (mut in_help, mut in_page) = (0, 0);
    for group in LISTS.split_last().expect("a list of them").1 {
        let group = group.trim_end_matches(':');
        let quoted = if group.contains(' ') { format!("\"{group}\"") } else { group.to_owned() };
        let place = |text: &str, heading: &str| text.find(heading).expect("a heading");
        let places =
            (place(&help, &format!("\n{group}:\n")), place(&page, &format!("\n.SH {quoted}\n")));
        assert!(places.0 > in_help && places.1 > in_page, "{group} is out of order");
        (in_help, in_page) = places;
    }
}

/// The pages are made from the definition of the command line, so each command is in one group.
#[test]
fn a_page_for_each_command() {
    let bench = Bench::new();
    assert_eq!(bench.succeed(["man", "--dir", "share/man1"]), "");
    assert_eq!(bench.succeed(["man", "--dir", "share/man1"]), "", "pages may be made again");
    bench.write("file", "");
    bench.run(["man", "--dir", "file/man1"]).assert_refused(2, &["`file/man1`"]);
    assert_eq!(bench.run(["completions", "cmd"]).code, Some(2));
    for command in ["completions", "man"] {
        assert!(bench.succeed([command, "--help"]).contains("Examples:\n  arbiter "));
    }
    let mut expected = vec!["arbiter.1".to_owned()];
    expected.extend(commands(&bench, &[]).iter().map(|name| format!("arbiter-{name}.1")));
    for group in ["league", "tournament"] {
        let nested = commands(&bench, &[group]);
        expected.extend(nested.iter().map(|name| format!("arbiter-{group}-{name}.1")));
    }
    let entries = fs::read_dir(bench.path("share/man1")).expect("the folder is made");
    let pages: Vec<_> = entries.map(|entry| entry.expect("a page").path()).collect();
    let mut names: Vec<String> = pages
        .iter()
        .map(|page| page.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
    let groff = is_there("groff");
    for page in &pages {
        let text = fs::read_to_string(page).expect("text");
        assert!(text.contains("\"arbiter 0.") && text.contains(".SH SYNOPSIS"), "{text}");
        if groff {
            renders(&bench, page);
        }
    }
}
