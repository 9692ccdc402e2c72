//! The groups of commands in the help, and `arbiter completions` and `arbiter man`: shell completions and manual pages,
//! generated from the definition of the command line, so that they always agree with it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::StyledStr;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use text::system_error;

use text::failure::Failure;

/// Each group with its commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 7] = [
    ("First steps", &["match", "new", "check", "play", "review"]),
    ("Bots and games", &["build", "bots", "games", "simulate"]),
    ("Compete", &["tournament", "league"]),
    (
        "Prove and investigate",
        &["seed", "head", "verify", "show", "explain", "request", "rerun", "diff"],
    ),
    ("Learn", &["puzzles", "export"]),
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

const COMPLETIONS_HELP: &str = "Examples:
  arbiter completions bash > ~/.local/share/bash-completion/completions/arbiter
  arbiter completions zsh > ~/.zfunc/_arbiter
  arbiter completions fish > ~/.config/fish/completions/arbiter.fish";

/// The source that manual pages name.
const SOURCE: &str = concat!("arbiter ", env!("CARGO_PKG_VERSION"));

const MAN_HELP: &str = "Examples:
  arbiter man > arbiter.1 && man ./arbiter.1
  arbiter man --dir ~/.local/share/man/man1 && man arbiter-match";

/// The shell that completions are made for.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(super) struct CompletionsArgs {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The destination of manual pages.
#[derive(Debug, Args)]
#[command(after_help = MAN_HELP)]
pub(super) struct ManArgs {
    /// Write one page per command to this folder
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

impl CompletionsArgs {
    pub(super) fn run(&self, whole: &Command, out: &mut dyn Write) -> Result<(), Failure> {
        let mut command = without_hidden(whole);
        let name = command.get_name().to_owned();
        // The generator panics where it cannot write, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        Ok(out.write_all(&script)?)
    }
}

impl ManArgs {
    /// Writes the page of the program, or all pages into a folder.
    pub(super) fn run(&self, whole: &Command, out: &mut dyn Write) -> Result<(), Failure> {
        let command = without_hidden(whole).disable_help_subcommand(true);
        match &self.dir {
            None => Ok(write_main_page(command, out)?),
            Some(folder) => write_pages(command, folder).map_err(|error| {
                let folder = folder.display();
                Failure::Usage(format!(
                    "cannot write manual pages to `{folder}`: {}",
                    system_error(error)
                ))
            }),
        }
    }
}

fn write_pages(mut command: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    command.build();
    for command in command.get_subcommands() {
        write_pages_of(command, folder)?;
    }
    let name = page(command.clone()).get_filename();
    write_main_page(command, &mut File::create(folder.join(name))?)
}

/// Writes the page of the program, which lists the commands in their groups.
fn write_main_page(command: Command, out: &mut dyn Write) -> io::Result<()> {
    let main = page(command.clone());
    main.render_title(out)?;
    main.render_name_section(out)?;
    main.render_synopsis_section(out)?;
    main.render_description_section(out)?;
    main.render_options_section(out)?;
    for (group, names) in GROUPS {
        let listed = names.iter().filter_map(|name| command.find_subcommand(name)).enumerate();
        let listed = listed.map(|(place, one)| one.clone().display_order(place));
        let part = Command::new("arbiter").disable_help_subcommand(true).subcommands(listed);
        page(part.subcommand_help_heading(group)).render_subcommands_section(out)?;
    }
    main.render_extra_section(out)?;
    main.render_version_section(out)
}

/// Writes the page of a command after those of its own commands.
fn write_pages_of(command: &Command, folder: &Path) -> io::Result<()> {
    command.get_subcommands().try_for_each(|command| write_pages_of(command, folder))?;
    page(command.clone()).generate_to(folder).map(drop)
}

fn page(command: Command) -> Man {
    Man::new(command).source(SOURCE)
}

/// The whole command line without hidden commands, which completions would offer.
fn without_hidden(whole: &Command) -> Command {
    let commands = whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let commands: Vec<Command> = commands.collect();
    let text = |text: Option<&StyledStr>| text.cloned().unwrap_or_default();
    Command::new("arbiter")
        .version(env!("CARGO_PKG_VERSION"))
        .about(text(whole.get_about()))
        .long_about(text(whole.get_long_about()))
        .after_help(text(whole.get_after_long_help()))
        .subcommand_required(true)
        .subcommands(commands)
}
