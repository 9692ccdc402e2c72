//! The groups in which the help and the manual list the commands.

use std::collections::HashMap;

use clap::Command;

/// Each group with its commands, in the order of the help.
pub(super) const GROUPS: [(&str, &[&str]); 7] = [
    ("Start a bot or a game", &["new", "build", "check", "bots", "games"]),
    ("Play", &["match", "play", "simulate"]),
    ("Compete", &["tournament", "league"]),
    (
        "Prove and investigate",
        &["seed", "head", "verify", "show", "explain", "request", "rerun", "diff"],
    ),
    ("Learn", &["review", "puzzles", "export"]),
    ("Publish", &["report", "serve"]),
    ("Tools", &["sandbox", "compress", "completions", "man", "bot", HELP]),
];

/// The command that clap adds.
const HELP: &str = "help";

/// The program, with a help that lists its commands in groups.
pub(super) fn grouped(command: Command) -> Command {
    let abouts: HashMap<&str, String> = command
        .get_subcommands()
        .filter_map(|one| Some((one.get_name(), one.get_about()?.to_string())))
        .collect();
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (group, names) in GROUPS {
        template.push_str(&format!("{group}:\n"));
        for name in names {
            let about = abouts.get(name).map_or("Print help for a command", String::as_str);
            template.push_str(&format!("  {name:11}  {about}\n"));
        }
        template.push('\n');
    }
    template.push_str("Options:\n{options}{after-help}");
    command.help_template(template)
}
